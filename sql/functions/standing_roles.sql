-- cmbs_store.standing_roles
--
-- The roles that somebody has now who proposed something before: those of the principal, none if it
-- is disabled or may not speak for the source any more; of a login that nobody registered what it
-- was granted.

create or replace function cmbs_store.standing_roles(
    p_tenant text,
    p_name text,
    p_source text
)
returns jsonb
language sql
stable
as $$
    select coalesce(
        (
            select case
                when p.is_enabled and exists (
                    select
                    from unnest(p.source_prefixes) as s (prefix)
                    where starts_with(p_source, s.prefix)
                ) then to_jsonb(array(
                    select r.role collate "C" from unnest(p.roles) as r (role) order by 1
                ))
                else '[]'
            end
            from cmbs_store.principal as p
            where p.name = p_name and p.tenant in (p_tenant, '*')
            order by p.is_enabled
            limit 1
        ),
        cmbs_store.login_roles(p_name)
    )
$$;

comment on function cmbs_store.standing_roles(text, text, text) is
'The roles that somebody has now who proposed something before.';

revoke all on function cmbs_store.standing_roles(text, text, text) from public;
