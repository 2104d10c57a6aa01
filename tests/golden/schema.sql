-- PostgreSQL database dump

CREATE SCHEMA cmbs;

ALTER SCHEMA cmbs OWNER TO cmbs_owner;

CREATE SCHEMA cmbs_store;

ALTER SCHEMA cmbs_store OWNER TO cmbs_owner;

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

CREATE FUNCTION cmbs.change_principal(p_name text, p_roles text[] DEFAULT NULL::text[], p_source_prefixes text[] DEFAULT NULL::text[], p_is_enabled boolean DEFAULT NULL::boolean, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.context_eliminated(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[] DEFAULT NULL::text[], p_metadata json DEFAULT NULL::json, p_policy json DEFAULT NULL::json, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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
                v_session, v_ontology, v_universe.p_universe_digest, v_metadata, v_policy_as_sent
            ),
            v_session, p_minimal
        );
    end if;
    v_session := cmbs_store.append_event(
        v_session,
        cmbs_store.survivors_hash_v1(
            v_session.universe_digest, cmbs_store.mask_v1(v_session.n_hypotheses, false)
        ),
        'DECLARE_SESSION', v_caller.name, null, null, null, p_notes,
        format(
            '{"policy": %s, %s"ontology": %s, "n_hypotheses": %s, "universe_digest": "%s"}',
            cmbs_store.policy(v_session), '"metadata": ' || v_metadata || ', ', v_session.ontology,
            v_session.n_hypotheses, encode(v_session.universe_digest, 'hex')
        ),
        '[]'
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

ALTER FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_credential bytea) IS 'Start a session from a set of hypotheses. Raises MB004, MB102, MB201, MB203.';

CREATE FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.identify(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json DEFAULT NULL::json, p_tenant text DEFAULT 'default'::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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
    if v_session.is_terminated then
        perform cmbs_store.refuse_import(
            p_session_id, v_session.audit_seq + 1, 'the session is terminated'
        );
    end if;
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
    if v_gates.is_terminated and v_gates.audit_seq < v_last.seq
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
    return json_build_object(
        'audit_seq', v_last.seq, 'audit_head_hash', encode(v_last.event_hash, 'hex')
    );
end
$$;

ALTER FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json, p_tenant text, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json, p_tenant text, p_credential bytea) IS 'Take over a part of a log from another database; for operators. Raises MB001, MB102, MB201, MB203.';

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

