-- cmbs_store.identity_fault
--
-- The first event of the log of identities of a tenant that breaks its chain, else the first one
-- that cannot stand where it does or whose principal or token is not as it says. A row that no
-- event made counts after the end.

create or replace function cmbs_store.identity_fault(
    p_tenant text,
    out p_rows bigint,
    out p_head_hash bytea,
    out p_seq bigint,
    out p_reason text
)
language plpgsql
stable
as $$
declare
    v_head cmbs_store.identity_head;
begin
    select h.* into v_head from cmbs_store.identity_head as h where h.tenant = p_tenant;
    p_head_hash := v_head.event_hash;
    select
        count(*),
        min(c.no) filter (where c.is_bad)
    into p_rows, p_seq
    from (
        select
            e.seq <> row_number() over log
            or e.event_hash <> cmbs_store.event_hash_v1(e.record)
            or e.record <> cmbs_store.identity_record_v1(
                e.tenant, e.seq, e.recorded_at, e.verb, e.actor,
                cmbs_store.identity_payload(e.record)::text,
                coalesce(lag(e.event_hash) over log, decode(repeat('00', 32), 'hex'))
            )
            or e.recorded_at < lag(e.recorded_at) over log as is_bad,
            row_number() over log as no
        from cmbs_store.identity_event as e
        where e.tenant = p_tenant
        window log as (order by e.seq)
    ) as c;
    if p_seq is not null then
        p_reason := 'the event is missing, or was changed';
    elsif p_rows <> coalesce(v_head.seq, 0) then
        p_seq := greatest(least(p_rows, v_head.seq), 0) + 1;
        p_reason := 'the log does not end where it should';
    -- Whoever changes an identity locks the head of *, so it is there before any event is.
    elsif p_rows = 0 and (v_head.event_hash, v_head.recorded_at) is distinct from (
        case when p_tenant = '*' then decode(repeat('00', 32), 'hex') end,
        case when p_tenant = '*' then timestamptz '-infinity' end
    ) then
        p_seq := 1;
        p_reason := 'the head is not that of an empty log';
    elsif p_rows > 0 and not exists (
        select
        from cmbs_store.identity_event as e
        where e.tenant = p_tenant
            and e.seq = p_rows
            and e.event_hash = v_head.event_hash
            and e.recorded_at = v_head.recorded_at
    ) then
        p_seq := p_rows;
        p_reason := 'the head is not that of the last event';
    else
        select f.seq, f.reason
        into p_seq, p_reason
        from (
            select m.seq, 'no verb records this after what is before it' as reason
            from cmbs_store.identity_misplaced(p_tenant) as m (seq)
            union all
            select s.seq, 'what is stored is not what the log leads to'
            from cmbs_store.identity_state_faults(p_tenant) as s (seq)
        ) as f
        order by f.seq, f.reason
        limit 1;
    end if;
end
$$;
