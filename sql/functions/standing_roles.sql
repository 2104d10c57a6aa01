-- cmbs_store.standing_roles
--
-- The roles that somebody has now who proposed something before: those of the principal, none if it
-- is disabled; of a login that nobody registered those that it had then.

create or replace function cmbs_store.standing_roles(
    p_tenant text,
    p_name text,
    p_roles jsonb
)
returns jsonb
language sql
stable
as $$
    select coalesce(
        (
            select case
                when p.is_enabled then to_jsonb(array(
                    select r.role collate "C" from unnest(p.roles) as r (role) order by 1
                ))
                else '[]'
            end
            from cmbs_store.principal as p
            where p.name = p_name and p.tenant in (p_tenant, '*')
            order by p.is_enabled
            limit 1
        ),
        p_roles
    )
$$;

comment on function cmbs_store.standing_roles(text, text, jsonb) is
'The roles that somebody has now who proposed something before.';

revoke all on function cmbs_store.standing_roles(text, text, jsonb) from public;
