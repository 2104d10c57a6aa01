-- cmbs_store.project_deltas
--
-- Writes the state deltas of an event with their numbers, and the values of their keys; after every
-- hundredth delta also the whole state.

create or replace function cmbs_store.project_deltas(
    p_session_id uuid,
    p_seq bigint,
    p_deltas jsonb,
    p_values jsonb
)
returns void
language plpgsql
volatile
as $$
declare
    v_last bigint;
begin
    select coalesce(max(d.delta_no), 0)
    into v_last
    from cmbs_store.state_delta as d
    where d.session_id = p_session_id
        and d.seq = (
            select max(l.seq) from cmbs_store.state_delta as l where l.session_id = p_session_id
        );
    insert into cmbs_store.state_delta
    select r.*
    from jsonb_array_elements(p_deltas) with ordinality as d (content, no)
    cross join lateral jsonb_populate_record(
        null::cmbs_store.state_delta,
        d.content || jsonb_build_object('delta_no', v_last + d.no)
    ) as r;
    insert into cmbs_store.state_value
    select r.* from jsonb_populate_recordset(null::cmbs_store.state_value, p_values) as r;
    if (v_last + jsonb_array_length(p_deltas)) / 100 > v_last / 100 then
        insert into cmbs_store.state_checkpoint (session_id, delta_no, seq, f_sparse, s_core)
        values (
            p_session_id, (v_last + jsonb_array_length(p_deltas)) / 100 * 100, p_seq,
            cmbs_store.f_sparse_at(p_session_id, p_seq), cmbs_store.s_core_at(p_session_id, p_seq)
        );
    end if;
end
$$;
