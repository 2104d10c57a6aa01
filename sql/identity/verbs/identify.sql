-- cmbs.identify
--
-- Who calls, and what they may. Notes that the token was used, at most once an hour, and not at all
-- where nothing can be written.
--
-- Promises   the principal as it is at this moment; prefixes are null where any source will do, and
--            is_open says that there is no principal yet, so that a server needs no token.
-- Locks      the row of the token's use, if it is written.
-- Raises     MB301 UNAUTHENTICATED, MB302 FORBIDDEN.

create or replace function cmbs.identify(
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
            when v_token.token_id is not null then cmbs_store.api_token_json(v_token)
        end
    );
end
$$;

grant execute on function cmbs.identify
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor, cmbs_analyst, cmbs_admin, cmbs_owner;
