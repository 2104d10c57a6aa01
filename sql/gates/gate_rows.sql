-- cmbs_store.gate_rows
--
-- The stored rows of obligations and conclusions, in the text form of gate_row.

create or replace function cmbs_store.gate_rows(
    p_session_id uuid,
    out gate_row text,
    out seq bigint
)
returns setof record
language sql
stable
as $$
    select
        row(
            'obligation', o.entered_seq, o.obligation_id,
            o.min_total_eliminations, o.survivors_at_entry
        )::text,
        o.entered_seq
    from cmbs_store.obligation as o
    where o.session_id = p_session_id
    union all
    select
        row('obligation_end', d.entered_seq, d.ended_seq, d.outcome, d.survivors_at_end)::text,
        d.ended_seq
    from cmbs_store.obligation_end as d
    where d.session_id = p_session_id
    union all
    select
        row('conclusion', c.seq, c.conclusion_id, to_jsonb(c.is_accepted))::text,
        c.seq
    from cmbs_store.conclusion as c
    where c.session_id = p_session_id
$$;
