-- cmbs_store.import_log
--
-- Appends records to a log as they are, one a line, if each follows the one before it.

create or replace function cmbs_store.import_log(
    p_session cmbs_store.session,
    p_records text
)
returns void
language plpgsql
volatile
as $$
declare
    v_seq bigint;
    v_events bigint;
    v_bad_seq bigint;
begin
    insert into cmbs_store.audit_event (
        session_id, seq, recorded_at, event_id, event_hash, verb, actor,
        source_id, observation_id, request_id, record
    )
    select
        (p.parsed ->> 'session_id')::uuid,
        (p.parsed ->> 'seq')::bigint,
        (p.parsed ->> 'ts')::timestamptz,
        (p.parsed ->> 'event_id')::uuid,
        cmbs_store.event_hash_v1(l.record),
        p.parsed ->> 'verb',
        p.parsed ->> 'actor',
        p.parsed -> 'payload' ->> 'source_id',
        p.parsed -> 'payload' ->> 'observation_id',
        p.parsed -> 'payload' ->> 'request_id',
        l.record
    from string_to_table(p_records, e'\n') as l (record)
    -- Each record is parsed once, not once for each column.
    cross join lateral (select l.record::jsonb as parsed offset 0) as p
    -- What lacks one of these is missed below.
    where num_nulls(
        p.parsed ->> 'session_id', p.parsed ->> 'seq', p.parsed ->> 'ts',
        p.parsed ->> 'event_id', p.parsed ->> 'verb', p.parsed ->> 'actor'
    ) = 0
    on conflict do nothing;

    select max(c.seq), count(*), min(c.seq) filter (where c.is_bad)
    into v_seq, v_events, v_bad_seq
    from (
        select
            e.seq,
            e.seq <> p_session.audit_seq + row_number() over log
            or e.recorded_at < coalesce(lag(e.recorded_at) over log, p_session.audit_head_at)
            or cmbs_store.event_seq(e.event_id) <> e.seq
            or cmbs_store.prev_event_hash(e.record) <> encode(
                coalesce(lag(e.event_hash) over log, p_session.audit_head_hash), 'hex'
            ) as is_bad
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id and e.seq > p_session.audit_seq
        window log as (order by e.seq)
    ) as c;
    -- One that was not inserted was here before, or belongs to another session.
    if v_bad_seq is not null
        or v_events <> (
            select count(*) from string_to_table(p_records, e'\n')
        )
    then
        perform cmbs_store.refuse_import(
            p_session.session_id, coalesce(v_bad_seq, v_seq + 1, p_session.audit_seq + 1),
            'it does not follow the event before it'
        );
    end if;
end
$$;
