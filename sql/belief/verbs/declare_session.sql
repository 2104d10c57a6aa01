-- cmbs.declare_session
--
-- Starts a session from a set of hypotheses (verb DECLARE_SESSION). The list may be left out when
-- the ontology names a registered space, or be that of an incident. It may name the policy pack
-- that decides what agents may do.
--
-- Promises   event 1 of the log; the same request under the same id again returns the same session.
-- Locks      the new session row; a second declare under the same id waits for the first.
-- Raises     MB004 SPACE_NOT_FOUND, MB007 POLICY_NOT_FOUND, MB013 INCIDENT_NOT_FOUND,
--            MB102 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.declare_session(
    p_session_id uuid,
    p_ontology json,
    p_hypotheses text[] default null,
    p_metadata json default null,
    p_policy json default null,
    p_notes text default null,
    p_minimal boolean default false,
    p_arbitration json default null,
    p_universe_from json default null,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'declare_session', '{agent, policy}'
    );
    v_universe_from text;
    v_gone text[];
    v_ontology jsonb;
    v_metadata text := cmbs_store.free_object('metadata', p_metadata);
    v_policy_as_sent text := cmbs_store.free_object('policy', p_policy);
    v_policy cmbs_store.policy_default;
    v_arbitration jsonb := cmbs_store.checked_packs(p_arbitration);
    -- Who sees every tenant may declare again what somebody declared.
    v_tenant text := coalesce((
        select s.tenant
        from cmbs_store.session as s
        where s.session_id = p_session_id and v_caller.tenant = '*'
    ), cmbs_store.own_tenant(v_caller));
    v_found jsonb;
    v_universe record;
    v_session cmbs_store.session;
    v_event_id uuid;
    v_duplicates text;
begin
    if p_universe_from is not null then
        select f.p_from, f.p_bundle, f.p_ids, f.p_gone
        into v_universe_from, p_ontology, p_hypotheses, v_gone
        from cmbs_store.declared_from_incident(
            v_tenant, p_universe_from, p_ontology, p_hypotheses
        ) as f;
    end if;
    v_ontology := cmbs_store.ontology_bundle(p_ontology);
    v_policy := cmbs_store.resolve_session_policy(v_tenant, v_policy_as_sent::jsonb);
    perform cmbs_store.check_envelope(p_session_id, null, p_notes);
    perform cmbs_store.check_forced_termination(v_caller, v_policy_as_sent::jsonb);
    v_found := cmbs_store.found_packs(p_session_id, v_tenant, v_arbitration, p_hypotheses);
    v_universe := cmbs_store.declared_universe(v_tenant, v_ontology, p_hypotheses);
    v_duplicates := cmbs_store.duplicates_member(p_hypotheses, v_universe.p_n_hypotheses);
    if v_universe.p_universe_digest is not null then
        v_session := cmbs_store.new_session(
            p_session_id, v_tenant, v_ontology, v_universe.p_universe_digest,
            v_universe.p_n_hypotheses, v_policy, v_policy_as_sent, cmbs_store.clock(),
            v_universe_from, cmbs_store.mirror_endpoint() is not null
        );
    end if;
    if v_session.session_id is null then
        v_session := cmbs_store.declared_session(
            p_session_id, v_caller.tenant, v_ontology, v_universe.p_universe_digest is not null
        );
        return cmbs_store.response(
            cmbs_store.recorded_declare(
                v_session, v_ontology, v_universe.p_universe_digest, v_metadata, v_policy_as_sent,
                v_arbitration, v_universe_from
            ) || v_duplicates,
            v_session, p_minimal
        );
    end if;
    v_session := cmbs_store.append_declare(v_session, v_caller.name, p_notes, v_metadata, v_found);
    v_event_id := v_session.audit_head_event_id;
    if v_gone <> '{}' then
        v_session := cmbs_store.eliminate_tombstoned(v_session, v_caller, v_gone);
    end if;
    return cmbs_store.response(
        format(
            '"session_id": "%s", "audit_event_id": "%s", "duplicate": false',
            p_session_id, v_event_id
        ) || v_duplicates,
        v_session, p_minimal
    );
end
$$;

grant execute on function cmbs.declare_session to cmbs_server, cmbs_agent, cmbs_policy;
