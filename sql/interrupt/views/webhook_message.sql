-- cmbs.webhook_message
--
-- What has to be told of questions, and what came of it.

create or replace view cmbs.webhook_message with (security_barrier) as
select
    m.session_id,
    m.message_id,
    m.event,
    m.interrupt_id,
    m.created_at,
    m.state,
    m.n_attempts,
    case when m.state = 'pending' then m.next_at end as next_at,
    m.last_error
from cmbs_store.webhook_message as m
where (select cmbs.tenant()) = '*' or m.tenant = (select cmbs.tenant());

comment on view cmbs.webhook_message is
'What has to be told to a webhook, how often that was tried, and what came of it.';
comment on column cmbs.webhook_message.session_id is 'the session';
comment on column cmbs.webhook_message.message_id is 'the id that every delivery of it has';
comment on column cmbs.webhook_message.event is 'interrupt.opened or interrupt.resolved';
comment on column cmbs.webhook_message.interrupt_id is 'the question';
comment on column cmbs.webhook_message.created_at is 'when it happened';
comment on column cmbs.webhook_message.state is 'pending, delivered, or dead after the last try';
comment on column cmbs.webhook_message.n_attempts is 'how often it was tried';
comment on column cmbs.webhook_message.next_at is 'when it is tried next';
comment on column cmbs.webhook_message.last_error is 'why the last try failed';

revoke all on cmbs.webhook_message from public;
grant select on cmbs.webhook_message to cmbs_auditor, cmbs_policy, cmbs_analyst;
