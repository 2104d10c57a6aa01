-- cmbs_store.checked_fixtures
--
-- The fixtures of a policy, checked: each has an item, and what is expected of it.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_fixtures(
    p_fixtures json
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_fixtures jsonb;
    v_fixture jsonb;
begin
    if p_fixtures is null then
        return '[]'::jsonb;
    end if;
    v_fixtures := cmbs_store.free_object(
        'fixtures', json_build_object('fixtures', p_fixtures)
    )::jsonb -> 'fixtures';
    if jsonb_typeof(v_fixtures) <> 'array' or jsonb_array_length(v_fixtures) > 1000 then
        perform cmbs_store.refuse_request('fixtures', 'must be a list of up to 1,000 fixtures');
    end if;
    for v_i in 0 .. jsonb_array_length(v_fixtures) - 1 loop
        v_fixture := v_fixtures -> v_i;
        if jsonb_typeof(v_fixture) <> 'object'
            or jsonb_typeof(v_fixture -> 'item') is distinct from 'object'
            or jsonb_typeof(v_fixture -> 'expect') is distinct from 'object'
            or v_fixture -> 'expect' = '{}'
            or jsonb_typeof(v_fixture -> 'given') <> 'object'
            or jsonb_typeof(v_fixture -> 'tool') <> 'object'
            or v_fixture - '{name, given, tool, item, expect}'::text[] <> '{}'
            or (v_fixture -> 'expect') - '{decision, disposition, reason_code}'::text[] <> '{}'
        then
            perform cmbs_store.refuse_request(
                format('fixtures[%s]', v_i),
                'must have an item and what to expect (decision, disposition, reason_code), and '
                'may have a name, given (key -> value) and a tool'
            );
        end if;
        if jsonb_path_exists(
            v_fixture -> 'given', '$.keyvalue() ? (@.key starts with "policy.")'
        ) then
            perform cmbs_store.refuse_request(
                format('fixtures[%s].given', v_i),
                'must not hold policy.*: a fixture sees the entries of its own pack'
            );
        end if;
        if v_fixture -> 'item' ->> 'kind' is distinct from 'claim' then
            perform cmbs_store.checked_items(jsonb_build_array(v_fixture -> 'item'));
        end if;
    end loop;
    return v_fixtures;
end
$$;
