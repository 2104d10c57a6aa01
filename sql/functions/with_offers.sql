-- cmbs_store.with_offers
--
-- A verdict with what is offered where an item does not take effect: the question that a person may
-- answer, or the token to ask for where a soft limit of the budget was crossed.
--
-- The id of a question follows from what it is about, so that a replay finds the same.

create or replace function cmbs_store.with_offers(
    p_verdict jsonb,
    p_items jsonb,
    p_token cmbs_store.capability_token,
    p_session cmbs_store.session,
    p_settings jsonb,
    p_given jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_items jsonb := p_verdict -> 'items';
    v_item jsonb;
begin
    if p_verdict ->> 'decision' = 'allow' and p_verdict -> 'reasons' = '[]' then
        return p_verdict;
    end if;
    for v_i in 0 .. jsonb_array_length(v_items) - 1 loop
        v_item := v_items -> v_i;
        -- Together with something that is refused there is nothing to ask.
        if v_item ->> 'disposition' = 'ask'
            and (p_given -> 'proposal' -> 'atomic' = 'false' or p_verdict ->> 'disposition' = 'ask')
        then
            v_items := jsonb_set(v_items, array[v_i::text], v_item || cmbs_store.question(
                v_item, p_items -> v_i, p_session, p_settings, p_given
            ));
        elsif v_item ->> 'disposition' = 'degrade' then
            v_items := jsonb_set(v_items, array[v_i::text, 'offer'], jsonb_build_object(
                'kind', 'attenuated_token',
                'grant', jsonb_build_object(
                    'parent', p_token.token_id,
                    'holder', p_token.holder,
                    -- Of the tools of the token this one; if none is, what covers it.
                    'tools', to_jsonb(array(
                        select t.tool_id from unnest(p_token.tools) as t (tool_id)
                        where t.tool_id = p_items -> v_i ->> 'tool_id'
                    )),
                    'capabilities', to_jsonb(p_token.capabilities),
                    'resource_roots', to_jsonb(p_token.resource_roots),
                    'approval_requirement', p_token.approval,
                    'budgets', jsonb_build_object('max_calls', 1),
                    'expires_at', cmbs_store.timestamp_v1(p_token.expires_at)
                )
            ));
        end if;
    end loop;
    return p_verdict || jsonb_build_object('items', v_items);
end
$$;

comment on function cmbs_store.with_offers(
    jsonb, jsonb, cmbs_store.capability_token, cmbs_store.session, jsonb, jsonb
) is
'A verdict with what is offered instead of a denial: a question to a person, a narrower token.';

revoke all on function cmbs_store.with_offers(
    jsonb, jsonb, cmbs_store.capability_token, cmbs_store.session, jsonb, jsonb
) from public;
