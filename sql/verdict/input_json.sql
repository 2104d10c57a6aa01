-- cmbs_store.input_json
--
-- What a verdict was given, as its record holds it: the members that there are. Which claim another
-- promotes stands in every claim.

create or replace function cmbs_store.input_json(
    p_given cmbs_store.verdict_input
)
returns jsonb
language sql
immutable
as $$
    select jsonb_object_agg(m.key, m.value)
    from jsonb_each(to_jsonb(p_given)) as m (key, value)
    where m.value <> 'null' or m.key = 'promotes' and p_given.claim is not null
$$;
