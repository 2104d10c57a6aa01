-- cmbs_store.are_verbs
--
-- Whether a list holds nothing but names of verbs: the functions that take a credential.

create or replace function cmbs_store.are_verbs(
    p_names text[]
)
returns boolean
language sql
stable
as $$
    select case
        when array_ndims(p_names) > 1 then false
        else p_names <@ array(
            select p.proname::text
            from pg_proc as p
            where p.pronamespace = 'cmbs'::regnamespace and 'p_credential' = any(p.proargnames)
        )
        and array_position(p_names, null) is null
    end
$$;
