-- cmbs_store.retry_deferred
--
-- Tries deferred proposals of a locked session again that may have what they wait for: each try is
-- a verdict of its own, of the one who proposed, and what it commits may be what others wait for.
--
-- p_by        who committed something, or sweeps
-- p_at        those that have waited until then are tried, too; null: what was committed counts
-- p_n_tries   how many were tried: for a second, and the others next time, because who commits
--             waits for it
-- Locks       nothing: the caller holds the session row.

create or replace function cmbs_store.retry_deferred(
    inout p_session cmbs_store.session,
    p_by text,
    p_at timestamptz,
    out p_n_tries integer
)
returns record
language plpgsql
volatile
as $$
declare
    v_deferral cmbs_store.deferral;
    v_actor text;
    v_payload jsonb;
    v_given cmbs_store.verdict_input;
    v_recorded record;
    v_until timestamptz := clock_timestamp() + interval '1 second';
begin
    p_n_tries := 0;
    -- What waits, waits on while everything is halted: a denial would end it.
    if cmbs_store.halted(p_session.tenant) is not null then
        return;
    end if;
    p_session.audit_head_at := greatest(p_session.audit_head_at, p_at);
    while clock_timestamp() < v_until loop
        v_deferral := cmbs_store.due_deferral(p_session, p_at);
        exit when v_deferral.deferral_id is null;
        select e.actor, e.record::jsonb -> 'payload'
        into v_actor, v_payload
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.seq = v_deferral.seq;
        v_given := cmbs_store.input_for_proposer(p_session, v_actor, v_payload);
        v_recorded := cmbs_store.append_proposal(
            p_session, v_actor,
            cmbs_store.input_of_retry(p_session, v_given, v_payload, p_by), null
        );
        p_session := v_recorded.p_session;
        perform cmbs_store.announce_opened(p_session, v_recorded.p_payload);
        p_n_tries := p_n_tries + 1;
    end loop;
end
$$;
