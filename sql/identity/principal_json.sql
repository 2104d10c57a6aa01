-- cmbs_store.principal_json
--
-- A principal as it is shown.

create or replace function cmbs_store.principal_json(
    p_principal cmbs_store.principal
)
returns jsonb
language sql
stable
as $$
    select jsonb_build_object(
        'name', p_principal.name,
        'tenant', p_principal.tenant,
        'kind', p_principal.kind,
        'roles', p_principal.roles,
        'source_prefixes', p_principal.source_prefixes,
        'is_login', p_principal.is_login,
        'is_enabled', p_principal.is_enabled,
        'created_at', cmbs_store.timestamp_v1(p_principal.created_at)
    )
$$;
