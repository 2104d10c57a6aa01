-- cmbs_store.check_new_api_token
--
-- Refuses what a token that is to be made cannot be.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_new_api_token(
    p_digest bytea,
    p_prefix text,
    p_verbs text[],
    p_expires_at timestamptz
)
returns void
language plpgsql
stable
as $$
begin
    if octet_length(p_digest) is distinct from 32 then
        perform cmbs_store.refuse_request('digest', 'must be the sha-256 digest of the token');
    elsif p_prefix is null or p_prefix !~ '^[A-Za-z0-9_-]{4,32}$' then
        perform cmbs_store.refuse_request(
            'prefix', 'must be the beginning of the token: 4 to 32 letters, digits, _ or -'
        );
    elsif cardinality(p_verbs) = 0 or not cmbs_store.are_verbs(p_verbs) then
        perform cmbs_store.refuse_request(
            'verbs', 'must be names of verbs, such as eliminate, or left out for all'
        );
    elsif p_expires_at not between cmbs_store.clock() and '9999-12-31 00:00:00+00' then
        perform cmbs_store.refuse_request('expires_at', 'must be a time to come');
    end if;
end
$$;
