-- cmbs_store.identity_metrics
--
-- How many principals are enabled, and how many of their tokens count.

create or replace function cmbs_store.identity_metrics(
    p_now timestamptz
)
returns json
language sql
stable
as $$
    select json_build_object(
        'n_principals', count(distinct (p.name, p.tenant)),
        'n_tokens', count(t.token_id)
    )
    from cmbs_store.principal as p
    left join cmbs_store.api_token as t
        on t.name = p.name and t.tenant = p.tenant
            and t.revoked_at is null and cmbs_store.api_token_end(t) > p_now
    where p.is_enabled
$$;
