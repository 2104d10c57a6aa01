-- cmbs_store.item_reasons
--
-- What stands against each item of a proposal by itself: authority, scope of the token, schemas and
-- constraints.

create or replace function cmbs_store.item_reasons(
    p_items jsonb,
    p_given cmbs_store.verdict_input,
    p_capability cmbs_store.capability_token,
    p_policy cmbs_store.policy,
    p_evidence cmbs_store.evidence
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_roles text[] := array(select jsonb_array_elements_text(p_given.roles));
    -- What goes on with a call had its key when it was called first.
    v_has_key boolean := p_given.proposal ? 'idempotency_key'
        or p_given.resumes is not null or p_given.retries is not null;
    v_waived jsonb := cmbs_store.waived(p_given.resumes);
    v_item jsonb;
    v_tool_id text;
begin
    for v_no in 1 .. jsonb_array_length(p_items) loop
        v_item := p_items -> v_no - 1;
        v_tool_id := v_item ->> 'tool_id';
        v_reasons := v_reasons
            || cmbs_store.authority_reasons(v_no, v_item, v_roles)
            || cmbs_store.scope_reasons(
                p_capability, v_no, v_item, p_evidence.definitions -> v_tool_id,
                coalesce(v_waived -> v_no::text ? '!APPROVAL_REQUIRED', false)
            )
            || case v_item ->> 'kind'
                when 'tool_call' then cmbs_store.tool_reasons(
                    v_no, v_item, p_evidence.tools -> v_tool_id,
                    p_evidence.definitions -> v_tool_id, p_evidence.documents, v_has_key
                )
                else cmbs_store.patch_reasons(v_no, coalesce(v_item -> 'patch', '{}'))
            end;
    end loop;
    return v_reasons || cmbs_store.constraints_against(
        p_policy, p_evidence.entries, p_items, p_evidence.definitions, p_evidence.values,
        p_evidence.documents, v_waived
    );
end
$$;
