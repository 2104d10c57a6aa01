-- cmbs_store.chain_fault
--
-- The first event of a session that breaks its chain: a gap, a hash that is not that of the
-- record, or a record that does not name the hash of the event before it. Rows come in the order of
-- the window, so the first reason is that of the first bad event.
--
-- p_rows   how many events there are
-- p_seq    the first bad one, null if there is none

create or replace function cmbs_store.chain_fault(
    p_session_id uuid,
    out p_rows bigint,
    out p_seq bigint,
    out p_reason text
)
language plpgsql
stable
as $$
begin
    select
        count(*),
        min(f.bad_seq),
        (array_agg(f.reason) filter (where f.bad_seq is not null))[1]
    into p_rows, p_seq, p_reason
    from (
        select
            case
                when c.seq <> c.no then least(c.seq, c.no)
                when c.event_hash <> c.real_hash then c.seq
                when c.named_hash <> coalesce(encode(c.previous_hash, 'hex'), repeat('0', 64))
                    then c.seq
            end as bad_seq,
            case
                when c.seq > c.no then 'the event is missing'
                when c.seq < c.no then 'the event is foreign'
                when c.event_hash <> c.real_hash then 'the record was changed: its hash differs'
                else 'the record does not name the event before it'
            end as reason
        from (
            select
                e.seq,
                e.event_hash,
                cmbs_store.event_hash_v1(e.record) as real_hash,
                cmbs_store.prev_event_hash(e.record) as named_hash,
                row_number() over log as no,
                lag(e.event_hash) over log as previous_hash
            from cmbs_store.audit_event as e
            where e.session_id = p_session_id
            window log as (order by e.seq)
        ) as c
    ) as f;
end
$$;
