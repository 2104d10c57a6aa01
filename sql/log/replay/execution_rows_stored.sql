-- cmbs_store.execution_rows_stored
--
-- What the tables of execution, approval and upkeep hold of a session, row by row.

create or replace function cmbs_store.execution_rows_stored(
    p_session_id uuid
)
returns table (seq bigint, relation text, content jsonb)
language sql
stable
as $$
    select a.seq, 'permit' as relation, to_jsonb(a) as content
    from cmbs_store.permit as a
    where a.session_id = p_session_id
    union all
    select a.seq, 'permit_begin', to_jsonb(a)
    from cmbs_store.permit_begin as a
    where a.session_id = p_session_id
    union all
    select a.seq, 'permit_end', to_jsonb(a)
    from cmbs_store.permit_end as a
    where a.session_id = p_session_id
    union all
    select a.seq, 'interrupt_resolution', to_jsonb(a)
    from cmbs_store.interrupt_resolution as a
    where a.session_id = p_session_id
    union all
    select a.seq, 'interrupt_use', to_jsonb(a)
    from cmbs_store.interrupt_use as a
    where a.session_id = p_session_id
    union all
    select a.seq, 'deferral', to_jsonb(a)
    from cmbs_store.deferral as a
    where a.session_id = p_session_id
    union all
    select a.seq, 'session_mode', to_jsonb(a)
    from cmbs_store.session_mode as a
    where a.session_id = p_session_id
    union all
    select a.seq, 'clock_step', to_jsonb(a)
    from cmbs_store.clock_step as a
    where a.session_id = p_session_id
    union all
    select a.seq, 'shadow_pin', to_jsonb(a)
    from cmbs_store.shadow_pin as a
    where a.session_id = p_session_id
$$;
