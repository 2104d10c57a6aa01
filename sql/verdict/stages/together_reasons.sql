-- cmbs_store.together_reasons
--
-- The checks that look at all deltas of a proposal together: keys that begin with others, keys that
-- are written twice, goals that exclude each other, and the invariants on what would be afterwards.

create or replace function cmbs_store.together_reasons(
    p_session cmbs_store.session,
    p_items jsonb,
    p_evidence cmbs_store.evidence
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
begin
    if not jsonb_path_exists(p_items, '$[*] ? (@.kind == "state_delta")') then
        return '{}'::cmbs_store.reason[];
    end if;
    return cmbs_store.prefix_reasons(p_session, p_items)
        || cmbs_store.conflict_reasons(p_session, p_items)
        || cmbs_store.invariant_reasons(
            p_evidence.entries, cmbs_store.post_state(p_evidence.values, p_items),
            p_evidence.documents
        );
end
$$;
