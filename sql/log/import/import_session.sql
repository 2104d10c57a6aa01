-- cmbs_store.import_session
--
-- The session that records are for, locked: a new one if the first of them declares it, as it was
-- before its first event; else the one whose log they continue.
--
-- Raises     MB001 SESSION_NOT_FOUND, MB102 CONFLICT, MB201 INVALID_REQUEST.

create or replace function cmbs_store.import_session(
    p_session_id uuid,
    p_tenant text,
    p_records text,
    p_policy_as_sent text
)
returns cmbs_store.session
language plpgsql
volatile
as $$
declare
    v_first jsonb := split_part(p_records, e'\n', 1)::jsonb;
    v_payload jsonb := v_first -> 'payload';
    v_policy cmbs_store.policy_default;
    v_universe cmbs_store.universe;
    v_session cmbs_store.session;
begin
    if v_first ->> 'seq' is distinct from '1' then
        return cmbs_store.lock_session(p_session_id, p_tenant);
    end if;
    if v_first ->> 'verb' is distinct from 'DECLARE_SESSION'
        or v_first ->> 'ts' is null
        or cmbs_store.is_payload('DECLARE_SESSION', v_payload) is not true
        or not coalesce(p_policy_as_sent::jsonb <@ (v_payload -> 'policy'), true)
    then
        perform cmbs_store.refuse_import(p_session_id, 1, 'it does not declare the session');
    end if;
    select u.*
    into v_universe
    from cmbs_store.universe as u
    where u.universe_digest = decode(v_payload ->> 'universe_digest', 'hex');
    if v_universe.n_hypotheses is distinct from (v_payload ->> 'n_hypotheses')::integer then
        perform cmbs_store.refuse_import(p_session_id, 1, 'its universe is not registered');
    end if;
    v_policy.stability_window := (v_payload -> 'policy' ->> 'stability_window')::integer;
    v_policy.validate_hypotheses := (v_payload -> 'policy' ->> 'validate_hypotheses')::boolean;
    v_policy.allow_forced_termination :=
        (v_payload -> 'policy' ->> 'allow_forced_termination')::boolean;
    v_session := cmbs_store.new_session(
        p_session_id, p_tenant, v_payload -> 'ontology', v_universe.universe_digest,
        v_universe.n_hypotheses, v_policy, p_policy_as_sent, (v_first ->> 'ts')::timestamptz,
        (v_payload -> 'universe_from')::text, false
    );
    if v_session.session_id is null then
        perform cmbs_store.refuse(
            'MB102',
            'A session with this id is here already.',
            json_build_object('session_id', p_session_id)::text,
            'Compare the heads of both logs.'
        );
    end if;
    perform cmbs_store.project_event(
        p_session_id, 1, v_first ->> 'actor', 'DECLARE_SESSION', v_payload
    );
    return v_session;
end
$$;
