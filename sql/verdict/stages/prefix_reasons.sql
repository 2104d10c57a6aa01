-- cmbs_store.prefix_reasons
--
-- Keys of a proposal that would begin with another key of the state, or another with them, once the
-- proposal is committed. Keys that cannot be written anyway are not looked at.
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
        with written as (
            select i.item_no, k.key collate "C" as key
            from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
            cross join lateral jsonb_each_text(i.item -> 'patch') as k (key, value)
            where k.value is not null
                and octet_length(k.key) <= 200
                and k.key ~ '^[a-z]+([.][a-z0-9_-]+)+$'
        ),
        above as (
            select w.key as longer, p.key as shorter
            from written as w
            cross join lateral string_to_array(w.key, '.') as s (segments)
            cross join lateral generate_series(2, cardinality(s.segments) - 1) as n (n)
            cross join lateral (
                select array_to_string(s.segments[1:n.n], '.') collate "C" as key
            ) as p
            where v_patch ->> p.key is not null
        ),
        conflict as (
            select a.longer as key, a.shorter as other from above as a
            union all
            select a.shorter, a.longer from above as a
            union all
            select w.key, s.key
            from (select distinct d.key from written as d) as w
            cross join lateral cmbs_store.keys_around(
                p_session.session_id, p_session.audit_seq, w.key
            ) as s (key)
            where not v_patch ? s.key
        )
        select (
            w.item_no, 'schemas', 'KEY_PREFIX_CONFLICT', w.key, 'block', min(c.other)
        )::cmbs_store.reason
        from written as w
        inner join conflict as c on c.key = w.key
        group by w.item_no, w.key
        order by w.item_no, w.key
    );
end
$$;
