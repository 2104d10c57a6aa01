-- cmbs_store.input_of_record
--
-- What a recorded verdict was given: its payload without what was decided.

create or replace function cmbs_store.input_of_record(
    p_payload jsonb
)
returns jsonb
language sql
immutable
as $$
    select p_payload - array[
        'policy', 'tools', 'schemas', 'reads', 'decision', 'disposition', 'reason_code',
        'reasons', 'items', 'kind', 'confirmed', 'expires_at', 'deferral', 'shadow'
    ]
$$;

comment on function cmbs_store.input_of_record(jsonb) is
'What a recorded verdict was given.';

revoke all on function cmbs_store.input_of_record(jsonb) from public;
