-- cmbs_store.check_scope
--
-- Refuses to give away more than the caller has: who calls with a token that covers some verbs can
-- make tokens for those alone.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_scope(
    p_credential bytea,
    p_verbs text[]
)
returns void
language plpgsql
stable
as $$
begin
    if exists (
        select
        from cmbs_store.api_token as t
        where t.credential_hash = sha256(p_credential)
            and t.verbs is not null
            and not coalesce(p_verbs <@ t.verbs, false)
    ) then
        perform cmbs_store.refuse_caller(
            'the token of the caller does not cover all verbs of the new one'
        );
    end if;
end
$$;
