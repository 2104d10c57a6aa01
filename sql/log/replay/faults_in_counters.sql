-- cmbs_store.faults_in_counters
--
-- The events at which something that is counted from row to row is not counted right: the numbers
-- of deltas, what was spent of a budget, the chains of tokens, checkpoints, claimants of
-- eliminations, what is noted as open.

create or replace function cmbs_store.faults_in_counters(
    p_session_id uuid
)
returns setof bigint
language sql
stable
as $$
    select d.seq
    from (
        select a.seq, a.delta_no, row_number() over (order by a.seq, a.item_no) as no
        from cmbs_store.state_delta as a
        where a.session_id = p_session_id
    ) as d
    where d.delta_no <> d.no
    union all
    select s.seq
    from (
        select
            a.seq, a.spent,
            sum(a.amount) over (partition by a.token_id, a.unit order by a.seq) as total
        from cmbs_store.capability_spending as a
        where a.session_id = p_session_id
    ) as s
    where s.spent <> s.total
    union all
    select t.seq
    from cmbs_store.capability_token as t
    left join cmbs_store.capability_token as p
        on p.session_id = t.session_id and p.token_id = t.parent_id
    where t.session_id = p_session_id
        and t.chain is distinct from coalesce(p.chain, '{}') || t.token_id
    union all
    select c.seq
    from cmbs_store.state_checkpoint as c
    where c.session_id = p_session_id
        and (
            c.f_sparse <> (
                select coalesce(jsonb_object_agg(l.key, l.value), '{}')::text
                from cmbs_store.live_values(p_session_id, c.seq, '', 'z') as l
            )
            or c.s_core is distinct from cmbs_store.s_core_at(p_session_id, c.seq)
            or c.delta_no % 100 <> 0
            or not exists (
                select from cmbs_store.state_delta as d
                where d.session_id = p_session_id
                    and d.seq = c.seq
                    and d.delta_no = c.delta_no
            )
        )
    union all
    select d.seq
    from (
        select a.seq, min(a.delta_no) - 1 as before_no, max(a.delta_no) as last_no
        from cmbs_store.state_delta as a
        where a.session_id = p_session_id
        group by a.seq
    ) as d
    where d.last_no / 100 > d.before_no / 100
        and not exists (
            select
            from cmbs_store.state_checkpoint as c
            where c.session_id = p_session_id
                and c.seq = d.seq
                and c.delta_no = d.last_no / 100 * 100
        )
    union all
    select m.seq from cmbs_store.faults_in_claimants(p_session_id) as m (seq)
    union all
    select n.seq
    from cmbs_store.session as s
    cross join lateral cmbs_store.faults_in_open_items(s) as n (seq)
    where s.session_id = p_session_id
$$;
