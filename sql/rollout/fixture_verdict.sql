-- cmbs_store.fixture_verdict
--
-- What the constraints and invariants of a policy say to the item of a fixture, in the state that
-- the fixture gives. Tokens, snapshots and roles are not asked.
--
-- p_policy     the policy, as it is stored
-- p_entries    its constraints, all of them, in order
-- p_documents  the schemas that it names
-- p_own        its entries policy.*, which conditions may read

create or replace function cmbs_store.fixture_verdict(
    p_policy cmbs_store.policy,
    p_entries cmbs_store.policy_entry[],
    p_documents jsonb,
    p_own jsonb,
    p_fixture jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_items jsonb := jsonb_build_array(p_fixture -> 'item');
    v_values jsonb;
    v_reasons cmbs_store.reason[];
begin
    if p_fixture -> 'item' ->> 'kind' <> 'claim' then
        v_items := cmbs_store.checked_items(v_items);
    end if;
    select coalesce(
        jsonb_object_agg(
            g.key,
            case jsonb_typeof(g.value)
                when 'string' then cmbs_store.readable_value(g.value #>> '{}')
                else g.value
            end
        ),
        '{}'
    )
    into v_values
    from jsonb_each(coalesce(p_fixture -> 'given', '{}')) as g (key, value);
    v_values := v_values || p_own;
    v_reasons := cmbs_store.constraints_against(
        p_policy, p_entries, v_items,
        jsonb_build_object(
            coalesce(v_items -> 0 ->> 'tool_id', ''), coalesce(p_fixture -> 'tool', '{}')
        ),
        v_values, p_documents, '{}'
    );
    if v_items -> 0 ->> 'kind' = 'state_delta' then
        v_reasons := v_reasons || cmbs_store.invariant_reasons(
            p_entries,
            cmbs_store.post_state(v_values, v_items), p_documents
        );
    end if;
    return cmbs_store.fold_reasons(v_reasons, null);
end
$$;