CREATE FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.list_principals(p_limit integer DEFAULT 50, p_after text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.list_sessions(p_limit integer DEFAULT 50, p_cursor text DEFAULT NULL::text, p_terminated boolean DEFAULT NULL::boolean, p_hypothesis_space_id text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid DEFAULT NULL::uuid, p_minimal boolean DEFAULT false, p_as_of_time timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.read_principal(p_name text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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
    v_outcome := cmbs_store.outcome(v_content, v_session.audit_head_event_id, false);
    return cmbs_store.response(v_outcome, v_session, p_minimal);
end
$$;

ALTER FUNCTION cmbs.request_termination(p_session_id uuid, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs.request_termination(p_session_id uuid, p_context json, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean, p_credential bytea) IS 'Ask to end the session; approved or denied, the answer is audited. Raises MB001, MB101, MB102, MB103, MB201, MB203.';

CREATE FUNCTION cmbs.revision(p_credential bytea DEFAULT NULL::bytea) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.tenant(p_credential bytea DEFAULT NULL::bytea) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER PARALLEL SAFE
    SET search_path TO 'pg_catalog', 'pg_temp'
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

CREATE FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER
    SET search_path TO 'pg_catalog', 'pg_temp'
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
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
    v_result := cmbs_store.verify_session(p_session_id, null);
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
    SET plan_cache_mode TO 'force_generic_plan'
    SET enable_seqscan TO 'off'
    AS $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'verify_all', null);
    v_listed record;
    v_known_universe bytea;
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
        v_found := cmbs_store.verify_session(v_listed.session_id, v_known_universe);
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

CREATE FUNCTION cmbs_store.event_seq(p_event_id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE
    AS $$ select ('x' || right(p_event_id::text, 12))::bit(48)::bigint $$;

ALTER FUNCTION cmbs_store.event_seq(p_event_id uuid) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.event_seq(p_event_id uuid) IS 'The seq that an event id carries in its low 48 bits.';

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
        order by e.seq
        limit p_limit
    ) as g
$$;

ALTER FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) IS 'What was asked of the gates in a stretch of the log, as JSON text.';

CREATE FUNCTION cmbs_store.home(p_caller cmbs_store.principal) RETURNS text
    LANGUAGE sql IMMUTABLE
    AS $$ select case when p_caller.tenant = '*' then 'default' else p_caller.tenant end $$;

ALTER FUNCTION cmbs_store.home(p_caller cmbs_store.principal) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.home(p_caller cmbs_store.principal) IS 'The tenant that what a caller makes belongs to.';

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
    if p_verb = 'DECLARE_SESSION' then
        return v_shape || '{"metadata": "object"}' = '{
                "metadata": "object", "n_hypotheses": "number", "ontology": "object",
                "policy": "object", "universe_digest": "string"
            }'
            and coalesce(v_shape ->> 'metadata', 'object') = 'object'
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

CREATE FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE
    RETURN CASE WHEN (NOT p_alive) THEN decode(repeat('00'::text, ((p_n_bits + 7) / 8)), 'hex'::text) WHEN ((p_n_bits % 8) = 0) THEN decode(repeat('ff'::text, (p_n_bits / 8)), 'hex'::text) ELSE decode((repeat('ff'::text, (p_n_bits / 8)) || lpad(to_hex(((1 << (p_n_bits % 8)) - 1)), 2, '0'::text)), 'hex'::text) END;

ALTER FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) IS 'A mask of n bits, all set or all clear.';

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
            where m.key in ('approved', 'accepted', 'reason')
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

CREATE FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    RETURN format('{"v": 1, "ts": "%s", "seq": %s, "verb": "%s", "actor": %s, "delta": {"eliminated": %s}%s, "payload": %s, "event_id": "%s", "session_id": "%s", "prev_event_hash": "%s", "survivors_after_hash": "%s", "survivors_before_hash": "%s"}'::text, cmbs_store.timestamp_v1(p_at), p_seq, p_verb, to_json(p_actor), p_eliminated, (', "notes": '::text || (to_json(p_notes))::text), p_payload, p_event_id, p_session_id, encode(p_previous, 'hex'::text), encode(p_after, 'hex'::text), encode(p_before, 'hex'::text));

ALTER FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) OWNER TO cmbs_owner;

COMMENT ON FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) IS 'The canonical text of one event.';

CREATE FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text) RETURNS text
    LANGUAGE plpgsql STABLE
    AS $$
declare
    v_event_id uuid;
    v_metadata text;
begin
    select e.event_id, e.record::jsonb -> 'payload' ->> 'metadata'
    into strict v_event_id, v_metadata
    from cmbs_store.audit_event as e
    where e.session_id = p_session.session_id and e.seq = 1;
    if p_session.ontology <> p_ontology::text
        or p_session.universe_digest is distinct from p_universe_digest
        or p_session.policy_as_sent is distinct from p_policy_as_sent
        or v_metadata is distinct from p_metadata
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

ALTER FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text) IS 'The recorded outcome of a repeated declare. Raises MB102.';

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
        elsif v_before.is_terminated then
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

CREATE FUNCTION cmbs_store.shape(p_object jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE
    AS $$
    select jsonb_object_agg(m.key, jsonb_typeof(m.value))
    from jsonb_each(p_object) as m (key, value)
$$;

ALTER FUNCTION cmbs_store.shape(p_object jsonb) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.shape(p_object jsonb) IS 'The members of an object with their types for values.';

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

CREATE FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) RETURNS record
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
end
$$;

ALTER FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) OWNER TO cmbs_kernel;

COMMENT ON FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) IS 'Verify one session: chain, replay, stored state.';

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

