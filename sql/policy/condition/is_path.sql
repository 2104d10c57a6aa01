-- cmbs_store.is_path
--
-- Whether a text is a path that a constraint may read: a key of facts, goals or policy, and members
-- and elements of its value. An index below zero is none.

create or replace function cmbs_store.is_path(
    p_path text
)
returns boolean
language sql
immutable
as $$
    select p_path ~ '^(policy|goal|fact)(\.[a-z0-9_-]+)(\.[A-Za-z0-9_-]+)*$'
        and p_path !~ '^[a-z]+(\.[^.]+)+\.-[0-9]+(\.|$)'
        and octet_length(p_path) <= 400
$$;
