-- cmbs_store.prefix_reasons
--
-- Keys of a proposal that would begin with another key of the state, or another with them, once the
-- proposal is committed.
--
-- p_items    its items, of which the deltas count
-- As of the event that the session is given as of.

create or replace function cmbs_store.prefix_reasons(
    p_session cmbs_store.session,
    p_items jsonb
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_patch jsonb := cmbs_store.merged_patch(p_items);
begin
    return array(
        select (
            i.item_no, 'schemas', 'KEY_PREFIX_CONFLICT', k.key, 'block', c.key
        )::cmbs_store.reason
        from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
        cross join lateral jsonb_each_text(i.item -> 'patch') as k (key, value)
        cross join lateral (
            select min(o.key) as key
            from (
                select p.key collate "C" as key
                from jsonb_each_text(v_patch) as p (key, value)
                where p.value is not null
                    and (starts_with(p.key, k.key || '.') or starts_with(k.key, p.key || '.'))
                union all
                select s.key
                from cmbs_store.keys_around(
                    p_session.session_id, p_session.audit_seq, k.key
                ) as s (key)
                where not v_patch ? s.key
            ) as o
        ) as c
        where k.value is not null and c.key is not null
        order by i.item_no, k.key collate "C"
    );
end
$$;

comment on function cmbs_store.prefix_reasons(cmbs_store.session, jsonb) is
'Keys that would begin with another key, or another with them.';

revoke all on function cmbs_store.prefix_reasons(cmbs_store.session, jsonb) from public;