ALTER TABLE ONLY cmbs_store.hypothesis_space
    ADD CONSTRAINT hypothesis_space_id_version_pk PRIMARY KEY (tenant, hypothesis_space_id, hypothesis_version);

ALTER TABLE ONLY cmbs_store.identity_event
    ADD CONSTRAINT identity_event_seq_pk PRIMARY KEY (tenant, seq);

ALTER TABLE ONLY cmbs_store.identity_head
    ADD CONSTRAINT identity_head_tenant_pk PRIMARY KEY (tenant);

ALTER TABLE ONLY cmbs_store.obligation_end
    ADD CONSTRAINT obligation_end_entered_seq_pk PRIMARY KEY (session_id, entered_seq);

ALTER TABLE ONLY cmbs_store.obligation
    ADD CONSTRAINT obligation_entered_seq_pk PRIMARY KEY (session_id, entered_seq);

ALTER TABLE ONLY cmbs_store.policy_default
    ADD CONSTRAINT policy_default_default_no_pk PRIMARY KEY (tenant, default_no);

ALTER TABLE ONLY cmbs_store.principal
    ADD CONSTRAINT principal_name_pk PRIMARY KEY (name, tenant);

ALTER TABLE ONLY cmbs_store.revision
    ADD CONSTRAINT revision_pkc PRIMARY KEY (version_num);

ALTER TABLE ONLY cmbs_store.session_mask
    ADD CONSTRAINT session_mask_chunk_no_pk PRIMARY KEY (session_id, chunk_no);

ALTER TABLE ONLY cmbs_store.session
    ADD CONSTRAINT session_session_id_pk PRIMARY KEY (session_id);

ALTER TABLE ONLY cmbs_store.tombstone
    ADD CONSTRAINT tombstone_hypothesis_id_pk PRIMARY KEY (session_id, hypothesis_id);

ALTER TABLE ONLY cmbs_store.universe_member
    ADD CONSTRAINT universe_member_hypothesis_id_pk PRIMARY KEY (universe_digest, hypothesis_id) INCLUDE (hypothesis_rank);

ALTER TABLE ONLY cmbs_store.universe
    ADD CONSTRAINT universe_universe_digest_pk PRIMARY KEY (universe_digest);

CREATE INDEX api_token_created_at_idx ON cmbs_store.api_token USING btree (tenant, created_at, token_id);

CREATE INDEX api_token_principal_idx ON cmbs_store.api_token USING btree (name, tenant);

CREATE UNIQUE INDEX api_token_token_id_key ON cmbs_store.api_token USING btree (token_id);

CREATE UNIQUE INDEX audit_event_observation_key ON cmbs_store.audit_event USING btree (session_id, source_id, observation_id) WHERE (source_id IS NOT NULL);

CREATE UNIQUE INDEX audit_event_request_key ON cmbs_store.audit_event USING btree (session_id, request_id) WHERE (request_id IS NOT NULL);

CREATE INDEX context_universe_digest_idx ON cmbs_store.context USING btree (universe_digest);

CREATE INDEX hypothesis_space_universe_digest_idx ON cmbs_store.hypothesis_space USING btree (universe_digest);

CREATE UNIQUE INDEX principal_login_key ON cmbs_store.principal USING btree (name) WHERE is_login;

CREATE INDEX principal_tenant_idx ON cmbs_store.principal USING btree (tenant, name);

CREATE INDEX session_declared_at_idx ON cmbs_store.session USING btree (declared_at, session_id);

CREATE INDEX session_space_idx ON cmbs_store.session USING btree (tenant, hypothesis_space_id, declared_at, session_id);

CREATE INDEX session_tenant_idx ON cmbs_store.session USING btree (tenant, declared_at, session_id);

CREATE INDEX session_terminated_idx ON cmbs_store.session USING btree (tenant, is_terminated, declared_at, session_id);

CREATE INDEX session_universe_digest_idx ON cmbs_store.session USING btree (universe_digest);

CREATE TRIGGER api_token_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.api_token FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.api_token ENABLE ALWAYS TRIGGER api_token_append_only;

