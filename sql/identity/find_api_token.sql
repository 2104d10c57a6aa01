-- cmbs_store.find_api_token
--
-- A token by its id, if it is of the tenant of the caller.
--
-- Raises     MB006 TOKEN_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs_store.find_api_token(
    p_caller cmbs_store.principal,
    p_token_id uuid
)
returns cmbs_store.api_token
language plpgsql
stable
as $$
declare
    v_token cmbs_store.api_token;
begin
    if p_token_id is null then
        perform cmbs_store.refuse_request('token_id', 'must be a uuid');
    end if;
    select t.*
    into v_token
    from cmbs_store.api_token as t
    where t.token_id = p_token_id and p_caller.tenant in ('*', t.tenant);
    if not found then
        perform cmbs_store.refuse_missing('token', json_build_object('token_id', p_token_id));
    end if;
    return v_token;
end
$$;
