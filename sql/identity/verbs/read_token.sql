-- cmbs.read_token
--
-- A token, by its id, also one that counts no more; without what its holder shows.
--
-- Locks      nothing.
-- Raises     MB006 TOKEN_NOT_FOUND, MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.read_token(
    p_token_id uuid,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'read_token', '{admin, auditor}'
    );
begin
    return cmbs_store.api_token_json(cmbs_store.find_api_token(v_caller, p_token_id));
end
$$;

grant execute on function cmbs.read_token to cmbs_server, cmbs_admin, cmbs_auditor, cmbs_owner;