CREATE TRIGGER api_token_use_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.api_token_use FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.api_token_use ENABLE ALWAYS TRIGGER api_token_use_append_only;

CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.audit_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.audit_event ENABLE ALWAYS TRIGGER audit_event_append_only;

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

CREATE TRIGGER hypothesis_space_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.hypothesis_space FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.hypothesis_space ENABLE ALWAYS TRIGGER hypothesis_space_append_only;

CREATE TRIGGER identity_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.identity_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.identity_event ENABLE ALWAYS TRIGGER identity_event_append_only;

CREATE TRIGGER identity_head_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.identity_head FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.identity_head ENABLE ALWAYS TRIGGER identity_head_append_only;

CREATE TRIGGER obligation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.obligation FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.obligation ENABLE ALWAYS TRIGGER obligation_append_only;

CREATE TRIGGER obligation_end_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.obligation_end FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.obligation_end ENABLE ALWAYS TRIGGER obligation_end_append_only;

CREATE TRIGGER policy_default_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_default FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.policy_default ENABLE ALWAYS TRIGGER policy_default_append_only;

CREATE TRIGGER principal_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.principal FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.principal ENABLE ALWAYS TRIGGER principal_append_only;

CREATE TRIGGER session_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.session FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.session ENABLE ALWAYS TRIGGER session_append_only;

CREATE TRIGGER session_mask_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.session_mask FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.session_mask ENABLE ALWAYS TRIGGER session_mask_append_only;

CREATE TRIGGER session_tenant_fixed BEFORE UPDATE OF tenant ON cmbs_store.session FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.session ENABLE ALWAYS TRIGGER session_tenant_fixed;

CREATE TRIGGER tombstone_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.tombstone FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.tombstone ENABLE ALWAYS TRIGGER tombstone_append_only;

CREATE TRIGGER universe_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.universe FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.universe ENABLE ALWAYS TRIGGER universe_append_only;

CREATE TRIGGER universe_member_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.universe_member FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();

ALTER TABLE cmbs_store.universe_member ENABLE ALWAYS TRIGGER universe_member_append_only;

ALTER TABLE ONLY cmbs_store.api_token
    ADD CONSTRAINT api_token_principal_fk FOREIGN KEY (name, tenant) REFERENCES cmbs_store.principal(name, tenant);

ALTER TABLE ONLY cmbs_store.context
    ADD CONSTRAINT context_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.context_universe(universe_digest);

ALTER TABLE ONLY cmbs_store.hypothesis_space
    ADD CONSTRAINT hypothesis_space_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.universe(universe_digest);

ALTER TABLE ONLY cmbs_store.session
    ADD CONSTRAINT session_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.universe(universe_digest);

GRANT USAGE ON SCHEMA cmbs TO cmbs_kernel;
GRANT USAGE ON SCHEMA cmbs TO cmbs_agent;
GRANT USAGE ON SCHEMA cmbs TO cmbs_policy;
GRANT USAGE ON SCHEMA cmbs TO cmbs_auditor;
GRANT USAGE ON SCHEMA cmbs TO cmbs_analyst;
GRANT USAGE ON SCHEMA cmbs TO cmbs_admin;
GRANT USAGE ON SCHEMA cmbs TO cmbs_server;

GRANT USAGE ON SCHEMA cmbs_store TO cmbs_kernel;

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

REVOKE ALL ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.change_principal(p_name text, p_roles text[], p_source_prefixes text[], p_is_enabled boolean, p_tenant text, p_credential bytea) TO cmbs_owner;

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

REVOKE ALL ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[], p_metadata json, p_policy json, p_notes text, p_minimal boolean, p_credential bytea) TO cmbs_policy;

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

REVOKE ALL ON FUNCTION cmbs.identify(p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_analyst;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.identify(p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json, p_tenant text, p_credential bytea) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs.list_analysts() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.list_principals(p_limit integer, p_after text, p_tenant text, p_credential bytea) TO cmbs_owner;

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

REVOKE ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid, p_minimal boolean, p_as_of_time timestamp with time zone, p_credential bytea) TO cmbs_auditor;

