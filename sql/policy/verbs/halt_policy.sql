-- cmbs.halt_policy
--
-- Switches the kill switch of a tenant on or off: while it is on, every proposal and claim in all
-- of its sessions is denied, whatever their policy. Whoever sees every tenant may switch that of
-- all (*).
--
-- Promises   every change is kept, with who made it and why.
-- Locks      nothing that others wait for.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.halt_policy(
    p_is_halted boolean,
    p_reason text,
    p_tenant text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'halt_policy', '{policy}');
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

grant execute on function cmbs.halt_policy to cmbs_server, cmbs_policy;
