-- cmbs_store.undeclared_functions
--
-- The functions in our schemas that a deployment does not declare: leftovers of an old signature,
-- which anybody might execute, or somebody else's.

create or replace function cmbs_store.undeclared_functions(
    p_declared text[]
)
returns text[]
language sql
stable
as $$
    select array(
        select p.oid::regprocedure::text
        from pg_proc as p
        where p.pronamespace in ('cmbs'::regnamespace, 'cmbs_store'::regnamespace)
            and not exists (
                select from unnest(p_declared) as d (name) where to_regprocedure(d.name) = p.oid
            )
        order by 1
    )
$$;

grant execute on function cmbs_store.undeclared_functions to cmbs_owner;
