-- cmbs_store.scope_reasons
--
-- The stage of the capability token, as far as it is about what one item does. A token covers a
-- tool that it names, or all of whose authorities are capabilities that it has.
--
-- p_definition   that of the tool, null if there is none
-- p_is_approved  a person has approved the call

create or replace function cmbs_store.scope_reasons(
    p_capability cmbs_store.capability_token,
    p_item_no integer,
    p_item jsonb,
    p_definition jsonb,
    p_is_approved boolean
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_authorities text[];
begin
    if p_capability.token_id is null then
        return '{}'::cmbs_store.reason[];
    end if;
    if p_item ->> 'kind' = 'tool_call' then
        v_authorities := array(select jsonb_array_elements_text(p_definition -> 'authorities'));
        if p_item ->> 'tool_id' <> all(p_capability.tools)
            and (cardinality(v_authorities) = 0 or not v_authorities <@ p_capability.capabilities)
        then
            v_reasons := array[(
                p_item_no, 'token', 'SCOPE_NOT_ALLOWED', null, 'block',
                'the token does not name the tool ' || left(p_item ->> 'tool_id', 200)
            )::cmbs_store.reason];
        end if;
        if p_capability.approval = 'required' and not p_is_approved then
            v_reasons := v_reasons || (
                p_item_no, 'token', 'APPROVAL_REQUIRED', null, 'ask',
                'the token takes an approval for each call'
            )::cmbs_store.reason;
        end if;
        if cardinality(p_capability.resource_roots) > 0 then
            v_reasons := v_reasons || cmbs_store.resource_reasons(
                p_capability.resource_roots, p_item_no, p_item
            );
        end if;
        return v_reasons;
    end if;
    if p_item ? 's_core' and 'state.write.core' <> all(p_capability.capabilities) then
        v_reasons := array[(
            p_item_no, 'token', 'SCOPE_NOT_ALLOWED', null, 'block',
            'the token does not have the capability state.write.core'
        )::cmbs_store.reason];
    end if;
    return v_reasons || array(
        select (
            p_item_no, 'token', 'SCOPE_NOT_ALLOWED', left(k.key, 200), 'block',
            'no state prefix of the token covers the key'
        )::cmbs_store.reason
        from jsonb_object_keys(p_item -> 'patch') as k (key)
        where 'state.write.' || split_part(k.key, '.', 1) <> all(p_capability.capabilities)
            and not exists (
                select
                from unnest(p_capability.state_prefixes) as s (prefix)
                where k.key = s.prefix or starts_with(k.key, rtrim(s.prefix, '.') || '.')
            )
        order by k.key collate "C"
    );
end
$$;
