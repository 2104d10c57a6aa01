-- cmbs_store.f_sparse_at
--
-- The facts and goals of a session as of an event, as canonical text: key -> text of the value.
-- From the last checkpoint before it, and the deltas since.

create or replace function cmbs_store.f_sparse_at(
    p_session_id uuid,
    p_seq bigint
)
returns text
language plpgsql
stable
as $$
declare
    v_checkpoint cmbs_store.state_checkpoint;
    v_state jsonb;
begin
    select c.*
    into v_checkpoint
    from cmbs_store.state_checkpoint as c
    where c.session_id = p_session_id and c.seq <= p_seq
    order by c.delta_no desc
    limit 1;
    select coalesce(v_checkpoint.f_sparse::jsonb, '{}') || coalesce(
        jsonb_object_agg(m.key, m.value order by d.seq, d.item_no), '{}'
    )
    into v_state
    from cmbs_store.state_delta as d
    cross join lateral jsonb_each(d.patch::jsonb) as m (key, value)
    where d.session_id = p_session_id
        and d.seq > coalesce(v_checkpoint.seq, 0)
        and d.seq <= p_seq;
    return jsonb_strip_nulls(v_state)::text;
end
$$;
