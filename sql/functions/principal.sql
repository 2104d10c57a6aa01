-- cmbs_store.principal
--
-- Who calls: the login role, which no caller can choose. The server's own login counts as `api` as
-- long as no identities are configured; until then a credential cannot be anybody's.
--
-- Raises     MB301 UNAUTHENTICATED, MB302 FORBIDDEN (a login role that is called api).

create or replace function cmbs_store.principal(
    p_credential bytea
)
returns text
language plpgsql
stable
as $$
begin
    if p_credential is not null or session_user = 'api' then
        perform cmbs_store.refuse_principal(p_credential);
    end if;
    return case when session_user = 'cmbs_server' then 'api' else session_user::text end;
end
$$;

comment on function cmbs_store.principal(bytea) is
'The name of the calling principal. Raises MB301, MB302.';

revoke all on function cmbs_store.principal(bytea) from public;
