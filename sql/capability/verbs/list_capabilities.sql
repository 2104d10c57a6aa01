-- cmbs.list_capabilities
--
-- The capability tokens of a session in the order in which they were issued, with what is left of
-- their budgets.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.list_capabilities(
    p_session_id uuid,
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'list_capabilities', null
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

grant execute on function cmbs.list_capabilities
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
