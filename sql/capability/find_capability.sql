-- cmbs_store.find_capability
--
-- The id of the token of a session that a secret opens; null if it opens none.

create or replace function cmbs_store.find_capability(
    p_session_id uuid,
    p_secret text
)
returns uuid
language sql
stable
as $$
    select t.token_id
    from cmbs_store.capability_token as t
    where t.session_id = p_session_id
        and t.secret_hash = sha256(convert_to(p_secret, 'UTF8'))
$$;
