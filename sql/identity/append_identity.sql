-- cmbs_store.append_identity
--
-- Appends one event to the log of identities of a tenant, and returns its time.
--
-- Locks      nothing: the caller holds the lock of the tenant's identities.

create or replace function cmbs_store.append_identity(
    p_tenant text,
    p_verb text,
    p_actor text,
    p_payload jsonb
)
returns timestamptz
language plpgsql
volatile
as $$
declare
    v_head cmbs_store.identity_head;
    v_record text;
begin
    perform cmbs_store.note_clock();
    select h.* into v_head from cmbs_store.identity_head as h where h.tenant = p_tenant;
    v_head.seq := coalesce(v_head.seq, 0) + 1;
    v_head.recorded_at := greatest(cmbs_store.clock(), v_head.recorded_at);
    v_record := cmbs_store.identity_record_v1(
        p_tenant, v_head.seq, v_head.recorded_at, p_verb, p_actor, p_payload::text,
        coalesce(v_head.event_hash, decode(repeat('00', 32), 'hex'))
    );
    v_head.event_hash := cmbs_store.event_hash_v1(v_record);
    insert into cmbs_store.identity_event (
        tenant, seq, recorded_at, event_hash, verb, actor, record
    )
    values (
        p_tenant, v_head.seq, v_head.recorded_at, v_head.event_hash, p_verb, p_actor, v_record
    );
    insert into cmbs_store.identity_head (tenant, seq, event_hash, recorded_at)
    values (p_tenant, v_head.seq, v_head.event_hash, v_head.recorded_at)
    on conflict (tenant) do update
    set
        seq = excluded.seq,
        event_hash = excluded.event_hash,
        recorded_at = excluded.recorded_at;
    return v_head.recorded_at;
end
$$;
