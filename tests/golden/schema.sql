-- PostgreSQL database dump

CREATE SCHEMA cmbs;

ALTER SCHEMA cmbs OWNER TO cmbs_owner;

CREATE SCHEMA cmbs_store;

ALTER SCHEMA cmbs_store OWNER TO cmbs_owner;

CREATE TABLE cmbs_store.policy_entry (
    policy_hash bytea NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    value_hash bytea NOT NULL,
    subject text COLLATE pg_catalog."C",
    effect text COLLATE pg_catalog."C",
    on_fail text COLLATE pg_catalog."C",
    condition jsonb,
    reads text[] COLLATE pg_catalog."C",
    schemas text[] COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    fault text COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.policy_entry OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.policy_entry IS 'reference: the entries of a policy; of constraints also what was read out of their text.';

CREATE TYPE cmbs_store.ground AS (
	tools jsonb,
	definitions jsonb,
	schemas jsonb,
	documents jsonb,
	entries cmbs_store.policy_entry[],
	world jsonb,
	reads jsonb
);

ALTER TYPE cmbs_store.ground OWNER TO cmbs_owner;

COMMENT ON TYPE cmbs_store.ground IS 'What a verdict rests on: tools, schemas, constraints, and the values that they read.';

CREATE TYPE cmbs_store.reason AS (
	item_no integer,
	stage text,
	code text,
	key text,
	disposition text,
	detail text
);

ALTER TYPE cmbs_store.reason OWNER TO cmbs_owner;

COMMENT ON TYPE cmbs_store.reason IS 'A check that failed: where, why, and what follows; item_no is null where all items are meant.';

CREATE FUNCTION cmbs.add_analyst(p_name text, p_verifier text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $_$
declare
    v_setting text;
    v_settings text[] := array[
        'default_transaction_read_only = on',
        'statement_timeout = ''15min''',
        'lock_timeout = ''10s''',
        'idle_in_transaction_session_timeout = ''5min''',
        'idle_session_timeout = ''8h'''
    ];
begin
    if coalesce(octet_length(p_name), 0) not between 1 and 63 then
        raise exception using
            errcode = 'invalid_name',
            message = 'The name of a login has 1 to 63 bytes.',
            detail = json_build_object('bytes', octet_length(p_name))::text;
    end if;
    if p_name ~ '^(pg_|cmbs_)' or p_name in ('api', 'public', 'none') then
        raise exception using
            errcode = 'reserved_name',
            message = 'This name is reserved.',
            detail = json_build_object('name', p_name)::text;
    end if;
    if p_verifier !~ '^SCRAM-SHA-256\$\d+:[A-Za-z0-9+/=]+\$[A-Za-z0-9+/=]+:[A-Za-z0-9+/=]+$' then
        raise exception using
            errcode = 'invalid_password',
            message = 'The password must come as a SCRAM-SHA-256 verifier.',
            detail = json_build_object('name', p_name)::text,
            hint = 'The command cmbs analyst add computes one, and so does \password of psql.';
    end if;
    if exists (select from pg_roles as r where r.rolname = p_name) then
        raise exception using
            errcode = 'duplicate_object',
            message = 'A role of this name is there already.',
            detail = json_build_object('name', p_name)::text;
    end if;
    execute format('create role %I login connection limit 4 in role cmbs_analyst', p_name)
        || coalesce(format(' password %L', p_verifier), '');
    if has_parameter_privilege(current_user, 'temp_file_limit', 'set') then
        v_settings := array_append(v_settings, 'temp_file_limit = ''20GB''');
    end if;
    foreach v_setting in array v_settings loop
        execute format('alter role %I set ', p_name) || v_setting;
    end loop;
end
$_$;

ALTER FUNCTION cmbs.add_analyst(p_name text, p_verifier text) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs.add_analyst(p_name text, p_verifier text) IS 'Make a login for an analyst: views, verify, nothing else. For administrators.';

CREATE FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'audit_event', null);
begin
    perform cmbs_store.read_session(p_session_id, v_caller.tenant);
    if p_event_id is null then
        perform cmbs_store.refuse_request('event_id', 'must be a uuid');
    end if;
    return cmbs_store.event_json(cmbs_store.read_event(p_session_id, p_event_id))::json;
end
$$;

ALTER FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea) IS 'One event of the log of a session. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs.audit_identities(p_since_seq bigint DEFAULT 0, p_limit integer DEFAULT 500, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'audit_identities', '{admin, auditor}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_since bigint := coalesce(p_since_seq, 0);
    v_limit integer := coalesce(p_limit, 500);
    v_events text[];
    v_seqs bigint[];
begin
    perform cmbs_store.check_limit(v_limit, 500);
    select
        array_agg(
            format(
                '{"event_hash": "%s", "record": %s}',
                encode(l.event_hash, 'hex'), to_json(l.record)
            )
            order by l.seq
        ),
        array_agg(l.seq order by l.seq)
    into v_events, v_seqs
    from (
        select e.seq, e.event_hash, e.record
        from cmbs_store.identity_event as e
        where e.tenant = v_tenant and e.seq > v_since
        order by e.seq
        limit v_limit + 1
    ) as l;
    return format(
        '{"events": [%s], "next_since_seq": %s}',
        array_to_string(v_events[1:v_limit], ', '),
        case
            when cardinality(v_events) > v_limit then v_seqs[v_limit]::text
            else 'null'
        end
    )::json;
end
$$;

ALTER FUNCTION cmbs.audit_identities(p_since_seq bigint, p_limit integer, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.audit_identities(p_since_seq bigint, p_limit integer, p_tenant text, p_credential bytea) IS 'The log of identities of a tenant, a page at a time. Raises MB201, MB302.';

CREATE FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid DEFAULT NULL::uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS SETOF text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'audit_lines', null);
    v_since bigint;
begin
    v_since := cmbs_store.trace_start(
        p_session_id, v_caller.tenant, p_since_event_id, p_limit
    );
    return query
    select format(
        '{"event_hash": "%s", "record": %s%s}',
        encode(e.event_hash, 'hex'),
        to_json(e.record),
        case when e.seq = 1 then ', "hypotheses": ' || (
            select cmbs_store.universe_ids(s.universe_digest)
            from cmbs_store.session as s
            where s.session_id = p_session_id
        ) end
    )
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id and e.seq > v_since
    order by e.seq
    limit p_limit;
end
$$;

ALTER FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) IS 'The log of a session as NDJSON lines. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid DEFAULT NULL::uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'audit_trace', null);
    v_since bigint;
    v_events text;
    v_last uuid;
begin
    v_since := cmbs_store.trace_start(
        p_session_id, v_caller.tenant, p_since_event_id, p_limit
    );
    select string_agg(cmbs_store.event_json(e.event), ', ' order by (e.event).seq)
    into v_events
    from (
        select a as event
        from cmbs_store.audit_event as a
        where a.session_id = p_session_id and a.seq > v_since
        order by a.seq
        limit p_limit
    ) as e;
    select a.event_id
    into v_last
    from cmbs_store.audit_event as a
    where a.session_id = p_session_id
        and a.seq = v_since + p_limit
        and exists (
            select
            from cmbs_store.audit_event as n
            where n.session_id = p_session_id and n.seq > a.seq
        );
    return format(
        '{"events": [%s], "next_since_event_id": %s}',
        v_events, coalesce('"' || v_last || '"', 'null')
    )::json;
end
$$;

ALTER FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) IS 'The log of a session, in order. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs.begin_execution(p_session_id uuid, p_permit_id uuid, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'begin_execution', '{agent, encoder, tool}'
    );
    v_session cmbs_store.session;
    v_permit cmbs_store.permit;
    v_origin jsonb;
    v_payload jsonb;
    v_verdict record;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_permit := cmbs_store.permit_of(v_session, p_permit_id);
    perform cmbs_store.check_executor(v_caller, v_permit);
    v_outcome := cmbs_store.recorded_message(
        p_session_id, p_request_id, 'BEGIN_EXECUTION',
        jsonb_build_object('permit_id', p_permit_id)
    );
    v_origin := cmbs_store.event_payload(p_session_id, v_permit.seq);
    if v_outcome is not null then
        perform cmbs_store.check_beginner(v_session, v_caller, v_permit);
        return cmbs_store.response(
            cmbs_store.begun_outcome(v_permit, v_origin) || ', ' || v_outcome, v_session, p_minimal
        );
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    if (
        select cmbs_store.is_of_this_transaction(p.xmin)
        from cmbs_store.permit as p
        where p.session_id = p_session_id and p.permit_id = p_permit_id
    ) then
        perform cmbs_store.refuse_execution(
            'PERMIT_SAME_TRANSACTION', jsonb_build_object('permit_id', p_permit_id)
        );
    end if;
    v_payload := cmbs_store.given_for(v_session, v_permit.actor, v_origin -> 'roles');
    v_verdict := cmbs_store.begin_verdict(v_session, v_permit, v_origin, v_payload, null);
    if v_verdict.p_code is not null then
        perform cmbs_store.refuse_execution(v_verdict.p_code, v_verdict.p_detail);
    end if;
    v_payload := cmbs_store.with_request_id(v_payload, p_request_id)
        || jsonb_build_object('permit_id', p_permit_id) || v_verdict.p_basis;
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'BEGIN_EXECUTION', v_caller.name,
        null, null, p_request_id, p_notes, v_payload::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session_id, v_session.audit_seq, v_caller.name, 'BEGIN_EXECUTION', v_payload
    );
    v_outcome := cmbs_store.outcome(v_payload, v_session.audit_head_event_id, false);
    return cmbs_store.response(
        cmbs_store.begun_outcome(v_permit, v_origin) || ', ' || v_outcome, v_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.begin_execution(p_session_id uuid, p_permit_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.begin_execution(p_session_id uuid, p_permit_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Begin the execution of a permit, once. Raises MB001, MB011, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.change_principal(p_name text, p_roles text[] DEFAULT NULL::text[], p_source_prefixes text[] DEFAULT NULL::text[], p_is_enabled boolean DEFAULT NULL::boolean, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'change_principal', '{admin}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_found cmbs_store.principal;
    v_principal cmbs_store.principal;
begin
    perform cmbs_store.check_rights(p_roles, p_source_prefixes);
    perform cmbs_store.lock_identities(v_tenant);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'change_principal', '{admin}');
    v_found := cmbs_store.find_principal(p_name, v_tenant);
    v_principal := v_found;
    v_principal.roles := coalesce(cmbs_store.sorted_set(p_roles), v_found.roles);
    v_principal.source_prefixes := coalesce(
        cmbs_store.sorted_set(p_source_prefixes), v_found.source_prefixes
    );
    v_principal.is_enabled := coalesce(p_is_enabled, v_found.is_enabled);
    if v_principal is distinct from v_found then
        perform cmbs_store.append_identity(
            v_tenant, 'CHANGE_PRINCIPAL', v_caller.name,
            cmbs_store.principal_json(v_principal)
            - array['tenant', 'created_at', 'kind', 'is_login']
        );
        update cmbs_store.principal as p
        set
            roles = v_principal.roles,
            source_prefixes = v_principal.source_prefixes,
            is_enabled = v_principal.is_enabled
        where p.name = p_name and p.tenant = v_tenant;
    end if;
    return cmbs_store.principal_json(v_principal)
        || jsonb_build_object('duplicate', v_principal is not distinct from v_found);
end
$$;

ALTER FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) IS 'Change what a principal may, for administrators. Raises MB005, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.claim_confirm(p_session_id uuid, p_key text, p_value_digest text, p_comment text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $_$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'claim_confirm', '{approver}'
    );
    v_session cmbs_store.session;
    v_content jsonb;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('key', p_key);
    if coalesce(p_value_digest, '') !~ '^[0-9a-f]{64}$' then
        perform cmbs_store.refuse_request(
            'value_digest', 'must be the sha-256 of the value in lower-case hexadecimal'
        );
    elsif octet_length(p_comment) > 4096 then
        perform cmbs_store.refuse_size('comment', '4 KiB');
    end if;
    v_content := jsonb_build_object('key', p_key, 'value_digest', p_value_digest);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_message(
        p_session_id, p_request_id, 'CONFIRM_CLAIM', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    v_content := cmbs_store.with_request_id(v_content, p_request_id)
        || jsonb_build_object('comment', coalesce(p_comment, ''));
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'CONFIRM_CLAIM', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session_id, v_session.audit_seq, v_caller.name, 'CONFIRM_CLAIM', v_content
    );
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$_$;

ALTER FUNCTION cmbs.claim_confirm(p_session_id uuid, p_key text, p_value_digest text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.claim_confirm(p_session_id uuid, p_key text, p_value_digest text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Confirm what is claimed of a key: a value, by its digest; approvers only. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.claim_promote(p_session_id uuid, p_claim_id uuid, p_evidence json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'claim_promote', '{agent, encoder, tool}'
    );
    v_sent jsonb := cmbs_store.free_object('evidence', coalesce(p_evidence, '{}'))::jsonb;
    v_session cmbs_store.session;
    v_old cmbs_store.claim;
    v_claim jsonb;
    v_answer json;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_members(
        'evidence', v_sent,
        '{source_chunk_ids, confirmed_by_event_id, confidence, kind, ttl_ms, review_at}'
    );
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    select c.*
    into v_old
    from cmbs_store.claim as c
    where c.session_id = p_session_id and c.claim_id = p_claim_id;
    if not found then
        perform cmbs_store.refuse_lookup('claim', json_build_object('claim_id', p_claim_id));
    end if;
    v_claim := cmbs_store.checked_claim((
        jsonb_build_object(
            'kind', 'fact', 'confidence', v_old.confidence,
            'source_chunk_ids', v_old.source_chunk_ids
        ) || jsonb_strip_nulls(v_sent) || jsonb_build_object(
            'key', v_old.key, 'value', v_old.value, 'conflict_state', v_old.conflict_state
        )
    )::json);
    v_answer := cmbs_store.recorded_claim(
        v_session, p_request_id,
        jsonb_build_object('claim', v_claim, 'promotes', p_claim_id), p_minimal
    );
    if v_answer is not null then
        return v_answer;
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    return cmbs_store.record_claim(
        v_session, v_caller, v_claim, p_claim_id, p_request_id, p_notes, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.claim_promote(p_session_id uuid, p_claim_id uuid, p_evidence json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.claim_promote(p_session_id uuid, p_claim_id uuid, p_evidence json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Promote a claim to a fact by evidence that it did not have. Raises MB001, MB010, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.claim_record(p_session_id uuid, p_claim json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'claim_record', '{agent, encoder, tool}'
    );
    v_claim jsonb := cmbs_store.checked_claim(p_claim);
    v_session cmbs_store.session;
    v_answer json;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_answer := cmbs_store.recorded_claim(
        v_session, p_request_id,
        jsonb_build_object('claim', v_claim, 'promotes', null), p_minimal
    );
    if v_answer is not null then
        return v_answer;
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    return cmbs_store.record_claim(
        v_session, v_caller, v_claim, null, p_request_id, p_notes, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.claim_record(p_session_id uuid, p_claim json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.claim_record(p_session_id uuid, p_claim json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Record a claim with the evidence for it; policy decides. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.complete_execution(p_session_id uuid, p_permit_id uuid, p_outcome text, p_result json DEFAULT NULL::json, p_usage json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'complete_execution', '{agent, encoder, tool}'
    );
    v_content jsonb := cmbs_store.checked_completion(p_permit_id, p_outcome, p_result, p_usage);
    v_session cmbs_store.session;
    v_open cmbs_store.session;
    v_permit cmbs_store.permit;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_permit := cmbs_store.permit_of(v_session, p_permit_id);
    perform cmbs_store.recorded_message(
        p_session_id, p_request_id, 'COMPLETE_EXECUTION', v_content
    );
    perform cmbs_store.check_beginner(v_session, v_caller, v_permit);
    perform cmbs_store.check_units(v_session, v_permit, v_content -> 'usage');
    v_outcome := cmbs_store.recorded_completion(v_session, v_permit, v_content);
    if v_outcome is null then
        v_open := v_session;
        v_open.is_terminated := false;
        perform cmbs_store.check_open(v_open, p_expected_head);
        v_content := cmbs_store.with_request_id(v_content, p_request_id);
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'COMPLETE_EXECUTION', v_caller.name,
            null, null, p_request_id, p_notes, v_content::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'COMPLETE_EXECUTION', v_content
        );
        v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    end if;
    return cmbs_store.response(
        format(
            '"permit_id": "%s", "status": %s, "result_hash": %s, %s',
            p_permit_id, v_content -> 'status', v_content -> 'result_hash', v_outcome
        ),
        v_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.complete_execution(p_session_id uuid, p_permit_id uuid, p_outcome text, p_result json, p_usage json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.complete_execution(p_session_id uuid, p_permit_id uuid, p_outcome text, p_result json, p_usage json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Record how the execution of a permit ended. Raises MB001, MB011, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.context_eliminated(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'context_eliminated', null);
    v_context cmbs_store.context;
begin
    v_context := cmbs_store.read_context(p_context_id, v_caller.tenant);
    return json_build_object('eliminated', cmbs_store.context_gone_ids(v_context));
end
$$;

ALTER FUNCTION cmbs.context_eliminated(p_context_id text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.context_eliminated(p_context_id text, p_credential bytea) IS 'The hypotheses of an elimination context that are gone. Raises MB001, MB201.';

CREATE FUNCTION cmbs.context_survivors(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'context_survivors', null);
    v_context cmbs_store.context;
begin
    v_context := cmbs_store.read_context(p_context_id, v_caller.tenant);
    return json_build_object('survivors', cmbs_store.ids_without(
        cmbs_store.context_hypothesis_ids(v_context), cmbs_store.context_gone_ids(v_context)
    ));
end
$$;

ALTER FUNCTION cmbs.context_survivors(p_context_id text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.context_survivors(p_context_id text, p_credential bytea) IS 'The hypotheses of an elimination context that survive. Raises MB001, MB201.';

CREATE FUNCTION cmbs.create_context(p_context_id text, p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'create_context', '{agent}'
    );
    v_asked bytea;
    v_digest bytea;
    v_created boolean;
    v_n_hypotheses integer;
begin
    perform cmbs_store.check_context_id('context_id', p_context_id);
    v_asked := cmbs_store.ensure_context_universe(p_hypotheses);
    -- Another tenant's is looked for first: the insert would wait for whoever changes it.
    insert into cmbs_store.context (context_id, tenant, created_at, universe_digest, n_events)
    select p_context_id, cmbs_store.home(v_caller), cmbs_store.clock(), v_asked, 0
    where not exists (
        select
        from cmbs_store.context as c
        where c.context_id = p_context_id and c.tenant <> cmbs_store.home(v_caller)
    )
    on conflict (context_id) do nothing;
    v_created := found;
    select c.universe_digest, u.n_hypotheses
    into v_digest, v_n_hypotheses
    from cmbs_store.context as c
    inner join cmbs_store.context_universe as u on u.universe_digest = c.universe_digest
    where c.context_id = p_context_id
        and (c.tenant = v_caller.tenant or v_caller.tenant = '*');
    if not found then
        raise exception using
            errcode = 'MB102',
            message = 'This id of an elimination context is taken.',
            detail = json_build_object('context_id', p_context_id)::text,
            hint = 'Choose another id.';
    elsif v_digest <> v_asked then
        raise exception using
            errcode = 'MB102',
            message = 'This elimination context began with other hypotheses.',
            detail = json_build_object(
                'context_id', p_context_id,
                'n_hypotheses', v_n_hypotheses,
                'universe_digest', encode(v_digest, 'hex')
            )::text,
            hint = 'Choose another id, or send the hypotheses that it began with.';
    end if;
    return json_build_object(
        'context_id', p_context_id,
        'n_hypotheses', v_n_hypotheses,
        'universe_digest', encode(v_digest, 'hex'),
        'duplicate', not v_created
    );
end
$$;

ALTER FUNCTION cmbs.create_context(p_context_id text, p_hypotheses text[], p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.create_context(p_context_id text, p_hypotheses text[], p_credential bytea) IS 'Begin an elimination context over a set of hypotheses. Raises MB102, MB201, MB203.';

CREATE FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[] DEFAULT '{}'::text[], p_tenant text DEFAULT NULL::text, p_is_login boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'create_principal', '{admin}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_principal cmbs_store.principal;
    v_found cmbs_store.principal;
begin
    if coalesce(p_kind, '') not in ('agent', 'encoder', 'tool', 'human', 'service') then
        perform cmbs_store.refuse_request(
            'kind', 'must be agent, encoder, tool, human or service'
        );
    end if;
    perform cmbs_store.check_label('name', p_name);
    perform cmbs_store.check_rights(coalesce(p_roles, '{}'), p_source_prefixes);
    if p_is_login and v_caller.tenant <> '*' then
        perform cmbs_store.refuse_caller('only who sees every tenant makes principals of logins');
    end if;
    v_principal.name := p_name;
    v_principal.tenant := v_tenant;
    v_principal.kind := p_kind;
    v_principal.is_login := coalesce(p_is_login, false);
    v_principal.roles := cmbs_store.sorted_set(p_roles);
    v_principal.source_prefixes := cmbs_store.sorted_set(coalesce(p_source_prefixes, '{}'));
    v_principal.is_enabled := true;
    perform cmbs_store.lock_identities('*');
    perform cmbs_store.lock_identities(v_tenant);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'create_principal', '{admin}');
    select p.*
    into v_found
    from cmbs_store.principal as p
    where p.name = p_name and p.tenant = v_tenant;
    v_principal.created_at := v_found.created_at;
    if v_found is distinct from v_principal then
        if v_found.name is not null then
            perform cmbs_store.refuse_name(p_name, 'another principal has it');
        end if;
        perform cmbs_store.check_name(v_caller, p_name, v_tenant, v_principal.is_login);
        v_principal.created_at := cmbs_store.append_identity(
            v_tenant, 'CREATE_PRINCIPAL', v_caller.name,
            cmbs_store.principal_json(v_principal) - array['tenant', 'created_at', 'is_enabled']
        );
        insert into cmbs_store.principal (
            name, tenant, kind, is_login, created_at, roles, source_prefixes, is_enabled
        )
        values (
            p_name, v_tenant, p_kind, v_principal.is_login, v_principal.created_at,
            v_principal.roles, v_principal.source_prefixes, true
        );
    end if;
    return cmbs_store.principal_json(v_principal)
        || jsonb_build_object('duplicate', v_found.name is not null);
end
$$;

ALTER FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[], p_tenant text, p_is_login boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[], p_tenant text, p_is_login boolean, p_credential bytea) IS 'Make a principal, for administrators. Raises MB102, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[] DEFAULT NULL::text[], p_scope_tenant text DEFAULT NULL::text, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'create_token', '{admin}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_principal cmbs_store.principal;
begin
    p_expires_at := coalesce(p_expires_at, cmbs_store.clock() + interval '90 days');
    perform cmbs_store.check_token(p_digest, p_prefix, p_verbs, p_expires_at);
    perform cmbs_store.check_scope(p_credential, p_verbs);
    perform cmbs_store.lock_identities(v_tenant);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'create_token', '{admin}');
    v_principal := cmbs_store.find_principal(p_name, v_tenant);
    if v_principal.is_login then
        perform cmbs_store.refuse_request('name', 'is a login of PostgreSQL, which has no tokens');
    end if;
    if p_scope_tenant is not null then
        perform cmbs_store.check_label('scope_tenant', p_scope_tenant);
        if v_tenant not in ('*', p_scope_tenant) or p_scope_tenant = '*' then
            perform cmbs_store.refuse_request(
                'scope_tenant', 'must be one that the principal may act for'
            );
        end if;
    end if;
    return cmbs_store.token_json(
        cmbs_store.new_token(
            v_caller, v_principal, p_digest, p_prefix, p_verbs, p_scope_tenant, p_expires_at, null
        )
    );
end
$$;

ALTER FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_tenant text, p_credential bytea) IS 'Make a token of a principal known, for administrators. Raises MB005, MB102, MB201, MB302.';

CREATE FUNCTION cmbs.declare_conclusion(p_session_id uuid, p_conclusion_id text, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'declare_conclusion', '{agent}'
    );
    v_context text := coalesce(cmbs_store.free_object('context', p_context), '{}');
    v_content jsonb;
    v_session cmbs_store.session;
    v_accepted boolean;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('conclusion_id', p_conclusion_id);
    v_content := jsonb_build_object('conclusion_id', p_conclusion_id);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_message(
        p_session_id, p_request_id, 'DECLARE_CONCLUSION', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);

    v_accepted := v_session.obligation_id is null;
    v_content := cmbs_store.with_request_id(v_content, p_request_id) || jsonb_build_object(
        'context', v_context::jsonb,
        'accepted', v_accepted,
        'reason',
        case when v_accepted then 'accepted' else 'active obligation blocks conclusion' end
    );
    if v_accepted then
        v_session.conclusion_run := case
            when v_session.conclusion_id = p_conclusion_id then v_session.conclusion_run + 1
            else 1
        end;
        v_session.conclusion_id := p_conclusion_id;
    end if;
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'DECLARE_CONCLUSION', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    insert into cmbs_store.conclusion (session_id, seq, conclusion_id, is_accepted)
    values (p_session_id, v_session.audit_seq, p_conclusion_id, v_accepted);
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

ALTER FUNCTION cmbs.declare_conclusion(p_session_id uuid, p_conclusion_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.declare_conclusion(p_session_id uuid, p_conclusion_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Declare a conclusion; accepted iff no obligation is active. Raises MB001, MB101, MB102, MB103, MB201, MB203.';

CREATE FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[] DEFAULT NULL::text[], p_metadata json DEFAULT NULL::json, p_policy json DEFAULT NULL::json, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_arbitration json DEFAULT NULL::json, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'declare_session', '{agent, policy}'
    );
    v_ontology jsonb := cmbs_store.ontology_bundle(p_ontology);
    v_metadata text := cmbs_store.free_object('metadata', p_metadata);
    v_policy_as_sent text := cmbs_store.free_object('policy', p_policy);
    v_policy cmbs_store.policy_default;
    v_arbitration jsonb := cmbs_store.checked_arbitration(p_arbitration);
    v_tenant text := cmbs_store.home(v_caller);
    v_universe record;
    v_session cmbs_store.session;
begin
    if v_caller.tenant = '*' then
        -- A repeat is for the session that is there, whosever it is.
        select coalesce(max(s.tenant), v_tenant)
        into v_tenant
        from cmbs_store.session as s
        where s.session_id = p_session_id;
    end if;
    v_policy := cmbs_store.resolve_policy(v_tenant, v_policy_as_sent::jsonb);
    perform cmbs_store.check_envelope(p_session_id, null, p_notes);
    perform cmbs_store.check_force(v_caller, v_policy_as_sent::jsonb);
    v_universe := cmbs_store.declared_universe(v_tenant, v_ontology, p_hypotheses);
    if v_universe.p_universe_digest is not null then
        v_session := cmbs_store.new_session(
            p_session_id, v_tenant, v_ontology, v_universe.p_universe_digest,
            v_universe.p_n_hypotheses, v_policy, v_policy_as_sent, cmbs_store.clock()
        );
    else
        -- With the lock of a writer, so that a read-only standby says that it is one.
        perform
        from cmbs_store.session as s
        where s.session_id = p_session_id
            and (s.tenant = v_caller.tenant or v_caller.tenant = '*')
        for no key update;
        if not found then
            perform cmbs_store.refuse_space(
                v_ontology ->> 'hypothesis_space_id', v_ontology ->> 'hypothesis_version'
            );
        end if;
    end if;
    if v_session.session_id is null then
        v_session := cmbs_store.declared_session(p_session_id, v_caller.tenant);
        return cmbs_store.response(
            cmbs_store.recorded_declare(
                v_session, v_ontology, v_universe.p_universe_digest, v_metadata, v_policy_as_sent,
                v_arbitration
            ),
            v_session, p_minimal
        );
    end if;
    v_session := cmbs_store.append_declare(
        v_session, v_caller.name, p_notes, v_metadata, v_arbitration
    );
    return cmbs_store.response(
        format(
            '"session_id": "%s", "audit_event_id": "%s", "duplicate": false',
            p_session_id, v_session.audit_head_event_id
        ),
        v_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_arbitration json, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_arbitration json, p_credential bytea) IS 'Start a session from a set of hypotheses. Raises MB004, MB007, MB102, MB201, MB203.';

CREATE FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'diff', null);
    v_limit integer;
    v_session cmbs_store.session;
    v_from cmbs_store.session;
    v_to cmbs_store.session;
    v_verbs jsonb;
begin
    v_limit := cmbs_store.page_limit(p_limit);
    if p_from_event_id is null or p_to_event_id is null then
        perform cmbs_store.refuse_request(
            case when p_from_event_id is null then 'from_event_id' else 'to_event_id' end,
            'must be the id of an event'
        );
    end if;
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_from := cmbs_store.session_as_of(v_session, p_from_event_id);
    v_to := cmbs_store.session_as_of(v_session, p_to_event_id);
    if v_from.audit_seq > v_to.audit_seq then
        v_session := v_from;
        v_from := v_to;
        v_to := v_session;
    end if;
    select coalesce(jsonb_object_agg(g.verb, g.n), '{}')
    into v_verbs
    from (
        select e.verb, count(*) as n
        from cmbs_store.audit_event as e
        where e.session_id = p_session_id
            and e.seq > v_from.audit_seq
            and e.seq <= v_to.audit_seq
        group by e.verb
    ) as g;
    return format(
        '{"session_id": "%s", "from": %s, "to": %s, "n_events": %s, "verbs": %s, '
        '"n_eliminated": %s, "eliminated": [%s], "n_gates": %s, "gates": [%s]}',
        p_session_id,
        cmbs_store.standing_at(v_from),
        cmbs_store.standing_at(v_to),
        v_to.audit_seq - v_from.audit_seq,
        v_verbs,
        v_from.n_survivors - v_to.n_survivors,
        cmbs_store.eliminated_between(p_session_id, v_from.audit_seq, v_to.audit_seq, v_limit),
        v_to.audit_seq - v_from.audit_seq - coalesce((v_verbs -> 'ELIMINATE')::bigint, 0),
        cmbs_store.gates_between(p_session_id, v_from.audit_seq, v_to.audit_seq, v_limit)
    )::json;
end
$$;

ALTER FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer, p_credential bytea) IS 'What changed in a session from one event to another. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs.eliminate(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_justification json DEFAULT NULL::json, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'eliminate', '{agent, encoder, tool}'
    );
    v_justification text := '{}';
begin
    if p_justification is not null then
        v_justification := cmbs_store.free_object('justification', p_justification);
    end if;
    if cmbs_store.is_plain_elimination(
        p_session_id, p_source_id, p_observation_id, p_eliminated, p_notes
    ) is not true then
        perform cmbs_store.check_envelope(p_session_id, null, p_notes);
        perform cmbs_store.check_elimination(p_source_id, p_observation_id, p_eliminated);
    end if;
    if v_caller.source_prefixes is not null then
        perform cmbs_store.check_source(v_caller, p_source_id);
    end if;
    return cmbs_store.eliminate_message(
        p_session_id, v_caller, p_source_id, p_observation_id, p_eliminated,
        v_justification, p_expected_head, p_notes, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.eliminate(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_justification json, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.eliminate(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_justification json, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Eliminate hypotheses on the word of one observation. Raises MB001, MB101, MB102, MB103, MB201, MB202, MB203.';

CREATE FUNCTION cmbs.eliminate_batch(p_session_id uuid, p_messages json, p_expected_head uuid DEFAULT NULL::uuid, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'eliminate_batch', '{agent, encoder, tool}'
    );
    v_batch jsonb := cmbs_store.checked_batch(p_session_id, p_messages);
    v_session cmbs_store.session;
    v_firsts integer[];
    v_ids record;
    v_outcomes record;
    v_is_duplicate boolean := true;
    v_head json;
begin
    if v_caller.source_prefixes is not null then
        perform cmbs_store.check_batch_sources(v_caller, v_batch);
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_firsts := cmbs_store.batch_firsts(p_session_id, v_batch);
    v_ids := cmbs_store.batch_ids(v_session.universe_digest, v_batch, v_firsts);
    v_outcomes := cmbs_store.batch_outcomes(
        v_session, p_expected_head, v_batch, v_firsts,
        v_ids.p_numbers, v_ids.p_ids, v_ids.p_ranks,
        case when v_ids.p_ids is not null then cmbs_store.whole_mask(v_session) end
    );
    if v_outcomes.p_event_ids is not null then
        v_session := cmbs_store.append_events(
            v_session, v_caller.name, v_batch,
            v_outcomes.p_event_ids, v_outcomes.p_applied, v_outcomes.p_hashes
        );
        v_session.n_survivors := v_session.n_survivors
            - cardinality(array_remove(v_outcomes.p_seqs, null));
        perform cmbs_store.save_batch(
            v_session, v_outcomes.p_mask, v_ids.p_ids, v_ids.p_ranks, v_outcomes.p_seqs
        );
        v_is_duplicate := false;
    end if;
    v_head := format('{%s}', v_outcomes.p_answers[cardinality(v_firsts)])::json;
    return cmbs_store.response(
        format(
            '"results": [{%s}], "audit_event_id": "%s", "duplicate": %s',
            array_to_string(v_outcomes.p_answers, '}, {'), v_head ->> 'audit_event_id',
            v_is_duplicate::text
        ),
        v_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.eliminate_batch(p_session_id uuid, p_messages json, p_expected_head uuid, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.eliminate_batch(p_session_id uuid, p_messages json, p_expected_head uuid, p_minimal boolean, p_credential bytea) IS 'Eliminate on the word of many observations, all or nothing. Raises MB001, MB101, MB102, MB103, MB201, MB202, MB203.';

CREATE FUNCTION cmbs.eliminate_in_context(p_context_id text, p_eliminated text[], p_source_id text, p_trigger text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'eliminate_in_context', '{agent, encoder, tool}'
    );
    v_context cmbs_store.context;
    v_applied text[];
begin
    perform cmbs_store.check_context_id('context_id', p_context_id);
    perform cmbs_store.check_context_ids('eliminated', p_eliminated);
    perform cmbs_store.check_context_id('source_id', p_source_id);
    perform cmbs_store.check_context_id('trigger', p_trigger);
    perform cmbs_store.check_source(v_caller, p_source_id);
    select c.*
    into v_context
    from cmbs_store.context as c
    where c.context_id = p_context_id
        and (c.tenant = v_caller.tenant or v_caller.tenant = '*')
    for no key update;
    if not found then
        perform cmbs_store.refuse_context(p_context_id);
    end if;
    -- Scalar subqueries are probes of a key, one per id; a join might be planned as a scan of all
    -- hypotheses of the context.
    v_applied := array(
        select distinct i.id collate "C"
        from unnest(p_eliminated) as i (id)
        where (
            select true
            from cmbs_store.context_hypothesis as h
            where h.universe_digest = v_context.universe_digest and h.hypothesis_id = i.id
        ) and (
            select true
            from cmbs_store.context_tombstone as t
            where t.context_id = p_context_id and t.hypothesis_id = i.id
        ) is null
        order by 1
    );
    if cardinality(v_applied) > 0 then
        update cmbs_store.context as c
        set n_events = v_context.n_events + 1
        where c.context_id = p_context_id;
        insert into cmbs_store.context_event (
            context_id, event_no, eliminated_at, source_id, trigger
        )
        values (
            p_context_id, v_context.n_events + 1, cmbs_store.clock(), p_source_id, p_trigger
        );
        insert into cmbs_store.context_tombstone (context_id, hypothesis_id, event_no)
        select p_context_id, a.id, v_context.n_events + 1
        from unnest(v_applied) as a (id);
    end if;
    return json_build_object(
        'applied', v_applied,
        'already_eliminated', cmbs_store.ids_without(p_eliminated, v_applied)
    );
end
$$;

ALTER FUNCTION cmbs.eliminate_in_context(p_context_id text, p_eliminated text[], p_source_id text, p_trigger text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.eliminate_in_context(p_context_id text, p_eliminated text[], p_source_id text, p_trigger text, p_credential bytea) IS 'Eliminate hypotheses of an elimination context. Raises MB001, MB201, MB203.';

CREATE FUNCTION cmbs.enter_obligation(p_session_id uuid, p_obligation_id text, p_min_total_eliminations bigint, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'enter_obligation', '{agent}'
    );
    v_content jsonb;
    v_session cmbs_store.session;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('obligation_id', p_obligation_id);
    if p_min_total_eliminations is null or p_min_total_eliminations < 0 then
        perform cmbs_store.refuse_request(
            'min_total_eliminations', 'must be a whole number of at least 0'
        );
    end if;
    v_content := jsonb_build_object(
        'obligation_id', p_obligation_id, 'min_total_eliminations', p_min_total_eliminations
    );
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_message(
        p_session_id, p_request_id, 'ENTER_OBLIGATION', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    if v_session.obligation_id is not null then
        raise exception using
            errcode = 'MB102',
            message = 'An obligation is active already.',
            detail = json_build_object('active_obligation_id', v_session.obligation_id)::text,
            hint = 'Exit the active obligation first; one is active at a time.';
    end if;

    v_session.obligation_seq := v_session.audit_seq + 1;
    v_session.obligation_id := p_obligation_id;
    v_session.obligation_minimum := p_min_total_eliminations;
    v_session.obligation_survivors := v_session.n_survivors;
    v_content := cmbs_store.with_request_id(v_content, p_request_id);
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'ENTER_OBLIGATION', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    insert into cmbs_store.obligation (
        session_id, entered_seq, obligation_id, min_total_eliminations, survivors_at_entry
    )
    values (
        p_session_id, v_session.audit_seq, p_obligation_id, p_min_total_eliminations,
        v_session.n_survivors
    );
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

ALTER FUNCTION cmbs.enter_obligation(p_session_id uuid, p_obligation_id text, p_min_total_eliminations bigint, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.enter_obligation(p_session_id uuid, p_obligation_id text, p_min_total_eliminations bigint, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Enter an obligation; one is active at a time. Raises MB001, MB101, MB102, MB103, MB201, MB203.';

CREATE FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'explain', null);
    v_limit integer;
    v_session cmbs_store.session;
    v_why record;
    v_hypothesis text;
    v_only bigint;
begin
    v_limit := cmbs_store.page_limit(p_limit);
    if p_hypothesis_id is not null then
        perform cmbs_store.check_id('hypothesis_id', p_hypothesis_id);
    end if;
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    if p_hypothesis_id is not null then
        v_why := cmbs_store.why_gone(v_session, p_hypothesis_id);
        v_hypothesis := v_why.p_answer;
        -- No event has this number: nothing eliminated a survivor.
        v_only := coalesce(v_why.p_seq, 0);
    end if;
    return format(
        '{"hypothesis": %s, "eliminations": %s, "obligation": %s, "conclusion": %s, '
        '"termination": %s, "snapshot": %s}',
        coalesce(v_hypothesis, 'null'),
        cmbs_store.eliminations(p_session_id, v_only, v_limit),
        coalesce(cmbs_store.obligation_left(v_session), 'null'),
        cmbs_store.conclusion_left(v_session),
        cmbs_store.termination_left(v_session),
        cmbs_store.snapshot(v_session, true)
    )::json;
end
$$;

ALTER FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text, p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text, p_limit integer, p_credential bytea) IS 'Where a session stands and how it came there. Raises MB001, MB201, MB202.';

CREATE FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'explain_decision', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_event cmbs_store.audit_event := cmbs_store.read_event(p_session_id, p_proposal_id);
    v_payload jsonb := v_event.record::jsonb -> 'payload';
begin
    if v_event.verb <> 'PROPOSE' then
        perform cmbs_store.refuse_request('proposal_id', 'must be the id of a proposal');
    end if;
    return jsonb_build_object(
        'proposal_id', v_event.event_id,
        'seq', v_event.seq,
        'ts', cmbs_store.timestamp_v1(v_event.recorded_at),
        'actor', v_event.actor,
        'decision', v_payload -> 'decision',
        'disposition', v_payload -> 'disposition',
        'reason_code', v_payload -> 'reason_code',
        'reasons', v_payload -> 'reasons',
        'policy', v_payload -> 'policy',
        'reads', v_payload -> 'reads',
        'proposal', (v_payload -> 'proposal') - 'items',
        'items', cmbs_store.explained_items(
            cmbs_store.session_before(v_session, v_event.seq), v_event.actor, v_payload
        )
    );
end
$$;

ALTER FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea) IS 'Why a proposal was decided as it was: every constraint, clause and value. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs.identify(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'identify', null);
    v_token cmbs_store.api_token;
    v_now timestamptz := cmbs_store.clock();
begin
    select t.*
    into v_token
    from cmbs_store.api_token as t
    where t.credential_hash = sha256(p_credential);
    if found and current_setting('transaction_read_only') = 'off' and not exists (
        select
        from cmbs_store.api_token_use as u
        where u.token_id = v_token.token_id and u.used_at > v_now - interval '1 hour'
    ) then
        insert into cmbs_store.api_token_use (token_id, used_at)
        values (v_token.token_id, v_now)
        on conflict (token_id) do update
        set used_at = excluded.used_at;
    end if;
    return json_build_object(
        'name', v_caller.name,
        'tenant', v_caller.tenant,
        'kind', v_caller.kind,
        'roles', v_caller.roles,
        'source_prefixes', v_caller.source_prefixes,
        'is_open', not exists (select from cmbs_store.principal),
        'token', case
            when v_token.token_id is not null then cmbs_store.token_json(v_token)
        end
    );
end
$$;

ALTER FUNCTION cmbs.identify(p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.identify(p_credential bytea) IS 'Who calls, and what they may. Raises MB301, MB302.';

CREATE FUNCTION cmbs.import_content(p_kind text, p_content text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $_$
declare
    v_content jsonb := p_content::jsonb;
    v_hash bytea := cmbs_store.digest_v1(p_content);
begin
    -- Nobody has a role for this: it is granted to who owns all of it, and no token covers it.
    if p_credential is not null then
        perform cmbs_store.authorize(p_credential, 'import_content', '{}');
    end if;
    if coalesce(p_kind, '') not in ('policy', 'schema', 'tool') then
        perform cmbs_store.refuse_request('kind', 'must be policy, schema or tool');
    elsif v_content is null or p_content <> v_content::text then
        perform cmbs_store.refuse_request('content', 'must be canonical text');
    elsif jsonb_typeof(v_content) <> 'object'
        and (p_kind <> 'schema' or jsonb_typeof(v_content) <> 'boolean')
        or p_kind = 'policy' and jsonb_path_exists(v_content, 'strict $.* ? (@.type() != "string")')
    then
        perform cmbs_store.refuse_request('content', 'must be that of a ' || p_kind);
    end if;
    if p_kind = 'policy' then
        perform cmbs_store.store_policy(v_content);
    elsif p_kind = 'schema' then
        insert into cmbs_store.schema_document (schema_hash, document)
        values (v_hash, p_content)
        on conflict (schema_hash) do nothing;
    else
        insert into cmbs_store.tool_definition (tool_hash, definition)
        values (v_hash, p_content)
        on conflict (tool_hash) do nothing;
    end if;
    return json_build_object('kind', p_kind, 'content_hash', encode(v_hash, 'hex'));
end
$_$;

ALTER FUNCTION cmbs.import_content(p_kind text, p_content text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.import_content(p_kind text, p_content text, p_credential bytea) IS 'Take over the content of a policy, a schema or a tool from another database; for operators. Raises MB201.';

CREATE FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json DEFAULT NULL::json, p_tenant text DEFAULT 'default'::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_policy_as_sent text := cmbs_store.free_object('policy_as_sent', p_policy_as_sent);
    v_session cmbs_store.session;
    v_gates cmbs_store.session;
    v_eliminated record;
    v_after cmbs_store.session;
    v_last cmbs_store.audit_event;
begin
    -- Nobody has a role for this: it is granted to who owns all of it, and no token covers it.
    if p_credential is not null then
        perform cmbs_store.authorize(p_credential, 'import_events', '{}');
    end if;
    perform cmbs_store.check_label('tenant', p_tenant);
    if p_tenant = '*' then
        perform cmbs_store.refuse_request('tenant', 'must be one tenant, and * is all of them');
    end if;
    perform cmbs_store.check_envelope(p_session_id, null, null);
    if p_records is null then
        perform cmbs_store.refuse_request('records', 'must be records, one a line');
    end if;
    v_session := cmbs_store.import_session(
        p_session_id, p_tenant, p_records, v_policy_as_sent
    );
    perform cmbs_store.import_log(v_session, p_records);
    v_eliminated := cmbs_store.import_tombstones(v_session);
    v_after := v_eliminated.p_session;
    v_gates := cmbs_store.import_gates(v_session, v_eliminated.p_seqs);
    select e.*
    into v_last
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
    order by e.seq desc
    limit 1;
    if v_gates.is_terminated and exists (
        select
        from cmbs_store.audit_event as e
        where e.session_id = p_session_id
            and e.seq > v_gates.audit_seq
            and e.verb = 'ELIMINATE'
    )
        or encode(v_after.survivors_hash, 'hex')
            is distinct from v_last.record::jsonb ->> 'survivors_after_hash'
    then
        perform cmbs_store.refuse_import(
            p_session_id, v_last.seq, 'its survivors are not those that the log leads to'
        );
    end if;
    v_gates.mask := v_after.mask;
    v_gates.n_survivors := v_after.n_survivors;
    v_gates.survivors_hash := v_after.survivors_hash;
    v_gates.audit_seq := v_last.seq;
    v_gates.audit_head_event_id := v_last.event_id;
    v_gates.audit_head_hash := v_last.event_hash;
    v_gates.audit_head_at := v_last.recorded_at;
    perform cmbs_store.save_session(v_gates);
    if v_gates.is_terminated then
        perform cmbs_store.note_closed(p_session_id, null, null);
    end if;
    return json_build_object(
        'audit_seq', v_last.seq, 'audit_head_hash', encode(v_last.event_hash, 'hex')
    );
end
$$;

ALTER FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json, p_tenant text, p_credential bytea) IS 'Take over a part of a log from another database; for operators. Raises MB001, MB102, MB201, MB203.';

CREATE FUNCTION cmbs.interrupt_resolve(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'interrupt_resolve', '{approver}'
    );
    v_content jsonb := jsonb_build_object(
        'interrupt_id', p_interrupt_id, 'resolution', p_resolution,
        'comment', coalesce(p_comment, '')
    );
    v_session cmbs_store.session;
    v_interrupt cmbs_store.interrupt;
    v_at timestamptz;
    v_code text;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_answer(p_resolution, p_comment);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_interrupt := cmbs_store.interrupt_of(v_session, p_interrupt_id);
    perform cmbs_store.recorded_message(
        p_session_id, p_request_id, 'RESOLVE_INTERRUPT', v_content
    );
    v_outcome := cmbs_store.recorded_answer(v_session, v_interrupt, v_caller.name, v_content);
    if v_outcome is null then
        perform cmbs_store.check_open(v_session, p_expected_head);
        v_at := greatest(cmbs_store.clock(), v_session.audit_head_at);
        v_code := cmbs_store.refusal_of_answer(v_session, v_interrupt, v_caller.name, v_at);
        if v_code is not null then
            perform cmbs_store.refuse_execution(
                v_code, jsonb_build_object('interrupt_id', p_interrupt_id)
            );
        end if;
        v_content := cmbs_store.with_request_id(v_content, p_request_id) || jsonb_build_object(
            'action_digest', encode(v_interrupt.action_digest, 'hex'),
            'decided_at', cmbs_store.timestamp_v1(v_at)
        );
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'RESOLVE_INTERRUPT', v_caller.name,
            null, null, p_request_id, p_notes, v_content::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'RESOLVE_INTERRUPT', v_content
        );
        perform cmbs_store.announce(
            v_session, 'interrupt.resolved', array[p_interrupt_id]
        );
        v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    end if;
    return cmbs_store.response(
        cmbs_store.answered_outcome(v_session, v_interrupt, p_resolution) || v_outcome,
        v_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.interrupt_resolve(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.interrupt_resolve(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Answer a question about an action; for approvers who did not propose it. Raises MB001, MB012, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.list_analysts() RETURNS json
    LANGUAGE sql STABLE
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
    select coalesce(
        json_agg(
            json_build_object(
                'name', r.rolname,
                'n_connections', (
                    select count(*) from pg_stat_activity as a where a.usesysid = r.oid
                ),
                'tenant', (
                    select p.tenant
                    from cmbs.principal as p
                    where p.name = r.rolname and p.is_login
                )
            )
            order by r.rolname::text collate "C"
        ),
        '[]'
    )
    from pg_roles as r
    where r.rolcanlogin and exists (
        select
        from pg_auth_members as m
        where m.member = r.oid and m.roleid = 'cmbs_analyst'::regrole
    )
$$;

ALTER FUNCTION cmbs.list_analysts() OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs.list_analysts() IS 'Every login of an analyst. For administrators.';

CREATE FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'list_capability_tokens', null
    );
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
begin
    return json_build_object('capability_tokens', (
        select coalesce(json_agg(json_build_object(
            'token_id', t.token_id, 'parent_id', t.parent_id, 'depth', cardinality(t.chain),
            'holder', t.holder, 'tools', t.tools, 'capabilities', t.capabilities,
            'state_prefixes', t.state_prefixes, 'resource_roots', t.resource_roots,
            'budgets', t.budgets,
            'left', (
                select coalesce(json_object_agg(
                    b.unit, cmbs_store.budget_left(v_session, t.chain, b.unit)
                ), '{}')
                from jsonb_object_keys(t.budgets) as b (unit)
            ),
            'valid_from', cmbs_store.timestamp_v1(t.valid_from),
            'expires_at', cmbs_store.timestamp_v1(t.expires_at),
            'approval_requirement', t.approval,
            'revoked', exists (
                select from cmbs_store.capability_revocation as r
                where r.session_id = p_session_id and r.token_id = any(t.chain)
            )
        ) order by t.seq), '[]')
        from cmbs_store.capability_token as t
        where t.session_id = p_session_id
    ));
end
$$;

ALTER FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea) IS 'The capability tokens of a session, with what is left of their budgets. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_claims(p_session_id uuid, p_key text DEFAULT NULL::text, p_history boolean DEFAULT false, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_claims', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
    v_now timestamptz := cmbs_store.clock();
begin
    return json_build_object('claims', (
        select coalesce(json_agg(l.claim order by l.seq desc), '[]')
        from (
            select c.seq, json_build_object(
                'claim_id', c.claim_id, 'key', c.key, 'kind', c.kind, 'value', c.value,
                'value_digest', encode(cmbs_store.digest_v1(c.value::text), 'hex'),
                'confidence', c.confidence, 'confirmed', c.is_confirmed,
                'source_chunk_ids', c.source_chunk_ids,
                'confirmed_by_event_id', c.confirmed_by_event_id,
                'conflict_state', c.conflict_state,
                'expires_at', cmbs_store.timestamp_v1(c.expires_at),
                'review_at', cmbs_store.timestamp_v1(c.review_at),
                'promotes', c.promotes,
                'live', cmbs_store.is_live(c, v_now)
            ) as claim
            from cmbs_store.claim as c
            where c.session_id = v_session.session_id
                and c.key = coalesce(p_key, c.key)
                and (p_history or cmbs_store.is_live(c, v_now))
            order by c.seq desc
            limit v_limit
        ) as l
    ));
end
$$;

ALTER FUNCTION cmbs.list_claims(p_session_id uuid, p_key text, p_history boolean, p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_claims(p_session_id uuid, p_key text, p_history boolean, p_limit integer, p_credential bytea) IS 'The claims of a session, newest first: those that live, or all. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_conclusions', null);
begin
    perform cmbs_store.read_session(p_session_id, v_caller.tenant);
    return (
        select format('{"conclusions": [%s]}', string_agg(
            json_build_object(
                'conclusion_id', c.conclusion_id,
                'accepted', c.is_accepted,
                'event_id', e.event_id,
                'ts', cmbs_store.timestamp_v1(e.recorded_at),
                'actor', e.actor
            )::text,
            ', ' order by c.seq
        ))
        from cmbs_store.conclusion as c
        cross join lateral (
            select a.event_id, a.recorded_at, a.actor
            from cmbs_store.audit_event as a
            where a.session_id = c.session_id and a.seq = c.seq
            limit 1
        ) as e
        where c.session_id = p_session_id
    )::json;
end
$$;

ALTER FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) IS 'Every conclusion declared in a session. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_deferrals', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
begin
    return (
        select json_build_object(
            'deferrals', coalesce(
                json_agg(cmbs_store.deferral_json(v_session, l.deferral_id) order by l.no)
                filter (where l.no <= v_limit),
                '[]'
            ),
            'next_before', case when count(*) > v_limit then
                min(l.seq) filter (where l.no <= v_limit) end
        )
        from (
            select g.*, row_number() over (order by g.seq desc) as no
            from (
                select d.deferral_id, max(d.seq) as seq
                from cmbs_store.deferral as d
                where d.session_id = p_session_id
                group by d.deferral_id
            ) as g
            where p_before is null or g.seq < p_before
            order by g.seq desc
            limit v_limit + 1
        ) as l
    );
end
$$;

ALTER FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer, p_before bigint, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer, p_before bigint, p_credential bytea) IS 'The deferred proposals of a session, newest first. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_due(p_limit integer DEFAULT 100, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize_upkeep(
        p_credential, 'list_due', '{agent, encoder, tool, policy}'
    );
    v_now timestamptz := cmbs_store.clock();
begin
    perform cmbs_store.check_limit(p_limit, 1000);
    return (
        select json_build_object(
            'sessions', coalesce(json_agg(d.session_id order by d.due_at, d.session_id), '[]')
        )
        from (
            select l.session_id, min(l.due_at) as due_at
            from (
                (
                    select o.session_id, o.due_at
                    from cmbs_store.open_item as o
                    where o.kind = 'permit' and o.is_open and o.due_at <= v_now
                        and (v_caller.tenant = '*' or o.tenant = v_caller.tenant)
                    order by o.due_at
                    limit p_limit
                )
                union all
                (
                    select o.session_id, o.due_at
                    from cmbs_store.open_item as o
                    where o.kind = 'deferral' and o.is_open and o.due_at <= v_now
                        and (v_caller.tenant = '*' or o.tenant = v_caller.tenant)
                    order by o.due_at
                    limit p_limit
                )
            ) as l
            group by l.session_id
        ) as d
    );
end
$$;

ALTER FUNCTION cmbs.list_due(p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_due(p_limit integer, p_credential bytea) IS 'The sessions in which something is due, first what has waited longest. Raises MB201.';

CREATE FUNCTION cmbs.list_inbox(p_status text DEFAULT 'pending'::text, p_limit integer DEFAULT 50, p_cursor text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_custom_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_inbox', null);
    v_limit integer := coalesce(p_limit, 50);
    v_status text := coalesce(p_status, 'pending');
    v_now timestamptz := cmbs_store.clock();
    v_after record;
begin
    perform cmbs_store.check_limit(v_limit, 500);
    perform cmbs_store.check_interrupt_status(v_status);
    v_after := cmbs_store.inbox_cursor(p_cursor);
    return (
        select json_build_object(
            'interrupts', coalesce(
                json_agg(
                    cmbs_store.interrupt_json(l.session, l.interrupt, v_now) order by l.no
                ) filter (where l.no <= v_limit),
                '[]'
            ),
            'next_cursor', case when count(*) > v_limit then max(format(
                '%s_%s_%s', cmbs_store.timestamp_v1((l.interrupt).expires_at),
                (l.interrupt).session_id, (l.interrupt).interrupt_id
            )) filter (where l.no = v_limit) end
        )
        from (
            select
                s as session, i as interrupt,
                row_number() over (order by o.due_at, o.session_id, o.item_id) as no
            from cmbs_store.open_item as o
            inner join cmbs_store.session as s on s.session_id = o.session_id
            inner join cmbs_store.interrupt as i
                on i.session_id = o.session_id and i.interrupt_id = o.item_id
            where o.kind = 'interrupt'
                and (v_caller.tenant = '*' or o.tenant = v_caller.tenant)
                and (v_status <> 'pending' or o.is_open and o.due_at > v_now)
                and (
                    p_cursor is null or (o.due_at, o.session_id, o.item_id)
                    > (v_after.p_due_at, v_after.p_session_id, v_after.p_item_id)
                )
                and cmbs_store.interrupt_state(s, i, v_now) = v_status
            order by o.due_at, o.session_id, o.item_id
            limit v_limit + 1
        ) as l
    );
end
$$;

ALTER FUNCTION cmbs.list_inbox(p_status text, p_limit integer, p_cursor text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_inbox(p_status text, p_limit integer, p_cursor text, p_credential bytea) IS 'Questions of all sessions, first what runs out first, a page at a time. Raises MB201.';

CREATE FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_interrupts', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
    v_now timestamptz := cmbs_store.clock();
begin
    perform cmbs_store.check_interrupt_status(p_status);
    return (
        select json_build_object(
            'interrupts', coalesce(
                json_agg(
                    cmbs_store.interrupt_json(v_session, l.interrupt, v_now)
                    order by l.seq desc, l.item_no
                ) filter (where l.seq >= coalesce(l.last_seq, l.seq)),
                '[]'
            ),
            'next_before', min(l.last_seq) filter (where l.seq < l.last_seq)
        )
        from (
            select
                i as interrupt, i.seq, i.item_no,
                -- Those of one proposal are on one page.
                nth_value(i.seq, v_limit) over (
                    order by i.seq desc, i.item_no
                    rows between unbounded preceding and unbounded following
                ) as last_seq
            from cmbs_store.interrupt as i
            where i.session_id = p_session_id
                and (p_before is null or i.seq < p_before)
                and (
                    p_status is null
                    or cmbs_store.interrupt_state(v_session, i, v_now) = p_status
                )
            order by i.seq desc, i.item_no
            limit v_limit + 100
        ) as l
    );
end
$$;

ALTER FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) IS 'The questions of a session, newest first, a page at a time. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_obligations', null);
    v_session cmbs_store.session;
begin
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    return (
        select format('{"obligations": [%s]}', string_agg(
            json_build_object(
                'obligation_id', o.obligation_id,
                'state', coalesce(d.outcome, 'active'),
                'min_total_eliminations', o.min_total_eliminations,
                'counted',
                o.survivors_at_entry - coalesce(d.survivors_at_end, v_session.n_survivors),
                'entered_event_id', (
                    select a.event_id
                    from cmbs_store.audit_event as a
                    where a.session_id = o.session_id and a.seq = o.entered_seq
                ),
                'ended_event_id', (
                    select a.event_id
                    from cmbs_store.audit_event as a
                    where a.session_id = o.session_id and a.seq = d.ended_seq
                )
            )::text,
            ', ' order by o.entered_seq
        ))
        from cmbs_store.obligation as o
        left join lateral (
            select e.outcome, e.ended_seq, e.survivors_at_end
            from cmbs_store.obligation_end as e
            where e.session_id = o.session_id and e.entered_seq = o.entered_seq
            limit 1
        ) as d on true
        where o.session_id = p_session_id
    )::json;
end
$$;

ALTER FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) IS 'Every obligation of a session. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_permits(p_session_id uuid, p_status text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_permits', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
    v_now timestamptz := cmbs_store.clock();
begin
    if p_status not in (
        'issued', 'expired', 'executing', 'committed', 'rolled_back', 'ended'
    ) then
        perform cmbs_store.refuse_request(
            'status', 'must be issued, expired, executing, committed, rolled_back or ended'
        );
    end if;
    return (
        select json_build_object(
            'permits', coalesce(
                json_agg(
                    cmbs_store.permit_json(v_session, l.permit, v_now)
                    order by l.seq desc, l.item_no
                ) filter (where l.seq >= coalesce(l.last_seq, l.seq)),
                '[]'
            ),
            'next_before', min(l.last_seq) filter (where l.seq < l.last_seq)
        )
        from (
            select
                p as permit, p.seq, p.item_no,
                -- Those of one proposal are on one page.
                nth_value(p.seq, v_limit) over (
                    order by p.seq desc, p.item_no
                    rows between unbounded preceding and unbounded following
                ) as last_seq
            from cmbs_store.permit as p
            where p.session_id = p_session_id
                and (p_before is null or p.seq < p_before)
                and (
                    p_status is null or cmbs_store.permit_state(v_session, p, v_now) = p_status
                )
            order by p.seq desc, p.item_no
            limit v_limit + 100
        ) as l
    );
end
$$;

ALTER FUNCTION cmbs.list_permits(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_permits(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) IS 'The permits of a session, newest first, a page at a time. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_permitted', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_given jsonb := cmbs_store.given(v_session, v_caller)
        || jsonb_build_object('is_token_shown', p_capability_token is not null)
        || cmbs_store.find_capability(p_session_id, p_capability_token);
    v_pin cmbs_store.policy_pin := cmbs_store.policy_in_force(v_session);
begin
    return json_build_object(
        'state_snapshot_id', v_session.audit_head_event_id,
        'policy', json_build_object(
            'pack', v_pin.pack, 'version', v_pin.version,
            'policy_hash', encode(v_pin.policy_hash, 'hex')
        ),
        'tools', (
            select coalesce(json_agg(
                cmbs_store.permitted_tool(v_session, v_caller, v_given, t.tool_id)
                order by t.tool_id
            ), '[]')
            from (
                select distinct r.tool_id
                from cmbs_store.tool_registration as r
                where r.tenant = v_session.tenant
            ) as t
        )
    );
end
$$;

ALTER FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text, p_credential bytea) IS 'Which tools the caller could call now with a capability token, and why not the others. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_policies(p_pack text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_policies', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return json_build_object(
        'halted', cmbs_store.halted(v_tenant),
        'policies', (
            select coalesce(json_agg(json_build_object(
                'pack', v.pack,
                'version', v.version,
                'policy_hash', encode(v.policy_hash, 'hex'),
                'n_entries', p.n_entries,
                'published_at', cmbs_store.timestamp_v1(v.published_at),
                'published_by', v.published_by
            ) order by v.pack, v.version), '[]')
            from cmbs_store.policy_version as v
            inner join cmbs_store.policy as p on p.policy_hash = v.policy_hash
            where v.tenant in (v_tenant, '*') and v.pack = coalesce(p_pack, v.pack)
        )
    );
end
$$;

ALTER FUNCTION cmbs.list_policies(p_pack text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_policies(p_pack text, p_tenant text, p_credential bytea) IS 'The versions of policy packs that a tenant may use, by name and number. Raises MB201, MB302.';

CREATE FUNCTION cmbs.list_principals(p_limit integer DEFAULT 50, p_after text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'list_principals', '{admin, auditor}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_limit integer := coalesce(p_limit, 50);
    v_found jsonb[];
begin
    perform cmbs_store.check_limit(v_limit, 500);
    v_found := array(
        select cmbs_store.principal_json(p)
        from cmbs_store.principal as p
        where p.tenant = v_tenant and p.name > coalesce(p_after, '')
        order by p.name
        limit v_limit + 1
    );
    return json_build_object(
        'principals', v_found[1:v_limit],
        'next_after', case
            when cardinality(v_found) > v_limit then v_found[v_limit] ->> 'name'
        end
    );
end
$$;

ALTER FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) IS 'Principals of a tenant, a page at a time. Raises MB201, MB302.';

CREATE FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_decision text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_proposals', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
begin
    if p_decision not in ('allow', 'deny', 'defer') then
        perform cmbs_store.refuse_request('decision', 'must be allow, deny or defer');
    end if;
    return (
        select json_build_object(
            'proposals', coalesce(
                json_agg(json_build_object(
                    'proposal_id', e.event_id, 'seq', l.seq,
                    'ts', cmbs_store.timestamp_v1(e.recorded_at), 'actor', l.actor,
                    'idempotency_key', l.idempotency_key, 'decision', l.decision,
                    'disposition', l.disposition, 'reason_code', l.reason_code,
                    'items', (
                        select json_agg(json_strip_nulls(json_build_object(
                            'kind', i.item -> 'kind', 'tool_id', i.item -> 'tool_id',
                            'keys', (
                                select json_agg(k.key order by k.key)
                                from json_object_keys(i.item -> 'patch') as k (key)
                            )
                        )))
                        from json_array_elements(e.record::json #> '{payload,proposal,items}')
                            as i (item)
                    )
                ) order by l.seq desc) filter (where l.no <= v_limit),
                '[]'
            ),
            'next_before', case when count(*) > v_limit then
                min(l.seq) filter (where l.no <= v_limit) end
        )
        from (
            select p.*, row_number() over (order by p.seq desc) as no
            from cmbs_store.proposal as p
            where p.session_id = v_session.session_id
                and (p_before is null or p.seq < p_before)
                and (p_decision is null or p.decision = p_decision)
            order by p.seq desc
            limit v_limit + 1
        ) as l
        inner join cmbs_store.audit_event as e
            on e.session_id = l.session_id and e.seq = l.seq
    );
end
$$;

ALTER FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer, p_before bigint, p_decision text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer, p_before bigint, p_decision text, p_credential bytea) IS 'The proposals of a session with what was decided, newest first. Raises MB001, MB201.';

CREATE FUNCTION cmbs.list_schemas(p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_schemas', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return json_build_object('schemas', (
        select coalesce(json_agg(json_build_object(
            'schema_id', s.schema_id,
            'schema_hash', encode(s.schema_hash, 'hex'),
            'registered_at', cmbs_store.timestamp_v1(s.registered_at),
            'registered_by', s.registered_by
        ) order by s.schema_id), '[]')
        from cmbs_store.json_schema as s
        where s.tenant in (v_tenant, '*')
    ));
end
$$;

ALTER FUNCTION cmbs.list_schemas(p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_schemas(p_tenant text, p_credential bytea) IS 'The JSON Schemas of a tenant, by id. Raises MB201, MB302.';

CREATE FUNCTION cmbs.list_sessions(p_limit integer DEFAULT 50, p_cursor text DEFAULT NULL::text, p_terminated boolean DEFAULT NULL::boolean, p_hypothesis_space_id text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_custom_plan'
    AS $_$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_sessions', null);
    v_limit integer := coalesce(p_limit, 50);
    v_after_at timestamptz;
    v_after_id uuid;
    v_sessions text[];
    v_cursors text[];
begin
    perform cmbs_store.check_limit(v_limit, 500);
    if p_cursor !~ (
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z'
        '_[0-9a-f-]{36}$'
    ) then
        perform cmbs_store.refuse_request('cursor', 'must be a next_cursor of an earlier answer');
    end if;
    v_after_at := replace(split_part(p_cursor, '_', 1), 'Z', '+00')::timestamptz;
    v_after_id := split_part(p_cursor, '_', 2)::uuid;
    select
        array_agg(cmbs_store.snapshot(l.session, true) order by l.no),
        array_agg(
            cmbs_store.timestamp_v1((l.session).declared_at) || '_' || (l.session).session_id
            order by l.no
        )
    into v_sessions, v_cursors
    from (
        select
            s as session,
            row_number() over (order by s.declared_at desc, s.session_id desc) as no
        from cmbs_store.session as s
        where (p_cursor is null or (s.declared_at, s.session_id) < (v_after_at, v_after_id))
            and (v_caller.tenant = '*' or s.tenant = v_caller.tenant)
            and (p_terminated is null or s.is_terminated = p_terminated)
            and (p_hypothesis_space_id is null or s.hypothesis_space_id = p_hypothesis_space_id)
        order by s.declared_at desc, s.session_id desc
        limit v_limit + 1
    ) as l;
    return format(
        '{"sessions": [%s], "next_cursor": %s}',
        array_to_string(v_sessions[1:v_limit], ', '),
        case
            when cardinality(v_sessions) > v_limit then to_json(v_cursors[v_limit])::text
            else 'null'
        end
    )::json;
end
$_$;

ALTER FUNCTION cmbs.list_sessions(p_limit integer, p_cursor text, p_terminated boolean, p_hypothesis_space_id text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_sessions(p_limit integer, p_cursor text, p_terminated boolean, p_hypothesis_space_id text, p_credential bytea) IS 'Sessions, newest first, a page at a time. Raises MB201.';

CREATE FUNCTION cmbs.list_tokens(p_name text DEFAULT NULL::text, p_limit integer DEFAULT 50, p_after uuid DEFAULT NULL::uuid, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'list_tokens', '{admin, auditor}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_limit integer := coalesce(p_limit, 50);
    v_after cmbs_store.api_token;
    v_found jsonb[];
begin
    perform cmbs_store.check_limit(v_limit, 500);
    if p_name is not null then
        perform cmbs_store.find_principal(p_name, v_tenant);
    end if;
    if p_after is not null then
        v_after := cmbs_store.find_token(v_caller, p_after);
    end if;
    v_found := array(
        select cmbs_store.token_json(t)
        from cmbs_store.api_token as t
        where t.tenant = v_tenant
            and (p_name is null or t.name = p_name)
            and (
                p_after is null
                or (t.created_at, t.token_id) < (v_after.created_at, v_after.token_id)
            )
        order by t.created_at desc, t.token_id desc
        limit v_limit + 1
    );
    return json_build_object(
        'tokens', v_found[1:v_limit],
        'next_after', case
            when cardinality(v_found) > v_limit then v_found[v_limit] ->> 'token_id'
        end
    );
end
$$;

ALTER FUNCTION cmbs.list_tokens(p_name text, p_limit integer, p_after uuid, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_tokens(p_name text, p_limit integer, p_after uuid, p_tenant text, p_credential bytea) IS 'Tokens of a tenant, a page at a time. Raises MB005, MB006, MB201, MB302.';

CREATE FUNCTION cmbs.list_tools(p_tool_id text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_tools', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return json_build_object('tools', (
        select coalesce(json_agg(json_build_object(
            'tool_id', r.tool_id,
            'withdrawn', r.tool_hash is null,
            'tool_hash', encode(r.tool_hash, 'hex'),
            'registered_at', cmbs_store.timestamp_v1(r.registered_at),
            'registered_by', r.registered_by,
            'definition', d.definition::json
        ) order by r.tool_id), '[]')
        from (
            select distinct on (t.tool_id)
                t.tool_id, t.tool_hash, t.registered_at, t.registered_by
            from cmbs_store.tool_registration as t
            where t.tenant = v_tenant and t.tool_id = coalesce(p_tool_id, t.tool_id)
            order by t.tool_id, t.registration_no desc
        ) as r
        left join cmbs_store.tool_definition as d on d.tool_hash = r.tool_hash
    ));
end
$$;

ALTER FUNCTION cmbs.list_tools(p_tool_id text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.list_tools(p_tool_id text, p_tenant text, p_credential bytea) IS 'The tools of a tenant with the definitions that count, by id. Raises MB201, MB302.';

CREATE FUNCTION cmbs.policy_apply(p_session_id uuid, p_pack text, p_version integer, p_shadow json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'policy_apply', '{policy}'
    );
    v_session cmbs_store.session;
    v_version cmbs_store.policy_version;
    v_shadow jsonb := cmbs_store.checked_shadow(p_shadow);
    v_content jsonb := jsonb_build_object('pack', p_pack, 'version', p_version);
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_label('pack', p_pack);
    if p_version is null then
        perform cmbs_store.refuse_request('version', 'must be the number of a version');
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_message(
        p_session_id, p_request_id, 'POLICY_APPLY',
        v_content || case
            when v_shadow is null then '{}' else jsonb_build_object('shadow', v_shadow)
        end
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    v_version := cmbs_store.find_policy(v_session.tenant, p_pack, p_version);
    v_content := cmbs_store.with_request_id(v_content, p_request_id)
        || jsonb_build_object('policy_hash', encode(v_version.policy_hash, 'hex'))
        || cmbs_store.found_shadow(v_session.tenant, v_shadow)
        || cmbs_store.apply_verdict(v_session, v_caller.name, v_version.policy_hash, null);
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'POLICY_APPLY', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session_id, v_session.audit_seq, v_caller.name, 'POLICY_APPLY', v_content
    );
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

ALTER FUNCTION cmbs.policy_apply(p_session_id uuid, p_pack text, p_version integer, p_shadow json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.policy_apply(p_session_id uuid, p_pack text, p_version integer, p_shadow json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Let a version of a policy pack decide in a session from now on. Raises MB001, MB007, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'policy_diff', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_from cmbs_store.policy_version := cmbs_store.find_policy(v_tenant, p_pack, p_version);
    v_to cmbs_store.policy_version := cmbs_store.find_policy(
        v_tenant, coalesce(p_to_pack, p_pack), p_to_version
    );
begin
    return (
        select json_build_object(
            'from', json_build_object('pack', v_from.pack, 'version', v_from.version),
            'to', json_build_object('pack', v_to.pack, 'version', v_to.version),
            'added', coalesce(json_agg(json_build_object('key', d.key, 'value', d.is_now)
                order by d.key) filter (where d.was is null), '[]'),
            'removed', coalesce(json_agg(json_build_object('key', d.key, 'value', d.was)
                order by d.key) filter (where d.is_now is null), '[]'),
            'changed', coalesce(json_agg(json_build_object('key', d.key, 'from', d.was,
                'to', d.is_now) order by d.key)
                filter (where d.was is not null and d.is_now is not null), '[]')
        )
        from (
            select e.key, min(e.was) as was, min(e.is_now) as is_now
            from (
                select f.key, f.value as was, null as is_now
                from cmbs_store.policy_entry as f
                where f.policy_hash = v_from.policy_hash
                union all
                select t.key, null, t.value
                from cmbs_store.policy_entry as t
                where t.policy_hash = v_to.policy_hash
            ) as e
            group by e.key
            having min(e.was) is distinct from min(e.is_now)
        ) as d
    );
end
$$;

ALTER FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text, p_tenant text, p_credential bytea) IS 'What two versions of policy packs have differently. Raises MB007, MB201, MB302.';

CREATE FUNCTION cmbs.policy_halt(p_is_halted boolean, p_reason text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'policy_halt', '{policy}');
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    if p_is_halted is null then
        perform cmbs_store.refuse_request('is_halted', 'must be true or false');
    end if;
    perform cmbs_store.check_id('reason', p_reason);
    loop
        insert into cmbs_store.policy_halt (tenant, halt_no, is_halted, reason, set_at, set_by)
        select
            v_tenant, coalesce(max(h.halt_no), 0) + 1, p_is_halted, p_reason,
            cmbs_store.clock(), v_caller.name
        from cmbs_store.policy_halt as h
        where h.tenant = v_tenant
        on conflict (tenant, halt_no) do nothing;
        exit when found;
    end loop;
    return json_build_object('tenant', v_tenant, 'halted', cmbs_store.halted(v_tenant));
end
$$;

ALTER FUNCTION cmbs.policy_halt(p_is_halted boolean, p_reason text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.policy_halt(p_is_halted boolean, p_reason text, p_tenant text, p_credential bytea) IS 'Switch the kill switch of a tenant on or off; policy role only. Raises MB201, MB302.';

CREATE FUNCTION cmbs.policy_lint(p_pack text DEFAULT NULL::text, p_version integer DEFAULT NULL::integer, p_entries json DEFAULT NULL::json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'policy_lint', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return (
        select json_build_object(
            'n_errors', count(*) filter (where f.severity = 'error'),
            'n_warnings', count(*) filter (where f.severity = 'warning'),
            'findings', coalesce(json_agg(json_build_object(
                'key', f.key, 'severity', f.severity, 'finding', left(f.finding, 300)
            ) order by f.severity, f.key collate "C", f.finding collate "C"), '[]')
        )
        from cmbs_store.entry_faults(
            case
                when p_entries is null then cmbs_store.policy_entries(
                    (cmbs_store.find_policy(v_tenant, p_pack, p_version)).policy_hash
                )
                else cmbs_store.sent_entries(p_entries)
            end,
            v_tenant
        ) as f
    );
end
$$;

ALTER FUNCTION cmbs.policy_lint(p_pack text, p_version integer, p_entries json, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.policy_lint(p_pack text, p_version integer, p_entries json, p_tenant text, p_credential bytea) IS 'What is wrong with the entries of a pack, or probably not meant. Raises MB007, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.policy_publish(p_pack text, p_entries json, p_fixtures json DEFAULT NULL::json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'policy_publish', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_entries jsonb := cmbs_store.sent_entries(p_entries);
    v_fixtures jsonb := cmbs_store.checked_fixtures(p_fixtures);
    v_hash bytea;
    v_bad jsonb;
    v_version record;
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_label('pack', p_pack);
    if exists (
        select
        from cmbs_store.policy_version as v
        where v.pack = p_pack
            and v.tenant <> v_tenant
            and '*' in (v.tenant, v_tenant)
    ) then
        raise exception using
            errcode = 'MB102',
            message = 'The name of this pack is taken.',
            detail = json_build_object('pack', p_pack)::text,
            hint = 'A pack of every tenant and one of a tenant may not share a name; take another.';
    end if;
    select jsonb_agg(jsonb_build_object('key', f.key, 'finding', left(f.finding, 300)))
    into v_bad
    from (
        select e.key, e.finding
        from cmbs_store.entry_faults(v_entries, v_tenant) as e
        where e.severity = 'error'
        limit 100
    ) as f;
    if v_bad is not null then
        raise exception using
            errcode = 'MB201',
            message = 'The pack has entries that cannot be published.',
            detail = json_build_object('member', 'entries', 'findings', v_bad)::text,
            hint = 'See details for each key and what is wrong with it; nothing was changed.';
    end if;
    v_hash := cmbs_store.store_policy(v_entries);
    select jsonb_agg(jsonb_build_object('name', r.name, 'expected', r.expected, 'got', r.got))
    into v_bad
    from cmbs_store.fixture_results(v_hash, v_fixtures, v_tenant) as r
    where not r.ok;
    if v_bad is not null then
        raise exception using
            errcode = 'MB201',
            message = 'Fixtures of the pack do not come out as they expect.',
            detail = json_build_object('member', 'fixtures', 'failed', v_bad)::text,
            hint = 'Mend the pack or the fixture; nothing was changed.';
    end if;
    v_version := cmbs_store.new_policy_version(
        v_tenant, p_pack, v_hash, v_fixtures::text, v_caller.name
    );
    return json_build_object(
        'pack', p_pack,
        'version', v_version.p_version,
        'policy_hash', encode(v_hash, 'hex'),
        'n_entries', (select count(*) from jsonb_object_keys(v_entries)),
        'n_fixtures', jsonb_array_length(v_fixtures),
        'duplicate', not v_version.p_is_new
    );
end
$$;

ALTER FUNCTION cmbs.policy_publish(p_pack text, p_entries json, p_fixtures json, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.policy_publish(p_pack text, p_entries json, p_fixtures json, p_tenant text, p_credential bytea) IS 'Publish a version of a policy pack, for ever; policy role only. Raises MB102, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer DEFAULT NULL::integer, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'policy_replay', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
    v_version cmbs_store.policy_version := cmbs_store.find_policy(
        v_session.tenant, p_pack, p_version
    );
    v_pin cmbs_store.policy_pin := row(
        p_session_id, 0, v_version.pack, v_version.version, v_version.policy_hash
    );
begin
    return (
        select json_build_object(
            'pack', v_version.pack,
            'version', v_version.version,
            'n_proposals', count(*),
            'n_flips', count(*) filter (where r.is_flip),
            'flips', coalesce(
                json_agg(json_build_object(
                    'proposal_id', r.event_id, 'seq', r.seq, 'actor', r.actor,
                    'recorded', r.recorded, 'replayed', r.replayed, 'reasons', r.reasons
                ) order by r.seq) filter (where r.is_flip and r.flip_no <= v_limit),
                '[]'
            )
        )
        from (
            select
                d.event_id, d.seq, d.actor,
                cmbs_store.verdict_json(d.payload) as recorded,
                cmbs_store.verdict_json(d.verdict) as replayed,
                d.verdict -> 'reasons' as reasons,
                cmbs_store.verdict_json(d.payload) <> cmbs_store.verdict_json(d.verdict)
                    as is_flip,
                count(*) filter (
                    where cmbs_store.verdict_json(d.payload) <> cmbs_store.verdict_json(d.verdict)
                ) over (order by d.seq) as flip_no
            from (
                select
                    e.event_id, e.seq, e.actor, p.payload,
                    cmbs_store.decide(
                        cmbs_store.session_before(v_session, e.seq), e.actor,
                        cmbs_store.given_of(p.payload), p.payload, v_pin
                    ) as verdict
                from cmbs_store.audit_event as e
                cross join lateral (
                    select e.record::jsonb -> 'payload' as payload offset 0
                ) as p
                where e.session_id = p_session_id and e.verb = 'PROPOSE'
                offset 0
            ) as d
        ) as r
    );
end
$$;

ALTER FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer, p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer, p_limit integer, p_credential bytea) IS 'What another version of a policy would have said to the proposals of a session. Raises MB001, MB007, MB201.';

CREATE FUNCTION cmbs.policy_test(p_pack text, p_version integer DEFAULT NULL::integer, p_fixtures json DEFAULT NULL::json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'policy_test', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_version cmbs_store.policy_version := cmbs_store.find_policy(v_tenant, p_pack, p_version);
    v_fixtures jsonb := v_version.fixtures::jsonb;
begin
    if p_fixtures is not null then
        v_fixtures := cmbs_store.checked_fixtures(p_fixtures);
    end if;
    return (
        select json_build_object(
            'pack', v_version.pack,
            'version', v_version.version,
            'n_fixtures', count(*),
            'n_failed', count(*) filter (where not r.ok),
            'results', coalesce(json_agg(json_build_object(
                'name', r.name, 'ok', r.ok, 'expected', r.expected, 'got', r.got
            )), '[]')
        )
        from cmbs_store.fixture_results(v_version.policy_hash, v_fixtures, v_tenant) as r
    );
end
$$;

ALTER FUNCTION cmbs.policy_test(p_pack text, p_version integer, p_fixtures json, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.policy_test(p_pack text, p_version integer, p_fixtures json, p_tenant text, p_credential bytea) IS 'Run fixtures against a version of a policy pack. Raises MB007, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.propose(p_session_id uuid, p_proposal json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'propose', '{agent, encoder, tool}'
    );
    v_sent jsonb := cmbs_store.free_object('proposal', coalesce(p_proposal, '{}'))::jsonb;
    v_proposal jsonb;
    v_is_dry boolean := coalesce(v_sent ->> 'mode' = 'dry_run', false);
    v_session cmbs_store.session;
    v_recorded record;
    v_given jsonb;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_proposal := cmbs_store.checked_proposal(v_sent, p_request_id);
    perform cmbs_store.check_source(v_caller, v_proposal -> 'provenance' ->> 'source');
    v_session := case
        when v_is_dry then cmbs_store.read_session(p_session_id, v_caller.tenant)
        else cmbs_store.lock_session(p_session_id, v_caller.tenant)
    end;
    if v_proposal ? 'idempotency_key' then
        v_recorded := cmbs_store.recorded_proposal(p_session_id, v_caller.name, v_proposal);
        if v_recorded.p_payload is not null then
            return cmbs_store.response(
                cmbs_store.proposal_outcome(v_recorded.p_payload, v_recorded.p_event_id, true),
                v_session, p_minimal
            );
        end if;
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    v_given := cmbs_store.given(v_session, v_caller) || jsonb_build_object(
        'v', 2,
        'proposal', v_proposal,
        'is_token_shown', v_sent ->> 'capability_token' is not null
    ) || cmbs_store.find_capability(p_session_id, v_sent ->> 'capability_token');
    if v_is_dry then
        return cmbs_store.response(
            cmbs_store.proposal_outcome(
                cmbs_store.verdict_alone(cmbs_store.decide(
                    v_session, v_caller.name, v_given, null,
                    cmbs_store.policy_in_force(v_session)
                )),
                null, false
            ),
            v_session, p_minimal
        );
    end if;
    return cmbs_store.answered_proposal(v_session, v_caller.name, v_given, p_notes, p_minimal);
end
$$;

ALTER FUNCTION cmbs.propose(p_session_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.propose(p_session_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Propose state deltas and tool calls; the verdict is audited, and what is allowed takes effect. Raises MB001, MB101, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid DEFAULT NULL::uuid, p_minimal boolean DEFAULT false, p_as_of_time timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'query_belief', null);
    v_session cmbs_store.session;
begin
    if p_as_of is not null and p_as_of_time is not null then
        perform cmbs_store.refuse_request('as_of_time', 'may not be given together with as_of');
    end if;
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    if p_as_of_time is not null then
        p_as_of := cmbs_store.event_at(v_session, p_as_of_time);
    end if;
    if p_as_of is not null then
        v_session := cmbs_store.session_as_of(v_session, p_as_of);
    end if;
    return cmbs_store.snapshot(v_session, coalesce(p_minimal, false))::json;
end
$$;

ALTER FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) IS 'The snapshot of a session, now, right after an event, or as of a time. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_interrupt', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
begin
    return cmbs_store.interrupt_json(
        v_session, cmbs_store.interrupt_of(v_session, p_interrupt_id), cmbs_store.clock()
    );
end
$$;

ALTER FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea) IS 'One question of a session: what it is about, and what has become of it. Raises MB001, MB012, MB201.';

CREATE FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_permit', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
begin
    return cmbs_store.permit_json(
        v_session, cmbs_store.permit_of(v_session, p_permit_id), cmbs_store.clock()
    );
end
$$;

ALTER FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea) IS 'One permit of a session, and what has become of it. Raises MB001, MB011, MB201.';

CREATE FUNCTION cmbs.read_policy(p_pack text, p_version integer DEFAULT NULL::integer, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_policy', null);
    v_version cmbs_store.policy_version;
begin
    v_version := cmbs_store.find_policy(
        cmbs_store.check_tenant(v_caller, p_tenant), p_pack, p_version
    );
    return json_build_object(
        'pack', v_version.pack,
        'version', v_version.version,
        'policy_hash', encode(v_version.policy_hash, 'hex'),
        'published_at', cmbs_store.timestamp_v1(v_version.published_at),
        'published_by', v_version.published_by,
        'fixtures', v_version.fixtures::json,
        'entries', (
            select coalesce(json_object_agg(e.key, e.value::json order by e.key), '{}')
            from cmbs_store.policy_entry as e
            where e.policy_hash = v_version.policy_hash
        )
    );
end
$$;

ALTER FUNCTION cmbs.read_policy(p_pack text, p_version integer, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.read_policy(p_pack text, p_version integer, p_tenant text, p_credential bytea) IS 'A version of a policy pack with its entries and fixtures. Raises MB007, MB201, MB302.';

CREATE FUNCTION cmbs.read_principal(p_name text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'read_principal', '{admin, auditor}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    return cmbs_store.principal_json(cmbs_store.find_principal(p_name, v_tenant));
end
$$;

ALTER FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) IS 'A principal by its name. Raises MB005, MB201, MB302.';

CREATE FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_schema', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_answer json;
begin
    select json_build_object(
        'schema_id', s.schema_id,
        'schema_hash', encode(s.schema_hash, 'hex'),
        'registered_at', cmbs_store.timestamp_v1(s.registered_at),
        'registered_by', s.registered_by,
        'document', d.document::json
    )
    into v_answer
    from cmbs_store.json_schema as s
    inner join cmbs_store.schema_document as d on d.schema_hash = s.schema_hash
    where s.tenant in (v_tenant, '*') and s.schema_id = p_schema_id;
    if not found then
        perform cmbs_store.refuse_lookup('schema', json_build_object('schema_id', p_schema_id));
    end if;
    return v_answer;
end
$$;

ALTER FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text, p_credential bytea) IS 'A registered JSON Schema. Raises MB009, MB201, MB302.';

CREATE FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_space', null);
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_space cmbs_store.hypothesis_space;
begin
    perform cmbs_store.check_id('hypothesis_space_id', p_hypothesis_space_id);
    perform cmbs_store.check_id('hypothesis_version', p_hypothesis_version, 2048);
    select s.*
    into v_space
    from cmbs_store.hypothesis_space as s
    where s.tenant = v_tenant
        and s.hypothesis_space_id = p_hypothesis_space_id
        and s.hypothesis_version = p_hypothesis_version;
    if not found then
        perform cmbs_store.refuse_space(p_hypothesis_space_id, p_hypothesis_version);
    end if;
    return format(
        '{"hypothesis_space_id": %s, "hypothesis_version": %s, "n_hypotheses": %s, '
        '"universe_digest": "%s", "registered_at": "%s", "registered_by": %s, "hypotheses": %s}',
        to_json(v_space.hypothesis_space_id),
        to_json(v_space.hypothesis_version),
        (
            select u.n_hypotheses
            from cmbs_store.universe as u
            where u.universe_digest = v_space.universe_digest
        ),
        encode(v_space.universe_digest, 'hex'),
        cmbs_store.timestamp_v1(v_space.registered_at),
        to_json(v_space.registered_by),
        cmbs_store.universe_ids(v_space.universe_digest)
    )::json;
end
$$;

ALTER FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text, p_credential bytea) IS 'A registered hypothesis space with its hypotheses. Raises MB004, MB201.';

CREATE FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'read_token', '{admin, auditor}'
    );
begin
    return cmbs_store.token_json(cmbs_store.find_token(v_caller, p_token_id));
end
$$;

ALTER FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea) IS 'A token by its id. Raises MB006, MB201, MB302.';

CREATE FUNCTION cmbs.recover_context(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'recover_context', null);
    v_context cmbs_store.context;
    v_ids text[];
    v_gone text[];
begin
    v_context := cmbs_store.read_context(p_context_id, v_caller.tenant);
    v_ids := cmbs_store.context_hypothesis_ids(v_context);
    v_gone := cmbs_store.context_gone_ids(v_context);
    return json_build_object(
        'hypotheses', v_ids,
        'eliminated', v_gone,
        'survivors', cmbs_store.ids_without(v_ids, v_gone)
    );
end
$$;

ALTER FUNCTION cmbs.recover_context(p_context_id text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.recover_context(p_context_id text, p_credential bytea) IS 'All of an elimination context, as of one moment. Raises MB001, MB201.';

CREATE FUNCTION cmbs.register_space(p_hypothesis_space_id text, p_hypothesis_version text, p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'register_space', '{agent}'
    );
    v_tenant text := cmbs_store.home(v_caller);
    v_universe record;
    v_digest bytea;
    v_created boolean;
begin
    perform cmbs_store.check_id('hypothesis_space_id', p_hypothesis_space_id);
    perform cmbs_store.check_id('hypothesis_version', p_hypothesis_version, 2048);
    v_universe := cmbs_store.ensure_universe('hypotheses', p_hypotheses);
    insert into cmbs_store.hypothesis_space (
        tenant, hypothesis_space_id, hypothesis_version, universe_digest, registered_at,
        registered_by
    )
    values (
        v_tenant, p_hypothesis_space_id, p_hypothesis_version, v_universe.p_universe_digest,
        cmbs_store.clock(), v_caller.name
    )
    on conflict (tenant, hypothesis_space_id, hypothesis_version) do nothing;
    v_created := found;
    select s.universe_digest
    into strict v_digest
    from cmbs_store.hypothesis_space as s
    where s.tenant = v_tenant
        and s.hypothesis_space_id = p_hypothesis_space_id
        and s.hypothesis_version = p_hypothesis_version;
    if v_digest <> v_universe.p_universe_digest then
        raise exception using
            errcode = 'MB102',
            message = 'This version of the space was registered with other hypotheses.',
            detail = json_build_object(
                'hypothesis_space_id', p_hypothesis_space_id,
                'hypothesis_version', p_hypothesis_version,
                'universe_digest', encode(v_digest, 'hex')
            )::text,
            hint = 'Register the new list under a new version.';
    end if;
    return json_build_object(
        'hypothesis_space_id', p_hypothesis_space_id,
        'hypothesis_version', p_hypothesis_version,
        'n_hypotheses', v_universe.p_n_hypotheses,
        'universe_digest', encode(v_digest, 'hex'),
        'duplicate', not v_created
    );
end
$$;

ALTER FUNCTION cmbs.register_space(p_hypothesis_space_id text, p_hypothesis_version text, p_hypotheses text[], p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.register_space(p_hypothesis_space_id text, p_hypothesis_version text, p_hypotheses text[], p_credential bytea) IS 'Register a set of hypotheses under a name and a version. Raises MB102, MB201, MB203.';

CREATE FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_universe record;
begin
    perform cmbs_store.authorize(p_credential, 'register_universe', '{agent}');
    v_universe := cmbs_store.ensure_universe('hypotheses', p_hypotheses);
    return json_build_object(
        'universe_digest', encode(v_universe.p_universe_digest, 'hex'),
        'n_hypotheses', v_universe.p_n_hypotheses
    );
end
$$;

ALTER FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea) IS 'Store a set of hypotheses without declaring a session. Raises MB201, MB203.';

CREATE FUNCTION cmbs.remove_analyst(p_name text) RETURNS void
    LANGUAGE plpgsql
    SET search_path TO 'pg_catalog', 'pg_temp'
    AS $$
begin
    -- An analyst is a login that is of this one role.
    if not exists (
        select
        from pg_roles as r
        inner join pg_auth_members as m on m.member = r.oid
        where r.rolname = p_name and r.rolcanlogin
        group by r.oid
        having bool_and(m.roleid = 'cmbs_analyst'::regrole)
    ) then
        raise exception using
            errcode = 'undefined_object',
            message = 'There is no analyst of this name.',
            detail = json_build_object('name', p_name)::text,
            hint = 'A login that is of other roles too is not removed here.';
    end if;
    -- Whoever made the login may give himself its rights, and needs them to drop what it owns.
    if not pg_has_role(p_name, 'usage') then
        execute format('grant %I to %I', p_name, current_user);
    end if;
    execute format('drop owned by %I', p_name);
    begin
        execute format('drop role %I', p_name);
    exception
        when dependent_objects_still_exist then
            execute format('alter role %I nologin', p_name);
            execute format('revoke cmbs_analyst from %I', p_name);
    end;
end
$$;

ALTER FUNCTION cmbs.remove_analyst(p_name text) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs.remove_analyst(p_name text) IS 'Drop the login of an analyst. For administrators.';

CREATE FUNCTION cmbs.request_exit(p_session_id uuid, p_obligation_id text, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'request_exit', '{agent}');
    v_context text := coalesce(cmbs_store.free_object('context', p_context), '{}');
    v_approved boolean;
    v_content jsonb;
    v_session cmbs_store.session;
    v_entered_seq bigint;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('obligation_id', p_obligation_id);
    v_content := jsonb_build_object('obligation_id', p_obligation_id);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_message(
        p_session_id, p_request_id, 'REQUEST_EXIT', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    perform cmbs_store.check_active(v_session, p_obligation_id);

    v_entered_seq := v_session.obligation_seq;
    v_approved := v_session.obligation_survivors - v_session.n_survivors
        >= v_session.obligation_minimum;
    v_content := cmbs_store.with_request_id(v_content, p_request_id) || jsonb_build_object(
        'context', v_context::jsonb,
        'approved', v_approved,
        'reason', case when v_approved then 'approved' else 'minimum eliminations not met' end
    );
    if v_approved then
        v_session := cmbs_store.without_obligation(v_session);
    end if;
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'REQUEST_EXIT', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    if v_approved then
        insert into cmbs_store.obligation_end (
            session_id, entered_seq, ended_seq, outcome, survivors_at_end
        )
        values (
            p_session_id, v_entered_seq, v_session.audit_seq, 'exited', v_session.n_survivors
        );
    end if;
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

ALTER FUNCTION cmbs.request_exit(p_session_id uuid, p_obligation_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.request_exit(p_session_id uuid, p_obligation_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Ask to leave the active obligation; approved or denied, the answer is audited. Raises MB001, MB002, MB101, MB102, MB103, MB201, MB203.';

CREATE FUNCTION cmbs.request_termination(p_session_id uuid, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'request_termination', '{agent}'
    );
    v_context jsonb := coalesce(cmbs_store.free_object('context', p_context), '{}')::jsonb;
    v_content jsonb;
    v_session cmbs_store.session;
    v_reason text;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_message(
        p_session_id, p_request_id, 'REQUEST_TERMINATION', '{}'
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);

    v_reason := cmbs_store.termination_reason(
        v_session.obligation_id is not null,
        v_session.n_survivors,
        v_session.conclusion_run >= v_session.stability_window,
        coalesce(v_context -> 'force' = 'true', false),
        v_session.allow_forced_termination
    );
    v_session.is_terminated := v_reason in ('approved', 'approved by force');
    v_content := cmbs_store.with_request_id(
        jsonb_build_object(
            'context', v_context, 'approved', v_session.is_terminated, 'reason', v_reason
        ),
        p_request_id
    );
    v_session := cmbs_store.append_event(
        v_session, v_session.survivors_hash, 'REQUEST_TERMINATION', v_caller.name,
        null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    if v_session.is_terminated then
        perform cmbs_store.note_closed(p_session_id, null, null);
    end if;
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

ALTER FUNCTION cmbs.request_termination(p_session_id uuid, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.request_termination(p_session_id uuid, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Ask to end the session; approved or denied, the answer is audited. Raises MB001, MB101, MB102, MB103, MB201, MB203.';

CREATE FUNCTION cmbs.resume(p_session_id uuid, p_proposal_id uuid, p_proposal json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'resume', '{agent, encoder, tool}'
    );
    v_sent jsonb := cmbs_store.free_object('proposal', coalesce(p_proposal, '{}'))::jsonb;
    v_request_id text := coalesce(p_request_id, v_sent ->> 'idempotency_key');
    v_items jsonb;
    v_session cmbs_store.session;
    v_asked cmbs_store.audit_event;
    v_recorded record;
begin
    perform cmbs_store.check_envelope(p_session_id, v_request_id, p_notes);
    v_items := cmbs_store.checked_resume(v_sent, p_request_id);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_asked := cmbs_store.read_event(p_session_id, p_proposal_id);
    v_recorded := cmbs_store.recorded_resume(
        v_session, v_request_id, v_caller.name, v_asked.seq, v_items
    );
    if v_recorded.p_payload is not null then
        return cmbs_store.response(
            cmbs_store.proposal_outcome(v_recorded.p_payload, v_recorded.p_event_id, true),
            v_session, p_minimal
        );
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    return cmbs_store.answered_proposal(
        v_session, v_caller.name,
        cmbs_store.with_request_id(
            cmbs_store.resume_given(v_session, v_caller, v_asked, v_items, v_sent), v_request_id
        ),
        p_notes, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.resume(p_session_id uuid, p_proposal_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.resume(p_session_id uuid, p_proposal_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Go on with a proposal that people were asked about. Raises MB001, MB003, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.revision(p_credential bytea DEFAULT NULL::bytea) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
begin
    -- Whether a server is ready, anybody may ask; a token that is shown has to be one all the same.
    if p_credential is not null then
        perform cmbs_store.authorize(p_credential, 'revision', null);
    end if;
    return (select r.version_num from cmbs_store.revision as r);
end
$$;

ALTER FUNCTION cmbs.revision(p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.revision(p_credential bytea) IS 'The revision of the schema.';

CREATE FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'revoke_token', '{admin}'
    );
    v_token cmbs_store.api_token;
    v_is_new boolean;
begin
    perform cmbs_store.lock_token(v_caller, p_token_id);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'revoke_token', '{admin}');
    v_token := cmbs_store.find_token(v_caller, p_token_id);
    v_is_new := v_token.revoked_at is null;
    if v_is_new then
        v_token := cmbs_store.end_token(v_caller, v_token);
    end if;
    return cmbs_store.token_json(v_token) || jsonb_build_object('duplicate', not v_is_new);
end
$$;

ALTER FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea) IS 'Revoke a token. Raises MB006, MB201, MB302.';

CREATE FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'rotate_token', '{admin}'
    );
    v_old cmbs_store.api_token;
    v_new cmbs_store.api_token;
begin
    perform cmbs_store.check_token(p_digest, p_prefix, null, p_expires_at);
    perform cmbs_store.lock_token(v_caller, p_token_id);
    -- Who was shut out while this waited may change nothing any more.
    perform cmbs_store.authorize(p_credential, 'rotate_token', '{admin}');
    v_old := cmbs_store.find_token(v_caller, p_token_id);
    perform cmbs_store.check_scope(p_credential, v_old.verbs);
    if v_old.revoked_at is not null then
        raise exception using
            errcode = 'MB102',
            message = 'The token is revoked.',
            detail = json_build_object('token_id', p_token_id)::text,
            hint = 'Create a new token for the principal.';
    end if;
    v_new := cmbs_store.new_token(
        v_caller, cmbs_store.find_principal(v_old.name, v_old.tenant), p_digest, p_prefix,
        v_old.verbs, v_old.scope_tenant,
        coalesce(
            p_expires_at,
            least(
                cmbs_store.clock() + (v_old.expires_at - v_old.created_at),
                '9999-12-31 00:00:00+00'
            )
        ),
        p_token_id
    );
    perform cmbs_store.end_token(v_caller, v_old);
    return cmbs_store.token_json(v_new) || jsonb_build_object('replaces', p_token_id);
end
$$;

ALTER FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone, p_credential bytea) IS 'Put a new token in the place of an old one. Raises MB006, MB102, MB201, MB302.';

CREATE FUNCTION cmbs.schema_register(p_schema_id text, p_document json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'schema_register', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_document text := cmbs_store.checked_schema('document', p_document);
    v_hash bytea := cmbs_store.digest_v1(v_document);
    v_is_new boolean;
    v_known bytea;
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_id('schema_id', p_schema_id);
    if exists (
        select
        from cmbs_store.json_schema as s
        where s.schema_id = p_schema_id
            and s.tenant <> v_tenant
            and '*' in (s.tenant, v_tenant)
    ) then
        raise exception using
            errcode = 'MB102',
            message = 'This schema id is taken.',
            detail = json_build_object('schema_id', p_schema_id)::text,
            hint = 'A schema of all tenants and one of a tenant may not share an id; take another.';
    end if;
    insert into cmbs_store.schema_document (schema_hash, document)
    values (v_hash, v_document)
    on conflict (schema_hash) do nothing;
    insert into cmbs_store.json_schema (
        tenant, schema_id, schema_hash, registered_at, registered_by
    )
    values (v_tenant, p_schema_id, v_hash, cmbs_store.clock(), v_caller.name)
    on conflict (tenant, schema_id) do nothing;
    v_is_new := found;
    select s.schema_hash
    into strict v_known
    from cmbs_store.json_schema as s
    where s.tenant = v_tenant and s.schema_id = p_schema_id;
    if v_known <> v_hash then
        raise exception using
            errcode = 'MB102',
            message = 'This schema id was registered with another document.',
            detail = json_build_object(
                'schema_id', p_schema_id, 'schema_hash', encode(v_known, 'hex')
            )::text,
            hint = 'Register the new document under a new id.';
    end if;
    return json_build_object(
        'schema_id', p_schema_id, 'schema_hash', encode(v_hash, 'hex'), 'duplicate', not v_is_new
    );
end
$$;

ALTER FUNCTION cmbs.schema_register(p_schema_id text, p_document json, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.schema_register(p_schema_id text, p_document json, p_tenant text, p_credential bytea) IS 'Register a JSON Schema under an id, for ever; policy role only. Raises MB102, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.set_mode(p_session_id uuid, p_mode text, p_reason text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'set_mode', '{policy}');
    v_content jsonb := jsonb_build_object('mode', p_mode, 'reason', coalesce(p_reason, ''));
    v_session cmbs_store.session;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    if not exists (select from cmbs_store.modes() as m where m.mode = p_mode) then
        perform cmbs_store.refuse_request(
            'mode', 'must be boost, normal, eco, thermal or offline_safe'
        );
    elsif octet_length(p_reason) > 4096 then
        perform cmbs_store.refuse_size('reason', '4 KiB');
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_message(p_session_id, p_request_id, 'SET_MODE', v_content);
    if v_outcome is null then
        perform cmbs_store.check_open(v_session, p_expected_head);
        v_content := cmbs_store.with_request_id(v_content, p_request_id);
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'SET_MODE', v_caller.name,
            null, null, p_request_id, p_notes, v_content::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'SET_MODE', v_content
        );
        v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    end if;
    return cmbs_store.response(
        format('"mode": "%s", %s', p_mode, v_outcome), v_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.set_mode(p_session_id uuid, p_mode text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.set_mode(p_session_id uuid, p_mode text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Set the mode of a session; for the policy role. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'set_policy_defaults', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_policy cmbs_store.policy_default;
begin
    if p_policy is null then
        perform cmbs_store.refuse_request('policy', 'must be a JSON object');
    end if;
    loop
        v_policy := cmbs_store.resolve_policy(
            v_tenant, cmbs_store.free_object('policy', p_policy)::jsonb
        );
        insert into cmbs_store.policy_default (
            tenant, default_no, validate_hypotheses, allow_forced_termination, stability_window,
            set_at, set_by
        )
        values (
            v_tenant, v_policy.default_no + 1, v_policy.validate_hypotheses,
            v_policy.allow_forced_termination, v_policy.stability_window,
            cmbs_store.clock(), v_caller.name
        )
        on conflict (tenant, default_no) do nothing;
        exit when found;
    end loop;
    return json_build_object(
        'stability_window', v_policy.stability_window,
        'validate_hypotheses', v_policy.validate_hypotheses,
        'allow_forced_termination', v_policy.allow_forced_termination
    );
end
$$;

ALTER FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text, p_credential bytea) IS 'Change the policy defaults for new sessions; policy role only. Raises MB201, MB203, MB302.';

CREATE FUNCTION cmbs.set_webhook(p_url text, p_secret text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $_$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'set_webhook', '{admin}');
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    perform cmbs_store.check_writable();
    if octet_length(p_url) > 2048 then
        perform cmbs_store.refuse_size('url', '2 KiB');
    elsif p_url !~ '^https?://[^[:space:][:cntrl:]/?#@]+([/?][^[:space:][:cntrl:]#]*)?$' then
        perform cmbs_store.refuse_request(
            'url', 'must be an http or https address without a user, a fragment or spaces'
        );
    elsif octet_length(p_secret) > 512 then
        perform cmbs_store.refuse_size('secret', '512 bytes');
    elsif p_url is not null and coalesce(length(p_secret), 0) < 24 then
        perform cmbs_store.refuse_request('secret', 'must have 24 characters or more');
    end if;
    loop
        insert into cmbs_store.webhook (tenant, webhook_no, url, secret, set_at, set_by)
        select
            v_tenant, coalesce(max(w.webhook_no), 0) + 1, p_url,
            case when p_url is not null then p_secret end, cmbs_store.clock(), v_caller.name
        from cmbs_store.webhook as w
        where w.tenant = v_tenant
        on conflict (tenant, webhook_no) do nothing;
        exit when found;
    end loop;
    return json_build_object('tenant', v_tenant, 'url', p_url);
end
$_$;

ALTER FUNCTION cmbs.set_webhook(p_url text, p_secret text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.set_webhook(p_url text, p_secret text, p_tenant text, p_credential bytea) IS 'Tell a URL of questions and their answers, or nobody; for administrators. Raises MB201, MB302.';

CREATE FUNCTION cmbs.settle_webhook(p_session_id uuid, p_message_id uuid, p_error text DEFAULT NULL::text, p_is_gone boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_now timestamptz := cmbs_store.clock();
    v_state text;
begin
    perform cmbs_store.authorize_upkeep(p_credential, 'settle_webhook', '{admin}');
    update cmbs_store.webhook_message as m
    set
        state = case
            when p_error is null then 'delivered'
            when p_is_gone or m.n_attempts >= 12 then 'dead'
            else 'pending'
        end,
        last_error = left(p_error, 500),
        next_at = case
            when p_error is null or p_is_gone then m.next_at
            else v_now + least(5 * 4 ^ (m.n_attempts - 1), 28800) * interval '1 second'
        end
    where m.session_id = p_session_id and m.message_id = p_message_id and m.state = 'pending'
    returning m.state into v_state;
    return json_build_object('message_id', p_message_id, 'state', v_state);
end
$$;

ALTER FUNCTION cmbs.settle_webhook(p_session_id uuid, p_message_id uuid, p_error text, p_is_gone boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.settle_webhook(p_session_id uuid, p_message_id uuid, p_error text, p_is_gone boolean, p_credential bytea) IS 'Tell what came of the delivery of a message of the outbox, for the server. Raises MB201, MB203.';

CREATE FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid DEFAULT NULL::uuid, p_include_policy boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'state_at', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_pin cmbs_store.policy_pin;
begin
    if p_as_of is not null then
        v_session := cmbs_store.session_as_of(v_session, p_as_of);
    end if;
    v_pin := cmbs_store.policy_in_force(v_session);
    return format(
        '{"state_snapshot_id": "%s", "audit_seq": %s, "f_sparse": %s, "s_core": %s, '
        '"pack": {"pack": %s, "version": %s, "policy_hash": "%s"}%s}',
        v_session.audit_head_event_id,
        v_session.audit_seq,
        cmbs_store.f_sparse_at(p_session_id, v_session.audit_seq),
        coalesce(
            to_json(cmbs_store.s_core_at(p_session_id, v_session.audit_seq))::text, 'null'
        ),
        to_json(v_pin.pack), v_pin.version, encode(v_pin.policy_hash, 'hex'),
        case
            when p_include_policy
                then ', "policy": ' || cmbs_store.policy_entries(v_pin.policy_hash)::text
        end
    )::json;
end
$$;

ALTER FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid, p_include_policy boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid, p_include_policy boolean, p_credential bytea) IS 'The state of a session beside its belief, now or as of an event. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize_upkeep(
        p_credential, 'sweep_expired', '{agent, encoder, tool, policy}'
    );
    v_session cmbs_store.session;
    v_at timestamptz;
    v_permits uuid[] := array[]::uuid[];
    v_tried record;
begin
    perform cmbs_store.check_envelope(p_session_id, null, null);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    if not v_session.is_terminated then
        v_at := greatest(cmbs_store.clock(), v_session.audit_head_at);
        v_permits := cmbs_store.expired_permits(v_session, v_at);
    end if;
    if cardinality(v_permits) > 0 then
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'SWEEP_EXPIRED', v_caller.name,
            null, null, null, null, jsonb_build_object(
                'decided_at', cmbs_store.timestamp_v1(v_at), 'permits', v_permits
            )::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'SWEEP_EXPIRED',
            jsonb_build_object('permits', v_permits)
        );
    end if;
    if not v_session.is_terminated then
        v_tried := cmbs_store.retry_deferred(v_session, v_caller.name, v_at);
        v_session := v_tried.p_session;
    end if;
    return json_build_object(
        'session_id', p_session_id,
        'n_released', cardinality(v_permits),
        'n_tried', coalesce(v_tried.p_n_tries, 0),
        'audit_head_event_id', v_session.audit_head_event_id
    );
end
$$;

ALTER FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea) IS 'Release permits that ran out, and try again deferred proposals that have waited. Raises MB001, MB201, MB302.';

CREATE FUNCTION cmbs.take_webhooks(p_limit integer DEFAULT 20, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_now timestamptz := cmbs_store.clock();
    v_taken json;
begin
    perform cmbs_store.authorize_upkeep(p_credential, 'take_webhooks', '{admin}');
    perform cmbs_store.check_limit(p_limit, 100);
    with due as (
        select m.session_id, m.message_id
        from cmbs_store.webhook_message as m
        where m.state = 'pending' and m.next_at <= v_now
        order by m.next_at
        limit p_limit
        for update skip locked
    ),
    taken as (
        update cmbs_store.webhook_message as m
        set next_at = v_now + interval '1 minute', n_attempts = m.n_attempts + 1
        from due as d
        where m.session_id = d.session_id and m.message_id = d.message_id
        returning m.*
    )
    select json_agg(json_build_object(
        'session_id', t.session_id, 'message_id', t.message_id,
        'url', w.url, 'secret', w.secret,
        'body', json_build_object(
            'type', t.event,
            'timestamp', cmbs_store.timestamp_v1(t.created_at),
            'data', cmbs_store.interrupt_json(s, i, v_now)
        )::text
    ))
    into v_taken
    from taken as t
    inner join cmbs_store.session as s on s.session_id = t.session_id
    inner join cmbs_store.interrupt as i
        on i.session_id = t.session_id and i.interrupt_id = t.interrupt_id
    cross join lateral cmbs_store.webhook_in_force(t.tenant) as w;
    return json_build_object('messages', coalesce(v_taken, '[]'));
end
$$;

ALTER FUNCTION cmbs.take_webhooks(p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.take_webhooks(p_limit integer, p_credential bytea) IS 'Take messages of the outbox to deliver them, for the server. Raises MB201.';

CREATE FUNCTION cmbs.tenant(p_credential bytea DEFAULT NULL::bytea) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'tenant', null);
begin
    return v_caller.tenant;
end
$$;

ALTER FUNCTION cmbs.tenant(p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.tenant(p_credential bytea) IS 'Whose sessions and spaces the caller sees. Raises MB301, MB302.';

CREATE FUNCTION cmbs.token_attenuate(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'token_attenuate', '{agent, encoder, tool, policy}'
    );
    v_grant jsonb := cmbs_store.checked_grant(p_grant, cmbs_store.clock());
    v_session cmbs_store.session;
    v_parent cmbs_store.capability_token;
    v_answer json;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    if (p_grant::jsonb ->> 'parent')::uuid <> p_parent_id then
        perform cmbs_store.refuse_request('parent', 'must be the token that it is made from');
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_parent := cmbs_store.capability(v_session, p_parent_id);
    perform cmbs_store.check_holder(v_caller, v_parent);
    if v_grant ->> 'expires_at' is null then
        v_grant := v_grant || jsonb_build_object(
            'expires_at', cmbs_store.timestamp_v1(v_parent.expires_at)
        );
    end if;
    v_answer := cmbs_store.recorded_issue(
        v_session, p_request_id,
        v_grant - 'valid_from' || jsonb_build_object('parent_id', p_parent_id), p_minimal
    );
    if v_answer is not null then
        return v_answer;
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    return cmbs_store.issue_capability(
        v_session, v_caller, v_parent, v_grant, p_request_id, p_notes, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.token_attenuate(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.token_attenuate(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Make a narrower capability token from one that the caller holds. Raises MB001, MB006, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.token_issue(p_session_id uuid, p_grant json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'token_issue', '{policy}');
    v_grant jsonb := cmbs_store.checked_grant(p_grant, cmbs_store.clock());
    v_session cmbs_store.session;
    v_answer json;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    if v_grant ->> 'expires_at' is null then
        perform cmbs_store.refuse_request('expires_at', 'must be a time: no token is for ever');
    elsif p_grant::jsonb ->> 'parent' is not null then
        perform cmbs_store.refuse_request('parent', 'tokens are made from others by attenuation');
    end if;
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_answer := cmbs_store.recorded_issue(
        v_session, p_request_id, v_grant - 'valid_from' || '{"parent_id": null}', p_minimal
    );
    if v_answer is not null then
        return v_answer;
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    return cmbs_store.issue_capability(
        v_session, v_caller, null, v_grant, p_request_id, p_notes, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.token_issue(p_session_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.token_issue(p_session_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Issue a capability token, which lets its holder propose; policy role only. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.token_revoke(p_session_id uuid, p_token_id uuid, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'token_revoke', '{agent, encoder, tool, policy}'
    );
    v_session cmbs_store.session;
    v_payload jsonb := jsonb_build_object('token_id', p_token_id);
    v_event_id uuid;
    v_is_new boolean;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    perform cmbs_store.check_holder(v_caller, cmbs_store.capability(v_session, p_token_id));
    perform cmbs_store.recorded_message(p_session_id, p_request_id, 'TOKEN_REVOKE', v_payload);
    select e.event_id
    into v_event_id
    from cmbs_store.capability_revocation as r
    inner join cmbs_store.audit_event as e
        on e.session_id = r.session_id and e.seq = r.seq
    where r.session_id = p_session_id and r.token_id = p_token_id;
    v_is_new := not found;
    if v_is_new then
        perform cmbs_store.check_open(v_session, p_expected_head);
        v_payload := cmbs_store.with_request_id(v_payload, p_request_id);
        v_session := cmbs_store.append_event(
            v_session, v_session.survivors_hash, 'TOKEN_REVOKE', v_caller.name,
            null, null, p_request_id, p_notes, v_payload::text, '[]'
        );
        perform cmbs_store.project_event(
            p_session_id, v_session.audit_seq, v_caller.name, 'TOKEN_REVOKE', v_payload
        );
        v_event_id := v_session.audit_head_event_id;
    end if;
    return cmbs_store.response(
        format(
            '"token_id": "%s", "audit_event_id": "%s", "duplicate": %s',
            p_token_id, v_event_id, (not v_is_new)::text
        ),
        v_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs.token_revoke(p_session_id uuid, p_token_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.token_revoke(p_session_id uuid, p_token_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Let a capability token, and all that were made from it, count no more. Raises MB001, MB006, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.tool_register(p_tool_id text, p_definition json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'tool_register', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_definition text;
    v_hash bytea;
begin
    perform cmbs_store.check_writable();
    v_definition := cmbs_store.checked_tool(p_definition, v_tenant)::text;
    v_hash := cmbs_store.digest_v1(v_definition);
    perform cmbs_store.check_id('tool_id', p_tool_id);
    insert into cmbs_store.tool_definition (tool_hash, definition)
    values (v_hash, v_definition)
    on conflict (tool_hash) do nothing;
    return cmbs_store.registered_tool(v_tenant, p_tool_id, v_hash, v_caller.name);
end
$$;

ALTER FUNCTION cmbs.tool_register(p_tool_id text, p_definition json, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.tool_register(p_tool_id text, p_definition json, p_tenant text, p_credential bytea) IS 'Register a tool, or another definition of it; policy role only. Raises MB009, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.tool_withdraw(p_tool_id text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'tool_withdraw', '{policy}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    perform cmbs_store.check_writable();
    if not exists (
        select
        from cmbs_store.tool_registration as t
        where t.tenant = v_tenant and t.tool_id = p_tool_id
    ) then
        perform cmbs_store.refuse_lookup('tool', json_build_object('tool_id', p_tool_id));
    end if;
    return cmbs_store.registered_tool(v_tenant, p_tool_id, null, v_caller.name);
end
$$;

ALTER FUNCTION cmbs.tool_withdraw(p_tool_id text, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.tool_withdraw(p_tool_id text, p_tenant text, p_credential bytea) IS 'Withdraw a tool: nobody may call it any more; policy role only. Raises MB008, MB201, MB302.';

CREATE FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'verify', null);
    v_result record;
begin
    -- Only for who sees every tenant: whose a log without its session was, nobody can tell.
    if v_caller.tenant <> '*' or not exists (
        select from cmbs_store.audit_event as e where e.session_id = p_session_id
    ) then
        perform cmbs_store.read_session(p_session_id, v_caller.tenant);
    end if;
    v_result := cmbs_store.verify_session(p_session_id, null, '{}');
    return json_build_object(
        'ok', v_result.p_seq is null,
        'rows_checked', v_result.p_rows,
        'head_hash', encode(v_result.p_head_hash, 'hex'),
        'first_bad', case
            when v_result.p_seq is not null
                then json_build_object('seq', v_result.p_seq, 'reason', v_result.p_reason)
        end
    );
end
$$;

ALTER FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea) IS 'Recompute a session from its log alone and compare with what is stored. Raises MB001, MB201.';

CREATE FUNCTION cmbs.verify_all(p_credential bytea DEFAULT NULL::bytea) RETURNS TABLE(session_id uuid, ok boolean, rows_checked bigint, first_bad_seq bigint, reason text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'verify_all', null);
    v_listed record;
    v_known_universe bytea;
    v_known_policies bytea[] := '{}'::bytea[];
    v_found record;
begin
    for v_listed in
        select i.session_id, s.universe_digest
        from (
            select a.session_id from cmbs_store.session as a
            union
            select e.session_id from cmbs_store.audit_event as e
        ) as i
        left join cmbs_store.session as s on s.session_id = i.session_id
        where v_caller.tenant in ('*', s.tenant)
        order by s.universe_digest, i.session_id
    loop
        v_found := cmbs_store.verify_session(
            v_listed.session_id, v_known_universe, v_known_policies
        );
        v_known_policies := v_found.p_policies;
        if v_found.p_seq is null then
            v_known_universe := v_listed.universe_digest;
        end if;
        session_id := v_listed.session_id;
        ok := v_found.p_seq is null;
        rows_checked := v_found.p_rows;
        first_bad_seq := v_found.p_seq;
        reason := v_found.p_reason;
        return next;
    end loop;
end
$$;

ALTER FUNCTION cmbs.verify_all(p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.verify_all(p_credential bytea) IS 'Verify every session; one row each.';

CREATE FUNCTION cmbs.verify_identities(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_nestloop TO 'off'
    SET jit TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'verify_identities', '{admin, auditor}'
    );
begin
    return (
        select json_build_object(
            'ok', coalesce(bool_and(f.p_seq is null), true),
            'tenants', coalesce(
                json_agg(
                    json_build_object(
                        'tenant', l.tenant,
                        'ok', f.p_seq is null,
                        'rows_checked', f.p_rows,
                        'head_hash', encode(f.p_head_hash, 'hex'),
                        'first_bad', case
                            when f.p_seq is not null
                                then json_build_object('seq', f.p_seq, 'reason', f.p_reason)
                        end
                    )
                    order by l.tenant
                ),
                '[]'
            )
        )
        from (
            select '*' as tenant
            union
            select h.tenant from cmbs_store.identity_head as h
            union
            select e.tenant from cmbs_store.identity_event as e
            union
            select p.tenant from cmbs_store.principal as p
            union
            select t.tenant from cmbs_store.api_token as t
        ) as l
        cross join lateral cmbs_store.identity_fault(l.tenant) as f
        where v_caller.tenant in ('*', l.tenant)
    );
end
$$;

ALTER FUNCTION cmbs.verify_identities(p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.verify_identities(p_credential bytea) IS 'Recompute the logs of identities and compare with what is stored. Raises MB302.';

CREATE FUNCTION cmbs.waive_obligation(p_session_id uuid, p_obligation_id text, p_reason text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'waive_obligation', '{policy}'
    );
    v_content jsonb;
    v_session cmbs_store.session;
    v_entered_seq bigint;
    v_outcome text;
begin
    perform cmbs_store.check_envelope(p_session_id, p_request_id, p_notes);
    perform cmbs_store.check_id('obligation_id', p_obligation_id);
    if not cmbs_store.is_id(p_reason, 4096) then
        perform cmbs_store.refuse_request('reason', 'must be text of 1 to 4096 bytes');
    end if;
    v_content := jsonb_build_object(
        'obligation_id', p_obligation_id, 'waive_reason', p_reason
    );
    v_session := cmbs_store.lock_session(p_session_id, v_caller.tenant);
    v_outcome := cmbs_store.recorded_message(
        p_session_id, p_request_id, 'WAIVE_OBLIGATION', v_content
    );
    if v_outcome is not null then
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;
    perform cmbs_store.check_open(v_session, p_expected_head);
    perform cmbs_store.check_active(v_session, p_obligation_id);

    v_entered_seq := v_session.obligation_seq;
    v_content := cmbs_store.with_request_id(v_content, p_request_id) || jsonb_build_object(
        'approved', true, 'reason', 'waived'
    );
    v_session := cmbs_store.append_event(
        cmbs_store.without_obligation(v_session), v_session.survivors_hash, 'WAIVE_OBLIGATION',
        v_caller.name, null, null, p_request_id, p_notes, v_content::text, '[]'
    );
    insert into cmbs_store.obligation_end (
        session_id, entered_seq, ended_seq, outcome, survivors_at_end
    )
    values (p_session_id, v_entered_seq, v_session.audit_seq, 'waived', v_session.n_survivors);
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

ALTER FUNCTION cmbs.waive_obligation(p_session_id uuid, p_obligation_id text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.waive_obligation(p_session_id uuid, p_obligation_id text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'End the active obligation although it is not met; policy role only. Raises MB001, MB002, MB101, MB102, MB103, MB201, MB203, MB302.';

CREATE FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text DEFAULT NULL::text, p_without_observation text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'whatif', null);
    v_limit integer;
    v_session cmbs_store.session;
    v_removed bigint;
    v_orphans record;
    v_then record;
    v_instead cmbs_store.session;
    v_returning text[];
    v_known record;
begin
    v_limit := cmbs_store.page_limit(p_limit);
    if p_without_source is not null or p_without_observation is null then
        perform cmbs_store.check_id('without_source', p_without_source);
    end if;
    if p_without_observation is not null then
        perform cmbs_store.check_id('without_observation', p_without_observation);
    end if;
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_removed := cmbs_store.removed_without(p_session_id, p_without_source, p_without_observation);
    v_orphans := cmbs_store.orphans(p_session_id, p_without_source, p_without_observation);
    v_then := cmbs_store.flips_without(
        v_session, p_without_source, p_without_observation, v_orphans.p_seqs, v_limit
    );
    v_instead := v_then.p_state;
    v_returning := cmbs_store.returning_without(
        v_session, v_then.p_ended_seq, v_orphans.p_ids, v_orphans.p_seqs
    );
    v_known := cmbs_store.ranks(v_session.universe_digest, v_returning);
    v_instead.survivors_hash := cmbs_store.survivors_hash_v1(
        v_session.universe_digest,
        cmbs_store.set_ranks(cmbs_store.whole_mask(v_session), v_known.p_ranks)
    );
    return format(
        '{"session_id": "%s", "audit_head_event_id": "%s", "without_source": %s, '
        '"without_observation": %s, "removed": %s, "refused": %s, "recorded": {%s}, '
        '"instead": {%s}, "n_returning": %s, "returning": %s, "n_gates": %s, "n_flips": %s, '
        '"flips": [%s]}',
        p_session_id,
        v_session.audit_head_event_id,
        coalesce(to_json(p_without_source)::text, 'null'),
        coalesce(to_json(p_without_observation)::text, 'null'),
        v_removed,
        v_then.p_n_refused,
        cmbs_store.standing(v_session),
        cmbs_store.standing(v_instead),
        cardinality(v_returning),
        to_jsonb(v_returning),
        v_then.p_n_gates,
        v_then.p_n_flips,
        array_to_string(v_then.p_flips, ', ')
    )::json;
end
$$;

ALTER FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text, p_without_observation text, p_limit integer, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text, p_without_observation text, p_limit integer, p_credential bytea) IS 'What would have been answered without some messages. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET standard_conforming_strings TO 'on'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'why', null);
    v_why record;
begin
    perform cmbs_store.check_id('hypothesis_id', p_hypothesis_id);
    v_why := cmbs_store.why_gone(
        cmbs_store.read_session(p_session_id, v_caller.tenant), p_hypothesis_id
    );
    return v_why.p_answer::json;
end
$$;

ALTER FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea) IS 'The event that eliminated a hypothesis. Raises MB001, MB201, MB202.';

CREATE TABLE cmbs_store.session (
    session_id uuid NOT NULL,
    declared_at timestamp with time zone NOT NULL,
    universe_digest bytea NOT NULL,
    n_hypotheses integer NOT NULL,
    stability_window integer NOT NULL,
    validate_hypotheses boolean NOT NULL,
    allow_forced_termination boolean NOT NULL,
    hypothesis_space_id text NOT NULL COLLATE pg_catalog."C",
    ontology text NOT NULL COLLATE pg_catalog."C",
    policy_as_sent text COLLATE pg_catalog."C",
    audit_seq bigint NOT NULL,
    audit_head_event_id uuid NOT NULL,
    audit_head_hash bytea NOT NULL,
    audit_head_at timestamp with time zone NOT NULL,
    survivors_hash bytea NOT NULL,
    n_survivors integer NOT NULL,
    is_terminated boolean NOT NULL,
    mask bytea,
    obligation_seq bigint,
    obligation_id text COLLATE pg_catalog."C",
    obligation_minimum bigint,
    obligation_survivors integer,
    conclusion_id text COLLATE pg_catalog."C",
    conclusion_run integer NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='50');

ALTER TABLE cmbs_store.session OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.session IS 'session: the one row that every verb locks; what was declared, and the current state.';

CREATE FUNCTION cmbs_store.accepted_conclusion(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select c.conclusion_id
    from cmbs_store.conclusion as c
    where c.session_id = p_session.session_id
        and c.seq <= p_session.audit_seq
        and c.is_accepted
    order by c.seq desc
    limit 1
$$;

ALTER FUNCTION cmbs_store.accepted_conclusion(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.accepted_conclusion(p_session cmbs_store.session) IS 'The last accepted conclusion, as of an event.';

CREATE FUNCTION cmbs_store.active_obligation(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '{"obligation_id": %s, "min_total_eliminations": %s, '
        '"eliminated_since_entry": %s, "satisfiable": %s}',
        to_json(p_session.obligation_id),
        p_session.obligation_minimum,
        p_session.obligation_survivors - p_session.n_survivors,
        (p_session.obligation_minimum <= p_session.obligation_survivors)::text
    )
$$;

ALTER FUNCTION cmbs_store.active_obligation(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.active_obligation(p_session cmbs_store.session) IS 'The active obligation of a session that has one, as JSON text.';

CREATE FUNCTION cmbs_store.altered_content(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE
    AS $_$
    select e.seq
    from cmbs_store.audit_event as e
    cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
    cross join lateral jsonb_each_text(
        case when jsonb_typeof(p.payload -> 'tools') = 'object' then p.payload -> 'tools' end
    ) as n (id, hash)
    inner join cmbs_store.tool_definition as t
        on t.tool_hash = decode(case when n.hash ~ '^[0-9a-f]{64}$' then n.hash end, 'hex')
    where e.session_id = p_session_id
        and e.verb in ('PROPOSE', 'RECORD_CLAIM', 'POLICY_APPLY')
        and t.tool_hash <> cmbs_store.digest_v1(t.definition)
    union all
    select e.seq
    from cmbs_store.audit_event as e
    cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
    cross join lateral jsonb_each_text(
        case when jsonb_typeof(p.payload -> 'schemas') = 'object' then p.payload -> 'schemas' end
    ) as n (id, hash)
    inner join cmbs_store.schema_document as d
        on d.schema_hash = decode(case when n.hash ~ '^[0-9a-f]{64}$' then n.hash end, 'hex')
    where e.session_id = p_session_id
        and e.verb in ('PROPOSE', 'RECORD_CLAIM', 'POLICY_APPLY')
        and d.schema_hash <> cmbs_store.digest_v1(d.document)
$_$;

ALTER FUNCTION cmbs_store.altered_content(p_session_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.altered_content(p_session_id uuid) IS 'The events that name a tool or schema whose content is not that of its hash.';

CREATE FUNCTION cmbs_store.announce(p_session cmbs_store.session, p_event text, p_interrupt_ids uuid[]) RETURNS void
    LANGUAGE sql
    AS $$
    insert into cmbs_store.webhook_message (
        session_id, message_id, tenant, event, interrupt_id, created_at,
        state, n_attempts, next_at
    )
    select
        p_session.session_id, cmbs_store.random_id(), p_session.tenant, p_event, i.interrupt_id,
        p_session.audit_head_at, 'pending', 0, p_session.audit_head_at
    from cmbs_store.webhook_in_force(p_session.tenant) as w
    cross join unnest(p_interrupt_ids) as i (interrupt_id)
    where w.url is not null
$$;

ALTER FUNCTION cmbs_store.announce(p_session cmbs_store.session, p_event text, p_interrupt_ids uuid[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.announce(p_session cmbs_store.session, p_event text, p_interrupt_ids uuid[]) IS 'Put into the outbox that something happened to questions, if somebody is to be told.';

CREATE FUNCTION cmbs_store.announce_questions(p_session cmbs_store.session, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $_$
begin
    if jsonb_path_exists(p_payload, '$.items[*] ? (exists (@.interrupt_id))') then
        perform cmbs_store.announce(p_session, 'interrupt.opened', array(
            select (i.item ->> 'interrupt_id')::uuid
            from jsonb_array_elements(p_payload -> 'items') as i (item)
            where i.item ? 'interrupt_id'
        ));
    end if;
end
$_$;

ALTER FUNCTION cmbs_store.announce_questions(p_session cmbs_store.session, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.announce_questions(p_session cmbs_store.session, p_payload jsonb) IS 'Put into the outbox which questions a proposal opened, if somebody is to be told.';

CREATE FUNCTION cmbs_store.answer_fault(p_state cmbs_store.session, p_actor text, p_payload jsonb, p_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_interrupt cmbs_store.interrupt := cmbs_store.interrupt_of(
        p_state, (p_payload ->> 'interrupt_id')::uuid
    );
begin
    return case
        when cmbs_store.refusal_of_answer(p_state, v_interrupt, p_actor, p_at) is not null
            then 'the question does not take this answer: '
                || cmbs_store.refusal_of_answer(p_state, v_interrupt, p_actor, p_at)
        when p_payload ->> 'action_digest' <> encode(v_interrupt.action_digest, 'hex')
            then 'the question was about something else'
        when p_payload ->> 'resolution' not in ('approve', 'decline', 'cancel')
            then 'there is no such answer'
    end;
end
$$;

ALTER FUNCTION cmbs_store.answer_fault(p_state cmbs_store.session, p_actor text, p_payload jsonb, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.answer_fault(p_state cmbs_store.session, p_actor text, p_payload jsonb, p_at timestamp with time zone) IS 'What is wrong with a recorded answer to a question; null if nothing.';

CREATE TABLE cmbs_store.interrupt (
    session_id uuid NOT NULL,
    interrupt_id uuid NOT NULL,
    seq bigint NOT NULL,
    item_no integer NOT NULL,
    action_digest bytea NOT NULL,
    constraint_keys text[] NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE cmbs_store.interrupt OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.interrupt IS 'session: questions that a person has to answer before an action may be proposed again.';

CREATE FUNCTION cmbs_store.answered_outcome(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_resolution text) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '"interrupt_id": "%s", "status": "%s", "proposal_id": "%s", ',
        p_interrupt.interrupt_id,
        case p_resolution
            when 'approve' then 'approved' when 'decline' then 'declined' else 'cancelled'
        end,
        (
            select e.event_id
            from cmbs_store.audit_event as e
            where e.session_id = p_session.session_id and e.seq = p_interrupt.seq
        )
    )
$$;

ALTER FUNCTION cmbs_store.answered_outcome(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_resolution text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.answered_outcome(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_resolution text) IS 'The members of an answer that tell how a question was answered, as JSON text.';

CREATE FUNCTION cmbs_store.answered_proposal(p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql
    AS $_$
declare
    v_recorded record := cmbs_store.record_proposal(p_session, p_actor, p_given, p_notes);
    v_session cmbs_store.session := v_recorded.p_session;
    v_event_id uuid := v_session.audit_head_event_id;
    v_tried record;
begin
    perform cmbs_store.announce_questions(v_session, v_recorded.p_payload);
    if jsonb_path_exists(p_given, '$.proposal.items[*] ? (exists (@.patch))')
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
$_$;

ALTER FUNCTION cmbs_store.answered_proposal(p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, p_minimal boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.answered_proposal(p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, p_minimal boolean) IS 'Record a proposal in a locked session, try again what waited for it, and answer.';

CREATE FUNCTION cmbs_store.append_declare(p_session cmbs_store.session, p_actor text, p_notes text, p_metadata text, p_arbitration jsonb) RETURNS cmbs_store.session
    LANGUAGE plpgsql
    AS $$
declare
    v_pack cmbs_store.policy_version;
begin
    if p_arbitration is not null then
        v_pack := cmbs_store.find_policy(
            p_session.tenant,
            p_arbitration ->> 'pack',
            (p_arbitration ->> 'version')::integer
        );
        p_arbitration := p_arbitration
            || jsonb_build_object('policy_hash', encode(v_pack.policy_hash, 'hex'))
            || cmbs_store.found_shadow(p_session.tenant, p_arbitration -> 'shadow');
    end if;
    p_session := cmbs_store.append_event(
        p_session,
        cmbs_store.survivors_hash_v1(
            p_session.universe_digest, cmbs_store.mask_v1(p_session.n_hypotheses, false)
        ),
        'DECLARE_SESSION', p_actor, null, null, null, p_notes,
        format(
            '{"policy": %s, %s"ontology": %s, %s"n_hypotheses": %s, "universe_digest": "%s"}',
            cmbs_store.policy(p_session), '"metadata": ' || p_metadata || ', ', p_session.ontology,
            '"arbitration": ' || p_arbitration::text || ', ', p_session.n_hypotheses,
            encode(p_session.universe_digest, 'hex')
        ),
        '[]'
    );
    if p_arbitration is not null then
        perform cmbs_store.project_event(
            p_session.session_id, 1, p_actor, 'DECLARE_SESSION',
            jsonb_build_object('arbitration', p_arbitration)
        );
    end if;
    return p_session;
end
$$;

ALTER FUNCTION cmbs_store.append_declare(p_session cmbs_store.session, p_actor text, p_notes text, p_metadata text, p_arbitration jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.append_declare(p_session cmbs_store.session, p_actor text, p_notes text, p_metadata text, p_arbitration jsonb) IS 'Append the first event of a session that was just made, and return the session with it. Raises MB007.';

CREATE FUNCTION cmbs_store.append_event(p_session cmbs_store.session, p_before_hash bytea, p_verb text, p_actor text, p_source_id text, p_observation_id text, p_request_id text, p_notes text, p_payload text, p_eliminated text) RETURNS cmbs_store.session
    LANGUAGE plpgsql
    AS $$
declare
    v_previous_hash bytea := p_session.audit_head_hash;
    v_record text;
begin
    p_session.audit_seq := p_session.audit_seq + 1;
    p_session.audit_head_at := case
        when p_session.audit_seq = 1 then p_session.declared_at
        else greatest(cmbs_store.clock(), p_session.audit_head_at)
    end;
    p_session.audit_head_event_id := cmbs_store.event_id(
        cmbs_store.random_id(), p_session.audit_seq
    );
    v_record := cmbs_store.record_v1(
        p_session.session_id, p_session.audit_seq, p_session.audit_head_event_id,
        p_session.audit_head_at, p_verb, p_actor, p_notes, p_payload, p_eliminated,
        p_before_hash, p_session.survivors_hash, v_previous_hash
    );
    p_session.audit_head_hash := cmbs_store.event_hash_v1(v_record);
    insert into cmbs_store.audit_event (
        session_id, seq, recorded_at, event_id, event_hash, verb, actor,
        source_id, observation_id, request_id, record
    )
    values (
        p_session.session_id, p_session.audit_seq, p_session.audit_head_at,
        p_session.audit_head_event_id, p_session.audit_head_hash, p_verb, p_actor,
        p_source_id, p_observation_id, p_request_id, v_record
    )
    on conflict (session_id, source_id, observation_id) where source_id is not null do nothing;
    if not found then
        return null;
    end if;
    update cmbs_store.session as s
    set
        audit_seq = p_session.audit_seq,
        audit_head_event_id = p_session.audit_head_event_id,
        audit_head_hash = p_session.audit_head_hash,
        audit_head_at = p_session.audit_head_at,
        survivors_hash = p_session.survivors_hash,
        n_survivors = p_session.n_survivors,
        is_terminated = p_session.is_terminated,
        mask = p_session.mask,
        obligation_seq = p_session.obligation_seq,
        obligation_id = p_session.obligation_id,
        obligation_minimum = p_session.obligation_minimum,
        obligation_survivors = p_session.obligation_survivors,
        conclusion_id = p_session.conclusion_id,
        conclusion_run = p_session.conclusion_run
    where s.session_id = p_session.session_id;
    return p_session;
end
$$;

ALTER FUNCTION cmbs_store.append_event(p_session cmbs_store.session, p_before_hash bytea, p_verb text, p_actor text, p_source_id text, p_observation_id text, p_request_id text, p_notes text, p_payload text, p_eliminated text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.append_event(p_session cmbs_store.session, p_before_hash bytea, p_verb text, p_actor text, p_source_id text, p_observation_id text, p_request_id text, p_notes text, p_payload text, p_eliminated text) IS 'Append one event to the log of a locked session and save the session; null if the observation is recorded.';

CREATE FUNCTION cmbs_store.append_events(p_session cmbs_store.session, p_actor text, p_batch jsonb, p_event_ids uuid[], p_applied text[], p_hashes bytea[]) RETURNS cmbs_store.session
    LANGUAGE plpgsql
    AS $$
declare
    v_message jsonb;
    v_record text;
    v_size bigint := 0;
    v_events cmbs_store.audit_event[];
begin
    for v_i in 1 .. jsonb_array_length(p_batch) loop
        continue when p_event_ids[v_i] is null;
        v_message := p_batch -> v_i - 1;
        p_session.audit_seq := p_session.audit_seq + 1;
        p_session.audit_head_at := greatest(cmbs_store.clock(), p_session.audit_head_at);
        p_session.audit_head_event_id := p_event_ids[v_i];
        v_record := cmbs_store.record_v1(
            p_session.session_id, p_session.audit_seq, p_session.audit_head_event_id,
            p_session.audit_head_at, 'ELIMINATE', p_actor, v_message ->> 'notes',
            format(
                '{"source_id": %s, "eliminated": %s, "justification": %s, "observation_id": %s}',
                v_message -> 'source_id', v_message -> 'eliminated',
                coalesce(nullif(v_message -> 'justification', 'null'), '{}'),
                v_message -> 'observation_id'
            ),
            p_applied[v_i], p_session.survivors_hash, p_hashes[v_i], p_session.audit_head_hash
        );
        p_session.survivors_hash := p_hashes[v_i];
        p_session.audit_head_hash := cmbs_store.event_hash_v1(v_record);
        v_events := v_events || row(
            p_session.session_id, p_session.audit_seq, p_session.audit_head_at,
            p_session.audit_head_event_id, p_session.audit_head_hash, 'ELIMINATE', p_actor,
            v_message ->> 'source_id', v_message ->> 'observation_id', null, v_record
        )::cmbs_store.audit_event;
        -- 8 MiB of JSON can stand for a GiB of records, more than an array holds.
        v_size := v_size + octet_length(v_record);
        if v_size > 16777216 then
            perform cmbs_store.insert_events(v_events);
            v_events := '{}';
            v_size := 0;
        end if;
    end loop;
    perform cmbs_store.insert_events(v_events);
    return p_session;
end
$$;

ALTER FUNCTION cmbs_store.append_events(p_session cmbs_store.session, p_actor text, p_batch jsonb, p_event_ids uuid[], p_applied text[], p_hashes bytea[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.append_events(p_session cmbs_store.session, p_actor text, p_batch jsonb, p_event_ids uuid[], p_applied text[], p_hashes bytea[]) IS 'Append the events of a batch to the log of a locked session.';

CREATE FUNCTION cmbs_store.append_identity(p_tenant text, p_verb text, p_actor text, p_payload jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql
    AS $$
declare
    v_head cmbs_store.identity_head;
    v_record text;
begin
    select h.* into v_head from cmbs_store.identity_head as h where h.tenant = p_tenant;
    v_head.seq := coalesce(v_head.seq, 0) + 1;
    v_head.recorded_at := greatest(cmbs_store.clock(), v_head.recorded_at);
    v_record := cmbs_store.identity_record_v1(
        p_tenant, v_head.seq, v_head.recorded_at, p_verb, p_actor, p_payload::text,
        coalesce(v_head.event_hash, decode(repeat('00', 32), 'hex'))
    );
    v_head.event_hash := cmbs_store.event_hash_v1(v_record);
    insert into cmbs_store.identity_event (
        tenant, seq, recorded_at, event_hash, verb, actor, record
    )
    values (
        p_tenant, v_head.seq, v_head.recorded_at, v_head.event_hash, p_verb, p_actor, v_record
    );
    insert into cmbs_store.identity_head (tenant, seq, event_hash, recorded_at)
    values (p_tenant, v_head.seq, v_head.event_hash, v_head.recorded_at)
    on conflict (tenant) do update
    set
        seq = excluded.seq,
        event_hash = excluded.event_hash,
        recorded_at = excluded.recorded_at;
    return v_head.recorded_at;
end
$$;

ALTER FUNCTION cmbs_store.append_identity(p_tenant text, p_verb text, p_actor text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.append_identity(p_tenant text, p_verb text, p_actor text, p_payload jsonb) IS 'Append one event to the log of identities of a tenant.';

CREATE FUNCTION cmbs_store.apply_verdict(p_session cmbs_store.session, p_actor text, p_policy_hash bytea, p_recorded jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_ground cmbs_store.ground := cmbs_store.ground(
        p_session, p_policy_hash, p_actor, '[{"kind": "state_delta", "patch": {}}]', p_recorded
    );
    v_reasons cmbs_store.reason[] := cmbs_store.invariant_reasons(
        v_ground.entries, v_ground.world, v_ground.documents
    );
begin
    return jsonb_build_object(
        'approved', cardinality(v_reasons) = 0,
        'reason', case
            when cardinality(v_reasons) = 0 then 'applied'
            else 'an invariant of the policy does not hold'
        end,
        'reasons', cmbs_store.verdict_of(v_reasons, null) -> 'reasons',
        'reads', v_ground.reads,
        'tools', v_ground.tools,
        'schemas', v_ground.schemas
    );
end
$$;

ALTER FUNCTION cmbs_store.apply_verdict(p_session cmbs_store.session, p_actor text, p_policy_hash bytea, p_recorded jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.apply_verdict(p_session cmbs_store.session, p_actor text, p_policy_hash bytea, p_recorded jsonb) IS 'Whether a policy may be applied to a session: its invariants must hold.';

CREATE FUNCTION cmbs_store.approvals_asked(p_payload jsonb, p_item_nos jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $_$
    select coalesce(
        jsonb_agg(
            jsonb_build_object(
                'interrupt_id', q.interrupt_id, 'item_no', n.no, 'waives', q.waives
            )
            order by n.no, q.interrupt_id
        ),
        '[]'
    )
    from jsonb_array_elements(p_item_nos) with ordinality as n (item_no, no)
    inner join (
        select
            i.item -> 'item_no' as item_no,
            i.item ->> 'interrupt_id' as interrupt_id,
            (
                select jsonb_agg(
                    jsonb_strip_nulls(jsonb_build_object('code', r -> 'code', 'key', r -> 'key'))
                )
                from jsonb_path_query(i.item, '$.reasons[*] ? (@.disposition == "ask")') as r
            ) as waives
        from jsonb_array_elements(p_payload -> 'items') as i (item)
        where i.item ? 'interrupt_id'
        union all
        select a.approval -> 'item_no', a.approval ->> 'interrupt_id', a.approval -> 'waives'
        from jsonb_array_elements(p_payload -> 'resumes' -> 'approvals') as a (approval)
    ) as q on q.item_no = n.item_no
$_$;

ALTER FUNCTION cmbs_store.approvals_asked(p_payload jsonb, p_item_nos jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.approvals_asked(p_payload jsonb, p_item_nos jsonb) IS 'The approvals that a proposal needs to go on, by the numbers of its items from then on.';

CREATE FUNCTION cmbs_store.approvals_of(p_payload jsonb, p_item_no integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select jsonb_build_object('resumes', jsonb_build_object('approvals', coalesce(
        jsonb_agg(a.approval || '{"item_no": 1}' order by a.no), '[]'
    )))
    from jsonb_array_elements(
        p_payload -> 'resumes' -> 'approvals'
    ) with ordinality as a (approval, no)
    where (a.approval ->> 'item_no')::integer = p_item_no
$$;

ALTER FUNCTION cmbs_store.approvals_of(p_payload jsonb, p_item_no integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.approvals_of(p_payload jsonb, p_item_no integer) IS 'The approvals by which an item was allowed, for a verdict on the item alone.';

CREATE FUNCTION cmbs_store.arbitration_fault(p_session cmbs_store.session, p_known_policies bytea[], OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_at_first cmbs_store.policy_pin;
    v_named record;
begin
    select min(coalesce(d.seq, t.seq)), 'the rows of arbitration are not those of the log'
    into p_seq, p_reason
    from (
        select e.seq, r.relation, cmbs_store.normal_row(r.relation, r.content) as content
        from cmbs_store.audit_event as e
        cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
        cross join lateral cmbs_store.projection(
            e.session_id, e.seq, e.actor, e.verb, p.payload
        ) as r
        where e.session_id = p_session.session_id
            and (e.verb = 'DECLARE_SESSION' or cmbs_store.is_arbitration(e.verb))
            and (
                e.verb = 'DECLARE_SESSION' and p.payload ? 'arbitration'
                or cmbs_store.is_arbitration(e.verb)
            )
    ) as d
    full join cmbs_store.arbitration_rows(p_session.session_id) as t
        -- As text: numbers are equal whatever zeros they end in.
        on t.seq = d.seq and t.relation = d.relation and t.content::text = d.content::text
    where d.seq is null or t.seq is null;
    if p_seq is null then
        select min(c.seq), 'what is counted from row to row is not counted right'
        into p_seq, p_reason
        from cmbs_store.miscounted(p_session.session_id) as c (seq);
    end if;
    p_policies := p_known_policies;
    if p_seq is not null then
        return;
    end if;
    p_reason := null;
    p_session.audit_seq := 0;
    v_at_first := cmbs_store.policy_in_force(p_session);
    for v_named in
        select n.policy_hash, min(n.seq) as seq
        from (
            select i.policy_hash, i.seq
            from cmbs_store.policy_pin as i
            where i.session_id = p_session.session_id
            union all
            -- One that was refused has no pin.
            select decode(e.record::json #>> '{payload,policy_hash}', 'hex'), e.seq
            from cmbs_store.audit_event as e
            where e.session_id = p_session.session_id and e.verb = 'POLICY_APPLY'
            union all
            -- Nor has the one by which all is denied before the first.
            select v_at_first.policy_hash, e.seq
            from cmbs_store.audit_event as e
            where e.session_id = p_session.session_id
                and e.verb in ('PROPOSE', 'RECORD_CLAIM')
                and not exists (
                    select
                    from cmbs_store.policy_pin as i
                    where i.session_id = e.session_id and i.seq < e.seq
                )
        ) as n
        where n.policy_hash <> all(p_known_policies)
        group by n.policy_hash
        order by seq
    loop
        if cmbs_store.is_policy_whole(v_named.policy_hash) is not true then
            p_seq := v_named.seq;
            p_reason := 'the content of a policy is not that of its hash';
            return;
        end if;
        p_policies := p_policies || v_named.policy_hash;
    end loop;
end
$$;

ALTER FUNCTION cmbs_store.arbitration_fault(p_session cmbs_store.session, p_known_policies bytea[], OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.arbitration_fault(p_session cmbs_store.session, p_known_policies bytea[], OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) IS 'Whether what a session holds beside its belief is what its log leads to.';

CREATE FUNCTION cmbs_store.arbitration_rows(p_session_id uuid) RETURNS TABLE(seq bigint, relation text, content jsonb)
    LANGUAGE sql STABLE
    AS $$
    select r.seq, r.relation, r.content - array['delta_no', 'spent', 'chain']
    from (
        select a.seq, 'proposal' as relation, to_jsonb(a) as content
        from cmbs_store.proposal as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'state_delta', to_jsonb(a)
        from cmbs_store.state_delta as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'state_value', to_jsonb(a)
        from cmbs_store.state_value as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'capability_token', to_jsonb(a)
        from cmbs_store.capability_token as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'capability_revocation', to_jsonb(a)
        from cmbs_store.capability_revocation as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'capability_spending', to_jsonb(a)
        from cmbs_store.capability_spending as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'interrupt', to_jsonb(a)
        from cmbs_store.interrupt as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'policy_pin', to_jsonb(a)
        from cmbs_store.policy_pin as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'claim', to_jsonb(a)
        from cmbs_store.claim as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'claim_confirmation', to_jsonb(a)
        from cmbs_store.claim_confirmation as a
        where a.session_id = p_session_id
        union all
        select a.seq, a.relation, a.content
        from cmbs_store.execution_stored(p_session_id) as a
    ) as r
$$;

ALTER FUNCTION cmbs_store.arbitration_rows(p_session_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.arbitration_rows(p_session_id uuid) IS 'What the tables of a session hold beside its belief, row by row.';

CREATE FUNCTION cmbs_store.are_verbs(p_names text[]) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select case
        when array_ndims(p_names) > 1 then false
        else p_names <@ array(
            select p.proname::text
            from pg_proc as p
            where p.pronamespace = 'cmbs'::regnamespace and 'p_credential' = any(p.proargnames)
        )
        and array_position(p_names, null) is null
    end
$$;

ALTER FUNCTION cmbs_store.are_verbs(p_names text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.are_verbs(p_names text[]) IS 'Whether a list holds nothing but names of verbs.';

CREATE FUNCTION cmbs_store.asked_eliminations(p_session cmbs_store.session, p_after bigint, p_until bigint) RETURNS TABLE(hypothesis_id text, actor text, seq bigint)
    LANGUAGE sql STABLE
    AS $$
    select a.hypothesis_id, a.actor, min(a.seq)
    from (
        select i.id collate "C" as hypothesis_id, e.actor, e.seq
        from cmbs_store.audit_event as e
        cross join lateral
            json_array_elements_text(e.record::json #> '{payload,eliminated}') as i (id)
        where e.session_id = p_session.session_id
            and e.seq > p_after
            and e.seq <= p_until
            and e.verb = 'ELIMINATE'
    ) as a
    inner join cmbs_store.universe_member as m
        on m.universe_digest = p_session.universe_digest and m.hypothesis_id = a.hypothesis_id
    group by a.hypothesis_id, a.actor
$$;

ALTER FUNCTION cmbs_store.asked_eliminations(p_session cmbs_store.session, p_after bigint, p_until bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.asked_eliminations(p_session cmbs_store.session, p_after bigint, p_until bigint) IS 'Who asked for which eliminations in a part of the log.';

CREATE FUNCTION cmbs_store.asked_items(p_given jsonb, p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $_$
    select case
        when p_verdict ->> 'disposition' = 'ask' or p_given -> 'proposal' -> 'atomic' = 'false'
            then jsonb_path_query_array(
                p_verdict, '$.items[*] ? (@.disposition == "ask" && @.effective == false).item_no'
            )
        else '[]'
    end
$_$;

ALTER FUNCTION cmbs_store.asked_items(p_given jsonb, p_verdict jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.asked_items(p_given jsonb, p_verdict jsonb) IS 'The numbers of the items about which a person is asked.';

CREATE TABLE cmbs_store.capability_token (
    session_id uuid NOT NULL,
    token_id uuid NOT NULL,
    seq bigint NOT NULL,
    parent_id uuid,
    chain uuid[] NOT NULL,
    holder text NOT NULL COLLATE pg_catalog."C",
    tools text[] NOT NULL COLLATE pg_catalog."C",
    capabilities text[] NOT NULL COLLATE pg_catalog."C",
    state_prefixes text[] NOT NULL COLLATE pg_catalog."C",
    resource_roots text[] NOT NULL COLLATE pg_catalog."C",
    budgets jsonb NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    approval text NOT NULL COLLATE pg_catalog."C",
    secret_hash bytea NOT NULL
);

ALTER TABLE cmbs_store.capability_token OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.capability_token IS 'session: what a principal may propose; chain is the token itself and all that it was made from.';

CREATE FUNCTION cmbs_store.attenuation_fault(p_session cmbs_store.session, p_parent cmbs_store.capability_token, p_grant jsonb, p_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_wide text;
begin
    if cmbs_store.token_reasons(p_session, p_parent, true, p_parent.holder, p_at) <> '{}' then
        return 'the token does not count now';
    elsif cardinality(p_parent.chain) >= 8 then
        return 'depth';
    elsif not to_jsonb(p_parent.tools) @> (p_grant -> 'tools') then
        return 'tools';
    elsif not to_jsonb(p_parent.capabilities) @> (p_grant -> 'capabilities') then
        return 'capabilities';
    elsif (p_grant ->> 'expires_at')::timestamptz > p_parent.expires_at then
        return 'expires_at';
    elsif (p_grant ->> 'valid_from')::timestamptz < p_parent.valid_from then
        return 'valid_from';
    elsif p_parent.approval = 'required' and p_grant ->> 'approval' <> 'required' then
        return 'approval_requirement';
    elsif exists (
        select from jsonb_array_elements_text(p_grant -> 'state_prefixes') as s (prefix)
        where not exists (
            select from unnest(p_parent.state_prefixes) as p (prefix)
            where s.prefix = p.prefix or starts_with(s.prefix, rtrim(p.prefix, '.') || '.')
        )
    ) then
        return 'state_prefixes';
    elsif cardinality(p_parent.resource_roots) > 0 and (
        p_grant -> 'resource_roots' = '[]' or exists (
            select from jsonb_array_elements_text(p_grant -> 'resource_roots') as r (root)
            where not cmbs_store.is_in_roots(r.root, p_parent.resource_roots)
        )
    ) then
        return 'resource_roots';
    end if;
    select min(b.unit)
    into v_wide
    from jsonb_each_text(p_grant -> 'budgets') as b (unit, amount)
    where b.amount::bigint > cmbs_store.budget_left(p_session, p_parent.chain, b.unit);
    return 'budgets: ' || v_wide;
end
$$;

ALTER FUNCTION cmbs_store.attenuation_fault(p_session cmbs_store.session, p_parent cmbs_store.capability_token, p_grant jsonb, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.attenuation_fault(p_session cmbs_store.session, p_parent cmbs_store.capability_token, p_grant jsonb, p_at timestamp with time zone) IS 'In what a token would be wider than the one that it is made from; null if in nothing.';

CREATE FUNCTION cmbs_store.authority_reasons(p_item_no integer, p_item jsonb, p_roles text[]) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $_$
begin
    if p_item ->> 'kind' = 'tool_call' then
        return case
            when 'agent' = any(p_roles) then '{}'
            else array[(
                p_item_no, 'authority', 'NAMESPACE_FORBIDDEN', null, 'block',
                'tools are called by agents'
            )::cmbs_store.reason]
        end;
    end if;
    return array(
        select (
            p_item_no, 'authority',
            case when f.is_known then 'NAMESPACE_FORBIDDEN' else 'NAMESPACE_UNKNOWN' end,
            f.key, 'block', f.detail
        )::cmbs_store.reason
        from (
            select
                k.key,
                k.key ~ '^(policy|constraint|goal|fact)(\.[a-z0-9_-]+)+$'
                and octet_length(k.key) <= 200 as is_known,
                case
                    when k.key ~ '^(policy|constraint)\.' then 'policy changes by policy_apply'
                    when k.key ~ '^fact\.belief(\.|$)' then 'the audit alone tells the belief'
                    when k.key ~ '^goal\.' and 'agent' <> all(p_roles)
                        then 'goals are written by agents'
                    when k.key ~ '^fact\.' and not p_roles && array['encoder', 'tool']
                        then 'facts are written by encoders and tools'
                end as detail
            from jsonb_object_keys(p_item -> 'patch') as k (key)
        ) as f
        where not f.is_known or f.detail is not null
        order by f.key collate "C"
    );
end
$_$;

ALTER FUNCTION cmbs_store.authority_reasons(p_item_no integer, p_item jsonb, p_roles text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.authority_reasons(p_item_no integer, p_item jsonb, p_roles text[]) IS 'The stage of namespace authority, of one item.';

CREATE TABLE cmbs_store.principal (
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    is_login boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    roles text[] NOT NULL COLLATE pg_catalog."C",
    source_prefixes text[] NOT NULL COLLATE pg_catalog."C",
    is_enabled boolean NOT NULL,
    CONSTRAINT principal_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'encoder'::text, 'tool'::text, 'human'::text, 'service'::text]))),
    CONSTRAINT principal_roles_check CHECK (((roles <@ ARRAY['agent'::text, 'encoder'::text, 'tool'::text, 'policy'::text, 'approver'::text, 'auditor'::text, 'admin'::text]) AND (array_position(roles, NULL::text) IS NULL)))
);

ALTER TABLE cmbs_store.principal OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.principal IS 'reference: who may call; a login stands for a role of PostgreSQL, the others hold tokens.';

CREATE FUNCTION cmbs_store.authorize(p_credential bytea, p_verb text, p_roles text[]) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_caller cmbs_store.principal;
begin
    if p_credential is not null then
        v_caller := cmbs_store.token_holder(p_credential, p_verb);
    else
        select p.*
        into v_caller
        from cmbs_store.principal as p
        where p.name = session_user
        order by p.is_login desc
        limit 1;
        if not found then
            v_caller := cmbs_store.login_itself();
        elsif not v_caller.is_login then
            v_caller := cmbs_store.login_itself();
            perform cmbs_store.check_namesake(v_caller);
        elsif not v_caller.is_enabled then
            perform cmbs_store.refuse_caller('the principal is disabled');
        elsif current_setting('transaction_isolation') <> 'read committed'
            and current_setting('transaction_read_only') = 'off'
        then
            perform cmbs_store.refuse_caller(
                'a registered login writes only where transactions are isolated as read committed'
            );
        end if;
    end if;
    if p_roles is not null and not v_caller.roles && p_roles then
        perform cmbs_store.refuse_role(v_caller, p_verb, p_roles);
    end if;
    return v_caller;
end
$$;

ALTER FUNCTION cmbs_store.authorize(p_credential bytea, p_verb text, p_roles text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.authorize(p_credential bytea, p_verb text, p_roles text[]) IS 'The calling principal, if it may call this verb. Raises MB301, MB302.';

CREATE FUNCTION cmbs_store.authorize_upkeep(p_credential bytea, p_verb text, p_roles text[]) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_server cmbs_store.principal;
begin
    if p_credential is null and pg_has_role(session_user, 'cmbs_server', 'member')
        and not pg_has_role(session_user, 'cmbs_owner', 'member')
    then
        v_server.name := 'api';
        v_server.tenant := '*';
        v_server.roles := p_roles;
        return v_server;
    end if;
    return cmbs_store.authorize(p_credential, p_verb, p_roles);
end
$$;

ALTER FUNCTION cmbs_store.authorize_upkeep(p_credential bytea, p_verb text, p_roles text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.authorize_upkeep(p_credential bytea, p_verb text, p_roles text[]) IS 'Who does what is due: a principal with one of the roles, or the server by itself.';

CREATE FUNCTION cmbs_store.awaited_keys(p_verdict jsonb, p_ground cmbs_store.ground) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $_$
    select to_jsonb(array(
        select distinct k.key collate "C"
        from jsonb_path_query(p_verdict, '$.reasons[*] ? (@.disposition == "defer")') as r (reason)
        cross join lateral (
            select a.key
            from unnest(p_ground.entries) as e
            cross join lateral unnest(e.reads) as a (key)
            where e.key = r.reason ->> 'key'
            union all
            select r.reason ->> 'detail'
            where r.reason ->> 'code' = 'GOAL_CONFLICT'
        ) as k
        where k.key !~ '^(policy|fact[.]belief)([.]|$)'
        order by 1
    ))
$_$;

ALTER FUNCTION cmbs_store.awaited_keys(p_verdict jsonb, p_ground cmbs_store.ground) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.awaited_keys(p_verdict jsonb, p_ground cmbs_store.ground) IS 'The keys that a deferred proposal waits for.';

CREATE FUNCTION cmbs_store.batch_firsts(p_session_id uuid, p_batch jsonb) RETURNS integer[]
    LANGUAGE plpgsql STABLE
    AS $$
begin
    return array(
        select case
            when (
                select e.seq
                from cmbs_store.audit_event as e
                where e.session_id = p_session_id
                    and e.source_id = m.source_id
                    and e.observation_id = m.observation_id
            ) is not null then 0
            else min(m.no) over (partition by m.source_id, m.observation_id)
        end
        from (
            select
                b.no,
                b.message ->> 'source_id' collate "C" as source_id,
                b.message ->> 'observation_id' collate "C" as observation_id
            from jsonb_array_elements(p_batch) with ordinality as b (message, no)
        ) as m
        order by m.no
    );
end
$$;

ALTER FUNCTION cmbs_store.batch_firsts(p_session_id uuid, p_batch jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.batch_firsts(p_session_id uuid, p_batch jsonb) IS 'For every message of a batch the first with the same observation; 0 if that is recorded.';

CREATE FUNCTION cmbs_store.batch_identity(p_message jsonb) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select encode(sha256(convert_to(jsonb_build_array(
        p_message -> 'source_id',
        p_message -> 'observation_id',
        array(
            select distinct i.id collate "C"
            from jsonb_array_elements_text(p_message -> 'eliminated') as i (id)
            order by 1
        )
    )::text, 'UTF8')), 'hex')
$$;

ALTER FUNCTION cmbs_store.batch_identity(p_message jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.batch_identity(p_message jsonb) IS 'The digest of what makes two messages of a batch repeats of each other.';

CREATE FUNCTION cmbs_store.batch_ids(p_universe_digest bytea, p_batch jsonb, p_firsts integer[], OUT p_numbers integer[], OUT p_ids text[], OUT p_ranks integer[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
begin
    select
        array_agg(n.no),
        array_agg(n.id),
        array_agg((
            select m.hypothesis_rank
            from cmbs_store.universe_member as m
            where m.universe_digest = p_universe_digest and m.hypothesis_id = n.id
        ))
    into p_numbers, p_ids, p_ranks
    from (
        select distinct b.no::integer as no, i.id collate "C" as id
        from rows from (
            jsonb_array_elements(p_batch), unnest(p_firsts)
        ) with ordinality as b (message, first_no, no)
        cross join jsonb_array_elements_text(b.message -> 'eliminated') as i (id)
        where b.first_no = b.no
        order by 1, 2
    ) as n;
end
$$;

ALTER FUNCTION cmbs_store.batch_ids(p_universe_digest bytea, p_batch jsonb, p_firsts integer[], OUT p_numbers integer[], OUT p_ids text[], OUT p_ranks integer[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.batch_ids(p_universe_digest bytea, p_batch jsonb, p_firsts integer[], OUT p_numbers integer[], OUT p_ids text[], OUT p_ranks integer[]) IS 'The ids that the new messages of a batch name, sorted by message, with their ranks.';

CREATE FUNCTION cmbs_store.batch_outcomes(p_session cmbs_store.session, p_expected_head uuid, p_batch jsonb, p_firsts integer[], p_numbers integer[], p_ids text[], p_ranks integer[], INOUT p_mask bytea, OUT p_seqs bigint[], OUT p_event_ids uuid[], OUT p_applied text[], OUT p_hashes bytea[], OUT p_answers text[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
    v_seq bigint := p_session.audit_seq;
    v_hash bytea := p_session.survivors_hash;
    v_n integer := 1;
    v_chunk_no integer := 0;
    v_chunk bytea := substring(p_mask for 1024);
    v_cleared text[];
    v_ignored text[];
    v_repeat text;
    v_repeats jsonb := jsonb_build_object();
    v_index integer;
    v_state text;
    v_text text;
    v_detail text;
    v_hint text;
begin
    p_seqs := array_fill(null::bigint, array[coalesce(cardinality(p_ids), 0)]);
    for v_i in 1 .. cardinality(p_firsts) loop
        v_index := v_i - 1;
        if p_firsts[v_i] < v_i then
            v_repeat := cmbs_store.batch_identity(p_batch -> v_index);
            p_answers[v_i] := coalesce(
                p_answers[(v_repeats ->> v_repeat)::integer],
                cmbs_store.batch_repeat(
                    p_session.session_id, p_batch, v_index, p_firsts[v_i] - 1, p_answers
                )
            );
            v_repeats := v_repeats || jsonb_build_object(v_repeat, v_i);
            continue;
        end if;
        if v_seq = p_session.audit_seq then
            perform cmbs_store.check_open(p_session, p_expected_head);
        end if;
        v_seq := v_seq + 1;
        v_cleared := '{}';
        v_ignored := '{}';
        while p_numbers[v_n] = v_i loop
            -- setting a bit copies the bytes: no more of them than a chunk, however long the mask
            if p_ranks[v_n] / 8192 <> v_chunk_no then
                p_mask := overlay(p_mask placing v_chunk from v_chunk_no * 1024 + 1);
                v_chunk_no := p_ranks[v_n] / 8192;
                v_chunk := substring(p_mask from v_chunk_no * 1024 + 1 for 1024);
            end if;
            if get_bit(v_chunk, p_ranks[v_n] % 8192) = 1 then
                v_chunk := set_bit(v_chunk, p_ranks[v_n] % 8192, 0);
                p_seqs[v_n] := v_seq;
                v_cleared := v_cleared || p_ids[v_n];
            else
                if p_ranks[v_n] is null and p_session.validate_hypotheses then
                    perform cmbs_store.refuse_unknown(v_i, p_numbers, p_ids, p_ranks);
                end if;
                v_ignored := v_ignored || p_ids[v_n];
            end if;
            v_n := v_n + 1;
        end loop;
        if cardinality(v_cleared) > 0 then
            p_mask := overlay(p_mask placing v_chunk from v_chunk_no * 1024 + 1);
            v_hash := cmbs_store.survivors_hash_v1(p_session.universe_digest, p_mask);
        end if;
        p_event_ids[v_i] := cmbs_store.event_id(cmbs_store.random_id(), v_seq);
        p_applied[v_i] := to_jsonb(v_cleared)::text;
        p_hashes[v_i] := v_hash;
        p_answers[v_i] := cmbs_store.elimination_outcome(
            p_applied[v_i], v_ignored, p_event_ids[v_i], false
        );
    end loop;
exception
    when sqlstate 'MB101' or sqlstate 'MB102' or sqlstate 'MB103' or sqlstate 'MB202' then
        get stacked diagnostics
            v_state = returned_sqlstate, v_text = message_text,
            v_detail = pg_exception_detail, v_hint = pg_exception_hint;
        perform cmbs_store.refuse_batch(
            v_state, v_text, v_detail, v_hint, v_index, p_session.audit_seq
        );
end
$$;

ALTER FUNCTION cmbs_store.batch_outcomes(p_session cmbs_store.session, p_expected_head uuid, p_batch jsonb, p_firsts integer[], p_numbers integer[], p_ids text[], p_ranks integer[], INOUT p_mask bytea, OUT p_seqs bigint[], OUT p_event_ids uuid[], OUT p_applied text[], OUT p_hashes bytea[], OUT p_answers text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.batch_outcomes(p_session cmbs_store.session, p_expected_head uuid, p_batch jsonb, p_firsts integer[], p_numbers integer[], p_ids text[], p_ranks integer[], INOUT p_mask bytea, OUT p_seqs bigint[], OUT p_event_ids uuid[], OUT p_applied text[], OUT p_hashes bytea[], OUT p_answers text[]) IS 'What the messages of a batch come to, one after the other. Raises MB101, MB102, MB103, MB202.';

CREATE FUNCTION cmbs_store.batch_repeat(p_session_id uuid, p_batch jsonb, p_index integer, p_first integer, p_answers text[]) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_message jsonb := p_batch -> p_index;
    v_eliminated text[] := array(select jsonb_array_elements_text(v_message -> 'eliminated'));
    v_answer jsonb;
begin
    if p_first < 0 then
        return cmbs_store.recorded_elimination(
            p_session_id, v_message ->> 'source_id', v_message ->> 'observation_id', v_eliminated
        );
    end if;
    v_answer := format('{%s}', p_answers[p_first + 1])::jsonb;
    return cmbs_store.repeated_elimination(
        (v_answer ->> 'audit_event_id')::uuid,
        v_message ->> 'source_id', v_message ->> 'observation_id',
        p_batch -> p_first -> 'eliminated', v_answer -> 'applied_eliminated', v_eliminated
    );
end
$$;

ALTER FUNCTION cmbs_store.batch_repeat(p_session_id uuid, p_batch jsonb, p_index integer, p_first integer, p_answers text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.batch_repeat(p_session_id uuid, p_batch jsonb, p_index integer, p_first integer, p_answers text[]) IS 'The outcome of a message of a batch that repeats another. Raises MB102.';

CREATE TABLE cmbs_store.permit (
    session_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    seq bigint NOT NULL,
    item_no integer NOT NULL,
    tool_id text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    token_id uuid,
    expires_at timestamp with time zone NOT NULL
);

ALTER TABLE cmbs_store.permit OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.permit IS 'session: leave to execute one allowed call of a tool, once.';

CREATE FUNCTION cmbs_store.begin_verdict(p_session cmbs_store.session, p_permit cmbs_store.permit, p_origin jsonb, p_given jsonb, p_recorded jsonb, OUT p_code text, OUT p_detail jsonb, OUT p_basis jsonb) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_at timestamptz := (p_given ->> 'decided_at')::timestamptz;
    v_token cmbs_store.capability_token;
    v_reasons cmbs_store.reason[];
    v_tool jsonb := jsonb_build_array(
        p_origin #> array['proposal', 'items', (p_permit.item_no - 1)::text]
    );
begin
    p_basis := '{}';
    p_detail := jsonb_build_object('permit_id', p_permit.permit_id);
    p_code := cmbs_store.permit_fault(p_session, p_permit, v_at);
    if p_code is not null then
        return;
    end if;
    select t.*
    into v_token
    from cmbs_store.capability_token as t
    where t.session_id = p_session.session_id and t.token_id = p_permit.token_id;
    v_reasons := cmbs_store.token_reasons(p_session, v_token, true, p_permit.actor, v_at)
        || cmbs_store.halt_reasons(p_given);
    if cardinality(v_reasons) = 0 and not (
        p_given -> 'roles' = p_origin -> 'roles'
        and cmbs_store.is_unchanged(p_session, p_permit.seq)
        and case
            when p_recorded is not null then not p_recorded ? 'tools'
            else p_origin -> 'tools' @> cmbs_store.tools_named(p_session.tenant, v_tool)
        end
    ) then
        if cmbs_store.has_superseded(p_session, p_origin, p_permit.item_no) then
            p_code := 'APPROVAL_SUPERSEDED';
            return;
        end if;
        select n.p_reasons, n.p_basis
        into v_reasons, p_basis
        from cmbs_store.decided_anew(
            p_session, p_permit, v_token, v_tool,
            p_given || jsonb_build_object('v', 2)
            || cmbs_store.approvals_of(p_origin, p_permit.item_no),
            p_recorded
        ) as n;
    end if;
    if cardinality(v_reasons) > 0 then
        p_code := cmbs_store.verdict_of(v_reasons, null) ->> 'reason_code';
        p_detail := p_detail || jsonb_build_object(
            'reasons', cmbs_store.verdict_of(v_reasons, null) -> 'reasons'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.begin_verdict(p_session cmbs_store.session, p_permit cmbs_store.permit, p_origin jsonb, p_given jsonb, p_recorded jsonb, OUT p_code text, OUT p_detail jsonb, OUT p_basis jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.begin_verdict(p_session cmbs_store.session, p_permit cmbs_store.permit, p_origin jsonb, p_given jsonb, p_recorded jsonb, OUT p_code text, OUT p_detail jsonb, OUT p_basis jsonb) IS 'What stands against beginning the execution of a permit.';

CREATE FUNCTION cmbs_store.begun_outcome(p_permit cmbs_store.permit, p_origin jsonb) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '"permit_id": "%s", "status": "executing", "tool_id": %s, "args": %s, "args_hash": %s',
        p_permit.permit_id,
        to_json(p_permit.tool_id),
        p_origin #> array['proposal', 'items', (p_permit.item_no - 1)::text, 'args'],
        p_origin #> array['items', (p_permit.item_no - 1)::text, 'args_hash']
    )
$$;

ALTER FUNCTION cmbs_store.begun_outcome(p_permit cmbs_store.permit, p_origin jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.begun_outcome(p_permit cmbs_store.permit, p_origin jsonb) IS 'The members of an answer that tell what may be executed now, as JSON text.';

CREATE FUNCTION cmbs_store.belief_values(p_session cmbs_store.session, p_actor text, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        jsonb_object_agg(
            k.key,
            jsonb_build_object('value', jsonb_build_object('v', 1, 'value', case k.key
                when 'fact.belief.n_survivors' then to_jsonb(p_session.n_survivors)
                when 'fact.belief.n_hypotheses' then to_jsonb(p_session.n_hypotheses)
                when 'fact.belief.terminated' then to_jsonb(p_session.is_terminated)
                when 'fact.belief.active_obligation_id' then to_jsonb(p_session.obligation_id)
                when 'fact.belief.conclusion' then
                    to_jsonb(cmbs_store.accepted_conclusion(p_session))
                when 'fact.belief.survivors' then cmbs_store.survivors_then(p_session)
                else to_jsonb(cmbs_store.independent_survivors(p_session, p_actor))
            end))
        ),
        '{}'
    )
    from unnest(p_keys) as k (key)
    where k.key in (
        'fact.belief.n_survivors', 'fact.belief.n_hypotheses', 'fact.belief.terminated',
        'fact.belief.active_obligation_id', 'fact.belief.conclusion', 'fact.belief.survivors',
        'fact.belief.n_survivors_independent'
    )
$$;

ALTER FUNCTION cmbs_store.belief_values(p_session cmbs_store.session, p_actor text, p_keys text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.belief_values(p_session cmbs_store.session, p_actor text, p_keys text[]) IS 'What policy can read of the belief, as of an event.';

CREATE FUNCTION cmbs_store.budget_left(p_session cmbs_store.session, p_chain uuid[], p_unit text) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    select min(
        coalesce((t.budgets ->> p_unit)::bigint, 0) - coalesce(
            (
                select s.spent
                from cmbs_store.capability_spending as s
                where s.session_id = p_session.session_id
                    and s.token_id = t.token_id
                    and s.unit = p_unit
                    and s.seq <= p_session.audit_seq
                order by s.seq desc
                limit 1
            ),
            0
        )
    )
    from unnest(p_chain) as c (token_id)
    inner join cmbs_store.capability_token as t
        on t.session_id = p_session.session_id and t.token_id = c.token_id
$$;

ALTER FUNCTION cmbs_store.budget_left(p_session cmbs_store.session, p_chain uuid[], p_unit text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.budget_left(p_session cmbs_store.session, p_chain uuid[], p_unit text) IS 'What is left of a unit in the budgets of a chain of tokens.';

CREATE FUNCTION cmbs_store.budget_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_items jsonb, p_settings jsonb, p_mode jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_left bigint;
    v_granted bigint := (p_token.budgets ->> 'max_calls')::bigint;
    v_soft bigint;
    v_spent text;
begin
    if p_token.token_id is null
        or not jsonb_path_exists(p_items, '$[*] ? (@.kind == "tool_call")')
    then
        return '{}'::cmbs_store.reason[];
    end if;
    v_left := cmbs_store.budget_left(p_session, p_token.chain, 'max_calls');
    v_soft := v_left - v_granted + least(
        v_granted,
        v_granted * (p_settings -> 'policy.budgets' -> 'soft' ->> 'max_calls')::numeric::bigint
        * coalesce((p_mode ->> 'soft_percent')::numeric::bigint, 100) / 10000
    );
    if p_mode is not null then
        select min(b.unit)
        into v_spent
        from jsonb_each_text(p_token.budgets - 'max_calls') as b (unit, granted)
        cross join lateral (
            select cmbs_store.budget_left(p_session, p_token.chain, b.unit) as n_left
        ) as l
        where l.n_left <= 0 and l.n_left < b.granted::bigint;
    end if;
    return array(
        select (
            c.item_no, 'token', 'BUDGET_EXHAUSTED', null,
            case
                when c.call_no > v_left or v_spent is not null then 'block' else 'degrade'
            end,
            case
                when c.call_no > v_left then format('%s left of max_calls', v_left)
                when v_spent is not null then format('nothing left of %s', v_spent)
                else format('past the soft limit of max_calls, %s left', v_left)
            end
        )::cmbs_store.reason
        from (
            select i.item_no, row_number() over (order by i.item_no) as call_no
            from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
            where i.item ->> 'kind' = 'tool_call'
        ) as c
        where c.call_no > v_left
            or v_spent is not null
            or p_token.parent_id is null and c.call_no > v_soft
        order by c.item_no
    );
end
$_$;

ALTER FUNCTION cmbs_store.budget_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_items jsonb, p_settings jsonb, p_mode jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.budget_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_items jsonb, p_settings jsonb, p_mode jsonb) IS 'The budget of a token and of all that it was made from.';

CREATE FUNCTION cmbs_store.capability(p_session cmbs_store.session, p_token_id uuid) RETURNS cmbs_store.capability_token
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_token cmbs_store.capability_token;
begin
    select t.*
    into v_token
    from cmbs_store.capability_token as t
    where t.session_id = p_session.session_id
        and t.token_id = p_token_id
        and t.seq <= p_session.audit_seq;
    if not found then
        raise exception using
            errcode = 'MB006',
            message = 'There is no such capability token in this session.',
            detail = json_build_object('token_id', p_token_id)::text,
            hint = 'List the tokens of the session.';
    end if;
    return v_token;
end
$$;

ALTER FUNCTION cmbs_store.capability(p_session cmbs_store.session, p_token_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.capability(p_session cmbs_store.session, p_token_id uuid) IS 'A capability token of a session by its id. Raises MB006.';

CREATE FUNCTION cmbs_store.chain_fault(p_session_id uuid, OUT p_rows bigint, OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
begin
    select
        count(*),
        min(f.bad_seq),
        (array_agg(f.reason) filter (where f.bad_seq is not null))[1]
    into p_rows, p_seq, p_reason
    from (
        select
            case
                when c.seq <> c.no then least(c.seq, c.no)
                when c.event_hash <> c.real_hash then c.seq
                when c.named_hash <> coalesce(encode(c.previous_hash, 'hex'), repeat('0', 64))
                    then c.seq
            end as bad_seq,
            case
                when c.seq > c.no then 'the event is missing'
                when c.seq < c.no then 'the event is foreign'
                when c.event_hash <> c.real_hash then 'the record was changed: its hash differs'
                else 'the record does not name the event before it'
            end as reason
        from (
            select
                e.seq,
                e.event_hash,
                cmbs_store.event_hash_v1(e.record) as real_hash,
                cmbs_store.prev_event_hash(e.record) as named_hash,
                row_number() over log as no,
                lag(e.event_hash) over log as previous_hash
            from cmbs_store.audit_event as e
            where e.session_id = p_session_id
            window log as (order by e.seq)
        ) as c
    ) as f;
end
$$;

ALTER FUNCTION cmbs_store.chain_fault(p_session_id uuid, OUT p_rows bigint, OUT p_seq bigint, OUT p_reason text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.chain_fault(p_session_id uuid, OUT p_rows bigint, OUT p_seq bigint, OUT p_reason text) IS 'The first event that breaks the chain of a session, if any.';

CREATE FUNCTION cmbs_store.check_active(p_session cmbs_store.session, p_obligation_id text) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_session.obligation_id is distinct from p_obligation_id then
        raise exception using
            errcode = 'MB002',
            message = 'This obligation is not active.',
            detail = json_build_object(
                'obligation_id', p_obligation_id,
                'active_obligation_id', p_session.obligation_id
            )::text,
            hint = 'Only the active obligation can be left; the snapshot names it.';
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_active(p_session cmbs_store.session, p_obligation_id text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_active(p_session cmbs_store.session, p_obligation_id text) IS 'Refuse to leave an obligation that is not the active one. Raises MB002.';

CREATE FUNCTION cmbs_store.check_answer(p_resolution text, p_comment text) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_resolution is null or p_resolution not in ('approve', 'decline', 'cancel') then
        perform cmbs_store.refuse_request('resolution', 'must be approve, decline or cancel');
    elsif octet_length(p_comment) > 4096 then
        perform cmbs_store.refuse_size('comment', '4 KiB');
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_answer(p_resolution text, p_comment text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_answer(p_resolution text, p_comment text) IS 'Refuse an answer that is none.';

CREATE FUNCTION cmbs_store.check_batch(p_session_id uuid, p_messages json) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_messages json[];
    v_index integer;
    v_state text;
    v_text text;
    v_detail text;
    v_hint text;
begin
    perform cmbs_store.check_envelope(p_session_id, null, null);
    if json_typeof(p_messages) is distinct from 'array' then
        perform cmbs_store.refuse_request('messages', 'must be a list of ELIMINATE messages');
    end if;
    if octet_length(p_messages::text) > 8388608 then
        perform cmbs_store.refuse_size('messages', '8 MiB of JSON text');
    end if;
    v_messages := array(select json_array_elements(p_messages));
    if cardinality(v_messages) = 0 then
        perform cmbs_store.refuse_request('messages', 'must hold 1 to 1000 messages');
    elsif cardinality(v_messages) > 1000 then
        perform cmbs_store.refuse_size('messages', '1000 messages');
    end if;
    for v_i in 1 .. cardinality(v_messages) loop
        v_index := v_i - 1;
        perform cmbs_store.check_batch_message(p_session_id, v_messages[v_i]);
    end loop;
exception
    when others then
        get stacked diagnostics
            v_state = returned_sqlstate,
            v_text = message_text,
            v_detail = pg_exception_detail,
            v_hint = pg_exception_hint;
        if v_index is null or v_state !~ '^(MB|22|54001|0A000)' then
            raise;
        end if;
        perform cmbs_store.refuse_batch(v_state, v_text, v_detail, v_hint, v_index, null);
end
$$;

ALTER FUNCTION cmbs_store.check_batch(p_session_id uuid, p_messages json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_batch(p_session_id uuid, p_messages json) IS 'Check the messages of a batch one by one. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.check_batch_message(p_session_id uuid, p_message json) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_message jsonb;
    v_source_id text;
    v_observation_id text;
    v_notes text;
begin
    if json_typeof(p_message) <> 'object' then
        perform cmbs_store.refuse_request('messages', 'every message must be a JSON object');
    end if;
    v_message := p_message::jsonb;
    perform cmbs_store.check_members(
        'messages', v_message,
        array['session_id', 'source_id', 'observation_id', 'eliminated', 'justification', 'notes']
    );
    if (select count(*) from json_object_keys(p_message))
        <> (select count(*) from jsonb_object_keys(v_message))
    then
        perform cmbs_store.refuse_request('messages', 'a key may appear once in an object');
    end if;
    v_source_id := cmbs_store.text_member(v_message, 'source_id');
    v_observation_id := cmbs_store.text_member(v_message, 'observation_id');
    v_notes := cmbs_store.text_member(v_message, 'notes');
    if cmbs_store.text_member(v_message, 'session_id')::uuid <> p_session_id then
        perform cmbs_store.refuse_request('session_id', 'must be the session of the batch');
    end if;
    if jsonb_typeof(v_message -> 'eliminated') is distinct from 'array'
        or jsonb_path_exists(v_message, 'strict $.eliminated[*] ? (@.type() != "string")')
    then
        perform cmbs_store.refuse_request('eliminated', 'must be a list of ids');
    end if;
    if jsonb_typeof(v_message -> 'justification') <> 'null' then
        perform cmbs_store.free_object('justification', p_message -> 'justification');
    end if;
    perform cmbs_store.check_envelope(p_session_id, null, v_notes);
    perform cmbs_store.check_elimination(
        v_source_id, v_observation_id,
        array(select jsonb_array_elements_text(v_message -> 'eliminated'))
    );
end
$_$;

ALTER FUNCTION cmbs_store.check_batch_message(p_session_id uuid, p_message json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_batch_message(p_session_id uuid, p_message json) IS 'Check one message of a batch. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.check_batch_sources(p_caller cmbs_store.principal, p_batch jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_source record;
begin
    -- Each source once: a batch is often that of one.
    for v_source in
        select m.message ->> 'source_id' as source_id, min(m.no) - 1 as index
        from jsonb_array_elements(p_batch) with ordinality as m (message, no)
        group by 1
        order by 2
    loop
        perform cmbs_store.check_source(p_caller, v_source.source_id, v_source.index);
    end loop;
end
$$;

ALTER FUNCTION cmbs_store.check_batch_sources(p_caller cmbs_store.principal, p_batch jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_batch_sources(p_caller cmbs_store.principal, p_batch jsonb) IS 'Refuse a batch for sources that are not the callers. Raises MB302.';

CREATE FUNCTION cmbs_store.check_beginner(p_session cmbs_store.session, p_caller cmbs_store.principal, p_permit cmbs_store.permit) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_actor text;
begin
    select b.actor
    into v_actor
    from cmbs_store.permit_begin as b
    where b.session_id = p_session.session_id and b.permit_id = p_permit.permit_id;
    if not found then
        perform cmbs_store.refuse_execution(
            'PERMIT_NOT_BEGUN', jsonb_build_object('permit_id', p_permit.permit_id)
        );
    elsif v_actor <> p_caller.name then
        perform cmbs_store.refuse_execution('PERMIT_HOLDER_MISMATCH', jsonb_build_object(
            'permit_id', p_permit.permit_id, 'begun_by', v_actor
        ));
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_beginner(p_session cmbs_store.session, p_caller cmbs_store.principal, p_permit cmbs_store.permit) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_beginner(p_session cmbs_store.session, p_caller cmbs_store.principal, p_permit cmbs_store.permit) IS 'Refuse to go on with an execution that was not begun, or by another principal.';

CREATE FUNCTION cmbs_store.check_context_id(p_member text, p_id text) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_id is null or octet_length(p_id) > 512 then
        perform cmbs_store.refuse_request(p_member, 'must be text of at most 512 bytes');
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_context_id(p_member text, p_id text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_context_id(p_member text, p_id text) IS 'Refuse what cannot be an id of an elimination context. Raises MB201.';

CREATE FUNCTION cmbs_store.check_context_ids(p_member text, p_ids text[]) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_bytes bigint := octet_length(array_to_string(p_ids, ''));
begin
    if p_ids is null or array_ndims(p_ids) > 1 then
        perform cmbs_store.refuse_request(p_member, 'must be a list of ids');
    end if;
    if array_position(p_ids, null) is not null
        or v_bytes > 512 and exists (
            select from unnest(p_ids) as u (id) where octet_length(u.id) > 512
        )
    then
        perform cmbs_store.refuse_request(p_member, 'every id must be text of at most 512 bytes');
    end if;
    if v_bytes > 67108864 then
        perform cmbs_store.refuse_size(p_member, '64 MiB of ids');
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_context_ids(p_member text, p_ids text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_context_ids(p_member text, p_ids text[]) IS 'Refuse a list that is not a plain list of ids of an elimination context. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.check_elimination(p_source_id text, p_observation_id text, p_eliminated text[]) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    perform cmbs_store.check_id('source_id', p_source_id);
    perform cmbs_store.check_id('observation_id', p_observation_id);
    perform cmbs_store.check_ids('eliminated', p_eliminated, 1000000);
end
$$;

ALTER FUNCTION cmbs_store.check_elimination(p_source_id text, p_observation_id text, p_eliminated text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_elimination(p_source_id text, p_observation_id text, p_eliminated text[]) IS 'Check the shape of one ELIMINATE message. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.check_envelope(p_session_id uuid, p_request_id text, p_notes text) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_session_id is null then
        perform cmbs_store.refuse_request('session_id', 'must be a uuid');
    end if;
    if p_request_id is not null then
        perform cmbs_store.check_id('request_id', p_request_id);
    end if;
    if octet_length(p_notes) > 4096 then
        perform cmbs_store.refuse_size('notes', '4 KiB');
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_envelope(p_session_id uuid, p_request_id text, p_notes text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_envelope(p_session_id uuid, p_request_id text, p_notes text) IS 'Check session id, request id and notes of a message. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.check_executor(p_caller cmbs_store.principal, p_permit cmbs_store.permit) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_caller.name <> p_permit.actor and not p_caller.roles && array['encoder', 'tool'] then
        perform cmbs_store.refuse_execution(
            'PERMIT_HOLDER_MISMATCH', jsonb_build_object('permit_id', p_permit.permit_id)
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_executor(p_caller cmbs_store.principal, p_permit cmbs_store.permit) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_executor(p_caller cmbs_store.principal, p_permit cmbs_store.permit) IS 'Refuse an agent that would execute what another one proposed.';

CREATE FUNCTION cmbs_store.check_force(p_caller cmbs_store.principal, p_policy jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_policy -> 'allow_forced_termination' = 'true'
        and 'policy' <> all(p_caller.roles)
        and exists (select from cmbs_store.principal)
    then
        perform cmbs_store.refuse_role(p_caller, 'declare_session', '{policy}');
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_force(p_caller cmbs_store.principal, p_policy jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_force(p_caller cmbs_store.principal, p_policy jsonb) IS 'Refuse to let others than the policy role allow forced termination. Raises MB302.';

CREATE FUNCTION cmbs_store.check_holder(p_caller cmbs_store.principal, p_token cmbs_store.capability_token) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if 'policy' <> all(p_caller.roles) and not exists (
        select
        from cmbs_store.capability_token as t
        where t.session_id = p_token.session_id
            and t.token_id = any(p_token.chain)
            and t.holder = p_caller.name
    ) then
        perform cmbs_store.refuse_caller(
            'only the holder of a capability token, or the policy role, may do this with it'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_holder(p_caller cmbs_store.principal, p_token cmbs_store.capability_token) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_holder(p_caller cmbs_store.principal, p_token cmbs_store.capability_token) IS 'Refuse a caller who neither holds a token or one that it was made from, nor sets policy. Raises MB302.';

CREATE FUNCTION cmbs_store.check_id(p_member text, p_id text, p_max_bytes integer DEFAULT 512) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if not cmbs_store.is_id(p_id, p_max_bytes) then
        perform cmbs_store.refuse_request(
            p_member, format('must be text of 1 to %s bytes', p_max_bytes)
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_id(p_member text, p_id text, p_max_bytes integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_id(p_member text, p_id text, p_max_bytes integer) IS 'Refuse what cannot be an id. Raises MB201.';

CREATE FUNCTION cmbs_store.check_ids(p_member text, p_ids text[], p_max_count integer) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_bytes bigint := octet_length(array_to_string(p_ids, ''));
begin
    if p_ids is null or array_ndims(p_ids) > 1 then
        perform cmbs_store.refuse_request(p_member, 'must be a list of ids');
    end if;
    if cardinality(p_ids) > p_max_count then
        perform cmbs_store.refuse_size(p_member, format('%s ids', p_max_count));
    end if;
    if array_position(p_ids, null) is not null or array_position(p_ids, '') is not null
        or v_bytes > 512 and exists (
            select from unnest(p_ids) as u (id) where octet_length(u.id) > 512
        )
    then
        perform cmbs_store.refuse_request(p_member, 'every id must be text of 1 to 512 bytes');
    end if;
    if v_bytes > 67108864 then
        perform cmbs_store.refuse_size(p_member, '64 MiB of ids');
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_ids(p_member text, p_ids text[], p_max_count integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_ids(p_member text, p_ids text[], p_max_count integer) IS 'Refuse a list that is not a plain list of ids. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.check_interrupt_status(p_status text) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_status not in (
        'pending', 'approved', 'declined', 'cancelled', 'consumed', 'superseded', 'expired', 'ended'
    ) then
        perform cmbs_store.refuse_request(
            'status',
            'must be pending, approved, declined, cancelled, consumed, superseded, expired or ended'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_interrupt_status(p_status text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_interrupt_status(p_status text) IS 'Refuse a status that no question has. Raises MB201.';

CREATE FUNCTION cmbs_store.check_known(p_eliminated text[], p_found text[]) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_invalid text[] := cmbs_store.ids_without(p_eliminated, p_found);
begin
    if cardinality(v_invalid) > 0 then
        raise exception using
            errcode = 'MB202',
            message = 'Some ids are not hypotheses of this session.',
            detail = json_build_object(
                'invalid', v_invalid[1:100], 'n_invalid', cardinality(v_invalid)
            )::text,
            hint = 'Correct the ids; nothing was changed.';
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_known(p_eliminated text[], p_found text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_known(p_eliminated text[], p_found text[]) IS 'Refuse ids outside the universe. Raises MB202.';

CREATE FUNCTION cmbs_store.check_label(p_member text, p_label text) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    perform cmbs_store.check_id(p_member, p_label, 128);
    if p_label <> btrim(p_label) or p_label ~ '[\u0001-\u001f\u007f]' then
        perform cmbs_store.refuse_request(
            p_member, 'must be text without control characters, and no blank first or last'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_label(p_member text, p_label text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_label(p_member text, p_label text) IS 'Refuse what cannot be the name of a principal or tenant. Raises MB201.';

CREATE FUNCTION cmbs_store.check_limit(p_limit integer, p_max integer) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_limit not between 1 and p_max then
        perform cmbs_store.refuse_request('limit', format('must be from 1 to %s', p_max));
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_limit(p_limit integer, p_max integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_limit(p_limit integer, p_max integer) IS 'Refuse a page size out of bounds. Raises MB201.';

CREATE FUNCTION cmbs_store.check_members(p_member text, p_object jsonb, p_known text[]) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_unknown text[] := array(
        select left(k.key, 100) from jsonb_object_keys(p_object) as k (key)
        where k.key <> all(p_known)
        order by k.key collate "C"
        limit 100
    );
begin
    if cardinality(v_unknown) > 0 then
        raise exception using
            errcode = 'MB201',
            message = 'The request has members that are not known.',
            detail = json_build_object('member', p_member, 'unknown', v_unknown)::text,
            hint = 'Check the spelling; unknown members are never ignored.';
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_members(p_member text, p_object jsonb, p_known text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_members(p_member text, p_object jsonb, p_known text[]) IS 'Refuse an object with unknown members. Raises MB201.';

CREATE FUNCTION cmbs_store.check_name(p_caller cmbs_store.principal, p_name text, p_tenant text, p_is_login boolean) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_problem text;
begin
    if p_name ~ '^(cmbs|pg_)' or p_name in ('api', 'public', 'none', '*') then
        v_problem := 'the name is reserved';
    elsif p_is_login <> exists (select from pg_roles as r where r.rolname = p_name) then
        v_problem := case
            when p_is_login then 'there is no such role of PostgreSQL'
            else 'a role of PostgreSQL has it'
        end;
    elsif exists (
        select
        from cmbs_store.principal as p
        where p.name = p_name and (p.tenant = '*' or p_tenant = '*' or p_is_login)
    ) then
        v_problem := 'another principal has it';
    end if;
    if v_problem is not null then
        perform cmbs_store.refuse_name(
            p_name,
            case when p_caller.tenant = '*' then v_problem else 'the name cannot be used here' end
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_name(p_caller cmbs_store.principal, p_name text, p_tenant text, p_is_login boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_name(p_caller cmbs_store.principal, p_name text, p_tenant text, p_is_login boolean) IS 'Refuse a name that a new principal cannot have. Raises MB102.';

CREATE FUNCTION cmbs_store.check_namesake(p_caller cmbs_store.principal) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if exists (
        select
        from cmbs_store.principal as p
        where p.name = p_caller.name
            and not p.is_login
            and (p.tenant in ('*', p_caller.tenant) or p_caller.tenant = '*')
    ) then
        perform cmbs_store.refuse_caller(
            'the name of this login is that of a principal with tokens'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_namesake(p_caller cmbs_store.principal) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_namesake(p_caller cmbs_store.principal) IS 'Refuse a login whose name a principal with tokens has. Raises MB302.';

CREATE FUNCTION cmbs_store.check_open(p_session cmbs_store.session, p_expected_head uuid) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_session.audit_head_event_id <> p_expected_head then
        raise exception using
            errcode = 'MB103',
            message = 'The session has moved on since it was read.',
            detail = json_build_object(
                'expected_head', p_expected_head,
                'audit_head_event_id', p_session.audit_head_event_id
            )::text,
            hint = 'Read the session again and decide again.';
    end if;
    if p_session.is_terminated then
        raise exception using
            errcode = 'MB101',
            message = 'The session is terminated.',
            detail = json_build_object('session_id', p_session.session_id)::text,
            hint = 'Reads stay open; declare a new session to go on.';
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_open(p_session cmbs_store.session, p_expected_head uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_open(p_session cmbs_store.session, p_expected_head uuid) IS 'Refuse a new message to a session that has moved on or is over. Raises MB103, MB101.';

CREATE FUNCTION cmbs_store.check_rights(p_roles text[], p_source_prefixes text[]) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if cardinality(p_roles) = 0 or array_ndims(p_roles) > 1
        or array_position(p_roles, null) is not null
        or not p_roles <@ array[
            'agent', 'encoder', 'tool', 'policy', 'approver', 'auditor', 'admin'
        ]
    then
        perform cmbs_store.refuse_request(
            'roles',
            'must be one or more of agent, encoder, tool, policy, approver, auditor and admin'
        );
    elsif cardinality(p_source_prefixes) > 100 then
        perform cmbs_store.refuse_size('source_prefixes', '100 prefixes');
    elsif array_ndims(p_source_prefixes) > 1
        or array_position(p_source_prefixes, null) is not null
        or exists (
            select from unnest(p_source_prefixes) as s (prefix) where octet_length(s.prefix) > 512
        )
    then
        perform cmbs_store.refuse_request(
            'source_prefixes', 'must be a list of texts of up to 512 bytes'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_rights(p_roles text[], p_source_prefixes text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_rights(p_roles text[], p_source_prefixes text[]) IS 'Refuse rights that there are not. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.check_scope(p_credential bytea, p_verbs text[]) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if exists (
        select
        from cmbs_store.api_token as t
        where t.credential_hash = sha256(p_credential)
            and t.verbs is not null
            and not coalesce(p_verbs <@ t.verbs, false)
    ) then
        perform cmbs_store.refuse_caller(
            'the token of the caller does not cover all verbs of the new one'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_scope(p_credential bytea, p_verbs text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_scope(p_credential bytea, p_verbs text[]) IS 'Refuse to give away more verbs than the caller has. Raises MB302.';

CREATE FUNCTION cmbs_store.check_source(p_caller cmbs_store.principal, p_source_id text, p_index bigint DEFAULT NULL::bigint) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_caller.source_prefixes is not null and not exists (
        select
        from unnest(p_caller.source_prefixes) as s (prefix)
        where starts_with(p_source_id, s.prefix)
    ) then
        raise exception using
            errcode = 'MB302',
            message = 'The principal may not speak for this source.',
            detail = json_strip_nulls(
                json_build_object(
                    'principal', p_caller.name, 'source_id', p_source_id,
                    'source_prefixes', p_caller.source_prefixes, 'index', p_index
                )
            )::text,
            hint = 'Name a source that begins with one of the prefixes, or ask an administrator.';
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_source(p_caller cmbs_store.principal, p_source_id text, p_index bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_source(p_caller cmbs_store.principal, p_source_id text, p_index bigint) IS 'Refuse a source that the principal may not speak for. Raises MB302.';

CREATE FUNCTION cmbs_store.check_tenant(p_caller cmbs_store.principal, p_tenant text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_tenant is null then
        return cmbs_store.home(p_caller);
    end if;
    perform cmbs_store.check_label('tenant', p_tenant);
    if p_caller.tenant not in ('*', p_tenant) then
        perform cmbs_store.refuse_caller('the tenant is not the one of the caller');
    end if;
    return p_tenant;
end
$$;

ALTER FUNCTION cmbs_store.check_tenant(p_caller cmbs_store.principal, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_tenant(p_caller cmbs_store.principal, p_tenant text) IS 'The tenant that a message about identities is for. Raises MB201, MB302.';

CREATE FUNCTION cmbs_store.check_token(p_digest bytea, p_prefix text, p_verbs text[], p_expires_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $_$
begin
    if octet_length(p_digest) is distinct from 32 then
        perform cmbs_store.refuse_request('digest', 'must be the sha-256 digest of the token');
    elsif p_prefix is null or p_prefix !~ '^[A-Za-z0-9_-]{4,32}$' then
        perform cmbs_store.refuse_request(
            'prefix', 'must be the beginning of the token: 4 to 32 letters, digits, _ or -'
        );
    elsif cardinality(p_verbs) = 0 or not cmbs_store.are_verbs(p_verbs) then
        perform cmbs_store.refuse_request(
            'verbs', 'must be names of verbs, such as eliminate, or left out for all'
        );
    elsif p_expires_at not between cmbs_store.clock() and '9999-12-31 00:00:00+00' then
        perform cmbs_store.refuse_request('expires_at', 'must be a time to come');
    end if;
end
$_$;

ALTER FUNCTION cmbs_store.check_token(p_digest bytea, p_prefix text, p_verbs text[], p_expires_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_token(p_digest bytea, p_prefix text, p_verbs text[], p_expires_at timestamp with time zone) IS 'Refuse what a token cannot be. Raises MB201.';

CREATE FUNCTION cmbs_store.check_units(p_session cmbs_store.session, p_permit cmbs_store.permit, p_usage jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if exists (
        select
        from cmbs_store.capability_token as t
        where t.session_id = p_session.session_id
            and t.token_id = p_permit.token_id
            and (p_usage - array(select jsonb_object_keys(t.budgets))) <> '{}'
    ) then
        perform cmbs_store.refuse_request(
            'usage', 'must be of units that the budget of the capability token names'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_units(p_session cmbs_store.session, p_permit cmbs_store.permit, p_usage jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_units(p_session cmbs_store.session, p_permit cmbs_store.permit, p_usage jsonb) IS 'Refuse a usage of units that the budget of the token does not name.';

CREATE FUNCTION cmbs_store.check_version_named(p_member text, p_sent jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $_$
begin
    perform cmbs_store.check_label(
        p_member || '.pack', cmbs_store.text_member(p_sent, 'pack')
    );
    if jsonb_typeof(p_sent -> 'version') is distinct from 'number'
        or p_sent ->> 'version' !~ '^[0-9]{1,9}$'
    then
        perform cmbs_store.refuse_request(
            p_member || '.version', 'must be the number of a version of the pack'
        );
    end if;
end
$_$;

ALTER FUNCTION cmbs_store.check_version_named(p_member text, p_sent jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_version_named(p_member text, p_sent jsonb) IS 'Refuse what does not name a version of a policy pack. Raises MB201.';

CREATE FUNCTION cmbs_store.check_writable() RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if current_setting('transaction_read_only') = 'on' then
        raise exception using
            errcode = 'read_only_sql_transaction',
            message = 'Nothing can be written here.',
            detail = json_build_object('transaction_read_only', true)::text,
            hint = 'Ask the primary server, in a transaction that may write.';
    end if;
end
$$;

ALTER FUNCTION cmbs_store.check_writable() OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.check_writable() IS 'Refuse a call that would write where nothing can be written. Raises 25006.';

CREATE FUNCTION cmbs_store.checked_arbitration(p_arbitration json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_sent jsonb := cmbs_store.free_object('arbitration', p_arbitration)::jsonb;
begin
    if v_sent is null then
        return null;
    end if;
    perform cmbs_store.check_members('arbitration', v_sent, '{pack, version, shadow}');
    perform cmbs_store.check_version_named('arbitration', v_sent);
    if v_sent -> 'shadow' = 'null' then
        v_sent := v_sent - 'shadow';
    elsif v_sent ? 'shadow' then
        perform cmbs_store.checked_shadow((v_sent -> 'shadow')::json);
    end if;
    return v_sent;
end
$$;

ALTER FUNCTION cmbs_store.checked_arbitration(p_arbitration json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_arbitration(p_arbitration json) IS 'The policy pack that a declare names, checked; null if it names none. Raises MB201.';

CREATE FUNCTION cmbs_store.checked_batch(p_session_id uuid, p_messages json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_batch jsonb;
begin
    begin
        -- Parsed JSON takes a hundred times its text if somebody wants it to.
        if octet_length(p_messages::text) <= 8388608 then
            v_batch := p_messages::jsonb;
            if cmbs_store.is_plain_batch(p_session_id, p_messages, v_batch) then
                return v_batch;
            end if;
        end if;
    exception
        when data_exception or feature_not_supported or statement_too_complex
            or sqlstate 'MB201' or sqlstate 'MB203'
        then
            null;
    end;
    perform cmbs_store.check_batch(p_session_id, p_messages);
    return p_messages::jsonb;
end
$$;

ALTER FUNCTION cmbs_store.checked_batch(p_session_id uuid, p_messages json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_batch(p_session_id uuid, p_messages json) IS 'The messages of a batch, checked. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.checked_call(p_member text, p_item jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
begin
    perform cmbs_store.check_members(
        p_member, p_item, '{kind, tool_id, args, artifacts, intent_summary}'
    );
    if jsonb_typeof(p_item -> 'args') not in ('object', 'null') then
        perform cmbs_store.refuse_request(p_member || '.args', 'must be an object');
    elsif jsonb_typeof(p_item -> 'artifacts') not in ('object', 'null') then
        perform cmbs_store.refuse_request(p_member || '.artifacts', 'must be an object');
    elsif octet_length(cmbs_store.text_member(p_item, 'intent_summary')) > 4096 then
        perform cmbs_store.refuse_size('intent_summary', '4 KiB');
    end if;
    perform cmbs_store.check_id(
        p_member || '.tool_id', cmbs_store.text_member(p_item, 'tool_id')
    );
    return jsonb_strip_nulls(p_item - '{args, artifacts}'::text[])
        || case
            when jsonb_typeof(p_item -> 'artifacts') = 'object'
                then jsonb_build_object('artifacts', p_item -> 'artifacts')
            else '{}'
        end
        || jsonb_build_object('args', case
            when jsonb_typeof(p_item -> 'args') = 'object' then p_item -> 'args' else '{}'
        end);
end
$$;

ALTER FUNCTION cmbs_store.checked_call(p_member text, p_item jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_call(p_member text, p_item jsonb) IS 'A tool call as it is recorded. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.checked_claim(p_claim json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_sent jsonb := cmbs_store.free_object('claim', coalesce(p_claim, '{}'))::jsonb;
    v_confidence jsonb := coalesce(v_sent -> 'confidence', '0');
    v_event_id text := cmbs_store.text_member(v_sent, 'confirmed_by_event_id');
begin
    perform cmbs_store.check_members('claim', v_sent, array[
        'kind', 'key', 'value', 'confidence', 'source_chunk_ids', 'confirmed_by_event_id',
        'ttl_ms', 'review_at', 'conflict_state', 'on_unconfirmed'
    ]);
    perform cmbs_store.check_id('key', cmbs_store.text_member(v_sent, 'key'));
    if coalesce(v_sent ->> 'kind', '') not in (
        'fact', 'preference', 'decision', 'hypothesis', 'derived'
    ) then
        perform cmbs_store.refuse_request(
            'kind', 'must be fact, preference, decision, hypothesis or derived'
        );
    elsif not v_sent ? 'value' then
        perform cmbs_store.refuse_request('value', 'must be there');
    elsif jsonb_typeof(v_confidence) <> 'number' or v_confidence not between '0' and '1'
        or scale((v_confidence #>> '{}')::numeric) > 5
    then
        perform cmbs_store.refuse_request(
            'confidence', 'must be a number from 0 to 1 with up to 5 digits after the point'
        );
    elsif v_event_id !~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
        perform cmbs_store.refuse_request('confirmed_by_event_id', 'must be the id of an event');
    elsif coalesce(v_sent -> 'ttl_ms', 'null') <> 'null' and (
        jsonb_typeof(v_sent -> 'ttl_ms') <> 'number'
        or v_sent -> 'ttl_ms' not between '1' and '31536000000000'
        or v_sent ->> 'ttl_ms' !~ '^[0-9]+$'
    ) then
        perform cmbs_store.refuse_request('ttl_ms', 'must be a whole number of milliseconds');
    elsif coalesce(v_sent ->> 'conflict_state', 'none') not in (
        'none', 'contradictory', 'superseded', 'quarantined', 'pending_review'
    ) then
        perform cmbs_store.refuse_request(
            'conflict_state',
            'must be none, contradictory, superseded, quarantined or pending_review'
        );
    elsif coalesce(v_sent ->> 'on_unconfirmed', 'refuse') not in ('refuse', 'demote') then
        perform cmbs_store.refuse_request('on_unconfirmed', 'must be refuse or demote');
    end if;
    return jsonb_build_object(
        'kind', v_sent -> 'kind',
        'key', v_sent -> 'key',
        'value', v_sent -> 'value',
        'confidence', v_confidence,
        'source_chunk_ids', cmbs_store.text_list('source_chunk_ids', v_sent -> 'source_chunk_ids'),
        'confirmed_by_event_id', lower(v_event_id),
        'ttl_ms', coalesce(v_sent -> 'ttl_ms', 'null'),
        'review_at', cmbs_store.timestamp_v1(cmbs_store.time_member(v_sent, 'review_at')),
        'conflict_state', coalesce(v_sent ->> 'conflict_state', 'none'),
        'on_unconfirmed', coalesce(v_sent ->> 'on_unconfirmed', 'refuse')
    );
end
$_$;

ALTER FUNCTION cmbs_store.checked_claim(p_claim json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_claim(p_claim json) IS 'A claim as it is recorded: checked, with what was left out filled in. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.checked_completion(p_permit_id uuid, p_outcome text, p_result json, p_usage json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_result text := coalesce(cmbs_store.free_object('result', p_result), '{}');
    v_usage jsonb := coalesce(cmbs_store.free_object('usage', p_usage), '{}')::jsonb;
begin
    if p_outcome is null or p_outcome not in ('ok', 'error') then
        perform cmbs_store.refuse_request('outcome', 'must be ok or error');
    elsif exists (
        select
        from jsonb_each(v_usage) as u (unit, amount)
        where jsonb_typeof(u.amount) <> 'number'
            or u.amount::text !~ '^[0-9]{1,13}$'
            or u.unit = 'max_calls' and u.amount = '0'
    ) then
        perform cmbs_store.refuse_request(
            'usage', 'must be an object: unit -> whole number, at least 1 of max_calls'
        );
    end if;
    return jsonb_build_object(
        'permit_id', p_permit_id,
        'outcome', p_outcome,
        'status', case p_outcome when 'ok' then 'committed' else 'rolled_back' end,
        'result', v_result::jsonb,
        'result_hash', encode(cmbs_store.digest_v1(v_result), 'hex'),
        'usage', v_usage
    );
end
$_$;

ALTER FUNCTION cmbs_store.checked_completion(p_permit_id uuid, p_outcome text, p_result json, p_usage json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_completion(p_permit_id uuid, p_outcome text, p_result json, p_usage json) IS 'How an execution ended, as it is recorded.';

CREATE FUNCTION cmbs_store.checked_delta(p_member text, p_item jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $_$
begin
    perform cmbs_store.check_members(p_member, p_item, '{kind, patch, s_core}');
    if not p_item ?| '{patch, s_core}' then
        perform cmbs_store.refuse_request(p_member, 'must have a patch, or an s_core');
    elsif p_item ? 'patch' and (
        jsonb_typeof(p_item -> 'patch') <> 'object' or p_item -> 'patch' = '{}'
        or jsonb_path_exists(
            p_item, '$.patch.* ? (@.type() == "number" || @.type() == "boolean")'
        )
        or jsonb_path_exists(p_item, 'strict $.patch.* ? (@.type() == "array")')
    ) then
        perform cmbs_store.refuse_request(
            p_member || '.patch', 'must be an object: key -> the text of a value, or null'
        );
    elsif p_item ? 's_core' and (
        jsonb_typeof(p_item -> 's_core') <> 'array'
        or jsonb_array_length(p_item -> 's_core') > 8192
        or jsonb_path_exists(p_item, 'strict $.s_core[*] ? (@.type() != "number")')
        -- What a real cannot hold, at either end.
        or jsonb_path_exists(p_item, 'strict $.s_core[*] ? (@ > 3e38 || @ < -3e38)')
        or jsonb_path_exists(
            p_item, 'strict $.s_core[*] ? (@ != 0 && @ < 1.2e-38 && @ > -1.2e-38)'
        )
    ) then
        perform cmbs_store.refuse_request(
            p_member || '.s_core', 'must be a list of up to 8,192 numbers that are floats'
        );
    end if;
    return p_item || case
        when p_item ? 'patch' then jsonb_build_object('patch', (
            select jsonb_object_agg(
                m.key,
                case
                    when jsonb_typeof(m.value) = 'object' then to_jsonb(m.value::text)
                    else m.value
                end
            )
            from jsonb_each(p_item -> 'patch') as m (key, value)
        ))
        else '{}'
    end;
end
$_$;

ALTER FUNCTION cmbs_store.checked_delta(p_member text, p_item jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_delta(p_member text, p_item jsonb) IS 'A state delta as it is recorded. Raises MB201.';

CREATE FUNCTION cmbs_store.checked_fixtures(p_fixtures json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_fixtures jsonb;
    v_fixture jsonb;
begin
    if p_fixtures is null then
        return '[]'::jsonb;
    end if;
    v_fixtures := cmbs_store.free_object(
        'fixtures', json_build_object('fixtures', p_fixtures)
    )::jsonb -> 'fixtures';
    if jsonb_typeof(v_fixtures) <> 'array' or jsonb_array_length(v_fixtures) > 1000 then
        perform cmbs_store.refuse_request('fixtures', 'must be a list of up to 1,000 fixtures');
    end if;
    for v_i in 0 .. jsonb_array_length(v_fixtures) - 1 loop
        v_fixture := v_fixtures -> v_i;
        if jsonb_typeof(v_fixture) <> 'object'
            or jsonb_typeof(v_fixture -> 'item') is distinct from 'object'
            or jsonb_typeof(v_fixture -> 'expect') is distinct from 'object'
            or v_fixture -> 'expect' = '{}'
            or jsonb_typeof(v_fixture -> 'given') <> 'object'
            or jsonb_typeof(v_fixture -> 'tool') <> 'object'
            or v_fixture - '{name, given, tool, item, expect}'::text[] <> '{}'
            or (v_fixture -> 'expect') - '{decision, disposition, reason_code}'::text[] <> '{}'
        then
            perform cmbs_store.refuse_request(
                format('fixtures[%s]', v_i),
                'must have an item and what to expect (decision, disposition, reason_code), and '
                'may have a name, given (key -> value) and a tool'
            );
        end if;
        if v_fixture -> 'item' ->> 'kind' is distinct from 'claim' then
            perform cmbs_store.checked_items(jsonb_build_array(v_fixture -> 'item'));
        end if;
    end loop;
    return v_fixtures;
end
$$;

ALTER FUNCTION cmbs_store.checked_fixtures(p_fixtures json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_fixtures(p_fixtures json) IS 'The fixtures of a policy, checked. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.checked_grant(p_grant json, p_at timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_sent jsonb := cmbs_store.free_object('grant', coalesce(p_grant, '{}'))::jsonb;
    v_grant jsonb;
    v_list text;
begin
    perform cmbs_store.check_members('grant', v_sent, array[
        'holder', 'tools', 'capabilities', 'state_prefixes', 'resource_roots', 'budgets',
        'valid_from', 'expires_at', 'approval_requirement', 'parent'
    ]);
    perform cmbs_store.check_label('holder', cmbs_store.text_member(v_sent, 'holder'));
    v_grant := jsonb_build_object('holder', v_sent -> 'holder');
    foreach v_list in array '{tools, capabilities, state_prefixes, resource_roots}'::text[] loop
        v_grant := v_grant || jsonb_build_object(
            v_list, cmbs_store.text_list(v_list, v_sent -> v_list)
        );
    end loop;
    if exists (
        select from jsonb_array_elements_text(v_grant -> 'resource_roots') as r (root)
        where r.root = '' or left(r.root, 1) = '/' and not cmbs_store.is_in_roots(r.root, '{/}')
            or left(r.root, 1) <> '/' and r.root ~ '[/A-Z]'
    ) then
        perform cmbs_store.refuse_request(
            'resource_roots', 'must be absolute paths without . and .., or hosts in lower case'
        );
    elsif coalesce(v_sent ->> 'approval_requirement', 'none') not in ('none', 'required') then
        perform cmbs_store.refuse_request('approval_requirement', 'must be none or required');
    elsif jsonb_typeof(coalesce(v_sent -> 'budgets', '{}')) <> 'object' or jsonb_path_exists(
        coalesce(v_sent -> 'budgets', '{}'),
        'strict $.* ? (@.type() != "number" || @ < 0 || @ > 1000000000000 || @ != @.floor())'
    ) then
        perform cmbs_store.refuse_request('budgets', 'must be an object: unit -> whole number');
    end if;
    return v_grant || jsonb_build_object(
        'approval', coalesce(v_sent ->> 'approval_requirement', 'none'),
        'budgets', (
            select coalesce(jsonb_object_agg(b.key, b.value::text::numeric::bigint), '{}')
            from jsonb_each(coalesce(v_sent -> 'budgets', '{}')) as b (key, value)
        ),
        'valid_from', cmbs_store.timestamp_v1(
            coalesce(cmbs_store.time_member(v_sent, 'valid_from'), p_at)
        ),
        'expires_at', cmbs_store.timestamp_v1(cmbs_store.time_member(v_sent, 'expires_at'))
    );
end
$_$;

ALTER FUNCTION cmbs_store.checked_grant(p_grant json, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_grant(p_grant json, p_at timestamp with time zone) IS 'What a capability token is asked to allow, checked and filled in. Raises MB201.';

CREATE FUNCTION cmbs_store.checked_items(p_items jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_items jsonb := '[]'::jsonb;
    v_item jsonb;
    v_member text;
begin
    if jsonb_typeof(p_items) is distinct from 'array'
        or jsonb_array_length(p_items) not between 1 and 100
    then
        perform cmbs_store.refuse_request('items', 'must be a list of 1 to 100 items');
    end if;
    for v_i in 0 .. jsonb_array_length(p_items) - 1 loop
        v_item := p_items -> v_i;
        v_member := format('items[%s]', v_i);
        if jsonb_typeof(v_item) <> 'object' then
            perform cmbs_store.refuse_request(v_member, 'must be an object');
        end if;
        v_items := v_items || case v_item ->> 'kind'
            when 'state_delta' then cmbs_store.checked_delta(v_member, v_item)
            when 'tool_call' then cmbs_store.checked_call(v_member, v_item)
        end;
        if v_items is null then
            perform cmbs_store.refuse_request(
                v_member || '.kind', 'must be state_delta or tool_call'
            );
        end if;
    end loop;
    if jsonb_array_length(jsonb_path_query_array(v_items, '$[*].patch.keyvalue().key')) > 1000 then
        perform cmbs_store.refuse_size('items', '1,000 keys in all patches together');
    end if;
    return v_items;
end
$_$;

ALTER FUNCTION cmbs_store.checked_items(p_items jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_items(p_items jsonb) IS 'The items of a proposal as they are recorded. Raises MB201.';

CREATE FUNCTION cmbs_store.checked_proposal(p_proposal jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_key text := cmbs_store.text_member(p_proposal, 'idempotency_key');
    v_provenance jsonb := p_proposal -> 'provenance';
begin
    perform cmbs_store.check_members('proposal', p_proposal, array[
        'state_snapshot_id', 'provenance', 'items', 'capability_token', 'idempotency_key',
        'atomic', 'mode'
    ]);
    if p_proposal ->> 'state_snapshot_id' is null
        or p_proposal ->> 'state_snapshot_id' !~*
        '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    then
        perform cmbs_store.refuse_request('state_snapshot_id', 'must be the id of an event');
    elsif jsonb_typeof(v_provenance) is distinct from 'object'
        or jsonb_typeof(v_provenance -> 'source') is distinct from 'string'
    then
        perform cmbs_store.refuse_request('provenance', 'must be an object with a source');
    elsif jsonb_typeof(p_proposal -> 'atomic') not in ('boolean', 'null') then
        perform cmbs_store.refuse_request('atomic', 'must be true or false');
    elsif p_proposal -> 'mode' not in ('"enforce"', '"dry_run"', 'null') then
        perform cmbs_store.refuse_request('mode', 'must be enforce or dry_run');
    elsif v_key <> p_request_id then
        perform cmbs_store.refuse_request('idempotency_key', 'must be the one of the request');
    end if;
    perform cmbs_store.check_id('provenance.source', v_provenance ->> 'source');
    perform cmbs_store.text_member(p_proposal, 'capability_token');
    v_key := coalesce(v_key, p_request_id);
    if v_key is not null then
        perform cmbs_store.check_id('idempotency_key', v_key);
    end if;
    return jsonb_strip_nulls(jsonb_build_object('idempotency_key', v_key)) || jsonb_build_object(
        'state_snapshot_id', lower(p_proposal ->> 'state_snapshot_id'),
        'provenance', v_provenance,
        'atomic', coalesce((p_proposal ->> 'atomic')::boolean, true),
        'items', cmbs_store.checked_items(p_proposal -> 'items')
    );
end
$_$;

ALTER FUNCTION cmbs_store.checked_proposal(p_proposal jsonb, p_request_id text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_proposal(p_proposal jsonb, p_request_id text) IS 'A proposal as it is recorded: checked, its values as texts, with what is left out. Raises MB201.';

CREATE FUNCTION cmbs_store.checked_resume(p_sent jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
begin
    perform cmbs_store.check_members('proposal', p_sent, array[
        'state_snapshot_id', 'provenance', 'items', 'capability_token', 'idempotency_key',
        'atomic', 'mode'
    ]);
    perform cmbs_store.text_member(p_sent, 'capability_token');
    if p_sent -> 'mode' not in ('"enforce"', 'null') then
        perform cmbs_store.refuse_request('mode', 'must be enforce: what goes on takes effect');
    elsif cmbs_store.text_member(p_sent, 'idempotency_key') <> p_request_id then
        perform cmbs_store.refuse_request('idempotency_key', 'must be the one of the request');
    end if;
    return cmbs_store.checked_items(p_sent -> 'items');
end
$$;

ALTER FUNCTION cmbs_store.checked_resume(p_sent jsonb, p_request_id text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_resume(p_sent jsonb, p_request_id text) IS 'The items of a message that goes on with a proposal, checked.';

CREATE FUNCTION cmbs_store.checked_schema(p_member text, p_document json) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_document jsonb;
    v_fault text;
begin
    if p_document is null then
        perform cmbs_store.refuse_request(p_member, 'must be a JSON Schema');
    end if;
    v_document := cmbs_store.free_object(
        p_member, json_build_object('schema', p_document)
    )::jsonb -> 'schema';
    v_fault := cmbs_store.schema_malformed(v_document);
    if v_fault is not null then
        perform cmbs_store.refuse_request(p_member, left(v_fault, 500));
    end if;
    return v_document::text;
end
$$;

ALTER FUNCTION cmbs_store.checked_schema(p_member text, p_document json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_schema(p_member text, p_document json) IS 'The canonical text of a JSON Schema that may be registered. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.checked_shadow(p_shadow json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_sent jsonb := cmbs_store.free_object('shadow', p_shadow)::jsonb;
begin
    if v_sent is not null then
        perform cmbs_store.check_members('shadow', v_sent, '{pack, version}');
        perform cmbs_store.check_version_named('shadow', v_sent);
    end if;
    return v_sent;
end
$$;

ALTER FUNCTION cmbs_store.checked_shadow(p_shadow json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_shadow(p_shadow json) IS 'The policy pack that is to be asked beside the one in force, checked. Raises MB201.';

CREATE FUNCTION cmbs_store.checked_tool(p_definition json, p_tenant text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_sent jsonb := cmbs_store.free_object('definition', coalesce(p_definition, '{}'))::jsonb;
    v_authorities jsonb := cmbs_store.text_list('authorities', v_sent -> 'authorities');
    v_schema jsonb := coalesce(v_sent -> 'args_schema', 'null');
begin
    perform cmbs_store.check_members(
        'definition', v_sent, '{version, authorities, mutating, effect_class, args_schema}'
    );
    if coalesce(jsonb_typeof(v_sent -> 'version'), 'null') not in ('string', 'number', 'null') then
        perform cmbs_store.refuse_request('version', 'must be a text or a number');
    elsif coalesce(jsonb_typeof(v_sent -> 'mutating'), 'null') not in ('boolean', 'null') then
        perform cmbs_store.refuse_request('mutating', 'must be true or false');
    elsif coalesce(v_sent ->> 'effect_class', 'none') not in (
        'none', 'local', 'network', 'external'
    ) then
        perform cmbs_store.refuse_request(
            'effect_class', 'must be none, local, network or external'
        );
    elsif exists (
        select from jsonb_array_elements_text(v_authorities) as a (authority)
        where a.authority ~ '^(tool|state|claim)\.'
    ) then
        perform cmbs_store.refuse_request(
            'authorities', 'may not begin with tool., state. or claim., which the kernel gives'
        );
    elsif jsonb_typeof(v_schema) = 'string' and not exists (
        select
        from cmbs_store.json_schema as s
        where s.tenant in (p_tenant, '*') and s.schema_id = v_schema #>> '{}'
    ) then
        perform cmbs_store.refuse_lookup(
            'schema', json_build_object('schema_id', v_schema #>> '{}')
        );
    elsif jsonb_typeof(v_schema) in ('object', 'boolean') then
        perform cmbs_store.checked_schema('args_schema', v_schema::json);
    elsif jsonb_typeof(v_schema) in ('number', 'array') then
        perform cmbs_store.refuse_request(
            'args_schema', 'must be the id of a schema, a schema or null'
        );
    end if;
    return jsonb_build_object(
        'version', coalesce(v_sent -> 'version', 'null'),
        'authorities', v_authorities,
        'mutating', coalesce((v_sent ->> 'mutating')::boolean, true),
        'effect_class', coalesce(v_sent ->> 'effect_class', 'external'),
        'args_schema', v_schema
    );
end
$$;

ALTER FUNCTION cmbs_store.checked_tool(p_definition json, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.checked_tool(p_definition json, p_tenant text) IS 'The definition of a tool, checked, with what was left out filled in. Raises MB009, MB201, MB203.';

CREATE FUNCTION cmbs_store.cites_confirmation(p_session cmbs_store.session, p_claim jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select exists (
        select
        from cmbs_store.claim_confirmation as c
        inner join cmbs_store.audit_event as e
            on e.session_id = c.session_id
                and e.seq = c.seq
                and e.event_id = (p_claim ->> 'confirmed_by_event_id')::uuid
        where c.session_id = p_session.session_id
            and c.seq <= p_session.audit_seq
            and c.seq = cmbs_store.event_seq((p_claim ->> 'confirmed_by_event_id')::uuid)
            and c.key = p_claim ->> 'key'
            and c.value_digest = cmbs_store.digest_v1((p_claim -> 'value')::text)
    )
$$;

ALTER FUNCTION cmbs_store.cites_confirmation(p_session cmbs_store.session, p_claim jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.cites_confirmation(p_session cmbs_store.session, p_claim jsonb) IS 'Whether a claim cites an approver''s act that names its key and value.';

CREATE FUNCTION cmbs_store.claim_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '"claim_id": %s, "kind": %s, "confirmed": %s, "expires_at": %s, "decision": %s, '
        '"disposition": %s, "reason_code": %s, "reasons": %s, "policy": %s, '
        '"audit_event_id": "%s", "duplicate": %s',
        case when p_payload ->> 'decision' = 'allow' then p_payload -> 'claim_id' else 'null' end,
        p_payload -> 'kind', p_payload -> 'confirmed', p_payload -> 'expires_at',
        p_payload -> 'decision', p_payload -> 'disposition', p_payload -> 'reason_code',
        p_payload -> 'reasons', p_payload -> 'policy', p_event_id, p_duplicate::text
    )
$$;

ALTER FUNCTION cmbs_store.claim_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.claim_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) IS 'The members of an answer that tell what was decided on a claim, as JSON text.';

CREATE FUNCTION cmbs_store.claim_reasons(p_claim jsonb, p_kind text, p_is_confirmed boolean, p_settings jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_is_confirmed then '{}'
        when p_kind not in ('hypothesis', 'derived') then array[(
            1, 'schemas', 'CLAIM_NOT_CONFIRMED', null, 'defer', format(
                'a %s needs a confirmation by an approver, or sources with a confidence of %s and '
                'nothing against it', p_kind,
                case
                    when p_settings ? 'policy.claims' then
                        coalesce(p_settings -> 'policy.claims' ->> 'threshold', '0.80')
                    else 'what policy.claims says, which the pack does not have'
                end
            )
        )::cmbs_store.reason]
        when p_claim -> 'ttl_ms' = 'null' and p_claim -> 'review_at' = 'null' then array[(
            1, 'schemas', 'CLAIM_TTL_REQUIRED', null, 'block',
            'a claim that is not confirmed needs ttl_ms or review_at'
        )::cmbs_store.reason]
        else '{}'
    end
$$;

ALTER FUNCTION cmbs_store.claim_reasons(p_claim jsonb, p_kind text, p_is_confirmed boolean, p_settings jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.claim_reasons(p_claim jsonb, p_kind text, p_is_confirmed boolean, p_settings jsonb) IS 'Whether a claim may be what it says: it is confirmed, or a hypothesis for a time.';

CREATE FUNCTION cmbs_store.claim_row(p_payload jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select jsonb_build_object(
        'claim_id', p_payload -> 'claim_id',
        'key', p_payload -> 'claim' -> 'key',
        'kind', p_payload -> 'kind',
        'value', p_payload -> 'claim' -> 'value',
        'confidence', (p_payload -> 'claim' ->> 'confidence')::numeric(6, 5),
        'source_chunk_ids', p_payload -> 'claim' -> 'source_chunk_ids',
        'confirmed_by_event_id', p_payload -> 'claim' ->> 'confirmed_by_event_id',
        'is_confirmed', p_payload -> 'confirmed',
        'conflict_state', p_payload -> 'claim' -> 'conflict_state',
        'expires_at', (p_payload ->> 'expires_at')::timestamptz,
        'review_at', (p_payload -> 'claim' ->> 'review_at')::timestamptz,
        'promotes', p_payload ->> 'promotes'
    )
$$;

ALTER FUNCTION cmbs_store.claim_row(p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.claim_row(p_payload jsonb) IS 'The row of a recorded claim.';

CREATE FUNCTION cmbs_store.clause_fault(p_op text, p_args jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    v_n integer := jsonb_array_length(p_args);
    v_first text := case when jsonb_typeof(p_args -> 0) = 'string' then p_args ->> 0 end;
    v_second jsonb := p_args -> 1;
    v_is_ref boolean := coalesce(jsonb_typeof(v_second) = 'object' and v_second ? 'ref', false);
begin
    if p_op = 'schema' then
        return case
            when v_n not in (1, 2) or coalesce(v_first, '') = ''
                then 'schema takes the id of a schema, and perhaps what is held against it'
            when v_n = 2 and (
                jsonb_typeof(v_second) <> 'string'
                or p_args ->> 1 <> 'args'
                and p_args ->> 1 !~ '^artifact:.'
                and not cmbs_store.is_path(p_args ->> 1)
            ) then 'schema is held against args, artifact:<name> or a path'
        end;
    end if;
    return case
        when p_op not in ('eq', 'in', 'exists', 'missing') then format('op %s is not known', p_op)
        when v_n <> case when p_op in ('eq', 'in') then 2 else 1 end
            then format('%s takes %s', p_op, case when p_op in ('eq', 'in') then
                'a path and a value' else 'a path' end)
        when not coalesce(cmbs_store.is_path(v_first), false)
            then format('%s is not a path of facts, goals or policy', left(p_args ->> 0, 100))
        when v_is_ref and (
            v_second - 'ref' <> '{}' or jsonb_typeof(v_second -> 'ref') <> 'string'
            or not cmbs_store.is_path(v_second ->> 'ref')
        ) then 'ref must be a path of facts, goals or policy'
        when p_op = 'in' and not v_is_ref and jsonb_typeof(v_second) <> 'array'
            then 'in takes a list, or a ref to one'
    end;
end
$$;

ALTER FUNCTION cmbs_store.clause_fault(p_op text, p_args jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.clause_fault(p_op text, p_args jsonb) IS 'What is malformed about the arguments of a predicate, null if nothing is.';

CREATE FUNCTION cmbs_store.clause_text(p_clause jsonb, p_world jsonb, p_schemas jsonb, p_want boolean) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_op text := p_clause ->> 'op';
    v_path text := p_clause -> 'args' ->> 0;
    v_other jsonb := p_clause -> 'args' -> 1;
    v_must text := case when p_want then 'must' else 'must not' end;
    v_found record;
    v_is text;
begin
    if v_op = 'schema' then
        return format(
            '%s %s conform to the schema %s: %s',
            coalesce(p_clause -> 'args' ->> 1, 'args'), v_must, v_path,
            coalesce(
                case when p_schemas ? v_path then cmbs_store.schema_fault(
                    p_schemas -> v_path,
                    cmbs_store.schema_target(p_world, p_clause -> 'args' ->> 1)
                ) end,
                'it does'
            )
        );
    end if;
    v_found := cmbs_store.resolved(p_world, v_path);
    v_is := case
        when v_found.p_is_known then cmbs_store.shown_value(v_found.p_value) else 'cannot be read'
    end;
    return case
        when v_op in ('exists', 'missing') then format(
            '%s %s be there, %s',
            v_path, case when (v_op = 'exists') = p_want then 'must' else 'must not' end, v_is
        )
        else format(
            '%s must %s%s%s%s, %s',
            v_path,
            case when p_want then '' else 'be there and not ' end,
            case v_op when 'eq' then 'equal ' else 'be one of ' end,
            case
                when jsonb_typeof(v_other) = 'object' and v_other ? 'ref' then v_other ->> 'ref'
                else substr(cmbs_store.shown_value(v_other), 4)
            end,
            case
                when jsonb_typeof(v_other) = 'object' and v_other ? 'ref' then
                    format(
                        ' (which %s)',
                        cmbs_store.shown_value(cmbs_store.operand(p_world, v_other))
                    )
            end,
            v_is
        )
    end;
end
$$;

ALTER FUNCTION cmbs_store.clause_text(p_clause jsonb, p_world jsonb, p_schemas jsonb, p_want boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.clause_text(p_clause jsonb, p_world jsonb, p_schemas jsonb, p_want boolean) IS 'What one clause asks for and what is there instead, as a sentence.';

CREATE FUNCTION cmbs_store.clear_bits(p_mask bytea, p_ids text[], p_ranks integer[], OUT p_cleared_mask bytea, OUT p_cleared_ids text[]) RETURNS record
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    v_n integer := 0;
begin
    p_cleared_mask := p_mask;
    p_cleared_ids := '{}';
    for v_i in 1 .. coalesce(cardinality(p_ranks), 0) loop
        if get_bit(p_cleared_mask, p_ranks[v_i]) = 1 then
            p_cleared_mask := set_bit(p_cleared_mask, p_ranks[v_i], 0);
            v_n := v_n + 1;
            p_cleared_ids[v_n] := p_ids[v_i];
        end if;
    end loop;
end
$$;

ALTER FUNCTION cmbs_store.clear_bits(p_mask bytea, p_ids text[], p_ranks integer[], OUT p_cleared_mask bytea, OUT p_cleared_ids text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.clear_bits(p_mask bytea, p_ids text[], p_ranks integer[], OUT p_cleared_mask bytea, OUT p_cleared_ids text[]) IS 'Clear the bits of the given ranks; say which were set.';

CREATE FUNCTION cmbs_store.clear_chunks(p_session_id uuid, p_ids text[], p_ranks integer[], OUT p_cleared_ids text[]) RETURNS text[]
    LANGUAGE plpgsql
    AS $$
declare
    v_chunk bytea;
    v_chunk_no integer;
    v_is_changed boolean := false;
    v_n integer := 0;
begin
    p_cleared_ids := '{}';
    for v_i in 1 .. coalesce(cardinality(p_ranks), 0) loop
        if p_ranks[v_i] / 8192 is distinct from v_chunk_no then
            if v_is_changed then
                perform cmbs_store.save_chunk(p_session_id, v_chunk_no, v_chunk);
            end if;
            v_is_changed := false;
            v_chunk_no := p_ranks[v_i] / 8192;
            select k.chunk
            into strict v_chunk
            from cmbs_store.session_mask as k
            where k.session_id = p_session_id and k.chunk_no = v_chunk_no;
        end if;
        if get_bit(v_chunk, p_ranks[v_i] % 8192) = 1 then
            v_chunk := set_bit(v_chunk, p_ranks[v_i] % 8192, 0);
            v_is_changed := true;
            v_n := v_n + 1;
            p_cleared_ids[v_n] := p_ids[v_i];
        end if;
    end loop;
    if v_is_changed then
        perform cmbs_store.save_chunk(p_session_id, v_chunk_no, v_chunk);
    end if;
end
$$;

ALTER FUNCTION cmbs_store.clear_chunks(p_session_id uuid, p_ids text[], p_ranks integer[], OUT p_cleared_ids text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.clear_chunks(p_session_id uuid, p_ids text[], p_ranks integer[], OUT p_cleared_ids text[]) IS 'Clear the bits of the given ranks in stored chunks; say which were set.';

CREATE FUNCTION cmbs_store.clock() RETURNS timestamp with time zone
    LANGUAGE sql
    AS $$ select clock_timestamp() $$;

ALTER FUNCTION cmbs_store.clock() OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.clock() IS 'The one clock of the kernel.';

CREATE FUNCTION cmbs_store.completion_fault(p_state cmbs_store.session, p_actor text, p_permit cmbs_store.permit, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if not exists (
        select
        from cmbs_store.permit_begin as b
        where b.session_id = p_state.session_id
            and b.permit_id = p_permit.permit_id
            and b.seq <= p_state.audit_seq
            and b.actor = p_actor
    ) then
        return 'the execution was not begun by who ended it';
    elsif exists (
        select
        from cmbs_store.permit_end as d
        where d.session_id = p_state.session_id
            and d.permit_id = p_permit.permit_id
            and d.seq <= p_state.audit_seq
    ) then
        return 'the execution had ended before';
    end if;
    perform cmbs_store.check_units(p_state, p_permit, p_payload -> 'usage');
    return case
        when (p_payload - 'request_id')::text <> cmbs_store.checked_completion(
            p_permit.permit_id, p_payload ->> 'outcome', (p_payload -> 'result')::json,
            (p_payload -> 'usage')::json
        )::text then 'the recorded end is not the one that follows'
    end;
exception
    when sqlstate 'MB201' or sqlstate 'MB203' then
        return 'the recorded end is beyond the limits of the verb';
end
$$;

ALTER FUNCTION cmbs_store.completion_fault(p_state cmbs_store.session, p_actor text, p_permit cmbs_store.permit, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.completion_fault(p_state cmbs_store.session, p_actor text, p_permit cmbs_store.permit, p_payload jsonb) IS 'What is wrong with a recorded end of an execution; null if nothing.';

CREATE FUNCTION cmbs_store.conclusion_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_decision record := cmbs_store.decide_gate(p_session, 'DECLARE_CONCLUSION', '{}');
begin
    return format(
        '{"accepted": %s, "reason": %s, "error": %s, "conclusion_id": %s, "n_in_a_row": %s, '
        '"stability_window": %s, "missing": %s}',
        coalesce(v_decision.p_approved, false)::text,
        coalesce(to_json(v_decision.p_reason)::text, 'null'),
        coalesce(to_json(v_decision.p_error)::text, 'null'),
        coalesce(to_json(p_session.conclusion_id)::text, 'null'),
        p_session.conclusion_run,
        p_session.stability_window,
        greatest(p_session.stability_window - p_session.conclusion_run, 0)
    );
end
$$;

ALTER FUNCTION cmbs_store.conclusion_left(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.conclusion_left(p_session cmbs_store.session) IS 'What DECLARE_CONCLUSION would answer now, as JSON text.';

CREATE FUNCTION cmbs_store.condition_facts(p_condition jsonb, p_depth integer, OUT p_fault text, OUT p_reads text[], OUT p_schemas text[]) RETURNS record
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    v_op text := p_condition ->> 'op';
    v_args jsonb := p_condition -> 'args';
    v_n integer;
    v_child record;
begin
    p_reads := '{}';
    p_schemas := '{}';
    p_fault := case
        when jsonb_typeof(p_condition) is distinct from 'object'
            then 'a condition must be an object'
        when p_condition - array['op', 'args'] <> '{}'
            then 'a condition has the members op and args'
        when jsonb_typeof(p_condition -> 'op') is distinct from 'string' then 'op must be a string'
        when jsonb_typeof(v_args) is distinct from 'array' then 'args must be a list'
        when p_depth > 16 then 'conditions may be nested 16 levels deep'
    end;
    if p_fault is not null then
        return;
    end if;
    v_n := jsonb_array_length(v_args);
    if v_op in ('all', 'any', 'not') then
        if v_n = 0 or v_op = 'not' and v_n > 1 then
            p_fault := v_op || case v_op when 'not' then ' takes one condition' else
                ' takes one condition or more' end;
        end if;
        for v_i in 0 .. v_n - 1 loop
            exit when p_fault is not null;
            v_child := cmbs_store.condition_facts(v_args -> v_i, p_depth + 1);
            p_fault := v_child.p_fault;
            p_reads := p_reads || v_child.p_reads;
            p_schemas := p_schemas || v_child.p_schemas;
        end loop;
        return;
    end if;
    p_fault := cmbs_store.clause_fault(v_op, v_args);
    if p_fault is null then
        p_reads := cmbs_store.keys_of_clause(v_op, v_args);
        if v_op = 'schema' then
            p_schemas := array[v_args ->> 0];
        end if;
    end if;
end
$$;

ALTER FUNCTION cmbs_store.condition_facts(p_condition jsonb, p_depth integer, OUT p_fault text, OUT p_reads text[], OUT p_schemas text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.condition_facts(p_condition jsonb, p_depth integer, OUT p_fault text, OUT p_reads text[], OUT p_schemas text[]) IS 'Whether a condition is well-formed, which keys it may read and which schemas it names.';

CREATE FUNCTION cmbs_store.conflict_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE
    AS $_$
    select array(
        select (
            w.item_no, 'conflicts', 'WRITE_WRITE_CONFLICT', w.key, 'block', 'two items write it'
        )::cmbs_store.reason
        from (
            select i.item_no, k.key, count(*) over (partition by k.key) as n_writers
            from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
            cross join lateral (
                select p.key from jsonb_object_keys(i.item -> 'patch') as p (key)
                union all
                select 's_core' where i.item ? 's_core'
            ) as k
        ) as w
        where w.n_writers > 1
        order by w.item_no, w.key collate "C"
    ) || case
        when jsonb_path_exists(p_items, '$[*].patch.keyvalue() ? (@.key starts with "goal.")')
            then cmbs_store.goal_reasons(p_session, p_items)
    end
$_$;

ALTER FUNCTION cmbs_store.conflict_reasons(p_session cmbs_store.session, p_items jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.conflict_reasons(p_session cmbs_store.session, p_items jsonb) IS 'The stage of conflicts: keys written twice, goals that exclude each other.';

CREATE FUNCTION cmbs_store.conforms(p_schema jsonb, p_value jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_walk record;
begin
    if p_schema is null or p_value is null then
        return null;
    end if;
    v_walk := cmbs_store.schema_walk(p_schema, p_schema, p_value, '', 0, 20000);
    return case when starts_with(v_walk.p_fault, '?') then null else v_walk.p_fault is null end;
end
$$;

ALTER FUNCTION cmbs_store.conforms(p_schema jsonb, p_value jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.conforms(p_schema jsonb, p_value jsonb) IS 'Whether a value conforms to a JSON Schema; null if that cannot be decided.';

CREATE FUNCTION cmbs_store.constraint_fault(p_key text, p_value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    v_code text;
    v_value jsonb;
begin
    if octet_length(p_value) > 16384 then
        return 'a constraint may have 16 KiB of text';
    end if;
    v_code := cmbs_store.value_fault(p_value);
    if v_code is not null then
        return case v_code
            when 'VALUE_NOT_JSON' then 'it is not JSON that can be read'
            when 'DUPLICATE_JSON_KEY' then 'it has a member twice'
            else 'it must be an object with the member v, which is 1'
        end;
    end if;
    v_value := p_value::jsonb;
    return case
        when v_value - array['v', 'effect', 'subject', 'when', 'on_fail', 'reason'] <> '{}'
            then 'it has members that are not known: ' || left((
                select string_agg(k.key, ', ' order by k.key collate "C")
                from jsonb_object_keys(
                    v_value - array['v', 'effect', 'subject', 'when', 'on_fail', 'reason']
                ) as k (key)
            ), 200)
        when coalesce(v_value -> 'effect' not in ('"allow"', '"deny"'), true)
            then 'effect must be allow or deny'
        when v_value -> 'on_fail' not in ('"block"', '"ask"', '"defer"')
            then 'on_fail must be block, ask or defer'
        when jsonb_typeof(v_value -> 'reason') <> 'string' or length(v_value ->> 'reason') > 500
            then 'reason must be a string of up to 500 characters'
        when p_key like 'constraint.invariant.%'
            and coalesce(v_value -> 'subject', 'null') <> 'null'
            then 'an invariant has no subject'
        when coalesce(v_value -> 'subject', 'null') <> 'null'
            and cmbs_store.subject_of(p_key, p_value) = '*'
            then 'subject must be null, or an object with tool_id or capability and a text'
    end;
end
$$;

ALTER FUNCTION cmbs_store.constraint_fault(p_key text, p_value text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.constraint_fault(p_key text, p_value text) IS 'What is malformed about a constraint, its condition aside; null if nothing is.';

CREATE TABLE cmbs_store.policy (
    policy_hash bytea NOT NULL,
    n_entries integer NOT NULL,
    settings jsonb NOT NULL,
    missing_constraints text[] NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.policy OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.policy IS 'reference: the content of policy packs by its sha-256; settings are the policy.* entries.';

CREATE FUNCTION cmbs_store.constraint_reasons(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_waived text[]) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_entry cmbs_store.policy_entry;
    v_malformed cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_denied cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_unmet cmbs_store.policy_entry[] := array[]::cmbs_store.policy_entry[];
    v_is_allowed boolean := coalesce(
        p_policy.settings -> 'policy.arbitration' ->> 'default' = 'grant', false
    );
    v_holds boolean;
begin
    foreach v_entry in array p_entries loop
        continue when v_entry.subject <> all(p_subjects);
        if v_entry.fault is not null or not p_schemas ?& v_entry.schemas then
            v_malformed := v_malformed || (
                p_item_no, 'constraints', 'CONSTRAINT_MALFORMED', v_entry.key, 'block',
                left(coalesce(v_entry.fault, 'a schema that it names is not there'), 300)
            )::cmbs_store.reason;
            continue;
        end if;
        v_holds := case
            when v_entry.on_fail = 'ask' and v_entry.key = any(p_waived)
                then v_entry.effect = 'allow'
            else v_entry.condition is null
                or cmbs_store.holds(v_entry.condition, p_world, p_schemas)
        end;
        if v_entry.effect = 'allow' then
            if v_holds then
                v_is_allowed := true;
            else
                v_unmet := v_unmet || v_entry;
            end if;
        elsif v_holds is distinct from false then
            v_denied := v_denied || (
                p_item_no, 'constraints',
                case when v_holds then 'CONSTRAINT_DENIED' else 'CONSTRAINT_UNKNOWN' end,
                v_entry.key, v_entry.on_fail, cmbs_store.why_denied(v_entry, p_world, p_schemas)
            )::cmbs_store.reason;
        end if;
    end loop;
    if cardinality(v_malformed || v_denied) = 0 and not v_is_allowed then
        v_denied := array[cmbs_store.missing_allow(
            p_policy.settings, v_unmet, p_item_no, p_subjects, p_world, p_schemas,
            p_waived is not null
        )];
    end if;
    return array(
        select (
            p_item_no, 'constraints', 'POLICY_INCOMPLETE', m.key, 'block',
            'the pack requires this constraint and does not have it'
        )::cmbs_store.reason
        from unnest(p_policy.missing_constraints) as m (key)
    ) || v_malformed || v_denied;
end
$$;

ALTER FUNCTION cmbs_store.constraint_reasons(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_waived text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.constraint_reasons(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_waived text[]) IS 'The stage of constraints for one item: which deny, and whether one allows.';

CREATE FUNCTION cmbs_store.constraints_against(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_items jsonb, p_definitions jsonb, p_world jsonb, p_schemas jsonb, p_waived jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_question record;
begin
    for v_question in
        select q.item_no, q.subjects
        from cmbs_store.questions(p_items, p_definitions) as q
    loop
        v_reasons := v_reasons || cmbs_store.constraint_reasons(
            p_policy, p_entries, v_question.item_no, v_question.subjects,
            cmbs_store.world_of_call(p_world, p_items -> v_question.item_no - 1), p_schemas,
            case
                when p_waived is not null then array(
                    select jsonb_array_elements_text(p_waived -> v_question.item_no::text)
                )
            end
        );
    end loop;
    return v_reasons;
end
$$;

ALTER FUNCTION cmbs_store.constraints_against(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_items jsonb, p_definitions jsonb, p_world jsonb, p_schemas jsonb, p_waived jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.constraints_against(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_items jsonb, p_definitions jsonb, p_world jsonb, p_schemas jsonb, p_waived jsonb) IS 'The constraints that stand against some items, asked once for each capability.';

CREATE FUNCTION cmbs_store.constraints_on(p_policy_hash bytea, p_subjects text[]) RETURNS cmbs_store.policy_entry[]
    LANGUAGE sql STABLE
    AS $$
    select array(
        select row(
            e.policy_hash, e.key, e.value, e.value_hash, e.subject, e.effect, e.on_fail,
            e.condition, e.reads, e.schemas, e.reason,
            case
                when e.value_hash = cmbs_store.digest_v1(e.value) then e.fault
                else 'its text was changed after it was read'
            end
        )::cmbs_store.policy_entry
        from cmbs_store.policy_entry as e
        where e.policy_hash = p_policy_hash and e.subject = any(p_subjects)
        order by e.key
    )
$$;

ALTER FUNCTION cmbs_store.constraints_on(p_policy_hash bytea, p_subjects text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.constraints_on(p_policy_hash bytea, p_subjects text[]) IS 'The constraints of a policy with one of some subjects, in order.';

CREATE TABLE cmbs_store.context (
    context_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    universe_digest bytea NOT NULL,
    n_events bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='50');

ALTER TABLE cmbs_store.context OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.context IS 'context: the one row that every elimination locks.';

CREATE FUNCTION cmbs_store.context_gone_ids(p_context cmbs_store.context) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
    select array(
        select t.hypothesis_id
        from cmbs_store.context_tombstone as t
        where t.context_id = p_context.context_id
        order by 1
    )
$$;

ALTER FUNCTION cmbs_store.context_gone_ids(p_context cmbs_store.context) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.context_gone_ids(p_context cmbs_store.context) IS 'What is eliminated in an elimination context, sorted.';

CREATE FUNCTION cmbs_store.context_hypothesis_ids(p_context cmbs_store.context) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
    select array(
        select h.hypothesis_id
        from cmbs_store.context_hypothesis as h
        where h.universe_digest = p_context.universe_digest
        order by 1
    )
$$;

ALTER FUNCTION cmbs_store.context_hypothesis_ids(p_context cmbs_store.context) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.context_hypothesis_ids(p_context cmbs_store.context) IS 'What an elimination context began with, sorted.';

CREATE FUNCTION cmbs_store.cooldown_end(p_session cmbs_store.session, p_tool_id text, p_settings jsonb) RETURNS timestamp with time zone
    LANGUAGE sql STABLE
    AS $$
    select e.recorded_at + (
        p_settings -> 'policy.cooldowns' -> 'tools' ->> p_tool_id
    )::bigint * interval '1 millisecond'
    from (
        select max(p.seq) as seq
        from cmbs_store.permit as p
        where p.session_id = p_session.session_id
            and p.tool_id = p_tool_id
            and p.seq <= p_session.audit_seq
    ) as l
    inner join cmbs_store.audit_event as e
        on e.session_id = p_session.session_id and e.seq = l.seq
$$;

ALTER FUNCTION cmbs_store.cooldown_end(p_session cmbs_store.session, p_tool_id text, p_settings jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.cooldown_end(p_session cmbs_store.session, p_tool_id text, p_settings jsonb) IS 'When a tool may be called again after its last allowed call; null if nothing holds it back.';

CREATE FUNCTION cmbs_store.count_claimants(p_session cmbs_store.session) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_counted bigint;
begin
    select max(c.counted_seq)
    into v_counted
    from cmbs_store.elimination_count as c
    where c.session_id = p_session.session_id;
    if v_counted = p_session.audit_seq then
        return;
    end if;
    insert into cmbs_store.elimination_claimant (session_id, hypothesis_id, actor, seq)
    select distinct on (a.hypothesis_id) p_session.session_id, a.hypothesis_id, a.actor, a.seq
    from cmbs_store.asked_eliminations(
        p_session, coalesce(v_counted, 0), p_session.audit_seq
    ) as a
    order by a.hypothesis_id, a.seq
    on conflict (session_id, hypothesis_id) do nothing;
    update cmbs_store.elimination_claimant as e
    set other_seq = o.seq
    from (
        select c.hypothesis_id, min(a.seq) as seq
        from cmbs_store.asked_eliminations(
            p_session, coalesce(v_counted, 0), p_session.audit_seq
        ) as a
        inner join cmbs_store.elimination_claimant as c
            on c.session_id = p_session.session_id
                and c.hypothesis_id = a.hypothesis_id
                and c.actor <> a.actor
                and c.other_seq is null
        group by c.hypothesis_id
    ) as o
    where e.session_id = p_session.session_id and e.hypothesis_id = o.hypothesis_id;
    insert into cmbs_store.elimination_count (session_id, counted_seq)
    values (p_session.session_id, p_session.audit_seq)
    on conflict (session_id) do update set counted_seq = excluded.counted_seq;
end
$$;

ALTER FUNCTION cmbs_store.count_claimants(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.count_claimants(p_session cmbs_store.session) IS 'Count who asked for which eliminations up to the head of a locked session.';

CREATE TABLE cmbs_store.policy_pin (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    pack text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    policy_hash bytea NOT NULL
);

ALTER TABLE cmbs_store.policy_pin OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.policy_pin IS 'session: which policy is in force from an event on; deny-all where there is none.';

CREATE FUNCTION cmbs_store.decide(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_policy jsonb := jsonb_build_object('policy', jsonb_build_object(
        'pack', p_pin.pack,
        'version', p_pin.version,
        'policy_hash', encode(p_pin.policy_hash, 'hex')
    ));
    v_error cmbs_store.reason[];
begin
    return v_policy || case
        when p_given ? 'claim'
            then cmbs_store.evaluate_claim(p_session, p_actor, p_given, p_recorded, p_pin)
        else cmbs_store.evaluate(p_session, p_actor, p_given, p_recorded, p_pin)
    end;
exception
    when others then
        if left(sqlstate, 2) in ('40', '53', '55', '57', '58', 'XX') then
            raise;
        end if;
        v_error := array[(
            null, 'evaluation', 'EVALUATION_ERROR', null, 'block', 'SQLSTATE ' || sqlstate
        )::cmbs_store.reason];
        return v_policy || '{"tools": {}, "schemas": {}, "reads": {}}' || case
            when p_given ? 'claim' then cmbs_store.verdict_of(v_error, null) || jsonb_build_object(
                'kind', p_given -> 'claim' -> 'kind', 'confirmed', false, 'expires_at', null
            )
            else cmbs_store.verdict(p_given -> 'proposal' -> 'items', v_error, true)
        end;
end
$$;

ALTER FUNCTION cmbs_store.decide(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.decide(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) IS 'The verdict on a proposal or a claim; a denial where it cannot be reached.';

CREATE FUNCTION cmbs_store.decide_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_approved boolean, OUT p_reason text, OUT p_error text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_blocked boolean := p_state.obligation_id is not null;
begin
    p_error := case
        when p_state.is_terminated then 'SESSION_TERMINATED'
        when p_verb = 'ENTER_OBLIGATION' and v_blocked then 'CONFLICT'
        when p_verb in ('REQUEST_EXIT', 'WAIVE_OBLIGATION')
            and p_state.obligation_id is distinct from p_payload ->> 'obligation_id'
            then 'OBLIGATION_NOT_FOUND'
    end;
    if p_error is not null then
        return;
    end if;
    case p_verb
        when 'ENTER_OBLIGATION' then
            p_state.obligation_seq := p_state.audit_seq;
            p_state.obligation_id := p_payload ->> 'obligation_id';
            p_state.obligation_minimum := (p_payload ->> 'min_total_eliminations')::bigint;
            p_state.obligation_survivors := p_state.n_survivors;
        when 'REQUEST_EXIT', 'WAIVE_OBLIGATION' then
            p_approved := p_verb = 'WAIVE_OBLIGATION'
                or p_state.obligation_survivors - p_state.n_survivors >= p_state.obligation_minimum;
            p_reason := case
                when p_verb = 'WAIVE_OBLIGATION' then 'waived'
                when p_approved then 'approved'
                else 'minimum eliminations not met'
            end;
            if p_approved then
                p_state := cmbs_store.without_obligation(p_state);
            end if;
        when 'DECLARE_CONCLUSION' then
            p_approved := not v_blocked;
            p_reason := case
                when v_blocked then 'active obligation blocks conclusion' else 'accepted'
            end;
            if p_approved then
                p_state.conclusion_run := 1 + case
                    when p_state.conclusion_id = p_payload ->> 'conclusion_id'
                        then p_state.conclusion_run
                    else 0
                end;
                p_state.conclusion_id := p_payload ->> 'conclusion_id';
            end if;
        when 'REQUEST_TERMINATION' then
            p_reason := cmbs_store.termination_reason(
                v_blocked,
                p_state.n_survivors,
                p_state.conclusion_run >= p_state.stability_window,
                coalesce(p_payload -> 'context' -> 'force' = 'true', false),
                p_state.allow_forced_termination
            );
            p_approved := p_reason in ('approved', 'approved by force');
            p_state.is_terminated := p_approved;
        else
            p_error := 'INVALID_REQUEST';
    end case;
end
$$;

ALTER FUNCTION cmbs_store.decide_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_approved boolean, OUT p_reason text, OUT p_error text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.decide_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_approved boolean, OUT p_reason text, OUT p_error text) IS 'What the verb of a gate answers to a request, from the state before it.';

CREATE FUNCTION cmbs_store.decide_twice(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_pin cmbs_store.policy_pin := cmbs_store.policy_in_force(p_session);
    v_shadow cmbs_store.policy_pin;
    v_verdict jsonb := cmbs_store.decide(p_session, p_actor, p_given, p_recorded, v_pin);
begin
    select s.*
    into v_shadow
    from cmbs_store.shadow_pin as s
    where s.session_id = p_session.session_id and s.seq = v_pin.seq;
    if not found or not p_given ? 'v' then
        return v_verdict;
    end if;
    return v_verdict || jsonb_build_object('shadow', cmbs_store.verdict_alone(
        cmbs_store.decide(p_session, p_actor, p_given, p_recorded -> 'shadow', v_shadow)
    ));
end
$$;

ALTER FUNCTION cmbs_store.decide_twice(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.decide_twice(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb) IS 'The verdict on a proposal by the policy in force, and beside it by the shadow.';

CREATE FUNCTION cmbs_store.decided_anew(p_session cmbs_store.session, p_permit cmbs_store.permit, p_token cmbs_store.capability_token, p_items jsonb, p_given jsonb, p_recorded jsonb, OUT p_reasons cmbs_store.reason[], OUT p_basis jsonb) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_pin cmbs_store.policy_pin := cmbs_store.policy_in_force(p_session);
    v_policy cmbs_store.policy;
    v_ground cmbs_store.ground;
begin
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = v_pin.policy_hash;
    v_ground := cmbs_store.ground(
        p_session, v_pin.policy_hash, p_permit.actor, p_items, p_recorded
    );
    p_reasons := cmbs_store.policy_reasons(v_policy)
        || cmbs_store.item_reasons(
            p_items,
            p_given || '{"proposal": {"idempotency_key": ""}}',
            p_token, v_policy, v_ground
        )
        || cmbs_store.scheduler_reasons(
            p_session, p_items, v_ground.definitions, v_policy.settings - 'policy.cooldowns',
            (p_given ->> 'decided_at')::timestamptz
        );
    p_basis := jsonb_build_object(
        'policy_hash', encode(v_pin.policy_hash, 'hex'),
        'tools', v_ground.tools, 'schemas', v_ground.schemas, 'reads', v_ground.reads
    );
exception
    when others then
        if left(sqlstate, 2) in ('40', '53', '55', '57', '58', 'XX') then
            raise;
        end if;
        p_basis := '{}';
        p_reasons := array[(
            null, 'evaluation', 'EVALUATION_ERROR', null, 'block', 'SQLSTATE ' || sqlstate
        )::cmbs_store.reason];
end
$$;

ALTER FUNCTION cmbs_store.decided_anew(p_session cmbs_store.session, p_permit cmbs_store.permit, p_token cmbs_store.capability_token, p_items jsonb, p_given jsonb, p_recorded jsonb, OUT p_reasons cmbs_store.reason[], OUT p_basis jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.decided_anew(p_session cmbs_store.session, p_permit cmbs_store.permit, p_token cmbs_store.capability_token, p_items jsonb, p_given jsonb, p_recorded jsonb, OUT p_reasons cmbs_store.reason[], OUT p_basis jsonb) IS 'What stands against a permitted call by what has changed since.';

CREATE FUNCTION cmbs_store.decision(p_approved boolean, p_reason text, p_error text) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select json_build_object('approved', p_approved, 'reason', p_reason, 'error', p_error)::text
$$;

ALTER FUNCTION cmbs_store.decision(p_approved boolean, p_reason text, p_error text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.decision(p_approved boolean, p_reason text, p_error text) IS 'What a gate says to a message, as JSON text.';

CREATE FUNCTION cmbs_store.declared_session(p_session_id uuid, p_tenant text) RETURNS cmbs_store.session
    LANGUAGE plpgsql
    AS $$
declare
    v_session cmbs_store.session;
begin
    select s.*
    into v_session
    from cmbs_store.session as s
    where s.session_id = p_session_id and (s.tenant = p_tenant or p_tenant = '*')
    for no key update;
    if not found then
        raise exception using
            errcode = 'MB102',
            message = 'This session id is taken.',
            detail = json_build_object('session_id', p_session_id)::text,
            hint = 'Give a new session its own id.';
    end if;
    return v_session;
end
$$;

ALTER FUNCTION cmbs_store.declared_session(p_session_id uuid, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.declared_session(p_session_id uuid, p_tenant text) IS 'The session that has an id already, locked. Raises MB102.';

CREATE FUNCTION cmbs_store.declared_universe(p_tenant text, p_ontology jsonb, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
begin
    if p_hypotheses is not null then
        select u.p_universe_digest, u.p_n_hypotheses
        into strict p_universe_digest, p_n_hypotheses
        from cmbs_store.ensure_universe('hypotheses', p_hypotheses) as u;
        return;
    end if;
    select s.universe_digest, u.n_hypotheses
    into p_universe_digest, p_n_hypotheses
    from cmbs_store.hypothesis_space as s
    inner join cmbs_store.universe as u on u.universe_digest = s.universe_digest
    where s.tenant = p_tenant
        and s.hypothesis_space_id = p_ontology ->> 'hypothesis_space_id'
        and s.hypothesis_version = p_ontology ->> 'hypothesis_version';
end
$$;

ALTER FUNCTION cmbs_store.declared_universe(p_tenant text, p_ontology jsonb, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.declared_universe(p_tenant text, p_ontology jsonb, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) IS 'The universe of a declare. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.deferral_json(p_session cmbs_store.session, p_deferral_id uuid) RETURNS json
    LANGUAGE sql STABLE
    AS $$
    select json_build_object(
        'deferral_id', p_deferral_id,
        'status', case
            when l.next_at is not null and not p_session.is_terminated then 'waiting'
            when l.next_at is not null then 'ended'
            when l.reasons @> '[{"code": "DEFER_EXHAUSTED"}]' then 'exhausted'
            else l.decision
        end,
        'missing', l.keys,
        'next_at', cmbs_store.timestamp_v1(l.next_at),
        'tries', l.tries
    )
    from (
        select
            (array_agg(d.next_at order by d.seq desc))[1] as next_at,
            to_jsonb((array_agg(to_jsonb(d.keys) order by d.seq desc))[1]) as keys,
            (array_agg(p.payload ->> 'decision' order by d.seq desc))[1] as decision,
            (array_agg(p.payload -> 'reasons' order by d.seq desc))[1] as reasons,
            json_agg(
                json_build_object(
                    'proposal_id', e.event_id, 'attempt', d.attempt,
                    'ts', cmbs_store.timestamp_v1(e.recorded_at),
                    'decision', p.payload -> 'decision',
                    'reason_code', p.payload -> 'reason_code',
                    'by', coalesce(p.payload -> 'retries' ->> 'by', e.actor)
                )
                order by d.seq
            ) as tries
        from cmbs_store.deferral as d
        inner join cmbs_store.audit_event as e on e.session_id = d.session_id and e.seq = d.seq
        cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
        where d.session_id = p_session.session_id and d.deferral_id = p_deferral_id
    ) as l
$$;

ALTER FUNCTION cmbs_store.deferral_json(p_session cmbs_store.session, p_deferral_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.deferral_json(p_session cmbs_store.session, p_deferral_id uuid) IS 'A deferred proposal as it is shown, with every try.';

CREATE FUNCTION cmbs_store.deferral_of(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_ground cmbs_store.ground, p_settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_at timestamptz := (p_given ->> 'decided_at')::timestamptz;
    v_attempt integer := coalesce((p_given -> 'retries' ->> 'attempt')::integer, 0);
    v_max integer := cmbs_store.max_attempts(p_settings);
    v_id text := coalesce(
        p_given -> 'retries' ->> 'deferral_id',
        cmbs_store.derived_id(p_session, p_given, 'deferral')::text
    );
    v_cooldown timestamptz;
begin
    if v_max = 0 or not cmbs_store.is_deferred(p_given, p_verdict) then
        return case
            when p_given ? 'retries' then jsonb_build_object(
                'deferral_id', v_id, 'attempt', v_attempt, 'missing', '[]'::jsonb, 'next_at', null
            )
        end;
    end if;
    select max(cmbs_store.cooldown_end(p_session, i.item ->> 'tool_id', p_settings))
    into v_cooldown
    from jsonb_array_elements(p_given -> 'proposal' -> 'items') as i (item)
    where p_settings ? 'policy.cooldowns' and i.item ->> 'kind' = 'tool_call';
    return jsonb_build_object(
        'deferral_id', v_id,
        'attempt', v_attempt,
        'max_attempts', v_max,
        'missing', cmbs_store.awaited_keys(p_verdict, p_ground),
        'next_at', cmbs_store.timestamp_v1(greatest(
            v_cooldown,
            v_at + least(
                coalesce(
                    (p_settings -> 'policy.deferrals' ->> 'backoff_ms')::bigint, 60000
                ) * (2 ^ least(v_attempt, 40))::bigint,
                86400000
            ) * interval '1 millisecond'
        ))
    );
end
$$;

ALTER FUNCTION cmbs_store.deferral_of(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_ground cmbs_store.ground, p_settings jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.deferral_of(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_ground cmbs_store.ground, p_settings jsonb) IS 'What a deferred proposal waits for, and until when; null if it does not wait.';

CREATE FUNCTION cmbs_store.derived_id(p_session cmbs_store.session, p_given jsonb, p_of text) RETURNS uuid
    LANGUAGE sql STABLE
    AS $$
    select left(encode(cmbs_store.digest_v1(concat_ws(
        ' ', p_session.session_id, p_session.audit_seq, p_given ->> 'decided_at', p_of
    )), 'hex'), 32)::uuid
$$;

ALTER FUNCTION cmbs_store.derived_id(p_session cmbs_store.session, p_given jsonb, p_of text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.derived_id(p_session cmbs_store.session, p_given jsonb, p_of text) IS 'An id that follows from a verdict and what it is of.';

CREATE FUNCTION cmbs_store.digest_v1(p_text text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN sha256(convert_to(p_text, 'UTF8'::name));

ALTER FUNCTION cmbs_store.digest_v1(p_text text) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.digest_v1(p_text text) IS 'sha-256 over the bytes of a canonical text: of a policy, a tool, a schema, an item, a value.';

CREATE TABLE cmbs_store.deferral (
    session_id uuid NOT NULL,
    deferral_id uuid NOT NULL,
    seq bigint NOT NULL,
    attempt integer NOT NULL,
    keys text[] NOT NULL COLLATE pg_catalog."C",
    next_at timestamp with time zone
);

ALTER TABLE cmbs_store.deferral OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.deferral IS 'session: every try of a deferred proposal; the last one waits for the keys, or until next_at.';

CREATE FUNCTION cmbs_store.due_deferral(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS cmbs_store.deferral
    LANGUAGE sql STABLE
    AS $$
    select d.*
    from cmbs_store.open_item as o
    cross join lateral (
        select l.*
        from cmbs_store.deferral as l
        where l.session_id = o.session_id
            and l.deferral_id = o.item_id
            and l.seq <= p_session.audit_seq
        order by l.seq desc
        limit 1
    ) as d
    where o.session_id = p_session.session_id
        and o.kind = 'deferral'
        and o.is_open
        and cmbs_store.is_due(d, p_session.audit_seq, p_at)
    order by d.seq
    limit 1
$$;

ALTER FUNCTION cmbs_store.due_deferral(p_session cmbs_store.session, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.due_deferral(p_session cmbs_store.session, p_at timestamp with time zone) IS 'The deferred proposal of a session that is to be tried again next; null if none is.';

CREATE FUNCTION cmbs_store.eliminate_message(p_session_id uuid, p_caller cmbs_store.principal, p_source_id text, p_observation_id text, p_eliminated text[], p_justification text, p_expected_head uuid, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
    v_session cmbs_store.session := cmbs_store.lock_session(
        p_session_id, p_caller.tenant
    );
    v_next cmbs_store.session := v_session;
    v_known record := cmbs_store.ranks(v_session.universe_digest, p_eliminated);
    v_cleared record;
    v_applied text[];
    v_applied_text text;
    v_outcome text;
begin
    -- A repeated message has its recorded answer before anything can be wrong with it, and before
    -- chunks of a mask are written; else the insert of the event finds out.
    if v_session.is_terminated
        or v_session.audit_head_event_id <> p_expected_head
        or v_session.validate_hypotheses
            and coalesce(cardinality(v_known.p_found), 0) < cardinality(p_eliminated)
        or v_session.mask is null
    then
        v_outcome := cmbs_store.recorded_elimination(
            p_session_id, p_source_id, p_observation_id, p_eliminated
        );
        if v_outcome is not null then
            return cmbs_store.response(v_outcome, v_session, p_minimal);
        end if;
        perform cmbs_store.check_open(v_session, p_expected_head);
        if v_session.validate_hypotheses then
            perform cmbs_store.check_known(p_eliminated, v_known.p_found);
        end if;
    end if;

    if v_session.mask is null then
        v_applied := cmbs_store.clear_chunks(
            p_session_id, v_known.p_found, v_known.p_ranks
        );
    else
        v_cleared := cmbs_store.clear_bits(
            v_session.mask, v_known.p_found, v_known.p_ranks
        );
        v_applied := v_cleared.p_cleared_ids;
        v_next.mask := v_cleared.p_cleared_mask;
    end if;
    if cardinality(v_applied) > 0 then
        v_next.n_survivors := v_session.n_survivors - cardinality(v_applied);
        v_next.survivors_hash := cmbs_store.survivors_hash(v_next);
    end if;
    v_applied_text := to_jsonb(v_applied)::text;
    v_next := cmbs_store.append_event(
        v_next, v_session.survivors_hash, 'ELIMINATE', p_caller.name,
        p_source_id, p_observation_id, null, p_notes,
        format(
            '{"source_id": %s, "eliminated": %s, "justification": %s, "observation_id": %s}',
            to_json(p_source_id), to_jsonb(p_eliminated), p_justification, to_json(p_observation_id)
        ),
        v_applied_text
    );
    if v_next.session_id is null then
        v_outcome := cmbs_store.recorded_elimination(
            p_session_id, p_source_id, p_observation_id, p_eliminated
        );
        return cmbs_store.response(v_outcome, v_session, p_minimal);
    end if;

    if cardinality(v_applied) > 0 then
        insert into cmbs_store.tombstone (session_id, seq, hypothesis_id)
        select p_session_id, v_next.audit_seq, t.hypothesis_id
        from unnest(v_applied) as t (hypothesis_id);
    end if;
    v_outcome := cmbs_store.elimination_outcome(
        v_applied_text,
        case
            when cardinality(v_applied) = cardinality(p_eliminated) then '{}'
            else cmbs_store.ids_without(p_eliminated, v_applied)
        end,
        v_next.audit_head_event_id,
        false
    );
    return cmbs_store.response(v_outcome, v_next, p_minimal);
end
$$;

ALTER FUNCTION cmbs_store.eliminate_message(p_session_id uuid, p_caller cmbs_store.principal, p_source_id text, p_observation_id text, p_eliminated text[], p_justification text, p_expected_head uuid, p_notes text, p_minimal boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.eliminate_message(p_session_id uuid, p_caller cmbs_store.principal, p_source_id text, p_observation_id text, p_eliminated text[], p_justification text, p_expected_head uuid, p_notes text, p_minimal boolean) IS 'One ELIMINATE message. Raises MB001, MB101, MB102, MB103, MB202.';

CREATE FUNCTION cmbs_store.eliminated_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select string_agg(
        format(
            '{"hypothesis_id": %s, "event_id": "%s", "seq": %s, "ts": "%s", '
            '"source_id": %s, "observation_id": %s}',
            to_json(g.hypothesis_id),
            e.event_id,
            g.seq,
            cmbs_store.timestamp_v1(e.recorded_at),
            to_json(e.source_id),
            to_json(e.observation_id)
        ),
        ', ' order by g.seq, g.hypothesis_id
    )
    from (
        select t.seq, t.hypothesis_id
        from cmbs_store.tombstone as t
        where t.session_id = p_session_id and t.seq > p_after and t.seq <= p_until
        order by t.seq, t.hypothesis_id
        limit p_limit
    ) as g
    cross join lateral (
        select a.event_id, a.recorded_at, a.source_id, a.observation_id
        from cmbs_store.audit_event as a
        where a.session_id = p_session_id and a.seq = g.seq
        limit 1
    ) as e
$$;

ALTER FUNCTION cmbs_store.eliminated_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.eliminated_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) IS 'The hypotheses that a stretch of the log eliminated, as JSON text.';

CREATE FUNCTION cmbs_store.elimination_json(p_session_id uuid, p_seq bigint, p_n_eliminated bigint) RETURNS text
    LANGUAGE sql STABLE
    AS $_$
    select format(
        '{"event_id": "%s", "seq": %s, "ts": "%s", "actor": %s, "source_id": %s, '
        '"observation_id": %s, "justification": %s, "n_eliminated": %s, "eliminated": %s}',
        e.event_id,
        e.seq,
        cmbs_store.timestamp_v1(e.recorded_at),
        to_json(e.actor),
        to_json(e.source_id),
        to_json(e.observation_id),
        case
            when octet_length(r.evidence) <= 4096 then r.evidence
            else 'null'
        end,
        p_n_eliminated,
        jsonb_path_query_array(r.record -> 'delta' -> 'eliminated', '$[0 to 99]')
    )
    from cmbs_store.audit_event as e
    cross join lateral (
        select
            p.record,
            (p.record -> 'payload' -> 'justification')::text as evidence
        from (select e.record::jsonb as record offset 0) as p
        offset 0
    ) as r
    where e.session_id = p_session_id and e.seq = p_seq
$_$;

ALTER FUNCTION cmbs_store.elimination_json(p_session_id uuid, p_seq bigint, p_n_eliminated bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.elimination_json(p_session_id uuid, p_seq bigint, p_n_eliminated bigint) IS 'An event that eliminated hypotheses, as JSON text.';

CREATE FUNCTION cmbs_store.elimination_outcome(p_applied text, p_ignored text[], p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '"applied_eliminated": %s, "ignored_eliminated": %s, '
        '"audit_event_id": "%s", "duplicate": %s',
        p_applied, to_jsonb(p_ignored), p_event_id, p_duplicate::text
    )
$$;

ALTER FUNCTION cmbs_store.elimination_outcome(p_applied text, p_ignored text[], p_event_id uuid, p_duplicate boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.elimination_outcome(p_applied text, p_ignored text[], p_event_id uuid, p_duplicate boolean) IS 'The members of an ELIMINATE response, as JSON text.';

CREATE FUNCTION cmbs_store.eliminations(p_session_id uuid, p_seq bigint, p_limit integer) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_sums text;
    v_sources text;
    v_events text;
begin
    with effect as materialized (
        select t.seq, count(*) as n
        from cmbs_store.tombstone as t
        where t.session_id = p_session_id and coalesce(t.seq = p_seq, true)
        group by t.seq
    ), source as materialized (
        select a.source_id, count(*) as n_events, sum(f.n) as n_eliminated
        from effect as f
        cross join lateral (
            select e.source_id
            from cmbs_store.audit_event as e
            where e.session_id = p_session_id and e.seq = f.seq
            limit 1
        ) as a
        group by a.source_id
    )
    select
        (
            select format(
                '"n_eliminated": %s, "n_events": %s, "n_sources": %s',
                coalesce(sum(s.n_eliminated), 0), coalesce(sum(s.n_events), 0), count(*)
            )
            from source as s
        ),
        (
            select string_agg(to_json(s)::text, ', ' order by s.n_eliminated desc, s.source_id)
            from (
                select o.source_id, o.n_events, o.n_eliminated
                from source as o
                order by o.n_eliminated desc, o.source_id
                limit p_limit
            ) as s
        ),
        (
            select string_agg(
                cmbs_store.elimination_json(p_session_id, f.seq, f.n), ', ' order by f.seq desc
            )
            from (select o.seq, o.n from effect as o order by o.seq desc limit p_limit) as f
        )
    into v_sums, v_sources, v_events;
    return format('{%s, "sources": [%s], "events": [%s]}', v_sums, v_sources, v_events);
end
$$;

ALTER FUNCTION cmbs_store.eliminations(p_session_id uuid, p_seq bigint, p_limit integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.eliminations(p_session_id uuid, p_seq bigint, p_limit integer) IS 'Who eliminated how much, and by which events, as JSON text.';

CREATE TABLE cmbs_store.api_token (
    credential_hash bytea NOT NULL,
    token_id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    prefix text NOT NULL COLLATE pg_catalog."C",
    verbs text[] COLLATE pg_catalog."C",
    scope_tenant text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    created_by text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    CONSTRAINT api_token_credential_hash_check CHECK ((octet_length(credential_hash) = 32))
);

ALTER TABLE cmbs_store.api_token OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.api_token IS 'reference: tokens, by the digest of the digest that their holders show.';

CREATE FUNCTION cmbs_store.end_token(p_caller cmbs_store.principal, p_token cmbs_store.api_token) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql
    AS $$
begin
    p_token.revoked_at := cmbs_store.append_identity(
        p_token.tenant, 'REVOKE_TOKEN', p_caller.name,
        jsonb_build_object('token_id', p_token.token_id)
    );
    update cmbs_store.api_token as t
    set revoked_at = p_token.revoked_at
    where t.credential_hash = p_token.credential_hash;
    return p_token;
end
$$;

ALTER FUNCTION cmbs_store.end_token(p_caller cmbs_store.principal, p_token cmbs_store.api_token) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.end_token(p_caller cmbs_store.principal, p_token cmbs_store.api_token) IS 'Revoke a token, with its event.';

CREATE FUNCTION cmbs_store.ensure_context_universe(p_hypotheses text[]) RETURNS bytea
    LANGUAGE plpgsql
    AS $$
declare
    v_ids text[];
    v_digest bytea;
begin
    perform cmbs_store.check_context_ids('hypotheses', p_hypotheses);
    v_ids := array(
        select distinct u.id collate "C" from unnest(p_hypotheses) as u (id) order by 1
    );
    select cmbs_store.universe_digest_v1(
        '[' || coalesce(string_agg(to_json(u.id)::text, ', ' order by u.no), '') || ']'
    )
    into v_digest
    from unnest(v_ids) with ordinality as u (id, no);
    if exists (
        select from cmbs_store.context_universe as u where u.universe_digest = v_digest
    ) then
        return v_digest;
    end if;
    insert into cmbs_store.context_universe (universe_digest, n_hypotheses)
    values (v_digest, cardinality(v_ids))
    on conflict (universe_digest) do nothing;
    if found then
        insert into cmbs_store.context_hypothesis (universe_digest, hypothesis_id)
        select v_digest, u.id
        from unnest(v_ids) as u (id);
    end if;
    return v_digest;
end
$$;

ALTER FUNCTION cmbs_store.ensure_context_universe(p_hypotheses text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.ensure_context_universe(p_hypotheses text[]) IS 'The digest of a set of hypotheses of contexts, stored if it is new. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.ensure_universe(p_member text, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
    v_ids text[];
begin
    perform cmbs_store.check_ids(p_member, p_hypotheses, null);
    v_ids := array(
        select distinct u.hypothesis_id collate "C"
        from unnest(p_hypotheses) as u (hypothesis_id)
        order by 1
    );
    p_n_hypotheses := cardinality(v_ids);
    if p_n_hypotheses = 0 then
        perform cmbs_store.refuse_request(p_member, 'must hold at least one id');
    end if;
    select cmbs_store.universe_digest_v1(
        '[' || string_agg(to_json(u.hypothesis_id)::text, ', ' order by u.no) || ']'
    )
    into p_universe_digest
    from unnest(v_ids) with ordinality as u (hypothesis_id, no);
    if exists (
        select from cmbs_store.universe as u where u.universe_digest = p_universe_digest
    ) then
        return;
    end if;
    insert into cmbs_store.universe (universe_digest, n_hypotheses, registered_at)
    values (p_universe_digest, p_n_hypotheses, cmbs_store.clock())
    on conflict (universe_digest) do nothing;
    if found then
        insert into cmbs_store.universe_member (universe_digest, hypothesis_id, hypothesis_rank)
        select p_universe_digest, u.hypothesis_id, u.no - 1
        from unnest(v_ids) with ordinality as u (hypothesis_id, no);
    end if;
end
$$;

ALTER FUNCTION cmbs_store.ensure_universe(p_member text, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.ensure_universe(p_member text, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) IS 'The universe of a list of ids, stored if it is new. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.entropy(p_n integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_n > 1 then (ln(p_n::double precision) / ln(2::double precision))::numeric
        else 0
    end
$$;

ALTER FUNCTION cmbs_store.entropy(p_n integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.entropy(p_n integer) IS 'log2 of the number of survivors; 0 for none or one.';

CREATE FUNCTION cmbs_store.entry_faults(p_entries jsonb, p_tenant text) RETURNS TABLE(key text, severity text, finding text)
    LANGUAGE sql STABLE
    AS $_$
    with entry as (
        select e.key as entry_key, p.*
        from jsonb_each_text(p_entries) as e (key, value)
        cross join lateral cmbs_store.parsed_entry(''::bytea, e.key, e.value) as p
    ),
    found as (
        select e.entry_key, 'error' as severity, 'the key must be policy.* or constraint.*, of '
            'segments of a-z, 0-9, _ and -, in up to 200 bytes' as finding
        from entry as e
        where e.entry_key !~ '^(policy|constraint)(\.[a-z0-9_-]+)+$'
            or octet_length(e.entry_key) > 200
        union all
        select e.entry_key, 'error', e.fault
        from entry as e
        where e.fault is not null
        union all
        select e.entry_key, 'error', format('the schema %s is not registered', s.schema_id)
        from entry as e
        cross join lateral unnest(e.schemas) as s (schema_id)
        where not exists (
            select
            from cmbs_store.json_schema as j
            where j.tenant in (p_tenant, '*') and j.schema_id = s.schema_id
        )
        union all
        select e.entry_key, 'error', format('the key begins with another one, %s', b.key)
        from entry as e
        cross join lateral string_to_array(e.entry_key, '.') as s (segments)
        cross join lateral generate_series(2, cardinality(s.segments) - 1) as n (n)
        cross join lateral array_to_string(s.segments[1:n.n], '.') as b (key)
        where p_entries ? b.key
        union all
        select e.entry_key, 'error', cmbs_store.setting_fault(
            e.entry_key, cmbs_store.readable_value(e.value)
        )
        from entry as e
        where e.fault is null
            and cmbs_store.setting_fault(
                e.entry_key, cmbs_store.readable_value(e.value)
            ) is not null
        union all
        select
            e.entry_key, 'error',
            format('the kernel gives no capability %s', substr(e.subject, 3))
        from entry as e
        where e.subject ~ '^c:(tool|state|claim)[.]'
            and e.subject !~ (
                '^c:(tool[.](read|write)|state[.]write[.](fact|goal|core)|'
                'claim[.]write[.](fact|preference|decision|hypothesis|derived))$'
            )
        union all
        select e.entry_key, 'error', format('the audit tells no %s', r.key)
        from entry as e
        cross join lateral unnest(e.reads) as r (key)
        where r.key ~ '^fact[.]belief[.][^.]+$'
            and r.key !~ (
                '[.](n_survivors|n_survivors_independent|n_hypotheses|survivors|terminated|'
                'active_obligation_id|conclusion)$'
            )
        union all
        select * from cmbs_store.policy_warnings(p_entries, p_tenant)
    )
    select f.entry_key, f.severity, f.finding
    from found as f
    order by f.severity, f.entry_key collate "C", f.finding collate "C"
$_$;

ALTER FUNCTION cmbs_store.entry_faults(p_entries jsonb, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.entry_faults(p_entries jsonb, p_tenant text) IS 'What is wrong with the entries of a pack: key, severity, finding.';

CREATE FUNCTION cmbs_store.evaluate(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_items jsonb := p_given -> 'proposal' -> 'items';
    v_is_atomic boolean := p_given -> 'proposal' -> 'atomic' = 'true';
    v_reasons cmbs_store.reason[];
    v_limits cmbs_store.reason[];
    v_policy cmbs_store.policy;
    v_token cmbs_store.capability_token;
    v_ground cmbs_store.ground;
    v_verdict jsonb;
begin
    v_reasons := cmbs_store.idempotency_reasons(p_session, p_actor, p_given -> 'proposal');
    if cardinality(v_reasons) > 0 then
        return cmbs_store.verdict(v_items, v_reasons, v_is_atomic)
            || '{"tools": {}, "schemas": {}, "reads": {}}';
    end if;
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = p_pin.policy_hash;
    select t.*
    into v_token
    from cmbs_store.capability_token as t
    where t.session_id = p_session.session_id
        and t.token_id = (p_given ->> 'token_id')::uuid
        and t.seq <= p_session.audit_seq;
    v_ground := cmbs_store.ground(
        p_session, p_pin.policy_hash, p_actor, v_items, p_recorded
    );
    v_reasons := cmbs_store.proposal_reasons(
        p_session, p_actor, p_given, v_policy, v_token, v_ground
    );
    v_verdict := cmbs_store.verdict(v_items, v_reasons, v_is_atomic);
    if not v_is_atomic and v_verdict ->> 'decision' = 'allow' and cardinality(v_reasons) > 0 then
        v_reasons := v_reasons || cmbs_store.remaining_reasons(
            p_session, v_items, v_verdict, v_ground
        );
        v_verdict := cmbs_store.verdict(v_items, v_reasons, v_is_atomic);
    end if;
    if p_given ? 'v' and cardinality(v_reasons) > 0 then
        v_limits := cmbs_store.limit_reasons(p_session, p_given, v_verdict, v_policy.settings);
        if cardinality(v_limits) > 0 then
            v_verdict := cmbs_store.verdict(v_items, v_reasons || v_limits, v_is_atomic);
        end if;
    end if;
    return cmbs_store.with_offers(
        v_verdict, v_token, p_session, v_policy.settings, p_given, v_ground
    ) || jsonb_build_object(
        'tools', v_ground.tools, 'schemas', v_ground.schemas, 'reads', v_ground.reads
    );
end
$$;

ALTER FUNCTION cmbs_store.evaluate(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.evaluate(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) IS 'The verdict on a proposal, by the policy, tools and schemas that it names.';

CREATE FUNCTION cmbs_store.evaluate_claim(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_claim jsonb := p_given -> 'claim';
    v_policy cmbs_store.policy;
    v_is_confirmed boolean;
    v_kind text := v_claim ->> 'kind';
    v_items jsonb;
    v_ground cmbs_store.ground;
    v_reasons cmbs_store.reason[];
begin
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = p_pin.policy_hash;
    v_is_confirmed := cmbs_store.is_confirmed(p_session, v_claim, v_policy.settings);
    if not v_is_confirmed and v_claim ->> 'on_unconfirmed' = 'demote'
        and v_kind not in ('hypothesis', 'derived')
    then
        v_kind := 'hypothesis';
        if v_claim -> 'ttl_ms' = 'null' and v_claim -> 'review_at' = 'null' then
            v_claim := v_claim || jsonb_build_object('ttl_ms', coalesce(
                (v_policy.settings -> 'policy.claims' ->> 'default_ttl_ms')::bigint, 86400000
            ));
        end if;
    end if;
    v_items := jsonb_build_array(jsonb_build_object('kind', 'claim', 'claim_kind', v_kind));
    v_ground := cmbs_store.ground(
        p_session, p_pin.policy_hash, p_actor, v_items, p_recorded
    );
    v_reasons := cmbs_store.policy_reasons(v_policy)
        || cmbs_store.halt_reasons(p_given)
        || cmbs_store.claim_reasons(v_claim, v_kind, v_is_confirmed, v_policy.settings)
        || cmbs_store.promotion_reasons(
            p_session, v_claim, (p_given ->> 'promotes')::uuid
        )
        || cmbs_store.constraints_against(
            v_policy, v_ground.entries, v_items, v_ground.definitions, v_ground.world,
            v_ground.documents, null
        );
    return cmbs_store.verdict_of(v_reasons, 1) || jsonb_build_object(
        'kind', v_kind,
        'confirmed', v_is_confirmed,
        'expires_at', cmbs_store.timestamp_v1(
            (p_given ->> 'decided_at')::timestamptz
            + (v_claim ->> 'ttl_ms')::bigint * interval '1 millisecond'
        ),
        'tools', v_ground.tools, 'schemas', v_ground.schemas, 'reads', v_ground.reads
    );
end
$$;

ALTER FUNCTION cmbs_store.evaluate_claim(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.evaluate_claim(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) IS 'The verdict on a claim, as a function of what it is given.';

CREATE FUNCTION cmbs_store.event_at(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_low bigint := 0;
    v_high bigint := p_session.audit_seq;
    v_middle bigint;
    v_event_id uuid;
begin
    while v_low < v_high loop
        v_middle := (v_low + v_high + 1) / 2;
        if exists (
            select
            from cmbs_store.audit_event as e
            where e.session_id = p_session.session_id
                and e.seq = v_middle
                and e.recorded_at <= p_at
        ) then
            v_low := v_middle;
        else
            v_high := v_middle - 1;
        end if;
    end loop;
    select e.event_id
    into v_event_id
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = v_low;
    if not found then
        raise exception using
            errcode = 'MB003',
            message = 'The session was not declared yet at this time.',
            detail = json_build_object(
                'session_id', p_session.session_id,
                'declared_at', cmbs_store.timestamp_v1(p_session.declared_at)
            )::text,
            hint = 'Ask for a time from its declaration on.';
    end if;
    return v_event_id;
end
$$;

ALTER FUNCTION cmbs_store.event_at(p_session cmbs_store.session, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.event_at(p_session cmbs_store.session, p_at timestamp with time zone) IS 'The last event of a session that is not later than a time. Raises MB003.';

CREATE FUNCTION cmbs_store.event_hash_v1(p_record text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN sha256(convert_to(p_record, 'UTF8'::name));

ALTER FUNCTION cmbs_store.event_hash_v1(p_record text) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.event_hash_v1(p_record text) IS 'sha-256 over the bytes of a record.';

CREATE FUNCTION cmbs_store.event_id(p_random uuid, p_seq bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE
    AS $$ select (left(p_random::text, 24) || lpad(to_hex(p_seq), 12, '0'))::uuid $$;

ALTER FUNCTION cmbs_store.event_id(p_random uuid, p_seq bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.event_id(p_random uuid, p_seq bigint) IS 'The id of an event: a random uuid with the seq in its low 48 bits.';

CREATE TABLE cmbs_store.audit_event (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    event_id uuid NOT NULL,
    event_hash bytea NOT NULL,
    verb text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    source_id text COLLATE pg_catalog."C",
    observation_id text COLLATE pg_catalog."C",
    request_id text COLLATE pg_catalog."C",
    record text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY cmbs_store.audit_event ALTER COLUMN session_id SET (n_distinct=100);

ALTER TABLE cmbs_store.audit_event OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.audit_event IS 'session: the append-only, hash-chained log; record is the exact text that event_hash hashes.';

CREATE FUNCTION cmbs_store.event_json(p_event cmbs_store.audit_event) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_ids text;
begin
    if p_event.seq > 1 then
        return format(
            '%s, "event_hash": "%s"}', left(p_event.record, -1), encode(p_event.event_hash, 'hex')
        );
    end if;
    select cmbs_store.universe_ids(s.universe_digest)
    into v_ids
    from cmbs_store.session as s
    where s.session_id = p_event.session_id;
    return jsonb_set(p_event.record::jsonb, '{payload,hypotheses}', v_ids::jsonb)
        || jsonb_build_object('event_hash', encode(p_event.event_hash, 'hex'));
end
$$;

ALTER FUNCTION cmbs_store.event_json(p_event cmbs_store.audit_event) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.event_json(p_event cmbs_store.audit_event) IS 'An event as the API shows it, as JSON text.';

CREATE FUNCTION cmbs_store.event_payload(p_session_id uuid, p_seq bigint) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select e.record::jsonb -> 'payload'
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id and e.seq = p_seq
$$;

ALTER FUNCTION cmbs_store.event_payload(p_session_id uuid, p_seq bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.event_payload(p_session_id uuid, p_seq bigint) IS 'The payload of an event by its number.';

CREATE FUNCTION cmbs_store.event_seq(p_event_id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$ select ('x' || right(p_event_id::text, 12))::bit(48)::bigint $$;

ALTER FUNCTION cmbs_store.event_seq(p_event_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.event_seq(p_event_id uuid) IS 'The seq that an event id carries in its low 48 bits.';

CREATE FUNCTION cmbs_store.execution_rows(p_session_id uuid, p_actor text, p_verb text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE
    AS $$
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

ALTER FUNCTION cmbs_store.execution_rows(p_session_id uuid, p_actor text, p_verb text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.execution_rows(p_session_id uuid, p_actor text, p_verb text, p_payload jsonb) IS 'The rows that an event of execution, approval or upkeep leaves.';

CREATE FUNCTION cmbs_store.execution_stored(p_session_id uuid) RETURNS TABLE(seq bigint, relation text, content jsonb)
    LANGUAGE sql STABLE
    AS $$
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
    select a.seq, 'shadow_pin', to_jsonb(a)
    from cmbs_store.shadow_pin as a
    where a.session_id = p_session_id
$$;

ALTER FUNCTION cmbs_store.execution_stored(p_session_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.execution_stored(p_session_id uuid) IS 'What the tables of execution, approval and upkeep hold of a session, row by row.';

CREATE FUNCTION cmbs_store.expired_permits(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS uuid[]
    LANGUAGE sql STABLE
    AS $$
    select array(
        select d.item_id
        from (
            select o.item_id
            from cmbs_store.open_item as o
            where o.session_id = p_session.session_id
                and o.kind = 'permit'
                and o.is_open
                and o.due_at <= p_at
            order by o.due_at
            limit 1000
        ) as d
        order by d.item_id
    )
$$;

ALTER FUNCTION cmbs_store.expired_permits(p_session cmbs_store.session, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.expired_permits(p_session cmbs_store.session, p_at timestamp with time zone) IS 'The permits of a session that ran out unused, a thousand at once.';

CREATE FUNCTION cmbs_store.explained_condition(p_condition jsonb, p_world jsonb, p_schemas jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_op text := p_condition ->> 'op';
    v_args jsonb := p_condition -> 'args';
    v_node jsonb := jsonb_build_object(
        'op', v_op,
        'holds', coalesce(cmbs_store.holds(p_condition, p_world, p_schemas)::text, 'unknown')
    );
    v_children jsonb := '[]'::jsonb;
    v_found record;
begin
    if v_op in ('all', 'any', 'not') then
        for v_i in 0 .. jsonb_array_length(v_args) - 1 loop
            v_children := v_children || jsonb_build_array(
                cmbs_store.explained_condition(v_args -> v_i, p_world, p_schemas)
            );
        end loop;
        return v_node || jsonb_build_object('args', v_children);
    elsif v_op = 'schema' then
        return v_node || jsonb_build_object(
            'args', v_args,
            'fault', cmbs_store.schema_fault(
                p_schemas -> (v_args ->> 0),
                cmbs_store.schema_target(p_world, v_args ->> 1)
            )
        );
    end if;
    v_found := cmbs_store.resolved(p_world, v_args ->> 0);
    v_node := v_node || jsonb_build_object(
        'args', v_args,
        'read', jsonb_build_object(v_args ->> 0, case
            when v_found.p_is_known then coalesce(v_found.p_value, '{"absent": true}')
            else '{"unreadable": true}'
        end)
    );
    if jsonb_typeof(v_args -> 1) = 'object' and v_args -> 1 ? 'ref' then
        v_node := v_node || jsonb_build_object('reference', jsonb_build_object(
            v_args -> 1 ->> 'ref',
            coalesce(cmbs_store.operand(p_world, v_args -> 1), '{"absent": true}')
        ));
    end if;
    return v_node;
end
$$;

ALTER FUNCTION cmbs_store.explained_condition(p_condition jsonb, p_world jsonb, p_schemas jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.explained_condition(p_condition jsonb, p_world jsonb, p_schemas jsonb) IS 'A condition with what each of its nodes came to.';

CREATE FUNCTION cmbs_store.explained_constraint(p_entry cmbs_store.policy_entry, p_world jsonb, p_documents jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_holds boolean := true;
    v_outcome text;
begin
    if p_entry.fault is not null or not p_documents ?& p_entry.schemas then
        return jsonb_build_object(
            'key', p_entry.key, 'outcome', 'malformed',
            'unlock', coalesce(p_entry.fault, 'a schema that it names is not there')
        );
    end if;
    if p_entry.condition is not null then
        v_holds := cmbs_store.holds(p_entry.condition, p_world, p_documents);
    end if;
    v_outcome := case
        when p_entry.effect = 'allow' and v_holds then 'allows'
        when p_entry.effect = 'allow' then 'does not allow'
        when v_holds is distinct from false then 'denies'
        else 'does not deny'
    end;
    return jsonb_strip_nulls(jsonb_build_object(
        'key', p_entry.key,
        'effect', p_entry.effect,
        'on_fail', p_entry.on_fail,
        'reason', p_entry.reason,
        'outcome', v_outcome,
        'unlock', case
            when v_outcome = 'denies' and p_entry.condition is null then 'it denies always'
            when v_outcome in ('denies', 'does not allow') then (cmbs_store.nearest(
                p_entry.condition, p_world, p_documents, p_entry.effect = 'allow'
            )).p_detail
        end
    )) || jsonb_build_object('condition', case
        when p_entry.condition is not null
            then cmbs_store.explained_condition(p_entry.condition, p_world, p_documents)
    end);
end
$$;

ALTER FUNCTION cmbs_store.explained_constraint(p_entry cmbs_store.policy_entry, p_world jsonb, p_documents jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.explained_constraint(p_entry cmbs_store.policy_entry, p_world jsonb, p_documents jsonb) IS 'What a constraint came to, with each node of its condition and what would change it.';

CREATE FUNCTION cmbs_store.explained_items(p_session cmbs_store.session, p_actor text, p_payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_items jsonb := p_payload -> 'proposal' -> 'items';
    v_ground cmbs_store.ground := cmbs_store.ground(
        p_session, decode(p_payload -> 'policy' ->> 'policy_hash', 'hex'), p_actor, v_items,
        p_payload
    );
    v_answer jsonb := '[]'::jsonb;
    v_world jsonb;
begin
    for v_no in 1 .. jsonb_array_length(v_items) loop
        v_world := cmbs_store.world_of_call(v_ground.world, v_items -> v_no - 1);
        v_answer := v_answer || jsonb_build_array(
            (p_payload -> 'items' -> v_no - 1) || jsonb_build_object(
                'item', v_items -> v_no - 1,
                'constraints', (
                    select coalesce(jsonb_agg(
                        cmbs_store.explained_constraint(e, v_world, v_ground.documents)
                        || jsonb_build_object('asked_as', e.subject)
                        order by e.key
                    ), '[]')
                    from unnest(v_ground.entries) as e
                    where exists (
                        select
                        from cmbs_store.questions(v_items, v_ground.definitions) as q
                        where q.item_no = v_no and e.subject = any(q.subjects)
                    )
                )
            )
        );
    end loop;
    return v_answer;
end
$$;

ALTER FUNCTION cmbs_store.explained_items(p_session cmbs_store.session, p_actor text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.explained_items(p_session cmbs_store.session, p_actor text, p_payload jsonb) IS 'The items of a proposal with what every constraint that applies came to.';

CREATE FUNCTION cmbs_store.f_sparse_at(p_session_id uuid, p_seq bigint) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_checkpoint cmbs_store.state_checkpoint;
    v_state jsonb;
begin
    select c.*
    into v_checkpoint
    from cmbs_store.state_checkpoint as c
    where c.session_id = p_session_id and c.seq <= p_seq
    order by c.delta_no desc
    limit 1;
    select coalesce(v_checkpoint.f_sparse::jsonb, '{}') || coalesce(
        jsonb_object_agg(m.key, m.value order by d.seq, d.item_no), '{}'
    )
    into v_state
    from cmbs_store.state_delta as d
    cross join lateral jsonb_each(d.patch::jsonb) as m (key, value)
    where d.session_id = p_session_id
        and d.seq > coalesce(v_checkpoint.seq, 0)
        and d.seq <= p_seq;
    return jsonb_strip_nulls(v_state)::text;
end
$$;

ALTER FUNCTION cmbs_store.f_sparse_at(p_session_id uuid, p_seq bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.f_sparse_at(p_session_id uuid, p_seq bigint) IS 'The facts and goals of a session as of an event, as canonical text.';

CREATE FUNCTION cmbs_store.find_capability(p_session_id uuid, p_secret text) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        (
            select jsonb_build_object('token_id', t.token_id)
            from cmbs_store.capability_token as t
            where t.session_id = p_session_id
                and t.secret_hash = sha256(convert_to(p_secret, 'UTF8'))
        ),
        '{}'
    )
$$;

ALTER FUNCTION cmbs_store.find_capability(p_session_id uuid, p_secret text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.find_capability(p_session_id uuid, p_secret text) IS 'The id of the token of a session that a secret opens.';

CREATE TABLE cmbs_store.policy_version (
    tenant text NOT NULL COLLATE pg_catalog."C",
    pack text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    policy_hash bytea NOT NULL,
    fixtures text NOT NULL COLLATE pg_catalog."C",
    published_at timestamp with time zone NOT NULL,
    published_by text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT policy_version_version_check CHECK ((version >= 1))
);

ALTER TABLE cmbs_store.policy_version OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.policy_version IS 'reference: the versions of policy packs, for ever; * holds the packs that every tenant may use.';

CREATE FUNCTION cmbs_store.find_policy(p_tenant text, p_pack text, p_version integer) RETURNS cmbs_store.policy_version
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_version cmbs_store.policy_version;
begin
    select v.*
    into v_version
    from cmbs_store.policy_version as v
    where v.tenant in (p_tenant, '*')
        and v.pack = p_pack
        and v.version = coalesce(p_version, v.version)
    order by v.version desc, v.tenant desc
    limit 1;
    if not found then
        perform cmbs_store.refuse_lookup(
            'policy', json_build_object('pack', p_pack, 'version', p_version)
        );
    end if;
    return v_version;
end
$$;

ALTER FUNCTION cmbs_store.find_policy(p_tenant text, p_pack text, p_version integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.find_policy(p_tenant text, p_pack text, p_version integer) IS 'A version of a pack that sessions of a tenant may name. Raises MB007.';

CREATE FUNCTION cmbs_store.find_principal(p_name text, p_tenant text) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_principal cmbs_store.principal;
begin
    perform cmbs_store.check_id('name', p_name, 128);
    select p.*
    into v_principal
    from cmbs_store.principal as p
    where p.name = p_name and p.tenant = p_tenant;
    if not found then
        raise exception using
            errcode = 'MB005',
            message = 'There is no such principal.',
            detail = json_build_object('name', p_name, 'tenant', p_tenant)::text,
            hint = 'Create it first, or check its name and tenant.';
    end if;
    return v_principal;
end
$$;

ALTER FUNCTION cmbs_store.find_principal(p_name text, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.find_principal(p_name text, p_tenant text) IS 'A principal by its name. Raises MB005, MB201.';

CREATE FUNCTION cmbs_store.find_token(p_caller cmbs_store.principal, p_token_id uuid) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_token cmbs_store.api_token;
begin
    if p_token_id is null then
        perform cmbs_store.refuse_request('token_id', 'must be a uuid');
    end if;
    select t.*
    into v_token
    from cmbs_store.api_token as t
    where t.token_id = p_token_id and p_caller.tenant in ('*', t.tenant);
    if not found then
        raise exception using
            errcode = 'MB006',
            message = 'There is no such token.',
            detail = json_build_object('token_id', p_token_id)::text,
            hint = 'Take its id from the list of tokens; the beginning of a token is not its id.';
    end if;
    return v_token;
end
$$;

ALTER FUNCTION cmbs_store.find_token(p_caller cmbs_store.principal, p_token_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.find_token(p_caller cmbs_store.principal, p_token_id uuid) IS 'A token by its id. Raises MB006, MB201.';

CREATE FUNCTION cmbs_store.fixture_results(p_policy_hash bytea, p_fixtures jsonb, p_tenant text) RETURNS TABLE(name text, ok boolean, expected jsonb, got jsonb)
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_policy cmbs_store.policy;
    v_entries cmbs_store.policy_entry[];
    v_documents jsonb;
begin
    select p.* into v_policy from cmbs_store.policy as p where p.policy_hash = p_policy_hash;
    v_entries := array(
        select e
        from cmbs_store.policy_entry as e
        where e.policy_hash = p_policy_hash and e.subject is not null
        order by e.key
    );
    v_documents := cmbs_store.schema_documents(cmbs_store.schemas_named(
        p_tenant,
        array(
            select distinct s.schema_id
            from unnest(v_entries) as e
            cross join lateral unnest(e.schemas) as s (schema_id)
        ),
        null
    ));
    return query
    select
        coalesce(f.fixture ->> 'name', 'fixture ' || f.no),
        v.verdict @> (f.fixture -> 'expect'),
        f.fixture -> 'expect',
        v.verdict
    from jsonb_array_elements(p_fixtures) with ordinality as f (fixture, no)
    cross join lateral (
        select cmbs_store.fixture_verdict(v_policy, v_entries, v_documents, f.fixture) as verdict
        offset 0
    ) as v
    order by f.no;
end
$$;

ALTER FUNCTION cmbs_store.fixture_results(p_policy_hash bytea, p_fixtures jsonb, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.fixture_results(p_policy_hash bytea, p_fixtures jsonb, p_tenant text) IS 'What came of the fixtures of a policy: name, whether it is as expected, and what was said.';

CREATE FUNCTION cmbs_store.fixture_verdict(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_documents jsonb, p_fixture jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_items jsonb := jsonb_build_array(p_fixture -> 'item');
    v_world jsonb;
    v_reasons cmbs_store.reason[];
begin
    if p_fixture -> 'item' ->> 'kind' <> 'claim' then
        v_items := cmbs_store.checked_items(v_items);
    end if;
    select coalesce(
        jsonb_object_agg(
            g.key,
            case jsonb_typeof(g.value)
                when 'string' then cmbs_store.readable_value(g.value #>> '{}')
                else g.value
            end
        ),
        '{}'
    )
    into v_world
    from jsonb_each(coalesce(p_fixture -> 'given', '{}')) as g (key, value);
    v_reasons := cmbs_store.constraints_against(
        p_policy, p_entries, v_items,
        jsonb_build_object(
            coalesce(v_items -> 0 ->> 'tool_id', ''), coalesce(p_fixture -> 'tool', '{}')
        ),
        v_world, p_documents, '{}'
    );
    if v_items -> 0 ->> 'kind' = 'state_delta' then
        v_reasons := v_reasons || cmbs_store.invariant_reasons(
            p_entries,
            cmbs_store.post_state(v_world, v_items), p_documents
        );
    end if;
    return cmbs_store.verdict_of(v_reasons, null);
end
$$;

ALTER FUNCTION cmbs_store.fixture_verdict(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_documents jsonb, p_fixture jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.fixture_verdict(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_documents jsonb, p_fixture jsonb) IS 'What a policy says to the item of a fixture, in the state that it gives.';

CREATE FUNCTION cmbs_store.flips_without(p_session cmbs_store.session, p_without_source text, p_without_observation text, p_seqs bigint[], p_limit integer, OUT p_state cmbs_store.session, OUT p_ended_seq bigint, OUT p_n_refused bigint, OUT p_n_gates bigint, OUT p_n_flips bigint, OUT p_flips text[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_step record;
    v_now record;
    v_approved boolean;
    v_reason text;
begin
    p_state := cmbs_store.without_obligation(p_session);
    p_state.n_survivors := p_session.n_hypotheses;
    p_state.is_terminated := false;
    p_state.conclusion_id := null;
    p_state.conclusion_run := 0;
    p_n_refused := 0;
    p_n_gates := 0;
    p_n_flips := 0;
    for v_step in
        select s.seq, s.verb, s.event_id, s.payload, s.n_eliminated
        from cmbs_store.steps_without(
            p_session.session_id, p_without_source, p_without_observation, p_seqs
        ) as s
        order by s.seq
    loop
        if v_step.verb = 'ELIMINATE' then
            if p_state.is_terminated then
                p_n_refused := p_n_refused + 1;
            else
                p_state.n_survivors := p_state.n_survivors - v_step.n_eliminated;
            end if;
            continue;
        end if;
        p_n_gates := p_n_gates + 1;
        p_state.audit_seq := v_step.seq;
        v_now := cmbs_store.decide_gate(p_state, v_step.verb, v_step.payload);
        if v_now.p_error is not null then
            p_n_refused := p_n_refused + 1;
        elsif (v_now.p_state).is_terminated then
            p_ended_seq := v_step.seq;
        end if;
        p_state := v_now.p_state;
        v_approved :=
            coalesce(v_step.payload -> 'approved', v_step.payload -> 'accepted')::boolean;
        v_reason := v_step.payload ->> 'reason';
        if v_now.p_error is null
            and v_now.p_approved is not distinct from v_approved
            and v_now.p_reason is not distinct from v_reason
        then
            continue;
        end if;
        p_n_flips := p_n_flips + 1;
        if p_n_flips <= p_limit then
            p_flips := array_append(p_flips, format(
                '{"event_id": "%s", "seq": %s, "verb": "%s", "recorded": %s, "instead": %s}',
                v_step.event_id, v_step.seq, v_step.verb,
                cmbs_store.decision(v_approved, v_reason, null),
                cmbs_store.decision(v_now.p_approved, v_now.p_reason, v_now.p_error)
            ));
        end if;
    end loop;
end
$$;

ALTER FUNCTION cmbs_store.flips_without(p_session cmbs_store.session, p_without_source text, p_without_observation text, p_seqs bigint[], p_limit integer, OUT p_state cmbs_store.session, OUT p_ended_seq bigint, OUT p_n_refused bigint, OUT p_n_gates bigint, OUT p_n_flips bigint, OUT p_flips text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.flips_without(p_session cmbs_store.session, p_without_source text, p_without_observation text, p_seqs bigint[], p_limit integer, OUT p_state cmbs_store.session, OUT p_ended_seq bigint, OUT p_n_refused bigint, OUT p_n_gates bigint, OUT p_n_flips bigint, OUT p_flips text[]) IS 'Send the log of a session again without some of its messages; list the gates that say otherwise.';

CREATE FUNCTION cmbs_store.found_shadow(p_tenant text, p_shadow jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_version cmbs_store.policy_version;
begin
    if p_shadow is null then
        return '{}'::jsonb;
    end if;
    v_version := cmbs_store.find_policy(
        p_tenant, p_shadow ->> 'pack', (p_shadow ->> 'version')::integer
    );
    return jsonb_build_object('shadow', p_shadow || jsonb_build_object(
        'policy_hash', encode(v_version.policy_hash, 'hex')
    ));
end
$$;

ALTER FUNCTION cmbs_store.found_shadow(p_tenant text, p_shadow jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.found_shadow(p_tenant text, p_shadow jsonb) IS 'The shadow of a policy with its hash, as it is recorded. Raises MB007.';

CREATE FUNCTION cmbs_store.free_object(p_member text, p_object json) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_sent text := p_object::text;
    v_object jsonb;
    v_text text;
    v_n_numbers bigint;
    v_printed bigint;
    v_are_sane boolean;
begin
    if v_sent is null or v_sent = '{}' then
        return v_sent;
    end if;
    if octet_length(v_sent) > 4194304 then
        perform cmbs_store.refuse_size(p_member, '4 MiB as sent');
    end if;
    v_object := p_object::jsonb;
    if jsonb_typeof(v_object) <> 'object' then
        perform cmbs_store.refuse_request(p_member, 'must be a JSON object');
    end if;
    -- 9 kB of 1e131000 would print as 131 MB: measure the numbers before anything is printed.
    if v_sent ~ '[0-9.]{250}|[eE][+-]?0*[0-9]{2}' then
        select
            count(*),
            sum(case when n.is_sane then length(n.number::text) end),
            bool_and(n.is_sane)
        into v_n_numbers, v_printed, v_are_sane
        from (
            select q.number, abs(q.number) < 1e1000 and scale(q.number) <= 1000 as is_sane
            from (
                select v.value::numeric as number
                from jsonb_array_elements(
                    -- as a set of rows the same query takes time that is quadratic in their number
                    jsonb_path_query_array(v_object, 'strict $.** ? (@.type() == "number")')
                ) as v (value)
                limit 400000
            ) as q
        ) as n;
        if not v_are_sane then
            perform cmbs_store.refuse_request(
                p_member, 'numbers may have 1,000 digits on either side of the point'
            );
        end if;
        -- 400,000 numbers take more than a MiB however short they are; the rest was not looked at.
        if v_n_numbers = 400000 or v_printed > 1048576 then
            perform cmbs_store.refuse_size(p_member, '1 MiB of canonical text');
        end if;
    end if;
    if jsonb_path_exists(
        v_object, 'strict $.**{128} ? (@.type() == "object" || @.type() == "array")'
    ) then
        perform cmbs_store.refuse_request(p_member, 'may be nested 128 levels deep');
    end if;
    v_text := v_object::text;
    if octet_length(v_text) > 1048576 then
        perform cmbs_store.refuse_size(p_member, '1 MiB of canonical text');
    end if;
    if cmbs_store.n_colons(v_sent) <> cmbs_store.n_colons(v_text) then
        perform cmbs_store.refuse_request(p_member, 'a key may appear once in an object');
    end if;
    if position('"$redactable": ' in v_text) > 0
        and jsonb_path_exists(v_object, 'lax $.**."$redactable"')
    then
        perform cmbs_store.refuse_request(p_member, 'the key $redactable is reserved');
    end if;
    return v_text;
end
$_$;

ALTER FUNCTION cmbs_store.free_object(p_member text, p_object json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.free_object(p_member text, p_object json) IS 'The canonical text of a free JSON object. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.gate_row(p_before cmbs_store.session, p_after cmbs_store.session, p_verb text, p_payload jsonb) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select case
        when p_verb = 'ENTER_OBLIGATION' then row(
            'obligation', p_after.obligation_seq, p_after.obligation_id,
            p_after.obligation_minimum, p_after.obligation_survivors
        )::text
        when p_verb = 'DECLARE_CONCLUSION' then row(
            'conclusion', p_after.audit_seq, p_payload ->> 'conclusion_id', p_payload -> 'accepted'
        )::text
        when p_before.obligation_seq is not null and p_after.obligation_seq is null then row(
            'obligation_end', p_before.obligation_seq, p_after.audit_seq,
            case p_verb when 'WAIVE_OBLIGATION' then 'waived' else 'exited' end, p_after.n_survivors
        )::text
    end
$$;

ALTER FUNCTION cmbs_store.gate_row(p_before cmbs_store.session, p_after cmbs_store.session, p_verb text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.gate_row(p_before cmbs_store.session, p_after cmbs_store.session, p_verb text, p_payload jsonb) IS 'The row that a gate event must have left, as text.';

CREATE FUNCTION cmbs_store.gate_rows(p_session_id uuid, OUT gate_row text, OUT seq bigint) RETURNS SETOF record
    LANGUAGE sql STABLE
    AS $$
    select
        row(
            'obligation', o.entered_seq, o.obligation_id,
            o.min_total_eliminations, o.survivors_at_entry
        )::text,
        o.entered_seq
    from cmbs_store.obligation as o
    where o.session_id = p_session_id
    union all
    select
        row('obligation_end', d.entered_seq, d.ended_seq, d.outcome, d.survivors_at_end)::text,
        d.ended_seq
    from cmbs_store.obligation_end as d
    where d.session_id = p_session_id
    union all
    select
        row('conclusion', c.seq, c.conclusion_id, to_jsonb(c.is_accepted))::text,
        c.seq
    from cmbs_store.conclusion as c
    where c.session_id = p_session_id
$$;

ALTER FUNCTION cmbs_store.gate_rows(p_session_id uuid, OUT gate_row text, OUT seq bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.gate_rows(p_session_id uuid, OUT gate_row text, OUT seq bigint) IS 'The stored rows of obligations and conclusions, as text.';

CREATE FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select string_agg(
        json_build_object(
            'event_id', g.event_id,
            'seq', g.seq,
            'ts', cmbs_store.timestamp_v1(g.recorded_at),
            'verb', g.verb,
            'subject_id', coalesce(g.payload ->> 'obligation_id', g.payload ->> 'conclusion_id'),
            'approved', coalesce(g.payload -> 'approved', g.payload -> 'accepted'),
            'reason', g.payload -> 'reason'
        )::text,
        ', ' order by g.seq
    )
    from (
        select e.seq, e.event_id, e.recorded_at, e.verb, e.record::jsonb -> 'payload' as payload
        from cmbs_store.audit_event as e
        where e.session_id = p_session_id
            and e.seq > p_after
            and e.seq <= p_until
            and e.verb <> 'ELIMINATE'
            and not cmbs_store.is_arbitration(e.verb)
        order by e.seq
        limit p_limit
    ) as g
$$;

ALTER FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) IS 'What was asked of the gates in a stretch of the log, as JSON text.';

CREATE FUNCTION cmbs_store.given(p_session cmbs_store.session, p_caller cmbs_store.principal) RETURNS jsonb
    LANGUAGE sql
    AS $$
    select jsonb_strip_nulls(jsonb_build_object(
        'roles', array(
            select r.role collate "C" from unnest(p_caller.roles) as r (role) order by 1
        ),
        'decided_at',
        cmbs_store.timestamp_v1(greatest(cmbs_store.clock(), p_session.audit_head_at)),
        'halt', cmbs_store.halted(p_session.tenant)
    ))
$$;

ALTER FUNCTION cmbs_store.given(p_session cmbs_store.session, p_caller cmbs_store.principal) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.given(p_session cmbs_store.session, p_caller cmbs_store.principal) IS 'What a verdict is given besides what is proposed.';

CREATE FUNCTION cmbs_store.given_for(p_session cmbs_store.session, p_actor text, p_roles jsonb) RETURNS jsonb
    LANGUAGE sql
    AS $$
    select jsonb_strip_nulls(jsonb_build_object(
        'roles', cmbs_store.standing_roles(p_session.tenant, p_actor, p_roles),
        'decided_at',
        cmbs_store.timestamp_v1(greatest(cmbs_store.clock(), p_session.audit_head_at)),
        'halt', cmbs_store.halted(p_session.tenant)
    ))
$$;

ALTER FUNCTION cmbs_store.given_for(p_session cmbs_store.session, p_actor text, p_roles jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.given_for(p_session cmbs_store.session, p_actor text, p_roles jsonb) IS 'What a verdict is given about an earlier proposal.';

CREATE FUNCTION cmbs_store.given_of(p_payload jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select p_payload - array[
        'policy', 'tools', 'schemas', 'reads', 'decision', 'disposition', 'reason_code',
        'reasons', 'items', 'kind', 'confirmed', 'expires_at', 'deferral', 'shadow'
    ]
$$;

ALTER FUNCTION cmbs_store.given_of(p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.given_of(p_payload jsonb) IS 'What a recorded verdict was given.';

CREATE FUNCTION cmbs_store.goal_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_patch jsonb := cmbs_store.merged_patch(p_items);
begin
    return array(
        with goal as (
            select g.key, cmbs_store.readable_value(g.value) as value
            from (
                select p.key collate "C" as key, p.value
                from jsonb_each_text(v_patch) as p (key, value)
                where p.key like 'goal.%' and cmbs_store.value_fault(p.value) is null
                union all
                select s.key, s.value
                from cmbs_store.live_values(
                    p_session.session_id, p_session.audit_seq, 'goal.', 'goal/'
                ) as s
                where not v_patch ? s.key
            ) as g
            where g.value is not null
        ),

        active as (
            select a.key, a.value
            from goal as a
            where coalesce(a.value ->> 'status' not in ('done', 'dropped'), true)
        )

        select (
            i.item_no, 'conflicts', 'GOAL_CONFLICT', a.key, 'defer', min(b.key)
        )::cmbs_store.reason
        from (select n.* from active as n where v_patch ? n.key) as a
        inner join active as b
            on b.key <> a.key
                and (
                    a.value -> 'exclusive_group' = b.value -> 'exclusive_group'
                    and a.value -> 'exclusive_group' <> 'null'
                    or coalesce(a.value -> 'excludes' @> to_jsonb(b.key), false)
                    or coalesce(b.value -> 'excludes' @> to_jsonb(a.key), false)
                )
        inner join jsonb_array_elements(p_items) with ordinality as i (item, item_no)
            on i.item -> 'patch' ? a.key
        group by i.item_no, a.key
        order by i.item_no, a.key
    );
end
$$;

ALTER FUNCTION cmbs_store.goal_reasons(p_session cmbs_store.session, p_items jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.goal_reasons(p_session cmbs_store.session, p_items jsonb) IS 'Goals of a proposal that exclude each other or an active goal.';

CREATE FUNCTION cmbs_store.ground(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_items jsonb, p_recorded jsonb) RETURNS cmbs_store.ground
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_ground cmbs_store.ground;
    v_world record;
begin
    v_ground.tools := coalesce(
        p_recorded -> 'tools', cmbs_store.tools_named(p_session.tenant, p_items)
    );
    v_ground.definitions := case
        when v_ground.tools = '{}' then '{}' else cmbs_store.tool_definitions(v_ground.tools)
    end;
    v_ground.entries := cmbs_store.constraints_on(
        p_policy_hash,
        array(
            select s.subject
            from cmbs_store.questions(p_items, v_ground.definitions) as q
            cross join lateral unnest(q.subjects) as s (subject)
            union
            select '!'
            where jsonb_path_exists(p_items, '$[*] ? (@.kind == "state_delta")')
        )
    );
    v_world := cmbs_store.world(
        p_session, p_policy_hash, p_actor,
        array(
            select distinct r.key
            from unnest(v_ground.entries) as e
            cross join lateral unnest(e.reads) as r (key)
            order by 1
        )
    );
    v_ground.world := v_world.p_world;
    v_ground.reads := v_world.p_reads;
    v_ground.schemas := cmbs_store.schemas_named(
        p_session.tenant,
        array(
            select s.schema_id
            from unnest(v_ground.entries) as e
            cross join lateral unnest(e.schemas) as s (schema_id)
            union
            select d.value ->> 'args_schema'
            from jsonb_each(v_ground.definitions) as d (key, value)
            where jsonb_typeof(d.value -> 'args_schema') = 'string'
        ),
        p_recorded -> 'schemas'
    );
    v_ground.documents := case
        when v_ground.schemas = '{}' then '{}' else cmbs_store.schema_documents(v_ground.schemas)
    end;
    return v_ground;
end
$_$;

ALTER FUNCTION cmbs_store.ground(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_items jsonb, p_recorded jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.ground(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_items jsonb, p_recorded jsonb) IS 'What a verdict on some items rests on: tools, schemas, constraints, and the values they read.';

CREATE FUNCTION cmbs_store.halt_reasons(p_given jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_given ? 'halt' then array[(
            null, 'constraints', 'CONSTRAINT_DENIED', 'constraint.halt', 'block',
            'the kill switch is on: ' || (p_given ->> 'halt')
        )::cmbs_store.reason]
        else '{}'
    end
$$;

ALTER FUNCTION cmbs_store.halt_reasons(p_given jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.halt_reasons(p_given jsonb) IS 'The kill switch: while it is on, everything is denied.';

CREATE FUNCTION cmbs_store.halted(p_tenant text) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select string_agg(h.reason, '; ' order by h.tenant)
    from (
        select distinct on (p.tenant) p.tenant, p.is_halted, p.reason
        from cmbs_store.policy_halt as p
        where p.tenant in (p_tenant, '*')
        order by p.tenant, p.halt_no desc
    ) as h
    where h.is_halted
$$;

ALTER FUNCTION cmbs_store.halted(p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.halted(p_tenant text) IS 'Why the kill switch is on for a tenant; null if it is off.';

CREATE FUNCTION cmbs_store.has_superseded(p_session cmbs_store.session, p_payload jsonb, p_item_no integer) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select exists (
        select
        from jsonb_array_elements(p_payload -> 'resumes' -> 'approvals') as a (approval)
        inner join cmbs_store.interrupt as i
            on i.session_id = p_session.session_id
                and i.interrupt_id = (a.approval ->> 'interrupt_id')::uuid
        where (a.approval ->> 'item_no')::integer = p_item_no
            and cmbs_store.is_superseded(p_session, i)
    )
$$;

ALTER FUNCTION cmbs_store.has_superseded(p_session cmbs_store.session, p_payload jsonb, p_item_no integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.has_superseded(p_session cmbs_store.session, p_payload jsonb, p_item_no integer) IS 'Whether an item was allowed by an approval of what is not as it was.';

CREATE FUNCTION cmbs_store.holds(p_condition jsonb, p_world jsonb, p_schemas jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_op text := p_condition ->> 'op';
    v_args jsonb := p_condition -> 'args';
    v_found record;
    v_other jsonb;
    v_holds boolean;
    v_child boolean;
begin
    if v_op in ('all', 'any') then
        v_holds := v_op = 'all';
        for v_i in 0 .. jsonb_array_length(v_args) - 1 loop
            v_child := cmbs_store.holds(v_args -> v_i, p_world, p_schemas);
            if v_child = (v_op = 'any') then
                return v_child;
            end if;
            v_holds := case when v_child is not null then v_holds end;
        end loop;
        return v_holds;
    elsif v_op = 'not' then
        return not cmbs_store.holds(v_args -> 0, p_world, p_schemas);
    elsif v_op = 'schema' then
        return cmbs_store.conforms(
            p_schemas -> (v_args ->> 0), cmbs_store.schema_target(p_world, v_args ->> 1)
        );
    end if;
    v_found := cmbs_store.resolved(p_world, v_args ->> 0);
    if not v_found.p_is_known then
        return null;
    elsif v_op = 'exists' then
        return coalesce(v_found.p_value <> 'null', false);
    elsif v_op = 'missing' then
        return coalesce(v_found.p_value = 'null', true);
    end if;
    v_other := cmbs_store.operand(p_world, v_args -> 1);
    if v_op = 'eq' then
        return v_found.p_value = v_other;
    elsif v_op = 'in' and v_found.p_value is not null and jsonb_typeof(v_other) = 'array' then
        return exists (
            select from jsonb_array_elements(v_other) as e (value) where e.value = v_found.p_value
        );
    end if;
    return null;
end
$$;

ALTER FUNCTION cmbs_store.holds(p_condition jsonb, p_world jsonb, p_schemas jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.holds(p_condition jsonb, p_world jsonb, p_schemas jsonb) IS 'Whether a condition holds; null if that is not known.';

CREATE FUNCTION cmbs_store.home(p_caller cmbs_store.principal) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ select case when p_caller.tenant = '*' then 'default' else p_caller.tenant end $$;

ALTER FUNCTION cmbs_store.home(p_caller cmbs_store.principal) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.home(p_caller cmbs_store.principal) IS 'The tenant that what a caller makes belongs to.';

CREATE FUNCTION cmbs_store.idempotency_reasons(p_session cmbs_store.session, p_actor text, p_proposal jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_first record;
begin
    if not p_proposal ? 'idempotency_key' then
        return '{}'::cmbs_store.reason[];
    end if;
    select p.seq, p.content_hash
    into v_first
    from cmbs_store.proposal as p
    where p.session_id = p_session.session_id
        and p.actor = p_actor
        and p.idempotency_key = p_proposal ->> 'idempotency_key'
        and p.seq <= p_session.audit_seq
    order by p.seq
    limit 1;
    if v_first.content_hash <> cmbs_store.proposal_digest(p_proposal) then
        return array[(
            null, 'idempotency', 'IDEMPOTENCY_MISMATCH', null, 'block',
            'the key was used for other items in event ' || v_first.seq
        )::cmbs_store.reason];
    end if;
    return '{}'::cmbs_store.reason[];
end
$$;

ALTER FUNCTION cmbs_store.idempotency_reasons(p_session cmbs_store.session, p_actor text, p_proposal jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.idempotency_reasons(p_session cmbs_store.session, p_actor text, p_proposal jsonb) IS 'The stage of idempotency: a key that was used for other items.';

CREATE FUNCTION cmbs_store.identity_fault(p_tenant text, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_head cmbs_store.identity_head;
begin
    select h.* into v_head from cmbs_store.identity_head as h where h.tenant = p_tenant;
    p_head_hash := v_head.event_hash;
    select
        count(*),
        min(c.no) filter (where c.is_bad)
    into p_rows, p_seq
    from (
        select
            e.seq <> row_number() over log
            or e.event_hash <> cmbs_store.event_hash_v1(e.record)
            or e.record <> cmbs_store.identity_record_v1(
                e.tenant, e.seq, e.recorded_at, e.verb, e.actor,
                cmbs_store.identity_payload(e.record)::text,
                coalesce(lag(e.event_hash) over log, decode(repeat('00', 32), 'hex'))
            )
            or e.recorded_at < lag(e.recorded_at) over log as is_bad,
            row_number() over log as no
        from cmbs_store.identity_event as e
        where e.tenant = p_tenant
        window log as (order by e.seq)
    ) as c;
    if p_seq is not null then
        p_reason := 'the event is missing, or was changed';
    elsif p_rows <> coalesce(v_head.seq, 0) then
        p_seq := greatest(least(p_rows, v_head.seq), 0) + 1;
        p_reason := 'the log does not end where it should';
    -- Whoever changes an identity locks the head of *, so it is there before any event is.
    elsif p_rows = 0 and (v_head.event_hash, v_head.recorded_at) is distinct from (
        case when p_tenant = '*' then decode(repeat('00', 32), 'hex') end,
        case when p_tenant = '*' then timestamptz '-infinity' end
    ) then
        p_seq := 1;
        p_reason := 'the head is not that of an empty log';
    elsif p_rows > 0 and not exists (
        select
        from cmbs_store.identity_event as e
        where e.tenant = p_tenant
            and e.seq = p_rows
            and e.event_hash = v_head.event_hash
            and e.recorded_at = v_head.recorded_at
    ) then
        p_seq := p_rows;
        p_reason := 'the head is not that of the last event';
    else
        select f.seq, f.reason
        into p_seq, p_reason
        from (
            select m.seq, 'no verb records this after what is before it' as reason
            from cmbs_store.identity_misplaced(p_tenant) as m (seq)
            union all
            select s.seq, 'what is stored is not what the log leads to'
            from cmbs_store.identity_state_faults(p_tenant) as s (seq)
        ) as f
        order by f.seq, f.reason
        limit 1;
    end if;
end
$$;

ALTER FUNCTION cmbs_store.identity_fault(p_tenant text, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.identity_fault(p_tenant text, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) IS 'The first fault of the log of identities of a tenant, if any.';

CREATE FUNCTION cmbs_store.identity_misplaced(p_tenant text) RETURNS SETOF bigint
    LANGUAGE sql STABLE
    AS $$
    with event as (
        select
            e.seq,
            e.verb,
            e.verb like '%\_TOKEN' as is_of_token,
            p.payload,
            '{"is_enabled": true}' || (p.payload - array['kind', 'is_login']) as rights
        from cmbs_store.identity_event as e
        cross join lateral (select cmbs_store.identity_payload(e.record) as payload) as p
        where e.tenant = p_tenant
    ),

    placed as (
        select
            e.seq,
            e.verb,
            e.payload,
            e.rights,
            lag(e.verb) over about as verb_before,
            lag(e.rights) over about as rights_before,
            lead(e.verb) over log as verb_after,
            lead(e.payload ->> 'token_id') over log as token_after
        from event as e
        window
            about as (
                partition by
                    e.is_of_token,
                    case when e.is_of_token then e.payload ->> 'token_id'
                        else e.payload ->> 'name' end
                order by e.seq
            ),
            log as (order by e.seq)
    ),

    made as (
        select
            p.payload ->> 'name' as name,
            min(p.seq) as seq
        from placed as p
        where p.verb = 'CREATE_PRINCIPAL'
        group by p.payload ->> 'name'
    )

    select p.seq
    from placed as p
    left join made as m on p.verb = 'CREATE_TOKEN' and m.name = p.payload ->> 'name'
    where case p.verb
        when 'CREATE_PRINCIPAL' then p.verb_before is not null
        when 'CHANGE_PRINCIPAL' then
            p.verb_before is null
            or p.rights = p.rights_before
            or not p.payload ?& array['name', 'roles', 'source_prefixes', 'is_enabled']
            or p.payload - array['name', 'roles', 'source_prefixes', 'is_enabled'] <> '{}'
        when 'CREATE_TOKEN' then
            p.verb_before is not null
            or coalesce(m.seq > p.seq, true)
            or p.payload ->> 'replaces' is not null
            and (p.verb_after, p.token_after)
                is distinct from ('REVOKE_TOKEN', p.payload ->> 'replaces')
        when 'REVOKE_TOKEN' then
            p.verb_before is distinct from 'CREATE_TOKEN' or p.payload - 'token_id' <> '{}'
        else true
    end
$$;

ALTER FUNCTION cmbs_store.identity_misplaced(p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.identity_misplaced(p_tenant text) IS 'Events of identities that no verb would have appended where they stand.';

CREATE FUNCTION cmbs_store.identity_payload(p_record text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_payload jsonb;
begin
    v_payload := p_record::jsonb -> 'payload';
    return case when jsonb_typeof(v_payload) = 'object' then v_payload end;
exception
    when data_exception or statement_too_complex then
        return null;
end
$$;

ALTER FUNCTION cmbs_store.identity_payload(p_record text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.identity_payload(p_record text) IS 'What an event of identities says, null if its record cannot be read.';

CREATE FUNCTION cmbs_store.timestamp_v1(p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN to_char(timezone('00:00:00'::interval, p_at), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'::text);

ALTER FUNCTION cmbs_store.timestamp_v1(p_at timestamp with time zone) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.timestamp_v1(p_at timestamp with time zone) IS 'A time as records hold it: UTC, microseconds.';

CREATE FUNCTION cmbs_store.identity_record_v1(p_tenant text, p_seq bigint, p_at timestamp with time zone, p_verb text, p_actor text, p_payload text, p_previous bytea) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN format('{"v": 1, "ts": "%s", "seq": %s, "verb": "%s", "actor": %s, "tenant": %s, "payload": %s, "prev_event_hash": "%s"}'::text, cmbs_store.timestamp_v1(p_at), p_seq, p_verb, to_json(p_actor), to_json(p_tenant), p_payload, encode(p_previous, 'hex'::text));

ALTER FUNCTION cmbs_store.identity_record_v1(p_tenant text, p_seq bigint, p_at timestamp with time zone, p_verb text, p_actor text, p_payload text, p_previous bytea) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.identity_record_v1(p_tenant text, p_seq bigint, p_at timestamp with time zone, p_verb text, p_actor text, p_payload text, p_previous bytea) IS 'The canonical text of one change of an identity.';

CREATE FUNCTION cmbs_store.identity_state_faults(p_tenant text) RETURNS SETOF bigint
    LANGUAGE sql STABLE
    AS $$
    with event as (
        select
            e.*,
            cmbs_store.identity_payload(e.record) as payload
        from cmbs_store.identity_event as e
        where e.tenant = p_tenant
    ),

    last_change as (
        select distinct on (e.payload ->> 'name')
            e.payload ->> 'name' as name,
            e.seq,
            e.payload
        from event as e
        where e.verb = 'CHANGE_PRINCIPAL'
        order by e.payload ->> 'name', e.seq desc
    ),

    told as (
        select
            c.payload ->> 'name' as name,
            coalesce(l.seq, c.seq) as seq,
            (c.payload || coalesce(l.payload, '{"is_enabled": true}'))
            || jsonb_build_object(
                'tenant', p_tenant, 'created_at', cmbs_store.timestamp_v1(c.recorded_at)
            ) as shown
        from event as c
        left join last_change as l on l.name = c.payload ->> 'name'
        where c.verb = 'CREATE_PRINCIPAL'
    ),

    token as (
        select
            c.payload ->> 'token_id' as token_id,
            coalesce(r.seq, c.seq) as seq,
            c.payload - 'replaces' || jsonb_build_object(
                'created_at', cmbs_store.timestamp_v1(c.recorded_at),
                'created_by', c.actor,
                'revoked_at', cmbs_store.timestamp_v1(r.recorded_at)
            ) as shown
        from event as c
        left join event as r
            on r.verb = 'REVOKE_TOKEN' and r.payload ->> 'token_id' = c.payload ->> 'token_id'
        where c.verb = 'CREATE_TOKEN'
    ),

    last_event as (select count(*) + 1 as seq from event)

    select coalesce(t.seq, n.seq)
    from last_event as n
    cross join (
        told as t
        full join (
            select p.name, cmbs_store.principal_json(p) as shown
            from cmbs_store.principal as p
            where p.tenant = p_tenant
        ) as s on s.name = t.name
    )
    where t.shown is distinct from s.shown
    union all
    select coalesce(t.seq, n.seq)
    from last_event as n
    cross join (
        token as t
        full join (
            select
                a.token_id::text as token_id,
                cmbs_store.token_json(a) - array['tenant', 'last_used_at'] || jsonb_build_object(
                    'credential_hash', encode(a.credential_hash, 'hex')
                ) as shown
            from cmbs_store.api_token as a
            where a.tenant = p_tenant
        ) as s on s.token_id = t.token_id
    )
    where t.shown is distinct from s.shown
$$;

ALTER FUNCTION cmbs_store.identity_state_faults(p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.identity_state_faults(p_tenant text) IS 'The events whose principal or token is not stored as they say.';

CREATE FUNCTION cmbs_store.ids_without(p_ids text[], p_without text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
    select array(
        select u.id collate "C" from unnest(p_ids) as u (id)
        except
        select w.id collate "C" from unnest(p_without) as w (id)
        order by 1
    )
$$;

ALTER FUNCTION cmbs_store.ids_without(p_ids text[], p_without text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.ids_without(p_ids text[], p_without text[]) IS 'The ids of one list that are not in another, sorted, each once.';

CREATE FUNCTION cmbs_store.import_gates(p_session cmbs_store.session, p_seqs bigint[]) RETURNS cmbs_store.session
    LANGUAGE plpgsql
    AS $$
declare
    v_event cmbs_store.audit_event;
    v_before cmbs_store.session;
    v_payload jsonb;
    v_step record;
    v_n integer := 1;
begin
    for v_event in
        select e.*
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id
            and e.seq > greatest(p_session.audit_seq, 1)
            and e.verb <> 'ELIMINATE'
        order by e.seq
    loop
        while p_seqs[v_n] < v_event.seq loop
            p_session.n_survivors := p_session.n_survivors - 1;
            v_n := v_n + 1;
        end loop;
        v_before := p_session;
        v_payload := v_event.record::jsonb -> 'payload';
        if cmbs_store.is_arbitration(v_event.verb)
            and (not v_before.is_terminated or v_event.verb = 'COMPLETE_EXECUTION')
            and cmbs_store.is_payload(v_event.verb, v_payload)
        then
            perform cmbs_store.project_event(
                p_session.session_id, v_event.seq, v_event.actor, v_event.verb, v_payload
            );
            continue;
        end if;
        p_session.audit_seq := v_event.seq;
        v_step := cmbs_store.replay_gate(p_session, v_event.verb, v_payload);
        if v_step.p_fault is not null
            or v_before.is_terminated
            or cmbs_store.is_payload(v_event.verb, v_payload) is not true
        then
            perform cmbs_store.refuse_import(
                p_session.session_id, v_event.seq,
                coalesce(v_step.p_fault, 'the session does not take it')
            );
        end if;
        p_session := v_step.p_state;
        if v_event.verb = 'ENTER_OBLIGATION' then
            insert into cmbs_store.obligation (
                session_id, entered_seq, obligation_id, min_total_eliminations, survivors_at_entry
            )
            values (
                p_session.session_id, v_event.seq, p_session.obligation_id,
                p_session.obligation_minimum, p_session.obligation_survivors
            );
        elsif v_event.verb = 'DECLARE_CONCLUSION' then
            insert into cmbs_store.conclusion (session_id, seq, conclusion_id, is_accepted)
            values (
                p_session.session_id, v_event.seq, v_payload ->> 'conclusion_id',
                (v_payload -> 'accepted')::boolean
            );
        elsif v_before.obligation_seq is not null and p_session.obligation_seq is null then
            insert into cmbs_store.obligation_end (
                session_id, entered_seq, ended_seq, outcome, survivors_at_end
            )
            values (
                p_session.session_id, v_before.obligation_seq, v_event.seq,
                case v_event.verb when 'WAIVE_OBLIGATION' then 'waived' else 'exited' end,
                p_session.n_survivors
            );
        end if;
    end loop;
    return p_session;
end
$$;

ALTER FUNCTION cmbs_store.import_gates(p_session cmbs_store.session, p_seqs bigint[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.import_gates(p_session cmbs_store.session, p_seqs bigint[]) IS 'Take the decisions of imported gate events again. Raises MB201.';

CREATE FUNCTION cmbs_store.import_log(p_session cmbs_store.session, p_records text) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_seq bigint;
    v_events bigint;
    v_bad_seq bigint;
begin
    insert into cmbs_store.audit_event (
        session_id, seq, recorded_at, event_id, event_hash, verb, actor,
        source_id, observation_id, request_id, record
    )
    select
        (p.parsed ->> 'session_id')::uuid,
        (p.parsed ->> 'seq')::bigint,
        (p.parsed ->> 'ts')::timestamptz,
        (p.parsed ->> 'event_id')::uuid,
        cmbs_store.event_hash_v1(l.record),
        p.parsed ->> 'verb',
        p.parsed ->> 'actor',
        p.parsed -> 'payload' ->> 'source_id',
        p.parsed -> 'payload' ->> 'observation_id',
        p.parsed -> 'payload' ->> 'request_id',
        l.record
    from string_to_table(p_records, e'\n') as l (record)
    -- Each record is parsed once, not once for each column.
    cross join lateral (select l.record::jsonb as parsed offset 0) as p
    -- What lacks one of these is missed below.
    where num_nulls(
        p.parsed ->> 'session_id', p.parsed ->> 'seq', p.parsed ->> 'ts',
        p.parsed ->> 'event_id', p.parsed ->> 'verb', p.parsed ->> 'actor'
    ) = 0
    on conflict do nothing;

    select max(c.seq), count(*), min(c.seq) filter (where c.is_bad)
    into v_seq, v_events, v_bad_seq
    from (
        select
            e.seq,
            e.seq <> p_session.audit_seq + row_number() over log
            or e.recorded_at < coalesce(lag(e.recorded_at) over log, p_session.audit_head_at)
            or cmbs_store.event_seq(e.event_id) <> e.seq
            or cmbs_store.prev_event_hash(e.record) <> encode(
                coalesce(lag(e.event_hash) over log, p_session.audit_head_hash), 'hex'
            ) as is_bad
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.seq > p_session.audit_seq
        window log as (order by e.seq)
    ) as c;
    -- One that was not inserted was here before, or belongs to another session.
    if v_bad_seq is not null
        or v_events <> (
            select count(*) from string_to_table(p_records, e'\n')
        )
    then
        perform cmbs_store.refuse_import(
            p_session.session_id, coalesce(v_bad_seq, v_seq + 1, p_session.audit_seq + 1),
            'it does not follow the event before it'
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.import_log(p_session cmbs_store.session, p_records text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.import_log(p_session cmbs_store.session, p_records text) IS 'Append records to a log as they are. Raises MB201.';

CREATE FUNCTION cmbs_store.import_session(p_session_id uuid, p_tenant text, p_records text, p_policy_as_sent text) RETURNS cmbs_store.session
    LANGUAGE plpgsql
    AS $$
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
        v_universe.n_hypotheses, v_policy, p_policy_as_sent, (v_first ->> 'ts')::timestamptz
    );
    if v_session.session_id is null then
        raise exception using
            errcode = 'MB102',
            message = 'A session with this id is here already.',
            detail = json_build_object('session_id', p_session_id)::text,
            hint = 'Compare the heads of both logs.';
    end if;
    perform cmbs_store.project_event(
        p_session_id, 1, v_first ->> 'actor', 'DECLARE_SESSION', v_payload
    );
    return v_session;
end
$$;

ALTER FUNCTION cmbs_store.import_session(p_session_id uuid, p_tenant text, p_records text, p_policy_as_sent text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.import_session(p_session_id uuid, p_tenant text, p_records text, p_policy_as_sent text) IS 'The session that records are for, new or locked. Raises MB001, MB102, MB201.';

CREATE FUNCTION cmbs_store.import_tombstones(INOUT p_session cmbs_store.session, OUT p_seqs bigint[]) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
    v_eliminated record;
    v_cleared record;
    v_applied text[];
begin
    select
        array_agg(m.hypothesis_id order by m.hypothesis_rank) as ids,
        array_agg(m.hypothesis_rank order by m.hypothesis_rank) as ranks,
        array_agg(d.seq order by m.hypothesis_rank) as seqs,
        count(*) as n_eliminated,
        min(d.seq) filter (where m.hypothesis_rank is null) as unknown_seq
    into v_eliminated
    from (
        select
            e.seq,
            jsonb_array_elements_text(e.record::jsonb -> 'delta' -> 'eliminated') as hypothesis_id
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id
            and e.seq > p_session.audit_seq
            and e.verb = 'ELIMINATE'
            -- No string can hold these quotes unescaped, so the first place is that of the delta.
            and substr(e.record, strpos(e.record, '"delta": {"eliminated": [') + 25, 1) <> ']'
    ) as d
    left join cmbs_store.universe_member as m
        on m.universe_digest = p_session.universe_digest
        and m.hypothesis_id = d.hypothesis_id collate "C";
    if v_eliminated.n_eliminated = 0 then
        return;
    end if;
    if p_session.mask is null then
        v_applied := cmbs_store.clear_chunks(
            p_session.session_id, v_eliminated.ids, v_eliminated.ranks
        );
    else
        v_cleared := cmbs_store.clear_bits(
            p_session.mask, v_eliminated.ids, v_eliminated.ranks
        );
        v_applied := v_cleared.p_cleared_ids;
        p_session.mask := v_cleared.p_cleared_mask;
    end if;
    if cardinality(v_applied) <> v_eliminated.n_eliminated then
        perform cmbs_store.refuse_import(
            p_session.session_id,
            coalesce(v_eliminated.unknown_seq, p_session.audit_seq + 1),
            'it or an event after it eliminates what does not survive'
        );
    end if;
    insert into cmbs_store.tombstone (session_id, seq, hypothesis_id)
    select p_session.session_id, t.seq, t.hypothesis_id
    from unnest(v_eliminated.ids, v_eliminated.seqs) as t (hypothesis_id, seq);
    p_session.n_survivors := p_session.n_survivors - cardinality(v_applied);
    p_session.survivors_hash := cmbs_store.survivors_hash(p_session);
    p_seqs := array(select s.seq from unnest(v_eliminated.seqs) as s (seq) order by 1);
end
$$;

ALTER FUNCTION cmbs_store.import_tombstones(INOUT p_session cmbs_store.session, OUT p_seqs bigint[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.import_tombstones(INOUT p_session cmbs_store.session, OUT p_seqs bigint[]) IS 'Eliminate what the events after the head of a session have eliminated. Raises MB201.';

CREATE FUNCTION cmbs_store.inbox_cursor(p_cursor text, OUT p_due_at timestamp with time zone, OUT p_session_id uuid, OUT p_item_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $_$
begin
    if p_cursor !~ (
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}[.][0-9]{6}Z'
        '_[0-9a-f-]{36}_[0-9a-f-]{36}$'
    ) then
        perform cmbs_store.refuse_request('cursor', 'must be a next_cursor of an earlier answer');
    end if;
    p_due_at := replace(split_part(p_cursor, '_', 1), 'Z', '+00')::timestamptz;
    p_session_id := split_part(p_cursor, '_', 2)::uuid;
    p_item_id := split_part(p_cursor, '_', 3)::uuid;
end
$_$;

ALTER FUNCTION cmbs_store.inbox_cursor(p_cursor text, OUT p_due_at timestamp with time zone, OUT p_session_id uuid, OUT p_item_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.inbox_cursor(p_cursor text, OUT p_due_at timestamp with time zone, OUT p_session_id uuid, OUT p_item_id uuid) IS 'Where a page of the inbox begins. Raises MB201.';

CREATE FUNCTION cmbs_store.independent_survivors(p_session cmbs_store.session, p_actor text) RETURNS bigint
    LANGUAGE sql STABLE
    AS $$
    with counted as (
        select coalesce(max(c.counted_seq), 0) as seq
        from cmbs_store.elimination_count as c
        where c.session_id = p_session.session_id
    ),

    recent as (
        select a.hypothesis_id, bool_and(a.actor = p_actor) as is_own
        from counted as c
        cross join lateral
            cmbs_store.asked_eliminations(p_session, c.seq, p_session.audit_seq) as a
        where c.seq < p_session.audit_seq
        group by a.hypothesis_id
    )

    select p_session.n_survivors
        + (
            select count(*)
            from cmbs_store.elimination_claimant as e
            where e.session_id = p_session.session_id
                and e.actor = p_actor
                and e.seq <= p_session.audit_seq
                and coalesce(e.other_seq > p_session.audit_seq, true)
                and not exists (
                    select
                    from recent as r
                    where r.hypothesis_id = e.hypothesis_id and not r.is_own
                )
        )
        + (
            select count(*)
            from recent as r
            where r.is_own and not exists (
                select
                from cmbs_store.elimination_claimant as e
                where e.session_id = p_session.session_id
                    and e.hypothesis_id = r.hypothesis_id
                    and e.seq <= p_session.audit_seq
            )
        )
$$;

ALTER FUNCTION cmbs_store.independent_survivors(p_session cmbs_store.session, p_actor text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.independent_survivors(p_session cmbs_store.session, p_actor text) IS 'How many hypotheses survive without the eliminations that only p_actor asked for.';

CREATE FUNCTION cmbs_store.insert_events(p_events cmbs_store.audit_event[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    insert into cmbs_store.audit_event (
        session_id, seq, recorded_at, event_id, event_hash, verb, actor,
        source_id, observation_id, request_id, record
    )
    select
        e.session_id,
        e.seq,
        e.recorded_at,
        e.event_id,
        e.event_hash,
        e.verb,
        e.actor,
        e.source_id,
        e.observation_id,
        e.request_id,
        e.record
    from unnest(p_events) as e;
end
$$;

ALTER FUNCTION cmbs_store.insert_events(p_events cmbs_store.audit_event[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.insert_events(p_events cmbs_store.audit_event[]) IS 'Write events of a batch to the log.';

CREATE FUNCTION cmbs_store.interrupt_json(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE
    AS $_$
    select json_build_object(
        'interrupt_id', p_interrupt.interrupt_id,
        'session_id', p_interrupt.session_id,
        'proposal_id', e.event_id,
        'item_no', p_interrupt.item_no,
        'status', cmbs_store.interrupt_state(p_session, p_interrupt, p_at),
        'question', left(format(
            '%s asks for %s: %s', e.actor,
            coalesce('a call of ' || (o.item ->> 'tool_id'), 'a change of the state'),
            coalesce(
                (
                    select string_agg(r ->> 'detail', '; ')
                    from jsonb_path_query(
                        o.verdict, '$.reasons[*] ? (@.disposition == "ask")'
                    ) as r
                ),
                o.verdict ->> 'reason_code'
            )
        ), 1000),
        'action', o.item,
        'action_digest', encode(p_interrupt.action_digest, 'hex'),
        'constraint_keys', p_interrupt.constraint_keys,
        'asked_by', e.actor,
        'asked_at', cmbs_store.timestamp_v1(e.recorded_at),
        'expires_at', cmbs_store.timestamp_v1(p_interrupt.expires_at),
        'policy', e.payload -> 'policy',
        'provenance', e.payload -> 'proposal' -> 'provenance',
        'resolution', cmbs_store.resolution_json(p_interrupt),
        'consumed_by', (
            select x.event_id
            from cmbs_store.interrupt_use as u
            inner join cmbs_store.audit_event as x
                on x.session_id = u.session_id and x.seq = u.seq
            where u.session_id = p_interrupt.session_id
                and u.interrupt_id = p_interrupt.interrupt_id
        )
    )
    from (
        select a.event_id, a.actor, a.recorded_at, a.record::jsonb -> 'payload' as payload
        from cmbs_store.audit_event as a
        where a.session_id = p_interrupt.session_id and a.seq = p_interrupt.seq
        offset 0
    ) as e
    cross join lateral (
        select
            e.payload #> array['proposal', 'items', (p_interrupt.item_no - 1)::text] as item,
            e.payload #> array['items', (p_interrupt.item_no - 1)::text] as verdict
    ) as o
$_$;

ALTER FUNCTION cmbs_store.interrupt_json(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.interrupt_json(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) IS 'A question as it is shown: what exactly it is about, and what has become of it.';

CREATE FUNCTION cmbs_store.interrupt_of(p_session cmbs_store.session, p_interrupt_id uuid) RETURNS cmbs_store.interrupt
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_interrupt cmbs_store.interrupt;
begin
    select i.*
    into v_interrupt
    from cmbs_store.interrupt as i
    where i.session_id = p_session.session_id
        and i.interrupt_id = p_interrupt_id
        and i.seq <= p_session.audit_seq;
    if not found then
        perform cmbs_store.refuse_lookup(
            'interrupt', json_build_object('interrupt_id', p_interrupt_id)
        );
    end if;
    return v_interrupt;
end
$$;

ALTER FUNCTION cmbs_store.interrupt_of(p_session cmbs_store.session, p_interrupt_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.interrupt_of(p_session cmbs_store.session, p_interrupt_id uuid) IS 'A question of a session by its id, as of an event.';

CREATE FUNCTION cmbs_store.interrupt_state(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select case
        when exists (
            select
            from cmbs_store.interrupt_use as u
            where u.session_id = p_session.session_id
                and u.interrupt_id = p_interrupt.interrupt_id
                and u.seq <= p_session.audit_seq
        ) then 'consumed'
        when r.resolution = 'decline' then 'declined'
        when r.resolution = 'cancel' then 'cancelled'
        when p_session.is_terminated then 'ended'
        when cmbs_store.is_superseded(p_session, p_interrupt) then 'superseded'
        when p_at >= p_interrupt.expires_at then 'expired'
        when r.resolution = 'approve' then 'approved'
        else 'pending'
    end
    from (select) as o
    left join cmbs_store.interrupt_resolution as r
        on r.session_id = p_session.session_id
            and r.interrupt_id = p_interrupt.interrupt_id
            and r.seq <= p_session.audit_seq
$$;

ALTER FUNCTION cmbs_store.interrupt_state(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.interrupt_state(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) IS 'What has become of a question.';

CREATE FUNCTION cmbs_store.invariant_reasons(p_entries cmbs_store.policy_entry[], p_world jsonb, p_schemas jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_entry cmbs_store.policy_entry;
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_holds boolean;
begin
    foreach v_entry in array p_entries loop
        continue when v_entry.subject <> '!';
        if v_entry.fault is not null or not p_schemas ?& v_entry.schemas then
            v_reasons := v_reasons || (
                null, 'invariants', 'INVARIANT_VIOLATED', v_entry.key, 'block',
                left(coalesce(v_entry.fault, 'a schema that it names is not there'), 300)
            )::cmbs_store.reason;
            continue;
        end if;
        v_holds := v_entry.condition is null
            or cmbs_store.holds(v_entry.condition, p_world, p_schemas);
        if v_holds is distinct from (v_entry.effect = 'allow') then
            v_reasons := v_reasons || (
                null, 'invariants', 'INVARIANT_VIOLATED', v_entry.key, 'block',
                left(concat_ws(': ', v_entry.reason, case
                    when v_entry.condition is null then 'it denies always'
                    else (cmbs_store.nearest(
                        v_entry.condition, p_world, p_schemas, v_entry.effect = 'allow'
                    )).p_detail
                end), 600)
            )::cmbs_store.reason;
        end if;
    end loop;
    return v_reasons;
end
$$;

ALTER FUNCTION cmbs_store.invariant_reasons(p_entries cmbs_store.policy_entry[], p_world jsonb, p_schemas jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.invariant_reasons(p_entries cmbs_store.policy_entry[], p_world jsonb, p_schemas jsonb) IS 'The stage of invariants: each must hold once the deltas are committed.';

CREATE FUNCTION cmbs_store.is_arbitration(p_verb text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select p_verb in (
        'PROPOSE', 'POLICY_APPLY', 'TOKEN_ISSUE', 'TOKEN_REVOKE', 'RECORD_CLAIM', 'CONFIRM_CLAIM',
        'BEGIN_EXECUTION', 'COMPLETE_EXECUTION', 'RESOLVE_INTERRUPT', 'SET_MODE', 'SWEEP_EXPIRED'
    )
$$;

ALTER FUNCTION cmbs_store.is_arbitration(p_verb text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_arbitration(p_verb text) IS 'Whether a verb is one of arbitration, which does not touch belief.';

CREATE FUNCTION cmbs_store.is_arbitration_payload(p_verb text, p_shape jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    -- What may be left out, and what may be null.
    v_free text[] := array[
        'request_id', 'token_id', 'halt', 'parent_id', 'promotes', 'expires_at'
    ];
    v_decided jsonb := '{
        "roles": "array", "decided_at": "string", "policy": "object", "tools": "object",
        "schemas": "object", "reads": "object", "decision": "string", "disposition": "string",
        "reason_code": "string", "reasons": "array"
    }'::jsonb;
begin
    if p_shape ->> 'request_id' <> 'string' or p_shape ->> 'token_id' <> 'string'
        or p_shape ->> 'halt' <> 'string' or p_shape ->> 'parent_id' not in ('string', 'null')
        or p_shape ->> 'promotes' not in ('string', 'null')
        or p_shape ->> 'expires_at' not in ('string', 'null')
    then
        return false;
    elsif cmbs_store.is_execution(p_verb) then
        return cmbs_store.is_execution_payload(p_verb, p_shape - 'request_id');
    end if;
    return case p_verb
        when 'PROPOSE' then not p_shape ?| '{parent_id, promotes, expires_at}'
            and (p_shape ? 'resumes' or not p_shape ? 'request_id')
            and cmbs_store.is_second_version(p_shape)
            and p_shape - v_free - '{v, resumes, retries, deferral, shadow}'::text[] = v_decided
            || '{"proposal": "object", "is_token_shown": "boolean", "items": "array"}'
        when 'RECORD_CLAIM' then not p_shape ?| '{token_id, parent_id}'
            and p_shape ?& '{promotes, expires_at}'
            and p_shape - v_free = v_decided || '{
                "claim": "object", "claim_id": "string", "kind": "string", "confirmed": "boolean"
            }'
        when 'TOKEN_ISSUE' then not p_shape ?| '{halt, promotes}'
            and p_shape ?& '{token_id, parent_id, expires_at}'
            and p_shape - v_free = '{
                "holder": "string", "tools": "array", "capabilities": "array",
                "state_prefixes": "array", "resource_roots": "array", "budgets": "object",
                "approval": "string", "valid_from": "string", "secret_hash": "string",
                "decided_at": "string"
            }'
        when 'TOKEN_REVOKE' then p_shape - 'request_id' = '{"token_id": "string"}'
        when 'CONFIRM_CLAIM' then p_shape - 'request_id'
            = '{"key": "string", "value_digest": "string", "comment": "string"}'
        when 'POLICY_APPLY' then coalesce(p_shape ->> 'shadow', 'object') = 'object'
            and p_shape - '{request_id, shadow}'::text[] = '{
                "pack": "string", "version": "number", "policy_hash": "string",
                "approved": "boolean", "reason": "string", "reasons": "array", "reads": "object",
                "tools": "object", "schemas": "object"
            }'
    end;
end
$$;

ALTER FUNCTION cmbs_store.is_arbitration_payload(p_verb text, p_shape jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_arbitration_payload(p_verb text, p_shape jsonb) IS 'Whether a payload of this shape is one that a verb of arbitration records.';

CREATE FUNCTION cmbs_store.is_confirmed(p_session cmbs_store.session, p_claim jsonb, p_settings jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select cmbs_store.cites_confirmation(p_session, p_claim) or coalesce(
        p_claim -> 'source_chunk_ids' <> '[]'
        and p_claim ->> 'conflict_state' = 'none'
        and p_settings ? 'policy.claims'
        and (p_claim ->> 'confidence')::numeric >= coalesce(
            (p_settings -> 'policy.claims' ->> 'threshold')::numeric, 0.80
        ),
        false
    )
$$;

ALTER FUNCTION cmbs_store.is_confirmed(p_session cmbs_store.session, p_claim jsonb, p_settings jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_confirmed(p_session cmbs_store.session, p_claim jsonb, p_settings jsonb) IS 'Whether a claim is confirmed: by an approver, or by sources and confidence.';

CREATE FUNCTION cmbs_store.is_deferred(p_given jsonb, p_verdict jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $_$
    select not jsonb_path_exists(p_verdict, '$.reasons[*] ? (@.stage == "session")')
        and case
            when p_given -> 'proposal' -> 'atomic' = 'true'
                then p_verdict ->> 'disposition' = 'defer'
            else jsonb_path_exists(p_verdict, '$.items[*] ? (@.disposition == "defer")')
        end
$_$;

ALTER FUNCTION cmbs_store.is_deferred(p_given jsonb, p_verdict jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_deferred(p_given jsonb, p_verdict jsonb) IS 'Whether a proposal, or an item that stands by itself, waits for something.';

CREATE FUNCTION cmbs_store.is_due(p_deferral cmbs_store.deferral, p_seq bigint, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select p_deferral.next_at is not null and (
        coalesce(p_deferral.next_at <= p_at, false) or exists (
            select
            from unnest(p_deferral.keys) as k (key)
            inner join cmbs_store.state_value as v
                on v.session_id = p_deferral.session_id
                    and v.key = k.key
                    and v.seq > p_deferral.seq
                    and v.seq <= p_seq
        )
    )
$$;

ALTER FUNCTION cmbs_store.is_due(p_deferral cmbs_store.deferral, p_seq bigint, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_due(p_deferral cmbs_store.deferral, p_seq bigint, p_at timestamp with time zone) IS 'Whether a deferred proposal is to be tried again.';

CREATE FUNCTION cmbs_store.is_execution(p_verb text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select p_verb in (
        'BEGIN_EXECUTION', 'COMPLETE_EXECUTION', 'RESOLVE_INTERRUPT', 'SET_MODE', 'SWEEP_EXPIRED'
    )
$$;

ALTER FUNCTION cmbs_store.is_execution(p_verb text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_execution(p_verb text) IS 'Whether a verb is one of execution, approval or upkeep.';

CREATE FUNCTION cmbs_store.is_execution_payload(p_verb text, p_shape jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select case p_verb
        when 'BEGIN_EXECUTION' then p_shape in (
            '{"permit_id": "string", "roles": "array", "decided_at": "string"}',
            '{
                "permit_id": "string", "roles": "array", "decided_at": "string",
                "policy_hash": "string", "tools": "object", "schemas": "object", "reads": "object"
            }'
        )
        when 'COMPLETE_EXECUTION' then p_shape = '{
            "permit_id": "string", "outcome": "string", "status": "string", "result": "object",
            "result_hash": "string", "usage": "object"
        }'
        when 'RESOLVE_INTERRUPT' then p_shape = '{
            "interrupt_id": "string", "resolution": "string", "comment": "string",
            "action_digest": "string", "decided_at": "string"
        }'
        when 'SET_MODE' then p_shape = '{"mode": "string", "reason": "string"}'
        when 'SWEEP_EXPIRED' then p_shape = '{"decided_at": "string", "permits": "array"}'
    end
$$;

ALTER FUNCTION cmbs_store.is_execution_payload(p_verb text, p_shape jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_execution_payload(p_verb text, p_shape jsonb) IS 'Whether a payload of this shape is one of execution, approval or upkeep.';

CREATE FUNCTION cmbs_store.is_free_object(p_object jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    v_text text;
begin
    if p_object = '{}' then
        return true;
    end if;
    v_text := p_object::text;
    return octet_length(v_text) <= 1048576
        and not jsonb_path_exists(
            p_object, 'strict $.**{128} ? (@.type() == "object" || @.type() == "array")'
        )
        and not (
            position('"$redactable": ' in v_text) > 0
            and jsonb_path_exists(p_object, 'lax $.**."$redactable"')
        )
        -- A text without a run of digits holds no such number; 255 is the most that can be asked.
        and (
            v_text !~ '[0-9]{250}'
            or not exists (
                select
                from jsonb_array_elements(
                    jsonb_path_query_array(p_object, 'strict $.** ? (@.type() == "number")')
                ) as v (value)
                where abs(v.value::numeric) >= 1e1000 or scale(v.value::numeric) > 1000
            )
        );
end
$_$;

ALTER FUNCTION cmbs_store.is_free_object(p_object jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_free_object(p_object jsonb) IS 'Whether a recorded free object is within the limits of the verbs.';

CREATE FUNCTION cmbs_store.is_id(p_id text, p_max_bytes integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$ select p_id is not null and octet_length(p_id) between 1 and p_max_bytes $$;

ALTER FUNCTION cmbs_store.is_id(p_id text, p_max_bytes integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_id(p_id text, p_max_bytes integer) IS 'Whether a text can be an id: 1 to p_max_bytes bytes.';

CREATE FUNCTION cmbs_store.is_in_roots(p_resource text, p_roots text[], p_is_path boolean DEFAULT false) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    v_url text[] := regexp_match(
        p_resource, '^([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)'
    );
    v_is_file boolean := coalesce(lower(v_url[1]) = 'file', false);
    v_path text := p_resource;
    v_host text := lower(coalesce(v_url[2], p_resource));
begin
    if p_resource ~ '[[:cntrl:][:space:]%]' or position(chr(92) in p_resource) > 0 then
        return false;
    elsif v_is_file then
        if v_host not in ('', 'localhost') then
            return false;
        end if;
        v_path := v_url[3];
    end if;
    if v_is_file or v_url is null and (p_is_path or left(v_path, 1) = '/') then
        return left(v_path, 1) = '/'
            and position(':' in v_path) = 0
            and v_path !~ '(^|/)[.]{1,2}(/|$)|//'
            and exists (
                select
                from unnest(p_roots) as r (root)
                where left(r.root, 1) = '/'
                    and (v_path = r.root or starts_with(v_path, rtrim(r.root, '/') || '/'))
            );
    end if;
    if v_url is null and v_host ~ '[/~?#@]' then
        return false;
    end if;
    return v_host = any(p_roots) or regexp_replace(v_host, ':[0-9]+$', '') = any(p_roots);
end
$_$;

ALTER FUNCTION cmbs_store.is_in_roots(p_resource text, p_roots text[], p_is_path boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_in_roots(p_resource text, p_roots text[], p_is_path boolean) IS 'Whether a path or host lies inside of one of the roots.';

CREATE FUNCTION cmbs_store.is_left_out(p_source_id text, p_observation_id text, p_without_source text, p_without_observation text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select coalesce(
        p_source_id = coalesce(p_without_source, p_source_id)
        and p_observation_id = coalesce(p_without_observation, p_observation_id),
        false
    )
$$;

ALTER FUNCTION cmbs_store.is_left_out(p_source_id text, p_observation_id text, p_without_source text, p_without_observation text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_left_out(p_source_id text, p_observation_id text, p_without_source text, p_without_observation text) IS 'Whether a message is among those that are thought away.';

CREATE TABLE cmbs_store.claim (
    session_id uuid NOT NULL,
    claim_id uuid NOT NULL,
    seq bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    value jsonb NOT NULL,
    confidence numeric(6,5) NOT NULL,
    source_chunk_ids text[] NOT NULL COLLATE pg_catalog."C",
    confirmed_by_event_id uuid,
    is_confirmed boolean NOT NULL,
    conflict_state text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone,
    review_at timestamp with time zone,
    promotes uuid
);

ALTER TABLE cmbs_store.claim OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.claim IS 'session: what was claimed, on which evidence, and whether that confirms it.';

CREATE FUNCTION cmbs_store.is_live(p_claim cmbs_store.claim, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select coalesce(p_at < p_claim.expires_at, true)
        and (p_claim.is_confirmed or coalesce(p_at < p_claim.review_at, true))
$$;

ALTER FUNCTION cmbs_store.is_live(p_claim cmbs_store.claim, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_live(p_claim cmbs_store.claim, p_at timestamp with time zone) IS 'Whether a claim still counts at a time.';

CREATE FUNCTION cmbs_store.is_mask(p_session cmbs_store.session, p_mask bytea) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_session.n_hypotheses <= 8192 then
        return p_session.mask is not distinct from p_mask and not exists (
            select from cmbs_store.session_mask as k where k.session_id = p_session.session_id
        );
    end if;
    return p_session.mask is null and not exists (
        select
        from (
            select k.chunk_no, k.chunk
            from cmbs_store.session_mask as k
            where k.session_id = p_session.session_id
        ) as stored
        full join (
            select g.chunk_no, substr(p_mask, g.chunk_no * 1024 + 1, 1024) as chunk
            from generate_series(0, (p_session.n_hypotheses - 1) / 8192) as g (chunk_no)
        ) as wanted on wanted.chunk_no = stored.chunk_no
        where stored.chunk is distinct from wanted.chunk
    );
end
$$;

ALTER FUNCTION cmbs_store.is_mask(p_session cmbs_store.session, p_mask bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_mask(p_session cmbs_store.session, p_mask bytea) IS 'Whether the mask of a session is stored as it must be.';

CREATE FUNCTION cmbs_store.is_obligation_changed(p_session_id uuid, p_after bigint, p_until bigint) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select exists (
        select
        from cmbs_store.obligation as o
        where o.session_id = p_session_id and o.entered_seq > p_after and o.entered_seq <= p_until
    ) or exists (
        select
        from (
            select o.entered_seq
            from cmbs_store.obligation as o
            where o.session_id = p_session_id and o.entered_seq <= p_after
            order by o.entered_seq desc
            limit 1
        ) as l
        inner join cmbs_store.obligation_end as d
            on d.session_id = p_session_id
                and d.entered_seq = l.entered_seq
                and d.ended_seq > p_after
                and d.ended_seq <= p_until
    )
$$;

ALTER FUNCTION cmbs_store.is_obligation_changed(p_session_id uuid, p_after bigint, p_until bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_obligation_changed(p_session_id uuid, p_after bigint, p_until bigint) IS 'Whether an obligation was entered or left between two events.';

CREATE FUNCTION cmbs_store.is_of_this_transaction(p_xmin xid) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        pg_xact_status((
            s.xmax_no + (p_xmin::text::bigint - s.xmax_no + 2147483648 & 4294967295) - 2147483648
        )::text::xid8) = 'in progress',
        false
    )
    from (
        select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax_no
    ) as s
$$;

ALTER FUNCTION cmbs_store.is_of_this_transaction(p_xmin xid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_of_this_transaction(p_xmin xid) IS 'Whether a row was written by the transaction that asks.';

CREATE FUNCTION cmbs_store.is_path(p_path text) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $_$
    select p_path ~ '^(policy|goal|fact)(\.[a-z0-9_-]+)(\.[A-Za-z0-9_-]+)*$'
        and p_path !~ '^[a-z]+(\.[^.]+)+\.-[0-9]+(\.|$)'
        and octet_length(p_path) <= 400
$_$;

ALTER FUNCTION cmbs_store.is_path(p_path text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_path(p_path text) IS 'Whether a text is a path that a constraint may read.';

CREATE FUNCTION cmbs_store.is_payload(p_verb text, p_payload jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    v_shape jsonb;
begin
    -- Nearly every event is one of these, so they are asked by expressions and not by a query.
    if p_verb = 'ELIMINATE' then
        return jsonb_typeof(p_payload -> 'source_id') = 'string'
            and jsonb_typeof(p_payload -> 'observation_id') = 'string'
            and jsonb_typeof(p_payload -> 'justification') = 'object'
            and jsonb_typeof(p_payload -> 'eliminated') = 'array'
            and not jsonb_path_exists(
                p_payload, 'strict $.eliminated[*] ? (@.type() != "string")'
            )
            and p_payload - array['source_id', 'observation_id', 'justification', 'eliminated']
                = '{}';
    end if;
    v_shape := cmbs_store.shape(p_payload);
    if cmbs_store.is_arbitration(p_verb) then
        return cmbs_store.is_arbitration_payload(p_verb, v_shape);
    end if;
    if p_verb = 'DECLARE_SESSION' then
        return (v_shape || '{"metadata": "object"}') - 'arbitration' = '{
                "metadata": "object", "n_hypotheses": "number", "ontology": "object",
                "policy": "object", "universe_digest": "string"
            }'
            and coalesce(v_shape ->> 'metadata', 'object') = 'object'
            and (
                not v_shape ? 'arbitration' or cmbs_store.is_pin(p_payload -> 'arbitration')
            )
            and cmbs_store.shape(p_payload -> 'ontology') = '{
                "causal_graph_ref": "string", "causal_graph_version": "string",
                "hypothesis_space_id": "string", "hypothesis_version": "string"
            }'
            and cmbs_store.shape(p_payload -> 'policy') = '{
                "allow_forced_termination": "boolean", "stability_window": "number",
                "validate_hypotheses": "boolean"
            }';
    end if;
    return coalesce(v_shape ->> 'request_id', 'string') = 'string'
        and v_shape - 'request_id' = case p_verb
            when 'ENTER_OBLIGATION' then
                '{"min_total_eliminations": "number", "obligation_id": "string"}'
            when 'REQUEST_EXIT' then '{
                "approved": "boolean", "context": "object", "obligation_id": "string",
                "reason": "string"
            }'
            when 'WAIVE_OBLIGATION' then '{
                "approved": "boolean", "obligation_id": "string", "reason": "string",
                "waive_reason": "string"
            }'
            when 'DECLARE_CONCLUSION' then '{
                "accepted": "boolean", "conclusion_id": "string", "context": "object",
                "reason": "string"
            }'
            when 'REQUEST_TERMINATION' then
                '{"approved": "boolean", "context": "object", "reason": "string"}'
        end::jsonb;
end
$_$;

ALTER FUNCTION cmbs_store.is_payload(p_verb text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_payload(p_verb text, p_payload jsonb) IS 'Whether a payload has the members that its verb records.';

CREATE FUNCTION cmbs_store.is_pin(p_pin jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select cmbs_store.shape(p_pin - 'shadow') = v.shape and (
        not p_pin ? 'shadow' or cmbs_store.shape(p_pin -> 'shadow') = v.shape
    )
    from (
        values ('{"pack": "string", "policy_hash": "string", "version": "number"}'::jsonb)
    ) as v (shape)
$$;

ALTER FUNCTION cmbs_store.is_pin(p_pin jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_pin(p_pin jsonb) IS 'Whether something names a version of a policy pack with its hash.';

CREATE FUNCTION cmbs_store.is_plain_batch(p_session_id uuid, p_messages json, p_batch jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $_$
begin
    if p_session_id is null or jsonb_array_length(p_batch) not between 1 and 1000 then
        return false;
    end if;
    return (
        -- bool_and passes over nulls, and null is what a missing member gives
        select bool_and(
            (
                jsonb_typeof(m.message -> 'source_id') = 'string'
                and octet_length(m.message ->> 'source_id') between 1 and 512
                and jsonb_typeof(m.message -> 'observation_id') = 'string'
                and octet_length(m.message ->> 'observation_id') between 1 and 512
                and jsonb_array_length(m.message -> 'eliminated') <= 1000000
                and not jsonb_path_exists(
                    m.message, 'strict $.eliminated[*] ? (@.type() != "string" || @ == "")'
                )
                and (
                    -- an id is shorter than the text of all of them
                    octet_length((m.message -> 'eliminated')::text) <= 512
                    or not exists (
                        select
                        from jsonb_array_elements_text(m.message -> 'eliminated') as i (id)
                        where octet_length(i.id) > 512
                    )
                )
                and case coalesce(jsonb_typeof(m.message -> 'notes'), 'null')
                    when 'string' then octet_length(m.message ->> 'notes') <= 4096
                    when 'null' then true
                end
                and case coalesce(jsonb_typeof(m.message -> 'session_id'), 'null')
                    when 'string' then (m.message ->> 'session_id')::uuid = p_session_id
                    when 'null' then true
                end
                and case
                    when coalesce(m.message -> 'justification', 'null') in ('null', '{}') then true
                    else cmbs_store.free_object(
                        'justification', m.sent -> 'justification'
                    ) is not null
                end
                and m.message - array[
                    'source_id', 'observation_id', 'eliminated',
                    'justification', 'notes', 'session_id'
                ] = '{}'
                -- of six known keys, as many as there are: none is repeated
                and (select count(*) from json_object_keys(m.sent))
                = 3 + (m.message ? 'justification')::integer + (m.message ? 'notes')::integer
                + (m.message ? 'session_id')::integer
            ) is true
        )
        from rows from (
            json_array_elements(p_messages), jsonb_array_elements(p_batch)
        ) as m (sent, message)
    );
end
$_$;

ALTER FUNCTION cmbs_store.is_plain_batch(p_session_id uuid, p_messages json, p_batch jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_plain_batch(p_session_id uuid, p_messages json, p_batch jsonb) IS 'Whether one look shows that all messages of a batch are well-formed.';

CREATE FUNCTION cmbs_store.is_plain_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_notes text) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select
        p_session_id is not null
            and p_notes is null
            and coalesce(octet_length(p_source_id), 0) between 1 and 512
            and coalesce(octet_length(p_observation_id), 0) between 1 and 512
            and array_ndims(p_eliminated) = 1
            and array_position(p_eliminated, null) is null
            and array_position(p_eliminated, '') is null
            and octet_length(array_to_string(p_eliminated, '')) <= 512
$$;

ALTER FUNCTION cmbs_store.is_plain_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_notes text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_plain_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_notes text) IS 'Whether one look shows that an ELIMINATE message is well-formed.';

CREATE FUNCTION cmbs_store.is_policy_whole(p_policy_hash bytea) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select p_policy_hash = cmbs_store.digest_v1(cmbs_store.policy_entries(p_policy_hash)::text)
        and exists (
            select
            from cmbs_store.policy as p
            where p.policy_hash = p_policy_hash
                and p.n_entries = (
                    select count(*)
                    from cmbs_store.policy_entry as e
                    where e.policy_hash = p_policy_hash
                )
                and p.missing_constraints = cmbs_store.missing_constraints(
                    cmbs_store.policy_entries(p_policy_hash)
                )
                and p.settings::text = coalesce(
                    (
                        select jsonb_object_agg(e.key, cmbs_store.readable_value(e.value))
                        from cmbs_store.policy_entry as e
                        where e.policy_hash = p_policy_hash and e.key like 'policy.%'
                    ),
                    '{}'
                )::text
        )
        and not exists (
            select
            from cmbs_store.policy_entry as e
            where e.policy_hash = p_policy_hash
                and e::text <> cmbs_store.parsed_entry(e.policy_hash, e.key, e.value)::text
        )
$$;

ALTER FUNCTION cmbs_store.is_policy_whole(p_policy_hash bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_policy_whole(p_policy_hash bytea) IS 'Whether the stored content of a policy is that of its hash, and was read right.';

CREATE FUNCTION cmbs_store.is_same_action(p_payload jsonb, p_resumes jsonb, p_items jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    -- As text: numbers are equal whatever zeros they end in.
    select p_items::text in (
        (p_payload -> 'proposal' -> 'items')::text,
        (
            select jsonb_agg(p_payload #> array['proposal', 'items', (n.item_no - 1)::text])
            from (
                select i.item_no::integer as item_no
                from jsonb_array_elements_text(p_resumes -> 'item_nos') as i (item_no)
                order by 1
            ) as n
        )::text
    )
$$;

ALTER FUNCTION cmbs_store.is_same_action(p_payload jsonb, p_resumes jsonb, p_items jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_same_action(p_payload jsonb, p_resumes jsonb, p_items jsonb) IS 'Whether items are those of a proposal, all of them or those that go on.';

CREATE FUNCTION cmbs_store.is_second_version(p_shape jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_shape ? 'v' then p_shape ->> 'v' = 'number'
            and coalesce(p_shape ->> 'resumes', 'object') = 'object'
            and coalesce(p_shape ->> 'retries', 'object') = 'object'
            and coalesce(p_shape ->> 'deferral', 'object') = 'object'
            and coalesce(p_shape ->> 'shadow', 'object') = 'object'
        else not p_shape ?| '{resumes, retries, deferral, shadow}'
    end
$$;

ALTER FUNCTION cmbs_store.is_second_version(p_shape jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_second_version(p_shape jsonb) IS 'Whether what verdicts have since there are permits is of the right types.';

CREATE FUNCTION cmbs_store.is_superseded(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select exists (
        select
        from cmbs_store.policy_pin as p
        cross join unnest(p_interrupt.constraint_keys) as k (key)
        left join cmbs_store.policy_entry as n
            on n.policy_hash = p.policy_hash and n.key = k.key
        where p.session_id = p_session.session_id
            and p.seq > p_interrupt.seq
            and p.seq <= p_session.audit_seq
            and n.value_hash is distinct from (
                select o.value_hash
                from cmbs_store.policy_pin as f
                inner join cmbs_store.policy_entry as o
                    on o.policy_hash = f.policy_hash and o.key = k.key
                where f.session_id = p_session.session_id
                    and f.seq = (
                        select max(l.seq)
                        from cmbs_store.policy_pin as l
                        where l.session_id = p_session.session_id and l.seq < p_interrupt.seq
                    )
            )
    )
$$;

ALTER FUNCTION cmbs_store.is_superseded(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_superseded(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt) IS 'Whether a constraint that an approval would waive was changed since it was asked for.';

CREATE FUNCTION cmbs_store.is_unchanged(p_session cmbs_store.session, p_seq bigint) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select not exists (
        select
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id
            and e.seq > p_seq
            and e.seq <= p_session.audit_seq
            and e.verb not in (
                'PROPOSE', 'BEGIN_EXECUTION', 'COMPLETE_EXECUTION', 'RESOLVE_INTERRUPT',
                'TOKEN_ISSUE', 'TOKEN_REVOKE', 'RECORD_CLAIM', 'CONFIRM_CLAIM', 'SWEEP_EXPIRED'
            )
    ) and not exists (
        select
        from cmbs_store.state_delta as d
        where d.session_id = p_session.session_id
            and d.seq > p_seq
            and d.seq <= p_session.audit_seq
    )
$$;

ALTER FUNCTION cmbs_store.is_unchanged(p_session cmbs_store.session, p_seq bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_unchanged(p_session cmbs_store.session, p_seq bigint) IS 'Whether nothing happened after an event that a verdict on a call depends on.';

CREATE FUNCTION cmbs_store.is_universe(p_universe_digest bytea, p_n_hypotheses integer, p_known_universe bytea) RETURNS boolean
    LANGUAGE plpgsql STABLE
    AS $$
begin
    return exists (
        select
        from cmbs_store.universe as u
        where u.universe_digest = p_universe_digest and u.n_hypotheses = p_n_hypotheses
    )
    and (p_known_universe is not distinct from p_universe_digest or coalesce(
        (
            select count(*) = p_n_hypotheses and bool_and(m.hypothesis_rank = m.no - 1)
            from (
                select
                    u.hypothesis_rank,
                    row_number() over (order by u.hypothesis_id) as no
                from cmbs_store.universe_member as u
                where u.universe_digest = p_universe_digest
            ) as m
        ),
        false
    )
    and cmbs_store.universe_digest_v1(cmbs_store.universe_ids(p_universe_digest))
        = p_universe_digest);
end
$$;

ALTER FUNCTION cmbs_store.is_universe(p_universe_digest bytea, p_n_hypotheses integer, p_known_universe bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.is_universe(p_universe_digest bytea, p_n_hypotheses integer, p_known_universe bytea) IS 'Whether a universe is stored as its digest and size say.';

CREATE FUNCTION cmbs_store.issue_capability(p_session cmbs_store.session, p_caller cmbs_store.principal, p_parent cmbs_store.capability_token, p_grant jsonb, p_request_id text, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
    v_at timestamptz := greatest(cmbs_store.clock(), p_session.audit_head_at);
    v_secret text := 'cmbs_cap_' || encode(
        sha256(uuid_send(cmbs_store.random_id()) || uuid_send(cmbs_store.random_id())), 'hex'
    );
    v_fault text;
    v_payload jsonb;
begin
    if (p_grant ->> 'expires_at')::timestamptz <= greatest(
        v_at, (p_grant ->> 'valid_from')::timestamptz
    ) then
        perform cmbs_store.refuse_request('expires_at', 'must be later than now and valid_from');
    end if;
    if p_parent.token_id is not null then
        v_fault := cmbs_store.attenuation_fault(p_session, p_parent, p_grant, v_at);
    end if;
    if v_fault is not null then
        raise exception using
            errcode = 'MB102',
            message = 'A token may only be made narrower than the one that it is made from.',
            detail = json_build_object(
                'reason_code', 'ATTENUATION_WIDENS', 'wider_in', v_fault,
                'token_id', p_parent.token_id
            )::text,
            hint = 'Ask for less; list the tokens of the session to see what is left.';
    end if;
    v_payload := cmbs_store.with_request_id(p_grant, p_request_id) || jsonb_build_object(
        'token_id', cmbs_store.random_id(),
        'parent_id', p_parent.token_id,
        'decided_at', cmbs_store.timestamp_v1(v_at),
        'secret_hash', encode(sha256(convert_to(v_secret, 'UTF8')), 'hex')
    );
    p_session := cmbs_store.append_event(
        p_session, p_session.survivors_hash, 'TOKEN_ISSUE', p_caller.name,
        null, null, p_request_id, p_notes, v_payload::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session.session_id, p_session.audit_seq, p_caller.name, 'TOKEN_ISSUE', v_payload
    );
    return cmbs_store.response(
        format(
            '"token_id": %s, "secret": "%s", "audit_event_id": "%s", "duplicate": false',
            v_payload -> 'token_id', v_secret, p_session.audit_head_event_id
        ),
        p_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs_store.issue_capability(p_session cmbs_store.session, p_caller cmbs_store.principal, p_parent cmbs_store.capability_token, p_grant jsonb, p_request_id text, p_notes text, p_minimal boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.issue_capability(p_session cmbs_store.session, p_caller cmbs_store.principal, p_parent cmbs_store.capability_token, p_grant jsonb, p_request_id text, p_notes text, p_minimal boolean) IS 'Issue a capability token; the answer shows its secret this once.';

CREATE FUNCTION cmbs_store.item_reasons(p_items jsonb, p_given jsonb, p_token cmbs_store.capability_token, p_policy cmbs_store.policy, p_ground cmbs_store.ground) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_roles text[] := array(select jsonb_array_elements_text(p_given -> 'roles'));
    -- What goes on with a call had its key when it was called first.
    v_has_key boolean := p_given -> 'proposal' ? 'idempotency_key'
        or p_given ?| '{resumes, retries}';
    v_waived jsonb := cmbs_store.waived(p_given);
    v_item jsonb;
    v_tool_id text;
begin
    for v_no in 1 .. jsonb_array_length(p_items) loop
        v_item := p_items -> v_no - 1;
        v_tool_id := v_item ->> 'tool_id';
        v_reasons := v_reasons
            || cmbs_store.authority_reasons(v_no, v_item, v_roles)
            || cmbs_store.scope_reasons(
                p_token, v_no, v_item, p_ground.definitions -> v_tool_id,
                coalesce(v_waived -> v_no::text ? '!APPROVAL_REQUIRED', false)
            )
            || case v_item ->> 'kind'
                when 'tool_call' then cmbs_store.tool_reasons(
                    v_no, v_item, p_ground.tools -> v_tool_id,
                    p_ground.definitions -> v_tool_id, p_ground.documents, v_has_key
                )
                else cmbs_store.patch_reasons(v_no, coalesce(v_item -> 'patch', '{}'))
            end;
    end loop;
    return v_reasons || cmbs_store.constraints_against(
        p_policy, p_ground.entries, p_items, p_ground.definitions, p_ground.world,
        p_ground.documents, v_waived
    );
end
$$;

ALTER FUNCTION cmbs_store.item_reasons(p_items jsonb, p_given jsonb, p_token cmbs_store.capability_token, p_policy cmbs_store.policy, p_ground cmbs_store.ground) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.item_reasons(p_items jsonb, p_given jsonb, p_token cmbs_store.capability_token, p_policy cmbs_store.policy, p_ground cmbs_store.ground) IS 'What stands against each item of a proposal by itself.';

CREATE FUNCTION cmbs_store.keeps_limits(p_verb text, p_record jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    v_payload jsonb := p_record -> 'payload';
begin
    if octet_length(p_record ->> 'notes') > 4096
        or not cmbs_store.is_id(p_record ->> 'actor', 512)
    then
        return false;
    end if;
    if p_verb = 'ELIMINATE' then
        if not cmbs_store.is_id(v_payload ->> 'source_id', 512)
            or not cmbs_store.is_id(v_payload ->> 'observation_id', 512)
            or v_payload -> 'eliminated' ? ''
        then
            return false;
        end if;
        -- A list that is short holds no long id, and most are: no query for them.
        if octet_length(v_payload ->> 'eliminated') <= 512 then
            return true;
        end if;
        return not exists (
            select
            from jsonb_array_elements_text(v_payload -> 'eliminated') as e (id)
            where octet_length(e.id) > 512
        );
    end if;
    if p_verb = 'DECLARE_SESSION' then
        return v_payload -> 'policy' -> 'stability_window' between '0' and '1000'
            and not exists (
                select
                from jsonb_each_text(v_payload -> 'ontology') as m (key, value)
                where not cmbs_store.is_id(m.value, 2048)
            );
    end if;
    return coalesce(v_payload -> 'min_total_eliminations' >= '0', true)
        and not exists (
            select
            from jsonb_each_text(v_payload) as m (key, value)
            where m.key in ('obligation_id', 'conclusion_id', 'request_id')
                and not cmbs_store.is_id(m.value, 512)
                or m.key = 'waive_reason' and not cmbs_store.is_id(m.value, 4096)
        );
end
$$;

ALTER FUNCTION cmbs_store.keeps_limits(p_verb text, p_record jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.keeps_limits(p_verb text, p_record jsonb) IS 'Whether ids, notes and numbers of a record are within the limits of the verbs.';

CREATE FUNCTION cmbs_store.keys_around(p_session_id uuid, p_seq bigint, p_key text) RETURNS SETOF text
    LANGUAGE sql STABLE
    AS $$
    select l.key
    from (
        (
            select distinct on (v.key) v.key, v.value
            from cmbs_store.state_value as v
            where v.session_id = p_session_id
                and v.key > p_key || '.'
                and v.key < p_key || '/'
                and v.seq <= p_seq
            order by v.key, v.seq desc
        )
        union all
        select b.key, w.value
        from generate_series(2, cardinality(string_to_array(p_key, '.')) - 1) as n (n_segments)
        cross join lateral (
            select array_to_string((string_to_array(p_key, '.'))[1:n.n_segments], '.') collate "C"
        ) as b (key)
        cross join lateral (
            select v.value
            from cmbs_store.state_value as v
            where v.session_id = p_session_id and v.key = b.key and v.seq <= p_seq
            order by v.seq desc
            limit 1
        ) as w
    ) as l
    where l.value is not null
$$;

ALTER FUNCTION cmbs_store.keys_around(p_session_id uuid, p_seq bigint, p_key text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.keys_around(p_session_id uuid, p_seq bigint, p_key text) IS 'The keys of a state that begin with a key, or which it begins with.';

CREATE FUNCTION cmbs_store.keys_of_clause(p_op text, p_args jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
    select array(
        select array_to_string(s.segments[1:n.n], '.')
        from (
            select string_to_array(p.path, '.') as segments
            from unnest(array[
                case when p_op <> 'schema' then p_args ->> 0 end,
                case
                    when p_op = 'schema' and p_args ->> 1 ~ '^(policy|goal|fact)\.'
                        then p_args ->> 1
                    when p_op in ('eq', 'in') and jsonb_typeof(p_args -> 1) = 'object'
                        then p_args -> 1 ->> 'ref'
                end
            ]) as p (path)
            where p.path is not null
        ) as s
        cross join lateral generate_series(2, cardinality(s.segments)) as n (n)
    )
$$;

ALTER FUNCTION cmbs_store.keys_of_clause(p_op text, p_args jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.keys_of_clause(p_op text, p_args jsonb) IS 'The keys that a predicate may read.';

CREATE FUNCTION cmbs_store.limit_fault(p_value jsonb, p_member text, p_from bigint, p_to bigint) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
    select case
        when jsonb_typeof(p_value -> p_member) is distinct from 'number'
            or p_value ->> p_member !~ '^[0-9]{1,17}$'
            or (p_value ->> p_member)::bigint not between p_from and p_to
            then format('%s must be a whole number from %s to %s', p_member, p_from, p_to)
    end
$_$;

ALTER FUNCTION cmbs_store.limit_fault(p_value jsonb, p_member text, p_from bigint, p_to bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.limit_fault(p_value jsonb, p_member text, p_from bigint, p_to bigint) IS 'What is wrong with a member that must be a whole number within limits.';

CREATE FUNCTION cmbs_store.limit_reasons(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_settings jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_questions jsonb := cmbs_store.asked_items(p_given, p_verdict);
    v_max bigint := (p_settings -> 'policy.clarifications' ->> 'max_questions')::bigint;
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
begin
    if p_given ? 'retries' and cmbs_store.is_deferred(p_given, p_verdict)
        and (p_given -> 'retries' ->> 'attempt')::integer
        >= cmbs_store.max_attempts(p_settings)
    then
        v_reasons := array[(
            null, 'session', 'DEFER_EXHAUSTED', null, 'block',
            format('it was tried again %s times', p_given -> 'retries' ->> 'attempt')
        )::cmbs_store.reason];
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

ALTER FUNCTION cmbs_store.limit_reasons(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_settings jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.limit_reasons(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_settings jsonb) IS 'What ends deferring and asking: attempts and questions that are used up.';

CREATE FUNCTION cmbs_store.live_values(p_session_id uuid, p_seq bigint, p_from text, p_below text) RETURNS TABLE(key text, seq bigint, value text)
    LANGUAGE sql STABLE
    AS $$
    select l.key, l.seq, l.value
    from (
        select distinct on (v.key) v.key, v.seq, v.value
        from cmbs_store.state_value as v
        where v.session_id = p_session_id
            and v.key >= p_from
            and v.key < p_below
            and v.seq <= p_seq
        order by v.key, v.seq desc
    ) as l
    where l.value is not null
$$;

ALTER FUNCTION cmbs_store.live_values(p_session_id uuid, p_seq bigint, p_from text, p_below text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.live_values(p_session_id uuid, p_seq bigint, p_from text, p_below text) IS 'What a session has in a range of keys, as of an event.';

CREATE FUNCTION cmbs_store.lock_identities(p_tenant text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    if current_setting('transaction_isolation') <> 'read committed' then
        perform cmbs_store.refuse_caller(
            'identities are changed only where transactions are isolated as read committed'
        );
    end if;
    perform from cmbs_store.identity_head as h where h.tenant = p_tenant for no key update;
end
$$;

ALTER FUNCTION cmbs_store.lock_identities(p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.lock_identities(p_tenant text) IS 'Wait until nobody else changes the identities of a tenant. Raises MB302.';

CREATE FUNCTION cmbs_store.lock_session(p_session_id uuid, p_tenant text) RETURNS cmbs_store.session
    LANGUAGE plpgsql
    AS $$
declare
    v_session cmbs_store.session;
begin
    select s.*
    into v_session
    from cmbs_store.session as s
    where s.session_id = p_session_id and (s.tenant = p_tenant or p_tenant = '*')
    for no key update;
    if not found then
        perform cmbs_store.refuse_session(p_session_id);
    end if;
    return v_session;
end
$$;

ALTER FUNCTION cmbs_store.lock_session(p_session_id uuid, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.lock_session(p_session_id uuid, p_tenant text) IS 'The session row, locked. Raises MB001.';

CREATE FUNCTION cmbs_store.lock_token(p_caller cmbs_store.principal, p_token_id uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    perform cmbs_store.lock_identities((
        select t.tenant
        from cmbs_store.api_token as t
        where t.token_id = p_token_id and p_caller.tenant in ('*', t.tenant)
    ));
end
$$;

ALTER FUNCTION cmbs_store.lock_token(p_caller cmbs_store.principal, p_token_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.lock_token(p_caller cmbs_store.principal, p_token_id uuid) IS 'Wait until nobody else changes the tokens of a tenant. Raises MB302.';

CREATE FUNCTION cmbs_store.login_itself() RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_caller cmbs_store.principal;
begin
    v_caller.name := session_user;
    v_caller.tenant := 'default';
    if pg_has_role(session_user, 'cmbs_owner', 'member') then
        v_caller.tenant := '*';
        v_caller.roles := '{agent, encoder, tool, policy, approver, auditor, admin}';
    elsif pg_has_role(session_user, 'cmbs_server', 'member') then
        if exists (select from cmbs_store.principal) then
            perform cmbs_store.refuse_credential('missing');
        elsif current_setting('transaction_isolation') <> 'read committed' then
            perform cmbs_store.refuse_caller(
                'without a token a server is answered only in transactions that are isolated as '
                'read committed'
            );
        end if;
        v_caller.tenant := '*';
        v_caller.roles := '{agent, encoder, tool, auditor}';
        if session_user = 'cmbs_server' then
            v_caller.name := 'api';
            v_caller.roles := '{agent, encoder, tool, policy, approver, auditor}';
            return v_caller;
        end if;
    else
        v_caller.roles :=
            case when pg_has_role(session_user, 'cmbs_agent', 'member')
                then '{agent, encoder, tool}' else '{}' end::text[]
            || case when pg_has_role(session_user, 'cmbs_policy', 'member')
                then '{policy}' end::text[]
            || case when pg_has_role(session_user, 'cmbs_auditor', 'member')
                then '{auditor}' end::text[]
            || case when pg_has_role(session_user, 'cmbs_admin', 'member')
                then '{admin}' end::text[];
    end if;
    if session_user = 'api' then
        perform cmbs_store.refuse_caller('the name api is that of the server in the log');
    end if;
    return v_caller;
end
$$;

ALTER FUNCTION cmbs_store.login_itself() OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.login_itself() IS 'The principal that a login role is by itself. Raises MB301, MB302.';

CREATE FUNCTION cmbs_store.lower_mode(p_settings jsonb, p_mode text, p_effect_class text) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select b.mode
    from cmbs_store.modes() as m
    inner join cmbs_store.modes() as b on b.level > m.level
    where m.mode = p_mode
        and not cmbs_store.mode_setting(p_settings, b.mode) -> 'forbids' ? p_effect_class
    order by b.level
    limit 1
$$;

ALTER FUNCTION cmbs_store.lower_mode(p_settings jsonb, p_mode text, p_effect_class text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.lower_mode(p_settings jsonb, p_mode text, p_effect_class text) IS 'The next lower mode that does not forbid a class of effects; null if there is none.';

CREATE FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (NOT p_alive) THEN decode(repeat('00'::text, ((p_n_bits + 7) / 8)), 'hex'::text) WHEN ((p_n_bits % 8) = 0) THEN decode(repeat('ff'::text, (p_n_bits / 8)), 'hex'::text) ELSE decode((repeat('ff'::text, (p_n_bits / 8)) || lpad(to_hex(((1 << (p_n_bits % 8)) - 1)), 2, '0'::text)), 'hex'::text) END;

ALTER FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) IS 'A mask of n bits, all set or all clear.';

CREATE FUNCTION cmbs_store.max_attempts(p_settings jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
    select coalesce((p_settings -> 'policy.deferrals' ->> 'max_attempts')::integer, 5)
$$;

ALTER FUNCTION cmbs_store.max_attempts(p_settings jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.max_attempts(p_settings jsonb) IS 'How often a deferred proposal is tried again.';

CREATE FUNCTION cmbs_store.merged_patch(p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(jsonb_object_agg(m.key, m.value), '{}')
    from jsonb_array_elements(p_items) as i (item)
    cross join lateral jsonb_each(i.item -> 'patch') as m (key, value)
$$;

ALTER FUNCTION cmbs_store.merged_patch(p_items jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.merged_patch(p_items jsonb) IS 'What the deltas among some items write together.';

CREATE FUNCTION cmbs_store.misclaimed(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE
    AS $$
    with asked as (
        select
            a.hypothesis_id, a.actor, a.seq,
            first_value(a.actor) over (
                partition by a.hypothesis_id order by a.seq, a.actor
            ) as claimant
        from cmbs_store.elimination_count as c
        inner join cmbs_store.session as s on s.session_id = c.session_id
        cross join lateral cmbs_store.asked_eliminations(s, 0, c.counted_seq) as a
        where c.session_id = p_session_id
    ),
    counted as (
        select
            a.hypothesis_id,
            min(a.claimant) as actor,
            min(a.seq) filter (where a.actor = a.claimant) as seq,
            min(a.seq) filter (where a.actor <> a.claimant) as other_seq
        from asked as a
        group by a.hypothesis_id
    )
    select coalesce(e.seq, c.seq)
    from counted as c
    full join (
        select l.hypothesis_id, l.actor, l.seq, l.other_seq
        from cmbs_store.elimination_claimant as l
        where l.session_id = p_session_id
    ) as e on e.hypothesis_id = c.hypothesis_id
    where (e.actor, e.seq, e.other_seq) is distinct from (c.actor, c.seq, c.other_seq)
    union all
    select s.audit_seq
    from cmbs_store.elimination_count as c
    inner join cmbs_store.session as s on s.session_id = c.session_id
    where c.session_id = p_session_id and c.counted_seq > s.audit_seq
$$;

ALTER FUNCTION cmbs_store.misclaimed(p_session_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.misclaimed(p_session_id uuid) IS 'The events whose eliminations are counted for somebody else than who asked for them.';

CREATE FUNCTION cmbs_store.miscounted(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE
    AS $$
    select d.seq
    from (
        select a.seq, a.delta_no, row_number() over (order by a.seq, a.item_no) as no
        from cmbs_store.state_delta as a
        where a.session_id = p_session_id
    ) as d
    where d.delta_no <> d.no
    union all
    select s.seq
    from (
        select
            a.seq, a.spent,
            sum(a.amount) over (partition by a.token_id, a.unit order by a.seq) as total
        from cmbs_store.capability_spending as a
        where a.session_id = p_session_id
    ) as s
    where s.spent <> s.total
    union all
    select t.seq
    from cmbs_store.capability_token as t
    left join cmbs_store.capability_token as p
        on p.session_id = t.session_id and p.token_id = t.parent_id
    where t.session_id = p_session_id
        and t.chain is distinct from coalesce(p.chain, '{}') || t.token_id
    union all
    select c.seq
    from cmbs_store.state_checkpoint as c
    where c.session_id = p_session_id
        and (
            c.f_sparse <> (
                select coalesce(jsonb_object_agg(l.key, l.value), '{}')::text
                from cmbs_store.live_values(p_session_id, c.seq, '', 'z') as l
            )
            or c.s_core is distinct from cmbs_store.s_core_at(p_session_id, c.seq)
            or c.delta_no % 100 <> 0
            or not exists (
                select from cmbs_store.state_delta as d
                where d.session_id = p_session_id
                    and d.seq = c.seq
                    and d.delta_no = c.delta_no
            )
        )
    union all
    select d.seq
    from (
        select a.seq, min(a.delta_no) - 1 as before_no, max(a.delta_no) as last_no
        from cmbs_store.state_delta as a
        where a.session_id = p_session_id
        group by a.seq
    ) as d
    where d.last_no / 100 > d.before_no / 100
        and not exists (
            select
            from cmbs_store.state_checkpoint as c
            where c.session_id = p_session_id
                and c.seq = d.seq
                and c.delta_no = d.last_no / 100 * 100
        )
    union all
    select m.seq from cmbs_store.misclaimed(p_session_id) as m (seq)
    union all
    select n.seq
    from cmbs_store.session as s
    cross join lateral cmbs_store.misnoted(s) as n (seq)
    where s.session_id = p_session_id
$$;

ALTER FUNCTION cmbs_store.miscounted(p_session_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.miscounted(p_session_id uuid) IS 'The events at which something that is counted from row to row is not counted right.';

CREATE FUNCTION cmbs_store.misnoted(p_session cmbs_store.session) RETURNS SETOF bigint
    LANGUAGE sql STABLE
    AS $$
    select coalesce(e.seq, p_session.audit_seq)
    from (
        select
            'permit' as kind, p.permit_id as item_id, p.seq, p.expires_at as due_at,
            not exists (
                select
                from cmbs_store.permit_begin as b
                where b.session_id = p.session_id and b.permit_id = p.permit_id
            ) and not exists (
                select
                from cmbs_store.permit_end as d
                where d.session_id = p.session_id and d.permit_id = p.permit_id
            ) as is_open
        from cmbs_store.permit as p
        where p.session_id = p_session.session_id
        union all
        select
            'interrupt', i.interrupt_id, i.seq, i.expires_at,
            not exists (
                select
                from cmbs_store.interrupt_resolution as r
                where r.session_id = i.session_id and r.interrupt_id = i.interrupt_id
            )
        from cmbs_store.interrupt as i
        where i.session_id = p_session.session_id
        union all
        select
            'deferral', d.deferral_id, max(d.seq),
            (array_agg(d.next_at order by d.seq desc) filter (where d.next_at is not null))[1],
            (array_agg(d.next_at order by d.seq desc))[1] is not null
        from cmbs_store.deferral as d
        where d.session_id = p_session.session_id
        group by d.deferral_id
    ) as e
    full join (
        select o.*
        from cmbs_store.open_item as o
        where o.session_id = p_session.session_id
    ) as n on n.kind = e.kind and n.item_id = e.item_id
    where (n.tenant, n.due_at, n.is_open) is distinct from (
        p_session.tenant, e.due_at, e.is_open and not p_session.is_terminated
    )
$$;

ALTER FUNCTION cmbs_store.misnoted(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.misnoted(p_session cmbs_store.session) IS 'The events of what is noted as open and is not, or not as it is.';

CREATE FUNCTION cmbs_store.missing_allow(p_settings jsonb, p_unmet cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_is_waivable boolean) RETURNS cmbs_store.reason
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_nearest record;
begin
    select u.key, n.p_detail
    into v_nearest
    from unnest(p_unmet) as u
    cross join lateral cmbs_store.nearest(u.condition, p_world, p_schemas) as n
    order by
        case when p_is_waivable then cmbs_store.severity(u.on_fail) end, n.p_n_failing, u.key
    limit 1;
    if not found then
        return (
            p_item_no, 'constraints', 'NO_APPLICABLE_ALLOW', null, 'block', left(concat_ws(
                '; ',
                'no constraint of the pack allows ' || replace(replace(
                    array_to_string(array_remove(p_subjects, '*'), ' or '), 't:', 'the tool '
                ), 'c:', 'the capability '),
                p_settings -> 'policy.pack' ->> 'hint'
            ), 300)
        )::cmbs_store.reason;
    end if;
    -- Any one of them would unlock the item, so the mildest says what follows.
    return (
        p_item_no, 'constraints', 'NO_APPLICABLE_ALLOW', v_nearest.key,
        (
            select u.on_fail
            from unnest(p_unmet) as u
            order by cmbs_store.severity(u.on_fail)
            limit 1
        ),
        v_nearest.p_detail
    )::cmbs_store.reason;
end
$$;

ALTER FUNCTION cmbs_store.missing_allow(p_settings jsonb, p_unmet cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_is_waivable boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.missing_allow(p_settings jsonb, p_unmet cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_is_waivable boolean) IS 'The reason of an item that no constraint allows: the allow that comes nearest.';

CREATE FUNCTION cmbs_store.missing_constraints(p_entries jsonb) RETURNS text[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_required jsonb;
begin
    if not p_entries ? 'policy.required_constraints' then
        return array[]::text[];
    end if;
    v_required := cmbs_store.readable_value(p_entries ->> 'policy.required_constraints');
    if cmbs_store.setting_fault('policy.required_constraints', v_required) is not null then
        return array['policy.required_constraints'];
    end if;
    return array(
        select r.key
        from jsonb_array_elements_text(v_required -> 'value') as r (key)
        where not p_entries ? r.key
        order by r.key collate "C"
    );
end
$$;

ALTER FUNCTION cmbs_store.missing_constraints(p_entries jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.missing_constraints(p_entries jsonb) IS 'The constraints that a policy requires and does not have.';

CREATE FUNCTION cmbs_store.mode_in_force(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        (
            select m.mode
            from cmbs_store.session_mode as m
            where m.session_id = p_session.session_id and m.seq <= p_session.audit_seq
            order by m.seq desc
            limit 1
        ),
        'normal'
    )
$$;

ALTER FUNCTION cmbs_store.mode_in_force(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.mode_in_force(p_session cmbs_store.session) IS 'The mode of a session, as of the event that it is given as of.';

CREATE FUNCTION cmbs_store.mode_setting(p_settings jsonb, p_mode text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select m.setting || coalesce(p_settings -> 'policy.modes' -> p_mode, '{}')
    from cmbs_store.modes() as m
    where m.mode = p_mode
$$;

ALTER FUNCTION cmbs_store.mode_setting(p_settings jsonb, p_mode text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.mode_setting(p_settings jsonb, p_mode text) IS 'What a mode means by a policy.';

CREATE FUNCTION cmbs_store.modes() RETURNS TABLE(level integer, mode text, setting jsonb)
    LANGUAGE sql IMMUTABLE
    AS $$
    values
    (1, 'boost', '{"soft_percent": 200, "forbids": []}'::jsonb),
    (2, 'normal', '{"soft_percent": 100, "forbids": []}'),
    (3, 'eco', '{"soft_percent": 50, "forbids": []}'),
    (4, 'thermal', '{"soft_percent": 25, "forbids": ["external"]}'),
    (5, 'offline_safe', '{"soft_percent": 100, "forbids": ["network", "external"]}')
$$;

ALTER FUNCTION cmbs_store.modes() OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.modes() IS 'The modes, from the freest down, each with what it means where a policy says nothing else.';

CREATE FUNCTION cmbs_store.n_colons(p_json text) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
    select
        length(p_json) - length(replace(p_json, ':', ''))
        + case
            when position(E'\\u003' in p_json) = 0 then 0
            else length(lower(replace(p_json, E'\\\\', '')))
                - length(replace(lower(replace(p_json, E'\\\\', '')), E'\\u003a', E'\\u003'))
        end
$$;

ALTER FUNCTION cmbs_store.n_colons(p_json text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.n_colons(p_json text) IS 'How many colons a JSON text holds; equal before and after a cast to jsonb iff no key was repeated.';

CREATE FUNCTION cmbs_store.nearest(p_condition jsonb, p_world jsonb, p_schemas jsonb, p_want boolean DEFAULT true, OUT p_n_failing integer, OUT p_detail text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_op text := p_condition ->> 'op';
    v_args jsonb := p_condition -> 'args';
    v_child record;
begin
    if v_op = 'not' then
        v_child := cmbs_store.nearest(v_args -> 0, p_world, p_schemas, not p_want);
        p_n_failing := v_child.p_n_failing;
        p_detail := v_child.p_detail;
        return;
    elsif cmbs_store.holds(p_condition, p_world, p_schemas) is not distinct from p_want then
        p_n_failing := 0;
        return;
    elsif v_op not in ('all', 'any') then
        p_n_failing := 1;
        p_detail := cmbs_store.clause_text(p_condition, p_world, p_schemas, p_want);
        return;
    end if;
    -- All of the children are needed, or any one of them.
    for v_i in 0 .. jsonb_array_length(v_args) - 1 loop
        v_child := cmbs_store.nearest(v_args -> v_i, p_world, p_schemas, p_want);
        if (v_op = 'all') = p_want then
            p_n_failing := coalesce(p_n_failing, 0) + v_child.p_n_failing;
            p_detail := nullif(concat_ws(' and ', p_detail, v_child.p_detail), '');
        elsif p_n_failing is null or v_child.p_n_failing < p_n_failing then
            p_n_failing := v_child.p_n_failing;
            p_detail := v_child.p_detail;
        end if;
    end loop;
    p_detail := left(p_detail, 600);
end
$$;

ALTER FUNCTION cmbs_store.nearest(p_condition jsonb, p_world jsonb, p_schemas jsonb, p_want boolean, OUT p_n_failing integer, OUT p_detail text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.nearest(p_condition jsonb, p_world jsonb, p_schemas jsonb, p_want boolean, OUT p_n_failing integer, OUT p_detail text) IS 'What would have to change for a condition to hold: the fewest clauses.';

CREATE FUNCTION cmbs_store.new_policy_version(p_tenant text, p_pack text, p_policy_hash bytea, p_fixtures text, p_by text, OUT p_version integer, OUT p_is_new boolean) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
    v_last cmbs_store.policy_version;
begin
    loop
        select v.*
        into v_last
        from cmbs_store.policy_version as v
        where v.tenant = p_tenant and v.pack = p_pack
        order by v.version desc
        limit 1;
        if v_last.policy_hash = p_policy_hash and v_last.fixtures = p_fixtures then
            p_version := v_last.version;
            p_is_new := false;
            return;
        end if;
        p_version := coalesce(v_last.version, 0) + 1;
        insert into cmbs_store.policy_version (
            tenant, pack, version, policy_hash, fixtures, published_at, published_by
        )
        values (
            p_tenant, p_pack, p_version, p_policy_hash, p_fixtures, cmbs_store.clock(), p_by
        )
        on conflict (tenant, pack, version) do nothing;
        if found then
            p_is_new := true;
            return;
        end if;
    end loop;
end
$$;

ALTER FUNCTION cmbs_store.new_policy_version(p_tenant text, p_pack text, p_policy_hash bytea, p_fixtures text, p_by text, OUT p_version integer, OUT p_is_new boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.new_policy_version(p_tenant text, p_pack text, p_policy_hash bytea, p_fixtures text, p_by text, OUT p_version integer, OUT p_is_new boolean) IS 'The next version of a pack; the last one again if its content is the same.';

CREATE TABLE cmbs_store.policy_default (
    default_no integer NOT NULL,
    validate_hypotheses boolean NOT NULL,
    allow_forced_termination boolean NOT NULL,
    stability_window integer NOT NULL,
    set_at timestamp with time zone NOT NULL,
    set_by text NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT policy_default_stability_window_check CHECK (((stability_window >= 0) AND (stability_window <= 1000)))
);

ALTER TABLE cmbs_store.policy_default OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.policy_default IS 'reference: what DECLARE_SESSION fills in; of a tenant the highest number counts, then that of *.';

CREATE FUNCTION cmbs_store.new_session(p_session_id uuid, p_tenant text, p_ontology jsonb, p_universe_digest bytea, p_n_hypotheses integer, p_policy cmbs_store.policy_default, p_policy_as_sent text, p_declared_at timestamp with time zone) RETURNS cmbs_store.session
    LANGUAGE plpgsql
    AS $$
declare
    v_mask bytea := cmbs_store.mask_v1(p_n_hypotheses, true);
    v_session cmbs_store.session;
begin
    insert into cmbs_store.session (
        session_id, tenant, declared_at, universe_digest, n_hypotheses,
        stability_window, validate_hypotheses, allow_forced_termination,
        hypothesis_space_id, ontology, policy_as_sent,
        audit_seq, audit_head_event_id, audit_head_hash, audit_head_at,
        survivors_hash, n_survivors, is_terminated, mask, conclusion_run
    )
    select
        p_session_id, p_tenant, p_declared_at, p_universe_digest, p_n_hypotheses,
        p_policy.stability_window, p_policy.validate_hypotheses, p_policy.allow_forced_termination,
        p_ontology ->> 'hypothesis_space_id', p_ontology::text, p_policy_as_sent,
        0, p_session_id, decode(repeat('00', 32), 'hex'), '-infinity',
        cmbs_store.survivors_hash_v1(p_universe_digest, v_mask), p_n_hypotheses, false,
        case when p_n_hypotheses <= 8192 then v_mask end, 0
    where not exists (
        select
        from cmbs_store.session as s
        where s.session_id = p_session_id and s.tenant <> p_tenant
    )
    on conflict (session_id) do nothing
    returning * into v_session;
    if v_session.session_id is not null and v_session.mask is null then
        insert into cmbs_store.session_mask (session_id, chunk_no, chunk)
        select p_session_id, g.chunk_no, substr(v_mask, g.chunk_no * 1024 + 1, 1024)
        from generate_series(0, (p_n_hypotheses - 1) / 8192) as g (chunk_no);
    end if;
    return v_session;
end
$$;

ALTER FUNCTION cmbs_store.new_session(p_session_id uuid, p_tenant text, p_ontology jsonb, p_universe_digest bytea, p_n_hypotheses integer, p_policy cmbs_store.policy_default, p_policy_as_sent text, p_declared_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.new_session(p_session_id uuid, p_tenant text, p_ontology jsonb, p_universe_digest bytea, p_n_hypotheses integer, p_policy cmbs_store.policy_default, p_policy_as_sent text, p_declared_at timestamp with time zone) IS 'A new session, before its first event; null if the id is taken.';

CREATE FUNCTION cmbs_store.new_token(p_caller cmbs_store.principal, p_principal cmbs_store.principal, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_replaces uuid) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql
    AS $$
declare
    v_token cmbs_store.api_token;
begin
    v_token.credential_hash := sha256(p_digest);
    v_token.token_id := encode(substr(v_token.credential_hash, 1, 16), 'hex')::uuid;
    v_token.tenant := p_principal.tenant;
    v_token.name := p_principal.name;
    v_token.prefix := p_prefix;
    v_token.verbs := cmbs_store.sorted_set(p_verbs);
    v_token.scope_tenant := p_scope_tenant;
    v_token.created_by := p_caller.name;
    v_token.expires_at := p_expires_at;
    if exists (select from cmbs_store.api_token as t where t.token_id = v_token.token_id) then
        raise exception using
            errcode = 'MB102',
            message = 'This token has been made before.',
            detail = json_build_object('prefix', p_prefix)::text,
            hint = 'Make another: a token is random, and nobody has it twice.';
    end if;
    v_token.created_at := cmbs_store.append_identity(
        v_token.tenant, 'CREATE_TOKEN', p_caller.name,
        jsonb_build_object(
            'token_id', v_token.token_id,
            'name', v_token.name,
            'prefix', v_token.prefix,
            'verbs', v_token.verbs,
            'scope_tenant', v_token.scope_tenant,
            'expires_at', cmbs_store.timestamp_v1(v_token.expires_at),
            'credential_hash', encode(v_token.credential_hash, 'hex'),
            'replaces', p_replaces
        )
    );
    insert into cmbs_store.api_token values (v_token.*);
    return v_token;
end
$$;

ALTER FUNCTION cmbs_store.new_token(p_caller cmbs_store.principal, p_principal cmbs_store.principal, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_replaces uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.new_token(p_caller cmbs_store.principal, p_principal cmbs_store.principal, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_replaces uuid) IS 'A new token of a principal, with its event. Raises MB102.';

CREATE FUNCTION cmbs_store.normal_row(p_relation text, p_content jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select case p_relation
        when 'proposal'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.proposal, p_content))
        when 'state_delta'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.state_delta, p_content))
        when 'state_value'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.state_value, p_content))
        when 'capability_token'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.capability_token, p_content))
        when 'capability_revocation'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.capability_revocation, p_content))
        when 'capability_spending'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.capability_spending, p_content))
        when 'interrupt'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.interrupt, p_content))
        when 'policy_pin'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.policy_pin, p_content))
        when 'claim'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.claim, p_content))
        when 'claim_confirmation'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.claim_confirmation, p_content))
        when 'permit' then to_jsonb(jsonb_populate_record(null::cmbs_store.permit, p_content))
        when 'permit_begin'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.permit_begin, p_content))
        when 'permit_end'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.permit_end, p_content))
        when 'interrupt_resolution'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.interrupt_resolution, p_content))
        when 'interrupt_use'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.interrupt_use, p_content))
        when 'deferral' then to_jsonb(jsonb_populate_record(null::cmbs_store.deferral, p_content))
        when 'session_mode'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.session_mode, p_content))
        when 'shadow_pin'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.shadow_pin, p_content))
    end - array['delta_no', 'spent', 'chain']
$$;

ALTER FUNCTION cmbs_store.normal_row(p_relation text, p_content jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.normal_row(p_relation text, p_content jsonb) IS 'A projected row in the form in which its table would give it.';

CREATE FUNCTION cmbs_store.note_closed(p_session_id uuid, p_kind text, p_ids uuid[]) RETURNS void
    LANGUAGE sql
    AS $$
    update cmbs_store.open_item as o
    set is_open = false
    where o.session_id = p_session_id
        and o.is_open
        and (p_kind is null or o.kind = p_kind and o.item_id = any(p_ids))
$$;

ALTER FUNCTION cmbs_store.note_closed(p_session_id uuid, p_kind text, p_ids uuid[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.note_closed(p_session_id uuid, p_kind text, p_ids uuid[]) IS 'Note that permits or questions are open no more; without ids all that is open in a session.';

CREATE FUNCTION cmbs_store.note_open(p_session_id uuid, p_kind text, p_rows jsonb) RETURNS void
    LANGUAGE sql
    AS $$
    insert into cmbs_store.open_item as o (session_id, kind, item_id, tenant, due_at, is_open)
    select
        p_session_id, p_kind, (r.content ->> (p_kind || '_id'))::uuid, s.tenant,
        coalesce(r.content ->> 'next_at', r.content ->> 'expires_at', '-infinity')::timestamptz,
        p_kind <> 'deferral' or r.content ->> 'next_at' is not null
    from cmbs_store.session as s
    cross join lateral jsonb_array_elements(p_rows) as r (content)
    where s.session_id = p_session_id
    on conflict (session_id, kind, item_id) do update
    set
        is_open = excluded.is_open,
        due_at = case when excluded.is_open then excluded.due_at else o.due_at end
$$;

ALTER FUNCTION cmbs_store.note_open(p_session_id uuid, p_kind text, p_rows jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.note_open(p_session_id uuid, p_kind text, p_rows jsonb) IS 'Note permits, questions or deferrals that are open, and when each runs out.';

CREATE FUNCTION cmbs_store.obligation_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '%s, "missing": %s, "entered_event_id": "%s", "since": "%s"}',
        left(cmbs_store.active_obligation(p_session), -1),
        greatest(
            p_session.obligation_minimum - p_session.obligation_survivors + p_session.n_survivors,
            0
        ),
        e.event_id,
        cmbs_store.timestamp_v1(e.recorded_at)
    )
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = p_session.obligation_seq
$$;

ALTER FUNCTION cmbs_store.obligation_left(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.obligation_left(p_session cmbs_store.session) IS 'How near the active obligation is to its exit, as JSON text.';

CREATE FUNCTION cmbs_store.offer(p_verdict jsonb, p_item jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_ground cmbs_store.ground) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $_$
    select jsonb_build_object('offer', case
        when jsonb_path_exists(p_verdict, '$.reasons[*] ? (@.code == "MODE_FORBIDS")')
            then jsonb_build_object('kind', 'mode', 'mode', cmbs_store.lower_mode(
                p_settings, cmbs_store.mode_in_force(p_session),
                p_ground.definitions -> (p_item ->> 'tool_id') ->> 'effect_class'
            ))
        else jsonb_build_object(
            'kind', 'attenuated_token',
            'grant', jsonb_build_object(
                'parent', p_token.token_id,
                'holder', p_token.holder,
                -- Of the tools of the token this one; if none is, what covers it.
                'tools', to_jsonb(array(
                    select t.tool_id from unnest(p_token.tools) as t (tool_id)
                    where t.tool_id = p_item ->> 'tool_id'
                )),
                'capabilities', to_jsonb(p_token.capabilities),
                'resource_roots', to_jsonb(p_token.resource_roots),
                'approval_requirement', p_token.approval,
                'budgets', jsonb_build_object('max_calls', 1),
                'expires_at', cmbs_store.timestamp_v1(p_token.expires_at)
            )
        )
    end)
$_$;

ALTER FUNCTION cmbs_store.offer(p_verdict jsonb, p_item jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_ground cmbs_store.ground) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.offer(p_verdict jsonb, p_item jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_ground cmbs_store.ground) IS 'What to ask for instead of what was denied: a narrower token, or a lower mode.';

CREATE FUNCTION cmbs_store.offered_rows(p_actor text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE
    AS $$
    select 'permit', jsonb_build_object(
        'permit_id', i.verdict -> 'permit_id',
        'item_no', i.verdict -> 'item_no',
        'tool_id', p_payload #> array['proposal', 'items', (i.item_no - 1)::text, 'tool_id'],
        'actor', p_actor,
        'token_id', p_payload -> 'token_id',
        'expires_at', (i.verdict #>> '{permit,expires_at}')::timestamptz
    )
    from jsonb_array_elements(p_payload -> 'items') with ordinality as i (verdict, item_no)
    where i.verdict ? 'permit_id'
    union all
    select 'interrupt_use', jsonb_build_object('interrupt_id', a.approval -> 'interrupt_id')
    from jsonb_array_elements(p_payload -> 'resumes' -> 'approvals') as a (approval)
    where p_payload #> array['items', ((a.approval ->> 'item_no')::integer - 1)::text, 'effective']
        = 'true'
    union all
    select 'deferral', jsonb_build_object(
        'deferral_id', p_payload -> 'deferral' -> 'deferral_id',
        'attempt', p_payload -> 'deferral' -> 'attempt',
        'keys', p_payload -> 'deferral' -> 'missing',
        'next_at', (p_payload -> 'deferral' ->> 'next_at')::timestamptz
    )
    where p_payload ? 'deferral'
$$;

ALTER FUNCTION cmbs_store.offered_rows(p_actor text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.offered_rows(p_actor text, p_payload jsonb) IS 'The rows of what a proposal may execute, used up, or waits for.';

CREATE FUNCTION cmbs_store.ontology_bundle(p_ontology json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_fields constant text[] := array[
        'hypothesis_space_id', 'hypothesis_version', 'causal_graph_ref', 'causal_graph_version'
    ];
    v_ontology jsonb := cmbs_store.free_object('ontology', p_ontology)::jsonb;
    v_field text;
begin
    if v_ontology is null then
        perform cmbs_store.refuse_request('ontology', 'must be a JSON object');
    end if;
    perform cmbs_store.check_members('ontology', v_ontology, v_fields);
    foreach v_field in array v_fields loop
        if jsonb_typeof(v_ontology -> v_field) is distinct from 'string'
            or not cmbs_store.is_id(v_ontology ->> v_field, 2048)
        then
            perform cmbs_store.refuse_request(
                'ontology.' || v_field, 'must be a string of 1 to 2048 bytes'
            );
        end if;
    end loop;
    return v_ontology;
end
$$;

ALTER FUNCTION cmbs_store.ontology_bundle(p_ontology json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.ontology_bundle(p_ontology json) IS 'The ontology bundle of a declare, checked. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.operand(p_world jsonb, p_operand jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when jsonb_typeof(p_operand) = 'object' and p_operand ? 'ref'
            then (cmbs_store.resolved(p_world, p_operand ->> 'ref')).p_value
        else p_operand
    end
$$;

ALTER FUNCTION cmbs_store.operand(p_world jsonb, p_operand jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.operand(p_world jsonb, p_operand jsonb) IS 'The second operand of a comparison: a literal, or what a reference leads to.';

CREATE FUNCTION cmbs_store.orphans(p_session_id uuid, p_without_source text, p_without_observation text, OUT p_ids text[], OUT p_seqs bigint[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_first bigint;
begin
    select min(e.seq)
    into v_first
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
        and cmbs_store.is_left_out(
            e.source_id, e.observation_id, p_without_source, p_without_observation
        );
    select array_agg(o.id order by o.id), array_agg(o.seq order by o.id)
    into p_ids, p_seqs
    from (
        select a.id, min(a.seq) filter (where a.is_asked) as seq
        from (
            select e.seq, i.id collate "C" as id, r.is_asked
            from cmbs_store.audit_event as e
            cross join lateral (
                select e.record::jsonb as record, not cmbs_store.is_left_out(
                    e.source_id, e.observation_id, p_without_source, p_without_observation
                ) as is_asked
                offset 0
            ) as r
            cross join lateral jsonb_array_elements_text(
                case
                    when not r.is_asked then r.record #> '{delta,eliminated}'
                    -- Who got all that was asked for asked for nothing that was gone.
                    when jsonb_array_length(r.record #> '{delta,eliminated}')
                        < jsonb_array_length(r.record #> '{payload,eliminated}')
                        then r.record #> '{payload,eliminated}'
                end
            ) as i (id)
            where e.session_id = p_session_id and e.seq >= v_first and e.verb = 'ELIMINATE'
        ) as a
        group by a.id
        having not bool_and(a.is_asked)
    ) as o;
end
$$;

ALTER FUNCTION cmbs_store.orphans(p_session_id uuid, p_without_source text, p_without_observation text, OUT p_ids text[], OUT p_seqs bigint[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.orphans(p_session_id uuid, p_without_source text, p_without_observation text, OUT p_ids text[], OUT p_seqs bigint[]) IS 'The hypotheses that some messages eliminated, and who else would have.';

CREATE FUNCTION cmbs_store.outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '%s"audit_event_id": "%s", "duplicate": %s',
        (
            select string_agg(format('"%s": %s, ', m.key, m.value), '' order by m.key)
            from jsonb_each(p_payload) as m (key, value)
            where m.key in ('approved', 'accepted', 'reason', 'reasons')
        ),
        p_event_id,
        p_duplicate::text
    )
$$;

ALTER FUNCTION cmbs_store.outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) IS 'The members of a response that tell the outcome of a message.';

CREATE FUNCTION cmbs_store.page_limit(p_limit integer) RETURNS integer
    LANGUAGE plpgsql STABLE
    AS $$
begin
    perform cmbs_store.check_limit(p_limit, 1000);
    return coalesce(p_limit, 100);
end
$$;

ALTER FUNCTION cmbs_store.page_limit(p_limit integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.page_limit(p_limit integer) IS 'How many entries a list in an answer may have. Raises MB201.';

CREATE FUNCTION cmbs_store.parsed_entry(p_policy_hash bytea, p_key text, p_value text) RETURNS cmbs_store.policy_entry
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_entry cmbs_store.policy_entry;
    v_value jsonb;
    v_facts record;
begin
    v_entry.policy_hash := p_policy_hash;
    v_entry.key := p_key;
    v_entry.value := p_value;
    v_entry.value_hash := cmbs_store.digest_v1(p_value);
    if p_key like 'policy.%' and not cmbs_store.readable_value(p_value) ? 'effect' then
        v_entry.fault := cmbs_store.value_fault(p_value);
        return v_entry;
    end if;
    v_entry.subject := cmbs_store.subject_of(p_key, p_value);
    v_entry.fault := cmbs_store.constraint_fault(p_key, p_value);
    if v_entry.fault is not null then
        return v_entry;
    end if;
    v_value := p_value::jsonb;
    v_entry.effect := v_value ->> 'effect';
    v_entry.on_fail := coalesce(v_value ->> 'on_fail', 'block');
    v_entry.reason := v_value ->> 'reason';
    v_entry.reads := '{}';
    v_entry.schemas := '{}';
    if v_value ? 'when' then
        v_entry.condition := v_value -> 'when';
        v_facts := cmbs_store.condition_facts(v_entry.condition, 1);
        v_entry.fault := v_facts.p_fault;
        if jsonb_array_length(jsonb_path_query_array(
            v_entry.condition, 'strict $.** ? (@.type() == "object" && exists (@.op))'
        )) > 256 then
            v_entry.fault := 'a condition may have 256 nodes';
        end if;
        v_entry.reads := array(
            select distinct r.key collate "C" from unnest(v_facts.p_reads) as r (key) order by 1
        );
        v_entry.schemas := array(
            select distinct s.id collate "C" from unnest(v_facts.p_schemas) as s (id) order by 1
        );
    end if;
    return v_entry;
end
$_$;

ALTER FUNCTION cmbs_store.parsed_entry(p_policy_hash bytea, p_key text, p_value text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.parsed_entry(p_policy_hash bytea, p_key text, p_value text) IS 'An entry of a policy with what its text says; of a constraint all that a verdict needs.';

CREATE FUNCTION cmbs_store.patch_reasons(p_item_no integer, p_patch jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE
    AS $$
    select array(
        select (
            p_item_no, 'schemas', f.code, f.key, 'block', case f.code
                when 'VALUE_NOT_JSON' then 'the value must be the text of a JSON object'
                when 'DUPLICATE_JSON_KEY' then 'a member stands twice in the value'
                else 'the value must be an object with the member v, which is 1'
            end
        )::cmbs_store.reason
        from (
            select m.key, cmbs_store.value_fault(m.value) as code
            from jsonb_each_text(p_patch) as m (key, value)
            where m.value is not null
        ) as f
        where f.code is not null
        order by f.key collate "C"
    )
$$;

ALTER FUNCTION cmbs_store.patch_reasons(p_item_no integer, p_patch jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.patch_reasons(p_item_no integer, p_patch jsonb) IS 'The stage of schemas for the values of one state delta.';

CREATE FUNCTION cmbs_store.payload_fault(p_verb text, p_record jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when cmbs_store.is_payload(p_verb, p_record -> 'payload') is not true
            then 'the payload is not that of the verb'
        when cmbs_store.keeps_limits(p_verb, p_record) is not true
            or not cmbs_store.is_free_object(
                coalesce(
                    p_record -> 'payload' -> 'justification', p_record -> 'payload' -> 'context',
                    p_record -> 'payload' -> 'metadata', '{}'
                )
            )
            then 'the record is beyond the limits of the verb'
    end
$$;

ALTER FUNCTION cmbs_store.payload_fault(p_verb text, p_record jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.payload_fault(p_verb text, p_record jsonb) IS 'What makes a payload one that its verb cannot have recorded, null if nothing does.';

CREATE FUNCTION cmbs_store.permit_fault(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select case
        when exists (
            select
            from cmbs_store.permit_begin as b
            where b.session_id = p_session.session_id
                and b.permit_id = p_permit.permit_id
                and b.seq <= p_session.audit_seq
        ) then 'PERMIT_USED'
        when p_at >= p_permit.expires_at or exists (
            select
            from cmbs_store.permit_end as e
            where e.session_id = p_session.session_id
                and e.permit_id = p_permit.permit_id
                and e.seq <= p_session.audit_seq
        ) then 'PERMIT_EXPIRED'
    end
$$;

ALTER FUNCTION cmbs_store.permit_fault(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.permit_fault(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) IS 'What is wrong with a permit that is to be used, as a reason code; null if nothing.';

CREATE FUNCTION cmbs_store.permit_json(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE
    AS $$
    select json_build_object(
        'permit_id', p_permit.permit_id,
        'proposal_id', e.event_id,
        'item_no', p_permit.item_no,
        'status', cmbs_store.permit_state(p_session, p_permit, p_at),
        'tool_id', p_permit.tool_id,
        'args', e.payload #> array['proposal', 'items', (p_permit.item_no - 1)::text, 'args'],
        'args_hash', e.payload #> array['items', (p_permit.item_no - 1)::text, 'args_hash'],
        'proposed_by', p_permit.actor,
        'token_id', p_permit.token_id,
        'issued_at', cmbs_store.timestamp_v1(e.recorded_at),
        'expires_at', cmbs_store.timestamp_v1(p_permit.expires_at),
        'begun', (
            select json_build_object(
                'by', b.actor, 'at', cmbs_store.timestamp_v1(x.recorded_at),
                'audit_event_id', x.event_id
            )
            from cmbs_store.permit_begin as b
            inner join cmbs_store.audit_event as x
                on x.session_id = b.session_id and x.seq = b.seq
            where b.session_id = p_permit.session_id and b.permit_id = p_permit.permit_id
        ),
        'ended', (
            select json_build_object(
                'at', cmbs_store.timestamp_v1(x.recorded_at), 'audit_event_id', x.event_id,
                'result_hash', encode(d.result_hash, 'hex'),
                'result', x.record::jsonb -> 'payload' -> 'result',
                'usage', x.record::jsonb -> 'payload' -> 'usage'
            )
            from cmbs_store.permit_end as d
            inner join cmbs_store.audit_event as x
                on x.session_id = d.session_id and x.seq = d.seq
            where d.session_id = p_permit.session_id and d.permit_id = p_permit.permit_id
        )
    )
    from (
        select a.event_id, a.recorded_at, a.record::jsonb -> 'payload' as payload
        from cmbs_store.audit_event as a
        where a.session_id = p_permit.session_id and a.seq = p_permit.seq
        offset 0
    ) as e
$$;

ALTER FUNCTION cmbs_store.permit_json(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.permit_json(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) IS 'A permit as it is shown: the call that it lets execute, and what has become of it.';

CREATE FUNCTION cmbs_store.permit_of(p_session cmbs_store.session, p_permit_id uuid) RETURNS cmbs_store.permit
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_permit cmbs_store.permit;
begin
    select p.*
    into v_permit
    from cmbs_store.permit as p
    where p.session_id = p_session.session_id
        and p.permit_id = p_permit_id
        and p.seq <= p_session.audit_seq;
    if not found then
        perform cmbs_store.refuse_lookup('permit', json_build_object('permit_id', p_permit_id));
    end if;
    return v_permit;
end
$$;

ALTER FUNCTION cmbs_store.permit_of(p_session cmbs_store.session, p_permit_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.permit_of(p_session cmbs_store.session, p_permit_id uuid) IS 'A permit of a session by its id, as of an event.';

CREATE FUNCTION cmbs_store.permit_state(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select case
        when e.status is not null then e.status
        when b.seq is not null then 'executing'
        when p_session.is_terminated then 'ended'
        when p_at >= p_permit.expires_at then 'expired'
        else 'issued'
    end
    from (select) as o
    left join cmbs_store.permit_begin as b
        on b.session_id = p_permit.session_id and b.permit_id = p_permit.permit_id
    left join cmbs_store.permit_end as e
        on e.session_id = p_permit.session_id and e.permit_id = p_permit.permit_id
$$;

ALTER FUNCTION cmbs_store.permit_state(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.permit_state(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) IS 'What has become of a permit.';

CREATE FUNCTION cmbs_store.permitted(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select jsonb_build_object(
        'permit_id', cmbs_store.derived_id(
            p_session, p_given,
            concat_ws(' ', 'permit', p_verdict ->> 'item_no', p_verdict ->> 'digest')
        ),
        'permit', jsonb_build_object('expires_at', cmbs_store.timestamp_v1(least(
            p_token.expires_at,
            (p_given ->> 'decided_at')::timestamptz + least(
                coalesce((p_settings -> 'policy.permits' ->> 'ttl_ms')::bigint, 300000),
                86400000
            ) * interval '1 millisecond'
        )))
    )
$$;

ALTER FUNCTION cmbs_store.permitted(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.permitted(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) IS 'The permit of a call that is allowed.';

CREATE FUNCTION cmbs_store.permitted_tool(p_session cmbs_store.session, p_caller cmbs_store.principal, p_given jsonb, p_tool_id text) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_verdict jsonb := cmbs_store.decide(
        p_session, p_caller.name,
        p_given || jsonb_build_object('proposal', jsonb_build_object(
            'state_snapshot_id', p_session.audit_head_event_id,
            'atomic', true,
            'idempotency_key', '',
            'items', jsonb_build_array(
                jsonb_build_object('kind', 'tool_call', 'tool_id', p_tool_id)
            )
        )),
        null, cmbs_store.policy_in_force(p_session)
    );
begin
    return json_build_object(
        'tool_id', p_tool_id,
        'decision', case
            when v_verdict ->> 'decision' <> 'allow'
                and jsonb_array_length(v_verdict -> 'reasons') = jsonb_array_length(
                    jsonb_path_query_array(
                        v_verdict, '$.reasons[*] ? (@.detail like_regex "^args .*no value")'
                    )
                ) then 'depends'
            else v_verdict ->> 'decision'
        end,
        'disposition', v_verdict -> 'disposition',
        'reason_code', v_verdict -> 'reason_code',
        'reasons', v_verdict -> 'reasons'
    );
end
$_$;

ALTER FUNCTION cmbs_store.permitted_tool(p_session cmbs_store.session, p_caller cmbs_store.principal, p_given jsonb, p_tool_id text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.permitted_tool(p_session cmbs_store.session, p_caller cmbs_store.principal, p_given jsonb, p_tool_id text) IS 'What a call of a tool would get now, whatever its arguments.';

CREATE FUNCTION cmbs_store.policy(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '{"stability_window": %s, "validate_hypotheses": %s, "allow_forced_termination": %s}',
        p_session.stability_window,
        p_session.validate_hypotheses::text,
        p_session.allow_forced_termination::text
    )
$$;

ALTER FUNCTION cmbs_store.policy(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.policy(p_session cmbs_store.session) IS 'The policy of a session, as canonical text.';

CREATE FUNCTION cmbs_store.policy_entries(p_policy_hash bytea) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(jsonb_object_agg(e.key, e.value), '{}')
    from cmbs_store.policy_entry as e
    where e.policy_hash = p_policy_hash
$$;

ALTER FUNCTION cmbs_store.policy_entries(p_policy_hash bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.policy_entries(p_policy_hash bytea) IS 'The entries of a policy: key -> text of the value.';

CREATE FUNCTION cmbs_store.policy_in_force(p_session cmbs_store.session) RETURNS cmbs_store.policy_pin
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_pin cmbs_store.policy_pin;
begin
    select p.*
    into v_pin
    from cmbs_store.policy_pin as p
    where p.session_id = p_session.session_id and p.seq <= p_session.audit_seq
    order by p.seq desc
    limit 1;
    if not found then
        select p_session.session_id, 0, v.pack, v.version, v.policy_hash
        into v_pin
        from cmbs_store.policy_version as v
        where v.tenant = '*' and v.pack = 'deny-all' and v.version = 1;
    end if;
    return v_pin;
end
$$;

ALTER FUNCTION cmbs_store.policy_in_force(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.policy_in_force(p_session cmbs_store.session) IS 'The policy that a session names, as of an event; deny-all where it names none.';

CREATE FUNCTION cmbs_store.policy_reasons(p_policy cmbs_store.policy) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_policy.policy_hash is not null then '{}'
        else array[(
            null, 'session', 'POLICY_UNAVAILABLE', null, 'block',
            'the content of the policy is not in this database'
        )::cmbs_store.reason]
    end
$$;

ALTER FUNCTION cmbs_store.policy_reasons(p_policy cmbs_store.policy) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.policy_reasons(p_policy cmbs_store.policy) IS 'Whether there is a policy to decide by.';

CREATE FUNCTION cmbs_store.policy_values(p_policy_hash bytea, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        jsonb_object_agg(
            e.key, jsonb_build_object('value', cmbs_store.readable_value(e.value))
        ),
        '{}'
    )
    from cmbs_store.policy_entry as e
    where e.policy_hash = p_policy_hash and e.key = any(p_keys) and e.key like 'policy.%'
$$;

ALTER FUNCTION cmbs_store.policy_values(p_policy_hash bytea, p_keys text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.policy_values(p_policy_hash bytea, p_keys text[]) IS 'The values of keys in a policy.';

CREATE FUNCTION cmbs_store.policy_warnings(p_entries jsonb, p_tenant text) RETURNS TABLE(key text, severity text, finding text)
    LANGUAGE sql STABLE
    AS $$
    with entry as (
        select p.*
        from jsonb_each_text(p_entries) as e (key, value)
        cross join lateral cmbs_store.parsed_entry(''::bytea, e.key, e.value) as p
        where p.subject is not null and p.fault is null
    )
    select e.key, 'warning', case e.effect
        when 'deny' then 'denies everything: a kill switch'
        else 'allows everything that a token covers'
    end
    from entry as e
    where e.subject = '*' and e.condition is null
    union all
    select e.key, 'warning', format('the tool %s is not registered', substr(e.subject, 3))
    from entry as e
    where e.subject like 't:%' and not exists (
        select
        from cmbs_store.tool_registration as t
        where t.tenant = p_tenant and t.tool_id = substr(e.subject, 3)
    )
    union all
    select e.key, 'warning', format('no tool has the authority %s', substr(e.subject, 3))
    from entry as e
    where e.subject like 'c:%'
        and e.subject !~ '^c:(tool|state|claim)[.]'
        and not exists (
            select
            from cmbs_store.tool_registration as t
            inner join cmbs_store.tool_definition as d on d.tool_hash = t.tool_hash
            where t.tenant = p_tenant
                and d.definition::jsonb -> 'authorities' ? substr(e.subject, 3)
        )
    union all
    select k.key, 'warning', 'no verdict reads it, and no constraint'
    from jsonb_object_keys(p_entries) as k (key)
    where k.key like 'policy.%'
        and k.key not in (
            'policy.required_constraints', 'policy.arbitration', 'policy.claims',
            'policy.budgets', 'policy.interrupts', 'policy.pack'
        )
        and not exists (select from entry as e where k.key = any(e.reads) or e.key = k.key)
    union all
    select e.key, 'warning', 'it allows, and on_fail says what follows where it does not'
        ' hold: nothing else will be asked'
    from entry as e
    where e.effect = 'allow' and e.condition is null and e.value like '%"on_fail"%'
    union all
    select 'policy.required_constraints', 'warning', format('there is no %s: all is denied', m.key)
    from unnest(cmbs_store.missing_constraints(p_entries)) as m (key)
    union all
    select 'constraint', 'warning', 'no constraint allows anything: all is denied'
    where not exists (select from entry as e where e.effect = 'allow' and e.subject <> '!')
        and coalesce(
            cmbs_store.readable_value(p_entries ->> 'policy.arbitration') ->> 'default' <> 'grant',
            true
        )
$$;

ALTER FUNCTION cmbs_store.policy_warnings(p_entries jsonb, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.policy_warnings(p_entries jsonb, p_tenant text) IS 'What in a pack is legal and probably not meant: key, severity, finding.';

CREATE FUNCTION cmbs_store.post_state(p_world jsonb, p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select p_world - array(
        select w.key
        from jsonb_each_text(cmbs_store.merged_patch(p_items)) as w (key, value)
        where w.value is null
    ) || coalesce(
        (
            select jsonb_object_agg(w.key, cmbs_store.readable_value(w.value))
            from jsonb_each_text(cmbs_store.merged_patch(p_items)) as w (key, value)
            where w.value is not null
        ),
        '{}'
    )
$$;

ALTER FUNCTION cmbs_store.post_state(p_world jsonb, p_items jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.post_state(p_world jsonb, p_items jsonb) IS 'What would be read after some items were committed.';

CREATE FUNCTION cmbs_store.prefix_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_patch jsonb := cmbs_store.merged_patch(p_items);
begin
    return array(
        with written as (
            select i.item_no, k.key collate "C" as key
            from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
            cross join lateral jsonb_each_text(i.item -> 'patch') as k (key, value)
            where k.value is not null
                and octet_length(k.key) <= 200
                and k.key ~ '^[a-z]+([.][a-z0-9_-]+)+$'
        ),
        above as (
            select w.key as longer, p.key as shorter
            from written as w
            cross join lateral string_to_array(w.key, '.') as s (segments)
            cross join lateral generate_series(2, cardinality(s.segments) - 1) as n (n)
            cross join lateral (
                select array_to_string(s.segments[1:n.n], '.') collate "C" as key
            ) as p
            where v_patch ->> p.key is not null
        ),
        conflict as (
            select a.longer as key, a.shorter as other from above as a
            union all
            select a.shorter, a.longer from above as a
            union all
            select w.key, s.key
            from (select distinct d.key from written as d) as w
            cross join lateral cmbs_store.keys_around(
                p_session.session_id, p_session.audit_seq, w.key
            ) as s (key)
            where not v_patch ? s.key
        )
        select (
            w.item_no, 'schemas', 'KEY_PREFIX_CONFLICT', w.key, 'block', min(c.other)
        )::cmbs_store.reason
        from written as w
        inner join conflict as c on c.key = w.key
        group by w.item_no, w.key
        order by w.item_no, w.key
    );
end
$_$;

ALTER FUNCTION cmbs_store.prefix_reasons(p_session cmbs_store.session, p_items jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.prefix_reasons(p_session cmbs_store.session, p_items jsonb) IS 'Keys that would begin with another key, or another with them.';

CREATE FUNCTION cmbs_store.prev_event_hash(p_record text) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select encode(
        substr(convert_to(p_record, 'UTF8'), octet_length(p_record) - 250, 64), 'escape'
    )
$$;

ALTER FUNCTION cmbs_store.prev_event_hash(p_record text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.prev_event_hash(p_record text) IS 'The prev_event_hash of a record, read off its place.';

CREATE FUNCTION cmbs_store.principal_json(p_principal cmbs_store.principal) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select jsonb_build_object(
        'name', p_principal.name,
        'tenant', p_principal.tenant,
        'kind', p_principal.kind,
        'roles', p_principal.roles,
        'source_prefixes', p_principal.source_prefixes,
        'is_login', p_principal.is_login,
        'is_enabled', p_principal.is_enabled,
        'created_at', cmbs_store.timestamp_v1(p_principal.created_at)
    )
$$;

ALTER FUNCTION cmbs_store.principal_json(p_principal cmbs_store.principal) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.principal_json(p_principal cmbs_store.principal) IS 'A principal as it is shown.';

CREATE FUNCTION cmbs_store.project_deltas(p_session_id uuid, p_seq bigint, p_deltas jsonb, p_values jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_last bigint;
begin
    select coalesce(max(d.delta_no), 0)
    into v_last
    from cmbs_store.state_delta as d
    where d.session_id = p_session_id
        and d.seq = (
            select max(l.seq) from cmbs_store.state_delta as l where l.session_id = p_session_id
        );
    insert into cmbs_store.state_delta
    select r.*
    from jsonb_array_elements(p_deltas) with ordinality as d (content, no)
    cross join lateral jsonb_populate_record(
        null::cmbs_store.state_delta,
        d.content || jsonb_build_object('delta_no', v_last + d.no)
    ) as r;
    insert into cmbs_store.state_value
    select r.* from jsonb_populate_recordset(null::cmbs_store.state_value, p_values) as r;
    if (v_last + jsonb_array_length(p_deltas)) / 100 > v_last / 100 then
        insert into cmbs_store.state_checkpoint (session_id, delta_no, seq, f_sparse, s_core)
        values (
            p_session_id, (v_last + jsonb_array_length(p_deltas)) / 100 * 100, p_seq,
            cmbs_store.f_sparse_at(p_session_id, p_seq), cmbs_store.s_core_at(p_session_id, p_seq)
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.project_deltas(p_session_id uuid, p_seq bigint, p_deltas jsonb, p_values jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.project_deltas(p_session_id uuid, p_seq bigint, p_deltas jsonb, p_values jsonb) IS 'Write the state deltas of an event and their values; every hundredth delta is a checkpoint.';

CREATE FUNCTION cmbs_store.project_event(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_rows jsonb;
begin
    if cmbs_store.is_execution(p_verb) then
        perform cmbs_store.project_execution(p_session_id, p_seq, p_actor, p_verb, p_payload);
        return;
    end if;
    select coalesce(jsonb_object_agg(r.relation, r.content), '{}')
    into v_rows
    from (
        select p.relation, jsonb_agg(p.content) as content
        from cmbs_store.projection(p_session_id, p_seq, p_actor, p_verb, p_payload) as p
        group by p.relation
    ) as r;
    if v_rows ? 'proposal' then
        insert into cmbs_store.proposal
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.proposal, v_rows -> 'proposal') as r;
    end if;
    if v_rows ? 'state_delta' then
        perform cmbs_store.project_deltas(
            p_session_id, p_seq, v_rows -> 'state_delta',
            coalesce(v_rows -> 'state_value', '[]')
        );
    end if;
    if v_rows ? 'capability_spending' then
        perform cmbs_store.project_spending(p_session_id, v_rows -> 'capability_spending');
    end if;
    if v_rows ? 'policy_pin' then
        insert into cmbs_store.policy_pin
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.policy_pin, v_rows -> 'policy_pin') as r;
    end if;
    if v_rows ? 'capability_token' then
        perform cmbs_store.project_token(p_session_id, v_rows -> 'capability_token' -> 0);
    end if;
    if v_rows ? 'capability_revocation' then
        insert into cmbs_store.capability_revocation
        select r.* from jsonb_populate_recordset(
            null::cmbs_store.capability_revocation, v_rows -> 'capability_revocation'
        ) as r;
    end if;
    if v_rows ? 'claim' then
        insert into cmbs_store.claim
        select r.* from jsonb_populate_recordset(null::cmbs_store.claim, v_rows -> 'claim') as r;
    end if;
    if v_rows ? 'claim_confirmation' then
        insert into cmbs_store.claim_confirmation
        select r.* from jsonb_populate_recordset(
            null::cmbs_store.claim_confirmation, v_rows -> 'claim_confirmation'
        ) as r;
    end if;
    if v_rows ?| '{permit, interrupt, interrupt_use, deferral, shadow_pin}' then
        perform cmbs_store.project_offers(p_session_id, v_rows);
    end if;
end
$$;

ALTER FUNCTION cmbs_store.project_event(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.project_event(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) IS 'Write the rows that an event of arbitration leaves.';

CREATE FUNCTION cmbs_store.project_execution(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
    else
        insert into cmbs_store.permit_end (session_id, permit_id, seq, status, result_hash)
        select
            p_session_id, (r.content ->> 'permit_id')::uuid, p_seq, r.content ->> 'status',
            (r.content ->> 'result_hash')::bytea
        from cmbs_store.execution_rows(p_session_id, p_actor, p_verb, p_payload) as r
        where r.relation = 'permit_end';
        perform cmbs_store.note_closed(p_session_id, 'permit', array(
            select jsonb_array_elements_text(p_payload -> 'permits')::uuid
        ));
        select jsonb_agg(r.content || jsonb_build_object('session_id', p_session_id, 'seq', p_seq))
        into v_spent
        from cmbs_store.execution_rows(p_session_id, p_actor, p_verb, p_payload) as r
        where r.relation = 'capability_spending';
        if v_spent is not null then
            perform cmbs_store.project_spending(p_session_id, v_spent);
        end if;
    end if;
end
$$;

ALTER FUNCTION cmbs_store.project_execution(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.project_execution(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) IS 'Write the rows that an event of execution, approval or upkeep leaves.';

CREATE FUNCTION cmbs_store.project_offers(p_session_id uuid, p_rows jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    if p_rows ? 'permit' then
        insert into cmbs_store.permit
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.permit, p_rows -> 'permit') as r;
        perform cmbs_store.note_open(p_session_id, 'permit', p_rows -> 'permit');
    end if;
    if p_rows ? 'interrupt' then
        insert into cmbs_store.interrupt
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.interrupt, p_rows -> 'interrupt') as r;
        perform cmbs_store.note_open(p_session_id, 'interrupt', p_rows -> 'interrupt');
    end if;
    if p_rows ? 'interrupt_use' then
        insert into cmbs_store.interrupt_use
        select r.*
        from jsonb_populate_recordset(
            null::cmbs_store.interrupt_use, p_rows -> 'interrupt_use'
        ) as r;
    end if;
    if p_rows ? 'deferral' then
        insert into cmbs_store.deferral
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.deferral, p_rows -> 'deferral') as r;
        perform cmbs_store.note_open(p_session_id, 'deferral', p_rows -> 'deferral');
    end if;
    if p_rows ? 'shadow_pin' then
        insert into cmbs_store.shadow_pin
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.shadow_pin, p_rows -> 'shadow_pin') as r;
    end if;
end
$$;

ALTER FUNCTION cmbs_store.project_offers(p_session_id uuid, p_rows jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.project_offers(p_session_id uuid, p_rows jsonb) IS 'Write the rows of permits, questions, used approvals, deferrals and shadows.';

CREATE FUNCTION cmbs_store.project_spending(p_session_id uuid, p_rows jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_rows jsonb;
begin
    select jsonb_agg(r.content || jsonb_build_object('spent', coalesce(
        (
            select s.spent
            from cmbs_store.capability_spending as s
            where s.session_id = p_session_id
                and s.token_id = (r.content ->> 'token_id')::uuid
                and s.unit = r.content ->> 'unit'
            order by s.seq desc
            limit 1
        ),
        0
    ) + (r.content ->> 'amount')::bigint))
    into v_rows
    from jsonb_array_elements(p_rows) as r (content);
    insert into cmbs_store.capability_spending
    select r.* from jsonb_populate_recordset(null::cmbs_store.capability_spending, v_rows) as r;
end
$$;

ALTER FUNCTION cmbs_store.project_spending(p_session_id uuid, p_rows jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.project_spending(p_session_id uuid, p_rows jsonb) IS 'Write what was spent of the budgets of tokens.';

CREATE FUNCTION cmbs_store.project_token(p_session_id uuid, p_row jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_chain uuid[];
begin
    select t.chain
    into v_chain
    from cmbs_store.capability_token as t
    where t.session_id = p_session_id and t.token_id = (p_row ->> 'parent_id')::uuid;
    insert into cmbs_store.capability_token
    select r.*
    from jsonb_populate_record(
        null::cmbs_store.capability_token,
        p_row || jsonb_build_object('chain', v_chain || (p_row ->> 'token_id')::uuid)
    ) as r;
end
$$;

ALTER FUNCTION cmbs_store.project_token(p_session_id uuid, p_row jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.project_token(p_session_id uuid, p_row jsonb) IS 'Write the row of a capability token, with the chain of those that it was made from.';

CREATE FUNCTION cmbs_store.projection(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE
    AS $$
    select
        r.relation,
        r.content || jsonb_build_object('session_id', p_session_id, 'seq', p_seq)
    from (
        select n.relation, jsonb_build_object(
            'pack', n.pin -> 'pack', 'version', n.pin -> 'version',
            'policy_hash', '\x' || (n.pin ->> 'policy_hash')
        ) as content
        from (
            select case
                when p_verb = 'POLICY_APPLY' and p_payload -> 'approved' = 'true' then p_payload
                when p_verb = 'DECLARE_SESSION' then p_payload -> 'arbitration'
            end as pin
        ) as p
        cross join lateral (
            values ('policy_pin', p.pin), ('shadow_pin', p.pin -> 'shadow')
        ) as n (relation, pin)
        where n.pin is not null
        union all
        select 'capability_token', p_payload - 'request_id' || jsonb_build_object(
            'secret_hash', '\x' || (p_payload ->> 'secret_hash'),
            'valid_from', (p_payload ->> 'valid_from')::timestamptz,
            'expires_at', (p_payload ->> 'expires_at')::timestamptz
        )
        where p_verb = 'TOKEN_ISSUE'
        union all
        select 'capability_revocation', jsonb_build_object('token_id', p_payload -> 'token_id')
        where p_verb = 'TOKEN_REVOKE'
        union all
        select 'claim_confirmation', jsonb_build_object(
            'key', p_payload -> 'key', 'value_digest', '\x' || (p_payload ->> 'value_digest')
        )
        where p_verb = 'CONFIRM_CLAIM'
        union all
        select 'claim', c.content
        from cmbs_store.claim_row(p_payload) as c (content)
        where p_verb = 'RECORD_CLAIM' and p_payload ->> 'decision' = 'allow'
        union all
        select f.relation, f.content
        from cmbs_store.proposal_rows(p_session_id, p_actor, p_payload) as f
        where p_verb = 'PROPOSE'
        union all
        select x.relation, x.content
        from cmbs_store.execution_rows(p_session_id, p_actor, p_verb, p_payload) as x
    ) as r
$$;

ALTER FUNCTION cmbs_store.projection(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.projection(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) IS 'The rows that an event of arbitration leaves in the tables of its session.';

CREATE FUNCTION cmbs_store.promotion_reasons(p_session cmbs_store.session, p_claim jsonb, p_promotes uuid) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE
    AS $$
    with recursive before as (
        select c.claim_id, c.promotes, c.source_chunk_ids, c.confirmed_by_event_id
        from cmbs_store.claim as c
        where c.session_id = p_session.session_id and c.claim_id = p_promotes
        union
        select c.claim_id, c.promotes, c.source_chunk_ids, c.confirmed_by_event_id
        from before as b
        inner join cmbs_store.claim as c
            on c.session_id = p_session.session_id and c.claim_id = b.promotes
    )
    select case
        when p_promotes is null then '{}'
        when exists (
            select from jsonb_array_elements_text(p_claim -> 'source_chunk_ids') as s (id)
            where not exists (select from before as b where s.id = any(b.source_chunk_ids))
        ) then '{}'
        when cmbs_store.cites_confirmation(p_session, p_claim) and not exists (
            select from before as b
            where b.confirmed_by_event_id = (p_claim ->> 'confirmed_by_event_id')::uuid
        ) then '{}'
        else array[(
            1, 'schemas', 'CLAIM_NEW_EVIDENCE_REQUIRED', null, 'defer',
            'it needs a source or a confirmation that no claim before it cites'
        )::cmbs_store.reason]
    end
$$;

ALTER FUNCTION cmbs_store.promotion_reasons(p_session cmbs_store.session, p_claim jsonb, p_promotes uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.promotion_reasons(p_session cmbs_store.session, p_claim jsonb, p_promotes uuid) IS 'Whether a promotion has evidence that no claim before it had.';

CREATE FUNCTION cmbs_store.proposal_digest(p_proposal jsonb) RETURNS bytea
    LANGUAGE sql STABLE
    AS $$
    select cmbs_store.digest_v1(
        jsonb_build_array(p_proposal -> 'atomic', p_proposal -> 'items')::text
    )
$$;

ALTER FUNCTION cmbs_store.proposal_digest(p_proposal jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.proposal_digest(p_proposal jsonb) IS 'The digest of what makes a proposal the same as another: its items, and whether they belong together.';

CREATE FUNCTION cmbs_store.proposal_fault(p_state cmbs_store.session, p_actor text, p_given jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_at timestamptz := (p_given ->> 'decided_at')::timestamptz;
    v_last cmbs_store.deferral;
    v_asked cmbs_store.audit_event;
    v_payload jsonb;
    v_found record;
begin
    if p_given ? 'v' and p_given -> 'v' <> '2' then
        return 'the version of the verdict is not known';
    elsif p_given ? 'retries' then
        select d.*
        into v_last
        from cmbs_store.deferral as d
        where d.session_id = p_state.session_id
            and d.deferral_id = (p_given -> 'retries' ->> 'deferral_id')::uuid
            and d.seq <= p_state.audit_seq
        order by d.seq desc
        limit 1;
    end if;
    select e.*
    into v_asked
    from cmbs_store.audit_event as e
    where e.session_id = p_state.session_id
        and e.seq = coalesce(v_last.seq, (p_given -> 'resumes' ->> 'seq')::bigint)
        and e.seq <= p_state.audit_seq
        and e.verb = 'PROPOSE';
    v_payload := v_asked.record::jsonb -> 'payload';
    if v_asked.seq is null then
        return case
            when p_given ?| '{retries, resumes}' then 'what it goes on with is not there'
        end;
    elsif v_asked.actor <> p_actor then
        return 'somebody else had proposed it';
    elsif p_given ? 'retries' then
        return case
            when not cmbs_store.is_due(v_last, p_state.audit_seq, v_at)
                then 'what it waited for had not come'
            when (p_given - array['roles', 'decided_at', 'halt'])::text <> cmbs_store.retry_given(
                p_state, v_payload, p_given -> 'retries' ->> 'by', v_at
            )::text then 'it is not what was deferred'
        end;
    end if;
    v_found := cmbs_store.resumption(p_state, v_asked.seq, v_payload, v_at);
    return case
        when v_found.p_code is not null then 'it could not go on: ' || v_found.p_code
        when (p_given -> 'resumes')::text <> v_found.p_resumes::text
            or (p_given -> 'proposal')::text <> cmbs_store.resumed_proposal(
                p_state, v_payload -> 'proposal', v_found.p_resumes -> 'item_nos'
            )::text then 'it is not what was asked about'
    end;
end
$$;

ALTER FUNCTION cmbs_store.proposal_fault(p_state cmbs_store.session, p_actor text, p_given jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.proposal_fault(p_state cmbs_store.session, p_actor text, p_given jsonb) IS 'What is wrong with what a recorded proposal was given; null if nothing.';

CREATE FUNCTION cmbs_store.proposal_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '"proposal_id": %s, "decision": %s, "disposition": %s, "reason_code": %s, "reasons": %s, '
        '"items": %s, %s"policy": %s, "audit_event_id": %s, "duplicate": %s',
        coalesce(to_json(p_event_id)::text, 'null'),
        p_payload -> 'decision', p_payload -> 'disposition', p_payload -> 'reason_code',
        p_payload -> 'reasons', p_payload -> 'items',
        '"deferral": ' || (p_payload -> 'deferral')::text || ', ',
        p_payload -> 'policy',
        coalesce(to_json(p_event_id)::text, 'null'),
        p_duplicate::text
    )
$$;

ALTER FUNCTION cmbs_store.proposal_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.proposal_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) IS 'The members of an answer that tell what was decided, as JSON text.';

CREATE FUNCTION cmbs_store.proposal_reasons(p_session cmbs_store.session, p_actor text, p_given jsonb, p_policy cmbs_store.policy, p_token cmbs_store.capability_token, p_ground cmbs_store.ground) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_items jsonb := p_given -> 'proposal' -> 'items';
    v_at timestamptz := (p_given ->> 'decided_at')::timestamptz;
    v_reasons cmbs_store.reason[];
begin
    v_reasons := cmbs_store.session_reasons(
        p_session, (p_given -> 'proposal' ->> 'state_snapshot_id')::uuid
    )
    || cmbs_store.policy_reasons(p_policy)
    || cmbs_store.halt_reasons(p_given)
    || cmbs_store.token_reasons(
        p_session, p_token, p_given -> 'is_token_shown' = 'true', p_actor, v_at
    )
    || cmbs_store.budget_reasons(
        p_session, p_token, v_items, p_policy.settings,
        case
            when p_given ? 'v' then cmbs_store.mode_setting(
                p_policy.settings, cmbs_store.mode_in_force(p_session)
            )
        end
    )
    || cmbs_store.item_reasons(v_items, p_given, p_token, p_policy, p_ground)
    || cmbs_store.together_reasons(p_session, v_items, p_ground);
    if p_given ? 'v' then
        v_reasons := v_reasons || cmbs_store.scheduler_reasons(
            p_session, v_items, p_ground.definitions, p_policy.settings, v_at
        );
    end if;
    return v_reasons;
end
$$;

ALTER FUNCTION cmbs_store.proposal_reasons(p_session cmbs_store.session, p_actor text, p_given jsonb, p_policy cmbs_store.policy, p_token cmbs_store.capability_token, p_ground cmbs_store.ground) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.proposal_reasons(p_session cmbs_store.session, p_actor text, p_given jsonb, p_policy cmbs_store.policy, p_token cmbs_store.capability_token, p_ground cmbs_store.ground) IS 'All that stands against a proposal and its items.';

CREATE FUNCTION cmbs_store.proposal_rows(p_session_id uuid, p_actor text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE
    AS $$
    with item as (
        select i.item_no, i.verdict, p_payload #> array['proposal', 'items', (i.item_no - 1)::text]
            as item
        from jsonb_array_elements(p_payload -> 'items') with ordinality as i (verdict, item_no)
    )
    select 'proposal', jsonb_build_object(
        'actor', p_actor,
        'idempotency_key', p_payload -> 'proposal' -> 'idempotency_key',
        'content_hash', cmbs_store.proposal_digest(p_payload -> 'proposal'),
        'decision', p_payload -> 'decision',
        'disposition', p_payload -> 'disposition',
        'reason_code', p_payload -> 'reason_code'
    )
    union all
    select 'state_delta', jsonb_build_object(
        'item_no', i.item_no,
        'patch', coalesce(i.item -> 'patch', '{}')::text,
        's_core', i.item -> 's_core'
    )
    from item as i
    where i.verdict -> 'effective' = 'true' and i.item ->> 'kind' = 'state_delta'
    union all
    select 'state_value', jsonb_build_object('key', m.key, 'value', m.value)
    from item as i
    cross join lateral jsonb_each(i.item -> 'patch') as m (key, value)
    where i.verdict -> 'effective' = 'true'
    union all
    select 'capability_spending', s.content
    from (
        select count(*) as calls
        from item as i
        where i.verdict -> 'effective' = 'true' and i.item ->> 'kind' = 'tool_call'
    ) as n
    cross join lateral cmbs_store.spending_rows(
        p_session_id, (p_payload ->> 'token_id')::uuid, jsonb_build_object('max_calls', n.calls)
    ) as s (content)
    union all
    select 'interrupt', jsonb_build_object(
        'interrupt_id', i.verdict -> 'interrupt_id',
        'item_no', i.item_no,
        'action_digest', '\x' || (i.verdict #>> '{interrupt,action_digest}'),
        'constraint_keys', i.verdict #> '{interrupt,constraint_keys}',
        'expires_at', (i.verdict #>> '{interrupt,expires_at}')::timestamptz
    )
    from item as i
    where i.verdict ? 'interrupt_id'
    union all
    select w.relation, w.content
    from cmbs_store.offered_rows(p_actor, p_payload) as w
$$;

ALTER FUNCTION cmbs_store.proposal_rows(p_session_id uuid, p_actor text, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.proposal_rows(p_session_id uuid, p_actor text, p_payload jsonb) IS 'The rows that a proposal leaves in the tables of its session.';

CREATE FUNCTION cmbs_store.question(p_verdict jsonb, p_item jsonb, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select jsonb_build_object(
        'interrupt_id',
        cmbs_store.derived_id(
            p_session, p_given, concat_ws(' ', p_verdict ->> 'item_no', p_verdict ->> 'digest')
        ),
        'interrupt', jsonb_build_object(
            'action_digest', case
                when p_given ? 'v' then to_jsonb(encode(cmbs_store.digest_v1(jsonb_build_object(
                    'item', p_item,
                    'state_snapshot_id', p_session.audit_head_event_id,
                    'policy_hash',
                    encode((cmbs_store.policy_in_force(p_session)).policy_hash, 'hex')
                )::text), 'hex'))
                else p_verdict -> 'digest'
            end,
            'constraint_keys', array(
                select distinct r.reason ->> 'key' collate "C"
                from jsonb_array_elements(p_verdict -> 'reasons') as r (reason)
                where r.reason ->> 'disposition' = 'ask' and r.reason ? 'key'
                order by 1
            ),
            'expires_at', cmbs_store.timestamp_v1(
                (p_given ->> 'decided_at')::timestamptz + least(
                    coalesce(
                        (p_settings -> 'policy.interrupts' ->> 'ttl_ms')::bigint, 3600000
                    ),
                    31536000000
                ) * interval '1 millisecond'
            )
        )
    )
$$;

ALTER FUNCTION cmbs_store.question(p_verdict jsonb, p_item jsonb, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.question(p_verdict jsonb, p_item jsonb, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) IS 'The question that a person is asked about an item.';

CREATE FUNCTION cmbs_store.questions(p_items jsonb, p_definitions jsonb) RETURNS TABLE(item_no integer, subjects text[])
    LANGUAGE sql STABLE
    AS $$
    select
        i.item_no::integer,
        case i.item ->> 'kind'
            when 'claim' then array['*', 'c:claim.write.' || (i.item ->> 'claim_kind')]
            else array[
                '*',
                't:' || (i.item ->> 'tool_id'),
                case p_definitions -> (i.item ->> 'tool_id') -> 'mutating'
                    when 'false' then 'c:tool.read' else 'c:tool.write'
                end
            ] || array(
                select 'c:' || a.authority
                from jsonb_array_elements_text(
                    p_definitions -> (i.item ->> 'tool_id') -> 'authorities'
                ) as a (authority)
            )
        end
    from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
    where i.item ->> 'kind' in ('tool_call', 'claim')
    union all
    select i.item_no::integer, array['*', 'c:' || n.capability]
    from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
    cross join lateral (
        select distinct 'state.write.' || split_part(k.key, '.', 1)
        from jsonb_object_keys(i.item -> 'patch') as k (key)
        union all
        select 'state.write.core'
        where i.item ? 's_core'
    ) as n (capability)
    where i.item ->> 'kind' = 'state_delta'
$$;

ALTER FUNCTION cmbs_store.questions(p_items jsonb, p_definitions jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.questions(p_items jsonb, p_definitions jsonb) IS 'Which subjects of constraints apply to some items.';

CREATE FUNCTION cmbs_store.random_id() RETURNS uuid
    LANGUAGE sql
    AS $$ select gen_random_uuid() $$;

ALTER FUNCTION cmbs_store.random_id() OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.random_id() IS 'The one source of randomness of the kernel.';

CREATE FUNCTION cmbs_store.ranks(p_universe_digest bytea, p_ids text[], OUT p_found text[], OUT p_ranks integer[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_id text;
    v_rank integer;
    v_n integer := 0;
begin
    foreach v_id in array array(
        select distinct i.id collate "C" from unnest(p_ids) as i (id) order by 1
    ) loop
        select m.hypothesis_rank
        into v_rank
        from cmbs_store.universe_member as m
        where m.universe_digest = p_universe_digest and m.hypothesis_id = v_id;
        if found then
            v_n := v_n + 1;
            p_found[v_n] := v_id;
            p_ranks[v_n] := v_rank;
        end if;
    end loop;
end
$$;

ALTER FUNCTION cmbs_store.ranks(p_universe_digest bytea, p_ids text[], OUT p_found text[], OUT p_ranks integer[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.ranks(p_universe_digest bytea, p_ids text[], OUT p_found text[], OUT p_ranks integer[]) IS 'Which of the given ids are members of a universe, and their ranks.';

CREATE FUNCTION cmbs_store.read_context(p_context_id text, p_tenant text) RETURNS cmbs_store.context
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_context cmbs_store.context;
begin
    perform cmbs_store.check_context_id('context_id', p_context_id);
    select c.*
    into v_context
    from cmbs_store.context as c
    where c.context_id = p_context_id and (c.tenant = p_tenant or p_tenant = '*');
    if not found then
        perform cmbs_store.refuse_context(p_context_id);
    end if;
    return v_context;
end
$$;

ALTER FUNCTION cmbs_store.read_context(p_context_id text, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.read_context(p_context_id text, p_tenant text) IS 'The row of the elimination context, unlocked. Raises MB001, MB201.';

CREATE FUNCTION cmbs_store.read_event(p_session_id uuid, p_event_id uuid) RETURNS cmbs_store.audit_event
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_event cmbs_store.audit_event;
begin
    select e.*
    into v_event
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
        and e.seq = cmbs_store.event_seq(p_event_id)
        and e.event_id = p_event_id;
    if not found then
        raise exception using
            errcode = 'MB003',
            message = 'There is no such event in this session.',
            detail = json_build_object('session_id', p_session_id, 'event_id', p_event_id)::text,
            hint = 'Take event ids from answers and traces of the same session.';
    end if;
    return v_event;
end
$$;

ALTER FUNCTION cmbs_store.read_event(p_session_id uuid, p_event_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.read_event(p_session_id uuid, p_event_id uuid) IS 'One event of a session by its id. Raises MB003.';

CREATE FUNCTION cmbs_store.read_session(p_session_id uuid, p_tenant text) RETURNS cmbs_store.session
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_session cmbs_store.session;
begin
    if p_session_id is null then
        perform cmbs_store.refuse_request('session_id', 'must be a uuid');
    end if;
    select s.*
    into v_session
    from cmbs_store.session as s
    where s.session_id = p_session_id and (s.tenant = p_tenant or p_tenant = '*');
    if not found then
        perform cmbs_store.refuse_session(p_session_id);
    end if;
    return v_session;
end
$$;

ALTER FUNCTION cmbs_store.read_session(p_session_id uuid, p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.read_session(p_session_id uuid, p_tenant text) IS 'The session row, unlocked. Raises MB001, MB201.';

CREATE FUNCTION cmbs_store.readable_value(p_value text) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_value jsonb;
begin
    v_value := p_value::jsonb;
    return case
        when v_value ? 'v' and jsonb_typeof(v_value) = 'object' then v_value else 'null'
    end;
exception
    when data_exception or statement_too_complex then
        return 'null'::jsonb;
end
$$;

ALTER FUNCTION cmbs_store.readable_value(p_value text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.readable_value(p_value text) IS 'A stored value as JSON; JSON null where it cannot be read.';

CREATE FUNCTION cmbs_store.record_claim(p_session cmbs_store.session, p_caller cmbs_store.principal, p_claim jsonb, p_promotes uuid, p_request_id text, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
    v_payload jsonb := cmbs_store.with_request_id(
        cmbs_store.given(p_session, p_caller), p_request_id
    ) || jsonb_build_object(
        'claim', p_claim, 'promotes', p_promotes, 'claim_id', cmbs_store.random_id()
    );
begin
    v_payload := v_payload || cmbs_store.decide(
        p_session, p_caller.name, v_payload, null, cmbs_store.policy_in_force(p_session)
    );
    if v_payload -> 'reads' ? 'fact.belief.n_survivors_independent' then
        perform cmbs_store.count_claimants(p_session);
    end if;
    p_session := cmbs_store.append_event(
        p_session, p_session.survivors_hash, 'RECORD_CLAIM', p_caller.name,
        null, null, p_request_id, p_notes, v_payload::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session.session_id, p_session.audit_seq, p_caller.name, 'RECORD_CLAIM', v_payload
    );
    return cmbs_store.response(
        cmbs_store.claim_outcome(v_payload, p_session.audit_head_event_id, false),
        p_session, p_minimal
    );
end
$$;

ALTER FUNCTION cmbs_store.record_claim(p_session cmbs_store.session, p_caller cmbs_store.principal, p_claim jsonb, p_promotes uuid, p_request_id text, p_notes text, p_minimal boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.record_claim(p_session cmbs_store.session, p_caller cmbs_store.principal, p_claim jsonb, p_promotes uuid, p_request_id text, p_notes text, p_minimal boolean) IS 'Decide on a claim in a locked session, append its event and answer.';

CREATE FUNCTION cmbs_store.record_fault(p_event cmbs_store.audit_event, p_record jsonb, p_before cmbs_store.session, p_after cmbs_store.session, p_delta text[]) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_payload jsonb := p_record -> 'payload';
begin
    if p_event.record = cmbs_store.record_v1(
        p_event.session_id, p_event.seq, p_event.event_id, p_event.recorded_at,
        p_event.verb, p_event.actor, p_record ->> 'notes', v_payload::text,
        to_jsonb(p_delta)::text, p_before.survivors_hash, p_after.survivors_hash,
        p_before.audit_head_hash
    )
        and cmbs_store.event_seq(p_event.event_id) = p_event.seq
        and p_event.source_id is not distinct from v_payload ->> 'source_id'
        and p_event.observation_id is not distinct from v_payload ->> 'observation_id'
        and p_event.request_id is not distinct from v_payload ->> 'request_id'
    then
        return null;
    end if;
    return case
        when p_record -> 'delta' -> 'eliminated' is distinct from to_jsonb(p_delta)
            then 'the delta is not what was asked for and survived'
        when p_record ->> 'survivors_after_hash'
            is distinct from encode(p_after.survivors_hash, 'hex')
            then 'the survivors hash is not that of the survivors'
        else 'the record and its columns are not the same'
    end;
end
$$;

ALTER FUNCTION cmbs_store.record_fault(p_event cmbs_store.audit_event, p_record jsonb, p_before cmbs_store.session, p_after cmbs_store.session, p_delta text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.record_fault(p_event cmbs_store.audit_event, p_record jsonb, p_before cmbs_store.session, p_after cmbs_store.session, p_delta text[]) IS 'What is wrong with one record, null if nothing.';

CREATE FUNCTION cmbs_store.record_proposal(INOUT p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, OUT p_payload jsonb) RETURNS record
    LANGUAGE plpgsql
    AS $$
begin
    p_payload := p_given || cmbs_store.decide_twice(p_session, p_actor, p_given, null);
    if p_payload -> 'reads' ? 'fact.belief.n_survivors_independent' then
        perform cmbs_store.count_claimants(p_session);
    end if;
    p_session := cmbs_store.append_event(
        p_session, p_session.survivors_hash, 'PROPOSE', p_actor,
        null, null, p_given ->> 'request_id', p_notes, p_payload::text, '[]'
    );
    perform cmbs_store.project_event(
        p_session.session_id, p_session.audit_seq, p_actor, 'PROPOSE', p_payload
    );
end
$$;

ALTER FUNCTION cmbs_store.record_proposal(INOUT p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, OUT p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.record_proposal(INOUT p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, OUT p_payload jsonb) IS 'Decide on a proposal in a locked session, append its event and write what follows.';

CREATE FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN format('{"v": 1, "ts": "%s", "seq": %s, "verb": "%s", "actor": %s, "delta": {"eliminated": %s}%s, "payload": %s, "event_id": "%s", "session_id": "%s", "prev_event_hash": "%s", "survivors_after_hash": "%s", "survivors_before_hash": "%s"}'::text, cmbs_store.timestamp_v1(p_at), p_seq, p_verb, to_json(p_actor), p_eliminated, (', "notes": '::text || (to_json(p_notes))::text), p_payload, p_event_id, p_session_id, encode(p_previous, 'hex'::text), encode(p_after, 'hex'::text), encode(p_before, 'hex'::text));

ALTER FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) IS 'The canonical text of one event.';

CREATE FUNCTION cmbs_store.recorded_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_content jsonb) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select cmbs_store.outcome(e.record::jsonb -> 'payload', e.event_id, true)
    from cmbs_store.interrupt_resolution as r
    inner join cmbs_store.audit_event as e on e.session_id = r.session_id and e.seq = r.seq
    where r.session_id = p_session.session_id
        and r.interrupt_id = p_interrupt.interrupt_id
        and r.actor = p_actor
        and e.record::jsonb -> 'payload' @> p_content
$$;

ALTER FUNCTION cmbs_store.recorded_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_content jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_content jsonb) IS 'The recorded outcome of the same answer to a question by the same principal; null if it is new.';

CREATE FUNCTION cmbs_store.recorded_claim(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if cmbs_store.recorded_message(
        p_session.session_id, p_request_id, 'RECORD_CLAIM', p_content
    ) is null then
        return null;
    end if;
    return (
        select cmbs_store.response(
            cmbs_store.claim_outcome(e.record::jsonb -> 'payload', e.event_id, true),
            p_session, p_minimal
        )
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.request_id = p_request_id
    );
end
$$;

ALTER FUNCTION cmbs_store.recorded_claim(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_claim(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) IS 'The answer to a claim that was made before under the same request id; null if it is new. Raises MB102.';

CREATE FUNCTION cmbs_store.recorded_completion(p_session cmbs_store.session, p_permit cmbs_store.permit, p_content jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_event cmbs_store.audit_event;
begin
    select e.*
    into v_event
    from cmbs_store.permit_end as d
    inner join cmbs_store.audit_event as e on e.session_id = d.session_id and e.seq = d.seq
    where d.session_id = p_session.session_id and d.permit_id = p_permit.permit_id;
    if not found then
        return null;
    elsif ((v_event.record::jsonb -> 'payload') - 'request_id')::text <> p_content::text then
        perform cmbs_store.refuse_execution('PERMIT_COMPLETED', jsonb_build_object(
            'permit_id', p_permit.permit_id, 'audit_event_id', v_event.event_id
        ));
    end if;
    return cmbs_store.outcome(
        v_event.record::jsonb -> 'payload', v_event.event_id, true
    );
end
$$;

ALTER FUNCTION cmbs_store.recorded_completion(p_session cmbs_store.session, p_permit cmbs_store.permit, p_content jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_completion(p_session cmbs_store.session, p_permit cmbs_store.permit, p_content jsonb) IS 'The recorded outcome of an execution that ended before in the same way; null if it did not end.';

CREATE FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text, p_arbitration jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_event_id uuid;
    v_metadata text;
    v_arbitration jsonb;
begin
    select
        e.event_id,
        e.record::jsonb -> 'payload' ->> 'metadata',
        ((e.record::jsonb -> 'payload' -> 'arbitration') - 'policy_hash')
            #- '{shadow, policy_hash}'
    into strict v_event_id, v_metadata, v_arbitration
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = 1;
    if p_session.ontology <> p_ontology::text
        or p_session.universe_digest is distinct from p_universe_digest
        or p_session.policy_as_sent is distinct from p_policy_as_sent
        or v_metadata is distinct from p_metadata
        or v_arbitration is distinct from p_arbitration
    then
        raise exception using
            errcode = 'MB102',
            message = 'This session id was declared with another request.',
            detail = json_build_object(
                'audit_event_id', v_event_id, 'session_id', p_session.session_id
            )::text,
            hint = 'Give a new session its own id.';
    end if;
    return format(
        '"session_id": "%s", "audit_event_id": "%s", "duplicate": true',
        p_session.session_id, v_event_id
    );
end
$$;

ALTER FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text, p_arbitration jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text, p_arbitration jsonb) IS 'The recorded outcome of a repeated declare. Raises MB102.';

CREATE FUNCTION cmbs_store.recorded_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[]) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_event_id uuid;
    v_record jsonb;
begin
    select e.event_id, e.record::jsonb
    into v_event_id, v_record
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
        and e.source_id = p_source_id
        and e.observation_id = p_observation_id;
    if not found then
        return null;
    end if;
    return cmbs_store.repeated_elimination(
        v_event_id, p_source_id, p_observation_id,
        v_record -> 'payload' -> 'eliminated', v_record -> 'delta' -> 'eliminated', p_eliminated
    );
end
$$;

ALTER FUNCTION cmbs_store.recorded_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[]) IS 'The recorded outcome of a repeated ELIMINATE; null if it is new. Raises MB102.';

CREATE FUNCTION cmbs_store.recorded_issue(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if cmbs_store.recorded_message(
        p_session.session_id, p_request_id, 'TOKEN_ISSUE', p_content
    ) is null then
        return null;
    end if;
    return (
        select cmbs_store.response(
            format(
                '"token_id": %s, "secret": null, "audit_event_id": "%s", "duplicate": true',
                e.record::jsonb #> '{payload,token_id}', e.event_id
            ),
            p_session, p_minimal
        )
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.request_id = p_request_id
    );
end
$$;

ALTER FUNCTION cmbs_store.recorded_issue(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_issue(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) IS 'The answer to a token that was issued before under the same request id, without its secret. Raises MB102.';

CREATE FUNCTION cmbs_store.recorded_message(p_session_id uuid, p_request_id text, p_verb text, p_content jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_event_id uuid;
    v_verb text;
    v_payload jsonb;
begin
    if p_request_id is null then
        return null;
    end if;
    select e.event_id, e.verb, e.record::jsonb -> 'payload'
    into v_event_id, v_verb, v_payload
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id and e.request_id = p_request_id;
    if not found then
        return null;
    end if;
    if v_verb <> p_verb or not v_payload @> p_content then
        raise exception using
            errcode = 'MB102',
            message = 'This request id was used for another message.',
            detail = json_build_object(
                'audit_event_id', v_event_id, 'request_id', p_request_id
            )::text,
            hint = 'Give a new message its own request id.';
    end if;
    return cmbs_store.outcome(v_payload, v_event_id, true);
end
$$;

ALTER FUNCTION cmbs_store.recorded_message(p_session_id uuid, p_request_id text, p_verb text, p_content jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_message(p_session_id uuid, p_request_id text, p_verb text, p_content jsonb) IS 'The recorded outcome of a repeated message; null if it is new. Raises MB102.';

CREATE FUNCTION cmbs_store.recorded_proposal(p_session_id uuid, p_actor text, p_proposal jsonb, OUT p_payload jsonb, OUT p_event_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
begin
    select e.record::jsonb -> 'payload', e.event_id
    into p_payload, p_event_id
    from (
        select p.seq, p.content_hash
        from cmbs_store.proposal as p
        where p.session_id = p_session_id
            and p.actor = p_actor
            and p.idempotency_key = p_proposal ->> 'idempotency_key'
        order by p.seq
        limit 1
    ) as f
    inner join cmbs_store.audit_event as e on e.session_id = p_session_id and e.seq = f.seq
    where f.content_hash = cmbs_store.proposal_digest(p_proposal);
end
$$;

ALTER FUNCTION cmbs_store.recorded_proposal(p_session_id uuid, p_actor text, p_proposal jsonb, OUT p_payload jsonb, OUT p_event_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_proposal(p_session_id uuid, p_actor text, p_proposal jsonb, OUT p_payload jsonb, OUT p_event_id uuid) IS 'The recorded answer to a proposal that was made before under the same key; null if it is new.';

CREATE FUNCTION cmbs_store.recorded_resume(p_session cmbs_store.session, p_request_id text, p_actor text, p_seq bigint, p_items jsonb, OUT p_payload jsonb, OUT p_event_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_actor text;
    v_outcome text := cmbs_store.recorded_message(
        p_session.session_id, p_request_id, 'PROPOSE',
        jsonb_build_object('resumes', jsonb_build_object('seq', p_seq))
    );
begin
    if v_outcome is null then
        return;
    end if;
    select e.record::jsonb -> 'payload', e.event_id, e.actor
    into p_payload, p_event_id, v_actor
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.request_id = p_request_id;
    if v_actor <> p_actor then
        perform cmbs_store.refuse_execution(
            'APPROVAL_HOLDER_MISMATCH', jsonb_build_object('proposer', v_actor)
        );
    elsif not cmbs_store.is_same_action(
        cmbs_store.event_payload(p_session.session_id, p_seq), p_payload -> 'resumes', p_items
    ) then
        perform cmbs_store.refuse_execution('APPROVAL_ACTION_MISMATCH', '{}');
    end if;
end
$$;

ALTER FUNCTION cmbs_store.recorded_resume(p_session cmbs_store.session, p_request_id text, p_actor text, p_seq bigint, p_items jsonb, OUT p_payload jsonb, OUT p_event_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_resume(p_session cmbs_store.session, p_request_id text, p_actor text, p_seq bigint, p_items jsonb, OUT p_payload jsonb, OUT p_event_id uuid) IS 'The recorded verdict on a proposal that went on by the same message; null if it is new.';

CREATE FUNCTION cmbs_store.refusal_of_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select case
        when exists (
            select
            from cmbs_store.proposal as p
            where p.session_id = p_session.session_id
                and p.seq = p_interrupt.seq
                and p.actor = p_actor
        ) then 'APPROVAL_OWN_REQUEST'
        else case s.state
            when 'pending' then null
            when 'superseded' then 'APPROVAL_SUPERSEDED'
            when 'expired' then 'APPROVAL_EXPIRED'
            else 'APPROVAL_RESOLVED'
        end
    end
    from cmbs_store.interrupt_state(p_session, p_interrupt, p_at) as s (state)
$$;

ALTER FUNCTION cmbs_store.refusal_of_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refusal_of_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_at timestamp with time zone) IS 'Why a question does not take an answer by somebody, as a reason code; null if it does.';

CREATE FUNCTION cmbs_store.refuse_batch(p_state text, p_text text, p_detail text, p_hint text, p_index integer, p_recorded bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_details jsonb;
begin
    if p_state !~ '^MB' then
        p_state := 'MB201';
        p_text := 'The request is not valid.';
        p_detail := '{"problem": "holds a value that cannot be stored"}';
        p_hint := 'See details for the message; nothing was changed.';
    end if;
    v_details := jsonb_set(p_detail::jsonb, '{index}', to_jsonb(p_index));
    if cmbs_store.event_seq((v_details ->> 'audit_event_id')::uuid) > p_recorded then
        v_details := v_details - 'audit_event_id';
    end if;
    raise exception using
        errcode = p_state,
        message = p_text,
        detail = v_details::text,
        hint = p_hint;
end
$$;

ALTER FUNCTION cmbs_store.refuse_batch(p_state text, p_text text, p_detail text, p_hint text, p_index integer, p_recorded bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_batch(p_state text, p_text text, p_detail text, p_hint text, p_index integer, p_recorded bigint) IS 'End a batch with the error of one of its messages.';

CREATE FUNCTION cmbs_store.refuse_caller(p_problem text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB302',
        message = 'The caller may not do this.',
        detail = json_build_object('problem', p_problem)::text,
        hint = 'See details for the reason, and ask an administrator.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_caller(p_problem text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_caller(p_problem text) IS 'End the call: this caller may not call. Raises MB302.';

CREATE FUNCTION cmbs_store.refuse_change() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'insufficient_privilege',
        message = 'This table is append-only.',
        detail = json_build_object('table', tg_table_name, 'operation', tg_op)::text;
end
$$;

ALTER FUNCTION cmbs_store.refuse_change() OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.refuse_change() IS 'Trigger: refuse every UPDATE, DELETE and TRUNCATE.';

CREATE FUNCTION cmbs_store.refuse_context(p_context_id text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB001',
        message = 'There is no such elimination context.',
        detail = json_build_object('context_id', p_context_id)::text,
        hint = 'Create it first, or check the id.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_context(p_context_id text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_context(p_context_id text) IS 'End the call: the elimination context does not exist. Raises MB001.';

CREATE FUNCTION cmbs_store.refuse_credential(p_problem text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB301',
        message = 'Who calls is not known.',
        detail = json_build_object('credential', p_problem)::text,
        hint = 'Show a token that is valid here; administrators make them.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_credential(p_problem text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_credential(p_problem text) IS 'End the call: the credential is nobodys. Raises MB301.';

CREATE FUNCTION cmbs_store.refuse_execution(p_code text, p_detail jsonb) RETURNS void
    LANGUAGE plpgsql STABLE
    AS $$
begin
    raise exception using
        errcode = 'MB102',
        message = 'What this goes on with does not let it.',
        detail = (
            jsonb_build_object('reason_code', p_code, 'why', (
                select r.description from cmbs_store.reason_code as r where r.code = p_code
            )) || p_detail
        )::text,
        hint = 'Read the permit or the question again; a new proposal gets a new verdict.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_execution(p_code text, p_detail jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_execution(p_code text, p_detail jsonb) IS 'End a call: what it goes on with does not let it.';

CREATE FUNCTION cmbs_store.refuse_import(p_session_id uuid, p_seq bigint, p_problem text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB201',
        message = 'The records are not a log, or do not continue the one that is here.',
        detail = json_build_object(
            'session_id', p_session_id, 'seq', p_seq, 'problem', p_problem
        )::text,
        hint = 'Verify the file that they come from; nothing was changed.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_import(p_session_id uuid, p_seq bigint, p_problem text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_import(p_session_id uuid, p_seq bigint, p_problem text) IS 'End an import: an event is not one that this log can have. Raises MB201.';

CREATE FUNCTION cmbs_store.refuse_lookup(p_kind text, p_detail json) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    if p_kind = 'policy' then
        raise exception using
            errcode = 'MB007',
            message = 'There is no such version of a policy pack.',
            detail = p_detail::text,
            hint = 'List the packs and their versions, or publish one.';
    elsif p_kind = 'tool' then
        raise exception using
            errcode = 'MB008',
            message = 'There is no such tool.',
            detail = p_detail::text,
            hint = 'List the tools, or register it.';
    elsif p_kind = 'schema' then
        raise exception using
            errcode = 'MB009',
            message = 'There is no such schema.',
            detail = p_detail::text,
            hint = 'List the schemas, or register it.';
    elsif p_kind = 'permit' then
        raise exception using
            errcode = 'MB011',
            message = 'There is no such permit in this session.',
            detail = p_detail::text,
            hint = 'Take the ids of permits from answers to proposals of the same session.';
    elsif p_kind = 'interrupt' then
        raise exception using
            errcode = 'MB012',
            message = 'There is no such question in this session.',
            detail = p_detail::text,
            hint = 'List the questions of the session, or the inbox.';
    end if;
    raise exception using
        errcode = 'MB010',
        message = 'There is no such claim in this session.',
        detail = p_detail::text,
        hint = 'Take the ids of claims from answers of the same session.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_lookup(p_kind text, p_detail json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_lookup(p_kind text, p_detail json) IS 'End the call: what was named is not there. Raises MB007, MB008, MB009, MB010, MB011, MB012.';

CREATE FUNCTION cmbs_store.refuse_name(p_name text, p_problem text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB102',
        message = 'This name cannot be given to a new principal.',
        detail = json_build_object('name', p_name, 'problem', p_problem)::text,
        hint = 'Choose another name, or change the principal that has it.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_name(p_name text, p_problem text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_name(p_name text, p_problem text) IS 'End the call: a principal cannot have this name. Raises MB102.';

CREATE FUNCTION cmbs_store.refuse_request(p_member text, p_problem text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB201',
        message = 'The request is not valid.',
        detail = json_build_object('member', p_member, 'problem', p_problem)::text,
        hint = 'See details for the member and what is wrong with it; nothing was changed.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_request(p_member text, p_problem text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_request(p_member text, p_problem text) IS 'End the call: a member of the request is missing or malformed. Raises MB201.';

CREATE FUNCTION cmbs_store.refuse_role(p_caller cmbs_store.principal, p_verb text, p_roles text[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB302',
        message = 'The principal does not have the role that this takes.',
        detail = json_build_object(
            'principal', p_caller.name, 'roles', p_caller.roles,
            'verb', p_verb, 'required_roles', p_roles
        )::text,
        hint = 'Ask an administrator for one of the required roles.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_role(p_caller cmbs_store.principal, p_verb text, p_roles text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_role(p_caller cmbs_store.principal, p_verb text, p_roles text[]) IS 'End the call: the principal lacks a role. Raises MB302.';

CREATE FUNCTION cmbs_store.refuse_session(p_session_id uuid) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB001',
        message = 'There is no such session.',
        detail = json_build_object('session_id', p_session_id)::text,
        hint = 'Declare it first, or check the id.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_session(p_session_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_session(p_session_id uuid) IS 'End the call: the session does not exist. Raises MB001.';

CREATE FUNCTION cmbs_store.refuse_size(p_member text, p_limit text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB203',
        message = 'The request is too large.',
        detail = json_build_object('member', p_member, 'limit', p_limit)::text,
        hint = 'Send less in one message; nothing was changed.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_size(p_member text, p_limit text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_size(p_member text, p_limit text) IS 'End the call: a member of the request is too large. Raises MB203.';

CREATE FUNCTION cmbs_store.refuse_space(p_hypothesis_space_id text, p_hypothesis_version text) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    raise exception using
        errcode = 'MB004',
        message = 'There is no such hypothesis space.',
        detail = json_build_object(
            'hypothesis_space_id', p_hypothesis_space_id,
            'hypothesis_version', p_hypothesis_version
        )::text,
        hint = 'Register the space in this version, or send the hypotheses with the declare.';
end
$$;

ALTER FUNCTION cmbs_store.refuse_space(p_hypothesis_space_id text, p_hypothesis_version text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_space(p_hypothesis_space_id text, p_hypothesis_version text) IS 'End the call: the space is not registered. Raises MB004.';

CREATE FUNCTION cmbs_store.refuse_unknown(p_number integer, p_numbers integer[], p_ids text[], p_ranks integer[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    perform cmbs_store.check_known(
        array(
            select i.id
            from unnest(p_numbers, p_ids, p_ranks) as i (message_no, id, hypothesis_rank)
            where i.message_no = p_number and i.hypothesis_rank is null
        ),
        '{}'
    );
end
$$;

ALTER FUNCTION cmbs_store.refuse_unknown(p_number integer, p_numbers integer[], p_ids text[], p_ranks integer[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.refuse_unknown(p_number integer, p_numbers integer[], p_ids text[], p_ranks integer[]) IS 'End a batch for the ids of one of its messages that are outside the universe. Raises MB202.';

CREATE FUNCTION cmbs_store.registered_tool(p_tenant text, p_tool_id text, p_tool_hash bytea, p_by text) RETURNS json
    LANGUAGE plpgsql
    AS $$
declare
    v_last cmbs_store.tool_registration;
    v_is_new boolean := true;
begin
    loop
        select t.*
        into v_last
        from cmbs_store.tool_registration as t
        where t.tenant = p_tenant and t.tool_id = p_tool_id
        order by t.registration_no desc
        limit 1;
        v_is_new := not found or v_last.tool_hash is distinct from p_tool_hash;
        exit when not v_is_new;
        insert into cmbs_store.tool_registration (
            tenant, tool_id, registration_no, tool_hash, registered_at, registered_by
        )
        values (
            p_tenant, p_tool_id, coalesce(v_last.registration_no, 0) + 1, p_tool_hash,
            cmbs_store.clock(), p_by
        )
        on conflict (tenant, tool_id, registration_no) do nothing;
        exit when found;
    end loop;
    return json_build_object(
        'tool_id', p_tool_id,
        'tool_hash', encode(p_tool_hash, 'hex'),
        'withdrawn', p_tool_hash is null,
        'duplicate', not v_is_new
    );
end
$$;

ALTER FUNCTION cmbs_store.registered_tool(p_tenant text, p_tool_id text, p_tool_hash bytea, p_by text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.registered_tool(p_tenant text, p_tool_id text, p_tool_hash bytea, p_by text) IS 'Let a definition count for a tool from now on; none withdraws it.';

CREATE FUNCTION cmbs_store.remaining_reasons(p_session cmbs_store.session, p_items jsonb, p_verdict jsonb, p_ground cmbs_store.ground) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE
    AS $$
    select array(
        select (null, r.stage, r.code, r.key, r.disposition, r.detail)::cmbs_store.reason
        from unnest(cmbs_store.together_reasons(
            p_session,
            (
                select jsonb_agg(p_items -> (k.item ->> 'item_no')::integer - 1 order by k.no)
                from jsonb_array_elements(p_verdict -> 'items') with ordinality as k (item, no)
                where k.item -> 'effective' = 'true'
            ),
            p_ground
        )) as r
    )
$$;

ALTER FUNCTION cmbs_store.remaining_reasons(p_session cmbs_store.session, p_items jsonb, p_verdict jsonb, p_ground cmbs_store.ground) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.remaining_reasons(p_session cmbs_store.session, p_items jsonb, p_verdict jsonb, p_ground cmbs_store.ground) IS 'What stands against those items of a proposal that are allowed, without the others.';

CREATE FUNCTION cmbs_store.removed_without(p_session_id uuid, p_without_source text, p_without_observation text) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_removed bigint;
begin
    select count(*)
    into v_removed
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
        and cmbs_store.is_left_out(
            e.source_id, e.observation_id, p_without_source, p_without_observation
        );
    if v_removed = 0 then
        raise exception using
            errcode = 'MB003',
            message = 'The session has no such message.',
            detail = json_build_object(
                'session_id', p_session_id,
                'source_id', p_without_source,
                'observation_id', p_without_observation
            )::text,
            hint = 'Take source and observation ids from the log of the session.';
    end if;
    return v_removed;
end
$$;

ALTER FUNCTION cmbs_store.removed_without(p_session_id uuid, p_without_source text, p_without_observation text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.removed_without(p_session_id uuid, p_without_source text, p_without_observation text) IS 'The number of messages that are thought away. Raises MB003.';

CREATE FUNCTION cmbs_store.repeated_elimination(p_event_id uuid, p_source_id text, p_observation_id text, p_sent jsonb, p_applied jsonb, p_eliminated text[]) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_sent text[] := array(select jsonb_array_elements_text(p_sent));
begin
    if v_sent <> p_eliminated
        and (
            cardinality(cmbs_store.ids_without(v_sent, p_eliminated)) > 0
            or cardinality(cmbs_store.ids_without(p_eliminated, v_sent)) > 0
        )
    then
        raise exception using
            errcode = 'MB102',
            message = 'This observation was recorded with other content.',
            detail = json_build_object(
                'audit_event_id', p_event_id,
                'source_id', p_source_id,
                'observation_id', p_observation_id
            )::text,
            hint = 'Give a new observation its own observation_id.';
    end if;
    return cmbs_store.elimination_outcome(
        p_applied::text,
        cmbs_store.ids_without(v_sent, array(select jsonb_array_elements_text(p_applied))),
        p_event_id,
        true
    );
end
$$;

ALTER FUNCTION cmbs_store.repeated_elimination(p_event_id uuid, p_source_id text, p_observation_id text, p_sent jsonb, p_applied jsonb, p_eliminated text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.repeated_elimination(p_event_id uuid, p_source_id text, p_observation_id text, p_sent jsonb, p_applied jsonb, p_eliminated text[]) IS 'The outcome of an ELIMINATE message that repeats another. Raises MB102.';

CREATE FUNCTION cmbs_store.replay(p_session cmbs_store.session, p_until bigint, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_ids text[], OUT p_id_seqs bigint[], OUT p_rows text[], OUT p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_event cmbs_store.audit_event;
    v_record jsonb;
    v_before cmbs_store.session;
    v_step record;
    v_delta text[];
begin
    for v_event in
        select e.*
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.seq < p_until
        order by e.seq
    loop
        p_seq := v_event.seq;
        v_record := v_event.record::jsonb;
        v_delta := '{}';
        p_reason := cmbs_store.payload_fault(v_event.verb, v_record);
        if p_reason is not null then
            return;
        end if;
        v_before := p_state;
        p_state.audit_seq := v_event.seq;
        if v_event.seq = 1 then
            v_step := cmbs_store.replay_declare(p_session, v_record, p_known_universe);
            p_state := v_step.p_state;
            p_state.declared_at := v_event.recorded_at;
            p_reason := v_step.p_fault;
            v_before := p_state;
            v_before.audit_head_hash := decode(repeat('00', 32), 'hex');
            if p_reason is not null then
                return;
            end if;
            v_before.survivors_hash := cmbs_store.survivors_hash_v1(
                p_state.universe_digest, cmbs_store.mask_v1(p_state.n_hypotheses, false)
            );
        elsif v_before.is_terminated and v_event.verb <> 'COMPLETE_EXECUTION' then
            p_reason := 'the session was terminated before this event';
        elsif v_event.recorded_at < v_before.audit_head_at then
            p_reason := 'the event is earlier than the one before it';
        elsif v_event.verb = 'ELIMINATE' then
            v_step := cmbs_store.replay_elimination(p_state, v_record -> 'payload');
            p_state := v_step.p_state;
            v_delta := v_step.p_delta;
            p_reason := v_step.p_fault;
            for v_i in 1 .. cardinality(v_delta) loop
                p_ids[coalesce(cardinality(p_ids), 0) + 1] := v_delta[v_i];
                p_id_seqs[cardinality(p_ids)] := v_event.seq;
            end loop;
        elsif cmbs_store.is_arbitration(v_event.verb) then
            p_reason := cmbs_store.replay_arbitration(v_before, v_event, v_record -> 'payload');
        else
            v_step := cmbs_store.replay_gate(p_state, v_event.verb, v_record -> 'payload');
            p_state := v_step.p_state;
            p_reason := v_step.p_fault;
            p_rows := array_append(p_rows, cmbs_store.gate_row(
                v_before, p_state, v_event.verb, v_record -> 'payload'
            ));
            p_row_seqs := array_append(p_row_seqs, v_event.seq);
        end if;
        p_reason := coalesce(
            p_reason, cmbs_store.record_fault(v_event, v_record, v_before, p_state, v_delta)
        );
        if p_reason is not null then
            return;
        end if;
        p_state.audit_head_event_id := v_event.event_id;
        p_state.audit_head_hash := v_event.event_hash;
        p_state.audit_head_at := v_event.recorded_at;
    end loop;
    p_seq := null;
exception
    when data_exception or null_value_not_allowed or statement_too_complex then
        p_reason := 'the record cannot be read';
end
$$;

ALTER FUNCTION cmbs_store.replay(p_session cmbs_store.session, p_until bigint, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_ids text[], OUT p_id_seqs bigint[], OUT p_rows text[], OUT p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.replay(p_session cmbs_store.session, p_until bigint, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_ids text[], OUT p_id_seqs bigint[], OUT p_rows text[], OUT p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) IS 'Replay the log of a session up to an event; name the first event that differs.';

CREATE FUNCTION cmbs_store.replay_arbitration(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_at timestamptz := (p_payload ->> 'decided_at')::timestamptz;
    v_fault text;
begin
    -- What cannot become a row cannot be read: told here, where the event is known.
    perform cmbs_store.normal_row(r.relation, r.content)
    from cmbs_store.projection(
        p_event.session_id, p_event.seq, p_event.actor, p_event.verb, p_payload
    ) as r;
    if p_payload ? 'decided_at' and (
        v_at > p_event.recorded_at or v_at < p_state.audit_head_at
        or p_payload ->> 'decided_at' <> cmbs_store.timestamp_v1(v_at)
    ) then
        return 'the decision was not taken between the event before and this one';
    elsif p_event.verb = 'TOKEN_ISSUE' and p_payload ->> 'parent_id' is not null then
        v_fault := cmbs_store.attenuation_fault(
            p_state, cmbs_store.capability(p_state, (p_payload ->> 'parent_id')::uuid),
            p_payload, v_at
        );
        return 'the token is wider than the one that it is made from: ' || v_fault;
    elsif p_event.verb = 'TOKEN_REVOKE' then
        perform cmbs_store.capability(p_state, (p_payload ->> 'token_id')::uuid);
        return null;
    elsif p_event.verb = 'POLICY_APPLY' then
        return case
            when p_payload @> cmbs_store.apply_verdict(
                p_state, p_event.actor, decode(p_payload ->> 'policy_hash', 'hex'), p_payload
            ) then null
            else 'the recorded decision is not the one that follows'
        end;
    elsif cmbs_store.is_execution(p_event.verb) then
        return cmbs_store.replay_execution(p_state, p_event, p_payload);
    elsif p_event.verb in ('PROPOSE', 'RECORD_CLAIM') then
        return cmbs_store.replay_verdict(p_state, p_event, p_payload);
    end if;
    return null;
exception
    when sqlstate 'MB006' then
        return 'the token is not one of the session';
end
$$;

ALTER FUNCTION cmbs_store.replay_arbitration(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.replay_arbitration(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) IS 'Decide one event of arbitration again, and say how the recorded decision is another.';

CREATE FUNCTION cmbs_store.replay_declare(p_session cmbs_store.session, p_record jsonb, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_payload jsonb := p_record -> 'payload';
    v_policy jsonb := v_payload -> 'policy';
begin
    p_state.session_id := p_session.session_id;
    p_state.policy_as_sent := p_session.policy_as_sent;
    -- A record does not say whose the session is.
    p_state.tenant := p_session.tenant;
    p_state.universe_digest := decode(v_payload ->> 'universe_digest', 'hex');
    p_state.n_hypotheses := (v_payload ->> 'n_hypotheses')::integer;
    p_state.stability_window := (v_policy ->> 'stability_window')::integer;
    p_state.validate_hypotheses := (v_policy ->> 'validate_hypotheses')::boolean;
    p_state.allow_forced_termination := (v_policy ->> 'allow_forced_termination')::boolean;
    p_state.hypothesis_space_id := v_payload -> 'ontology' ->> 'hypothesis_space_id';
    p_state.ontology := (v_payload -> 'ontology')::text;
    p_state.audit_seq := 1;
    p_state.n_survivors := p_state.n_hypotheses;
    p_state.is_terminated := false;
    p_state.conclusion_run := 0;
    if p_record ->> 'verb' is distinct from 'DECLARE_SESSION' then
        p_fault := 'the log does not begin with DECLARE_SESSION';
    elsif not coalesce(p_session.policy_as_sent::jsonb <@ v_policy, true) then
        p_fault := 'the stored policy as sent is not that of the log';
    elsif encode(p_state.universe_digest, 'hex') <> v_payload ->> 'universe_digest' then
        p_fault := 'the digest of the universe is not in lower-case hexadecimal';
    elsif not cmbs_store.is_universe(
        p_state.universe_digest, p_state.n_hypotheses, p_known_universe
    ) then
        p_fault := 'the stored universe is not the declared one';
    else
        p_state.mask := cmbs_store.mask_v1(p_state.n_hypotheses, true);
        p_state.survivors_hash :=
            cmbs_store.survivors_hash_v1(p_state.universe_digest, p_state.mask);
    end if;
end
$$;

ALTER FUNCTION cmbs_store.replay_declare(p_session cmbs_store.session, p_record jsonb, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_fault text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.replay_declare(p_session cmbs_store.session, p_record jsonb, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_fault text) IS 'The state right after event 1, from its record alone.';

CREATE FUNCTION cmbs_store.replay_elimination(INOUT p_state cmbs_store.session, p_payload jsonb, OUT p_delta text[], OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_sent text[] := array(select jsonb_array_elements_text(p_payload -> 'eliminated'));
    v_known record := cmbs_store.ranks(p_state.universe_digest, v_sent);
    v_cleared record;
begin
    if p_state.validate_hypotheses
        and cardinality(cmbs_store.ids_without(v_sent, v_known.p_found)) > 0
    then
        p_fault := 'an id was accepted that is not a hypothesis';
    end if;
    v_cleared := cmbs_store.clear_bits(p_state.mask, v_known.p_found, v_known.p_ranks);
    p_delta := v_cleared.p_cleared_ids;
    if cardinality(p_delta) > 0 then
        p_state.mask := v_cleared.p_cleared_mask;
        p_state.n_survivors := p_state.n_survivors - cardinality(p_delta);
        p_state.survivors_hash :=
            cmbs_store.survivors_hash_v1(p_state.universe_digest, p_state.mask);
    end if;
end
$$;

ALTER FUNCTION cmbs_store.replay_elimination(INOUT p_state cmbs_store.session, p_payload jsonb, OUT p_delta text[], OUT p_fault text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.replay_elimination(INOUT p_state cmbs_store.session, p_payload jsonb, OUT p_delta text[], OUT p_fault text) IS 'Apply one ELIMINATE event again.';

CREATE FUNCTION cmbs_store.replay_execution(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_at timestamptz := (p_payload ->> 'decided_at')::timestamptz;
    v_permit cmbs_store.permit;
    v_origin jsonb;
    v_found record;
begin
    if p_event.verb = 'SET_MODE' then
        return case
            when cmbs_store.mode_setting('{}', p_payload ->> 'mode') is null
                then 'there is no such mode'
        end;
    elsif p_event.verb = 'RESOLVE_INTERRUPT' then
        return cmbs_store.answer_fault(p_state, p_event.actor, p_payload, v_at);
    elsif p_event.verb = 'SWEEP_EXPIRED' then
        return cmbs_store.sweep_fault(p_state, p_payload, v_at);
    end if;
    v_permit := cmbs_store.permit_of(p_state, (p_payload ->> 'permit_id')::uuid);
    if p_event.verb = 'COMPLETE_EXECUTION' then
        return cmbs_store.completion_fault(p_state, p_event.actor, v_permit, p_payload);
    end if;
    v_origin := cmbs_store.event_payload(p_state.session_id, v_permit.seq);
    v_found := cmbs_store.begin_verdict(
        p_state, v_permit, v_origin, p_payload, p_payload
    );
    return case
        when v_found.p_code is not null
            then 'the execution could not be begun: ' || v_found.p_code
        when (p_payload - array['permit_id', 'roles', 'decided_at', 'request_id'])::text
            <> v_found.p_basis::text
            then 'the recorded decision is not the one that follows'
    end;
exception
    when sqlstate 'MB011' or sqlstate 'MB012' then
        return 'what it goes on with is not one of the session';
end
$$;

ALTER FUNCTION cmbs_store.replay_execution(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.replay_execution(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) IS 'Decide an event of execution, approval or upkeep again; what is wrong with it, or null.';

CREATE FUNCTION cmbs_store.replay_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_decision record := cmbs_store.decide_gate(p_state, p_verb, p_payload);
begin
    p_state := v_decision.p_state;
    if v_decision.p_error is not null then
        p_fault := case v_decision.p_error
            when 'CONFLICT' then 'an obligation was entered while another was active'
            when 'OBLIGATION_NOT_FOUND' then 'an obligation was left that was not active'
            else 'the verb is not known'
        end;
    elsif coalesce(p_payload -> 'approved', p_payload -> 'accepted')
        is distinct from to_jsonb(v_decision.p_approved)
        or p_payload ->> 'reason' is distinct from v_decision.p_reason
    then
        p_fault := format(
            'the recorded decision is not the one that follows: %s', v_decision.p_reason
        );
    end if;
end
$$;

ALTER FUNCTION cmbs_store.replay_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_fault text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.replay_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_fault text) IS 'Decide one gate event again; say whether the record differs.';

CREATE FUNCTION cmbs_store.replay_verdict(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_given jsonb := cmbs_store.given_of(p_payload);
    v_fault text := cmbs_store.proposal_fault(p_state, p_event.actor, v_given);
begin
    if p_payload -> 'policy' ->> 'policy_hash'
        <> encode((cmbs_store.policy_in_force(p_state)).policy_hash, 'hex')
    then
        return 'the policy is not the one in force';
    elsif v_fault is not null then
        return v_fault;
    elsif p_payload ->> 'reason_code' = 'EVALUATION_ERROR' then
        -- What went wrong then may be mended now; nothing can have come of it.
        return case
            when p_payload ->> 'decision' <> 'deny'
                or jsonb_path_exists(p_payload, '$.items[*] ? (@.effective == true)')
                then 'an error permitted something'
        end;
    end if;
    if p_event.verb = 'PROPOSE' and (cmbs_store.recorded_proposal(
        p_event.session_id, p_event.actor, p_payload -> 'proposal'
    )).p_event_id <> p_event.event_id then
        return 'the proposal was recorded before';
    end if;
    if p_payload <> v_given || cmbs_store.decide_twice(
        p_state, p_event.actor, v_given, p_payload
    ) then
        return 'the recorded decision is not the one that follows';
    end if;
    return null;
end
$_$;

ALTER FUNCTION cmbs_store.replay_verdict(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.replay_verdict(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) IS 'Decide a recorded proposal or claim again, and say how the recorded verdict is another.';

CREATE FUNCTION cmbs_store.resolution_json(p_interrupt cmbs_store.interrupt) RETURNS json
    LANGUAGE sql STABLE
    AS $$
    select json_build_object(
        'resolution', r.resolution,
        'by', r.actor,
        'at', cmbs_store.timestamp_v1(e.recorded_at),
        'comment', e.record::jsonb -> 'payload' -> 'comment',
        'audit_event_id', e.event_id
    )
    from cmbs_store.interrupt_resolution as r
    inner join cmbs_store.audit_event as e on e.session_id = r.session_id and e.seq = r.seq
    where r.session_id = p_interrupt.session_id and r.interrupt_id = p_interrupt.interrupt_id
$$;

ALTER FUNCTION cmbs_store.resolution_json(p_interrupt cmbs_store.interrupt) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.resolution_json(p_interrupt cmbs_store.interrupt) IS 'The answer to a question as it is shown; null if there is none.';

CREATE FUNCTION cmbs_store.resolve_policy(p_tenant text, p_policy jsonb) RETURNS cmbs_store.policy_default
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_policy cmbs_store.policy_default;
begin
    perform cmbs_store.check_members(
        'policy', p_policy,
        array['validate_hypotheses', 'allow_forced_termination', 'stability_window']
    );
    select d.* into strict v_policy
    from cmbs_store.policy_default as d
    where d.tenant in (p_tenant, '*')
    order by d.tenant <> '*' desc, d.default_no desc
    limit 1;
    if not coalesce(jsonb_typeof(p_policy -> 'validate_hypotheses') = 'boolean', true) then
        perform cmbs_store.refuse_request('policy.validate_hypotheses', 'must be true or false');
    elsif not coalesce(jsonb_typeof(p_policy -> 'allow_forced_termination') = 'boolean', true) then
        perform cmbs_store.refuse_request(
            'policy.allow_forced_termination', 'must be true or false'
        );
    elsif not coalesce(p_policy ->> 'stability_window' ~ '^[0-9]{1,4}$', true)
        or coalesce(jsonb_typeof(p_policy -> 'stability_window'), 'number') <> 'number'
        or (p_policy ->> 'stability_window')::integer > 1000
    then
        perform cmbs_store.refuse_request(
            'policy.stability_window', 'must be a whole number from 0 to 1000'
        );
    end if;
    v_policy.validate_hypotheses := coalesce(
        (p_policy ->> 'validate_hypotheses')::boolean, v_policy.validate_hypotheses
    );
    v_policy.allow_forced_termination := coalesce(
        (p_policy ->> 'allow_forced_termination')::boolean, v_policy.allow_forced_termination
    );
    v_policy.stability_window := coalesce(
        (p_policy ->> 'stability_window')::integer, v_policy.stability_window
    );
    return v_policy;
end
$_$;

ALTER FUNCTION cmbs_store.resolve_policy(p_tenant text, p_policy jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.resolve_policy(p_tenant text, p_policy jsonb) IS 'A policy, filled in from the defaults. Raises MB201.';

CREATE FUNCTION cmbs_store.resolved(p_world jsonb, p_path text, OUT p_value jsonb, OUT p_is_known boolean) RETURNS record
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    v_key text := p_path;
    v_segment text;
begin
    p_is_known := true;
    while not p_world ? v_key loop
        v_key := left(v_key, -position('.' in reverse(v_key)));
        if position('.' in v_key) = 0 then
            return;
        end if;
    end loop;
    p_value := p_world -> v_key;
    if p_value = 'null' then
        p_value := null;
        p_is_known := false;
    elsif v_key = p_path then
        p_value := coalesce(p_value -> 'value', p_value);
    else
        if not p_value ? split_part(substr(p_path, length(v_key) + 2), '.', 1) then
            p_value := p_value -> 'value';
        end if;
        foreach v_segment in array string_to_array(substr(p_path, length(v_key) + 2), '.') loop
            p_value := case
                when jsonb_typeof(p_value) = 'object' then p_value -> v_segment
                -- Of a number or text PostgreSQL gives element 0, too.
                when jsonb_typeof(p_value) = 'array' and v_segment ~ '^[0-9]{1,9}$'
                    then p_value -> v_segment::integer
            end;
        end loop;
    end if;
end
$_$;

ALTER FUNCTION cmbs_store.resolved(p_world jsonb, p_path text, OUT p_value jsonb, OUT p_is_known boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.resolved(p_world jsonb, p_path text, OUT p_value jsonb, OUT p_is_known boolean) IS 'What a path of a constraint leads to, among the values of keys.';

CREATE FUNCTION cmbs_store.resource_reasons(p_roots text[], p_item_no integer, p_item jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE
    AS $_$
    with member as (
        select
            m.member -> 'value' as value,
            lower(m.member ->> 'key') ~ (
                '(^|[_-])(paths?|pathname|files?|filename|dirs?|directory|folder|cwd|src|dst|dest|'
                'destination|target)$'
            ) as is_path,
            lower(m.member ->> 'key') ~ (
                '(^|[_-])(paths?|pathname|files?|filename|dirs?|directory|folder|cwd|src|dst|dest|'
                'destination|target|hosts?|hostname|server|domain|ip|urls?|uris?|endpoint)$'
            ) as is_resource
        from jsonb_path_query(
            jsonb_build_array(p_item -> 'args', p_item -> 'artifacts'),
            'strict $.** ? (@.type() == "object").keyvalue()'
        ) as m (member)
    ),
    resource as (
        select e.value #>> '{}' as resource, m.is_path, jsonb_typeof(e.value) = 'string' as is_text
        from member as m
        cross join lateral jsonb_path_query(
            m.value, 'strict $.** ? (@.type() == "string" || @.type() == "number")'
        ) as e (value)
        where m.is_resource
        union all
        select v.value #>> '{}', false, true
        from jsonb_path_query(
            jsonb_build_array(p_item -> 'args', p_item -> 'artifacts'),
            'strict $.** ? (@.type() == "string")'
        ) as v (value)
        where v.value #>> '{}' ~ (
            '^[[:space:]]*[/~]|[.][.]/|://|^[[:space:]]*[A-Za-z][A-Za-z0-9+.-]*:[/'
            || repeat(chr(92), 2) || ']'
        )
    )
    select array(
        select (
            p_item_no, 'token', 'RESOURCE_OUT_OF_SCOPE', null, 'block', s.resource
        )::cmbs_store.reason
        from (
            select distinct left(r.resource, 200) collate "C" as resource
            from resource as r
            where not r.is_text or not cmbs_store.is_in_roots(r.resource, p_roots, r.is_path)
        ) as s
        order by s.resource
    )
$_$;

ALTER FUNCTION cmbs_store.resource_reasons(p_roots text[], p_item_no integer, p_item jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.resource_reasons(p_roots text[], p_item_no integer, p_item jsonb) IS 'Paths and hosts in arguments that lie outside of the roots of a token.';

CREATE FUNCTION cmbs_store.response(p_outcome text, p_session cmbs_store.session, p_minimal boolean) RETURNS json
    LANGUAGE sql STABLE
    AS $$
    select format(
        '{%s, "snapshot": %s}',
        p_outcome, cmbs_store.snapshot(p_session, coalesce(p_minimal, false))
    )::json
$$;

ALTER FUNCTION cmbs_store.response(p_outcome text, p_session cmbs_store.session, p_minimal boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.response(p_outcome text, p_session cmbs_store.session, p_minimal boolean) IS 'The response of a mutating verb, ready to send.';

CREATE FUNCTION cmbs_store.resume_given(p_session cmbs_store.session, p_caller cmbs_store.principal, p_asked cmbs_store.audit_event, p_items jsonb, p_sent jsonb) RETURNS jsonb
    LANGUAGE plpgsql
    AS $$
declare
    v_payload jsonb := p_asked.record::jsonb -> 'payload';
    v_given jsonb := cmbs_store.given(p_session, p_caller);
    v_resumption record;
begin
    if p_asked.verb <> 'PROPOSE' then
        perform cmbs_store.refuse_request('proposal_id', 'must be the id of a proposal');
    elsif p_asked.actor <> p_caller.name then
        perform cmbs_store.refuse_execution(
            'APPROVAL_HOLDER_MISMATCH', jsonb_build_object('proposer', p_asked.actor)
        );
    end if;
    perform cmbs_store.check_source(
        p_caller, v_payload -> 'proposal' -> 'provenance' ->> 'source'
    );
    v_resumption := cmbs_store.resumption(
        p_session, p_asked.seq, v_payload, (v_given ->> 'decided_at')::timestamptz
    );
    if v_resumption.p_code is distinct from 'APPROVAL_NOT_ASKED'
        and not cmbs_store.is_same_action(v_payload, v_resumption.p_resumes, p_items)
    then
        perform cmbs_store.refuse_execution(
            'APPROVAL_ACTION_MISMATCH', jsonb_build_object('proposal_id', p_asked.event_id)
        );
    elsif v_resumption.p_code is not null then
        perform cmbs_store.refuse_execution(v_resumption.p_code, jsonb_strip_nulls(
            jsonb_build_object(
                'proposal_id', p_asked.event_id, 'interrupt_id', v_resumption.p_interrupt_id
            )
        ));
    end if;
    return v_given || jsonb_build_object(
        'v', 2,
        'resumes', v_resumption.p_resumes,
        'proposal', cmbs_store.resumed_proposal(
            p_session, v_payload -> 'proposal', v_resumption.p_resumes -> 'item_nos'
        )
    ) || case
        when p_sent ->> 'capability_token' is not null then
            '{"is_token_shown": true}' || cmbs_store.find_capability(
                p_session.session_id, p_sent ->> 'capability_token'
            )
        else jsonb_strip_nulls(jsonb_build_object(
            'is_token_shown', v_payload -> 'is_token_shown', 'token_id', v_payload -> 'token_id'
        ))
    end;
end
$$;

ALTER FUNCTION cmbs_store.resume_given(p_session cmbs_store.session, p_caller cmbs_store.principal, p_asked cmbs_store.audit_event, p_items jsonb, p_sent jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.resume_given(p_session cmbs_store.session, p_caller cmbs_store.principal, p_asked cmbs_store.audit_event, p_items jsonb, p_sent jsonb) IS 'What a verdict is given by which a proposal goes on.';

CREATE FUNCTION cmbs_store.resumed_proposal(p_session cmbs_store.session, p_proposal jsonb, p_item_nos jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select p_proposal - 'idempotency_key' || jsonb_build_object(
        'state_snapshot_id', p_session.audit_head_event_id,
        'items', (
            select jsonb_agg(p_proposal -> 'items' -> n.item_no::integer - 1 order by n.no)
            from jsonb_array_elements_text(p_item_nos) with ordinality as n (item_no, no)
        )
    )
$$;

ALTER FUNCTION cmbs_store.resumed_proposal(p_session cmbs_store.session, p_proposal jsonb, p_item_nos jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.resumed_proposal(p_session cmbs_store.session, p_proposal jsonb, p_item_nos jsonb) IS 'A proposal that goes on: of the one that was asked about the items that do.';

CREATE FUNCTION cmbs_store.resumption(p_session cmbs_store.session, p_seq bigint, p_payload jsonb, p_at timestamp with time zone, OUT p_resumes jsonb, OUT p_code text, OUT p_interrupt_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_item_nos jsonb;
    v_approvals jsonb;
    v_state text;
begin
    if not jsonb_path_exists(p_payload, '$.items[*] ? (exists (@.interrupt_id))') then
        p_code := 'APPROVAL_NOT_ASKED';
        return;
    end if;
    v_item_nos := jsonb_path_query_array(p_payload, case
        when p_payload -> 'proposal' -> 'atomic' = 'true' then '$.items[*].item_no'
        else '$.items[*] ? (exists (@.interrupt_id)).item_no'
    end::jsonpath);
    v_approvals := cmbs_store.approvals_asked(p_payload, v_item_nos);
    select i.interrupt_id, s.state
    into p_interrupt_id, v_state
    from jsonb_array_elements(v_approvals) with ordinality as a (approval, no)
    inner join cmbs_store.interrupt as i
        on i.session_id = p_session.session_id
            and i.interrupt_id = (a.approval ->> 'interrupt_id')::uuid
    cross join lateral cmbs_store.interrupt_state(p_session, i, p_at) as s (state)
    order by s.state = 'approved', s.state = 'pending', a.no
    limit 1;
    p_code := case v_state
        when 'approved' then null
        when 'ended' then 'APPROVAL_CANCELLED'
        else 'APPROVAL_' || upper(v_state)
    end;
    p_resumes := jsonb_build_object(
        'seq', p_seq, 'item_nos', v_item_nos, 'approvals', v_approvals
    );
end
$_$;

ALTER FUNCTION cmbs_store.resumption(p_session cmbs_store.session, p_seq bigint, p_payload jsonb, p_at timestamp with time zone, OUT p_resumes jsonb, OUT p_code text, OUT p_interrupt_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.resumption(p_session cmbs_store.session, p_seq bigint, p_payload jsonb, p_at timestamp with time zone, OUT p_resumes jsonb, OUT p_code text, OUT p_interrupt_id uuid) IS 'What lets a proposal go on that was asked about: its items and the approvals.';

CREATE FUNCTION cmbs_store.retry_deferred(INOUT p_session cmbs_store.session, p_by text, p_at timestamp with time zone, OUT p_n_tries integer) RETURNS record
    LANGUAGE plpgsql
    AS $$
declare
    v_deferral cmbs_store.deferral;
    v_actor text;
    v_payload jsonb;
    v_given jsonb;
    v_recorded record;
begin
    p_n_tries := 0;
    while p_n_tries < 100 loop
        v_deferral := cmbs_store.due_deferral(p_session, p_at);
        exit when v_deferral.deferral_id is null;
        select e.actor, e.record::jsonb -> 'payload'
        into v_actor, v_payload
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.seq = v_deferral.seq;
        v_given := cmbs_store.given_for(p_session, v_actor, v_payload -> 'roles');
        v_recorded := cmbs_store.record_proposal(
            p_session, v_actor,
            v_given || cmbs_store.retry_given(
                p_session, v_payload, p_by, (v_given ->> 'decided_at')::timestamptz
            ),
            null
        );
        p_session := v_recorded.p_session;
        perform cmbs_store.announce_questions(p_session, v_recorded.p_payload);
        p_n_tries := p_n_tries + 1;
    end loop;
end
$$;

ALTER FUNCTION cmbs_store.retry_deferred(INOUT p_session cmbs_store.session, p_by text, p_at timestamp with time zone, OUT p_n_tries integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.retry_deferred(INOUT p_session cmbs_store.session, p_by text, p_at timestamp with time zone, OUT p_n_tries integer) IS 'Try deferred proposals of a locked session again that may have what they wait for.';

CREATE FUNCTION cmbs_store.retry_given(p_session cmbs_store.session, p_payload jsonb, p_by text, p_at timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $_$
    select jsonb_strip_nulls(jsonb_build_object(
        'v', 2,
        'token_id', p_payload -> 'token_id',
        'is_token_shown', p_payload -> 'is_token_shown',
        'retries', jsonb_build_object(
            'deferral_id', p_payload -> 'deferral' -> 'deferral_id',
            'attempt', (p_payload -> 'deferral' ->> 'attempt')::integer + 1,
            'by', p_by
        ),
        'resumes', case when p_payload ? 'resumes' then p_payload -> 'resumes'
            || jsonb_build_object('item_nos', n.item_nos, 'approvals', (
                select coalesce(jsonb_agg(a.approval order by a.no), '[]')
                from jsonb_array_elements(
                    cmbs_store.approvals_asked(p_payload, n.item_nos)
                ) with ordinality as a (approval, no)
                inner join cmbs_store.interrupt as i
                    on i.session_id = p_session.session_id
                        and i.interrupt_id = (a.approval ->> 'interrupt_id')::uuid
                where cmbs_store.interrupt_state(p_session, i, p_at) = 'approved'
            ))
        end
    )) || jsonb_build_object('proposal', cmbs_store.resumed_proposal(
        p_session, p_payload -> 'proposal', n.item_nos
    ))
    from (
        select case
            when p_payload -> 'proposal' -> 'atomic' = 'true'
                then jsonb_path_query_array(p_payload, '$.items[*].item_no')
            else jsonb_path_query_array(p_payload, '$.items[*] ? (exists (@.deferral_id)).item_no')
        end as item_nos
    ) as n
$_$;

ALTER FUNCTION cmbs_store.retry_given(p_session cmbs_store.session, p_payload jsonb, p_by text, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.retry_given(p_session cmbs_store.session, p_payload jsonb, p_by text, p_at timestamp with time zone) IS 'What a verdict on a deferred proposal is given that is tried again.';

CREATE FUNCTION cmbs_store.returning_without(p_session cmbs_store.session, p_ended_seq bigint, p_ids text[], p_seqs bigint[]) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
    select array(
        select o.id collate "C"
        from unnest(p_ids, p_seqs) as o (id, seq)
        where coalesce(o.seq > p_ended_seq, o.seq is null)
        union
        select t.hypothesis_id
        from cmbs_store.tombstone as t
        where t.session_id = p_session.session_id and t.seq > p_ended_seq
        order by 1
    )
$$;

ALTER FUNCTION cmbs_store.returning_without(p_session cmbs_store.session, p_ended_seq bigint, p_ids text[], p_seqs bigint[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.returning_without(p_session cmbs_store.session, p_ended_seq bigint, p_ids text[], p_seqs bigint[]) IS 'The hypotheses that would survive and do not.';

CREATE FUNCTION cmbs_store.s_core_at(p_session_id uuid, p_seq bigint) RETURNS real[]
    LANGUAGE sql STABLE
    AS $$
    select d.s_core
    from cmbs_store.state_delta as d
    where d.session_id = p_session_id and d.seq <= p_seq and d.s_core is not null
    order by d.seq desc, d.item_no desc
    limit 1
$$;

ALTER FUNCTION cmbs_store.s_core_at(p_session_id uuid, p_seq bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.s_core_at(p_session_id uuid, p_seq bigint) IS 'The vector of a session as of an event; null if it has none.';

CREATE FUNCTION cmbs_store.save_batch(p_session cmbs_store.session, p_mask bytea, p_ids text[], p_ranks integer[], p_seqs bigint[]) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_chunk_no integer;
begin
    if p_session.mask is null then
        for v_chunk_no in
            select distinct i.hypothesis_rank / 8192
            from unnest(p_ranks, p_seqs) as i (hypothesis_rank, seq)
            where i.seq is not null
        loop
            perform cmbs_store.save_chunk(
                p_session.session_id, v_chunk_no,
                substring(p_mask from v_chunk_no * 1024 + 1 for 1024)
            );
        end loop;
    end if;
    insert into cmbs_store.tombstone (session_id, seq, hypothesis_id)
    select p_session.session_id, i.seq, i.hypothesis_id
    from unnest(p_ids, p_seqs) as i (hypothesis_id, seq)
    where i.seq is not null;
    if p_session.mask is not null then
        p_session.mask := coalesce(p_mask, p_session.mask);
    end if;
    perform cmbs_store.save_session(p_session);
end
$$;

ALTER FUNCTION cmbs_store.save_batch(p_session cmbs_store.session, p_mask bytea, p_ids text[], p_ranks integer[], p_seqs bigint[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.save_batch(p_session cmbs_store.session, p_mask bytea, p_ids text[], p_ranks integer[], p_seqs bigint[]) IS 'Save a locked session after a batch, and what the batch eliminated.';

CREATE FUNCTION cmbs_store.save_chunk(p_session_id uuid, p_chunk_no integer, p_chunk bytea) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    update cmbs_store.session_mask as k
    set chunk = p_chunk
    where k.session_id = p_session_id and k.chunk_no = p_chunk_no;
end
$$;

ALTER FUNCTION cmbs_store.save_chunk(p_session_id uuid, p_chunk_no integer, p_chunk bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.save_chunk(p_session_id uuid, p_chunk_no integer, p_chunk bytea) IS 'Write one chunk of a mask back.';

CREATE FUNCTION cmbs_store.save_session(p_session cmbs_store.session) RETURNS void
    LANGUAGE plpgsql
    AS $$
begin
    update cmbs_store.session as s
    set
        audit_seq = p_session.audit_seq,
        audit_head_event_id = p_session.audit_head_event_id,
        audit_head_hash = p_session.audit_head_hash,
        audit_head_at = p_session.audit_head_at,
        survivors_hash = p_session.survivors_hash,
        n_survivors = p_session.n_survivors,
        is_terminated = p_session.is_terminated,
        mask = p_session.mask,
        obligation_seq = p_session.obligation_seq,
        obligation_id = p_session.obligation_id,
        obligation_minimum = p_session.obligation_minimum,
        obligation_survivors = p_session.obligation_survivors,
        conclusion_id = p_session.conclusion_id,
        conclusion_run = p_session.conclusion_run
    where s.session_id = p_session.session_id;
end
$$;

ALTER FUNCTION cmbs_store.save_session(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.save_session(p_session cmbs_store.session) IS 'Write the state of a session, which the caller has locked.';

CREATE FUNCTION cmbs_store.scheduler_reasons(p_session cmbs_store.session, p_items jsonb, p_definitions jsonb, p_settings jsonb, p_at timestamp with time zone) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_mode text;
begin
    if not jsonb_path_exists(p_items, '$[*] ? (@.kind == "tool_call")') then
        return '{}'::cmbs_store.reason[];
    end if;
    v_mode := cmbs_store.mode_in_force(p_session);
    return array(
        select (
            i.item_no, 'scheduler', 'MODE_FORBIDS', null,
            case
                when cmbs_store.lower_mode(p_settings, v_mode, e.effect_class) is null then 'block'
                else 'degrade'
            end,
            format('the mode %s forbids effects that are %s', v_mode, e.effect_class)
        )::cmbs_store.reason
        from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
        cross join lateral (
            select p_definitions -> (i.item ->> 'tool_id') ->> 'effect_class' as effect_class
        ) as e
        where cmbs_store.mode_setting(p_settings, v_mode) -> 'forbids' ? e.effect_class
        order by i.item_no
    ) || array(
        select (
            i.item_no, 'scheduler', 'COOLDOWN_ACTIVE', null, 'defer',
            format('%s may be called again at %s',
                left(i.item ->> 'tool_id', 200), cmbs_store.timestamp_v1(c.ends_at))
        )::cmbs_store.reason
        from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
        cross join lateral (
            select cmbs_store.cooldown_end(p_session, i.item ->> 'tool_id', p_settings) as ends_at
            where i.item ->> 'kind' = 'tool_call' and p_settings ? 'policy.cooldowns'
        ) as c
        where c.ends_at > p_at
        order by i.item_no
    );
end
$_$;

ALTER FUNCTION cmbs_store.scheduler_reasons(p_session cmbs_store.session, p_items jsonb, p_definitions jsonb, p_settings jsonb, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.scheduler_reasons(p_session cmbs_store.session, p_items jsonb, p_definitions jsonb, p_settings jsonb, p_at timestamp with time zone) IS 'The stage of the scheduler: modes that forbid, and cooldowns.';

CREATE FUNCTION cmbs_store.scheduler_setting_fault(p_key text, p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select case p_key
        when 'policy.permits' then cmbs_store.limit_fault(p_value, 'ttl_ms', 1, 86400000)
        when 'policy.interrupts' then cmbs_store.limit_fault(p_value, 'ttl_ms', 1, 31536000000)
        when 'policy.clarifications'
            then cmbs_store.limit_fault(p_value, 'max_questions', 0, 1000000)
        when 'policy.deferrals' then coalesce(
            cmbs_store.limit_fault(
                '{"max_attempts": 0}' || p_value, 'max_attempts', 0, 1000
            ),
            cmbs_store.limit_fault('{"backoff_ms": 1}' || p_value, 'backoff_ms', 1, 86400000)
        )
        when 'policy.cooldowns' then case
            when jsonb_typeof(p_value -> 'tools') is distinct from 'object' or exists (
                select
                from jsonb_object_keys(p_value -> 'tools') as t (tool_id)
                where cmbs_store.limit_fault(p_value -> 'tools', t.tool_id, 1, 31536000000)
                    is not null
            ) then 'tools must be an object: tool id -> whole number of milliseconds'
        end
        when 'policy.modes' then (
            select format(
                '%s must be an object with soft_percent, a whole number up to 1000, or forbids, a '
                'list of none, local, network and external', min(m.mode)
            )
            from jsonb_each(p_value - 'v') as m (mode, setting)
            where jsonb_typeof(m.setting) <> 'object'
                or m.setting - '{soft_percent, forbids}'::text[] <> '{}'
                or m.setting ? 'soft_percent' and cmbs_store.limit_fault(
                    m.setting, 'soft_percent', 0, 1000
                ) is not null
                or m.setting ? 'forbids' and not coalesce(
                    jsonb_typeof(m.setting -> 'forbids') = 'array'
                    and m.setting -> 'forbids' <@ '["none", "local", "network", "external"]', false
                )
            having count(*) > 0
        )
    end
$$;

ALTER FUNCTION cmbs_store.scheduler_setting_fault(p_key text, p_value jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.scheduler_setting_fault(p_key text, p_value jsonb) IS 'What is wrong with a setting of permits, deferrals, questions, modes or cooldowns.';

CREATE FUNCTION cmbs_store.schema_apply(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_place text := coalesce(nullif(p_path, ''), '/');
    v_walk record;
    v_keyword text;
    v_schemas jsonb;
    v_n_right integer;
    v_fault text;
    v_unsure text;
begin
    foreach v_keyword in array array['$ref', 'allOf', 'anyOf', 'oneOf', 'not'] loop
        continue when not p_schema ? v_keyword;
        v_schemas := case v_keyword
            when '$ref' then
                jsonb_build_array(cmbs_store.schema_at_ref(p_root, p_schema -> '$ref'))
            when 'not' then jsonb_build_array(p_schema -> 'not')
            else p_schema -> v_keyword
        end;
        if jsonb_typeof(v_schemas) <> 'array' then
            p_fault := '?' || v_place || ': its schema is not understood';
            return;
        end if;
        v_n_right := 0;
        v_fault := null;
        v_unsure := null;
        for v_index in 0 .. jsonb_array_length(v_schemas) - 1 loop
            v_walk := cmbs_store.schema_walk(
                p_root, v_schemas -> v_index, p_value, p_path, p_depth + 1, p_left
            );
            p_left := v_walk.p_left;
            if v_walk.p_fault is null then
                v_n_right := v_n_right + 1;
            elsif v_walk.p_fault like '?%' then
                v_unsure := coalesce(v_unsure, v_walk.p_fault);
            else
                v_fault := coalesce(v_fault, v_walk.p_fault);
            end if;
            exit when case v_keyword
                when 'anyOf' then v_n_right = 1
                when 'oneOf' then v_n_right = 2
                else v_walk.p_fault is not null
            end;
        end loop;
        p_fault := case
            when v_keyword in ('$ref', 'allOf') then coalesce(v_unsure, v_fault)
            when v_n_right = 2 then v_place || ': matches more than one schema of oneOf'
            when v_keyword = 'anyOf' and v_n_right = 1 then null
            when v_unsure is not null then v_unsure
            when v_keyword = 'not' and v_n_right = 1
                then v_place || ': must not match the schema of not'
            when v_keyword <> 'not' and v_n_right = 0
                then v_place || ': matches no schema of ' || v_keyword
        end;
        if p_fault is not null then
            return;
        end if;
    end loop;
end
$_$;

ALTER FUNCTION cmbs_store.schema_apply(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_apply(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) IS 'The first fault of a value by $ref, allOf, anyOf, oneOf and not, and how many steps are left.';

CREATE FUNCTION cmbs_store.schema_at_ref(p_root jsonb, p_ref jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_pointer text := cmbs_store.schema_pointer(p_ref);
begin
    if position('~' in v_pointer) = 0 then
        return p_root #> (string_to_array(v_pointer, '/'))[2:];
    end if;
    return p_root #> array(
        select replace(replace(m.member, '~1', '/'), '~0', '~')
        from unnest((string_to_array(v_pointer, '/'))[2:]) with ordinality as m (member, member_no)
        order by m.member_no
    );
end
$$;

ALTER FUNCTION cmbs_store.schema_at_ref(p_root jsonb, p_ref jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_at_ref(p_root jsonb, p_ref jsonb) IS 'The schema that a local $ref of a document leads to.';

CREATE FUNCTION cmbs_store.schema_children(p_schema jsonb, OUT place text, OUT child jsonb, OUT is_in_place boolean) RETURNS SETOF record
    LANGUAGE sql STABLE
    AS $_$
    select k.keyword, k.value, k.keyword = 'not'
    from jsonb_each(case jsonb_typeof(p_schema) when 'object' then p_schema end)
        as k (keyword, value)
    where k.keyword in ('additionalProperties', 'items', 'not')
    union all
    select
        k.keyword || '/' || replace(replace(m.name, '~', '~0'), '/', '~1'),
        m.value,
        false
    from unnest(array['$defs', 'properties']) as k (keyword)
    cross join lateral jsonb_each(
        case jsonb_typeof(p_schema -> k.keyword) when 'object' then p_schema -> k.keyword end
    ) as m (name, value)
    union all
    select k.keyword || '/' || (i.item_no - 1), i.value, true
    from unnest(array['allOf', 'anyOf', 'oneOf']) as k (keyword)
    cross join lateral jsonb_array_elements(
        case jsonb_typeof(p_schema -> k.keyword) when 'array' then p_schema -> k.keyword end
    ) with ordinality as i (value, item_no)
$_$;

ALTER FUNCTION cmbs_store.schema_children(p_schema jsonb, OUT place text, OUT child jsonb, OUT is_in_place boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_children(p_schema jsonb, OUT place text, OUT child jsonb, OUT is_in_place boolean) IS 'The schemas in a schema: where in it, what, and whether they apply to the same value.';

CREATE FUNCTION cmbs_store.schema_documents(p_schemas jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(jsonb_object_agg(s.schema_id, d.document::jsonb), '{}')
    from jsonb_each_text(p_schemas) as s (schema_id, schema_hash)
    inner join cmbs_store.schema_document as d on d.schema_hash = decode(s.schema_hash, 'hex')
$$;

ALTER FUNCTION cmbs_store.schema_documents(p_schemas jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_documents(p_schemas jsonb) IS 'The documents of JSON Schemas from their hashes.';

CREATE FUNCTION cmbs_store.schema_fault(p_schema jsonb, p_instance jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_walk record;
begin
    if p_instance is null then
        return '/: there is no value';
    end if;
    if p_schema is null then
        return '/: there is no schema';
    end if;
    -- 20,000 steps take less than half a second.
    v_walk := cmbs_store.schema_walk(p_schema, p_schema, p_instance, '', 0, 20000);
    return ltrim(v_walk.p_fault, '?');
end
$$;

ALTER FUNCTION cmbs_store.schema_fault(p_schema jsonb, p_instance jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_fault(p_schema jsonb, p_instance jsonb) IS 'Why a value does not conform to a JSON Schema, null if it does.';

CREATE FUNCTION cmbs_store.schema_keyword_fault(p_schema jsonb, p_is_root boolean) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_name text;
    v_value jsonb;
    v_type text;
    v_problem text;
begin
    if jsonb_typeof(p_schema) = 'boolean' then
        return null;
    elsif jsonb_typeof(p_schema) is distinct from 'object' then
        return ': a schema is an object, true or false';
    end if;
    for v_name, v_value in select k.key, k.value from jsonb_each(p_schema) as k loop
        v_type := jsonb_typeof(v_value);
        v_problem := case
            when v_name <> all (cmbs_store.schema_keywords()) then 'is not supported'
            when v_name in ('properties', '$defs') then
                case when v_type <> 'object' then 'must be an object of schemas' end
            when v_name in ('allOf', 'anyOf', 'oneOf') then
                case when v_type <> 'array' or v_value = '[]' then 'must be a list of schemas' end
            when v_name in ('minItems', 'maxItems', 'minLength', 'maxLength') then case
                when v_type <> 'number' then 'must be a whole number'
                when v_value::numeric < 0 or trunc(v_value::numeric) <> v_value::numeric
                    then 'must be a whole number, 0 or more'
            end
            when v_name in ('minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum') then
                case when v_type <> 'number' then 'must be a number' end
            when v_name = 'enum' then
                case when v_type <> 'array' or v_value = '[]' then 'must be a list of values' end
            when v_name = 'examples' then case when v_type <> 'array' then 'must be a list' end
            when v_name = 'required' then case
                when not cmbs_store.schema_lists_names(v_value)
                    then 'must be a list of different names'
            end
            when v_name = 'type' then case
                when not cmbs_store.schema_types() @> v_value
                    or v_type <> 'string' and not cmbs_store.schema_lists_names(v_value)
                    or v_value = '[]'
                    then 'must be a type, or a list of different types'
            end
            when v_name in ('deprecated', 'readOnly', 'writeOnly') then
                case when v_type <> 'boolean' then 'must be true or false' end
            when v_name in ('const', 'default', 'additionalProperties', 'items', 'not') then null
            when v_type <> 'string' then 'must be a text'
            when v_name = 'pattern' then cmbs_store.schema_regex_fault(v_value #>> '{}')
            when v_name = '$ref' and cmbs_store.schema_pointer(v_value) is null
                then 'must be a local reference, # or #/...'
            when v_name = '$schema' and not p_is_root then 'may stand at the top only'
            when v_name = '$schema'
                and v_value #>> '{}' !~ '^https://json-schema\.org/draft/2020-12/schema#?$'
                then 'must be https://json-schema.org/draft/2020-12/schema'
        end;
        if v_problem is not null then
            return '/' || replace(replace(v_name, '~', '~0'), '/', '~1') || ': ' || v_problem;
        end if;
    end loop;
    return null;
end
$_$;

ALTER FUNCTION cmbs_store.schema_keyword_fault(p_schema jsonb, p_is_root boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_keyword_fault(p_schema jsonb, p_is_root boolean) IS 'What is wrong with a schema itself, the schemas in it aside; null if nothing is.';

CREATE FUNCTION cmbs_store.schema_keywords() RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $_$
    select array[
        '$comment', '$defs', '$ref', '$schema', 'additionalProperties', 'allOf', 'anyOf', 'const',
        'default', 'deprecated', 'description', 'enum', 'examples', 'exclusiveMaximum',
        'exclusiveMinimum', 'items', 'maxItems', 'maxLength', 'maximum', 'minItems', 'minLength',
        'minimum', 'not', 'oneOf', 'pattern', 'properties', 'readOnly', 'required', 'title', 'type',
        'writeOnly'
    ]
$_$;

ALTER FUNCTION cmbs_store.schema_keywords() OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_keywords() IS 'The keywords that a JSON Schema may have.';

CREATE FUNCTION cmbs_store.schema_limit_fault(p_schema jsonb, p_value jsonb, p_type text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_keywords text[];
    v_keyword text;
    v_size numeric;
    v_limit numeric;
begin
    if p_type = 'string' and p_schema ? 'pattern' then
        v_keyword := cmbs_store.schema_pattern_fault(p_schema -> 'pattern', p_value #>> '{}');
        if v_keyword is not null then
            return v_keyword;
        end if;
    end if;
    v_keywords := case p_type
        when 'number' then array['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']
        when 'string' then array['minLength', 'maxLength']
        else array['minItems', 'maxItems']
    end;
    if not p_schema ?| v_keywords then
        return null;
    end if;
    v_size := case p_type
        when 'number' then p_value::numeric
        when 'string' then char_length(p_value #>> '{}')
        else jsonb_array_length(p_value)
    end;
    foreach v_keyword in array v_keywords loop
        continue when not p_schema ? v_keyword;
        if jsonb_typeof(p_schema -> v_keyword) <> 'number' then
            return '?its schema is not understood';
        end if;
        v_limit := (p_schema -> v_keyword)::numeric;
        if v_keyword like 'min%' and v_size < v_limit
            or v_keyword like 'max%' and v_size > v_limit
            or v_keyword = 'exclusiveMinimum' and v_size <= v_limit
            or v_keyword = 'exclusiveMaximum' and v_size >= v_limit
        then
            return format(
                'must %s %s %s%s',
                case p_type when 'number' then 'be' else 'have' end,
                case
                    when v_keyword = 'exclusiveMinimum' then 'more than'
                    when v_keyword = 'exclusiveMaximum' then 'less than'
                    when v_keyword like 'min%' then 'at least'
                    else 'at most'
                end,
                p_schema ->> v_keyword,
                case p_type when 'string' then ' characters' when 'array' then ' items' end
            );
        end if;
    end loop;
    return null;
end
$$;

ALTER FUNCTION cmbs_store.schema_limit_fault(p_schema jsonb, p_value jsonb, p_type text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_limit_fault(p_schema jsonb, p_value jsonb, p_type text) IS 'What is wrong with a number, a text or a list by the limits and the pattern of a JSON Schema.';

CREATE FUNCTION cmbs_store.schema_lists_names(p_value jsonb) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select jsonb_typeof(p_value) = 'array' and not exists (
        select
        from jsonb_array_elements(
            case jsonb_typeof(p_value) when 'array' then p_value end
        ) as n (name)
        group by n.name
        having count(*) > 1 or jsonb_typeof(n.name) <> 'string'
    )
$$;

ALTER FUNCTION cmbs_store.schema_lists_names(p_value jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_lists_names(p_value jsonb) IS 'Whether a value is a list of different texts.';

CREATE FUNCTION cmbs_store.schema_malformed(p_document jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_places text[] := array[''];
    v_schemas jsonb[] := array[p_document];
    v_n_schemas integer := 1;
    v_seen integer := 0;
    v_place text;
    v_child jsonb;
    v_fault text;
begin
    if p_document is null then
        return '/: there is no schema';
    end if;
    if octet_length(p_document::text) > 65536 then
        return '/: may have 64 kB of text';
    end if;
    if jsonb_path_exists(
        p_document, 'strict $.**{64} ? (@.type() == "object" || @.type() == "array")'
    ) then
        return '/: may be nested 64 levels deep';
    end if;
    while v_seen < v_n_schemas loop
        v_seen := v_seen + 1;
        v_fault := cmbs_store.schema_keyword_fault(v_schemas[v_seen], v_seen = 1);
        if v_fault is not null then
            v_fault := v_places[v_seen] || v_fault;
            return case when v_fault like '/%' then '' else '/' end || v_fault;
        end if;
        for v_place, v_child in
            select c.place, c.child
            from cmbs_store.schema_children(v_schemas[v_seen]) as c
        loop
            v_n_schemas := v_n_schemas + 1;
            v_places[v_n_schemas] := v_places[v_seen] || '/' || v_place;
            v_schemas[v_n_schemas] := v_child;
        end loop;
        if v_n_schemas > 2000 then
            return '/: may have 2,000 schemas in it';
        end if;
    end loop;
    return cmbs_store.schema_ref_fault(v_places, v_schemas);
end
$_$;

ALTER FUNCTION cmbs_store.schema_malformed(p_document jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_malformed(p_document jsonb) IS 'Why a document cannot be registered as a JSON Schema, null if it can.';

CREATE FUNCTION cmbs_store.schema_pattern_fault(p_pattern jsonb, p_text text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_regex text := cmbs_store.schema_regex(p_pattern #>> '{}');
begin
    if jsonb_typeof(p_pattern) <> 'string' or v_regex like '?%' then
        return '?its schema is not understood';
    end if;
    if char_length(p_text) > 10000 then
        return '?must have at most 10,000 characters to be compared with a pattern';
    end if;
    begin
        -- In this collation, and no other, \w and \d are what ECMA-262 says.
        if p_text collate "C" ~ v_regex then
            return null;
        end if;
    exception
        when invalid_regular_expression then
            return '?its schema is not understood';
    end;
    return 'must match the pattern ' || (p_pattern #>> '{}');
end
$$;

ALTER FUNCTION cmbs_store.schema_pattern_fault(p_pattern jsonb, p_text text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_pattern_fault(p_pattern jsonb, p_text text) IS 'What is wrong with a text by the pattern of a JSON Schema.';

CREATE FUNCTION cmbs_store.schema_pointer(p_ref jsonb) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_ref text := p_ref #>> '{}';
begin
    if jsonb_typeof(p_ref) is distinct from 'string'
        or v_ref !~ '^#(/([^%]|%[0-9a-fA-F]{2})*)?$'
    then
        return null;
    end if;
    v_ref := substr(v_ref, 2);
    if position('%' in v_ref) > 0 then
        begin
            select convert_from(
                string_agg(
                    case
                        when r.part[1] ~ '^%' then decode(substr(r.part[1], 2), 'hex')
                        else convert_to(r.part[1], 'UTF8')
                    end,
                    ''
                    order by r.part_no
                ),
                'UTF8'
            )
            into v_ref
            from regexp_matches(v_ref, '%..|[^%]+', 'g') with ordinality as r (part, part_no);
        exception
            -- escapes of what is not UTF-8
            when data_exception then
                return null;
        end;
    end if;
    return case when v_ref !~ '~(?![01])' then v_ref end;
end
$_$;

ALTER FUNCTION cmbs_store.schema_pointer(p_ref jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_pointer(p_ref jsonb) IS 'The JSON Pointer of a local $ref, null if it is none.';

CREATE FUNCTION cmbs_store.schema_ref_fault(p_places text[], p_schemas jsonb[]) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_from text[];
    v_to text[];
    v_reached text[] := p_places;
    v_place text;
begin
    select array_agg(e.place), array_agg(e.target)
    into v_from, v_to
    from (
        select s.place, cmbs_store.schema_pointer(s.document -> '$ref') as target
        from unnest(p_places, p_schemas) as s (place, document)
        where s.document ? '$ref'
        union all
        select s.place, s.place || '/' || c.place
        from unnest(p_places, p_schemas) as s (place, document)
        cross join lateral cmbs_store.schema_children(s.document) as c
        where c.is_in_place
    ) as e;
    select min(e.place collate "C")
    into v_place
    from unnest(v_from, v_to) as e (place, target)
    where e.target <> all (p_places);
    if v_place is not null then
        return v_place || '/$ref: leads to no schema of this document';
    end if;
    for v_n_steps in 1 .. 64 loop
        select array_agg(distinct e.target)
        into v_reached
        from unnest(v_from, v_to) as e (place, target)
        where e.place = any (v_reached);
        if v_reached is null then
            return null;
        end if;
    end loop;
    select min(r.place collate "C")
    into v_place
    from unnest(v_reached) as r (place);
    return coalesce(nullif(v_place, ''), '/') || ': is reached by a circle of references';
end
$_$;

ALTER FUNCTION cmbs_store.schema_ref_fault(p_places text[], p_schemas jsonb[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_ref_fault(p_places text[], p_schemas jsonb[]) IS 'A $ref that leads to no schema of its document, or in a circle; null if there is none.';

CREATE FUNCTION cmbs_store.schema_regex(p_pattern text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    -- what \s of ECMA-262 has beyond ASCII, and what \S has
    v_spaces constant text := '\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
    v_others constant text := '\u0001-\u0008\u000e-\u001f!-\u009f\u00a1-\u167f\u1681-\u1fff'
        '\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff';
    v_regex text := '';
    v_token text;
    v_last text := '';
    v_part text;
    -- how many parts a list in brackets has so far, with its bracket
    v_listed integer := 0;
    v_depth integer := 0;
    v_is_start boolean := false;
begin
    if char_length(p_pattern) > 200 then
        return '?may have 200 characters';
    end if;
    -- Most patterns mean the same to both.
    if regexp_replace(p_pattern, '\\[dDwW!-/:-@[-`{-~]', '_', 'g')
        !~ '[.\\]|\(\?|\[[^]]*\[|\[\^?\]|^\*'
    then
        return p_pattern;
    end if;
    for v_token in
        select t.token[1]
        from regexp_matches(
            p_pattern,
            '\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\(\?[a-zA-Z:=!<>#]?|\[\^?|[^][\\(.)^-]+|.',
            'g'
        ) as t (token)
    loop
        if v_depth = 0 and v_listed = 0 then
            v_is_start := v_last = '' and v_token = '^' or v_is_start and v_token in ('(?=', '(?!');
        end if;
        v_part := case
            when v_token ~ '^\\[dDwWfnrtv!-/:-@[-`{-~]$' then v_token
            when v_token ~ '^\\u.{4}$' and v_token !~* '^\\ud[89a-f]' then v_token
            when v_token ~ '^\\x..$' then '\u00' || substr(v_token, 3)
            when v_token = '\s' and v_listed = 0 then '[' || v_spaces || '\s]'
            when v_token = '\S' and v_listed = 0 then '[^' || v_spaces || '\s]'
            -- as the end of a range neither has a meaning
            when v_last = '-' and v_listed > 2 and v_token in ('\s', '\S') then null
            when v_token = '\s' then v_spaces || '\s'
            when v_token = '\S' then v_others
            when v_token ~ '^\\' or v_last = '' and v_token ~ '^\*' then null
            when v_token = ']' and v_listed = 1 then null
            when v_listed > 0 then replace(v_token, '[', '\[')
            when v_token = '.' then '[^\n\r\u2028\u2029]'
            when v_token ~ '^\(\?' and v_token not in ('(?:', '(?=', '(?!') then null
            when v_token in ('(?=', '(?!') and (v_depth > 0 or not v_is_start) then null
            else v_token
        end;
        if v_part is null then
            return format(
                '?cannot have %s%s',
                v_token,
                case when v_token in ('(?=', '(?!') then ' but at its start, after ^' end
            );
        end if;
        v_depth := v_depth + case
            when v_listed > 0 then 0 when v_token ~ '^\(' then 1 when v_token = ')' then -1 else 0
        end;
        v_listed := case
            when v_listed > 0 and v_token <> ']' or v_token ~ '^\[' then v_listed + 1
            else 0
        end;
        v_last := v_token;
        v_regex := v_regex || v_part;
    end loop;
    return v_regex;
end
$_$;

ALTER FUNCTION cmbs_store.schema_regex(p_pattern text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_regex(p_pattern text) IS 'A regular expression of ECMA-262 as PostgreSQL writes it, or ? and why there is none.';

CREATE FUNCTION cmbs_store.schema_regex_fault(p_pattern text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_regex text := cmbs_store.schema_regex(p_pattern);
begin
    if v_regex like '?%' then
        return substr(v_regex, 2);
    end if;
    if '' collate "C" ~ v_regex is null then
        return 'must be a regular expression';
    end if;
    return null;
exception
    when invalid_regular_expression then
        return 'must be a regular expression: ' || regexp_replace(sqlerrm, '^.*: ', '');
end
$$;

ALTER FUNCTION cmbs_store.schema_regex_fault(p_pattern text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_regex_fault(p_pattern text) IS 'Why a regular expression cannot be the pattern of a JSON Schema, null if it can.';

CREATE FUNCTION cmbs_store.schema_target(p_world jsonb, p_target text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $_$
    select case
        when coalesce(p_target, 'args') = 'args' then p_world -> '$args'
        when starts_with(p_target, 'artifact:') then p_world -> '$artifacts' -> substr(p_target, 10)
        else (cmbs_store.resolved(p_world, p_target)).p_value
    end
$_$;

ALTER FUNCTION cmbs_store.schema_target(p_world jsonb, p_target text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_target(p_world jsonb, p_target text) IS 'What a schema is held against: arguments, an artifact, or what a path leads to.';

CREATE FUNCTION cmbs_store.schema_types() RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select '["array", "boolean", "integer", "null", "number", "object", "string"]'::jsonb
$$;

ALTER FUNCTION cmbs_store.schema_types() OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_types() IS 'The types of JSON Schema, as a list.';

CREATE FUNCTION cmbs_store.schema_value_fault(p_schema jsonb, p_value jsonb, p_type text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_required jsonb;
begin
    if jsonb_typeof(p_schema) = 'boolean' then
        return case when p_schema = 'false' then 'is not allowed' end;
    elsif jsonb_typeof(p_schema) is distinct from 'object' then
        return '?its schema is not understood';
    elsif p_schema - cmbs_store.schema_keywords() <> '{}'
        or jsonb_typeof(p_schema -> 'properties') <> 'object'
    then
        return '?its schema is not understood';
    end if;
    if p_schema ? 'type' and not p_schema -> 'type' @> to_jsonb(p_type) and (
        case
            when p_type <> 'number' or not p_schema -> 'type' @> '"integer"' then true
            else trunc(p_value::numeric) <> p_value::numeric
        end
    ) then
        return case
            when cmbs_store.schema_types() @> (p_schema -> 'type') then format(
                'must be %s, is %s',
                translate(replace(p_schema ->> 'type', ',', ' or'), '[]"', ''),
                p_type
            )
            else '?its schema is not understood'
        end;
    end if;
    if p_schema ? 'const' and p_schema -> 'const' <> p_value then
        return 'must be ' || left((p_schema -> 'const')::text, 100);
    end if;
    if p_schema ? 'enum' then
        if jsonb_typeof(p_schema -> 'enum') <> 'array' then
            return '?its schema is not understood';
        -- For lists and objects @> is not equality.
        elsif p_type in ('array', 'object') and not exists (
            select
            from jsonb_array_elements(p_schema -> 'enum') as e (value)
            where e.value = p_value
        ) or not p_schema -> 'enum' @> jsonb_build_array(p_value) then
            return 'must be one of ' || left(p_schema ->> 'enum', 100);
        end if;
    end if;
    if p_type = 'object' and p_schema ? 'required' then
        v_required := p_schema -> 'required';
        if jsonb_typeof(v_required) <> 'array' then
            return '?its schema is not understood';
        end if;
        for v_index in 0 .. jsonb_array_length(v_required) - 1 loop
            if (p_value ? (v_required ->> v_index)) is not true then
                return format('must have the member %s', v_required ->> v_index);
            end if;
        end loop;
    elsif p_type in ('number', 'string', 'array') then
        return cmbs_store.schema_limit_fault(p_schema, p_value, p_type);
    end if;
    return null;
end
$$;

ALTER FUNCTION cmbs_store.schema_value_fault(p_schema jsonb, p_value jsonb, p_type text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_value_fault(p_schema jsonb, p_value jsonb, p_type text) IS 'What is wrong with a value by the keywords of a JSON Schema that need no other schema.';

CREATE FUNCTION cmbs_store.schema_walk(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_type text := jsonb_typeof(p_value);
    v_walk record;
    v_name text;
    v_value jsonb;
    v_schema jsonb;
begin
    -- Taking a value out of another copies it; a pattern can cost 10 microseconds a character.
    p_left := p_left - 1 - pg_column_size(p_value) / case
        when v_type = 'string' and p_schema ? 'pattern' then 10
        else 16384
    end;
    p_fault := case
        when p_depth > 64 then '?nested too deeply to be checked'
        when p_left < 0 then '?too much to be checked'
        else cmbs_store.schema_value_fault(p_schema, p_value, v_type)
    end;
    if p_fault is not null then
        p_fault := case when p_fault like '?%' then '?' else '' end
            || coalesce(nullif(p_path, ''), '/') || ': ' || ltrim(p_fault, '?');
        return;
    end if;
    if p_schema ?| array['$ref', 'allOf', 'anyOf', 'oneOf', 'not'] then
        v_walk := cmbs_store.schema_apply(p_root, p_schema, p_value, p_path, p_depth, p_left);
        p_left := v_walk.p_left;
        p_fault := v_walk.p_fault;
        if p_fault is not null then
            return;
        end if;
    end if;
    if v_type = 'object' and p_schema ?| array['properties', 'additionalProperties'] then
        for v_name, v_value in select m.key, m.value from jsonb_each(p_value) as m loop
            v_schema := coalesce(
                p_schema -> 'properties' -> v_name, p_schema -> 'additionalProperties', 'true'
            );
            v_walk := cmbs_store.schema_walk(
                p_root,
                v_schema,
                v_value,
                format('%s/%s', p_path, replace(replace(v_name, '~', '~0'), '/', '~1')),
                p_depth + 1,
                p_left
            );
            p_left := v_walk.p_left;
            p_fault := v_walk.p_fault;
            exit when p_fault is not null;
        end loop;
    elsif v_type = 'array' and p_schema ? 'items' then
        for v_index in 0 .. jsonb_array_length(p_value) - 1 loop
            v_walk := cmbs_store.schema_walk(
                p_root,
                p_schema -> 'items',
                p_value -> v_index,
                p_path || '/' || v_index,
                p_depth + 1,
                p_left
            );
            p_left := v_walk.p_left;
            p_fault := v_walk.p_fault;
            exit when p_fault is not null;
        end loop;
    end if;
end
$_$;

ALTER FUNCTION cmbs_store.schema_walk(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schema_walk(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) IS 'The first fault of a value and of what is inside of it, and how many steps are left.';

CREATE FUNCTION cmbs_store.schemas_named(p_tenant text, p_schema_ids text[], p_recorded jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        jsonb_object_agg(
            i.schema_id,
            coalesce(p_recorded -> i.schema_id, to_jsonb(encode(s.schema_hash, 'hex')))
        ),
        '{}'
    )
    from unnest(p_schema_ids) as i (schema_id)
    left join cmbs_store.json_schema as s
        on s.tenant in (p_tenant, '*') and s.schema_id = i.schema_id
$$;

ALTER FUNCTION cmbs_store.schemas_named(p_tenant text, p_schema_ids text[], p_recorded jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.schemas_named(p_tenant text, p_schema_ids text[], p_recorded jsonb) IS 'The hashes of the documents that schema ids stand for.';

CREATE FUNCTION cmbs_store.scope_reasons(p_token cmbs_store.capability_token, p_item_no integer, p_item jsonb, p_definition jsonb, p_is_approved boolean) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_authorities text[];
begin
    if p_token.token_id is null then
        return '{}'::cmbs_store.reason[];
    end if;
    if p_item ->> 'kind' = 'tool_call' then
        v_authorities := array(select jsonb_array_elements_text(p_definition -> 'authorities'));
        if p_item ->> 'tool_id' <> all(p_token.tools)
            and (cardinality(v_authorities) = 0 or not v_authorities <@ p_token.capabilities)
        then
            v_reasons := array[(
                p_item_no, 'token', 'SCOPE_NOT_ALLOWED', null, 'block',
                'the token does not name the tool ' || left(p_item ->> 'tool_id', 200)
            )::cmbs_store.reason];
        end if;
        if p_token.approval = 'required' and not p_is_approved then
            v_reasons := v_reasons || (
                p_item_no, 'token', 'APPROVAL_REQUIRED', null, 'ask',
                'the token takes an approval for each call'
            )::cmbs_store.reason;
        end if;
        if cardinality(p_token.resource_roots) > 0 then
            v_reasons := v_reasons || cmbs_store.resource_reasons(
                p_token.resource_roots, p_item_no, p_item
            );
        end if;
        return v_reasons;
    end if;
    if p_item ? 's_core' and 'state.write.core' <> all(p_token.capabilities) then
        v_reasons := array[(
            p_item_no, 'token', 'SCOPE_NOT_ALLOWED', null, 'block',
            'the token does not have the capability state.write.core'
        )::cmbs_store.reason];
    end if;
    return v_reasons || array(
        select (
            p_item_no, 'token', 'SCOPE_NOT_ALLOWED', left(k.key, 200), 'block',
            'no state prefix of the token covers the key'
        )::cmbs_store.reason
        from jsonb_object_keys(p_item -> 'patch') as k (key)
        where 'state.write.' || split_part(k.key, '.', 1) <> all(p_token.capabilities)
            and not exists (
                select
                from unnest(p_token.state_prefixes) as s (prefix)
                where k.key = s.prefix or starts_with(k.key, rtrim(s.prefix, '.') || '.')
            )
        order by k.key collate "C"
    );
end
$$;

ALTER FUNCTION cmbs_store.scope_reasons(p_token cmbs_store.capability_token, p_item_no integer, p_item jsonb, p_definition jsonb, p_is_approved boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.scope_reasons(p_token cmbs_store.capability_token, p_item_no integer, p_item jsonb, p_definition jsonb, p_is_approved boolean) IS 'The stage of the capability token: whether it covers what one item does.';

CREATE FUNCTION cmbs_store.sent_entries(p_entries json) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_entries jsonb;
    v_n bigint;
begin
    if json_typeof(p_entries) is distinct from 'object' then
        perform cmbs_store.refuse_request('entries', 'must be an object: key -> value');
    elsif octet_length(p_entries::text) > 134217728 then
        perform cmbs_store.refuse_size('entries', '128 MiB');
    end if;
    select count(*), jsonb_object_agg(
        e.key,
        case
            when cmbs_store.value_fault(t.sent) is null then (t.sent::jsonb)::text
            else t.sent
        end
    )
    into v_n, v_entries
    from json_each(p_entries) as e (key, value)
    cross join lateral (
        select case json_typeof(e.value)
            when 'string' then e.value #>> '{}'
            else e.value::text
        end as sent
        offset 0
    ) as t;
    if v_n = 0 then
        return '{}'::jsonb;
    elsif v_n <> (select count(*) from jsonb_object_keys(v_entries)) then
        perform cmbs_store.refuse_request('entries', 'a key may appear once');
    end if;
    return v_entries;
end
$$;

ALTER FUNCTION cmbs_store.sent_entries(p_entries json) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.sent_entries(p_entries json) IS 'The entries of a pack as they were sent, as texts: key -> text of the value. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.session_as_of(p_session cmbs_store.session, p_event_id uuid) RETURNS cmbs_store.session
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_event cmbs_store.audit_event := cmbs_store.read_event(p_session.session_id, p_event_id);
begin
    p_session.is_terminated := p_session.is_terminated and p_session.audit_seq = v_event.seq;
    p_session.audit_seq := v_event.seq;
    p_session.audit_head_event_id := v_event.event_id;
    p_session.audit_head_hash := v_event.event_hash;
    p_session.audit_head_at := v_event.recorded_at;
    p_session.survivors_hash :=
        decode(v_event.record::jsonb ->> 'survivors_after_hash', 'hex');
    p_session.n_survivors := p_session.n_hypotheses - (
        select count(*)
        from cmbs_store.tombstone as t
        where t.session_id = p_session.session_id and t.seq <= v_event.seq
    );
    p_session := cmbs_store.without_obligation(p_session);
    select o.entered_seq, o.obligation_id, o.min_total_eliminations, o.survivors_at_entry
    into
        p_session.obligation_seq, p_session.obligation_id,
        p_session.obligation_minimum, p_session.obligation_survivors
    from (
        select l.session_id, l.entered_seq, l.obligation_id, l.min_total_eliminations,
            l.survivors_at_entry
        from cmbs_store.obligation as l
        where l.session_id = p_session.session_id and l.entered_seq <= v_event.seq
        order by l.entered_seq desc
        limit 1
    ) as o
    left join cmbs_store.obligation_end as d
        on d.session_id = o.session_id and d.entered_seq = o.entered_seq
    where coalesce(d.ended_seq > v_event.seq, true);
    return p_session;
end
$$;

ALTER FUNCTION cmbs_store.session_as_of(p_session cmbs_store.session, p_event_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.session_as_of(p_session cmbs_store.session, p_event_id uuid) IS 'A session as it stood right after an event. Raises MB003.';

CREATE FUNCTION cmbs_store.session_before(p_session cmbs_store.session, p_seq bigint) RETURNS cmbs_store.session
    LANGUAGE sql STABLE
    AS $$
    select (cmbs_store.session_as_of(p_session, e.event_id)).*
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = p_seq - 1
$$;

ALTER FUNCTION cmbs_store.session_before(p_session cmbs_store.session, p_seq bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.session_before(p_session cmbs_store.session, p_seq bigint) IS 'A session as it stood before an event of its log.';

CREATE FUNCTION cmbs_store.session_reasons(p_session cmbs_store.session, p_snapshot_id uuid) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_seq bigint := cmbs_store.event_seq(p_snapshot_id);
    v_survivors_hash text;
    v_id uuid := p_session.session_id;
begin
    select left(right(e.record, 159), 64)
    into v_survivors_hash
    from cmbs_store.audit_event as e
    where e.session_id = v_id
        and e.seq = v_seq
        and e.event_id = p_snapshot_id
        and e.seq <= p_session.audit_seq;
    if not found then
        return array[
            (
                null, 'session', 'SNAPSHOT_UNKNOWN', null, 'block',
                format('%s is no event of this session', p_snapshot_id)
            )::cmbs_store.reason
        ];
    end if;
    if v_survivors_hash <> encode(p_session.survivors_hash, 'hex')
        or exists (
            select from cmbs_store.state_delta as d
            where d.session_id = v_id and d.seq > v_seq and d.seq <= p_session.audit_seq
        )
        or exists (
            select from cmbs_store.policy_pin as p
            where p.session_id = v_id and p.seq > v_seq and p.seq <= p_session.audit_seq
        )
        or exists (
            select from cmbs_store.conclusion as c
            where c.session_id = v_id
                and c.seq > v_seq
                and c.seq <= p_session.audit_seq
                and c.is_accepted
        )
        or cmbs_store.is_obligation_changed(v_id, v_seq, p_session.audit_seq)
    then
        return array[
            (
                null, 'session', 'SNAPSHOT_STALE', null, 'defer',
                format('read and propose again: the head is %s', p_session.audit_head_event_id)
            )::cmbs_store.reason
        ];
    end if;
    return '{}'::cmbs_store.reason[];
end
$$;

ALTER FUNCTION cmbs_store.session_reasons(p_session cmbs_store.session, p_snapshot_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.session_reasons(p_session cmbs_store.session, p_snapshot_id uuid) IS 'The stage of session and snapshot: whether the proposer saw what is decided on.';

CREATE FUNCTION cmbs_store.set_ranks(p_mask bytea, p_ranks integer[]) RETURNS bytea
    LANGUAGE sql IMMUTABLE
    AS $$
    select decode(string_agg(lpad(to_hex(w.bits), 2, '0'), '' order by w.byte_no), 'hex')
    from (
        select b.byte_no, bit_or(b.bits) as bits
        from (
            select g.byte_no, get_byte(p_mask, g.byte_no) as bits
            from generate_series(0, octet_length(p_mask) - 1) as g (byte_no)
            union all
            select r.hypothesis_rank / 8, 1 << r.hypothesis_rank % 8
            from unnest(p_ranks) as r (hypothesis_rank)
        ) as b
        group by b.byte_no
    ) as w
$$;

ALTER FUNCTION cmbs_store.set_ranks(p_mask bytea, p_ranks integer[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.set_ranks(p_mask bytea, p_ranks integer[]) IS 'A mask with the bits of the given ranks set.';

CREATE FUNCTION cmbs_store.setting_fault(p_key text, p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $_$
    select case
        when jsonb_typeof(p_value) is distinct from 'object' then 'it cannot be read'
        when p_value - 'v' - case p_key
            when 'policy.required_constraints' then array['value']
            when 'policy.arbitration' then array['default']
            when 'policy.claims' then array['threshold', 'default_ttl_ms']
            when 'policy.budgets' then array['soft']
            when 'policy.interrupts' then array['ttl_ms']
            when 'policy.permits' then array['ttl_ms']
            when 'policy.clarifications' then array['max_questions']
            when 'policy.deferrals' then array['max_attempts', 'backoff_ms']
            when 'policy.cooldowns' then array['tools']
            when 'policy.modes'
                then array['boost', 'normal', 'eco', 'thermal', 'offline_safe']
        end <> '{}' then 'it has members that are not known'
        else case p_key
        when 'policy.required_constraints' then case
            when jsonb_typeof(p_value -> 'value') is distinct from 'array'
                or jsonb_path_exists(p_value, 'strict $.value[*] ? (@.type() != "string")')
                then 'value must be a list of keys'
        end
        when 'policy.arbitration' then case
            when coalesce(p_value -> 'default' not in ('"strict"', '"grant"'), true)
                then 'default must be strict or grant'
        end
        when 'policy.claims' then case
            when p_value ? 'threshold' and (
                jsonb_typeof(p_value -> 'threshold') <> 'number'
                or p_value -> 'threshold' not between '0' and '1'
            ) then 'threshold must be a number from 0 to 1'
            when p_value ? 'default_ttl_ms' and (
                jsonb_typeof(p_value -> 'default_ttl_ms') <> 'number'
                or p_value -> 'default_ttl_ms' not between '1' and '31536000000000'
                or p_value ->> 'default_ttl_ms' !~ '^[0-9]+$'
            ) then 'default_ttl_ms must be a whole number of milliseconds'
        end
        when 'policy.budgets' then case
            when jsonb_typeof(p_value -> 'soft') is distinct from 'object'
                or jsonb_path_exists(
                    p_value,
                    'strict $.soft.* ? (@.type() != "number" || @ < 0 || @ > 100 || @ != @.floor())'
                )
                then 'soft must be an object: unit -> whole number of percent'
        end
        else cmbs_store.scheduler_setting_fault(p_key, p_value)
        end
    end
$_$;

ALTER FUNCTION cmbs_store.setting_fault(p_key text, p_value jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.setting_fault(p_key text, p_value jsonb) IS 'What is wrong with a setting of a policy that verdicts read; null if nothing is.';

CREATE FUNCTION cmbs_store.severity(p_disposition text) RETURNS integer
    LANGUAGE sql IMMUTABLE
    AS $$
    select case p_disposition
        when 'execute' then 0 when 'ask' then 1 when 'degrade' then 2 when 'defer' then 3 else 4
    end
$$;

ALTER FUNCTION cmbs_store.severity(p_disposition text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.severity(p_disposition text) IS 'How much a disposition forbids.';

CREATE FUNCTION cmbs_store.shape(p_object jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select jsonb_object_agg(m.key, jsonb_typeof(m.value))
    from jsonb_each(p_object) as m (key, value)
$$;

ALTER FUNCTION cmbs_store.shape(p_object jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.shape(p_object jsonb) IS 'The members of an object with their types for values.';

CREATE FUNCTION cmbs_store.shown_value(p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_value is null then 'is not there'
        when length(p_value::text) <= 60 then 'is ' || p_value::text
        else 'is ' || left(p_value::text, 57) || '...'
    end
$$;

ALTER FUNCTION cmbs_store.shown_value(p_value jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.shown_value(p_value jsonb) IS 'A value in a sentence: short, or what kind it is.';

CREATE FUNCTION cmbs_store.snapshot(p_session cmbs_store.session, p_minimal boolean) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_survivors text := '';
    v_obligation text := 'null';
begin
    if not p_minimal then
        v_survivors := '"survivors": ' || cmbs_store.survivors(p_session) || ', ';
    end if;
    if p_session.obligation_id is not null then
        v_obligation := cmbs_store.active_obligation(p_session);
    end if;
    return format(
        '{"session_id": "%s", "ontology": %s, %s"n_survivors": %s, "n_hypotheses": %s, '
        '"entropy_proxy": %s, "terminated": %s, "active_obligation_id": %s, '
        '"active_obligation": %s, "policy": %s, "survivors_hash": "%s", "audit_seq": %s, '
        '"audit_head_event_id": "%s", "audit_head_hash": "%s"}',
        p_session.session_id,
        p_session.ontology,
        v_survivors,
        p_session.n_survivors,
        p_session.n_hypotheses,
        cmbs_store.entropy(p_session.n_survivors),
        p_session.is_terminated::text,
        coalesce(to_json(p_session.obligation_id)::text, 'null'),
        v_obligation,
        cmbs_store.policy(p_session),
        encode(p_session.survivors_hash, 'hex'),
        p_session.audit_seq,
        p_session.audit_head_event_id,
        encode(p_session.audit_head_hash, 'hex')
    );
end
$$;

ALTER FUNCTION cmbs_store.snapshot(p_session cmbs_store.session, p_minimal boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.snapshot(p_session cmbs_store.session, p_minimal boolean) IS 'The snapshot of a session, as JSON text.';

CREATE FUNCTION cmbs_store.sorted_set(p_list text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_list is not null
            then array(
                select distinct u.item collate "C"
                from unnest(p_list) as u (item)
                order by 1
            )
    end
$$;

ALTER FUNCTION cmbs_store.sorted_set(p_list text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.sorted_set(p_list text[]) IS 'A list of texts in byte order, each once.';

CREATE FUNCTION cmbs_store.spending_rows(p_session_id uuid, p_token_id uuid, p_amounts jsonb) RETURNS SETOF jsonb
    LANGUAGE sql STABLE
    AS $$
    select jsonb_build_object(
        'token_id', c.token_id, 'unit', a.unit, 'amount', a.amount
    )
    from cmbs_store.capability_token as t
    cross join lateral unnest(t.chain) as c (token_id)
    cross join lateral jsonb_each(p_amounts) as a (unit, amount)
    where t.session_id = p_session_id and t.token_id = p_token_id and a.amount <> '0'
$$;

ALTER FUNCTION cmbs_store.spending_rows(p_session_id uuid, p_token_id uuid, p_amounts jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.spending_rows(p_session_id uuid, p_token_id uuid, p_amounts jsonb) IS 'What a token and all that it was made from spend.';

CREATE FUNCTION cmbs_store.standing(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '"n_survivors": %s, "entropy_proxy": %s, "survivors_hash": "%s", "terminated": %s, '
        '"active_obligation": %s',
        p_session.n_survivors,
        cmbs_store.entropy(p_session.n_survivors),
        encode(p_session.survivors_hash, 'hex'),
        p_session.is_terminated::text,
        case
            when p_session.obligation_id is null then 'null'
            else cmbs_store.active_obligation(p_session)
        end
    )
$$;

ALTER FUNCTION cmbs_store.standing(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.standing(p_session cmbs_store.session) IS 'What is believed in a session, in numbers, as members of a JSON object.';

CREATE FUNCTION cmbs_store.standing_at(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select format(
        '{"event_id": "%s", "seq": %s, "ts": "%s", %s}',
        p_session.audit_head_event_id,
        p_session.audit_seq,
        cmbs_store.timestamp_v1(p_session.audit_head_at),
        cmbs_store.standing(p_session)
    )
$$;

ALTER FUNCTION cmbs_store.standing_at(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.standing_at(p_session cmbs_store.session) IS 'An event and what was believed right after it, as JSON text.';

CREATE FUNCTION cmbs_store.standing_roles(p_tenant text, p_name text, p_roles jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        (
            select case
                when p.is_enabled then to_jsonb(array(
                    select r.role collate "C" from unnest(p.roles) as r (role) order by 1
                ))
                else '[]'
            end
            from cmbs_store.principal as p
            where p.name = p_name and p.tenant in (p_tenant, '*')
            order by p.is_enabled
            limit 1
        ),
        p_roles
    )
$$;

ALTER FUNCTION cmbs_store.standing_roles(p_tenant text, p_name text, p_roles jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.standing_roles(p_tenant text, p_name text, p_roles jsonb) IS 'The roles that somebody has now who proposed something before.';

CREATE FUNCTION cmbs_store.starter_pack(p_pack text, p_version integer, p_entries jsonb) RETURNS void
    LANGUAGE plpgsql
    AS $$
declare
    v_texts jsonb;
begin
    select jsonb_object_agg(e.key, e.value::text) into v_texts
    from jsonb_each(p_entries) as e (key, value);
    insert into cmbs_store.policy_version (
        tenant, pack, version, policy_hash, fixtures, published_at, published_by
    )
    values (
        '*', p_pack, p_version, cmbs_store.store_policy(v_texts), '[]', cmbs_store.clock(), 'cmbs'
    )
    on conflict (tenant, pack, version) do nothing;
end
$$;

ALTER FUNCTION cmbs_store.starter_pack(p_pack text, p_version integer, p_entries jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.starter_pack(p_pack text, p_version integer, p_entries jsonb) IS 'Publish a pack for every tenant, if it is not there.';

CREATE FUNCTION cmbs_store.state_fault(p_session cmbs_store.session, p_state cmbs_store.session, p_ids text[], p_id_seqs bigint[], p_rows text[], p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
begin
    select min(coalesce(d.seq, t.seq)), 'the tombstones are not those of the log'
    into p_seq, p_reason
    from unnest(p_ids, p_id_seqs) as d (hypothesis_id, seq)
    full join (
        select s.hypothesis_id, s.seq
        from cmbs_store.tombstone as s
        where s.session_id = p_session.session_id
    ) as t on t.hypothesis_id = d.hypothesis_id and t.seq = d.seq
    where d.seq is null or t.seq is null;
    if p_seq is not null then
        return;
    end if;
    select min(coalesce(d.seq, t.seq)), 'the obligations or conclusions are not those of the log'
    into p_seq, p_reason
    from (
        select u.gate_row, u.seq
        from unnest(p_rows, p_row_seqs) as u (gate_row, seq)
        where u.gate_row is not null
    ) as d
    full join cmbs_store.gate_rows(p_session.session_id) as t
        on t.gate_row = d.gate_row and t.seq = d.seq
    where d.seq is null or t.seq is null;
    if p_seq is not null then
        return;
    end if;
    p_reason := null;
    if not cmbs_store.is_mask(p_session, p_state.mask) then
        p_seq := p_session.audit_seq;
        p_reason := 'the stored mask is not that of the log';
        return;
    end if;
    p_state.mask := p_session.mask;
    if p_state is distinct from p_session then
        p_seq := p_session.audit_seq;
        select 'the stored session differs from the log: '
            || string_agg(a.key, ', ' order by a.key)
        into p_reason
        from jsonb_each_text(to_jsonb(p_state)) as a (key, value)
        inner join jsonb_each_text(to_jsonb(p_session)) as b (key, value) on b.key = a.key
        where a.value is distinct from b.value;
    end if;
end
$$;

ALTER FUNCTION cmbs_store.state_fault(p_session cmbs_store.session, p_state cmbs_store.session, p_ids text[], p_id_seqs bigint[], p_rows text[], p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.state_fault(p_session cmbs_store.session, p_state cmbs_store.session, p_ids text[], p_id_seqs bigint[], p_rows text[], p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) IS 'Whether the stored state is the one that the log leads to.';

CREATE FUNCTION cmbs_store.steps_without(p_session_id uuid, p_without_source text, p_without_observation text, p_seqs bigint[], OUT seq bigint, OUT verb text, OUT event_id uuid, OUT payload jsonb, OUT n_eliminated bigint) RETURNS SETOF record
    LANGUAGE sql STABLE
    AS $$
    select s.seq, min(s.verb), min(s.event_id::text)::uuid, s.payload, sum(s.n)::bigint
    from (
        select e.seq, e.verb, e.event_id, r.payload, r.n
        from cmbs_store.audit_event as e
        cross join lateral (
            select
                case when e.verb <> 'ELIMINATE' then p.record -> 'payload' end as payload,
                case
                    when e.verb = 'ELIMINATE'
                        then jsonb_array_length(p.record #> '{delta,eliminated}')
                    else 0
                end as n
            from (select e.record::jsonb as record offset 0) as p
        ) as r
        where e.session_id = p_session_id
            and e.seq > 1
            and not cmbs_store.is_arbitration(e.verb)
            and not cmbs_store.is_left_out(
                e.source_id, e.observation_id, p_without_source, p_without_observation
            )
        union all
        select o.seq, 'ELIMINATE', null, null, count(*)
        from unnest(p_seqs) as o (seq)
        where o.seq is not null
        group by o.seq
    ) as s
    group by s.seq, s.payload
    order by s.seq
$$;

ALTER FUNCTION cmbs_store.steps_without(p_session_id uuid, p_without_source text, p_without_observation text, p_seqs bigint[], OUT seq bigint, OUT verb text, OUT event_id uuid, OUT payload jsonb, OUT n_eliminated bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.steps_without(p_session_id uuid, p_without_source text, p_without_observation text, p_seqs bigint[], OUT seq bigint, OUT verb text, OUT event_id uuid, OUT payload jsonb, OUT n_eliminated bigint) IS 'The log of a session without some of its messages, in order.';

CREATE FUNCTION cmbs_store.store_policy(p_entries jsonb) RETURNS bytea
    LANGUAGE plpgsql
    AS $$
declare
    v_hash bytea := cmbs_store.digest_v1(p_entries::text);
begin
    insert into cmbs_store.policy (policy_hash, n_entries, settings, missing_constraints)
    select
        v_hash,
        count(*),
        coalesce(
            jsonb_object_agg(e.key, cmbs_store.readable_value(e.value))
                filter (where e.key like 'policy.%'),
            '{}'
        ),
        cmbs_store.missing_constraints(p_entries)
    from jsonb_each_text(p_entries) as e (key, value)
    on conflict (policy_hash) do nothing;
    if found then
        insert into cmbs_store.policy_entry
        select p.*
        from jsonb_each_text(p_entries) as e (key, value)
        cross join lateral cmbs_store.parsed_entry(v_hash, e.key, e.value) as p;
    end if;
    return v_hash;
end
$$;

ALTER FUNCTION cmbs_store.store_policy(p_entries jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.store_policy(p_entries jsonb) IS 'Store the content of a policy, if it is new, and return its hash.';

CREATE FUNCTION cmbs_store.stored_values(p_session_id uuid, p_seq bigint, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        jsonb_object_agg(
            k.key,
            jsonb_build_object('seq', w.seq, 'value', cmbs_store.readable_value(w.value))
        ),
        '{}'
    )
    from unnest(p_keys) as k (key)
    cross join lateral (
        select v.seq, v.value
        from cmbs_store.state_value as v
        where v.session_id = p_session_id and v.key = k.key and v.seq <= p_seq
        order by v.seq desc
        limit 1
    ) as w
    where w.value is not null
$$;

ALTER FUNCTION cmbs_store.stored_values(p_session_id uuid, p_seq bigint, p_keys text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.stored_values(p_session_id uuid, p_seq bigint, p_keys text[]) IS 'The stored values of keys as of an event, with the events that wrote them.';

CREATE FUNCTION cmbs_store.strangers(p_declared text[]) RETURNS text[]
    LANGUAGE sql STABLE
    AS $$
    select array(
        select p.oid::regprocedure::text
        from pg_proc as p
        where p.pronamespace in ('cmbs'::regnamespace, 'cmbs_store'::regnamespace)
            and not exists (
                select from unnest(p_declared) as d (name) where to_regprocedure(d.name) = p.oid
            )
        order by 1
    )
$$;

ALTER FUNCTION cmbs_store.strangers(p_declared text[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.strangers(p_declared text[]) IS 'The functions in our schemas that a deployment does not declare.';

CREATE FUNCTION cmbs_store.subject_of(p_key text, p_value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE
    AS $$
declare
    v_subjects json[];
    v_subject jsonb;
    v_members text[];
begin
    if p_key like 'constraint.invariant.%' then
        return '!';
    end if;
    v_subjects := array(
        select m.value from json_each(p_value::json) as m (key, value) where m.key = 'subject'
    );
    if cardinality(v_subjects) <> 1 or json_typeof(v_subjects[1]) <> 'object' then
        return '*';
    end if;
    v_members := array(select json_object_keys(v_subjects[1]));
    v_subject := v_subjects[1]::jsonb;
    return case
        when cardinality(v_members) <> 1 or v_members[1] not in ('tool_id', 'capability') then '*'
        when jsonb_typeof(v_subject -> v_members[1]) <> 'string' then '*'
        when v_subject ->> v_members[1] = '' then '*'
        else left(v_members[1], 1) || ':' || (v_subject ->> v_members[1])
    end;
exception
    when data_exception or statement_too_complex then
        return '*';
end
$$;

ALTER FUNCTION cmbs_store.subject_of(p_key text, p_value text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.subject_of(p_key text, p_value text) IS 'To what a constraint applies, as its text says; everything if that cannot be read.';

CREATE FUNCTION cmbs_store.survivors(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        '[' || string_agg(to_json(d.hypothesis_id)::text, ', ' order by d.hypothesis_id) || ']',
        '[]'
    )
    from (
        select m.hypothesis_id
        from cmbs_store.universe_member as m
        where m.universe_digest = p_session.universe_digest
        except
        select t.hypothesis_id
        from cmbs_store.tombstone as t
        where t.session_id = p_session.session_id and t.seq <= p_session.audit_seq
    ) as d
$$;

ALTER FUNCTION cmbs_store.survivors(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.survivors(p_session cmbs_store.session) IS 'The survivors of a session, now or as of an event, as canonical text: universe minus tombstones.';

CREATE FUNCTION cmbs_store.survivors_hash(p_session cmbs_store.session) RETURNS bytea
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_session.mask is not null then
        return cmbs_store.survivors_hash_v1(p_session.universe_digest, p_session.mask);
    end if;
    return cmbs_store.survivors_hash_v1(
        p_session.universe_digest,
        (
            select string_agg(c.chunk, ''::bytea)
            from (
                select k.chunk
                from cmbs_store.session_mask as k
                where k.session_id = p_session.session_id
                order by k.chunk_no
            ) as c
        )
    );
end
$$;

ALTER FUNCTION cmbs_store.survivors_hash(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.survivors_hash(p_session cmbs_store.session) IS 'The survivors hash of a session as its mask stands.';

CREATE FUNCTION cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN sha256((p_universe_digest || p_mask));

ALTER FUNCTION cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea) IS 'sha-256 over universe digest and survivor mask.';

CREATE FUNCTION cmbs_store.survivors_then(p_session cmbs_store.session) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(jsonb_agg(m.hypothesis_id order by m.hypothesis_id), '[]')
    from cmbs_store.universe_member as m
    where m.universe_digest = p_session.universe_digest
        and not exists (
            select
            from cmbs_store.tombstone as t
            where t.session_id = p_session.session_id
                and t.hypothesis_id = m.hypothesis_id
                and t.seq <= p_session.audit_seq
        )
$$;

ALTER FUNCTION cmbs_store.survivors_then(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.survivors_then(p_session cmbs_store.session) IS 'The survivors as of an event.';

CREATE FUNCTION cmbs_store.sweep_fault(p_state cmbs_store.session, p_payload jsonb, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select case
        when count(*) <> count(distinct e.permit_id) or not coalesce(bool_and(
            p.expires_at <= p_at
            and cmbs_store.permit_fault(p_state, p, '-infinity') is null
        ), false) then 'a permit was released that had not run out'
    end
    from jsonb_array_elements_text(p_payload -> 'permits') as e (permit_id)
    left join cmbs_store.permit as p
        on p.session_id = p_state.session_id
            and p.permit_id = e.permit_id::uuid
            and p.seq <= p_state.audit_seq
$$;

ALTER FUNCTION cmbs_store.sweep_fault(p_state cmbs_store.session, p_payload jsonb, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.sweep_fault(p_state cmbs_store.session, p_payload jsonb, p_at timestamp with time zone) IS 'What is wrong with a recorded release of permits; null if nothing.';

CREATE FUNCTION cmbs_store.termination_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_plain record := cmbs_store.decide_gate(p_session, 'REQUEST_TERMINATION', '{}');
    v_forced record := cmbs_store.decide_gate(
        p_session, 'REQUEST_TERMINATION', '{"context": {"force": true}}'
    );
    v_missing text;
begin
    if not v_plain.p_approved then
        select string_agg(
            json_build_object('condition', c.condition, 'missing', c.missing)::text,
            ', ' order by c.place
        )
        into v_missing
        from (
            values
            (
                1, 'no active obligation', p_session.obligation_id is not null,
                case when p_session.obligation_minimum <= p_session.obligation_survivors then
                    greatest(
                        p_session.obligation_minimum
                        - p_session.obligation_survivors + p_session.n_survivors,
                        0
                    )
                end
            ),
            (
                2, 'a singleton survivor', p_session.n_survivors <> 1,
                nullif(p_session.n_survivors, 0)::bigint - 1
            ),
            (
                3, 'a stable conclusion', p_session.conclusion_run < p_session.stability_window,
                (p_session.stability_window - p_session.conclusion_run)::bigint
            )
        ) as c (place, condition, is_lacking, missing)
        where c.is_lacking;
    end if;
    return format(
        '%s, "with_force": %s, "missing": [%s]}',
        left(cmbs_store.decision(
            coalesce(v_plain.p_approved, false), v_plain.p_reason, v_plain.p_error
        ), -1),
        cmbs_store.decision(
            coalesce(v_forced.p_approved, false), v_forced.p_reason, v_forced.p_error
        ),
        v_missing
    );
end
$$;

ALTER FUNCTION cmbs_store.termination_left(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.termination_left(p_session cmbs_store.session) IS 'What REQUEST_TERMINATION would answer now, and what is lacking, as JSON text.';

CREATE FUNCTION cmbs_store.termination_reason(p_has_obligation boolean, p_n_survivors integer, p_is_stable boolean, p_force boolean, p_force_allowed boolean) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_has_obligation then 'active obligation blocks termination'
        when p_force and p_force_allowed then 'approved by force'
        when p_n_survivors = 1 and p_is_stable then 'approved'
        when p_n_survivors = 1 and not p_force then 'conclusion not stable'
        when p_force then 'force not allowed by policy'
        else 'termination requires a singleton survivor'
    end
$$;

ALTER FUNCTION cmbs_store.termination_reason(p_has_obligation boolean, p_n_survivors integer, p_is_stable boolean, p_force boolean, p_force_allowed boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.termination_reason(p_has_obligation boolean, p_n_survivors integer, p_is_stable boolean, p_force boolean, p_force_allowed boolean) IS 'The answer to a request for termination.';

CREATE FUNCTION cmbs_store.text_list(p_member text, p_list jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $_$
begin
    if p_list is null or p_list = 'null' then
        return '[]'::jsonb;
    elsif jsonb_typeof(p_list) <> 'array'
        or jsonb_path_exists(p_list, 'strict $[*] ? (@.type() != "string")')
    then
        perform cmbs_store.refuse_request(p_member, 'must be a list of texts');
    elsif jsonb_array_length(p_list) > 1000 then
        perform cmbs_store.refuse_size(p_member, '1,000 entries');
    end if;
    perform cmbs_store.check_id(p_member, e.entry)
    from jsonb_array_elements_text(p_list) as e (entry);
    return (
        select coalesce(jsonb_agg(d.entry order by d.entry), '[]')
        from (
            select distinct e.entry collate "C" as entry
            from jsonb_array_elements_text(p_list) as e (entry)
        ) as d
    );
end
$_$;

ALTER FUNCTION cmbs_store.text_list(p_member text, p_list jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.text_list(p_member text, p_list jsonb) IS 'A list of texts, sorted and each once. Raises MB201, MB203.';

CREATE FUNCTION cmbs_store.text_member(p_object jsonb, p_member text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if jsonb_typeof(p_object -> p_member) not in ('string', 'null') then
        perform cmbs_store.refuse_request(p_member, 'must be a string');
    end if;
    return p_object ->> p_member;
end
$$;

ALTER FUNCTION cmbs_store.text_member(p_object jsonb, p_member text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.text_member(p_object jsonb, p_member text) IS 'A member of an object that must be a string. Raises MB201.';

CREATE FUNCTION cmbs_store.time_member(p_object jsonb, p_member text) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_text text := cmbs_store.text_member(p_object, p_member);
    v_at timestamptz;
begin
    if v_text !~ (
        '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,6})?)?'
        '(Z|[+-][0-9]{2}:?[0-9]{2})$'
    ) then
        perform cmbs_store.refuse_request(
            p_member, 'must be a time such as 2026-11-18T07:49:06Z'
        );
    end if;
    v_at := v_text::timestamptz;
    if v_at >= '10000-01-01T00:00:00Z' or v_at < '0001-01-01T00:00:00Z' then
        perform cmbs_store.refuse_request(p_member, 'must be a time of the years 1 to 9999');
    end if;
    return v_at;
end
$_$;

ALTER FUNCTION cmbs_store.time_member(p_object jsonb, p_member text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.time_member(p_object jsonb, p_member text) IS 'A member of an object that must be a time, null if it is null or absent. Raises MB201.';

CREATE FUNCTION cmbs_store.together_reasons(p_session cmbs_store.session, p_items jsonb, p_ground cmbs_store.ground) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $_$
begin
    if not jsonb_path_exists(p_items, '$[*] ? (@.kind == "state_delta")') then
        return '{}'::cmbs_store.reason[];
    end if;
    return cmbs_store.prefix_reasons(p_session, p_items)
        || cmbs_store.conflict_reasons(p_session, p_items)
        || cmbs_store.invariant_reasons(
            p_ground.entries, cmbs_store.post_state(p_ground.world, p_items), p_ground.documents
        );
end
$_$;

ALTER FUNCTION cmbs_store.together_reasons(p_session cmbs_store.session, p_items jsonb, p_ground cmbs_store.ground) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.together_reasons(p_session cmbs_store.session, p_items jsonb, p_ground cmbs_store.ground) IS 'The checks that look at all deltas of a proposal together.';

CREATE FUNCTION cmbs_store.token_holder(p_credential bytea, p_verb text) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_caller cmbs_store.principal;
    v_token cmbs_store.api_token;
begin
    select t.*
    into v_token
    from cmbs_store.api_token as t
    where t.credential_hash = sha256(p_credential);
    if not found then
        perform cmbs_store.refuse_credential('unknown');
    end if;
    select p.*
    into strict v_caller
    from cmbs_store.principal as p
    where p.name = v_token.name and p.tenant = v_token.tenant;
    if v_token.revoked_at is not null then
        perform cmbs_store.refuse_credential('revoked');
    elsif v_token.expires_at <= cmbs_store.clock() then
        perform cmbs_store.refuse_credential('expired');
    elsif not v_caller.is_enabled then
        perform cmbs_store.refuse_credential('its principal is disabled');
    elsif current_setting('transaction_isolation') <> 'read committed' then
        perform cmbs_store.refuse_caller(
            'a credential counts only where transactions are isolated as read committed'
        );
    elsif p_verb <> 'identify' and p_verb <> all(v_token.verbs) then
        raise exception using
            errcode = 'MB302',
            message = 'The token does not cover this verb.',
            detail = json_build_object('verb', p_verb, 'verbs', v_token.verbs)::text,
            hint = 'Ask an administrator for a token that does.';
    end if;
    v_caller.tenant := coalesce(v_token.scope_tenant, v_caller.tenant);
    return v_caller;
end
$$;

ALTER FUNCTION cmbs_store.token_holder(p_credential bytea, p_verb text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.token_holder(p_credential bytea, p_verb text) IS 'The principal that holds a token. Raises MB301, MB302.';

CREATE FUNCTION cmbs_store.token_json(p_token cmbs_store.api_token) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select jsonb_build_object(
        'token_id', p_token.token_id,
        'tenant', p_token.tenant,
        'name', p_token.name,
        'prefix', p_token.prefix,
        'verbs', p_token.verbs,
        'scope_tenant', p_token.scope_tenant,
        'created_at', cmbs_store.timestamp_v1(p_token.created_at),
        'created_by', p_token.created_by,
        'expires_at', cmbs_store.timestamp_v1(p_token.expires_at),
        'revoked_at', cmbs_store.timestamp_v1(p_token.revoked_at),
        'last_used_at', (
            select cmbs_store.timestamp_v1(u.used_at)
            from cmbs_store.api_token_use as u
            where u.token_id = p_token.token_id
        )
    )
$$;

ALTER FUNCTION cmbs_store.token_json(p_token cmbs_store.api_token) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.token_json(p_token cmbs_store.api_token) IS 'A token as it is shown.';

CREATE FUNCTION cmbs_store.token_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_is_shown boolean, p_actor text, p_at timestamp with time zone) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_code text;
begin
    v_code := case
        when not p_is_shown then 'TOKEN_MISSING'
        when p_token.token_id is null then 'TOKEN_UNKNOWN'
        when p_token.holder <> p_actor then 'TOKEN_HOLDER_MISMATCH'
        when exists (
            select
            from cmbs_store.capability_revocation as r
            where r.session_id = p_session.session_id
                and r.token_id = any(p_token.chain)
                and r.seq <= p_session.audit_seq
        ) then 'TOKEN_REVOKED'
        when p_at < p_token.valid_from then 'TOKEN_NOT_YET_VALID'
        when p_at >= p_token.expires_at then 'TOKEN_EXPIRED'
    end;
    return case
        when v_code is null then '{}'
        else array[(
            null, 'token', v_code, null, 'block',
            case v_code
                when 'TOKEN_MISSING' then 'show the secret of a token as capability_token'
                when 'TOKEN_UNKNOWN' then 'what was shown is the secret of no token of this session'
                when 'TOKEN_HOLDER_MISMATCH' then format(
                    'the token is of %s, and %s proposes', p_token.holder, p_actor
                )
                when 'TOKEN_REVOKED' then 'it, or one that it was made from, was revoked'
                when 'TOKEN_EXPIRED'
                    then 'it expired at ' || cmbs_store.timestamp_v1(p_token.expires_at)
                else 'it counts from ' || cmbs_store.timestamp_v1(p_token.valid_from)
            end
        )::cmbs_store.reason]
    end;
end
$$;

ALTER FUNCTION cmbs_store.token_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_is_shown boolean, p_actor text, p_at timestamp with time zone) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.token_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_is_shown boolean, p_actor text, p_at timestamp with time zone) IS 'The stage of the capability token: whether it counts at all.';

CREATE FUNCTION cmbs_store.tool_definitions(p_tools jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(jsonb_object_agg(t.tool_id, d.definition::jsonb), '{}')
    from jsonb_each_text(p_tools) as t (tool_id, tool_hash)
    inner join cmbs_store.tool_definition as d
        on d.tool_hash = decode(t.tool_hash, 'hex')
    where length(t.tool_hash) = 64
$$;

ALTER FUNCTION cmbs_store.tool_definitions(p_tools jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.tool_definitions(p_tools jsonb) IS 'The definitions of tools from their hashes.';

CREATE FUNCTION cmbs_store.tool_reasons(p_item_no integer, p_item jsonb, p_tool jsonb, p_definition jsonb, p_schemas jsonb, p_has_key boolean) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_schema jsonb := p_definition -> 'args_schema';
    v_fault text;
begin
    if p_definition is null then
        return array[(
            p_item_no, 'schemas',
            case when p_tool = 'false' then 'TOOL_WITHDRAWN' else 'TOOL_UNKNOWN' end,
            null, 'block', format(
                'the tool %s %s', left(p_item ->> 'tool_id', 200),
                case when p_tool = 'false' then 'was withdrawn' else 'is not registered' end
            )
        )::cmbs_store.reason];
    end if;
    if not p_has_key and p_definition -> 'mutating' <> 'false' then
        v_reasons := array[(
            p_item_no, 'idempotency', 'IDEMPOTENCY_REQUIRED', null, 'block', format(
                'the tool %s changes something: send an idempotency_key',
                left(p_item ->> 'tool_id', 200)
            )
        )::cmbs_store.reason];
    end if;
    if jsonb_typeof(v_schema) = 'string' then
        v_schema := p_schemas -> (v_schema #>> '{}');
        if v_schema is null then
            v_fault := 'the schema of the tool is not there';
        end if;
    end if;
    if p_item ? 'args' and jsonb_typeof(v_schema) in ('object', 'boolean') then
        v_fault := cmbs_store.schema_fault(v_schema, p_item -> 'args');
    end if;
    if v_fault is not null then
        v_reasons := v_reasons || (
            p_item_no, 'schemas', 'ARGS_SCHEMA_INVALID', null, 'block', left(v_fault, 300)
        )::cmbs_store.reason;
    end if;
    return v_reasons;
end
$$;

ALTER FUNCTION cmbs_store.tool_reasons(p_item_no integer, p_item jsonb, p_tool jsonb, p_definition jsonb, p_schemas jsonb, p_has_key boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.tool_reasons(p_item_no integer, p_item jsonb, p_tool jsonb, p_definition jsonb, p_schemas jsonb, p_has_key boolean) IS 'The stages of idempotency and of schemas for one tool call.';

CREATE FUNCTION cmbs_store.tools_named(p_tenant text, p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE
    AS $$
    select coalesce(
        jsonb_object_agg(
            i.tool_id,
            case
                when r.tool_id is null then 'null'
                when r.tool_hash is null then 'false'
                else to_jsonb(encode(r.tool_hash, 'hex'))
            end
        ),
        '{}'
    )
    from (
        select distinct e.item ->> 'tool_id' as tool_id
        from jsonb_array_elements(p_items) as e (item)
        where e.item ->> 'kind' = 'tool_call'
    ) as i
    left join lateral (
        select t.tool_id, t.tool_hash
        from cmbs_store.tool_registration as t
        where t.tenant = p_tenant and t.tool_id = i.tool_id
        order by t.registration_no desc
        limit 1
    ) as r on true
$$;

ALTER FUNCTION cmbs_store.tools_named(p_tenant text, p_items jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.tools_named(p_tenant text, p_items jsonb) IS 'The tools that items call, as they are registered now.';

CREATE FUNCTION cmbs_store.trace_start(p_session_id uuid, p_tenant text, p_since_event_id uuid, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql STABLE
    AS $$
begin
    perform cmbs_store.read_session(p_session_id, p_tenant);
    perform cmbs_store.check_limit(p_limit, 10000);
    if p_since_event_id is null then
        return 0;
    end if;
    return (cmbs_store.read_event(p_session_id, p_since_event_id)).seq;
end
$$;

ALTER FUNCTION cmbs_store.trace_start(p_session_id uuid, p_tenant text, p_since_event_id uuid, p_limit integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.trace_start(p_session_id uuid, p_tenant text, p_since_event_id uuid, p_limit integer) IS 'The seq after which a trace begins. Raises MB001, MB003, MB201.';

CREATE FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN sha256(convert_to(p_ids_text, 'UTF8'::name));

ALTER FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) IS 'sha-256 over the canonical text of the sorted ids.';

CREATE FUNCTION cmbs_store.universe_ids(p_universe_digest bytea) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select '[' || string_agg(to_json(m.hypothesis_id)::text, ', ' order by m.hypothesis_id) || ']'
    from cmbs_store.universe_member as m
    where m.universe_digest = p_universe_digest
$$;

ALTER FUNCTION cmbs_store.universe_ids(p_universe_digest bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.universe_ids(p_universe_digest bytea) IS 'The ids of a universe, as the canonical text that its digest hashes.';

CREATE FUNCTION cmbs_store.value_fault(p_value text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $_$
declare
    v_value jsonb;
begin
    begin
        v_value := p_value::jsonb;
    exception
        when data_exception or statement_too_complex then
            return 'VALUE_NOT_JSON';
    end;
    if p_value ~ '[0-9.]{250}|[eE][+-]?0*[0-9]{2}' and exists (
        select
        from jsonb_array_elements(
            jsonb_path_query_array(v_value, 'strict $.** ? (@.type() == "number")')
        ) as n (number)
        where abs(n.number::numeric) >= 1e1000 or scale(n.number::numeric) > 1000
    ) then
        return 'VALUE_NOT_JSON';
    end if;
    if jsonb_path_exists(
        v_value, 'strict $.**{128} ? (@.type() == "object" || @.type() == "array")'
    ) then
        return 'VALUE_NOT_JSON';
    end if;
    return case
        when jsonb_typeof(v_value) <> 'object' then 'VALUE_VERSION_INVALID'
        when cmbs_store.n_colons(p_value) <> cmbs_store.n_colons(v_value::text)
            then 'DUPLICATE_JSON_KEY'
        when v_value -> 'v' is distinct from '1' then 'VALUE_VERSION_INVALID'
    end;
end
$_$;

ALTER FUNCTION cmbs_store.value_fault(p_value text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.value_fault(p_value text) IS 'Why a text cannot be the value of a key, as a reason code; null if it can.';

CREATE FUNCTION cmbs_store.verdict(p_items jsonb, p_reasons cmbs_store.reason[], p_is_atomic boolean) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE
    AS $_$
declare
    v_all jsonb := cmbs_store.verdict_of(p_reasons, null);
    v_items jsonb := '[]'::jsonb;
    v_item jsonb;
    v_verdict jsonb;
begin
    for v_no in 1 .. jsonb_array_length(p_items) loop
        v_item := p_items -> v_no - 1;
        v_verdict := case
            when cardinality(p_reasons) = 0 then v_all
            else cmbs_store.verdict_of(p_reasons, v_no)
        end;
        v_verdict := v_verdict || jsonb_build_object(
            'item_no', v_no,
            'digest', encode(cmbs_store.digest_v1(v_item::text), 'hex'),
            'effective', v_verdict ->> 'decision' = 'allow'
                and (not p_is_atomic or cardinality(p_reasons) = 0)
        );
        if v_item ? 'args' then
            v_verdict := v_verdict || jsonb_build_object(
                'args_hash', encode(cmbs_store.digest_v1((v_item -> 'args')::text), 'hex')
            );
        end if;
        v_items := v_items || v_verdict;
    end loop;
    if not p_is_atomic and jsonb_path_exists(v_items, '$[*] ? (@.effective == true)') then
        v_all := v_all || cmbs_store.verdict_of('{}', null) - 'reasons';
    end if;
    return v_all || jsonb_build_object('items', v_items);
end
$_$;

ALTER FUNCTION cmbs_store.verdict(p_items jsonb, p_reasons cmbs_store.reason[], p_is_atomic boolean) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.verdict(p_items jsonb, p_reasons cmbs_store.reason[], p_is_atomic boolean) IS 'The verdict on a proposal and on each of its items, from the reasons against them.';

CREATE FUNCTION cmbs_store.verdict_alone(p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select p_verdict - 'deferral' || jsonb_build_object('items', (
        select jsonb_agg(
            i.item - array['permit_id', 'permit', 'interrupt_id', 'interrupt', 'deferral_id']
            order by i.no
        )
        from jsonb_array_elements(p_verdict -> 'items') with ordinality as i (item, no)
    ))
$$;

ALTER FUNCTION cmbs_store.verdict_alone(p_verdict jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.verdict_alone(p_verdict jsonb) IS 'A verdict without the permits, questions and deferrals that would follow from it.';

CREATE FUNCTION cmbs_store.verdict_json(p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select jsonb_build_object(
        'decision', p_verdict -> 'decision',
        'disposition', p_verdict -> 'disposition',
        'reason_code', p_verdict -> 'reason_code'
    )
$$;

ALTER FUNCTION cmbs_store.verdict_json(p_verdict jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.verdict_json(p_verdict jsonb) IS 'The three words of a verdict.';

CREATE FUNCTION cmbs_store.verdict_of(p_reasons cmbs_store.reason[], p_item_no integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when count(*) = 0 then '{
            "decision": "allow", "disposition": "execute", "reason_code": "ALLOWED", "reasons": []
        }'::jsonb
        else jsonb_build_object(
            'decision',
            case when max(o.severity) in (1, 3) then 'defer' else 'deny' end,
            'disposition',
            (array['ask', 'degrade', 'defer', 'block'])[max(o.severity)],
            'reason_code',
            (array_agg(o.code order by o.no))[1],
            'reasons',
            jsonb_agg(
                jsonb_strip_nulls(jsonb_build_object(
                    'item_no', case when p_item_no is null then o.item_no end,
                    'stage', o.stage, 'code', o.code, 'key', o.key,
                    'disposition', o.disposition, 'detail', o.detail
                ))
                order by o.no
            )
        )
    end
    from (
        select
            r.item_no, r.stage, r.code, r.key, r.disposition, r.detail,
            cmbs_store.severity(r.disposition) as severity,
            row_number() over (
                order by
                    array_position(
                        array[
                            'idempotency', 'session', 'authority', 'token', 'schemas',
                            'constraints', 'conflicts', 'invariants', 'scheduler', 'evaluation'
                        ],
                        r.stage
                    ),
                    cmbs_store.severity(r.disposition) desc,
                    r.item_no nulls first,
                    r.code collate "C",
                    r.key collate "C",
                    r.detail collate "C"
            ) as no
        from unnest(p_reasons) as r
        where p_item_no is null or r.item_no is null or r.item_no = p_item_no
    ) as o
$$;

ALTER FUNCTION cmbs_store.verdict_of(p_reasons cmbs_store.reason[], p_item_no integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.verdict_of(p_reasons cmbs_store.reason[], p_item_no integer) IS 'What some reasons come to for one item, or for all.';

CREATE FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, p_known_policies bytea[], OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_session cmbs_store.session;
    v_chain record;
    v_replay record;
begin
    select s.* into v_session from cmbs_store.session as s where s.session_id = p_session_id;
    v_chain := cmbs_store.chain_fault(p_session_id);
    p_rows := v_chain.p_rows;
    p_head_hash := v_session.audit_head_hash;
    if v_session.session_id is null then
        p_seq := 1;
        p_reason := 'the session row is missing';
        return;
    end if;
    if v_chain.p_seq is null and p_rows <> v_session.audit_seq then
        v_chain.p_seq := least(p_rows, v_session.audit_seq) + 1;
        v_chain.p_reason := case
            when p_rows < v_session.audit_seq then 'the event is missing'
            else 'the event is foreign'
        end;
    end if;
    v_replay := cmbs_store.replay(
        v_session, coalesce(v_chain.p_seq, p_rows + 1), p_known_universe
    );
    p_seq := coalesce(v_replay.p_seq, v_chain.p_seq);
    p_reason := coalesce(v_replay.p_reason, v_chain.p_reason);
    if p_seq is null then
        select f.p_seq, f.p_reason
        into p_seq, p_reason
        from cmbs_store.state_fault(
            v_session, v_replay.p_state, v_replay.p_ids, v_replay.p_id_seqs,
            v_replay.p_rows, v_replay.p_row_seqs
        ) as f;
    end if;
    p_policies := p_known_policies;
    if p_seq is null then
        select f.p_seq, f.p_reason, f.p_policies
        into p_seq, p_reason, p_policies
        from cmbs_store.arbitration_fault(v_session, p_known_policies) as f;
    end if;
    if p_seq is null then
        select min(a.seq), case
            when count(*) > 0 then 'the content of a tool or schema is not that of its hash'
        end
        into p_seq, p_reason
        from cmbs_store.altered_content(p_session_id) as a (seq);
    end if;
end
$$;

ALTER FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, p_known_policies bytea[], OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, p_known_policies bytea[], OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) IS 'Verify one session: chain, replay, stored state.';

CREATE FUNCTION cmbs_store.waived(p_given jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when not p_given ? 'v' then null
        when not p_given ? 'resumes' then '{}'
        else (
            select coalesce(jsonb_object_agg(w.item_no, w.keys), '{}')
            from (
                select
                    a.approval ->> 'item_no' as item_no,
                    jsonb_agg(coalesce(r.reason ->> 'key', '!' || (r.reason ->> 'code'))) as keys
                from jsonb_array_elements(p_given -> 'resumes' -> 'approvals') as a (approval)
                cross join lateral jsonb_array_elements(a.approval -> 'waives') as r (reason)
                group by 1
            ) as w
        )
    end
$$;

ALTER FUNCTION cmbs_store.waived(p_given jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.waived(p_given jsonb) IS 'What people waived by approving: item number -> keys; null in verdicts of the first version.';

CREATE TABLE cmbs_store.webhook (
    tenant text NOT NULL COLLATE pg_catalog."C",
    webhook_no integer NOT NULL,
    url text,
    secret text,
    set_at timestamp with time zone NOT NULL,
    set_by text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.webhook OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.webhook IS 'reference: who is told of questions; of a tenant the highest number counts, and no url is nobody.';

CREATE FUNCTION cmbs_store.webhook_in_force(p_tenant text) RETURNS cmbs_store.webhook
    LANGUAGE sql STABLE
    AS $$
    select w.*
    from cmbs_store.webhook as w
    where w.tenant in (p_tenant, '*')
    order by w.tenant = '*', w.webhook_no desc
    limit 1
$$;

ALTER FUNCTION cmbs_store.webhook_in_force(p_tenant text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.webhook_in_force(p_tenant text) IS 'Who is told of questions of a tenant: its own webhook, or that of all.';

CREATE FUNCTION cmbs_store.whole_mask(p_session cmbs_store.session) RETURNS bytea
    LANGUAGE plpgsql STABLE
    AS $$
begin
    if p_session.mask is not null then
        return p_session.mask;
    end if;
    return (
        select string_agg(c.chunk, ''::bytea)
        from (
            select k.chunk
            from cmbs_store.session_mask as k
            where k.session_id = p_session.session_id
            order by k.chunk_no
        ) as c
    );
end
$$;

ALTER FUNCTION cmbs_store.whole_mask(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.whole_mask(p_session cmbs_store.session) IS 'The survivor mask of a session, whichever way it is stored.';

CREATE FUNCTION cmbs_store.why_denied(p_entry cmbs_store.policy_entry, p_world jsonb, p_schemas jsonb) RETURNS text
    LANGUAGE sql STABLE
    AS $$
    select left(
        concat_ws(
            ': ',
            p_entry.reason,
            case
                when p_entry.condition is null then 'it denies always'
                else (
                    cmbs_store.nearest(p_entry.condition, p_world, p_schemas, false)
                ).p_detail
            end
        ),
        600
    )
$$;

ALTER FUNCTION cmbs_store.why_denied(p_entry cmbs_store.policy_entry, p_world jsonb, p_schemas jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.why_denied(p_entry cmbs_store.policy_entry, p_world jsonb, p_schemas jsonb) IS 'Why a constraint that denies fires, for people.';

CREATE FUNCTION cmbs_store.why_gone(p_session cmbs_store.session, p_hypothesis_id text, OUT p_answer text, OUT p_seq bigint) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_eliminated_by text;
begin
    perform cmbs_store.check_known(
        array[p_hypothesis_id],
        array(
            select m.hypothesis_id
            from cmbs_store.universe_member as m
            where m.universe_digest = p_session.universe_digest
                and m.hypothesis_id = p_hypothesis_id
        )
    );
    select
        format(
            '{"event_id": "%s", "seq": %s, "ts": "%s", "source_id": %s, "observation_id": %s, '
            '"justification": %s, "actor": %s}',
            e.event_id,
            e.seq,
            cmbs_store.timestamp_v1(e.recorded_at),
            to_json(e.source_id),
            to_json(e.observation_id),
            e.record::jsonb -> 'payload' -> 'justification',
            to_json(e.actor)
        ),
        e.seq
    into v_eliminated_by, p_seq
    from cmbs_store.tombstone as t
    inner join cmbs_store.audit_event as e on e.session_id = t.session_id and e.seq = t.seq
    where t.session_id = p_session.session_id and t.hypothesis_id = p_hypothesis_id;
    p_answer := format(
        '{"hypothesis_id": %s, "survives": %s, "eliminated_by": %s}',
        to_json(p_hypothesis_id),
        (p_seq is null)::text,
        coalesce(v_eliminated_by, 'null')
    );
end
$$;

ALTER FUNCTION cmbs_store.why_gone(p_session cmbs_store.session, p_hypothesis_id text, OUT p_answer text, OUT p_seq bigint) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.why_gone(p_session cmbs_store.session, p_hypothesis_id text, OUT p_answer text, OUT p_seq bigint) IS 'Whether a hypothesis survives, and the event that eliminated it. Raises MB201, MB202.';

CREATE FUNCTION cmbs_store.with_offers(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb, p_ground cmbs_store.ground) RETURNS jsonb
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_sent jsonb := p_given -> 'proposal' -> 'items';
    v_items jsonb := '[]'::jsonb;
    v_item jsonb;
    v_asked jsonb := cmbs_store.asked_items(p_given, p_verdict);
    v_deferral jsonb;
begin
    if p_given ? 'v' then
        v_deferral := cmbs_store.deferral_of(
            p_session, p_given, p_verdict, p_ground, p_settings
        );
    end if;
    for v_i in 0 .. jsonb_array_length(v_sent) - 1 loop
        v_item := p_verdict -> 'items' -> v_i;
        v_items := v_items || (v_item || case
            when v_item -> 'effective' = 'true' then case
                when p_given ? 'v' and v_sent -> v_i ->> 'kind' = 'tool_call'
                    then cmbs_store.permitted(v_item, p_token, p_session, p_settings, p_given)
                else '{}'
            end
            when v_asked @> (v_item -> 'item_no')
                then cmbs_store.question(v_item, v_sent -> v_i, p_session, p_settings, p_given)
            when v_item ->> 'disposition' = 'degrade'
                then cmbs_store.offer(
                    v_item, v_sent -> v_i, p_token, p_session, p_settings, p_ground
                )
            when v_item ->> 'disposition' = 'defer' and v_deferral ->> 'next_at' is not null
                then jsonb_build_object('deferral_id', v_deferral -> 'deferral_id')
            else '{}'
        end);
    end loop;
    return p_verdict || jsonb_build_object('items', v_items) || case
        when v_deferral is not null then jsonb_build_object('deferral', v_deferral) else '{}'
    end;
end
$$;

ALTER FUNCTION cmbs_store.with_offers(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb, p_ground cmbs_store.ground) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.with_offers(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb, p_ground cmbs_store.ground) IS 'A verdict with what follows from it for each item: permits, questions, deferrals, offers.';

CREATE FUNCTION cmbs_store.with_request_id(p_payload jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select case
        when p_request_id is null then p_payload
        else p_payload || jsonb_build_object('request_id', p_request_id)
    end
$$;

ALTER FUNCTION cmbs_store.with_request_id(p_payload jsonb, p_request_id text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.with_request_id(p_payload jsonb, p_request_id text) IS 'A payload, with the request id if there is one.';

CREATE FUNCTION cmbs_store.without_obligation(p_session cmbs_store.session) RETURNS cmbs_store.session
    LANGUAGE plpgsql IMMUTABLE
    AS $$
begin
    p_session.obligation_seq := null;
    p_session.obligation_id := null;
    p_session.obligation_minimum := null;
    p_session.obligation_survivors := null;
    return p_session;
end
$$;

ALTER FUNCTION cmbs_store.without_obligation(p_session cmbs_store.session) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.without_obligation(p_session cmbs_store.session) IS 'A session with no obligation active.';

CREATE FUNCTION cmbs_store.world(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_keys text[], OUT p_world jsonb, OUT p_reads jsonb) RETURNS record
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_found jsonb;
begin
    if cardinality(p_keys) = 0 then
        p_world := '{}';
        p_reads := '{}';
        return;
    end if;
    v_found := cmbs_store.stored_values(p_session.session_id, p_session.audit_seq, p_keys);
    if position('fact.belief.' in array_to_string(p_keys, ' ')) > 0 then
        v_found := v_found || cmbs_store.belief_values(p_session, p_actor, p_keys);
    end if;
    if position('policy.' in array_to_string(p_keys, ' ')) > 0 then
        v_found := v_found || cmbs_store.policy_values(p_policy_hash, p_keys);
    end if;
    select
        coalesce(jsonb_object_agg(f.key, f.value -> 'value'), '{}'),
        coalesce(
            jsonb_object_agg(
                f.key,
                case
                    when f.key = 'fact.belief.survivors' then '{}'
                    when f.value ? 'seq' then jsonb_build_object('seq', f.value -> 'seq')
                    else jsonb_build_object('value', f.value -> 'value' -> 'value')
                end
            ) filter (where f.key not like 'policy.%'),
            '{}'
        )
    into p_world, p_reads
    from jsonb_each(v_found) as f (key, value);
    -- What was looked for and not there is part of what was read.
    p_reads := coalesce(
        (
            select jsonb_object_agg(k.key, 'null'::jsonb)
            from unnest(p_keys) as k (key)
            where k.key not like 'policy.%'
        ),
        '{}'
    ) || p_reads;
end
$$;

ALTER FUNCTION cmbs_store.world(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_keys text[], OUT p_world jsonb, OUT p_reads jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.world(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_keys text[], OUT p_world jsonb, OUT p_reads jsonb) IS 'What the keys that a verdict reads stand for, as of an event.';

CREATE FUNCTION cmbs_store.world_of_call(p_world jsonb, p_item jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $_$
    select case
        when p_item ? 'artifacts' then p_world || jsonb_build_object(
            '$args', p_item -> 'args', '$artifacts', p_item -> 'artifacts'
        )
        when p_item ? 'args' then p_world || jsonb_build_object('$args', p_item -> 'args')
        else p_world
    end
$_$;

ALTER FUNCTION cmbs_store.world_of_call(p_world jsonb, p_item jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.world_of_call(p_world jsonb, p_item jsonb) IS 'What constraints read, with the arguments and artifacts of a call.';

CREATE TABLE cmbs_store.api_token_use (
    token_id uuid NOT NULL,
    used_at timestamp with time zone NOT NULL
);

ALTER TABLE cmbs_store.api_token_use OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.api_token_use IS 'reference: when a token was last seen, to the hour.';

CREATE VIEW cmbs.api_token WITH (security_barrier='true') AS
 SELECT t.tenant,
    t.name,
    t.token_id,
    t.prefix,
    t.verbs,
    t.scope_tenant,
    t.created_at,
    t.created_by,
    t.expires_at,
    t.revoked_at,
    u.used_at AS last_used_at
   FROM (cmbs_store.api_token t
     LEFT JOIN cmbs_store.api_token_use u ON ((u.token_id = t.token_id)))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (t.tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.api_token OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.api_token IS 'Every token, without what its holder shows.';

COMMENT ON COLUMN cmbs.api_token.tenant IS 'tenant of its principal';

COMMENT ON COLUMN cmbs.api_token.name IS 'its principal';

COMMENT ON COLUMN cmbs.api_token.token_id IS 'its id, which is not secret';

COMMENT ON COLUMN cmbs.api_token.prefix IS 'how the token begins';

COMMENT ON COLUMN cmbs.api_token.verbs IS 'the verbs that it covers; null for all';

COMMENT ON COLUMN cmbs.api_token.scope_tenant IS 'the one tenant that it is for; null for that of its principal';

COMMENT ON COLUMN cmbs.api_token.created_at IS 'when it was made';

COMMENT ON COLUMN cmbs.api_token.created_by IS 'the principal that made it';

COMMENT ON COLUMN cmbs.api_token.expires_at IS 'when it ends by itself';

COMMENT ON COLUMN cmbs.api_token.revoked_at IS 'when it was revoked; null if it was not';

COMMENT ON COLUMN cmbs.api_token.last_used_at IS 'when it was last seen, to the hour';

CREATE TABLE cmbs_store.interrupt_resolution (
    session_id uuid NOT NULL,
    interrupt_id uuid NOT NULL,
    seq bigint NOT NULL,
    resolution text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT interrupt_resolution_resolution_check CHECK ((resolution = ANY (ARRAY['approve'::text, 'decline'::text, 'cancel'::text])))
);

ALTER TABLE cmbs_store.interrupt_resolution OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.interrupt_resolution IS 'session: what people answered to questions.';

CREATE VIEW cmbs.approval_latency WITH (security_barrier='true') AS
 SELECT k.key,
    count(*) AS n_questions,
    count(*) FILTER (WHERE (r.resolution = 'approve'::text)) AS n_approved,
    count(*) FILTER (WHERE (r.resolution = 'decline'::text)) AS n_declined,
    count(*) FILTER (WHERE (r.resolution = 'cancel'::text)) AS n_cancelled,
    count(*) FILTER (WHERE (r.resolution IS NULL)) AS n_unanswered,
    percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY ((EXTRACT(epoch FROM (x.recorded_at - e.recorded_at)))::double precision)) AS median_seconds,
    percentile_cont((0.95)::double precision) WITHIN GROUP (ORDER BY ((EXTRACT(epoch FROM (x.recorded_at - e.recorded_at)))::double precision)) AS p95_seconds
   FROM (((((cmbs_store.interrupt i
     JOIN cmbs_store.session s ON ((s.session_id = i.session_id)))
     JOIN cmbs_store.audit_event e ON (((e.session_id = i.session_id) AND (e.seq = i.seq))))
     LEFT JOIN LATERAL unnest(i.constraint_keys) k(key) ON (true))
     LEFT JOIN cmbs_store.interrupt_resolution r ON (((r.session_id = i.session_id) AND (r.interrupt_id = i.interrupt_id))))
     LEFT JOIN cmbs_store.audit_event x ON (((x.session_id = r.session_id) AND (x.seq = r.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)))
  GROUP BY k.key;

ALTER VIEW cmbs.approval_latency OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.approval_latency IS 'How long people take to answer questions, and what they answer, by constraint.';

COMMENT ON COLUMN cmbs.approval_latency.key IS 'the constraint that an approval waives; null where a token asks for approval';

COMMENT ON COLUMN cmbs.approval_latency.n_questions IS 'how many questions it opened';

COMMENT ON COLUMN cmbs.approval_latency.n_approved IS 'how many were approved';

COMMENT ON COLUMN cmbs.approval_latency.n_declined IS 'how many were declined';

COMMENT ON COLUMN cmbs.approval_latency.n_cancelled IS 'how many were cancelled';

COMMENT ON COLUMN cmbs.approval_latency.n_unanswered IS 'how many have no answer';

COMMENT ON COLUMN cmbs.approval_latency.median_seconds IS 'half of the answers took no longer';

COMMENT ON COLUMN cmbs.approval_latency.p95_seconds IS 'nineteen of twenty answers took no longer';

CREATE TABLE cmbs_store.schema_document (
    schema_hash bytea NOT NULL,
    document text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.schema_document OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.schema_document IS 'reference: JSON Schemas by the sha-256 of their canonical text.';

CREATE TABLE cmbs_store.tool_definition (
    tool_hash bytea NOT NULL,
    definition text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.tool_definition OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.tool_definition IS 'reference: definitions of tools by the sha-256 of their canonical text.';

CREATE VIEW cmbs.arbitration_content WITH (security_barrier='true') AS
 SELECT session_id,
    kind,
    content_hash,
        CASE kind
            WHEN 'policy'::text THEN ( SELECT (COALESCE(( SELECT jsonb_object_agg(i.key, i.value) AS jsonb_object_agg
                       FROM cmbs_store.policy_entry i
                      WHERE (i.policy_hash = p.policy_hash)), '{}'::jsonb))::text AS "coalesce"
               FROM cmbs_store.policy p
              WHERE (p.policy_hash = decode(n.content_hash, 'hex'::text)))
            WHEN 'schema'::text THEN ( SELECT d.document
               FROM cmbs_store.schema_document d
              WHERE (d.schema_hash = decode(n.content_hash, 'hex'::text)))
            ELSE ( SELECT t.definition
               FROM cmbs_store.tool_definition t
              WHERE (t.tool_hash = decode(n.content_hash, 'hex'::text)))
        END AS content
   FROM ( SELECT DISTINCT e.session_id,
            h.kind,
            h.content_hash
           FROM ((cmbs_store.audit_event e
             CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
                 OFFSET 0) p)
             CROSS JOIN LATERAL ( SELECT 'policy'::text AS kind,
                    (
                        CASE e.verb
                            WHEN 'DECLARE_SESSION'::text THEN (p.payload -> 'arbitration'::text)
                            WHEN 'POLICY_APPLY'::text THEN p.payload
                            ELSE (p.payload -> 'policy'::text)
                        END ->> 'policy_hash'::text) AS content_hash
                UNION ALL
                 SELECT 'schema'::text AS kind,
                    s.value AS content_hash
                   FROM jsonb_each_text((p.payload -> 'schemas'::text)) s(key, value)
                UNION ALL
                 SELECT 'tool'::text AS kind,
                    t.value AS content_hash
                   FROM jsonb_each_text((p.payload -> 'tools'::text)) t(key, value)) h)
          WHERE ((e.verb = ANY (ARRAY['PROPOSE'::text, 'RECORD_CLAIM'::text, 'POLICY_APPLY'::text, 'DECLARE_SESSION'::text])) AND (h.content_hash ~ '^[0-9a-f]{64}$'::text) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
                   FROM cmbs_store.session o
                  WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))))) n;

ALTER VIEW cmbs.arbitration_content OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.arbitration_content IS 'Every policy, schema and tool that the log of a session names, with its content.';

COMMENT ON COLUMN cmbs.arbitration_content.session_id IS 'the session';

COMMENT ON COLUMN cmbs.arbitration_content.kind IS 'policy, schema or tool';

COMMENT ON COLUMN cmbs.arbitration_content.content_hash IS 'sha-256 of the content, hex';

COMMENT ON COLUMN cmbs.arbitration_content.content IS 'its canonical text, of a policy that of an object with the text of each entry by its key; null if it is not in this database';

CREATE VIEW cmbs.audit_event WITH (security_barrier='true') AS
 SELECT session_id,
    seq,
    event_id,
    recorded_at AS ts,
    verb,
    actor,
    source_id,
    observation_id,
    request_id,
    ((record)::jsonb -> 'payload'::text) AS payload,
    (((record)::jsonb -> 'delta'::text) -> 'eliminated'::text) AS eliminated,
    ((record)::jsonb ->> 'notes'::text) AS notes,
    ((record)::jsonb ->> 'survivors_before_hash'::text) AS survivors_before_hash,
    ((record)::jsonb ->> 'survivors_after_hash'::text) AS survivors_after_hash,
    ((record)::jsonb ->> 'prev_event_hash'::text) AS prev_event_hash,
    encode(event_hash, 'hex'::text) AS event_hash,
    record
   FROM cmbs_store.audit_event e
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.audit_event OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.audit_event IS 'The append-only, hash-chained log of every session.';

COMMENT ON COLUMN cmbs.audit_event.session_id IS 'the session';

COMMENT ON COLUMN cmbs.audit_event.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.audit_event.event_id IS 'id of the event; its low 48 bits are the seq';

COMMENT ON COLUMN cmbs.audit_event.ts IS 'when it was recorded; never earlier than the event before';

COMMENT ON COLUMN cmbs.audit_event.verb IS 'what was asked';

COMMENT ON COLUMN cmbs.audit_event.actor IS 'the principal that asked';

COMMENT ON COLUMN cmbs.audit_event.source_id IS 'ELIMINATE: who observed';

COMMENT ON COLUMN cmbs.audit_event.observation_id IS 'ELIMINATE: what was observed';

COMMENT ON COLUMN cmbs.audit_event.request_id IS 'identity of other messages, if the caller gave one';

COMMENT ON COLUMN cmbs.audit_event.payload IS 'the request and its outcome as recorded; a declare commits to its hypotheses by digest';

COMMENT ON COLUMN cmbs.audit_event.eliminated IS 'what the event eliminated, sorted';

COMMENT ON COLUMN cmbs.audit_event.notes IS 'the callers notes';

COMMENT ON COLUMN cmbs.audit_event.survivors_before_hash IS 'survivors hash before the event, hex';

COMMENT ON COLUMN cmbs.audit_event.survivors_after_hash IS 'survivors hash after the event, hex';

COMMENT ON COLUMN cmbs.audit_event.prev_event_hash IS 'hash of the event before, hex; zeros for the first';

COMMENT ON COLUMN cmbs.audit_event.event_hash IS 'sha-256 of record, hex';

COMMENT ON COLUMN cmbs.audit_event.record IS 'the exact text that event_hash hashes';

CREATE TABLE cmbs_store.capability_revocation (
    session_id uuid NOT NULL,
    token_id uuid NOT NULL,
    seq bigint NOT NULL
);

ALTER TABLE cmbs_store.capability_revocation OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.capability_revocation IS 'session: tokens that count no more, nor do those that were made from them.';

CREATE TABLE cmbs_store.capability_spending (
    session_id uuid NOT NULL,
    token_id uuid NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    amount bigint NOT NULL,
    spent bigint NOT NULL
);

ALTER TABLE cmbs_store.capability_spending OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.capability_spending IS 'session: what was spent of the budget of a token, with the sum so far.';

CREATE VIEW cmbs.capability_budget WITH (security_barrier='true') AS
 SELECT t.session_id,
    t.token_id,
    t.parent_id,
    t.holder,
    b.unit,
    (b.amount)::bigint AS granted,
    COALESCE(s.spent, (0)::bigint) AS spent,
    t.expires_at,
    (EXISTS ( SELECT
           FROM cmbs_store.capability_revocation r
          WHERE ((r.session_id = t.session_id) AND (r.token_id = ANY (t.chain))))) AS revoked
   FROM ((cmbs_store.capability_token t
     CROSS JOIN LATERAL jsonb_each_text(t.budgets) b(unit, amount))
     LEFT JOIN LATERAL ( SELECT l.spent
           FROM cmbs_store.capability_spending l
          WHERE ((l.session_id = t.session_id) AND (l.token_id = t.token_id) AND (l.unit = b.unit))
          ORDER BY l.seq DESC
         LIMIT 1) s ON (true))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = t.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.capability_budget OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.capability_budget IS 'The budgets of capability tokens, and what was spent of them.';

COMMENT ON COLUMN cmbs.capability_budget.session_id IS 'the session';

COMMENT ON COLUMN cmbs.capability_budget.token_id IS 'the capability token';

COMMENT ON COLUMN cmbs.capability_budget.parent_id IS 'the one that it was made from';

COMMENT ON COLUMN cmbs.capability_budget.holder IS 'who may use it';

COMMENT ON COLUMN cmbs.capability_budget.unit IS 'what is counted, such as max_calls';

COMMENT ON COLUMN cmbs.capability_budget.granted IS 'how much of it the token has';

COMMENT ON COLUMN cmbs.capability_budget.spent IS 'how much of it was spent';

COMMENT ON COLUMN cmbs.capability_budget.expires_at IS 'until when it counts';

COMMENT ON COLUMN cmbs.capability_budget.revoked IS 'whether it, or one that it was made from, was revoked';

CREATE VIEW cmbs.chain_head WITH (security_barrier='true') AS
 SELECT session_id,
    audit_seq,
    audit_head_event_id,
    encode(audit_head_hash, 'hex'::text) AS audit_head_hash,
    audit_head_at
   FROM cmbs_store.session s
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.chain_head OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.chain_head IS 'The last event of every log.';

COMMENT ON COLUMN cmbs.chain_head.session_id IS 'the session';

COMMENT ON COLUMN cmbs.chain_head.audit_seq IS 'number of events in the log';

COMMENT ON COLUMN cmbs.chain_head.audit_head_event_id IS 'the last event';

COMMENT ON COLUMN cmbs.chain_head.audit_head_hash IS 'its hash, hex';

COMMENT ON COLUMN cmbs.chain_head.audit_head_at IS 'when it was recorded';

CREATE TABLE cmbs_store.tombstone (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    hypothesis_id text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.tombstone OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.tombstone IS 'session: one row per eliminated hypothesis, naming the event that eliminated it.';

CREATE VIEW cmbs.claim WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    e.recorded_at AS ts,
    e.source_id,
    e.observation_id,
    (c.hypothesis_id COLLATE "C") AS hypothesis_id,
    (t.seq IS NOT NULL) AS applied
   FROM ((cmbs_store.audit_event e
     CROSS JOIN LATERAL json_array_elements_text(((e.record)::json #> '{payload,eliminated}'::text[])) c(hypothesis_id))
     LEFT JOIN cmbs_store.tombstone t ON (((t.session_id = e.session_id) AND (t.hypothesis_id = c.hypothesis_id) AND (t.seq = e.seq))))
  WHERE ((e.source_id IS NOT NULL) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));

ALTER VIEW cmbs.claim OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.claim IS 'Every hypothesis that a source ruled out, also where it was gone already or is unknown.';

COMMENT ON COLUMN cmbs.claim.session_id IS 'the session';

COMMENT ON COLUMN cmbs.claim.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.claim.ts IS 'when';

COMMENT ON COLUMN cmbs.claim.source_id IS 'who observed';

COMMENT ON COLUMN cmbs.claim.observation_id IS 'what was observed';

COMMENT ON COLUMN cmbs.claim.hypothesis_id IS 'what was ruled out; an id that was sent twice is there twice';

COMMENT ON COLUMN cmbs.claim.applied IS 'whether this event eliminated it; else it was gone already, or never a hypothesis';

CREATE TABLE cmbs_store.conclusion (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    conclusion_id text NOT NULL COLLATE pg_catalog."C",
    is_accepted boolean NOT NULL
);

ALTER TABLE cmbs_store.conclusion OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.conclusion IS 'session: every declared conclusion, accepted or not.';

CREATE VIEW cmbs.conclusion WITH (security_barrier='true') AS
 SELECT c.session_id,
    c.seq,
    e.event_id,
    e.recorded_at AS ts,
    e.actor,
    c.conclusion_id,
    c.is_accepted AS accepted
   FROM (cmbs_store.conclusion c
     JOIN cmbs_store.audit_event e ON (((e.session_id = c.session_id) AND (e.seq = c.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = c.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.conclusion OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.conclusion IS 'Every declared conclusion.';

COMMENT ON COLUMN cmbs.conclusion.session_id IS 'the session';

COMMENT ON COLUMN cmbs.conclusion.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.conclusion.event_id IS 'the event that declared it';

COMMENT ON COLUMN cmbs.conclusion.ts IS 'when';

COMMENT ON COLUMN cmbs.conclusion.actor IS 'who declared it';

COMMENT ON COLUMN cmbs.conclusion.conclusion_id IS 'the conclusion';

COMMENT ON COLUMN cmbs.conclusion.accepted IS 'whether no obligation blocked it';

CREATE VIEW cmbs.constraint_hit WITH (security_barrier='true') AS
 SELECT (p.payload #>> '{policy,pack}'::text[]) AS pack,
    ((p.payload #>> '{policy,version}'::text[]))::integer AS version,
    (p.payload #>> '{policy,policy_hash}'::text[]) AS policy_hash,
    (r.reason ->> 'key'::text) AS key,
    (r.reason ->> 'code'::text) AS code,
    count(*) AS n_hits,
    count(DISTINCT e.session_id) AS n_sessions,
    max(e.recorded_at) AS last_at
   FROM ((cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
     CROSS JOIN LATERAL jsonb_array_elements((p.payload -> 'reasons'::text)) r(reason))
  WHERE ((e.verb = ANY (ARRAY['PROPOSE'::text, 'RECORD_CLAIM'::text])) AND ((r.reason ->> 'stage'::text) = ANY (ARRAY['constraints'::text, 'invariants'::text])) AND (r.reason ? 'key'::text) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))))
  GROUP BY (p.payload #>> '{policy,pack}'::text[]), ((p.payload #>> '{policy,version}'::text[]))::integer, (p.payload #>> '{policy,policy_hash}'::text[]), (r.reason ->> 'key'::text), (r.reason ->> 'code'::text);

ALTER VIEW cmbs.constraint_hit OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.constraint_hit IS 'How often each constraint of each policy stood against something.';

COMMENT ON COLUMN cmbs.constraint_hit.pack IS 'the policy pack';

COMMENT ON COLUMN cmbs.constraint_hit.version IS 'its version';

COMMENT ON COLUMN cmbs.constraint_hit.policy_hash IS 'the sha-256 of its content';

COMMENT ON COLUMN cmbs.constraint_hit.key IS 'the constraint';

COMMENT ON COLUMN cmbs.constraint_hit.code IS 'CONSTRAINT_DENIED and the like';

COMMENT ON COLUMN cmbs.constraint_hit.n_hits IS 'how often';

COMMENT ON COLUMN cmbs.constraint_hit.n_sessions IS 'in how many sessions';

COMMENT ON COLUMN cmbs.constraint_hit.last_at IS 'when last';

CREATE TABLE cmbs_store.context_event (
    context_id text NOT NULL COLLATE pg_catalog."C",
    event_no bigint NOT NULL,
    eliminated_at timestamp with time zone NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    trigger text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.context_event OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.context_event IS 'context: every call that eliminated something: who, on what, when.';

CREATE TABLE cmbs_store.context_tombstone (
    context_id text NOT NULL COLLATE pg_catalog."C",
    hypothesis_id text NOT NULL COLLATE pg_catalog."C",
    event_no bigint NOT NULL
);

ALTER TABLE cmbs_store.context_tombstone OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.context_tombstone IS 'context: one row per eliminated hypothesis, naming the event that eliminated it.';

CREATE VIEW cmbs.context_elimination WITH (security_barrier='true') AS
 SELECT t.context_id,
    t.hypothesis_id,
    e.source_id,
    e.trigger,
    e.eliminated_at
   FROM (cmbs_store.context_tombstone t
     JOIN cmbs_store.context_event e ON (((e.context_id = t.context_id) AND (e.event_no = t.event_no))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.context o
          WHERE ((o.context_id = t.context_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.context_elimination OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.context_elimination IS 'Every hypothesis that is gone from an elimination context, with what eliminated it.';

COMMENT ON COLUMN cmbs.context_elimination.context_id IS 'the elimination context; not a session';

COMMENT ON COLUMN cmbs.context_elimination.hypothesis_id IS 'the hypothesis that is gone';

COMMENT ON COLUMN cmbs.context_elimination.source_id IS 'who eliminated it';

COMMENT ON COLUMN cmbs.context_elimination.trigger IS 'on what';

COMMENT ON COLUMN cmbs.context_elimination.eliminated_at IS 'when';

CREATE VIEW cmbs.decision WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    e.event_id,
    e.recorded_at AS ts,
    e.actor,
    (p.payload ->> 'decision'::text) AS decision,
    (p.payload ->> 'disposition'::text) AS disposition,
    (p.payload ->> 'reason_code'::text) AS reason_code,
    (p.payload #>> '{policy,pack}'::text[]) AS pack,
    ((p.payload #>> '{policy,version}'::text[]))::integer AS version,
    (p.payload #>> '{policy,policy_hash}'::text[]) AS policy_hash,
    (p.payload #>> '{proposal,idempotency_key}'::text[]) AS idempotency_key,
    ((p.payload ->> 'token_id'::text))::uuid AS token_id,
    jsonb_array_length((p.payload -> 'items'::text)) AS n_items,
    (p.payload -> 'reads'::text) AS reads
   FROM (cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
  WHERE ((e.verb = 'PROPOSE'::text) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));

ALTER VIEW cmbs.decision OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.decision IS 'What was decided on every proposal, and by which policy.';

COMMENT ON COLUMN cmbs.decision.session_id IS 'the session';

COMMENT ON COLUMN cmbs.decision.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.decision.event_id IS 'the event, which is the id of the proposal, too';

COMMENT ON COLUMN cmbs.decision.ts IS 'when';

COMMENT ON COLUMN cmbs.decision.actor IS 'who proposed';

COMMENT ON COLUMN cmbs.decision.decision IS 'allow, deny or defer';

COMMENT ON COLUMN cmbs.decision.disposition IS 'what follows: execute, block, ask, defer or degrade';

COMMENT ON COLUMN cmbs.decision.reason_code IS 'the first stage that failed, or ALLOWED';

COMMENT ON COLUMN cmbs.decision.pack IS 'the policy pack that decided';

COMMENT ON COLUMN cmbs.decision.version IS 'its version';

COMMENT ON COLUMN cmbs.decision.policy_hash IS 'the sha-256 of its content';

COMMENT ON COLUMN cmbs.decision.idempotency_key IS 'the key of the proposal, null if it had none';

COMMENT ON COLUMN cmbs.decision.token_id IS 'the capability token that was shown, null if none of the session';

COMMENT ON COLUMN cmbs.decision.n_items IS 'how many items it had';

COMMENT ON COLUMN cmbs.decision.reads IS 'the keys that were read, with the events that wrote them';

CREATE VIEW cmbs.decision_item WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    (i.item_no)::integer AS item_no,
    e.recorded_at AS ts,
    e.actor,
    (q.item ->> 'kind'::text) AS kind,
    (q.item ->> 'tool_id'::text) AS tool_id,
    (i.verdict ->> 'decision'::text) AS decision,
    (i.verdict ->> 'disposition'::text) AS disposition,
    (i.verdict ->> 'reason_code'::text) AS reason_code,
    ((i.verdict ->> 'effective'::text))::boolean AS effective,
    (i.verdict ->> 'digest'::text) AS digest,
    (i.verdict ->> 'args_hash'::text) AS args_hash,
    ((i.verdict ->> 'interrupt_id'::text))::uuid AS interrupt_id,
    q.item
   FROM (((cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
     CROSS JOIN LATERAL jsonb_array_elements((p.payload -> 'items'::text)) WITH ORDINALITY i(verdict, item_no))
     CROSS JOIN LATERAL ( SELECT (p.payload #> ARRAY['proposal'::text, 'items'::text, ((i.item_no - 1))::text]) AS item) q)
  WHERE ((e.verb = 'PROPOSE'::text) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));

ALTER VIEW cmbs.decision_item OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.decision_item IS 'What was decided on every item of every proposal.';

COMMENT ON COLUMN cmbs.decision_item.session_id IS 'the session';

COMMENT ON COLUMN cmbs.decision_item.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.decision_item.item_no IS 'the item, from 1';

COMMENT ON COLUMN cmbs.decision_item.ts IS 'when';

COMMENT ON COLUMN cmbs.decision_item.actor IS 'who proposed';

COMMENT ON COLUMN cmbs.decision_item.kind IS 'state_delta or tool_call';

COMMENT ON COLUMN cmbs.decision_item.tool_id IS 'the tool of a call';

COMMENT ON COLUMN cmbs.decision_item.decision IS 'what the item by itself would get';

COMMENT ON COLUMN cmbs.decision_item.disposition IS 'what follows from it';

COMMENT ON COLUMN cmbs.decision_item.reason_code IS 'the first stage that failed, or ALLOWED';

COMMENT ON COLUMN cmbs.decision_item.effective IS 'whether it took effect';

COMMENT ON COLUMN cmbs.decision_item.digest IS 'the sha-256 of the canonical text of the item';

COMMENT ON COLUMN cmbs.decision_item.args_hash IS 'the sha-256 of the canonical text of the arguments of a call';

COMMENT ON COLUMN cmbs.decision_item.interrupt_id IS 'the question that was opened for a person';

COMMENT ON COLUMN cmbs.decision_item.item IS 'the item as it was proposed';

CREATE VIEW cmbs.deferral WITH (security_barrier='true') AS
 SELECT d.session_id,
    d.deferral_id,
    d.seq,
    d.attempt,
    e.recorded_at AS ts,
    e.actor,
    COALESCE((p.payload #>> '{retries,by}'::text[]), e.actor) AS tried_by,
    (p.payload ->> 'decision'::text) AS decision,
    (p.payload ->> 'reason_code'::text) AS reason_code,
    d.keys AS missing,
    d.next_at,
    (d.seq = max(d.seq) OVER (PARTITION BY d.session_id, d.deferral_id)) AS is_last
   FROM ((cmbs_store.deferral d
     JOIN cmbs_store.audit_event e ON (((e.session_id = d.session_id) AND (e.seq = d.seq))))
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = d.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.deferral OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.deferral IS 'Every try of every deferred proposal, and what it waits for.';

COMMENT ON COLUMN cmbs.deferral.session_id IS 'the session';

COMMENT ON COLUMN cmbs.deferral.deferral_id IS 'what all tries of one proposal share';

COMMENT ON COLUMN cmbs.deferral.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.deferral.attempt IS '0 for the proposal itself, then the number of the try';

COMMENT ON COLUMN cmbs.deferral.ts IS 'when';

COMMENT ON COLUMN cmbs.deferral.actor IS 'who proposed it';

COMMENT ON COLUMN cmbs.deferral.tried_by IS 'who committed what it waited for, or swept';

COMMENT ON COLUMN cmbs.deferral.decision IS 'allow, deny or defer';

COMMENT ON COLUMN cmbs.deferral.reason_code IS 'the first stage that failed, or ALLOWED';

COMMENT ON COLUMN cmbs.deferral.missing IS 'the keys that it waits for';

COMMENT ON COLUMN cmbs.deferral.next_at IS 'when it is tried again in any case; null: it waits no more';

COMMENT ON COLUMN cmbs.deferral.is_last IS 'whether it is the last try until now';

CREATE VIEW cmbs.denial WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    e.recorded_at AS ts,
    e.actor,
    e.verb,
    ((r.reason ->> 'item_no'::text))::integer AS item_no,
    (r.reason ->> 'stage'::text) AS stage,
    (r.reason ->> 'code'::text) AS code,
    (r.reason ->> 'key'::text) AS key,
    (r.reason ->> 'disposition'::text) AS disposition,
    (r.reason ->> 'detail'::text) AS detail
   FROM ((cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
     CROSS JOIN LATERAL jsonb_array_elements((p.payload -> 'reasons'::text)) r(reason))
  WHERE ((e.verb = ANY (ARRAY['PROPOSE'::text, 'RECORD_CLAIM'::text])) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));

ALTER VIEW cmbs.denial OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.denial IS 'Why proposals and claims were not allowed: one row for each reason.';

COMMENT ON COLUMN cmbs.denial.session_id IS 'the session';

COMMENT ON COLUMN cmbs.denial.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.denial.ts IS 'when';

COMMENT ON COLUMN cmbs.denial.actor IS 'who proposed or claimed';

COMMENT ON COLUMN cmbs.denial.verb IS 'PROPOSE or RECORD_CLAIM';

COMMENT ON COLUMN cmbs.denial.item_no IS 'the item that it stands against, null if against all';

COMMENT ON COLUMN cmbs.denial.stage IS 'the stage that failed';

COMMENT ON COLUMN cmbs.denial.code IS 'the reason code: see cmbs.reason_code';

COMMENT ON COLUMN cmbs.denial.key IS 'the constraint or the key of the state that it is about';

COMMENT ON COLUMN cmbs.denial.disposition IS 'what follows from it';

COMMENT ON COLUMN cmbs.denial.detail IS 'in words';

CREATE VIEW cmbs.elimination WITH (security_barrier='true') AS
 SELECT t.session_id,
    t.hypothesis_id,
    e.event_id,
    t.seq,
    e.recorded_at AS ts,
    e.source_id,
    e.observation_id,
    e.actor
   FROM (cmbs_store.tombstone t
     JOIN cmbs_store.audit_event e ON (((e.session_id = t.session_id) AND (e.seq = t.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = t.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.elimination OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.elimination IS 'Every eliminated hypothesis with the event that eliminated it.';

COMMENT ON COLUMN cmbs.elimination.session_id IS 'the session';

COMMENT ON COLUMN cmbs.elimination.hypothesis_id IS 'the hypothesis that is gone';

COMMENT ON COLUMN cmbs.elimination.event_id IS 'the event that eliminated it';

COMMENT ON COLUMN cmbs.elimination.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.elimination.ts IS 'when';

COMMENT ON COLUMN cmbs.elimination.source_id IS 'who observed';

COMMENT ON COLUMN cmbs.elimination.observation_id IS 'what was observed';

COMMENT ON COLUMN cmbs.elimination.actor IS 'the principal that sent the message';

CREATE VIEW cmbs.gate_decision WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    e.event_id,
    e.recorded_at AS ts,
    e.verb,
    e.actor,
    COALESCE((p.payload ->> 'obligation_id'::text), (p.payload ->> 'conclusion_id'::text)) AS subject_id,
    (COALESCE((p.payload -> 'approved'::text), (p.payload -> 'accepted'::text)))::boolean AS approved,
    (p.payload ->> 'reason'::text) AS reason
   FROM (cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload) p)
  WHERE ((e.verb = ANY (ARRAY['REQUEST_EXIT'::text, 'WAIVE_OBLIGATION'::text, 'DECLARE_CONCLUSION'::text, 'REQUEST_TERMINATION'::text])) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));

ALTER VIEW cmbs.gate_decision OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.gate_decision IS 'Every decision that a gate took, with its reason.';

COMMENT ON COLUMN cmbs.gate_decision.session_id IS 'the session';

COMMENT ON COLUMN cmbs.gate_decision.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.gate_decision.event_id IS 'the event';

COMMENT ON COLUMN cmbs.gate_decision.ts IS 'when';

COMMENT ON COLUMN cmbs.gate_decision.verb IS 'what was asked';

COMMENT ON COLUMN cmbs.gate_decision.actor IS 'who asked';

COMMENT ON COLUMN cmbs.gate_decision.subject_id IS 'the obligation or conclusion; null for a termination';

COMMENT ON COLUMN cmbs.gate_decision.approved IS 'the decision';

COMMENT ON COLUMN cmbs.gate_decision.reason IS 'why';

CREATE TABLE cmbs_store.identity_event (
    tenant text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    event_hash bytea NOT NULL,
    verb text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    record text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.identity_event OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.identity_event IS 'reference: the append-only, hash-chained log of every change of an identity, by tenant.';

CREATE VIEW cmbs.identity_event WITH (security_barrier='true') AS
 SELECT tenant,
    seq,
    recorded_at AS ts,
    verb,
    actor,
    ((record)::jsonb -> 'payload'::text) AS payload,
    encode(event_hash, 'hex'::text) AS event_hash,
    record
   FROM cmbs_store.identity_event e
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.identity_event OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.identity_event IS 'The append-only, hash-chained log of every change of a principal or a token.';

COMMENT ON COLUMN cmbs.identity_event.tenant IS 'whose log it is';

COMMENT ON COLUMN cmbs.identity_event.seq IS 'number of the event in the log of its tenant, from 1 without gaps';

COMMENT ON COLUMN cmbs.identity_event.ts IS 'when it was recorded';

COMMENT ON COLUMN cmbs.identity_event.verb IS 'what was changed';

COMMENT ON COLUMN cmbs.identity_event.actor IS 'the principal that changed it';

COMMENT ON COLUMN cmbs.identity_event.payload IS 'what it was changed to';

COMMENT ON COLUMN cmbs.identity_event.event_hash IS 'sha-256 of record, hex';

COMMENT ON COLUMN cmbs.identity_event.record IS 'the exact text that event_hash hashes';

CREATE TABLE cmbs_store.interrupt_use (
    session_id uuid NOT NULL,
    interrupt_id uuid NOT NULL,
    seq bigint NOT NULL
);

ALTER TABLE cmbs_store.interrupt_use OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.interrupt_use IS 'session: approvals that were used, by the proposal that took effect.';

CREATE VIEW cmbs.interrupt WITH (security_barrier='true') AS
 SELECT i.session_id,
    i.interrupt_id,
    i.seq,
    i.item_no,
    e.recorded_at AS ts,
    e.actor,
    (e.action ->> 'tool_id'::text) AS tool_id,
    e.action,
    encode(i.action_digest, 'hex'::text) AS action_digest,
    i.constraint_keys,
        CASE
            WHEN (u.seq IS NOT NULL) THEN 'consumed'::text
            WHEN (r.resolution = 'decline'::text) THEN 'declined'::text
            WHEN (r.resolution = 'cancel'::text) THEN 'cancelled'::text
            WHEN s.is_terminated THEN 'ended'::text
            WHEN w.is_superseded THEN 'superseded'::text
            WHEN (i.expires_at <= clock_timestamp()) THEN 'expired'::text
            WHEN (r.resolution = 'approve'::text) THEN 'approved'::text
            ELSE 'pending'::text
        END AS status,
    i.expires_at,
    r.resolution,
    r.actor AS resolved_by,
    x.recorded_at AS resolved_at,
    ((x.record)::json #>> '{payload,comment}'::text[]) AS comment,
    u.seq AS consumed_seq
   FROM ((((((cmbs_store.interrupt i
     JOIN cmbs_store.session s ON ((s.session_id = i.session_id)))
     CROSS JOIN LATERAL ( SELECT a.recorded_at,
            a.actor,
            ((a.record)::jsonb #> ARRAY['payload'::text, 'proposal'::text, 'items'::text, ((i.item_no - 1))::text]) AS action
           FROM cmbs_store.audit_event a
          WHERE ((a.session_id = i.session_id) AND (a.seq = i.seq))
         OFFSET 0) e)
     LEFT JOIN cmbs_store.interrupt_resolution r ON (((r.session_id = i.session_id) AND (r.interrupt_id = i.interrupt_id))))
     LEFT JOIN cmbs_store.audit_event x ON (((x.session_id = r.session_id) AND (x.seq = r.seq))))
     LEFT JOIN cmbs_store.interrupt_use u ON (((u.session_id = i.session_id) AND (u.interrupt_id = i.interrupt_id))))
     CROSS JOIN LATERAL ( SELECT (EXISTS ( SELECT
                   FROM ((cmbs_store.policy_pin p
                     CROSS JOIN LATERAL unnest(i.constraint_keys) k(key))
                     LEFT JOIN cmbs_store.policy_entry n ON (((n.policy_hash = p.policy_hash) AND (n.key = k.key))))
                  WHERE ((p.session_id = i.session_id) AND (p.seq > i.seq) AND (n.value_hash IS DISTINCT FROM ( SELECT o.value_hash
                           FROM (cmbs_store.policy_pin f
                             JOIN cmbs_store.policy_entry o ON (((o.policy_hash = f.policy_hash) AND (o.key = k.key))))
                          WHERE ((f.session_id = i.session_id) AND (f.seq < i.seq))
                          ORDER BY f.seq DESC
                         LIMIT 1))))) AS is_superseded) w)
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.interrupt OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.interrupt IS 'Every question that people were asked about an action, and what has become of it.';

COMMENT ON COLUMN cmbs.interrupt.session_id IS 'the session';

COMMENT ON COLUMN cmbs.interrupt.interrupt_id IS 'the question';

COMMENT ON COLUMN cmbs.interrupt.seq IS 'number of the event of the proposal that opened it';

COMMENT ON COLUMN cmbs.interrupt.item_no IS 'the item of the proposal, from 1';

COMMENT ON COLUMN cmbs.interrupt.ts IS 'when it was asked';

COMMENT ON COLUMN cmbs.interrupt.actor IS 'who proposed the action';

COMMENT ON COLUMN cmbs.interrupt.tool_id IS 'the tool of a call';

COMMENT ON COLUMN cmbs.interrupt.action IS 'the item exactly as it was proposed';

COMMENT ON COLUMN cmbs.interrupt.action_digest IS 'the sha-256 of the action with the policy and state that it was asked in';

COMMENT ON COLUMN cmbs.interrupt.constraint_keys IS 'the constraints that an approval waives';

COMMENT ON COLUMN cmbs.interrupt.status IS 'pending, approved, declined, cancelled, consumed, superseded, expired or ended';

COMMENT ON COLUMN cmbs.interrupt.expires_at IS 'until when it may be answered, and an approval be used';

COMMENT ON COLUMN cmbs.interrupt.resolution IS 'approve, decline or cancel';

COMMENT ON COLUMN cmbs.interrupt.resolved_by IS 'who answered';

COMMENT ON COLUMN cmbs.interrupt.resolved_at IS 'when it was answered';

COMMENT ON COLUMN cmbs.interrupt.comment IS 'what was said with the answer';

COMMENT ON COLUMN cmbs.interrupt.consumed_seq IS 'number of the event that used the approval';

CREATE TABLE cmbs_store.obligation (
    session_id uuid NOT NULL,
    entered_seq bigint NOT NULL,
    obligation_id text NOT NULL COLLATE pg_catalog."C",
    min_total_eliminations bigint NOT NULL,
    survivors_at_entry integer NOT NULL
);

ALTER TABLE cmbs_store.obligation OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.obligation IS 'session: every obligation that was entered.';

CREATE TABLE cmbs_store.obligation_end (
    session_id uuid NOT NULL,
    entered_seq bigint NOT NULL,
    ended_seq bigint NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    survivors_at_end integer NOT NULL,
    CONSTRAINT obligation_end_outcome_check CHECK ((outcome = ANY (ARRAY['exited'::text, 'waived'::text])))
);

ALTER TABLE cmbs_store.obligation_end OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.obligation_end IS 'session: how and when an obligation was left; no row while it is active.';

CREATE VIEW cmbs.obligation WITH (security_barrier='true') AS
 SELECT o.session_id,
    o.obligation_id,
    COALESCE(d.outcome, 'active'::text) AS state,
    o.min_total_eliminations,
    (o.survivors_at_entry - COALESCE(d.survivors_at_end, s.n_survivors)) AS counted,
    o.entered_seq,
    d.ended_seq,
    b.recorded_at AS entered_at,
    f.recorded_at AS ended_at
   FROM ((((cmbs_store.obligation o
     JOIN cmbs_store.session s ON ((s.session_id = o.session_id)))
     LEFT JOIN cmbs_store.obligation_end d ON (((d.session_id = o.session_id) AND (d.entered_seq = o.entered_seq))))
     LEFT JOIN cmbs_store.audit_event b ON (((b.session_id = o.session_id) AND (b.seq = o.entered_seq))))
     LEFT JOIN cmbs_store.audit_event f ON (((f.session_id = o.session_id) AND (f.seq = d.ended_seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.obligation OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.obligation IS 'Every obligation, active, exited or waived.';

COMMENT ON COLUMN cmbs.obligation.session_id IS 'the session';

COMMENT ON COLUMN cmbs.obligation.obligation_id IS 'the callers name for it';

COMMENT ON COLUMN cmbs.obligation.state IS 'active, exited or waived';

COMMENT ON COLUMN cmbs.obligation.min_total_eliminations IS 'how many eliminations since entry its exit needs';

COMMENT ON COLUMN cmbs.obligation.counted IS 'hypotheses eliminated since entry';

COMMENT ON COLUMN cmbs.obligation.entered_seq IS 'event that entered it';

COMMENT ON COLUMN cmbs.obligation.ended_seq IS 'event that ended it, if any';

COMMENT ON COLUMN cmbs.obligation.entered_at IS 'when it was entered';

COMMENT ON COLUMN cmbs.obligation.ended_at IS 'when it ended; null while it is active';

CREATE TABLE cmbs_store.permit_begin (
    session_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    seq bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.permit_begin OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.permit_begin IS 'session: permits whose execution was begun, and by whom; without an end the outcome is not known.';

CREATE TABLE cmbs_store.permit_end (
    session_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    seq bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    result_hash bytea,
    CONSTRAINT permit_end_status_check CHECK ((status = ANY (ARRAY['committed'::text, 'rolled_back'::text, 'expired'::text])))
);

ALTER TABLE cmbs_store.permit_end OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.permit_end IS 'session: how the execution of permits ended; expired ones were never begun.';

CREATE VIEW cmbs.permit WITH (security_barrier='true') AS
 SELECT p.session_id,
    p.permit_id,
    p.seq,
    p.item_no,
    e.recorded_at AS ts,
    p.actor,
    p.tool_id,
    p.token_id,
        CASE
            WHEN (d.status IS NOT NULL) THEN d.status
            WHEN (b.seq IS NOT NULL) THEN 'executing'::text
            WHEN s.is_terminated THEN 'ended'::text
            WHEN (p.expires_at <= clock_timestamp()) THEN 'expired'::text
            ELSE 'issued'::text
        END AS status,
    p.expires_at,
    x.recorded_at AS begun_at,
    b.actor AS begun_by,
    y.recorded_at AS ended_at,
    encode(d.result_hash, 'hex'::text) AS result_hash
   FROM ((((((cmbs_store.permit p
     JOIN cmbs_store.session s ON ((s.session_id = p.session_id)))
     JOIN cmbs_store.audit_event e ON (((e.session_id = p.session_id) AND (e.seq = p.seq))))
     LEFT JOIN cmbs_store.permit_begin b ON (((b.session_id = p.session_id) AND (b.permit_id = p.permit_id))))
     LEFT JOIN cmbs_store.audit_event x ON (((x.session_id = b.session_id) AND (x.seq = b.seq))))
     LEFT JOIN cmbs_store.permit_end d ON (((d.session_id = p.session_id) AND (d.permit_id = p.permit_id))))
     LEFT JOIN cmbs_store.audit_event y ON (((y.session_id = d.session_id) AND (y.seq = d.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.permit OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.permit IS 'Every permit to execute an allowed call of a tool, and what has become of it.';

COMMENT ON COLUMN cmbs.permit.session_id IS 'the session';

COMMENT ON COLUMN cmbs.permit.permit_id IS 'the permit';

COMMENT ON COLUMN cmbs.permit.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.permit.item_no IS 'the item of the proposal, from 1';

COMMENT ON COLUMN cmbs.permit.ts IS 'when it was given';

COMMENT ON COLUMN cmbs.permit.actor IS 'who proposed the call';

COMMENT ON COLUMN cmbs.permit.tool_id IS 'the tool';

COMMENT ON COLUMN cmbs.permit.token_id IS 'the capability token whose budget it reserves';

COMMENT ON COLUMN cmbs.permit.status IS 'issued, executing, committed, rolled_back, expired or ended with the session';

COMMENT ON COLUMN cmbs.permit.expires_at IS 'until when its execution may begin';

COMMENT ON COLUMN cmbs.permit.begun_at IS 'when its execution began';

COMMENT ON COLUMN cmbs.permit.begun_by IS 'who began it';

COMMENT ON COLUMN cmbs.permit.ended_at IS 'when it was completed, or released after it had run out';

COMMENT ON COLUMN cmbs.permit.result_hash IS 'the sha-256 of the canonical text of the result';

CREATE VIEW cmbs.principal WITH (security_barrier='true') AS
 SELECT tenant,
    name,
    kind,
    roles,
    source_prefixes,
    is_login,
    is_enabled,
    created_at
   FROM cmbs_store.principal p
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.principal OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.principal IS 'Every principal: who may call, with what roles and for which sources.';

COMMENT ON COLUMN cmbs.principal.tenant IS 'whose sessions it sees; * for those of all';

COMMENT ON COLUMN cmbs.principal.name IS 'its name, which is the actor of its events';

COMMENT ON COLUMN cmbs.principal.kind IS 'agent, encoder, tool, human or service';

COMMENT ON COLUMN cmbs.principal.roles IS 'what it may';

COMMENT ON COLUMN cmbs.principal.source_prefixes IS 'beginnings of the source ids that it may speak for';

COMMENT ON COLUMN cmbs.principal.is_login IS 'whether it is the role of PostgreSQL of this name';

COMMENT ON COLUMN cmbs.principal.is_enabled IS 'whether it may call at all';

COMMENT ON COLUMN cmbs.principal.created_at IS 'when it was made';

CREATE TABLE cmbs_store.reason_code (
    code text NOT NULL COLLATE pg_catalog."C",
    stage_no integer NOT NULL,
    stage text NOT NULL COLLATE pg_catalog."C",
    disposition text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT reason_code_disposition_check CHECK ((disposition = ANY (ARRAY['execute'::text, 'block'::text, 'ask'::text, 'defer'::text, 'degrade'::text, 'on_fail'::text])))
);

ALTER TABLE cmbs_store.reason_code OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.reason_code IS 'reference: why something was decided; on_fail: as the constraint that failed says.';

CREATE VIEW cmbs.reason_code WITH (security_barrier='true') AS
 SELECT code,
    stage_no,
    stage,
    disposition,
    description
   FROM cmbs_store.reason_code r;

ALTER VIEW cmbs.reason_code OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.reason_code IS 'The reason codes of decisions, to join with.';

COMMENT ON COLUMN cmbs.reason_code.code IS 'the code';

COMMENT ON COLUMN cmbs.reason_code.stage_no IS 'the order of its stage: the first that fails names the decision';

COMMENT ON COLUMN cmbs.reason_code.stage IS 'the stage that it belongs to';

COMMENT ON COLUMN cmbs.reason_code.disposition IS 'what follows from it; on_fail: what the constraint says';

COMMENT ON COLUMN cmbs.reason_code.description IS 'what it means';

CREATE VIEW cmbs.recorded_claim WITH (security_barrier='true') AS
 SELECT c.session_id,
    c.seq,
    c.claim_id,
    e.recorded_at AS ts,
    e.actor,
    c.key,
    c.kind,
    c.value,
    c.confidence,
    c.is_confirmed AS confirmed,
    c.source_chunk_ids,
    c.confirmed_by_event_id,
    c.conflict_state,
    c.expires_at,
    c.review_at,
    c.promotes
   FROM (cmbs_store.claim c
     JOIN cmbs_store.audit_event e ON (((e.session_id = c.session_id) AND (e.seq = c.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = c.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.recorded_claim OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.recorded_claim IS 'Every claim that was recorded, with its evidence.';

COMMENT ON COLUMN cmbs.recorded_claim.session_id IS 'the session';

COMMENT ON COLUMN cmbs.recorded_claim.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.recorded_claim.claim_id IS 'the claim';

COMMENT ON COLUMN cmbs.recorded_claim.ts IS 'when';

COMMENT ON COLUMN cmbs.recorded_claim.actor IS 'who claimed';

COMMENT ON COLUMN cmbs.recorded_claim.key IS 'of what it is';

COMMENT ON COLUMN cmbs.recorded_claim.kind IS 'fact, preference, decision, hypothesis or derived';

COMMENT ON COLUMN cmbs.recorded_claim.value IS 'what is claimed';

COMMENT ON COLUMN cmbs.recorded_claim.confidence IS 'from 0 to 1';

COMMENT ON COLUMN cmbs.recorded_claim.confirmed IS 'whether its evidence confirmed it';

COMMENT ON COLUMN cmbs.recorded_claim.source_chunk_ids IS 'the sources that it cites';

COMMENT ON COLUMN cmbs.recorded_claim.confirmed_by_event_id IS 'the act of an approver that it cites';

COMMENT ON COLUMN cmbs.recorded_claim.conflict_state IS 'whether something stands against it';

COMMENT ON COLUMN cmbs.recorded_claim.expires_at IS 'when it stops counting';

COMMENT ON COLUMN cmbs.recorded_claim.review_at IS 'when it stops counting if it is not confirmed';

COMMENT ON COLUMN cmbs.recorded_claim.promotes IS 'the claim that it goes back to';

CREATE VIEW cmbs.session WITH (security_barrier='true') AS
 SELECT session_id,
    declared_at,
    ((ontology)::jsonb ->> 'hypothesis_space_id'::text) AS hypothesis_space_id,
    ((ontology)::jsonb ->> 'hypothesis_version'::text) AS hypothesis_version,
    ((ontology)::jsonb ->> 'causal_graph_ref'::text) AS causal_graph_ref,
    ((ontology)::jsonb ->> 'causal_graph_version'::text) AS causal_graph_version,
    encode(universe_digest, 'hex'::text) AS universe_digest,
    n_hypotheses,
    n_survivors,
        CASE
            WHEN (n_survivors > 1) THEN (ln((n_survivors)::double precision) / ln((2)::double precision))
            ELSE (0)::double precision
        END AS entropy_proxy,
    is_terminated AS terminated,
    obligation_id AS active_obligation_id,
    audit_seq,
    audit_head_event_id,
    encode(audit_head_hash, 'hex'::text) AS audit_head_hash,
    encode(survivors_hash, 'hex'::text) AS survivors_hash,
    validate_hypotheses,
    allow_forced_termination,
    stability_window,
    (policy_as_sent)::jsonb AS policy_as_sent,
    tenant
   FROM cmbs_store.session s
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.session OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.session IS 'Every session as it stands now.';

COMMENT ON COLUMN cmbs.session.session_id IS 'the client-chosen id';

COMMENT ON COLUMN cmbs.session.declared_at IS 'when it was declared: the time of its first event';

COMMENT ON COLUMN cmbs.session.hypothesis_space_id IS 'ontology bundle: name of the hypothesis space';

COMMENT ON COLUMN cmbs.session.hypothesis_version IS 'ontology bundle: version of the space';

COMMENT ON COLUMN cmbs.session.causal_graph_ref IS 'ontology bundle: reference to the causal graph; stored, never followed';

COMMENT ON COLUMN cmbs.session.causal_graph_version IS 'ontology bundle: version of the graph';

COMMENT ON COLUMN cmbs.session.universe_digest IS 'sha-256 over the sorted hypotheses, hex';

COMMENT ON COLUMN cmbs.session.n_hypotheses IS 'size of the universe';

COMMENT ON COLUMN cmbs.session.n_survivors IS 'hypotheses not eliminated so far';

COMMENT ON COLUMN cmbs.session.entropy_proxy IS 'log2 of n_survivors; 0 for none or one';

COMMENT ON COLUMN cmbs.session.terminated IS 'whether the session takes no more messages';

COMMENT ON COLUMN cmbs.session.active_obligation_id IS 'the obligation that gates conclusions and termination, if any';

COMMENT ON COLUMN cmbs.session.audit_seq IS 'number of events in the log';

COMMENT ON COLUMN cmbs.session.audit_head_event_id IS 'the last event';

COMMENT ON COLUMN cmbs.session.audit_head_hash IS 'hash of the last event, hex';

COMMENT ON COLUMN cmbs.session.survivors_hash IS 'hash of universe and survivors, hex';

COMMENT ON COLUMN cmbs.session.validate_hypotheses IS 'policy: whether ids outside the universe are refused';

COMMENT ON COLUMN cmbs.session.allow_forced_termination IS 'policy: whether context.force may end the session';

COMMENT ON COLUMN cmbs.session.stability_window IS 'policy: how many equal accepted conclusions termination needs';

COMMENT ON COLUMN cmbs.session.policy_as_sent IS 'the policy that its declare asked for, before defaults; null if it named none';

COMMENT ON COLUMN cmbs.session.tenant IS 'whose it is';

CREATE TABLE cmbs_store.session_mode (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    mode text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.session_mode OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.session_mode IS 'session: the mode in force from an event on; normal where there is none.';

CREATE VIEW cmbs.session_mode WITH (security_barrier='true') AS
 SELECT m.session_id,
    m.seq,
    e.recorded_at AS ts,
    e.actor,
    m.mode,
    ((e.record)::json #>> '{payload,reason}'::text[]) AS reason,
    (m.seq = max(m.seq) OVER (PARTITION BY m.session_id)) AS is_in_force
   FROM (cmbs_store.session_mode m
     JOIN cmbs_store.audit_event e ON (((e.session_id = m.session_id) AND (e.seq = m.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = m.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.session_mode OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.session_mode IS 'Every mode that a session was set to, and why.';

COMMENT ON COLUMN cmbs.session_mode.session_id IS 'the session';

COMMENT ON COLUMN cmbs.session_mode.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.session_mode.ts IS 'when';

COMMENT ON COLUMN cmbs.session_mode.actor IS 'who set it';

COMMENT ON COLUMN cmbs.session_mode.mode IS 'boost, normal, eco, thermal or offline_safe';

COMMENT ON COLUMN cmbs.session_mode.reason IS 'why';

COMMENT ON COLUMN cmbs.session_mode.is_in_force IS 'whether it is the last one';

CREATE VIEW cmbs.shadow_divergence WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    (i.item_no)::integer AS item_no,
    e.recorded_at AS ts,
    e.actor,
    (p.payload #>> ARRAY['proposal'::text, 'items'::text, ((i.item_no - 1))::text, 'tool_id'::text]) AS tool_id,
    (p.payload #>> '{policy,pack}'::text[]) AS pack,
    ((p.payload #>> '{policy,version}'::text[]))::integer AS version,
    (i.verdict ->> 'decision'::text) AS decision,
    (i.verdict ->> 'disposition'::text) AS disposition,
    (i.verdict ->> 'reason_code'::text) AS reason_code,
    (p.payload #>> '{shadow,policy,pack}'::text[]) AS shadow_pack,
    ((p.payload #>> '{shadow,policy,version}'::text[]))::integer AS shadow_version,
    (h.verdict ->> 'decision'::text) AS shadow_decision,
    (h.verdict ->> 'disposition'::text) AS shadow_disposition,
    (h.verdict ->> 'reason_code'::text) AS shadow_reason_code,
    ((i.verdict ->> 'effective'::text))::boolean AS effective
   FROM (((cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
     CROSS JOIN LATERAL jsonb_array_elements((p.payload -> 'items'::text)) WITH ORDINALITY i(verdict, item_no))
     CROSS JOIN LATERAL ( SELECT (p.payload #> ARRAY['shadow'::text, 'items'::text, ((i.item_no - 1))::text]) AS verdict) h)
  WHERE ((e.verb = 'PROPOSE'::text) AND (p.payload ? 'shadow'::text) AND ((((i.verdict ->> 'decision'::text) IS DISTINCT FROM (h.verdict ->> 'decision'::text)) OR ((i.verdict ->> 'disposition'::text) IS DISTINCT FROM (h.verdict ->> 'disposition'::text))) OR ((i.verdict ->> 'reason_code'::text) IS DISTINCT FROM (h.verdict ->> 'reason_code'::text))) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));

ALTER VIEW cmbs.shadow_divergence OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.shadow_divergence IS 'Where a shadow policy says something else than the one in force, item by item.';

COMMENT ON COLUMN cmbs.shadow_divergence.session_id IS 'the session';

COMMENT ON COLUMN cmbs.shadow_divergence.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.shadow_divergence.item_no IS 'the item of the proposal, from 1';

COMMENT ON COLUMN cmbs.shadow_divergence.ts IS 'when';

COMMENT ON COLUMN cmbs.shadow_divergence.actor IS 'who proposed';

COMMENT ON COLUMN cmbs.shadow_divergence.tool_id IS 'the tool of a call';

COMMENT ON COLUMN cmbs.shadow_divergence.pack IS 'the policy pack in force';

COMMENT ON COLUMN cmbs.shadow_divergence.version IS 'its version';

COMMENT ON COLUMN cmbs.shadow_divergence.decision IS 'what it decided';

COMMENT ON COLUMN cmbs.shadow_divergence.disposition IS 'what follows from it';

COMMENT ON COLUMN cmbs.shadow_divergence.reason_code IS 'its first stage that failed, or ALLOWED';

COMMENT ON COLUMN cmbs.shadow_divergence.shadow_pack IS 'the policy pack that was only asked';

COMMENT ON COLUMN cmbs.shadow_divergence.shadow_version IS 'its version';

COMMENT ON COLUMN cmbs.shadow_divergence.shadow_decision IS 'what it would have decided';

COMMENT ON COLUMN cmbs.shadow_divergence.shadow_disposition IS 'what would have followed';

COMMENT ON COLUMN cmbs.shadow_divergence.shadow_reason_code IS 'its first stage that failed, or ALLOWED';

COMMENT ON COLUMN cmbs.shadow_divergence.effective IS 'whether the item took effect, by the policy in force';

CREATE VIEW cmbs.source_effect WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.source_id,
    count(*) AS n_events,
    (COALESCE(sum(d.n_eliminations), (0)::numeric))::bigint AS n_eliminations,
    (COALESCE((sum(d.n_eliminations) / NULLIF(sum(sum(d.n_eliminations)) OVER (PARTITION BY e.session_id), (0)::numeric)), (0)::numeric))::double precision AS share
   FROM (cmbs_store.audit_event e
     LEFT JOIN ( SELECT t.session_id,
            t.seq,
            count(*) AS n_eliminations
           FROM cmbs_store.tombstone t
          GROUP BY t.session_id, t.seq) d ON (((d.session_id = e.session_id) AND (d.seq = e.seq))))
  WHERE ((e.source_id IS NOT NULL) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))))
  GROUP BY e.session_id, e.source_id;

ALTER VIEW cmbs.source_effect OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.source_effect IS 'Events and eliminations per source of a session.';

COMMENT ON COLUMN cmbs.source_effect.session_id IS 'the session';

COMMENT ON COLUMN cmbs.source_effect.source_id IS 'who observed';

COMMENT ON COLUMN cmbs.source_effect.n_events IS 'messages of this source';

COMMENT ON COLUMN cmbs.source_effect.n_eliminations IS 'hypotheses they eliminated';

COMMENT ON COLUMN cmbs.source_effect.share IS 'their part of all eliminations of the session, 0 to 1';

CREATE TABLE cmbs_store.state_delta (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    item_no integer NOT NULL,
    delta_no bigint NOT NULL,
    patch text NOT NULL COLLATE pg_catalog."C",
    s_core real[]
);

ALTER TABLE cmbs_store.state_delta OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.state_delta IS 'session: every change of the state that was committed.';

CREATE TABLE cmbs_store.state_value (
    session_id uuid NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    value text COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.state_value OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.state_value IS 'session: the values of each key with the event that wrote them; null: deleted.';

CREATE VIEW cmbs.state_change WITH (security_barrier='true') AS
 SELECT c.session_id,
    c.seq,
    e.event_id,
    e.recorded_at AS ts,
    e.actor,
    c.kind,
    c.key,
    c.value
   FROM (( SELECT v.session_id,
            v.seq,
            'state'::text AS kind,
            v.key,
            v.value
           FROM cmbs_store.state_value v
        UNION ALL
         SELECT d.session_id,
            d.seq,
            'core'::text AS kind,
            NULL::text AS key,
            (d.s_core)::text AS value
           FROM cmbs_store.state_delta d
          WHERE (d.s_core IS NOT NULL)
        UNION ALL
         SELECT n.session_id,
            n.seq,
            'policy'::text AS kind,
            n.pack AS key,
            (n.version)::text AS value
           FROM cmbs_store.policy_pin n) c
     JOIN cmbs_store.audit_event e ON (((e.session_id = c.session_id) AND (e.seq = c.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = c.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));

ALTER VIEW cmbs.state_change OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.state_change IS 'Every change of the state of sessions beside their belief.';

COMMENT ON COLUMN cmbs.state_change.session_id IS 'the session';

COMMENT ON COLUMN cmbs.state_change.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.state_change.event_id IS 'the event';

COMMENT ON COLUMN cmbs.state_change.ts IS 'when';

COMMENT ON COLUMN cmbs.state_change.actor IS 'who';

COMMENT ON COLUMN cmbs.state_change.kind IS 'state, core or policy';

COMMENT ON COLUMN cmbs.state_change.key IS 'the key, or the policy pack';

COMMENT ON COLUMN cmbs.state_change.value IS 'the text of the value, null where a key was deleted; of a policy its version';

CREATE TABLE cmbs_store.universe_member (
    universe_digest bytea NOT NULL,
    hypothesis_id text NOT NULL COLLATE pg_catalog."C",
    hypothesis_rank integer NOT NULL,
    CONSTRAINT universe_member_hypothesis_id_check CHECK (((octet_length(hypothesis_id) >= 1) AND (octet_length(hypothesis_id) <= 512))),
    CONSTRAINT universe_member_hypothesis_rank_check CHECK ((hypothesis_rank >= 0))
);

ALTER TABLE cmbs_store.universe_member OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.universe_member IS 'reference: the hypotheses of a universe; the rank in byte order is the bit number in every mask.';

CREATE VIEW cmbs.survivor WITH (security_barrier='true') AS
 SELECT s.session_id,
    d.hypothesis_id
   FROM (cmbs_store.session s
     CROSS JOIN LATERAL ( SELECT m.hypothesis_id
           FROM cmbs_store.universe_member m
          WHERE (m.universe_digest = s.universe_digest)
        EXCEPT
         SELECT t.hypothesis_id
           FROM cmbs_store.tombstone t
          WHERE (t.session_id = s.session_id)) d)
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.survivor OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.survivor IS 'The hypotheses of each session that nothing has eliminated: universe minus tombstones.';

COMMENT ON COLUMN cmbs.survivor.session_id IS 'the session';

COMMENT ON COLUMN cmbs.survivor.hypothesis_id IS 'a hypothesis that survives';

CREATE VIEW cmbs.survivors_over_time WITH (security_barrier='true') AS
 SELECT session_id,
    seq,
    ts,
    n_eliminated,
    n_survivors,
        CASE
            WHEN (n_survivors > 1) THEN (ln((n_survivors)::double precision) / ln((2)::double precision))
            ELSE (0)::double precision
        END AS entropy_proxy
   FROM ( SELECT e.session_id,
            e.seq,
            e.recorded_at AS ts,
            (COALESCE(d.n_eliminated, (0)::bigint))::integer AS n_eliminated,
            (s.n_hypotheses - sum((COALESCE(d.n_eliminated, (0)::bigint))::integer) OVER (PARTITION BY e.session_id ORDER BY e.seq)) AS n_survivors
           FROM ((cmbs_store.audit_event e
             JOIN cmbs_store.session s ON ((s.session_id = e.session_id)))
             LEFT JOIN ( SELECT t.session_id,
                    t.seq,
                    count(*) AS n_eliminated
                   FROM cmbs_store.tombstone t
                  GROUP BY t.session_id, t.seq) d ON (((d.session_id = e.session_id) AND (d.seq = e.seq))))
          WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)))) c;

ALTER VIEW cmbs.survivors_over_time OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.survivors_over_time IS 'Number of survivors after each event.';

COMMENT ON COLUMN cmbs.survivors_over_time.session_id IS 'the session';

COMMENT ON COLUMN cmbs.survivors_over_time.seq IS 'number of the event in the log of its session, from 1 without gaps';

COMMENT ON COLUMN cmbs.survivors_over_time.ts IS 'when';

COMMENT ON COLUMN cmbs.survivors_over_time.n_eliminated IS 'hypotheses this event eliminated';

COMMENT ON COLUMN cmbs.survivors_over_time.n_survivors IS 'survivors after it';

COMMENT ON COLUMN cmbs.survivors_over_time.entropy_proxy IS 'log2 of n_survivors; 0 for none or one';

CREATE VIEW cmbs.universe_member WITH (security_barrier='true') AS
 SELECT s.session_id,
    m.hypothesis_id,
    m.hypothesis_rank
   FROM (cmbs_store.session s
     JOIN cmbs_store.universe_member m ON ((m.universe_digest = s.universe_digest)))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.universe_member OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.universe_member IS 'The hypotheses that each session started from.';

COMMENT ON COLUMN cmbs.universe_member.session_id IS 'the session';

COMMENT ON COLUMN cmbs.universe_member.hypothesis_id IS 'one hypothesis of the universe';

COMMENT ON COLUMN cmbs.universe_member.hypothesis_rank IS 'its place in byte order, from 0: its bit in the survivor mask';

CREATE VIEW cmbs.unmatched_constraint WITH (security_barrier='true') AS
 SELECT DISTINCT n.pack,
    n.version,
    encode(n.policy_hash, 'hex'::text) AS policy_hash,
    c.key,
    c.effect,
    c.subject
   FROM (cmbs_store.policy_pin n
     JOIN cmbs_store.policy_entry c ON (((c.policy_hash = n.policy_hash) AND (c.subject IS NOT NULL))))
  WHERE ((NOT (EXISTS ( SELECT
           FROM cmbs.constraint_hit h
          WHERE ((h.policy_hash = encode(n.policy_hash, 'hex'::text)) AND (h.key = c.key))))) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = n.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));

ALTER VIEW cmbs.unmatched_constraint OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.unmatched_constraint IS 'Constraints of the packs that sessions named, which never stood against anything.';

COMMENT ON COLUMN cmbs.unmatched_constraint.pack IS 'the policy pack';

COMMENT ON COLUMN cmbs.unmatched_constraint.version IS 'its version';

COMMENT ON COLUMN cmbs.unmatched_constraint.policy_hash IS 'the sha-256 of its content';

COMMENT ON COLUMN cmbs.unmatched_constraint.key IS 'the constraint';

COMMENT ON COLUMN cmbs.unmatched_constraint.effect IS 'allow or deny, null if it is malformed';

COMMENT ON COLUMN cmbs.unmatched_constraint.subject IS 'to what it applies: t: and a tool, c: and a capability, * for all, ! for an invariant';

CREATE TABLE cmbs_store.webhook_message (
    session_id uuid NOT NULL,
    message_id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL COLLATE pg_catalog."C",
    interrupt_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    n_attempts integer NOT NULL,
    next_at timestamp with time zone NOT NULL,
    last_error text,
    CONSTRAINT webhook_message_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
)
WITH (fillfactor='80');

ALTER TABLE cmbs_store.webhook_message OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.webhook_message IS 'session: the outbox: what has to be told, how often that was tried, and what came of it.';

CREATE VIEW cmbs.webhook_message WITH (security_barrier='true') AS
 SELECT session_id,
    message_id,
    event,
    interrupt_id,
    created_at,
    state,
    n_attempts,
        CASE
            WHEN (state = 'pending'::text) THEN next_at
            ELSE NULL::timestamp with time zone
        END AS next_at,
    last_error
   FROM cmbs_store.webhook_message m
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));

ALTER VIEW cmbs.webhook_message OWNER TO cmbs_owner;

COMMENT ON VIEW cmbs.webhook_message IS 'What has to be told to a webhook, how often that was tried, and what came of it.';

COMMENT ON COLUMN cmbs.webhook_message.session_id IS 'the session';

COMMENT ON COLUMN cmbs.webhook_message.message_id IS 'the id that every delivery of it has';

COMMENT ON COLUMN cmbs.webhook_message.event IS 'interrupt.opened or interrupt.resolved';

COMMENT ON COLUMN cmbs.webhook_message.interrupt_id IS 'the question';

COMMENT ON COLUMN cmbs.webhook_message.created_at IS 'when it happened';

COMMENT ON COLUMN cmbs.webhook_message.state IS 'pending, delivered, or dead after the last try';

COMMENT ON COLUMN cmbs.webhook_message.n_attempts IS 'how often it was tried';

COMMENT ON COLUMN cmbs.webhook_message.next_at IS 'when it is tried next';

COMMENT ON COLUMN cmbs.webhook_message.last_error IS 'why the last try failed';

CREATE TABLE cmbs_store.claim_confirmation (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    value_digest bytea NOT NULL
);

ALTER TABLE cmbs_store.claim_confirmation OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.claim_confirmation IS 'session: what an approver confirmed: a key with the digest of its value.';

CREATE TABLE cmbs_store.context_hypothesis (
    universe_digest bytea NOT NULL,
    hypothesis_id text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT context_hypothesis_hypothesis_id_check CHECK ((octet_length(hypothesis_id) <= 512))
);

ALTER TABLE cmbs_store.context_hypothesis OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.context_hypothesis IS 'reference: the hypotheses of a set that contexts begin with.';

CREATE TABLE cmbs_store.context_universe (
    universe_digest bytea NOT NULL,
    n_hypotheses integer NOT NULL,
    CONSTRAINT context_universe_n_hypotheses_check CHECK ((n_hypotheses >= 0)),
    CONSTRAINT context_universe_universe_digest_check CHECK ((octet_length(universe_digest) = 32))
);

ALTER TABLE cmbs_store.context_universe OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.context_universe IS 'reference: one row per distinct set of hypotheses of contexts; the digest is the identity.';

CREATE TABLE cmbs_store.elimination_claimant (
    session_id uuid NOT NULL,
    hypothesis_id text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    other_seq bigint
)
WITH (fillfactor='80');

ALTER TABLE cmbs_store.elimination_claimant OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.elimination_claimant IS 'session: who first asked for an elimination, and when somebody else did; counted up to a seq.';

CREATE TABLE cmbs_store.elimination_count (
    session_id uuid NOT NULL,
    counted_seq bigint NOT NULL
);

ALTER TABLE cmbs_store.elimination_count OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.elimination_count IS 'session: up to which event the claimants of eliminations were counted.';

CREATE TABLE cmbs_store.hypothesis_space (
    hypothesis_space_id text NOT NULL COLLATE pg_catalog."C",
    hypothesis_version text NOT NULL COLLATE pg_catalog."C",
    universe_digest bytea NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    registered_by text NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT hypothesis_space_id_check CHECK (((octet_length(hypothesis_space_id) >= 1) AND (octet_length(hypothesis_space_id) <= 512))),
    CONSTRAINT hypothesis_space_version_check CHECK (((octet_length(hypothesis_version) >= 1) AND (octet_length(hypothesis_version) <= 2048)))
);

ALTER TABLE cmbs_store.hypothesis_space OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.hypothesis_space IS 'reference: a universe registered under a name and a version, for ever.';

CREATE TABLE cmbs_store.identity_head (
    tenant text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    event_hash bytea NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);

ALTER TABLE cmbs_store.identity_head OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.identity_head IS 'reference: the last event of every log of identities; whoever changes one locks the row of *.';

CREATE TABLE cmbs_store.json_schema (
    tenant text NOT NULL COLLATE pg_catalog."C",
    schema_id text NOT NULL COLLATE pg_catalog."C",
    schema_hash bytea NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    registered_by text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.json_schema OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.json_schema IS 'reference: the names of JSON Schemas, for ever.';

CREATE TABLE cmbs_store.open_item (
    session_id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    item_id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    due_at timestamp with time zone NOT NULL,
    is_open boolean NOT NULL,
    CONSTRAINT open_item_kind_check CHECK ((kind = ANY (ARRAY['permit'::text, 'interrupt'::text, 'deferral'::text])))
)
WITH (fillfactor='80');

ALTER TABLE cmbs_store.open_item OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.open_item IS 'session: permits, questions and deferrals that are still open, and when each runs out.';

CREATE TABLE cmbs_store.policy_halt (
    tenant text NOT NULL COLLATE pg_catalog."C",
    halt_no integer NOT NULL,
    is_halted boolean NOT NULL,
    reason text NOT NULL COLLATE pg_catalog."C",
    set_at timestamp with time zone NOT NULL,
    set_by text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.policy_halt OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.policy_halt IS 'reference: the kill switch; of a tenant, and of *, the highest number counts.';

CREATE TABLE cmbs_store.proposal (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text COLLATE pg_catalog."C",
    content_hash bytea NOT NULL,
    decision text NOT NULL COLLATE pg_catalog."C",
    disposition text NOT NULL COLLATE pg_catalog."C",
    reason_code text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.proposal OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.proposal IS 'session: every proposal and what was decided; all of it stands in the record of its event.';

CREATE TABLE cmbs_store.revision (
    version_num character varying(32) NOT NULL
);

ALTER TABLE cmbs_store.revision OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.revision IS 'reference: the revision of the schema; one row, which deployments alone change.';

CREATE TABLE cmbs_store.session_mask (
    session_id uuid NOT NULL,
    chunk_no integer NOT NULL,
    chunk bytea NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE ONLY cmbs_store.session_mask ALTER COLUMN chunk SET STORAGE PLAIN;

ALTER TABLE cmbs_store.session_mask OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.session_mask IS 'session: the survivor mask of universes above 8,192 hypotheses, in rows of 8,192 bits.';

CREATE TABLE cmbs_store.shadow_pin (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    pack text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    policy_hash bytea NOT NULL
);

ALTER TABLE cmbs_store.shadow_pin OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.shadow_pin IS 'session: the policy that is asked beside the one that the same event put in force.';

CREATE TABLE cmbs_store.state_checkpoint (
    session_id uuid NOT NULL,
    delta_no bigint NOT NULL,
    seq bigint NOT NULL,
    f_sparse text NOT NULL COLLATE pg_catalog."C",
    s_core real[]
);

ALTER TABLE cmbs_store.state_checkpoint OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.state_checkpoint IS 'session: the whole state after every hundredth delta.';

CREATE TABLE cmbs_store.tool_registration (
    tenant text NOT NULL COLLATE pg_catalog."C",
    tool_id text NOT NULL COLLATE pg_catalog."C",
    registration_no integer NOT NULL,
    tool_hash bytea,
    registered_at timestamp with time zone NOT NULL,
    registered_by text NOT NULL COLLATE pg_catalog."C"
);

ALTER TABLE cmbs_store.tool_registration OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.tool_registration IS 'reference: which definition a tool has; the highest number counts, and null withdraws it.';

CREATE TABLE cmbs_store.universe (
    universe_digest bytea NOT NULL,
    n_hypotheses integer NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    CONSTRAINT universe_n_hypotheses_check CHECK ((n_hypotheses >= 1)),
    CONSTRAINT universe_universe_digest_check CHECK ((octet_length(universe_digest) = 32))
);

ALTER TABLE cmbs_store.universe OWNER TO cmbs_owner;

COMMENT ON TABLE cmbs_store.universe IS 'reference: one row per distinct set of hypotheses; the digest is the identity.';

ALTER TABLE ONLY cmbs_store.api_token
    ADD CONSTRAINT api_token_credential_hash_pk PRIMARY KEY (credential_hash);

ALTER TABLE ONLY cmbs_store.api_token_use
    ADD CONSTRAINT api_token_use_token_id_pk PRIMARY KEY (token_id);

ALTER TABLE ONLY cmbs_store.audit_event
    ADD CONSTRAINT audit_event_seq_pk PRIMARY KEY (session_id, seq);

ALTER TABLE ONLY cmbs_store.capability_revocation
    ADD CONSTRAINT capability_revocation_token_id_pk PRIMARY KEY (session_id, token_id);

ALTER TABLE ONLY cmbs_store.capability_spending
    ADD CONSTRAINT capability_spending_seq_pk PRIMARY KEY (session_id, token_id, unit, seq);

ALTER TABLE ONLY cmbs_store.capability_token
    ADD CONSTRAINT capability_token_token_id_pk PRIMARY KEY (session_id, token_id);

ALTER TABLE ONLY cmbs_store.claim
    ADD CONSTRAINT claim_claim_id_pk PRIMARY KEY (session_id, claim_id);

ALTER TABLE ONLY cmbs_store.claim_confirmation
    ADD CONSTRAINT claim_confirmation_seq_pk PRIMARY KEY (session_id, seq);

ALTER TABLE ONLY cmbs_store.conclusion
    ADD CONSTRAINT conclusion_seq_pk PRIMARY KEY (session_id, seq);

ALTER TABLE ONLY cmbs_store.context
    ADD CONSTRAINT context_context_id_pk PRIMARY KEY (context_id);

ALTER TABLE ONLY cmbs_store.context_event
    ADD CONSTRAINT context_event_event_no_pk PRIMARY KEY (context_id, event_no);

ALTER TABLE ONLY cmbs_store.context_hypothesis
    ADD CONSTRAINT context_hypothesis_hypothesis_id_pk PRIMARY KEY (universe_digest, hypothesis_id);

ALTER TABLE ONLY cmbs_store.context_tombstone
    ADD CONSTRAINT context_tombstone_hypothesis_id_pk PRIMARY KEY (context_id, hypothesis_id);

ALTER TABLE ONLY cmbs_store.context_universe
    ADD CONSTRAINT context_universe_universe_digest_pk PRIMARY KEY (universe_digest);

ALTER TABLE ONLY cmbs_store.deferral
    ADD CONSTRAINT deferral_seq_pk PRIMARY KEY (session_id, deferral_id, seq);

ALTER TABLE ONLY cmbs_store.elimination_claimant
    ADD CONSTRAINT elimination_claimant_hypothesis_id_pk PRIMARY KEY (session_id, hypothesis_id);

ALTER TABLE ONLY cmbs_store.elimination_count
    ADD CONSTRAINT elimination_count_session_id_pk PRIMARY KEY (session_id);

ALTER TABLE ONLY cmbs_store.hypothesis_space
    ADD CONSTRAINT hypothesis_space_id_version_pk PRIMARY KEY (tenant, hypothesis_space_id, hypothesis_version);

ALTER TABLE ONLY cmbs_store.identity_event
    ADD CONSTRAINT identity_event_seq_pk PRIMARY KEY (tenant, seq);

ALTER TABLE ONLY cmbs_store.identity_head
    ADD CONSTRAINT identity_head_tenant_pk PRIMARY KEY (tenant);

ALTER TABLE ONLY cmbs_store.interrupt
    ADD CONSTRAINT interrupt_interrupt_id_pk PRIMARY KEY (session_id, interrupt_id);

ALTER TABLE ONLY cmbs_store.interrupt_resolution
    ADD CONSTRAINT interrupt_resolution_interrupt_id_pk PRIMARY KEY (session_id, interrupt_id);

ALTER TABLE ONLY cmbs_store.interrupt_use
    ADD CONSTRAINT interrupt_use_interrupt_id_pk PRIMARY KEY (session_id, interrupt_id);

ALTER TABLE ONLY cmbs_store.json_schema
    ADD CONSTRAINT json_schema_schema_id_pk PRIMARY KEY (tenant, schema_id);

ALTER TABLE ONLY cmbs_store.obligation_end
    ADD CONSTRAINT obligation_end_entered_seq_pk PRIMARY KEY (session_id, entered_seq);

ALTER TABLE ONLY cmbs_store.obligation
    ADD CONSTRAINT obligation_entered_seq_pk PRIMARY KEY (session_id, entered_seq);

ALTER TABLE ONLY cmbs_store.open_item
    ADD CONSTRAINT open_item_item_id_pk PRIMARY KEY (session_id, kind, item_id);

ALTER TABLE ONLY cmbs_store.permit_begin
    ADD CONSTRAINT permit_begin_permit_id_pk PRIMARY KEY (session_id, permit_id);

ALTER TABLE ONLY cmbs_store.permit_end
    ADD CONSTRAINT permit_end_permit_id_pk PRIMARY KEY (session_id, permit_id);

ALTER TABLE ONLY cmbs_store.permit
    ADD CONSTRAINT permit_permit_id_pk PRIMARY KEY (session_id, permit_id);

ALTER TABLE ONLY cmbs_store.policy_default
    ADD CONSTRAINT policy_default_default_no_pk PRIMARY KEY (tenant, default_no);

ALTER TABLE ONLY cmbs_store.policy_entry
    ADD CONSTRAINT policy_entry_key_pk PRIMARY KEY (policy_hash, key);

ALTER TABLE ONLY cmbs_store.policy_halt
    ADD CONSTRAINT policy_halt_halt_no_pk PRIMARY KEY (tenant, halt_no);

ALTER TABLE ONLY cmbs_store.policy_pin
    ADD CONSTRAINT policy_pin_seq_pk PRIMARY KEY (session_id, seq);

ALTER TABLE ONLY cmbs_store.policy
    ADD CONSTRAINT policy_policy_hash_pk PRIMARY KEY (policy_hash);

ALTER TABLE ONLY cmbs_store.policy_version
    ADD CONSTRAINT policy_version_version_pk PRIMARY KEY (tenant, pack, version);

ALTER TABLE ONLY cmbs_store.principal
    ADD CONSTRAINT principal_name_pk PRIMARY KEY (name, tenant);

ALTER TABLE ONLY cmbs_store.proposal
    ADD CONSTRAINT proposal_seq_pk PRIMARY KEY (session_id, seq);

ALTER TABLE ONLY cmbs_store.reason_code
    ADD CONSTRAINT reason_code_code_pk PRIMARY KEY (code);

ALTER TABLE ONLY cmbs_store.revision
    ADD CONSTRAINT revision_pkc PRIMARY KEY (version_num);

ALTER TABLE ONLY cmbs_store.schema_document
    ADD CONSTRAINT schema_document_schema_hash_pk PRIMARY KEY (schema_hash);

ALTER TABLE ONLY cmbs_store.session_mask
    ADD CONSTRAINT session_mask_chunk_no_pk PRIMARY KEY (session_id, chunk_no);

ALTER TABLE ONLY cmbs_store.session_mode
    ADD CONSTRAINT session_mode_seq_pk PRIMARY KEY (session_id, seq);

ALTER TABLE ONLY cmbs_store.session
    ADD CONSTRAINT session_session_id_pk PRIMARY KEY (session_id);

ALTER TABLE ONLY cmbs_store.shadow_pin
    ADD CONSTRAINT shadow_pin_seq_pk PRIMARY KEY (session_id, seq);

ALTER TABLE ONLY cmbs_store.state_checkpoint
    ADD CONSTRAINT state_checkpoint_delta_no_pk PRIMARY KEY (session_id, delta_no);

ALTER TABLE ONLY cmbs_store.state_delta
    ADD CONSTRAINT state_delta_item_no_pk PRIMARY KEY (session_id, seq, item_no);

ALTER TABLE ONLY cmbs_store.state_value
    ADD CONSTRAINT state_value_seq_pk PRIMARY KEY (session_id, key, seq);

ALTER TABLE ONLY cmbs_store.tombstone
    ADD CONSTRAINT tombstone_hypothesis_id_pk PRIMARY KEY (session_id, hypothesis_id);

ALTER TABLE ONLY cmbs_store.tool_definition
    ADD CONSTRAINT tool_definition_tool_hash_pk PRIMARY KEY (tool_hash);

ALTER TABLE ONLY cmbs_store.tool_registration
    ADD CONSTRAINT tool_registration_registration_no_pk PRIMARY KEY (tenant, tool_id, registration_no);

ALTER TABLE ONLY cmbs_store.universe_member
    ADD CONSTRAINT universe_member_hypothesis_id_pk PRIMARY KEY (universe_digest, hypothesis_id) INCLUDE (hypothesis_rank);

ALTER TABLE ONLY cmbs_store.universe
    ADD CONSTRAINT universe_universe_digest_pk PRIMARY KEY (universe_digest);

ALTER TABLE ONLY cmbs_store.webhook_message
    ADD CONSTRAINT webhook_message_message_id_pk PRIMARY KEY (session_id, message_id);

ALTER TABLE ONLY cmbs_store.webhook
    ADD CONSTRAINT webhook_webhook_no_pk PRIMARY KEY (tenant, webhook_no);

CREATE INDEX api_token_created_at_idx ON cmbs_store.api_token USING btree (tenant, created_at, token_id);

CREATE INDEX api_token_principal_idx ON cmbs_store.api_token USING btree (name, tenant);

CREATE UNIQUE INDEX api_token_token_id_key ON cmbs_store.api_token USING btree (token_id);

CREATE UNIQUE INDEX audit_event_observation_key ON cmbs_store.audit_event USING btree (session_id, source_id, observation_id) WHERE (source_id IS NOT NULL);

CREATE UNIQUE INDEX audit_event_request_key ON cmbs_store.audit_event USING btree (session_id, request_id) WHERE (request_id IS NOT NULL);

CREATE UNIQUE INDEX capability_token_secret_hash_key ON cmbs_store.capability_token USING btree (session_id, secret_hash);

CREATE INDEX claim_key_idx ON cmbs_store.claim USING btree (session_id, key, seq);

CREATE INDEX claim_promotes_idx ON cmbs_store.claim USING btree (session_id, promotes) WHERE (promotes IS NOT NULL);

CREATE INDEX context_universe_digest_idx ON cmbs_store.context USING btree (universe_digest);

CREATE INDEX elimination_claimant_actor_idx ON cmbs_store.elimination_claimant USING btree (session_id, actor) WHERE (other_seq IS NULL);

CREATE INDEX hypothesis_space_universe_digest_idx ON cmbs_store.hypothesis_space USING btree (universe_digest);

CREATE INDEX interrupt_seq_idx ON cmbs_store.interrupt USING btree (session_id, seq);

CREATE INDEX json_schema_schema_hash_idx ON cmbs_store.json_schema USING btree (schema_hash);

CREATE INDEX open_item_all_idx ON cmbs_store.open_item USING btree (kind, due_at, session_id, item_id);

CREATE INDEX open_item_due_at_idx ON cmbs_store.open_item USING btree (kind, due_at, session_id, item_id) WHERE is_open;

CREATE INDEX open_item_session_id_idx ON cmbs_store.open_item USING btree (session_id, kind, due_at) WHERE is_open;

CREATE INDEX open_item_tenant_idx ON cmbs_store.open_item USING btree (tenant, kind, due_at, session_id, item_id) WHERE is_open;

CREATE INDEX permit_seq_idx ON cmbs_store.permit USING btree (session_id, seq);

CREATE INDEX permit_tool_id_idx ON cmbs_store.permit USING btree (session_id, tool_id, seq);

CREATE INDEX policy_entry_subject_idx ON cmbs_store.policy_entry USING btree (policy_hash, subject) WHERE (subject IS NOT NULL);

CREATE INDEX policy_version_policy_hash_idx ON cmbs_store.policy_version USING btree (policy_hash);

CREATE UNIQUE INDEX principal_login_key ON cmbs_store.principal USING btree (name) WHERE is_login;

CREATE INDEX principal_tenant_idx ON cmbs_store.principal USING btree (tenant, name);

CREATE INDEX proposal_idempotency_key_idx ON cmbs_store.proposal USING btree (session_id, actor, idempotency_key, seq) WHERE (idempotency_key IS NOT NULL);

CREATE INDEX session_declared_at_idx ON cmbs_store.session USING btree (declared_at, session_id);

CREATE INDEX session_space_idx ON cmbs_store.session USING btree (tenant, hypothesis_space_id, declared_at, session_id);

CREATE INDEX session_tenant_idx ON cmbs_store.session USING btree (tenant, declared_at, session_id);

CREATE INDEX session_terminated_idx ON cmbs_store.session USING btree (tenant, is_terminated, declared_at, session_id);

CREATE INDEX session_universe_digest_idx ON cmbs_store.session USING btree (universe_digest);

CREATE INDEX tool_registration_tool_hash_idx ON cmbs_store.tool_registration USING btree (tool_hash);

CREATE INDEX webhook_message_next_at_idx ON cmbs_store.webhook_message USING btree (next_at) WHERE (state = 'pending'::text);

CREATE TRIGGER api_token_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.api_token FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.api_token ENABLE ALWAYS TRIGGER api_token_append_only;

CREATE TRIGGER api_token_use_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.api_token_use FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.api_token_use ENABLE ALWAYS TRIGGER api_token_use_append_only;

CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.audit_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.audit_event ENABLE ALWAYS TRIGGER audit_event_append_only;

CREATE TRIGGER capability_revocation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.capability_revocation FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.capability_revocation ENABLE ALWAYS TRIGGER capability_revocation_append_only;

CREATE TRIGGER capability_spending_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.capability_spending FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.capability_spending ENABLE ALWAYS TRIGGER capability_spending_append_only;

CREATE TRIGGER capability_token_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.capability_token FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.capability_token ENABLE ALWAYS TRIGGER capability_token_append_only;

CREATE TRIGGER claim_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.claim FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.claim ENABLE ALWAYS TRIGGER claim_append_only;

CREATE TRIGGER claim_confirmation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.claim_confirmation FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.claim_confirmation ENABLE ALWAYS TRIGGER claim_confirmation_append_only;

CREATE TRIGGER conclusion_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.conclusion FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.conclusion ENABLE ALWAYS TRIGGER conclusion_append_only;

CREATE TRIGGER context_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.context FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.context ENABLE ALWAYS TRIGGER context_append_only;

CREATE TRIGGER context_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.context_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.context_event ENABLE ALWAYS TRIGGER context_event_append_only;

CREATE TRIGGER context_hypothesis_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.context_hypothesis FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.context_hypothesis ENABLE ALWAYS TRIGGER context_hypothesis_append_only;

CREATE TRIGGER context_tenant_fixed BEFORE UPDATE OF tenant ON cmbs_store.context FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.context ENABLE ALWAYS TRIGGER context_tenant_fixed;

CREATE TRIGGER context_tombstone_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.context_tombstone FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.context_tombstone ENABLE ALWAYS TRIGGER context_tombstone_append_only;

CREATE TRIGGER context_universe_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.context_universe FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.context_universe ENABLE ALWAYS TRIGGER context_universe_append_only;

CREATE TRIGGER deferral_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.deferral FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.deferral ENABLE ALWAYS TRIGGER deferral_append_only;

CREATE TRIGGER elimination_claimant_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.elimination_claimant FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.elimination_claimant ENABLE ALWAYS TRIGGER elimination_claimant_append_only;

CREATE TRIGGER elimination_count_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.elimination_count FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.elimination_count ENABLE ALWAYS TRIGGER elimination_count_append_only;

CREATE TRIGGER hypothesis_space_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.hypothesis_space FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.hypothesis_space ENABLE ALWAYS TRIGGER hypothesis_space_append_only;

CREATE TRIGGER identity_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.identity_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.identity_event ENABLE ALWAYS TRIGGER identity_event_append_only;

CREATE TRIGGER identity_head_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.identity_head FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.identity_head ENABLE ALWAYS TRIGGER identity_head_append_only;

CREATE TRIGGER interrupt_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.interrupt FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.interrupt ENABLE ALWAYS TRIGGER interrupt_append_only;

CREATE TRIGGER interrupt_resolution_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.interrupt_resolution FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.interrupt_resolution ENABLE ALWAYS TRIGGER interrupt_resolution_append_only;

CREATE TRIGGER interrupt_use_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.interrupt_use FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.interrupt_use ENABLE ALWAYS TRIGGER interrupt_use_append_only;

CREATE TRIGGER json_schema_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.json_schema FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.json_schema ENABLE ALWAYS TRIGGER json_schema_append_only;

CREATE TRIGGER obligation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.obligation FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.obligation ENABLE ALWAYS TRIGGER obligation_append_only;

CREATE TRIGGER obligation_end_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.obligation_end FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.obligation_end ENABLE ALWAYS TRIGGER obligation_end_append_only;

CREATE TRIGGER open_item_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.open_item FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.open_item ENABLE ALWAYS TRIGGER open_item_append_only;

CREATE TRIGGER permit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.permit FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.permit ENABLE ALWAYS TRIGGER permit_append_only;

CREATE TRIGGER permit_begin_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.permit_begin FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.permit_begin ENABLE ALWAYS TRIGGER permit_begin_append_only;

CREATE TRIGGER permit_end_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.permit_end FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.permit_end ENABLE ALWAYS TRIGGER permit_end_append_only;

CREATE TRIGGER policy_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.policy ENABLE ALWAYS TRIGGER policy_append_only;

CREATE TRIGGER policy_default_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_default FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.policy_default ENABLE ALWAYS TRIGGER policy_default_append_only;

CREATE TRIGGER policy_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_entry FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.policy_entry ENABLE ALWAYS TRIGGER policy_entry_append_only;

CREATE TRIGGER policy_halt_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_halt FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.policy_halt ENABLE ALWAYS TRIGGER policy_halt_append_only;

CREATE TRIGGER policy_pin_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_pin FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.policy_pin ENABLE ALWAYS TRIGGER policy_pin_append_only;

CREATE TRIGGER policy_version_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_version FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.policy_version ENABLE ALWAYS TRIGGER policy_version_append_only;

CREATE TRIGGER principal_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.principal FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.principal ENABLE ALWAYS TRIGGER principal_append_only;

CREATE TRIGGER proposal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.proposal FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.proposal ENABLE ALWAYS TRIGGER proposal_append_only;

CREATE TRIGGER reason_code_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.reason_code FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.reason_code ENABLE ALWAYS TRIGGER reason_code_append_only;

CREATE TRIGGER schema_document_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.schema_document FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.schema_document ENABLE ALWAYS TRIGGER schema_document_append_only;

CREATE TRIGGER session_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.session FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.session ENABLE ALWAYS TRIGGER session_append_only;

CREATE TRIGGER session_mask_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.session_mask FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.session_mask ENABLE ALWAYS TRIGGER session_mask_append_only;

CREATE TRIGGER session_mode_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.session_mode FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.session_mode ENABLE ALWAYS TRIGGER session_mode_append_only;

CREATE TRIGGER session_tenant_fixed BEFORE UPDATE OF tenant ON cmbs_store.session FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.session ENABLE ALWAYS TRIGGER session_tenant_fixed;

CREATE TRIGGER shadow_pin_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.shadow_pin FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.shadow_pin ENABLE ALWAYS TRIGGER shadow_pin_append_only;

CREATE TRIGGER state_checkpoint_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.state_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.state_checkpoint ENABLE ALWAYS TRIGGER state_checkpoint_append_only;

CREATE TRIGGER state_delta_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.state_delta FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.state_delta ENABLE ALWAYS TRIGGER state_delta_append_only;

CREATE TRIGGER state_value_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.state_value FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.state_value ENABLE ALWAYS TRIGGER state_value_append_only;

CREATE TRIGGER tombstone_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.tombstone FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.tombstone ENABLE ALWAYS TRIGGER tombstone_append_only;

CREATE TRIGGER tool_definition_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.tool_definition FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.tool_definition ENABLE ALWAYS TRIGGER tool_definition_append_only;

CREATE TRIGGER tool_registration_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.tool_registration FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.tool_registration ENABLE ALWAYS TRIGGER tool_registration_append_only;

CREATE TRIGGER universe_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.universe FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.universe ENABLE ALWAYS TRIGGER universe_append_only;

CREATE TRIGGER universe_member_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.universe_member FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.universe_member ENABLE ALWAYS TRIGGER universe_member_append_only;

CREATE TRIGGER webhook_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.webhook FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.webhook ENABLE ALWAYS TRIGGER webhook_append_only;

CREATE TRIGGER webhook_message_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.webhook_message FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.webhook_message ENABLE ALWAYS TRIGGER webhook_message_append_only;

ALTER TABLE ONLY cmbs_store.api_token
    ADD CONSTRAINT api_token_principal_fk FOREIGN KEY (name, tenant) REFERENCES cmbs_store.principal(name, tenant);

ALTER TABLE ONLY cmbs_store.context
    ADD CONSTRAINT context_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.context_universe(universe_digest);

ALTER TABLE ONLY cmbs_store.hypothesis_space
    ADD CONSTRAINT hypothesis_space_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.universe(universe_digest);

ALTER TABLE ONLY cmbs_store.json_schema
    ADD CONSTRAINT json_schema_schema_hash_fk FOREIGN KEY (schema_hash) REFERENCES cmbs_store.schema_document(schema_hash);

ALTER TABLE ONLY cmbs_store.policy_version
    ADD CONSTRAINT policy_version_policy_hash_fk FOREIGN KEY (policy_hash) REFERENCES cmbs_store.policy(policy_hash);

ALTER TABLE ONLY cmbs_store.session
    ADD CONSTRAINT session_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.universe(universe_digest);

ALTER TABLE ONLY cmbs_store.tool_registration
    ADD CONSTRAINT tool_registration_tool_hash_fk FOREIGN KEY (tool_hash) REFERENCES cmbs_store.tool_definition(tool_hash);

GRANT USAGE ON SCHEMA cmbs TO cmbs_kernel;
GRANT USAGE ON SCHEMA cmbs TO cmbs_agent;
GRANT USAGE ON SCHEMA cmbs TO cmbs_policy;
GRANT USAGE ON SCHEMA cmbs TO cmbs_auditor;
GRANT USAGE ON SCHEMA cmbs TO cmbs_analyst;
GRANT USAGE ON SCHEMA cmbs TO cmbs_admin;
GRANT USAGE ON SCHEMA cmbs TO cmbs_server;

GRANT USAGE ON SCHEMA cmbs_store TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.policy_entry TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs.add_analyst(p_name text, p_verifier text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.audit_identities(p_since_seq bigint, p_limit integer, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.audit_identities(p_since_seq bigint, p_limit integer, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.audit_identities(p_since_seq bigint, p_limit integer, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.audit_identities(p_since_seq bigint, p_limit integer, p_tenant text, p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.audit_identities(p_since_seq bigint, p_limit integer, p_tenant text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.begin_execution(p_session_id uuid, p_permit_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.begin_execution(p_session_id uuid, p_permit_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.begin_execution(p_session_id uuid, p_permit_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.claim_confirm(p_session_id uuid, p_key text, p_value_digest text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.claim_confirm(p_session_id uuid, p_key text, p_value_digest text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.claim_confirm(p_session_id uuid, p_key text, p_value_digest text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.claim_confirm(p_session_id uuid, p_key text, p_value_digest text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.claim_promote(p_session_id uuid, p_claim_id uuid, p_evidence json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.claim_promote(p_session_id uuid, p_claim_id uuid, p_evidence json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.claim_promote(p_session_id uuid, p_claim_id uuid, p_evidence json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.claim_record(p_session_id uuid, p_claim json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.claim_record(p_session_id uuid, p_claim json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.claim_record(p_session_id uuid, p_claim json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.complete_execution(p_session_id uuid, p_permit_id uuid, p_outcome text, p_result json, p_usage json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.complete_execution(p_session_id uuid, p_permit_id uuid, p_outcome text, p_result json, p_usage json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.complete_execution(p_session_id uuid, p_permit_id uuid, p_outcome text, p_result json, p_usage json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.context_eliminated(p_context_id text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.context_eliminated(p_context_id text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.context_eliminated(p_context_id text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.context_survivors(p_context_id text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.context_survivors(p_context_id text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.context_survivors(p_context_id text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.create_context(p_context_id text, p_hypotheses text[], p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.create_context(p_context_id text, p_hypotheses text[], p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[], p_tenant text, p_is_login boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[], p_tenant text, p_is_login boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[], p_tenant text, p_is_login boolean, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[], p_tenant text, p_is_login boolean, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_tenant text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.declare_conclusion(p_session_id uuid, p_conclusion_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.declare_conclusion(p_session_id uuid, p_conclusion_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.declare_conclusion(p_session_id uuid, p_conclusion_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_arbitration json, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_arbitration json, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_arbitration json, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_arbitration json, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.eliminate(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_justification json, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.eliminate(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_justification json, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.eliminate(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_justification json, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.eliminate_batch(p_session_id uuid, p_messages json, p_expected_head uuid, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.eliminate_batch(p_session_id uuid, p_messages json, p_expected_head uuid, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.eliminate_batch(p_session_id uuid, p_messages json, p_expected_head uuid, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.eliminate_in_context(p_context_id text, p_eliminated text[], p_source_id text, p_trigger text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.eliminate_in_context(p_context_id text, p_eliminated text[], p_source_id text, p_trigger text, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.enter_obligation(p_session_id uuid, p_obligation_id text, p_min_total_eliminations bigint, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.enter_obligation(p_session_id uuid, p_obligation_id text, p_min_total_eliminations bigint, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.enter_obligation(p_session_id uuid, p_obligation_id text, p_min_total_eliminations bigint, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text, p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text, p_limit integer, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text, p_limit integer, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text, p_limit integer, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text, p_limit integer, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.identify(p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_analyst;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.import_content(p_kind text, p_content text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.import_content(p_kind text, p_content text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json, p_tenant text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.interrupt_resolve(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.interrupt_resolve(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.interrupt_resolve(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.interrupt_resolve(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.list_analysts() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_claims(p_session_id uuid, p_key text, p_history boolean, p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_claims(p_session_id uuid, p_key text, p_history boolean, p_limit integer, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_claims(p_session_id uuid, p_key text, p_history boolean, p_limit integer, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_claims(p_session_id uuid, p_key text, p_history boolean, p_limit integer, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_claims(p_session_id uuid, p_key text, p_history boolean, p_limit integer, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer, p_before bigint, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_due(p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_due(p_limit integer, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_due(p_limit integer, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_due(p_limit integer, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.list_inbox(p_status text, p_limit integer, p_cursor text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_inbox(p_status text, p_limit integer, p_cursor text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_inbox(p_status text, p_limit integer, p_cursor text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_inbox(p_status text, p_limit integer, p_cursor text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_inbox(p_status text, p_limit integer, p_cursor text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_permits(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_permits(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_permits(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_permits(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_permits(p_session_id uuid, p_status text, p_limit integer, p_before bigint, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_policies(p_pack text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_policies(p_pack text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_policies(p_pack text, p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_policies(p_pack text, p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_policies(p_pack text, p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer, p_before bigint, p_decision text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer, p_before bigint, p_decision text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer, p_before bigint, p_decision text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer, p_before bigint, p_decision text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer, p_before bigint, p_decision text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_schemas(p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_schemas(p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_schemas(p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_schemas(p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_schemas(p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_sessions(p_limit integer, p_cursor text, p_terminated boolean, p_hypothesis_space_id text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_sessions(p_limit integer, p_cursor text, p_terminated boolean, p_hypothesis_space_id text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_sessions(p_limit integer, p_cursor text, p_terminated boolean, p_hypothesis_space_id text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_sessions(p_limit integer, p_cursor text, p_terminated boolean, p_hypothesis_space_id text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_sessions(p_limit integer, p_cursor text, p_terminated boolean, p_hypothesis_space_id text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_tokens(p_name text, p_limit integer, p_after uuid, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_tokens(p_name text, p_limit integer, p_after uuid, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_tokens(p_name text, p_limit integer, p_after uuid, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.list_tokens(p_name text, p_limit integer, p_after uuid, p_tenant text, p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.list_tokens(p_name text, p_limit integer, p_after uuid, p_tenant text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.list_tools(p_tool_id text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_tools(p_tool_id text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_tools(p_tool_id text, p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_tools(p_tool_id text, p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_tools(p_tool_id text, p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.policy_apply(p_session_id uuid, p_pack text, p_version integer, p_shadow json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.policy_apply(p_session_id uuid, p_pack text, p_version integer, p_shadow json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.policy_apply(p_session_id uuid, p_pack text, p_version integer, p_shadow json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text, p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text, p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text, p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.policy_halt(p_is_halted boolean, p_reason text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.policy_halt(p_is_halted boolean, p_reason text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.policy_halt(p_is_halted boolean, p_reason text, p_tenant text, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.policy_lint(p_pack text, p_version integer, p_entries json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.policy_lint(p_pack text, p_version integer, p_entries json, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.policy_lint(p_pack text, p_version integer, p_entries json, p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.policy_lint(p_pack text, p_version integer, p_entries json, p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.policy_lint(p_pack text, p_version integer, p_entries json, p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.policy_publish(p_pack text, p_entries json, p_fixtures json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.policy_publish(p_pack text, p_entries json, p_fixtures json, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.policy_publish(p_pack text, p_entries json, p_fixtures json, p_tenant text, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer, p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer, p_limit integer, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer, p_limit integer, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer, p_limit integer, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer, p_limit integer, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.policy_test(p_pack text, p_version integer, p_fixtures json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.policy_test(p_pack text, p_version integer, p_fixtures json, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.policy_test(p_pack text, p_version integer, p_fixtures json, p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.policy_test(p_pack text, p_version integer, p_fixtures json, p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.policy_test(p_pack text, p_version integer, p_fixtures json, p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.propose(p_session_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.propose(p_session_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.propose(p_session_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.read_policy(p_pack text, p_version integer, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.read_policy(p_pack text, p_version integer, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.read_policy(p_pack text, p_version integer, p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.read_policy(p_pack text, p_version integer, p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.read_policy(p_pack text, p_version integer, p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.recover_context(p_context_id text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.recover_context(p_context_id text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.recover_context(p_context_id text, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.register_space(p_hypothesis_space_id text, p_hypothesis_version text, p_hypotheses text[], p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.register_space(p_hypothesis_space_id text, p_hypothesis_version text, p_hypotheses text[], p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.register_space(p_hypothesis_space_id text, p_hypothesis_version text, p_hypotheses text[], p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.remove_analyst(p_name text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs.request_exit(p_session_id uuid, p_obligation_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.request_exit(p_session_id uuid, p_obligation_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.request_exit(p_session_id uuid, p_obligation_id text, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.request_termination(p_session_id uuid, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.request_termination(p_session_id uuid, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.request_termination(p_session_id uuid, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.resume(p_session_id uuid, p_proposal_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.resume(p_session_id uuid, p_proposal_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.resume(p_session_id uuid, p_proposal_id uuid, p_proposal json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;

REVOKE ALL ON FUNCTION cmbs.revision(p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.revision(p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.revision(p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.revision(p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.revision(p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.revision(p_credential bytea) TO cmbs_analyst;
GRANT ALL ON FUNCTION cmbs.revision(p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.revision(p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.schema_register(p_schema_id text, p_document json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.schema_register(p_schema_id text, p_document json, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.schema_register(p_schema_id text, p_document json, p_tenant text, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.set_mode(p_session_id uuid, p_mode text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.set_mode(p_session_id uuid, p_mode text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.set_mode(p_session_id uuid, p_mode text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.set_webhook(p_url text, p_secret text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.set_webhook(p_url text, p_secret text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.set_webhook(p_url text, p_secret text, p_tenant text, p_credential bytea) TO cmbs_admin;

REVOKE ALL ON FUNCTION cmbs.settle_webhook(p_session_id uuid, p_message_id uuid, p_error text, p_is_gone boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.settle_webhook(p_session_id uuid, p_message_id uuid, p_error text, p_is_gone boolean, p_credential bytea) TO cmbs_server;

REVOKE ALL ON FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid, p_include_policy boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid, p_include_policy boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid, p_include_policy boolean, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid, p_include_policy boolean, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid, p_include_policy boolean, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.take_webhooks(p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.take_webhooks(p_limit integer, p_credential bytea) TO cmbs_server;

REVOKE ALL ON FUNCTION cmbs.tenant(p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_analyst;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.token_attenuate(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.token_attenuate(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.token_attenuate(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.token_attenuate(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.token_issue(p_session_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.token_issue(p_session_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.token_issue(p_session_id uuid, p_grant json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.token_revoke(p_session_id uuid, p_token_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.token_revoke(p_session_id uuid, p_token_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.token_revoke(p_session_id uuid, p_token_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.token_revoke(p_session_id uuid, p_token_id uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.tool_register(p_tool_id text, p_definition json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.tool_register(p_tool_id text, p_definition json, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.tool_register(p_tool_id text, p_definition json, p_tenant text, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.tool_withdraw(p_tool_id text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.tool_withdraw(p_tool_id text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.tool_withdraw(p_tool_id text, p_tenant text, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea) TO cmbs_analyst;

REVOKE ALL ON FUNCTION cmbs.verify_all(p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.verify_all(p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.verify_all(p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.verify_all(p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.verify_all(p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.verify_all(p_credential bytea) TO cmbs_analyst;

REVOKE ALL ON FUNCTION cmbs.verify_identities(p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.verify_identities(p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.verify_identities(p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.verify_identities(p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.verify_identities(p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.waive_obligation(p_session_id uuid, p_obligation_id text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.waive_obligation(p_session_id uuid, p_obligation_id text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.waive_obligation(p_session_id uuid, p_obligation_id text, p_reason text, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text, p_without_observation text, p_limit integer, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text, p_without_observation text, p_limit integer, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text, p_without_observation text, p_limit integer, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text, p_without_observation text, p_limit integer, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text, p_without_observation text, p_limit integer, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea) TO cmbs_auditor;

GRANT SELECT,INSERT ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(audit_seq) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(audit_head_event_id) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(audit_head_hash) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(audit_head_at) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(survivors_hash) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(n_survivors) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(is_terminated) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(mask) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(obligation_seq) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(obligation_id) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(obligation_minimum) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(obligation_survivors) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(conclusion_id) ON TABLE cmbs_store.session TO cmbs_kernel;

GRANT UPDATE(conclusion_run) ON TABLE cmbs_store.session TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.accepted_conclusion(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.active_obligation(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.altered_content(p_session_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.announce(p_session cmbs_store.session, p_event text, p_interrupt_ids uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.announce_questions(p_session cmbs_store.session, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.answer_fault(p_state cmbs_store.session, p_actor text, p_payload jsonb, p_at timestamp with time zone) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.interrupt TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.answered_outcome(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_resolution text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.answered_proposal(p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.append_declare(p_session cmbs_store.session, p_actor text, p_notes text, p_metadata text, p_arbitration jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.append_event(p_session cmbs_store.session, p_before_hash bytea, p_verb text, p_actor text, p_source_id text, p_observation_id text, p_request_id text, p_notes text, p_payload text, p_eliminated text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.append_events(p_session cmbs_store.session, p_actor text, p_batch jsonb, p_event_ids uuid[], p_applied text[], p_hashes bytea[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.append_identity(p_tenant text, p_verb text, p_actor text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.apply_verdict(p_session cmbs_store.session, p_actor text, p_policy_hash bytea, p_recorded jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.approvals_asked(p_payload jsonb, p_item_nos jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.approvals_of(p_payload jsonb, p_item_no integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.arbitration_fault(p_session cmbs_store.session, p_known_policies bytea[], OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.arbitration_rows(p_session_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.are_verbs(p_names text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.asked_eliminations(p_session cmbs_store.session, p_after bigint, p_until bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.asked_items(p_given jsonb, p_verdict jsonb) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.capability_token TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.attenuation_fault(p_session cmbs_store.session, p_parent cmbs_store.capability_token, p_grant jsonb, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.authority_reasons(p_item_no integer, p_item jsonb, p_roles text[]) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.principal TO cmbs_kernel;

GRANT UPDATE(roles) ON TABLE cmbs_store.principal TO cmbs_kernel;

GRANT UPDATE(source_prefixes) ON TABLE cmbs_store.principal TO cmbs_kernel;

GRANT UPDATE(is_enabled) ON TABLE cmbs_store.principal TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.authorize(p_credential bytea, p_verb text, p_roles text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.authorize_upkeep(p_credential bytea, p_verb text, p_roles text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.awaited_keys(p_verdict jsonb, p_ground cmbs_store.ground) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_firsts(p_session_id uuid, p_batch jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_identity(p_message jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_ids(p_universe_digest bytea, p_batch jsonb, p_firsts integer[], OUT p_numbers integer[], OUT p_ids text[], OUT p_ranks integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_outcomes(p_session cmbs_store.session, p_expected_head uuid, p_batch jsonb, p_firsts integer[], p_numbers integer[], p_ids text[], p_ranks integer[], INOUT p_mask bytea, OUT p_seqs bigint[], OUT p_event_ids uuid[], OUT p_applied text[], OUT p_hashes bytea[], OUT p_answers text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_repeat(p_session_id uuid, p_batch jsonb, p_index integer, p_first integer, p_answers text[]) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.permit TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.begin_verdict(p_session cmbs_store.session, p_permit cmbs_store.permit, p_origin jsonb, p_given jsonb, p_recorded jsonb, OUT p_code text, OUT p_detail jsonb, OUT p_basis jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.begun_outcome(p_permit cmbs_store.permit, p_origin jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.belief_values(p_session cmbs_store.session, p_actor text, p_keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.budget_left(p_session cmbs_store.session, p_chain uuid[], p_unit text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.budget_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_items jsonb, p_settings jsonb, p_mode jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.capability(p_session cmbs_store.session, p_token_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.chain_fault(p_session_id uuid, OUT p_rows bigint, OUT p_seq bigint, OUT p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_active(p_session cmbs_store.session, p_obligation_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_answer(p_resolution text, p_comment text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_batch(p_session_id uuid, p_messages json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_batch_message(p_session_id uuid, p_message json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_batch_sources(p_caller cmbs_store.principal, p_batch jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_beginner(p_session cmbs_store.session, p_caller cmbs_store.principal, p_permit cmbs_store.permit) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_context_id(p_member text, p_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_context_ids(p_member text, p_ids text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_elimination(p_source_id text, p_observation_id text, p_eliminated text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_envelope(p_session_id uuid, p_request_id text, p_notes text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_executor(p_caller cmbs_store.principal, p_permit cmbs_store.permit) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_force(p_caller cmbs_store.principal, p_policy jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_holder(p_caller cmbs_store.principal, p_token cmbs_store.capability_token) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_id(p_member text, p_id text, p_max_bytes integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_ids(p_member text, p_ids text[], p_max_count integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_interrupt_status(p_status text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_known(p_eliminated text[], p_found text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_label(p_member text, p_label text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_limit(p_limit integer, p_max integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_members(p_member text, p_object jsonb, p_known text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_name(p_caller cmbs_store.principal, p_name text, p_tenant text, p_is_login boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_namesake(p_caller cmbs_store.principal) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_open(p_session cmbs_store.session, p_expected_head uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_rights(p_roles text[], p_source_prefixes text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_scope(p_credential bytea, p_verbs text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_source(p_caller cmbs_store.principal, p_source_id text, p_index bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_tenant(p_caller cmbs_store.principal, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_token(p_digest bytea, p_prefix text, p_verbs text[], p_expires_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_units(p_session cmbs_store.session, p_permit cmbs_store.permit, p_usage jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_version_named(p_member text, p_sent jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_writable() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_arbitration(p_arbitration json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_batch(p_session_id uuid, p_messages json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_call(p_member text, p_item jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_claim(p_claim json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_completion(p_permit_id uuid, p_outcome text, p_result json, p_usage json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_delta(p_member text, p_item jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_fixtures(p_fixtures json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_grant(p_grant json, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_items(p_items jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_proposal(p_proposal jsonb, p_request_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_resume(p_sent jsonb, p_request_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_schema(p_member text, p_document json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_shadow(p_shadow json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.checked_tool(p_definition json, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.cites_confirmation(p_session cmbs_store.session, p_claim jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.claim_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.claim_reasons(p_claim jsonb, p_kind text, p_is_confirmed boolean, p_settings jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.claim_row(p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.clause_fault(p_op text, p_args jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.clause_text(p_clause jsonb, p_world jsonb, p_schemas jsonb, p_want boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.clear_bits(p_mask bytea, p_ids text[], p_ranks integer[], OUT p_cleared_mask bytea, OUT p_cleared_ids text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.clear_chunks(p_session_id uuid, p_ids text[], p_ranks integer[], OUT p_cleared_ids text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.clock() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.completion_fault(p_state cmbs_store.session, p_actor text, p_permit cmbs_store.permit, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.conclusion_left(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.condition_facts(p_condition jsonb, p_depth integer, OUT p_fault text, OUT p_reads text[], OUT p_schemas text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.conflict_reasons(p_session cmbs_store.session, p_items jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.conforms(p_schema jsonb, p_value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.constraint_fault(p_key text, p_value text) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.policy TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.constraint_reasons(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_waived text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.constraints_against(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_items jsonb, p_definitions jsonb, p_world jsonb, p_schemas jsonb, p_waived jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.constraints_on(p_policy_hash bytea, p_subjects text[]) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.context TO cmbs_kernel;

GRANT UPDATE(n_events) ON TABLE cmbs_store.context TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.context_gone_ids(p_context cmbs_store.context) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.context_hypothesis_ids(p_context cmbs_store.context) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.cooldown_end(p_session cmbs_store.session, p_tool_id text, p_settings jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.count_claimants(p_session cmbs_store.session) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.policy_pin TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.decide(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.decide_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_approved boolean, OUT p_reason text, OUT p_error text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.decide_twice(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.decided_anew(p_session cmbs_store.session, p_permit cmbs_store.permit, p_token cmbs_store.capability_token, p_items jsonb, p_given jsonb, p_recorded jsonb, OUT p_reasons cmbs_store.reason[], OUT p_basis jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.decision(p_approved boolean, p_reason text, p_error text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.declared_session(p_session_id uuid, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.declared_universe(p_tenant text, p_ontology jsonb, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.deferral_json(p_session cmbs_store.session, p_deferral_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.deferral_of(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_ground cmbs_store.ground, p_settings jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.derived_id(p_session cmbs_store.session, p_given jsonb, p_of text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.digest_v1(p_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.digest_v1(p_text text) TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.deferral TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.due_deferral(p_session cmbs_store.session, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.eliminate_message(p_session_id uuid, p_caller cmbs_store.principal, p_source_id text, p_observation_id text, p_eliminated text[], p_justification text, p_expected_head uuid, p_notes text, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.eliminated_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.elimination_json(p_session_id uuid, p_seq bigint, p_n_eliminated bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.elimination_outcome(p_applied text, p_ignored text[], p_event_id uuid, p_duplicate boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.eliminations(p_session_id uuid, p_seq bigint, p_limit integer) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.api_token TO cmbs_kernel;

GRANT UPDATE(revoked_at) ON TABLE cmbs_store.api_token TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.end_token(p_caller cmbs_store.principal, p_token cmbs_store.api_token) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.ensure_context_universe(p_hypotheses text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.ensure_universe(p_member text, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.entropy(p_n integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.entry_faults(p_entries jsonb, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.evaluate(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.evaluate_claim(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.event_at(p_session cmbs_store.session, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.event_hash_v1(p_record text) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.event_hash_v1(p_record text) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.event_id(p_random uuid, p_seq bigint) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.audit_event TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.event_json(p_event cmbs_store.audit_event) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.event_payload(p_session_id uuid, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.event_seq(p_event_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.execution_rows(p_session_id uuid, p_actor text, p_verb text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.execution_stored(p_session_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.expired_permits(p_session cmbs_store.session, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.explained_condition(p_condition jsonb, p_world jsonb, p_schemas jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.explained_constraint(p_entry cmbs_store.policy_entry, p_world jsonb, p_documents jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.explained_items(p_session cmbs_store.session, p_actor text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.f_sparse_at(p_session_id uuid, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.find_capability(p_session_id uuid, p_secret text) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.policy_version TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.find_policy(p_tenant text, p_pack text, p_version integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.find_principal(p_name text, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.find_token(p_caller cmbs_store.principal, p_token_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.fixture_results(p_policy_hash bytea, p_fixtures jsonb, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.fixture_verdict(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_documents jsonb, p_fixture jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.flips_without(p_session cmbs_store.session, p_without_source text, p_without_observation text, p_seqs bigint[], p_limit integer, OUT p_state cmbs_store.session, OUT p_ended_seq bigint, OUT p_n_refused bigint, OUT p_n_gates bigint, OUT p_n_flips bigint, OUT p_flips text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.found_shadow(p_tenant text, p_shadow jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.free_object(p_member text, p_object json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.gate_row(p_before cmbs_store.session, p_after cmbs_store.session, p_verb text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.gate_rows(p_session_id uuid, OUT gate_row text, OUT seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.given(p_session cmbs_store.session, p_caller cmbs_store.principal) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.given_for(p_session cmbs_store.session, p_actor text, p_roles jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.given_of(p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.goal_reasons(p_session cmbs_store.session, p_items jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.ground(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_items jsonb, p_recorded jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.halt_reasons(p_given jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.halted(p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.has_superseded(p_session cmbs_store.session, p_payload jsonb, p_item_no integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.holds(p_condition jsonb, p_world jsonb, p_schemas jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.home(p_caller cmbs_store.principal) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.idempotency_reasons(p_session cmbs_store.session, p_actor text, p_proposal jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.identity_fault(p_tenant text, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.identity_misplaced(p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.identity_payload(p_record text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.timestamp_v1(p_at timestamp with time zone) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.timestamp_v1(p_at timestamp with time zone) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.identity_record_v1(p_tenant text, p_seq bigint, p_at timestamp with time zone, p_verb text, p_actor text, p_payload text, p_previous bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.identity_record_v1(p_tenant text, p_seq bigint, p_at timestamp with time zone, p_verb text, p_actor text, p_payload text, p_previous bytea) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.identity_state_faults(p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.ids_without(p_ids text[], p_without text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.import_gates(p_session cmbs_store.session, p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.import_log(p_session cmbs_store.session, p_records text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.import_session(p_session_id uuid, p_tenant text, p_records text, p_policy_as_sent text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.import_tombstones(INOUT p_session cmbs_store.session, OUT p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.inbox_cursor(p_cursor text, OUT p_due_at timestamp with time zone, OUT p_session_id uuid, OUT p_item_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.independent_survivors(p_session cmbs_store.session, p_actor text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.insert_events(p_events cmbs_store.audit_event[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.interrupt_json(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.interrupt_of(p_session cmbs_store.session, p_interrupt_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.interrupt_state(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.invariant_reasons(p_entries cmbs_store.policy_entry[], p_world jsonb, p_schemas jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_arbitration(p_verb text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_arbitration_payload(p_verb text, p_shape jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_confirmed(p_session cmbs_store.session, p_claim jsonb, p_settings jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_deferred(p_given jsonb, p_verdict jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_due(p_deferral cmbs_store.deferral, p_seq bigint, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_execution(p_verb text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_execution_payload(p_verb text, p_shape jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_free_object(p_object jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_id(p_id text, p_max_bytes integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_in_roots(p_resource text, p_roots text[], p_is_path boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_left_out(p_source_id text, p_observation_id text, p_without_source text, p_without_observation text) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.claim TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.is_live(p_claim cmbs_store.claim, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_mask(p_session cmbs_store.session, p_mask bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_obligation_changed(p_session_id uuid, p_after bigint, p_until bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_of_this_transaction(p_xmin xid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_path(p_path text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_payload(p_verb text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_pin(p_pin jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_plain_batch(p_session_id uuid, p_messages json, p_batch jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_plain_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_notes text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_policy_whole(p_policy_hash bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_same_action(p_payload jsonb, p_resumes jsonb, p_items jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_second_version(p_shape jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_superseded(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_unchanged(p_session cmbs_store.session, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_universe(p_universe_digest bytea, p_n_hypotheses integer, p_known_universe bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.issue_capability(p_session cmbs_store.session, p_caller cmbs_store.principal, p_parent cmbs_store.capability_token, p_grant jsonb, p_request_id text, p_notes text, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.item_reasons(p_items jsonb, p_given jsonb, p_token cmbs_store.capability_token, p_policy cmbs_store.policy, p_ground cmbs_store.ground) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.keeps_limits(p_verb text, p_record jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.keys_around(p_session_id uuid, p_seq bigint, p_key text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.keys_of_clause(p_op text, p_args jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.limit_fault(p_value jsonb, p_member text, p_from bigint, p_to bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.limit_reasons(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_settings jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.live_values(p_session_id uuid, p_seq bigint, p_from text, p_below text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.lock_identities(p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.lock_session(p_session_id uuid, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.lock_token(p_caller cmbs_store.principal, p_token_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.login_itself() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.lower_mode(p_settings jsonb, p_mode text, p_effect_class text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.max_attempts(p_settings jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.merged_patch(p_items jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.misclaimed(p_session_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.miscounted(p_session_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.misnoted(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.missing_allow(p_settings jsonb, p_unmet cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_is_waivable boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.missing_constraints(p_entries jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.mode_in_force(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.mode_setting(p_settings jsonb, p_mode text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.modes() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.n_colons(p_json text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.nearest(p_condition jsonb, p_world jsonb, p_schemas jsonb, p_want boolean, OUT p_n_failing integer, OUT p_detail text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.new_policy_version(p_tenant text, p_pack text, p_policy_hash bytea, p_fixtures text, p_by text, OUT p_version integer, OUT p_is_new boolean) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.policy_default TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.new_session(p_session_id uuid, p_tenant text, p_ontology jsonb, p_universe_digest bytea, p_n_hypotheses integer, p_policy cmbs_store.policy_default, p_policy_as_sent text, p_declared_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.new_token(p_caller cmbs_store.principal, p_principal cmbs_store.principal, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_replaces uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.normal_row(p_relation text, p_content jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.note_closed(p_session_id uuid, p_kind text, p_ids uuid[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.note_open(p_session_id uuid, p_kind text, p_rows jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.obligation_left(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.offer(p_verdict jsonb, p_item jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_ground cmbs_store.ground) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.offered_rows(p_actor text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.ontology_bundle(p_ontology json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.operand(p_world jsonb, p_operand jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.orphans(p_session_id uuid, p_without_source text, p_without_observation text, OUT p_ids text[], OUT p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.page_limit(p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.parsed_entry(p_policy_hash bytea, p_key text, p_value text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.patch_reasons(p_item_no integer, p_patch jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.payload_fault(p_verb text, p_record jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.permit_fault(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.permit_json(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.permit_of(p_session cmbs_store.session, p_permit_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.permit_state(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.permitted(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.permitted_tool(p_session cmbs_store.session, p_caller cmbs_store.principal, p_given jsonb, p_tool_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.policy(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.policy_entries(p_policy_hash bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.policy_in_force(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.policy_reasons(p_policy cmbs_store.policy) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.policy_values(p_policy_hash bytea, p_keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.policy_warnings(p_entries jsonb, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.post_state(p_world jsonb, p_items jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.prefix_reasons(p_session cmbs_store.session, p_items jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.prev_event_hash(p_record text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.principal_json(p_principal cmbs_store.principal) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.project_deltas(p_session_id uuid, p_seq bigint, p_deltas jsonb, p_values jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.project_event(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.project_execution(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.project_offers(p_session_id uuid, p_rows jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.project_spending(p_session_id uuid, p_rows jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.project_token(p_session_id uuid, p_row jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.projection(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.promotion_reasons(p_session cmbs_store.session, p_claim jsonb, p_promotes uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.proposal_digest(p_proposal jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.proposal_fault(p_state cmbs_store.session, p_actor text, p_given jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.proposal_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.proposal_reasons(p_session cmbs_store.session, p_actor text, p_given jsonb, p_policy cmbs_store.policy, p_token cmbs_store.capability_token, p_ground cmbs_store.ground) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.proposal_rows(p_session_id uuid, p_actor text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.question(p_verdict jsonb, p_item jsonb, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.questions(p_items jsonb, p_definitions jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.random_id() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.ranks(p_universe_digest bytea, p_ids text[], OUT p_found text[], OUT p_ranks integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.read_context(p_context_id text, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.read_event(p_session_id uuid, p_event_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.read_session(p_session_id uuid, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.readable_value(p_value text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.record_claim(p_session cmbs_store.session, p_caller cmbs_store.principal, p_claim jsonb, p_promotes uuid, p_request_id text, p_notes text, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.record_fault(p_event cmbs_store.audit_event, p_record jsonb, p_before cmbs_store.session, p_after cmbs_store.session, p_delta text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.record_proposal(INOUT p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, OUT p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.recorded_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_content jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_claim(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_completion(p_session cmbs_store.session, p_permit cmbs_store.permit, p_content jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text, p_arbitration jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_issue(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_message(p_session_id uuid, p_request_id text, p_verb text, p_content jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_proposal(p_session_id uuid, p_actor text, p_proposal jsonb, OUT p_payload jsonb, OUT p_event_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_resume(p_session cmbs_store.session, p_request_id text, p_actor text, p_seq bigint, p_items jsonb, OUT p_payload jsonb, OUT p_event_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refusal_of_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_batch(p_state text, p_text text, p_detail text, p_hint text, p_index integer, p_recorded bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_caller(p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_context(p_context_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_credential(p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_execution(p_code text, p_detail jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_import(p_session_id uuid, p_seq bigint, p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_lookup(p_kind text, p_detail json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_name(p_name text, p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_request(p_member text, p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_role(p_caller cmbs_store.principal, p_verb text, p_roles text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_session(p_session_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_size(p_member text, p_limit text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_space(p_hypothesis_space_id text, p_hypothesis_version text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_unknown(p_number integer, p_numbers integer[], p_ids text[], p_ranks integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.registered_tool(p_tenant text, p_tool_id text, p_tool_hash bytea, p_by text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.remaining_reasons(p_session cmbs_store.session, p_items jsonb, p_verdict jsonb, p_ground cmbs_store.ground) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.removed_without(p_session_id uuid, p_without_source text, p_without_observation text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.repeated_elimination(p_event_id uuid, p_source_id text, p_observation_id text, p_sent jsonb, p_applied jsonb, p_eliminated text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay(p_session cmbs_store.session, p_until bigint, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_ids text[], OUT p_id_seqs bigint[], OUT p_rows text[], OUT p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_arbitration(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_declare(p_session cmbs_store.session, p_record jsonb, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_fault text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_elimination(INOUT p_state cmbs_store.session, p_payload jsonb, OUT p_delta text[], OUT p_fault text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_execution(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_fault text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_verdict(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.resolution_json(p_interrupt cmbs_store.interrupt) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.resolve_policy(p_tenant text, p_policy jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.resolved(p_world jsonb, p_path text, OUT p_value jsonb, OUT p_is_known boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.resource_reasons(p_roots text[], p_item_no integer, p_item jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.response(p_outcome text, p_session cmbs_store.session, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.resume_given(p_session cmbs_store.session, p_caller cmbs_store.principal, p_asked cmbs_store.audit_event, p_items jsonb, p_sent jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.resumed_proposal(p_session cmbs_store.session, p_proposal jsonb, p_item_nos jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.resumption(p_session cmbs_store.session, p_seq bigint, p_payload jsonb, p_at timestamp with time zone, OUT p_resumes jsonb, OUT p_code text, OUT p_interrupt_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.retry_deferred(INOUT p_session cmbs_store.session, p_by text, p_at timestamp with time zone, OUT p_n_tries integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.retry_given(p_session cmbs_store.session, p_payload jsonb, p_by text, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.returning_without(p_session cmbs_store.session, p_ended_seq bigint, p_ids text[], p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.s_core_at(p_session_id uuid, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.save_batch(p_session cmbs_store.session, p_mask bytea, p_ids text[], p_ranks integer[], p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.save_chunk(p_session_id uuid, p_chunk_no integer, p_chunk bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.save_session(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.scheduler_reasons(p_session cmbs_store.session, p_items jsonb, p_definitions jsonb, p_settings jsonb, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.scheduler_setting_fault(p_key text, p_value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_apply(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_at_ref(p_root jsonb, p_ref jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_children(p_schema jsonb, OUT place text, OUT child jsonb, OUT is_in_place boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_documents(p_schemas jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_fault(p_schema jsonb, p_instance jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_keyword_fault(p_schema jsonb, p_is_root boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_keywords() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_limit_fault(p_schema jsonb, p_value jsonb, p_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_lists_names(p_value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_malformed(p_document jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_pattern_fault(p_pattern jsonb, p_text text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_pointer(p_ref jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_ref_fault(p_places text[], p_schemas jsonb[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_regex(p_pattern text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_regex_fault(p_pattern text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_target(p_world jsonb, p_target text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_types() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_value_fault(p_schema jsonb, p_value jsonb, p_type text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schema_walk(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.schemas_named(p_tenant text, p_schema_ids text[], p_recorded jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.scope_reasons(p_token cmbs_store.capability_token, p_item_no integer, p_item jsonb, p_definition jsonb, p_is_approved boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.sent_entries(p_entries json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.session_as_of(p_session cmbs_store.session, p_event_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.session_before(p_session cmbs_store.session, p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.session_reasons(p_session cmbs_store.session, p_snapshot_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.set_ranks(p_mask bytea, p_ranks integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.setting_fault(p_key text, p_value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.severity(p_disposition text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.shape(p_object jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.shown_value(p_value jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.snapshot(p_session cmbs_store.session, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.sorted_set(p_list text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.spending_rows(p_session_id uuid, p_token_id uuid, p_amounts jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.standing(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.standing_at(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.standing_roles(p_tenant text, p_name text, p_roles jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.starter_pack(p_pack text, p_version integer, p_entries jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.state_fault(p_session cmbs_store.session, p_state cmbs_store.session, p_ids text[], p_id_seqs bigint[], p_rows text[], p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.steps_without(p_session_id uuid, p_without_source text, p_without_observation text, p_seqs bigint[], OUT seq bigint, OUT verb text, OUT event_id uuid, OUT payload jsonb, OUT n_eliminated bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.store_policy(p_entries jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.stored_values(p_session_id uuid, p_seq bigint, p_keys text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.strangers(p_declared text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.strangers(p_declared text[]) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs_store.subject_of(p_key text, p_value text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.survivors(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.survivors_hash(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.survivors_then(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.sweep_fault(p_state cmbs_store.session, p_payload jsonb, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.termination_left(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.termination_reason(p_has_obligation boolean, p_n_survivors integer, p_is_stable boolean, p_force boolean, p_force_allowed boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.text_list(p_member text, p_list jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.text_member(p_object jsonb, p_member text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.time_member(p_object jsonb, p_member text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.together_reasons(p_session cmbs_store.session, p_items jsonb, p_ground cmbs_store.ground) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.token_holder(p_credential bytea, p_verb text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.token_json(p_token cmbs_store.api_token) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.token_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_is_shown boolean, p_actor text, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.tool_definitions(p_tools jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.tool_reasons(p_item_no integer, p_item jsonb, p_tool jsonb, p_definition jsonb, p_schemas jsonb, p_has_key boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.tools_named(p_tenant text, p_items jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.trace_start(p_session_id uuid, p_tenant text, p_since_event_id uuid, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.universe_ids(p_universe_digest bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.value_fault(p_value text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.verdict(p_items jsonb, p_reasons cmbs_store.reason[], p_is_atomic boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.verdict_alone(p_verdict jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.verdict_json(p_verdict jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.verdict_of(p_reasons cmbs_store.reason[], p_item_no integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, p_known_policies bytea[], OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.waived(p_given jsonb) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.webhook TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.webhook_in_force(p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.whole_mask(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.why_denied(p_entry cmbs_store.policy_entry, p_world jsonb, p_schemas jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.why_gone(p_session cmbs_store.session, p_hypothesis_id text, OUT p_answer text, OUT p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.with_offers(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb, p_ground cmbs_store.ground) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.with_request_id(p_payload jsonb, p_request_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.without_obligation(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.world(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_keys text[], OUT p_world jsonb, OUT p_reads jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.world_of_call(p_world jsonb, p_item jsonb) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.api_token_use TO cmbs_kernel;

GRANT UPDATE(used_at) ON TABLE cmbs_store.api_token_use TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.api_token TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.api_token TO cmbs_admin;

GRANT SELECT,INSERT ON TABLE cmbs_store.interrupt_resolution TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.approval_latency TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.approval_latency TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.approval_latency TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.schema_document TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.tool_definition TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.arbitration_content TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.arbitration_content TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.arbitration_content TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.capability_revocation TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.capability_spending TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.capability_budget TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.capability_budget TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.capability_budget TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.chain_head TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.chain_head TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.chain_head TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.tombstone TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.claim TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.claim TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.claim TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.conclusion TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.conclusion TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.conclusion TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.conclusion TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.constraint_hit TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.constraint_hit TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.constraint_hit TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.context_event TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.context_tombstone TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.decision TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.decision TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.decision TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.decision_item TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.decision_item TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.decision_item TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.deferral TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.deferral TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.deferral TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.denial TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.denial TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.denial TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.elimination TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.elimination TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.elimination TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.identity_event TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.identity_event TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.identity_event TO cmbs_admin;

GRANT SELECT,INSERT ON TABLE cmbs_store.interrupt_use TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.interrupt TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.interrupt TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.interrupt TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.obligation TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.obligation_end TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.obligation TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.obligation TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.obligation TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.permit_begin TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.permit_end TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.permit TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.permit TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.permit TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.principal TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.principal TO cmbs_admin;

GRANT SELECT ON TABLE cmbs_store.reason_code TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.reason_code TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.reason_code TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.reason_code TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.recorded_claim TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.recorded_claim TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.recorded_claim TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.session TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.session TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.session TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.session_mode TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.session_mode TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.session_mode TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.session_mode TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.shadow_divergence TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.shadow_divergence TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.shadow_divergence TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.state_delta TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.state_value TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.state_change TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.state_change TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.state_change TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.universe_member TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.survivor TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.survivor TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.survivor TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.survivors_over_time TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.survivors_over_time TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.survivors_over_time TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.universe_member TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.universe_member TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.universe_member TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.unmatched_constraint TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.unmatched_constraint TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.unmatched_constraint TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.webhook_message TO cmbs_kernel;

GRANT UPDATE(state) ON TABLE cmbs_store.webhook_message TO cmbs_kernel;

GRANT UPDATE(n_attempts) ON TABLE cmbs_store.webhook_message TO cmbs_kernel;

GRANT UPDATE(next_at) ON TABLE cmbs_store.webhook_message TO cmbs_kernel;

GRANT UPDATE(last_error) ON TABLE cmbs_store.webhook_message TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.webhook_message TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.webhook_message TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.webhook_message TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.claim_confirmation TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.context_hypothesis TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.context_universe TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.elimination_claimant TO cmbs_kernel;

GRANT UPDATE(other_seq) ON TABLE cmbs_store.elimination_claimant TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.elimination_count TO cmbs_kernel;

GRANT UPDATE(counted_seq) ON TABLE cmbs_store.elimination_count TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.hypothesis_space TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.identity_head TO cmbs_kernel;

GRANT UPDATE(seq) ON TABLE cmbs_store.identity_head TO cmbs_kernel;

GRANT UPDATE(event_hash) ON TABLE cmbs_store.identity_head TO cmbs_kernel;

GRANT UPDATE(recorded_at) ON TABLE cmbs_store.identity_head TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.json_schema TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.open_item TO cmbs_kernel;

GRANT UPDATE(due_at) ON TABLE cmbs_store.open_item TO cmbs_kernel;

GRANT UPDATE(is_open) ON TABLE cmbs_store.open_item TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.policy_halt TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.proposal TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs_store.revision TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.session_mask TO cmbs_kernel;

GRANT UPDATE(chunk) ON TABLE cmbs_store.session_mask TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.shadow_pin TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.state_checkpoint TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.tool_registration TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.universe TO cmbs_kernel;

-- PostgreSQL database dump complete

-- cmbs_admin: login f
-- cmbs_agent: login f
-- cmbs_analyst: login f
-- cmbs_auditor: login f
-- cmbs_kernel: login f
-- cmbs_owner: login f
-- cmbs_policy: login f
-- cmbs_server: login t
-- cmbs_server: statement_timeout=30s, lock_timeout=10s, idle_in_transaction_session_timeout=10s
-- default 1: f, f, 0 by cmbs
-- revision 0008
