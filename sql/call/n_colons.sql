-- cmbs_store.n_colons
--
-- How many colons a JSON text holds, those written as \u003a included. A cast to jsonb keeps all
-- of them but those that go with a repeated key: equal counts before and after mean that no key
-- was repeated. (Escaped backslashes are taken out first, so that what is left of \u003a is one. No
-- subquery: it would keep the function from being inlined.)

create or replace function cmbs_store.n_colons(
    p_json text
)
returns integer
language sql
immutable
as $$
    select
        length(p_json) - length(replace(p_json, ':', ''))
        + case
            when position(E'\\u003' in p_json) = 0 then 0
            else length(lower(replace(p_json, E'\\\\', '')))
                - length(replace(lower(replace(p_json, E'\\\\', '')), E'\\u003a', E'\\u003'))
        end
$$;
