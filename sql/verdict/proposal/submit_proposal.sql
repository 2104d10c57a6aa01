-- cmbs_store.submit_proposal
--
-- Records a proposal in a locked session with the verdict on it, tries again what waited for what
-- it committed, and answers.
--
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.submit_proposal(
    p_session cmbs_store.session,
    p_actor text,
    p_given cmbs_store.verdict_input,
    p_notes text,
    p_minimal boolean
)
returns json
language plpgsql
volatile
as $$
declare
    v_recorded record := cmbs_store.append_proposal(p_session, p_actor, p_given, p_notes);
    v_session cmbs_store.session := v_recorded.p_session;
    v_event_id uuid := v_session.audit_head_event_id;
    v_tried record;
begin
    perform cmbs_store.announce_opened(v_session, v_recorded.p_payload);
    if jsonb_path_exists(p_given.proposal, '$.items[*] ? (exists (@.patch))')
        and v_recorded.p_payload ->> 'decision' = 'allow'
    then
        v_tried := cmbs_store.retry_deferred(v_session, p_actor, null);
        v_session := v_tried.p_session;
    end if;
    return cmbs_store.response(
        cmbs_store.proposal_outcome(v_recorded.p_payload, v_event_id, false),
        v_session, p_minimal
    );
end
$$;
