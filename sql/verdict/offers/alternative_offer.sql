-- cmbs_store.alternative_offer
--
-- What to ask for instead of what was denied, as a member of its verdict: where the soft limit of
-- the budget was crossed a narrower token, where the mode forbids it a lower one that would not.
--
-- p_item     the item as it was proposed

create or replace function cmbs_store.alternative_offer(
    p_verdict jsonb,
    p_item jsonb,
    p_capability cmbs_store.capability_token,
    p_session cmbs_store.session,
    p_settings jsonb,
    p_evidence cmbs_store.evidence
)
returns jsonb
language sql
stable
as $$
    select jsonb_build_object('offer', case
        when jsonb_path_exists(p_verdict, '$.reasons[*] ? (@.code == "MODE_FORBIDS")')
            then jsonb_build_object('kind', 'mode', 'mode', cmbs_store.lower_mode(
                p_settings, cmbs_store.mode_in_force(p_session),
                p_evidence.definitions -> (p_item ->> 'tool_id') ->> 'effect_class'
            ))
        else jsonb_build_object(
            'kind', 'attenuated_token',
            'grant', jsonb_build_object(
                'parent', p_capability.token_id,
                'holder', p_capability.holder,
                -- Of the tools of the token this one; if none is, what covers it.
                'tools', to_jsonb(array(
                    select t.tool_id from unnest(p_capability.tools) as t (tool_id)
                    where t.tool_id = p_item ->> 'tool_id'
                )),
                'capabilities', to_jsonb(p_capability.capabilities),
                'resource_roots', to_jsonb(p_capability.resource_roots),
                'approval_requirement', p_capability.approval,
                'budgets', jsonb_build_object('max_calls', 1),
                'expires_at', cmbs_store.timestamp_v1(p_capability.expires_at)
            )
        )
    end)
$$;
