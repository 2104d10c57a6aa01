-- The log: append-only, chained by hashes.

create table cmbs_store.audit_event (
    session_id uuid not null,
    seq bigint not null,
    recorded_at timestamptz not null,
    event_id uuid not null,
    event_hash bytea not null,
    verb text collate "C" not null,
    actor text collate "C" not null,
    source_id text collate "C",
    observation_id text collate "C",
    request_id text collate "C",
    record text collate "C" not null,
    constraint audit_event_seq_pk primary key (session_id, seq)
);
create unique index audit_event_observation_key
on cmbs_store.audit_event (session_id, source_id, observation_id) where source_id is not null;
create unique index audit_event_request_key
on cmbs_store.audit_event (session_id, request_id) where request_id is not null;
-- With one event per session on average, the planner would think the primary key as good a way to a
-- message as the message's own index, and read the whole log of the one long session.
alter table cmbs_store.audit_event alter column session_id set (n_distinct = 100);
comment on table cmbs_store.audit_event is
'session: the append-only, hash-chained log; record is the exact text that event_hash hashes.';

-- Members in canonical order: by length of the key, then by its bytes.
create function cmbs_store.record_v1(
    p_session_id uuid,
    p_seq bigint,
    p_event_id uuid,
    p_at timestamptz,
    p_verb text,
    p_actor text,
    p_notes text,
    p_payload text,
    p_eliminated text,
    p_before bytea,
    p_after bytea,
    p_previous bytea
)
returns text
language sql
stable
parallel safe
return format(
    '{"v": 1, "ts": "%s", "seq": %s, "verb": "%s", "actor": %s, "delta": {"eliminated": %s}%s, '
    '"payload": %s, "event_id": "%s", "session_id": "%s", "prev_event_hash": "%s", '
    '"survivors_after_hash": "%s", "survivors_before_hash": "%s"}',
    cmbs_store.timestamp_v1(p_at), p_seq, p_verb, to_json(p_actor), p_eliminated,
    ', "notes": ' || to_json(p_notes)::text, p_payload, p_event_id, p_session_id,
    encode(p_previous, 'hex'), encode(p_after, 'hex'), encode(p_before, 'hex')
);
comment on function cmbs_store.record_v1(uuid, bigint, uuid, timestamptz, text, text, text, text, text, bytea, bytea, bytea) is
'The canonical text of one event.';
revoke all on function cmbs_store.record_v1(uuid, bigint, uuid, timestamptz, text, text, text, text, text, bytea, bytea, bytea) from public;
grant execute on function cmbs_store.record_v1(uuid, bigint, uuid, timestamptz, text, text, text, text, text, bytea, bytea, bytea) to cmbs_kernel;

create function cmbs_store.event_hash_v1(p_record text)
returns bytea
language sql
stable
parallel safe
return sha256(convert_to(p_record, 'UTF8'));
comment on function cmbs_store.event_hash_v1(text) is
'sha-256 over the bytes of a record.';
revoke all on function cmbs_store.event_hash_v1(text) from public;
grant execute on function cmbs_store.event_hash_v1(text) to cmbs_kernel;
