-- Append-only, second belt: nobody changes or removes rows, whatever their privileges, unless they
-- switch the triggers off, which the hash chain then shows.
--
-- "enable always" is issued anew on every deploy: a replaced trigger and a restore with triggers
-- disabled both lose it silently. There are no insert triggers: restores must be byte-identical.
-- The tables that hold the state of a session, a context or an identity may be updated, but not
-- emptied.

create or replace function cmbs_store.refuse_change()
returns trigger
language plpgsql
as $$
begin
    raise exception using
        errcode = 'insufficient_privilege',
        message = 'This table is append-only.',
        detail = json_build_object('table', tg_table_name, 'operation', tg_op)::text;
end
$$;

comment on function cmbs_store.refuse_change() is
'Trigger: refuse every UPDATE, DELETE and TRUNCATE.';

revoke all on function cmbs_store.refuse_change() from public;

create or replace trigger universe_append_only
before update or delete or truncate on cmbs_store.universe
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.universe enable always trigger universe_append_only;

create or replace trigger universe_member_append_only
before update or delete or truncate on cmbs_store.universe_member
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.universe_member enable always trigger universe_member_append_only;

create or replace trigger hypothesis_space_append_only
before update or delete or truncate on cmbs_store.hypothesis_space
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.hypothesis_space enable always trigger hypothesis_space_append_only;

create or replace trigger policy_default_append_only
before update or delete or truncate on cmbs_store.policy_default
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.policy_default enable always trigger policy_default_append_only;

create or replace trigger tombstone_append_only
before update or delete or truncate on cmbs_store.tombstone
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.tombstone enable always trigger tombstone_append_only;

create or replace trigger audit_event_append_only
before update or delete or truncate on cmbs_store.audit_event
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.audit_event enable always trigger audit_event_append_only;

create or replace trigger obligation_append_only
before update or delete or truncate on cmbs_store.obligation
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.obligation enable always trigger obligation_append_only;

create or replace trigger obligation_end_append_only
before update or delete or truncate on cmbs_store.obligation_end
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.obligation_end enable always trigger obligation_end_append_only;

create or replace trigger conclusion_append_only
before update or delete or truncate on cmbs_store.conclusion
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.conclusion enable always trigger conclusion_append_only;

create or replace trigger session_append_only
before delete or truncate on cmbs_store.session
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.session enable always trigger session_append_only;

create or replace trigger session_mask_append_only
before delete or truncate on cmbs_store.session_mask
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.session_mask enable always trigger session_mask_append_only;

create or replace trigger context_universe_append_only
before update or delete or truncate on cmbs_store.context_universe
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.context_universe enable always trigger context_universe_append_only;

create or replace trigger context_hypothesis_append_only
before update or delete or truncate on cmbs_store.context_hypothesis
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.context_hypothesis enable always trigger context_hypothesis_append_only;

create or replace trigger context_event_append_only
before update or delete or truncate on cmbs_store.context_event
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.context_event enable always trigger context_event_append_only;

create or replace trigger context_tombstone_append_only
before update or delete or truncate on cmbs_store.context_tombstone
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.context_tombstone enable always trigger context_tombstone_append_only;

create or replace trigger context_append_only
before delete or truncate on cmbs_store.context
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.context enable always trigger context_append_only;

create or replace trigger principal_append_only
before delete or truncate on cmbs_store.principal
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.principal enable always trigger principal_append_only;

create or replace trigger api_token_append_only
before delete or truncate on cmbs_store.api_token
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.api_token enable always trigger api_token_append_only;

create or replace trigger api_token_use_append_only
before delete or truncate on cmbs_store.api_token_use
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.api_token_use enable always trigger api_token_use_append_only;

create or replace trigger identity_event_append_only
before update or delete or truncate on cmbs_store.identity_event
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.identity_event enable always trigger identity_event_append_only;

create or replace trigger identity_head_append_only
before delete or truncate on cmbs_store.identity_head
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.identity_head enable always trigger identity_head_append_only;

create or replace trigger reason_code_append_only
before update or delete or truncate on cmbs_store.reason_code
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.reason_code enable always trigger reason_code_append_only;

create or replace trigger policy_append_only
before update or delete or truncate on cmbs_store.policy
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.policy enable always trigger policy_append_only;

create or replace trigger policy_entry_append_only
before update or delete or truncate on cmbs_store.policy_entry
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.policy_entry enable always trigger policy_entry_append_only;

create or replace trigger policy_version_append_only
before update or delete or truncate on cmbs_store.policy_version
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.policy_version enable always trigger policy_version_append_only;

create or replace trigger policy_halt_append_only
before update or delete or truncate on cmbs_store.policy_halt
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.policy_halt enable always trigger policy_halt_append_only;

create or replace trigger schema_document_append_only
before update or delete or truncate on cmbs_store.schema_document
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.schema_document enable always trigger schema_document_append_only;

create or replace trigger json_schema_append_only
before update or delete or truncate on cmbs_store.json_schema
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.json_schema enable always trigger json_schema_append_only;

create or replace trigger tool_definition_append_only
before update or delete or truncate on cmbs_store.tool_definition
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.tool_definition enable always trigger tool_definition_append_only;

create or replace trigger tool_registration_append_only
before update or delete or truncate on cmbs_store.tool_registration
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.tool_registration enable always trigger tool_registration_append_only;

create or replace trigger policy_pin_append_only
before update or delete or truncate on cmbs_store.policy_pin
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.policy_pin enable always trigger policy_pin_append_only;

create or replace trigger proposal_append_only
before update or delete or truncate on cmbs_store.proposal
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.proposal enable always trigger proposal_append_only;

create or replace trigger state_delta_append_only
before update or delete or truncate on cmbs_store.state_delta
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.state_delta enable always trigger state_delta_append_only;

create or replace trigger state_value_append_only
before update or delete or truncate on cmbs_store.state_value
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.state_value enable always trigger state_value_append_only;

create or replace trigger state_checkpoint_append_only
before update or delete or truncate on cmbs_store.state_checkpoint
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.state_checkpoint enable always trigger state_checkpoint_append_only;

create or replace trigger capability_token_append_only
before update or delete or truncate on cmbs_store.capability_token
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.capability_token enable always trigger capability_token_append_only;

create or replace trigger capability_revocation_append_only
before update or delete or truncate on cmbs_store.capability_revocation
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.capability_revocation
enable always trigger capability_revocation_append_only;

create or replace trigger capability_spending_append_only
before update or delete or truncate on cmbs_store.capability_spending
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.capability_spending enable always trigger capability_spending_append_only;

create or replace trigger interrupt_append_only
before update or delete or truncate on cmbs_store.interrupt
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.interrupt enable always trigger interrupt_append_only;

create or replace trigger claim_append_only
before update or delete or truncate on cmbs_store.claim
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.claim enable always trigger claim_append_only;

create or replace trigger claim_confirmation_append_only
before update or delete or truncate on cmbs_store.claim_confirmation
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.claim_confirmation enable always trigger claim_confirmation_append_only;

create or replace trigger elimination_claimant_append_only
before delete or truncate on cmbs_store.elimination_claimant
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.elimination_claimant enable always trigger elimination_claimant_append_only;

create or replace trigger elimination_count_append_only
before delete or truncate on cmbs_store.elimination_count
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.elimination_count enable always trigger elimination_count_append_only;
