-- cmbs_store.limit_fault
--
-- What is wrong with a member that must be a whole number within limits; null if nothing is.

create or replace function cmbs_store.limit_fault(
    p_value jsonb,
    p_member text,
    p_from bigint,
    p_to bigint
)
returns text
language sql
immutable
as $$
    select case
        when jsonb_typeof(p_value -> p_member) is distinct from 'number'
            or p_value ->> p_member !~ '^[0-9]{1,17}$'
            or (p_value ->> p_member)::bigint not between p_from and p_to
            then format('%s must be a whole number from %s to %s', p_member, p_from, p_to)
    end
$$;
