-- cmbs_store.project_execution
--
-- Writes the rows that an event of execution, approval or upkeep leaves in the tables of its
-- session, and notes what is not open any more.
--
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.project_execution(
    p_session_id uuid,
    p_seq bigint,
    p_actor text,
    p_verb text,
    p_payload jsonb
)
returns void
language plpgsql
volatile
as $$
declare
    v_spent jsonb;
begin
    if p_verb = 'BEGIN_EXECUTION' then
        insert into cmbs_store.permit_begin (session_id, permit_id, seq, actor)
        values (p_session_id, (p_payload ->> 'permit_id')::uuid, p_seq, p_actor);
        perform cmbs_store.note_closed(
            p_session_id, 'permit', array[(p_payload ->> 'permit_id')::uuid]
        );
    elsif p_verb = 'RESOLVE_INTERRUPT' then
        insert into cmbs_store.interrupt_resolution (
            session_id, interrupt_id, seq, resolution, actor
        )
        values (
            p_session_id, (p_payload ->> 'interrupt_id')::uuid, p_seq,
            p_payload ->> 'resolution', p_actor
        );
        perform cmbs_store.note_closed(
            p_session_id, 'interrupt', array[(p_payload ->> 'interrupt_id')::uuid]
        );
    elsif p_verb = 'SET_MODE' then
        insert into cmbs_store.session_mode (session_id, seq, mode)
        values (p_session_id, p_seq, p_payload ->> 'mode');
    elsif p_verb = 'COMPLETE_EXECUTION' then
        insert into cmbs_store.permit_end (session_id, permit_id, seq, status, result_hash)
        values (
            p_session_id, (p_payload ->> 'permit_id')::uuid, p_seq, p_payload ->> 'status',
            decode(p_payload ->> 'result_hash', 'hex')
        );
    else
        insert into cmbs_store.permit_end (session_id, permit_id, seq, status)
        select p_session_id, e.permit_id::uuid, p_seq, 'expired'
        from jsonb_array_elements_text(p_payload -> 'permits') as e (permit_id);
        perform cmbs_store.note_closed(p_session_id, 'permit', array(
            select jsonb_array_elements_text(p_payload -> 'permits')::uuid
        ));
    end if;
    -- What was reserved is what was spent, mostly.
    if p_verb = 'SWEEP_EXPIRED' or p_payload ->> 'outcome' = 'error'
        or coalesce(p_payload -> 'usage', '{}') not in ('{}', '{"max_calls": 1}')
    then
        select jsonb_agg(r.content || jsonb_build_object(
            'session_id', p_session_id, 'seq', p_seq
        ))
        into v_spent
        from cmbs_store.execution_rows(p_session_id, p_actor, p_verb, p_payload) as r
        where r.relation = 'capability_spending';
        if v_spent is not null then
            perform cmbs_store.project_spending(p_session_id, v_spent);
        end if;
    end if;
end
$$;
