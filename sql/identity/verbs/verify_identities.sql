-- cmbs.verify_identities
--
-- Recomputes the log of identities of every tenant that the caller sees, and compares principals
-- and tokens with what it leads to.
--
-- Promises   a broken log is an answer: ok is false, and first_bad says where and why.
-- Locks      nothing.
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs.verify_identities(
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
-- Without statistics, the planner would compare every event with every other. What it is kept from
-- it takes for so dear that it would be compiled first, which takes a second.
set enable_nestloop = off
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'verify_identities', '{admin, auditor}'
    );
begin
    return (
        select json_build_object(
            'ok', coalesce(bool_and(f.p_seq is null), true),
            'tenants', coalesce(
                json_agg(
                    json_build_object(
                        'tenant', l.tenant,
                        'ok', f.p_seq is null,
                        'rows_checked', f.p_rows,
                        'head_hash', encode(f.p_head_hash, 'hex'),
                        'first_bad', case
                            when f.p_seq is not null
                                then json_build_object('seq', f.p_seq, 'reason', f.p_reason)
                        end
                    )
                    order by l.tenant
                ),
                '[]'
            )
        )
        from (
            select '*' as tenant
            union
            select h.tenant from cmbs_store.identity_head as h
            union
            select e.tenant from cmbs_store.identity_event as e
            union
            select p.tenant from cmbs_store.principal as p
            union
            select t.tenant from cmbs_store.api_token as t
        ) as l
        cross join lateral cmbs_store.identity_fault(l.tenant) as f
        where v_caller.tenant in ('*', l.tenant)
    );
end
$$;

grant execute on function cmbs.verify_identities
to cmbs_server, cmbs_admin, cmbs_auditor, cmbs_owner;
