-- cmbs.audit_identities
--
-- The log of identities of a tenant, in order: who made and changed which principal and token.
--
-- Promises   each event as it was recorded, with its hash; next_since_seq is null at the end.
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.audit_identities(
    p_since_seq bigint default 0,
    p_limit integer default 500,
    p_tenant text default null,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'audit_identities', '{admin, auditor}'
    );
    v_tenant text := cmbs_store.check_tenant(v_caller, p_tenant);
    v_since bigint := coalesce(p_since_seq, 0);
    v_limit integer := coalesce(p_limit, 500);
    v_events text[];
    v_seqs bigint[];
begin
    perform cmbs_store.check_limit(v_limit, 500);
    select
        array_agg(
            format(
                '{"event_hash": "%s", "record": %s}',
                encode(l.event_hash, 'hex'), to_json(l.record)
            )
            order by l.seq
        ),
        array_agg(l.seq order by l.seq)
    into v_events, v_seqs
    from (
        select e.seq, e.event_hash, e.record
        from cmbs_store.identity_event as e
        where e.tenant = v_tenant and e.seq > v_since
        order by e.seq
        limit v_limit + 1
    ) as l;
    return format(
        '{"events": [%s], "next_since_seq": %s}',
        array_to_string(v_events[1:v_limit], ', '),
        case
            when cardinality(v_events) > v_limit then v_seqs[v_limit]::text
            else 'null'
        end
    )::json;
end
$$;

grant execute on function cmbs.audit_identities
to cmbs_server, cmbs_admin, cmbs_auditor, cmbs_owner;
