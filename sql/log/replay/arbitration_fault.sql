-- cmbs_store.arbitration_fault
--
-- Whether what a session holds beside its belief is what its log leads to: every row, what is
-- counted up from row to row, the checkpoints, and the content of the policies that it names.
--
-- p_known_policies   policies that were found whole; p_policies are these and the session's
-- p_seq, p_reason    the event whose trace is wrong, null if all is well

create or replace function cmbs_store.arbitration_fault(
    p_session cmbs_store.session,
    p_known_policies bytea[],
    out p_seq bigint,
    out p_reason text,
    out p_policies bytea[]
)
language plpgsql
stable
as $$
declare
    v_named record;
begin
    select min(coalesce(d.seq, t.seq)), 'the rows of arbitration are not those of the log'
    into p_seq, p_reason
    from (
        select e.seq, r.relation, cmbs_store.normal_row(r.relation, r.content) as content
        from cmbs_store.audit_event as e
        cross join lateral (select e.record::jsonb -> 'payload' as payload offset 0) as p
        cross join lateral cmbs_store.event_rows(
            e.session_id, e.seq, e.actor, e.verb, p.payload
        ) as r
        where e.session_id = p_session.session_id
            and (e.verb = 'DECLARE_SESSION' or cmbs_store.is_arbitration(e.verb))
            and (
                e.verb = 'DECLARE_SESSION' and p.payload ? 'arbitration'
                or cmbs_store.is_arbitration(e.verb)
            )
    ) as d
    full join cmbs_store.arbitration_rows(p_session.session_id) as t
        -- As text: numbers are equal whatever zeros they end in.
        on t.seq = d.seq and t.relation = d.relation and t.content::text = d.content::text
    where d.seq is null or t.seq is null;
    if p_seq is null then
        select min(c.seq), 'what is counted from row to row is not counted right'
        into p_seq, p_reason
        from cmbs_store.faults_in_counters(p_session.session_id) as c (seq);
    end if;
    p_policies := p_known_policies;
    if p_seq is not null then
        return;
    end if;
    p_reason := null;
    for v_named in
        select n.policy_hash, n.seq
        from cmbs_store.policies_named(p_session) as n
        where n.policy_hash <> all(p_known_policies)
    loop
        if cmbs_store.is_policy_whole(v_named.policy_hash) is not true then
            p_seq := v_named.seq;
            p_reason := 'the content of a policy is not that of its hash';
            return;
        end if;
        p_policies := p_policies || v_named.policy_hash;
    end loop;
end
$$;
