-- cmbs_store.awaited_keys
--
-- The keys that a deferred proposal waits for: what the constraints read that defer it, and goals
-- that are in the way of its own.

create or replace function cmbs_store.awaited_keys(
    p_verdict jsonb,
    p_evidence cmbs_store.evidence
)
returns jsonb
language sql
stable
as $$
    select to_jsonb(array(
        select distinct k.key collate "C"
        from jsonb_path_query(p_verdict, '$.reasons[*] ? (@.disposition == "defer")') as r (reason)
        cross join lateral (
            select a.key
            from unnest(p_evidence.entries) as e
            cross join lateral unnest(e.reads) as a (key)
            where e.key = r.reason ->> 'key'
                or r.reason ->> 'code' = 'NO_APPLICABLE_ALLOW'
                and e.effect = 'allow' and e.on_fail = 'defer'
            union all
            select r.reason ->> 'detail'
            where r.reason ->> 'code' = 'GOAL_CONFLICT'
        ) as k
        where k.key !~ '^(policy|fact[.]belief)([.]|$)'
        order by 1
    ))
$$;
