-- cmbs_store.proposal_fault
--
-- What is wrong with what a recorded proposal goes on with, or tries again; null if nothing is.
--
-- p_state   the replayed session before the event

create or replace function cmbs_store.proposal_fault(
    p_state cmbs_store.session,
    p_actor text,
    p_given cmbs_store.verdict_input
)
returns text
language plpgsql
stable
as $$
declare
    v_at timestamptz := p_given.decided_at::timestamptz;
    v_last cmbs_store.deferral;
    v_asked cmbs_store.audit_event;
    v_payload jsonb;
    v_found record;
begin
    if p_given.claim is not null then
        return null;
    elsif p_given.v::text <> '2' then
        return 'the version of the verdict is not known';
    elsif not p_given.is_full then
        return 'is_full is not true';
    elsif p_given.retries is not null then
        select d.*
        into v_last
        from cmbs_store.deferral as d
        where d.session_id = p_state.session_id
            and d.deferral_id = (p_given.retries ->> 'deferral_id')::uuid
            and d.seq <= p_state.audit_seq
        order by d.seq desc
        limit 1;
    end if;
    select e.*
    into v_asked
    from cmbs_store.audit_event as e
    where e.session_id = p_state.session_id
        and e.seq = coalesce(v_last.seq, (p_given.resumes ->> 'seq')::bigint)
        and e.seq <= p_state.audit_seq
        and e.verb = 'PROPOSE';
    v_payload := v_asked.record::jsonb -> 'payload';
    if v_asked.seq is null then
        return case
            when p_given.retries is not null or p_given.resumes is not null
                then 'what it goes on with is not there'
        end;
    elsif v_asked.actor <> p_actor then
        return 'somebody else had proposed it';
    elsif p_given.retries is not null then
        return case
            when not cmbs_store.is_due(v_last, p_state.audit_seq, v_at)
                then 'what it waited for had not come'
            when p_given::text <> cmbs_store.input_of_retry(
                p_state, p_given, v_payload, p_given.retries ->> 'by'
            )::text then 'it is not what was deferred'
        end;
    end if;
    v_found := cmbs_store.approved_resume(
        p_state, v_asked.seq, v_payload,
        cmbs_store.granted_until(p_given.decided_at, p_given.clock)
    );
    return case
        when v_found.p_code is not null then 'it could not go on: ' || v_found.p_code
        when (p_given.resumes)::text <> v_found.p_resumes::text
            or (p_given.proposal)::text <> cmbs_store.resumed_proposal(
                p_state, v_payload -> 'proposal', v_found.p_resumes -> 'item_nos'
            )::text then 'it is not what was asked about'
    end;
end
$$;
