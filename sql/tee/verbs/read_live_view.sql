-- cmbs.read_live_view
--
-- What an incident has not ruled out of the graph that it is pinned to (GetLiveView), and of the
-- edges those that lead from what is left to what is left.
--
-- p_limit    as many nodes and edges at most, nodes first; null for all at once
-- p_after    the `next` of the page before; null for the first
-- Promises   never grows, from page to page neither. `next` is null where nothing is left.
-- Locks      nothing.
-- Raises     MB013 INCIDENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.read_live_view(
    p_incident_id text,
    p_limit integer default null,
    p_after text default null,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'read_live_view', null);
    v_incident cmbs_store.incident;
begin
    v_incident := cmbs_store.read_incident_row(p_incident_id, v_caller.tenant);
    if p_limit is not null then
        perform cmbs_store.check_limit(p_limit, 100000);
        return cmbs_store.live_page(v_incident, p_after, p_limit);
    end if;
    return format(
        '{"nodes": %s, "edges": %s, "next": null}',
        cmbs_store.nodes_json(v_incident), cmbs_store.edges_json(v_incident)
    )::json;
end
$$;

grant execute on function cmbs.read_live_view to cmbs_server, cmbs_agent, cmbs_auditor;
