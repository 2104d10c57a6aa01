-- cmbs_store.check_policy_role
--
-- Refuses callers that are not of the policy role. The server's login passes as long as no
-- identities are configured: it then speaks for the one operator of a loopback address.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_policy_role()
returns void
language plpgsql
stable
as $$
begin
    if session_user <> 'cmbs_server' and not pg_has_role(session_user, 'cmbs_policy', 'member') then
        raise exception using
            errcode = 'MB302',
            message = 'This is for the policy role only.',
            detail = json_build_object('required_role', 'cmbs_policy')::text,
            hint = 'Ask an administrator to grant cmbs_policy to your login role.';
    end if;
end
$$;

comment on function cmbs_store.check_policy_role() is
'Refuse callers that are not of the policy role. Raises MB302.';

revoke all on function cmbs_store.check_policy_role() from public;
