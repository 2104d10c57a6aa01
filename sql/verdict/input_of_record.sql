-- cmbs_store.input_of_record
--
-- What a recorded verdict was given: the members of its payload that are no part of the verdict.

create or replace function cmbs_store.input_of_record(
    p_payload jsonb
)
returns cmbs_store.verdict_input
language sql
immutable
as $$ select r from jsonb_populate_record(null::cmbs_store.verdict_input, p_payload) as r $$;
