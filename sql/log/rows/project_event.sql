-- cmbs_store.project_event
--
-- Writes the rows that an event of arbitration leaves in the tables of its session.
--
-- Locks      nothing: the caller holds the session row.

create or replace function cmbs_store.project_event(
    p_session_id uuid,
    p_seq bigint,
    p_actor text,
    p_verb text,
    p_payload jsonb
)
returns void
language plpgsql
volatile
as $$
declare
    v_rows jsonb;
begin
    if p_payload ? 'clock' then
        perform cmbs_store.project_clock_step(p_session_id, p_seq, p_payload);
    end if;
    if cmbs_store.is_execution(p_verb) then
        perform cmbs_store.project_execution(p_session_id, p_seq, p_actor, p_verb, p_payload);
        return;
    end if;
    if p_verb = 'PROPOSE' then
        -- Without what only other verbs leave: most of the time of a verdict was spent on that.
        select jsonb_object_agg(r.relation, r.content)
        into v_rows
        from (
            select p.relation, jsonb_agg(
                p.content || jsonb_build_object('session_id', p_session_id, 'seq', p_seq)
            ) as content
            from cmbs_store.proposal_rows(p_session_id, p_actor, p_payload) as p
            group by p.relation
        ) as r;
    else
        select coalesce(jsonb_object_agg(r.relation, r.content), '{}')
        into v_rows
        from (
            select p.relation, jsonb_agg(p.content) as content
            from cmbs_store.event_rows(p_session_id, p_seq, p_actor, p_verb, p_payload) as p
            group by p.relation
        ) as r;
    end if;
    if v_rows ? 'proposal' then
        insert into cmbs_store.proposal
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.proposal, v_rows -> 'proposal') as r;
    end if;
    if v_rows ? 'state_delta' then
        perform cmbs_store.project_deltas(
            p_session_id, p_seq, v_rows -> 'state_delta',
            coalesce(v_rows -> 'state_value', '[]')
        );
    end if;
    if v_rows ? 'capability_spending' then
        perform cmbs_store.project_spending(p_session_id, v_rows -> 'capability_spending');
    end if;
    if v_rows ? 'policy_pin' then
        insert into cmbs_store.policy_pin
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.policy_pin, v_rows -> 'policy_pin') as r;
    end if;
    if v_rows ? 'capability_token' then
        perform cmbs_store.project_capability(p_session_id, v_rows -> 'capability_token' -> 0);
    end if;
    if v_rows ? 'capability_revocation' then
        insert into cmbs_store.capability_revocation
        select r.* from jsonb_populate_recordset(
            null::cmbs_store.capability_revocation, v_rows -> 'capability_revocation'
        ) as r;
    end if;
    if v_rows ? 'claim' then
        insert into cmbs_store.claim
        select r.* from jsonb_populate_recordset(null::cmbs_store.claim, v_rows -> 'claim') as r;
    end if;
    if v_rows ? 'claim_confirmation' then
        insert into cmbs_store.claim_confirmation
        select r.* from jsonb_populate_recordset(
            null::cmbs_store.claim_confirmation, v_rows -> 'claim_confirmation'
        ) as r;
    end if;
    if v_rows ?| '{permit, interrupt, interrupt_use, deferral, shadow_pin}' then
        perform cmbs_store.project_offers(p_session_id, v_rows);
    end if;
end
$$;
