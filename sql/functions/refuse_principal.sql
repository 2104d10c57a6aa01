-- cmbs_store.refuse_principal
--
-- Ends the call: nobody can be told from this credential, or the login role has the name under
-- which the server itself appears in the log.
--
-- Raises     MB301 UNAUTHENTICATED or MB302 FORBIDDEN, always.

create or replace function cmbs_store.refuse_principal(
    p_credential bytea
)
returns void
language plpgsql
volatile
as $$
begin
    if p_credential is null then
        raise exception using
            errcode = 'MB302',
            message = 'The name api is that of the server in the log.',
            detail = '{}',
            hint = 'Ask an administrator to rename your login role.';
    end if;
    raise exception using
        errcode = 'MB301',
        message = 'The credential is not known.',
        detail = '{}',
        hint = 'No API tokens are configured in this database; leave p_credential out.';
end
$$;

comment on function cmbs_store.refuse_principal(bytea) is
'End the call: the caller is nobody. Raises MB301, MB302.';

revoke all on function cmbs_store.refuse_principal(bytea) from public;
