-- cmbs.tee_message
--
-- What a Tee has to be told of sessions, and what came of it.

create or replace view cmbs.tee_message with (security_barrier) as
select
    m.session_id,
    m.seq,
    m.tenant,
    m.created_at,
    m.state,
    m.n_attempts,
    case when m.state = 'pending' then m.next_at end as next_at,
    m.last_error,
    m.delivered_at,
    extract(epoch from coalesce(m.delivered_at, clock_timestamp()) - m.created_at)
        as lag_seconds
from cmbs_store.tee_message as m
where (select cmbs.tenant()) = '*' or m.tenant = (select cmbs.tenant());

comment on view cmbs.tee_message is
'What the Tee that sessions are mirrored to has to be told, and what came of it.';
comment on column cmbs.tee_message.session_id is 'the session';
comment on column cmbs.tee_message.seq is 'the event that it is told';
comment on column cmbs.tee_message.tenant is 'whose session';
comment on column cmbs.tee_message.created_at is 'when that happened';
comment on column cmbs.tee_message.state is
'pending, delivered, or dead: refused, and what comes after it waits';
comment on column cmbs.tee_message.n_attempts is
'how often it was tried; of a message sent after another none of its own';
comment on column cmbs.tee_message.next_at is
'when it is tried next, if it is the next of its session';
comment on column cmbs.tee_message.last_error is 'why the last try failed';
comment on column cmbs.tee_message.delivered_at is 'when the Tee was told';
comment on column cmbs.tee_message.lag_seconds is 'how long that took, or has taken so far';

revoke all on cmbs.tee_message from public;
grant select on cmbs.tee_message to cmbs_auditor, cmbs_policy, cmbs_analyst;
