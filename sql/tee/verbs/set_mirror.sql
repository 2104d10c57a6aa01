-- cmbs.set_mirror
--
-- Mirrors sessions that are declared from now on to a Tee, or to none any more. Only who sees every
-- tenant may do this.
--
-- p_endpoint   host:port, with https:// before it for TLS; null: none
-- Promises     every change is kept, with who made it.
-- Locks        nothing that others wait for.
-- Raises       MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE, MB302 FORBIDDEN.

create or replace function cmbs.set_mirror(
    p_endpoint text,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'set_mirror', '{admin}');
begin
    perform cmbs_store.check_writable();
    perform cmbs_store.check_operator(v_caller);
    if octet_length(p_endpoint) > 512 then
        perform cmbs_store.refuse_size('endpoint', '512 bytes');
    elsif p_endpoint !~ '^(https?://)?([A-Za-z0-9._-]+|\[[0-9a-fA-F:.]+\]):[0-9]{1,5}$'
        or substring(p_endpoint from '[0-9]+$')::integer not between 1 and 65535
    then
        perform cmbs_store.refuse_request(
            'endpoint', 'must be host:port, with https:// before it for TLS'
        );
    end if;
    loop
        insert into cmbs_store.tee_mirror (mirror_no, endpoint, set_at, set_by)
        select coalesce(max(m.mirror_no), 0) + 1, p_endpoint, cmbs_store.clock(), v_caller.name
        from cmbs_store.tee_mirror as m
        on conflict (mirror_no) do nothing;
        exit when found;
    end loop;
    return json_build_object('endpoint', p_endpoint);
end
$$;

grant execute on function cmbs.set_mirror to cmbs_server, cmbs_admin;
