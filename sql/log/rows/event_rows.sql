-- cmbs_store.event_rows
--
-- The rows that an event of arbitration leaves in the tables of its session, by table. What counts
-- up from row to row (the number of a delta, what was spent so far) is not among their columns.

create or replace function cmbs_store.event_rows(
    p_session_id uuid,
    p_seq bigint,
    p_actor text,
    p_verb text,
    p_payload jsonb
)
returns table (relation text, content jsonb)
language sql
stable
as $$
    select
        r.relation,
        r.content || jsonb_build_object('session_id', p_session_id, 'seq', p_seq)
    from (
        select n.relation, jsonb_build_object(
            'pack', n.pin -> 'pack', 'version', n.pin -> 'version',
            'policy_hash', '\x' || (n.pin ->> 'policy_hash')
        ) as content
        from (
            select case
                when p_verb = 'POLICY_APPLY' and p_payload -> 'approved' = 'true' then p_payload
                when p_verb = 'DECLARE_SESSION' then p_payload -> 'arbitration'
            end as pin
        ) as p
        cross join lateral (
            values ('policy_pin', p.pin), ('shadow_pin', p.pin -> 'shadow')
        ) as n (relation, pin)
        where n.pin is not null
        union all
        select 'capability_token', p_payload - 'request_id' || jsonb_build_object(
            'secret_hash', '\x' || (p_payload ->> 'secret_hash'),
            'valid_from', (p_payload ->> 'valid_from')::timestamptz,
            'expires_at', (p_payload ->> 'expires_at')::timestamptz
        )
        where p_verb = 'TOKEN_ISSUE'
        union all
        select 'capability_revocation', jsonb_build_object('token_id', p_payload -> 'token_id')
        where p_verb = 'TOKEN_REVOKE'
        union all
        select 'clock_step', jsonb_build_object('lead_us', cmbs_store.clock_lead_found(p_payload))
        where p_payload ? 'clock'
        union all
        select 'claim_confirmation', jsonb_build_object(
            'key', p_payload -> 'key', 'value_digest', '\x' || (p_payload ->> 'value_digest')
        )
        where p_verb = 'CONFIRM_CLAIM'
        union all
        select 'claim', c.content
        from cmbs_store.claim_row(p_payload) as c (content)
        where p_verb = 'RECORD_CLAIM' and p_payload ->> 'decision' = 'allow'
        union all
        select f.relation, f.content
        from cmbs_store.proposal_rows(p_session_id, p_actor, p_payload) as f
        where p_verb = 'PROPOSE'
        union all
        select x.relation, x.content
        from cmbs_store.execution_rows(p_session_id, p_actor, p_verb, p_payload) as x
    ) as r
$$;
