-- cmbs_store.severity
--
-- How much a disposition forbids: of several the most restrictive counts. Deferring forbids more
-- than asking, since a person's yes does not supply what is missing.

create or replace function cmbs_store.severity(
    p_disposition text
)
returns integer
language sql
immutable
as $$
    select case p_disposition
        when 'execute' then 0 when 'ask' then 1 when 'degrade' then 2 when 'defer' then 3 else 4
    end
$$;
