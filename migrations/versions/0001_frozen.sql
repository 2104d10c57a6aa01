-- Frozen functions: the hashed forms. Never replaced; a new form is a new name and a new "v".
-- They depend on no setting, and their bodies are bound to pg_catalog when they are created.
-- No time zone is named: what a name means is a setting of the caller.
-- `stable` where a built-in inside is marked so (else PL/pgSQL could not inline them).

-- The text that stands for a set of ids, already in byte order and without duplicates.
create function cmbs_store.universe_digest_v1(p_ids_text text)
returns bytea
language sql
stable
parallel safe
return sha256(convert_to(p_ids_text, 'UTF8'));
comment on function cmbs_store.universe_digest_v1(text) is
'sha-256 over the canonical text of the sorted ids.';
revoke all on function cmbs_store.universe_digest_v1(text) from public;
grant execute on function cmbs_store.universe_digest_v1(text) to cmbs_kernel;

create function cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea)
returns bytea
language sql
immutable
parallel safe
return sha256(p_universe_digest || p_mask);
comment on function cmbs_store.survivors_hash_v1(bytea, bytea) is
'sha-256 over universe digest and survivor mask.';
revoke all on function cmbs_store.survivors_hash_v1(bytea, bytea) from public;
grant execute on function cmbs_store.survivors_hash_v1(bytea, bytea) to cmbs_kernel;

-- n bits, all set or all clear; spare bits of the last byte are always clear.
create function cmbs_store.mask_v1(p_n_bits integer, p_alive boolean)
returns bytea
language sql
immutable
parallel safe
return case
    when not p_alive then decode(repeat('00', (p_n_bits + 7) / 8), 'hex')
    when p_n_bits % 8 = 0 then decode(repeat('ff', p_n_bits / 8), 'hex')
    else decode(repeat('ff', p_n_bits / 8) || lpad(to_hex((1 << p_n_bits % 8) - 1), 2, '0'), 'hex')
end;
comment on function cmbs_store.mask_v1(integer, boolean) is
'A mask of n bits, all set or all clear.';
revoke all on function cmbs_store.mask_v1(integer, boolean) from public;
grant execute on function cmbs_store.mask_v1(integer, boolean) to cmbs_kernel;

create function cmbs_store.timestamp_v1(p_at timestamptz)
returns text
language sql
stable
parallel safe
return to_char(timezone(interval '0', p_at), 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"');
comment on function cmbs_store.timestamp_v1(timestamptz) is
'A time as records hold it: UTC, microseconds.';
revoke all on function cmbs_store.timestamp_v1(timestamptz) from public;
grant execute on function cmbs_store.timestamp_v1(timestamptz) to cmbs_kernel;

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
