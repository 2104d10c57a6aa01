-- cmbs_store.normal_row
--
-- A row that an event leaves, in the form in which its table would give it, without what is counted
-- up from row to row.

create or replace function cmbs_store.normal_row(
    p_relation text,
    p_content jsonb
)
returns jsonb
language sql
stable
as $$
    select case p_relation
        when 'proposal'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.proposal, p_content))
        when 'state_delta'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.state_delta, p_content))
        when 'state_value'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.state_value, p_content))
        when 'capability_token'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.capability_token, p_content))
        when 'capability_revocation'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.capability_revocation, p_content))
        when 'capability_spending'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.capability_spending, p_content))
        when 'interrupt'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.interrupt, p_content))
        when 'policy_pin'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.policy_pin, p_content))
        when 'claim'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.claim, p_content))
        when 'claim_confirmation'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.claim_confirmation, p_content))
        when 'permit' then to_jsonb(jsonb_populate_record(null::cmbs_store.permit, p_content))
        when 'permit_begin'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.permit_begin, p_content))
        when 'permit_end'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.permit_end, p_content))
        when 'interrupt_resolution'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.interrupt_resolution, p_content))
        when 'interrupt_use'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.interrupt_use, p_content))
        when 'deferral' then to_jsonb(jsonb_populate_record(null::cmbs_store.deferral, p_content))
        when 'session_mode'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.session_mode, p_content))
        when 'clock_step'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.clock_step, p_content))
        when 'shadow_pin'
            then to_jsonb(jsonb_populate_record(null::cmbs_store.shadow_pin, p_content))
    end - array['delta_no', 'spent', 'chain']
$$;
