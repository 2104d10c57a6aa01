-- cmbs_store.together_reasons
--
-- The checks that look at all deltas of a proposal together: keys that begin with others, keys that
-- are written twice, goals that exclude each other, and the invariants on what would be afterwards.

create or replace function cmbs_store.together_reasons(
    p_session cmbs_store.session,
    p_items jsonb,
    p_ground cmbs_store.ground
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
            p_ground.entries, cmbs_store.post_state(p_ground.world, p_items), p_ground.documents
        );
end
$$;

comment on function cmbs_store.together_reasons(cmbs_store.session, jsonb, cmbs_store.ground) is
'The checks that look at all deltas of a proposal together.';

revoke all on function cmbs_store.together_reasons(
    cmbs_store.session, jsonb, cmbs_store.ground
) from public;
