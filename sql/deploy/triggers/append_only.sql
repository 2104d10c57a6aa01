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
