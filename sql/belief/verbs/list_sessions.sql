-- cmbs.list_sessions
--
-- Sessions, newest first, as snapshots without their survivors.
--
-- Promises   a page at a time: next_cursor is null at the end. Planned for each call, so that a
--            page costs the same wherever it is; two filters at once may read what one lets pass.
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs.list_sessions(
    p_limit integer default 50,
    p_cursor text default null,
    p_terminated boolean default null,
    p_hypothesis_space_id text default null,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_custom_plan
as $$
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
$$;

grant execute on function cmbs.list_sessions to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
