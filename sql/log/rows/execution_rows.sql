-- cmbs_store.execution_rows
--
-- The rows that an event of execution, approval or upkeep leaves in the tables of its session.

create or replace function cmbs_store.execution_rows(
    p_session_id uuid,
    p_actor text,
    p_verb text,
    p_payload jsonb
)
returns table (relation text, content jsonb)
language sql
stable
as $$
    select 'permit_begin' as relation, jsonb_build_object(
        'permit_id', p_payload -> 'permit_id', 'actor', p_actor
    ) as content
    where p_verb = 'BEGIN_EXECUTION'
    union all
    select 'permit_end', jsonb_build_object(
        'permit_id', p_payload -> 'permit_id',
        'status', p_payload -> 'status',
        'result_hash', '\x' || (p_payload ->> 'result_hash')
    )
    where p_verb = 'COMPLETE_EXECUTION'
    union all
    select 'capability_spending', s.content
    from cmbs_store.permit as p
    cross join lateral cmbs_store.spending_rows(
        p_session_id, p.token_id,
        p_payload -> 'usage' || jsonb_build_object('max_calls', case
            when p_payload ->> 'outcome' = 'error' then -1
            else coalesce((p_payload -> 'usage' ->> 'max_calls')::bigint, 1) - 1
        end)
    ) as s (content)
    where p_verb = 'COMPLETE_EXECUTION'
        and p.session_id = p_session_id
        and p.permit_id = (p_payload ->> 'permit_id')::uuid
    union all
    select 'permit_end', jsonb_build_object(
        'permit_id', e.permit_id, 'status', 'expired', 'result_hash', null
    )
    from jsonb_array_elements_text(p_payload -> 'permits') as e (permit_id)
    where p_verb = 'SWEEP_EXPIRED'
    union all
    select 'capability_spending', jsonb_build_object(
        'token_id', s.content ->> 'token_id', 'unit', 'max_calls',
        'amount', sum((s.content ->> 'amount')::bigint)
    )
    from jsonb_array_elements_text(p_payload -> 'permits') as e (permit_id)
    inner join cmbs_store.permit as p
        on p.session_id = p_session_id and p.permit_id = e.permit_id::uuid
    cross join lateral cmbs_store.spending_rows(
        p_session_id, p.token_id, '{"max_calls": -1}'
    ) as s (content)
    where p_verb = 'SWEEP_EXPIRED'
    group by s.content ->> 'token_id'
    union all
    select 'interrupt_resolution', jsonb_build_object(
        'interrupt_id', p_payload -> 'interrupt_id',
        'resolution', p_payload -> 'resolution',
        'actor', p_actor
    )
    where p_verb = 'RESOLVE_INTERRUPT'
    union all
    select 'session_mode', jsonb_build_object('mode', p_payload -> 'mode')
    where p_verb = 'SET_MODE'
$$;
