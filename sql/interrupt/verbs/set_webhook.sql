-- cmbs.set_webhook
--
-- Lets a URL be told of questions that open and of their answers, or nobody any more. What is told
-- is signed with the secret; what could not be told yet is told to whoever is set then. Only who
-- sees every tenant may do this: the server calls the URL from inside of what may be a closed
-- network.
--
-- p_url      http or https; null: nobody
-- p_secret   at least 24 characters; kept in the database, and never shown
-- p_tenant   whose questions; that of the caller if it is left out, * for all tenants without one
-- Promises   every change is kept, with who made it.
-- Locks      nothing that others wait for.
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.set_webhook(
    p_url text,
    p_secret text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'set_webhook', '{admin}');
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_operator(v_caller);
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
$$;

grant execute on function cmbs.set_webhook to cmbs_server, cmbs_admin;
