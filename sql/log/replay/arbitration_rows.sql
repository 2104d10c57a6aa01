-- cmbs_store.arbitration_rows
--
-- What the tables of a session hold beside its belief, row by row, without what is counted up.

create or replace function cmbs_store.arbitration_rows(
    p_session_id uuid
)
returns table (seq bigint, relation text, content jsonb)
language sql
stable
as $$
    select r.seq, r.relation, r.content - array['delta_no', 'spent', 'chain']
    from (
        select a.seq, 'proposal' as relation, to_jsonb(a) as content
        from cmbs_store.proposal as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'state_delta', to_jsonb(a)
        from cmbs_store.state_delta as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'state_value', to_jsonb(a)
        from cmbs_store.state_value as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'capability_token', to_jsonb(a)
        from cmbs_store.capability_token as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'capability_revocation', to_jsonb(a)
        from cmbs_store.capability_revocation as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'capability_spending', to_jsonb(a)
        from cmbs_store.capability_spending as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'interrupt', to_jsonb(a)
        from cmbs_store.interrupt as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'policy_pin', to_jsonb(a)
        from cmbs_store.policy_pin as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'claim', to_jsonb(a)
        from cmbs_store.claim as a
        where a.session_id = p_session_id
        union all
        select a.seq, 'claim_confirmation', to_jsonb(a)
        from cmbs_store.claim_confirmation as a
        where a.session_id = p_session_id
        union all
        select a.seq, a.relation, a.content
        from cmbs_store.execution_rows_stored(p_session_id) as a
    ) as r
$$;
