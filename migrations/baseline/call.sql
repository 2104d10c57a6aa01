-- What every room stands on: the mark of the clock, and the frozen forms that all hashes share.
--
-- Every table says its kind in its comment: `session`, `context` or `incident` (its id comes first
-- in the primary key and in every unique constraint, and its rows are of that one alone),
-- `reference` (small, immutable, addressed by content) or `local` (of this node alone).
--
-- There are no foreign keys between the tables of a session, a context or an incident: they would
-- cost every verb one check query and a key-share lock. All of these rows are written by verbs that
-- hold the row lock of their session, context or incident, and `cmbs.verify` compares those of a
-- session with the log.
--
-- Functions that end in `_v1` are frozen: the hashed forms. Never replaced; a new form has a new
-- name and a new "v". They depend on no setting, and their bodies are bound to pg_catalog when they
-- are created. No time zone is named: what a name means is a setting of the caller. They are
-- `stable` where a built-in inside is marked so (else PL/pgSQL could not inline them).

comment on table cmbs_store.revision is
'reference: the revision of the schema; one row, which deployments alone change.';

create table cmbs_store.clock_mark (
    is_only boolean not null,
    reached_at timestamptz not null,
    lead_us bigint not null,
    n_steps integer not null,
    n_found integer not null,
    constraint clock_mark_is_only_pk primary key (is_only),
    constraint clock_mark_is_only_check check (is_only)
) with (fillfactor = 10);
insert into cmbs_store.clock_mark (is_only, reached_at, lead_us, n_steps, n_found)
values (true, to_timestamp(0), 0, 0, 0);
comment on table cmbs_store.clock_mark is
'local: how far time has come here, by how many microseconds the clock was set back in all and how '
'often, and how many of these steps every session with something granted has found.';

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

create function cmbs_store.digest_v1(p_text text)
returns bytea
language sql
stable
parallel safe
return sha256(convert_to(p_text, 'UTF8'));
comment on function cmbs_store.digest_v1(text) is
'sha-256 over the bytes of a canonical text: of a policy, a tool, a schema, an item, a value.';
revoke all on function cmbs_store.digest_v1(text) from public;
grant execute on function cmbs_store.digest_v1(text) to cmbs_kernel;
