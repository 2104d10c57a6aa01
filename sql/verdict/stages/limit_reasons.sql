-- cmbs_store.limit_reasons
--
-- What ends deferring and asking for ever: a deferred proposal that was tried as often as the
-- policy lets it be, and questions beyond those that a session may ask.
--
-- As of the event that the session is given as of.

create or replace function cmbs_store.limit_reasons(
    p_session cmbs_store.session,
    p_given cmbs_store.verdict_input,
    p_verdict jsonb,
    p_settings jsonb
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_questions jsonb := cmbs_store.asked_items(p_given, p_verdict);
    v_max bigint := (p_settings -> 'policy.clarifications' ->> 'max_questions')::bigint;
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
begin
    if p_given.retries is not null and cmbs_store.is_deferred(p_given, p_verdict)
        and (p_given.retries ->> 'attempt')::integer
        >= cmbs_store.max_retries(p_settings)
    then
        -- Of items that stand by themselves those that wait, else the proposal.
        v_reasons := array(
            select (
                i.item_no, 'session', 'DEFER_EXHAUSTED', null, 'block',
                format('it was tried again %s times', p_given.retries ->> 'attempt')
            )::cmbs_store.reason
            from (
                select (e.item ->> 'item_no')::integer as item_no
                from jsonb_array_elements(p_verdict -> 'items') as e (item)
                where p_given.proposal -> 'atomic' = 'false'
                    and e.item ->> 'disposition' = 'defer'
                union all
                select null where p_given.proposal -> 'atomic' = 'true'
            ) as i
        );
    end if;
    if v_questions = '[]' or v_max is null then
        return v_reasons;
    end if;
    return v_reasons || array(
        select (
            q.item_no::integer, 'scheduler', 'CLARIFICATION_BUDGET_EXHAUSTED', null, 'block',
            format('%s questions may be asked in a session, and were', v_max)
        )::cmbs_store.reason
        from jsonb_array_elements_text(v_questions) with ordinality as q (item_no, no)
        where q.no > v_max - (
            select count(*)
            from cmbs_store.interrupt as i
            where i.session_id = p_session.session_id and i.seq <= p_session.audit_seq
        )
    );
end
$$;
