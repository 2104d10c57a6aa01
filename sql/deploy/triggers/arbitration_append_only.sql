-- Append-only, second belt, for the tables of arbitration: as append_only.sql says.

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
