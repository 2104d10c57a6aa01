-- cmbs_store.termination_reason
--
-- The answer to a request for termination, in the order in which the reasons are decided.

create or replace function cmbs_store.termination_reason(
    p_has_obligation boolean,
    p_n_survivors integer,
    p_is_stable boolean,
    p_force boolean,
    p_force_allowed boolean
)
returns text
language sql
immutable
as $$
    select case
        when p_has_obligation then 'active obligation blocks termination'
        when p_force and p_force_allowed then 'approved by force'
        when p_n_survivors = 1 and p_is_stable then 'approved'
        when p_n_survivors = 1 and not p_force then 'conclusion not stable'
        when p_force then 'force not allowed by policy'
        else 'termination requires a singleton survivor'
    end
$$;
