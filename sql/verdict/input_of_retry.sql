-- cmbs_store.input_of_retry
--
-- What a verdict on a deferred proposal is given that is tried again.
--
-- p_given      roles, times and the kill switch, as of the try
-- p_payload    that of its last try
-- p_by         who committed what it waits for, or swept

create or replace function cmbs_store.input_of_retry(
    p_session cmbs_store.session,
    p_given cmbs_store.verdict_input,
    p_payload jsonb,
    p_by text
)
returns cmbs_store.verdict_input
language plpgsql
stable
as $$
declare
    v_last cmbs_store.verdict_input := cmbs_store.input_of_record(p_payload);
    v_item_nos jsonb := cmbs_store.items_with(p_payload, 'deferral_id');
begin
    v_last.v := 2;
    v_last.roles := p_given.roles;
    v_last.decided_at := p_given.decided_at;
    v_last.clock := p_given.clock;
    v_last.halt := p_given.halt;
    v_last.request_id := null;
    v_last.is_full := null;
    v_last.proposal := cmbs_store.resumed_proposal(p_session, v_last.proposal, v_item_nos);
    v_last.retries := jsonb_build_object(
        'deferral_id', p_payload -> 'deferral' -> 'deferral_id',
        'attempt', (p_payload -> 'deferral' ->> 'attempt')::integer + 1,
        'by', p_by
    );
    -- Approvals that have run out by now do not count any more.
    v_last.resumes := v_last.resumes || jsonb_build_object(
        'item_nos', v_item_nos,
        'approvals', (
            select coalesce(jsonb_agg(a.approval order by a.no), '[]')
            from jsonb_array_elements(
                cmbs_store.approvals_asked(p_payload, v_item_nos)
            ) with ordinality as a (approval, no)
            inner join cmbs_store.interrupt as i
                on i.session_id = p_session.session_id
                    and i.interrupt_id = (a.approval ->> 'interrupt_id')::uuid
            where cmbs_store.interrupt_state(
                p_session, i, cmbs_store.granted_until(p_given.decided_at, p_given.clock)
            ) = 'approved'
        )
    );
    return v_last;
end
$$;
