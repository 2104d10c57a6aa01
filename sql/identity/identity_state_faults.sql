-- cmbs_store.identity_state_faults
--
-- For each principal and token of a tenant that is not as its log of identities says, the event
-- that says so; the number after the last for one that no event made.

create or replace function cmbs_store.identity_state_faults(
    p_tenant text
)
returns setof bigint
language sql
stable
as $$
    with event as (
        select
            e.*,
            cmbs_store.identity_payload(e.record) as payload
        from cmbs_store.identity_event as e
        where e.tenant = p_tenant
    ),

    last_change as (
        select distinct on (e.payload ->> 'name')
            e.payload ->> 'name' as name,
            e.seq,
            e.payload
        from event as e
        where e.verb = 'CHANGE_PRINCIPAL'
        order by e.payload ->> 'name', e.seq desc
    ),

    told as (
        select
            c.payload ->> 'name' as name,
            coalesce(l.seq, c.seq) as seq,
            (c.payload || coalesce(l.payload, '{"is_enabled": true}'))
            || jsonb_build_object(
                'tenant', p_tenant, 'created_at', cmbs_store.timestamp_v1(c.recorded_at)
            ) as shown
        from event as c
        left join last_change as l on l.name = c.payload ->> 'name'
        where c.verb = 'CREATE_PRINCIPAL'
    ),

    token as (
        select
            c.payload ->> 'token_id' as token_id,
            coalesce(r.seq, c.seq) as seq,
            c.payload - 'replaces' || jsonb_build_object(
                'created_at', cmbs_store.timestamp_v1(c.recorded_at),
                'created_by', c.actor,
                'revoked_at', cmbs_store.timestamp_v1(r.recorded_at)
            ) as shown
        from event as c
        left join event as r
            on r.verb = 'REVOKE_TOKEN' and r.payload ->> 'token_id' = c.payload ->> 'token_id'
        where c.verb = 'CREATE_TOKEN'
    ),

    last_event as (select count(*) + 1 as seq from event)

    select coalesce(t.seq, n.seq)
    from last_event as n
    cross join (
        told as t
        full join (
            select p.name, cmbs_store.principal_json(p) as shown
            from cmbs_store.principal as p
            where p.tenant = p_tenant
        ) as s on s.name = t.name
    )
    where t.shown is distinct from s.shown
    union all
    select coalesce(t.seq, n.seq)
    from last_event as n
    cross join (
        token as t
        full join (
            select
                a.token_id::text as token_id,
                cmbs_store.api_token_json(a) - array['tenant', 'last_used_at']
                || jsonb_build_object('credential_hash', encode(a.credential_hash, 'hex'))
                || cmbs_store.recorded_token_end(a) as shown
            from cmbs_store.api_token as a
            where a.tenant = p_tenant
        ) as s on s.token_id = t.token_id
    )
    where t.shown is distinct from s.shown
$$;
