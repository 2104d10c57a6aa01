-- Append-only, second belt, for the tables of execution and approval: as append_only.sql says.

create or replace trigger permit_append_only
before update or delete or truncate on cmbs_store.permit
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.permit enable always trigger permit_append_only;

create or replace trigger permit_begin_append_only
before update or delete or truncate on cmbs_store.permit_begin
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.permit_begin enable always trigger permit_begin_append_only;

create or replace trigger permit_end_append_only
before update or delete or truncate on cmbs_store.permit_end
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.permit_end enable always trigger permit_end_append_only;

create or replace trigger interrupt_resolution_append_only
before update or delete or truncate on cmbs_store.interrupt_resolution
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.interrupt_resolution enable always trigger interrupt_resolution_append_only;

create or replace trigger interrupt_use_append_only
before update or delete or truncate on cmbs_store.interrupt_use
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.interrupt_use enable always trigger interrupt_use_append_only;

create or replace trigger deferral_append_only
before update or delete or truncate on cmbs_store.deferral
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.deferral enable always trigger deferral_append_only;

create or replace trigger session_mode_append_only
before update or delete or truncate on cmbs_store.session_mode
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.session_mode enable always trigger session_mode_append_only;

create or replace trigger shadow_pin_append_only
before update or delete or truncate on cmbs_store.shadow_pin
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.shadow_pin enable always trigger shadow_pin_append_only;

create or replace trigger webhook_append_only
before update or delete or truncate on cmbs_store.webhook
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.webhook enable always trigger webhook_append_only;

create or replace trigger open_item_append_only
before delete or truncate on cmbs_store.open_item
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.open_item enable always trigger open_item_append_only;

create or replace trigger webhook_message_append_only
before delete or truncate on cmbs_store.webhook_message
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.webhook_message enable always trigger webhook_message_append_only;

create or replace trigger clock_step_append_only
before update or delete or truncate on cmbs_store.clock_step
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.clock_step enable always trigger clock_step_append_only;