REVOKE ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.read_principal(p_name text, p_tenant text, p_credential bytea) TO cmbs_owner;

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

REVOKE ALL ON FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text, p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text, p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text, p_credential bytea) TO cmbs_policy;

REVOKE ALL ON FUNCTION cmbs.tenant(p_credential bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_server;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_agent;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_policy;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_auditor;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_analyst;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_admin;
GRANT ALL ON FUNCTION cmbs.tenant(p_credential bytea) TO cmbs_owner;

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

REVOKE ALL ON FUNCTION cmbs_store.active_obligation(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.append_event(p_session cmbs_store.session, p_before_hash bytea, p_verb text, p_actor text, p_source_id text, p_observation_id text, p_request_id text, p_notes text, p_payload text, p_eliminated text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.append_events(p_session cmbs_store.session, p_actor text, p_batch jsonb, p_event_ids uuid[], p_applied text[], p_hashes bytea[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.append_identity(p_tenant text, p_verb text, p_actor text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.are_verbs(p_names text[]) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.principal TO cmbs_kernel;

GRANT UPDATE(roles) ON TABLE cmbs_store.principal TO cmbs_kernel;

GRANT UPDATE(source_prefixes) ON TABLE cmbs_store.principal TO cmbs_kernel;

GRANT UPDATE(is_enabled) ON TABLE cmbs_store.principal TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.authorize(p_credential bytea, p_verb text, p_roles text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_firsts(p_session_id uuid, p_batch jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_identity(p_message jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_ids(p_universe_digest bytea, p_batch jsonb, p_firsts integer[], OUT p_numbers integer[], OUT p_ids text[], OUT p_ranks integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_outcomes(p_session cmbs_store.session, p_expected_head uuid, p_batch jsonb, p_firsts integer[], p_numbers integer[], p_ids text[], p_ranks integer[], INOUT p_mask bytea, OUT p_seqs bigint[], OUT p_event_ids uuid[], OUT p_applied text[], OUT p_hashes bytea[], OUT p_answers text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.batch_repeat(p_session_id uuid, p_batch jsonb, p_index integer, p_first integer, p_answers text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.chain_fault(p_session_id uuid, OUT p_rows bigint, OUT p_seq bigint, OUT p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_active(p_session cmbs_store.session, p_obligation_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_batch(p_session_id uuid, p_messages json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_batch_message(p_session_id uuid, p_message json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_batch_sources(p_caller cmbs_store.principal, p_batch jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_context_id(p_member text, p_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_context_ids(p_member text, p_ids text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_elimination(p_source_id text, p_observation_id text, p_eliminated text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_envelope(p_session_id uuid, p_request_id text, p_notes text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_force(p_caller cmbs_store.principal, p_policy jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_id(p_member text, p_id text, p_max_bytes integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.check_ids(p_member text, p_ids text[], p_max_count integer) FROM PUBLIC;

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

REVOKE ALL ON FUNCTION cmbs_store.checked_batch(p_session_id uuid, p_messages json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.clear_bits(p_mask bytea, p_ids text[], p_ranks integer[], OUT p_cleared_mask bytea, OUT p_cleared_ids text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.clear_chunks(p_session_id uuid, p_ids text[], p_ranks integer[], OUT p_cleared_ids text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.clock() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.conclusion_left(p_session cmbs_store.session) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.context TO cmbs_kernel;

GRANT UPDATE(n_events) ON TABLE cmbs_store.context TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.context_gone_ids(p_context cmbs_store.context) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.context_hypothesis_ids(p_context cmbs_store.context) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.decide_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_approved boolean, OUT p_reason text, OUT p_error text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.decision(p_approved boolean, p_reason text, p_error text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.declared_session(p_session_id uuid, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.declared_universe(p_tenant text, p_ontology jsonb, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) FROM PUBLIC;

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

REVOKE ALL ON FUNCTION cmbs_store.event_at(p_session cmbs_store.session, p_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.event_hash_v1(p_record text) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.event_hash_v1(p_record text) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.event_id(p_random uuid, p_seq bigint) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.audit_event TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.event_json(p_event cmbs_store.audit_event) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.event_seq(p_event_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.find_principal(p_name text, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.find_token(p_caller cmbs_store.principal, p_token_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.flips_without(p_session cmbs_store.session, p_without_source text, p_without_observation text, p_seqs bigint[], p_limit integer, OUT p_state cmbs_store.session, OUT p_ended_seq bigint, OUT p_n_refused bigint, OUT p_n_gates bigint, OUT p_n_flips bigint, OUT p_flips text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.free_object(p_member text, p_object json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.gate_row(p_before cmbs_store.session, p_after cmbs_store.session, p_verb text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.gate_rows(p_session_id uuid, OUT gate_row text, OUT seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.home(p_caller cmbs_store.principal) FROM PUBLIC;

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

REVOKE ALL ON FUNCTION cmbs_store.insert_events(p_events cmbs_store.audit_event[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_free_object(p_object jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_id(p_id text, p_max_bytes integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_left_out(p_source_id text, p_observation_id text, p_without_source text, p_without_observation text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_mask(p_session cmbs_store.session, p_mask bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_payload(p_verb text, p_payload jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_plain_batch(p_session_id uuid, p_messages json, p_batch jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_plain_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_notes text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.is_universe(p_universe_digest bytea, p_n_hypotheses integer, p_known_universe bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.keeps_limits(p_verb text, p_record jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.lock_identities(p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.lock_session(p_session_id uuid, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.lock_token(p_caller cmbs_store.principal, p_token_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.login_itself() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.n_colons(p_json text) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.policy_default TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.new_session(p_session_id uuid, p_tenant text, p_ontology jsonb, p_universe_digest bytea, p_n_hypotheses integer, p_policy cmbs_store.policy_default, p_policy_as_sent text, p_declared_at timestamp with time zone) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.new_token(p_caller cmbs_store.principal, p_principal cmbs_store.principal, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_replaces uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.obligation_left(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.ontology_bundle(p_ontology json) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.orphans(p_session_id uuid, p_without_source text, p_without_observation text, OUT p_ids text[], OUT p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.page_limit(p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.payload_fault(p_verb text, p_record jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.policy(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.prev_event_hash(p_record text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.principal_json(p_principal cmbs_store.principal) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.random_id() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.ranks(p_universe_digest bytea, p_ids text[], OUT p_found text[], OUT p_ranks integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.read_context(p_context_id text, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.read_event(p_session_id uuid, p_event_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.read_session(p_session_id uuid, p_tenant text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.record_fault(p_event cmbs_store.audit_event, p_record jsonb, p_before cmbs_store.session, p_after cmbs_store.session, p_delta text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.recorded_message(p_session_id uuid, p_request_id text, p_verb text, p_content jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_batch(p_state text, p_text text, p_detail text, p_hint text, p_index integer, p_recorded bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_caller(p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_change() FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_context(p_context_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_credential(p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_import(p_session_id uuid, p_seq bigint, p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_name(p_name text, p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_request(p_member text, p_problem text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_role(p_caller cmbs_store.principal, p_verb text, p_roles text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_session(p_session_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_size(p_member text, p_limit text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_space(p_hypothesis_space_id text, p_hypothesis_version text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.refuse_unknown(p_number integer, p_numbers integer[], p_ids text[], p_ranks integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.removed_without(p_session_id uuid, p_without_source text, p_without_observation text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.repeated_elimination(p_event_id uuid, p_source_id text, p_observation_id text, p_sent jsonb, p_applied jsonb, p_eliminated text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay(p_session cmbs_store.session, p_until bigint, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_ids text[], OUT p_id_seqs bigint[], OUT p_rows text[], OUT p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_declare(p_session cmbs_store.session, p_record jsonb, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_fault text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_elimination(INOUT p_state cmbs_store.session, p_payload jsonb, OUT p_delta text[], OUT p_fault text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.replay_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_fault text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.resolve_policy(p_tenant text, p_policy jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.response(p_outcome text, p_session cmbs_store.session, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.returning_without(p_session cmbs_store.session, p_ended_seq bigint, p_ids text[], p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.save_batch(p_session cmbs_store.session, p_mask bytea, p_ids text[], p_ranks integer[], p_seqs bigint[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.save_chunk(p_session_id uuid, p_chunk_no integer, p_chunk bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.save_session(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.session_as_of(p_session cmbs_store.session, p_event_id uuid) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.set_ranks(p_mask bytea, p_ranks integer[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.shape(p_object jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.snapshot(p_session cmbs_store.session, p_minimal boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.sorted_set(p_list text[]) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.standing(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.standing_at(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.state_fault(p_session cmbs_store.session, p_state cmbs_store.session, p_ids text[], p_id_seqs bigint[], p_rows text[], p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.steps_without(p_session_id uuid, p_without_source text, p_without_observation text, p_seqs bigint[], OUT seq bigint, OUT verb text, OUT event_id uuid, OUT payload jsonb, OUT n_eliminated bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.strangers(p_declared text[]) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.strangers(p_declared text[]) TO cmbs_owner;

REVOKE ALL ON FUNCTION cmbs_store.survivors(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.survivors_hash(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.termination_left(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.termination_reason(p_has_obligation boolean, p_n_survivors integer, p_is_stable boolean, p_force boolean, p_force_allowed boolean) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.text_member(p_object jsonb, p_member text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.token_holder(p_credential bytea, p_verb text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.token_json(p_token cmbs_store.api_token) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.trace_start(p_session_id uuid, p_tenant text, p_since_event_id uuid, p_limit integer) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) FROM PUBLIC;
GRANT ALL ON FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) TO cmbs_kernel;

REVOKE ALL ON FUNCTION cmbs_store.universe_ids(p_universe_digest bytea) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.whole_mask(p_session cmbs_store.session) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.why_gone(p_session cmbs_store.session, p_hypothesis_id text, OUT p_answer text, OUT p_seq bigint) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.with_request_id(p_payload jsonb, p_request_id text) FROM PUBLIC;

REVOKE ALL ON FUNCTION cmbs_store.without_obligation(p_session cmbs_store.session) FROM PUBLIC;

GRANT SELECT,INSERT ON TABLE cmbs_store.api_token_use TO cmbs_kernel;

GRANT UPDATE(used_at) ON TABLE cmbs_store.api_token_use TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.api_token TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.api_token TO cmbs_admin;

GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_analyst;

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

GRANT SELECT,INSERT ON TABLE cmbs_store.context_event TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.context_tombstone TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.elimination TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.elimination TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.elimination TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_analyst;

GRANT SELECT,INSERT ON TABLE cmbs_store.identity_event TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.identity_event TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.identity_event TO cmbs_admin;

GRANT SELECT,INSERT ON TABLE cmbs_store.obligation TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.obligation_end TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs.obligation TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.obligation TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.obligation TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.principal TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.principal TO cmbs_admin;

GRANT SELECT ON TABLE cmbs.session TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.session TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.session TO cmbs_analyst;

GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_analyst;

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

GRANT SELECT,INSERT ON TABLE cmbs_store.context_hypothesis TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.context_universe TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.hypothesis_space TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.identity_head TO cmbs_kernel;

GRANT UPDATE(seq) ON TABLE cmbs_store.identity_head TO cmbs_kernel;

GRANT UPDATE(event_hash) ON TABLE cmbs_store.identity_head TO cmbs_kernel;

GRANT UPDATE(recorded_at) ON TABLE cmbs_store.identity_head TO cmbs_kernel;

GRANT SELECT ON TABLE cmbs_store.revision TO cmbs_kernel;

GRANT SELECT,INSERT ON TABLE cmbs_store.session_mask TO cmbs_kernel;

GRANT UPDATE(chunk) ON TABLE cmbs_store.session_mask TO cmbs_kernel;

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
-- revision 0006
