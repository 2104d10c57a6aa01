-- cmbs_store.identity_misplaced
--
-- Events of the log of identities of a tenant that no verb would have appended there: about a
-- principal or token that is not there yet or is there already, or a change of nothing.

create or replace function cmbs_store.identity_misplaced(
    p_tenant text
)
returns setof bigint
language sql
stable
as $$
    with event as (
        select
            e.seq,
            e.verb,
            e.verb like '%\_TOKEN' as is_of_token,
            p.payload,
            '{"is_enabled": true}' || (p.payload - array['kind', 'is_login']) as rights
        from cmbs_store.identity_event as e
        cross join lateral (select cmbs_store.identity_payload(e.record) as payload) as p
        where e.tenant = p_tenant
    ),

    placed as (
        select
            e.seq,
            e.verb,
            e.payload,
            e.rights,
            lag(e.verb) over about as verb_before,
            lag(e.rights) over about as rights_before,
            lead(e.verb) over log as verb_after,
            lead(e.payload ->> 'token_id') over log as token_after
        from event as e
        window
            about as (
                partition by
                    e.is_of_token,
                    case when e.is_of_token then e.payload ->> 'token_id'
                        else e.payload ->> 'name' end
                order by e.seq
            ),
            log as (order by e.seq)
    ),

    made as (
        select
            p.payload ->> 'name' as name,
            min(p.seq) as seq
        from placed as p
        where p.verb = 'CREATE_PRINCIPAL'
        group by p.payload ->> 'name'
    )

    select p.seq
    from placed as p
    left join made as m on p.verb = 'CREATE_TOKEN' and m.name = p.payload ->> 'name'
    where case p.verb
        when 'CREATE_PRINCIPAL' then p.verb_before is not null
        when 'CHANGE_PRINCIPAL' then
            p.verb_before is null
            or p.rights = p.rights_before
            or not p.payload ?& array['name', 'roles', 'source_prefixes', 'is_enabled']
            or p.payload - array['name', 'roles', 'source_prefixes', 'is_enabled'] <> '{}'
        when 'CREATE_TOKEN' then
            p.verb_before is not null
            or coalesce(m.seq > p.seq, true)
            or p.payload ->> 'replaces' is not null
            and (p.verb_after, p.token_after)
                is distinct from ('REVOKE_TOKEN', p.payload ->> 'replaces')
        when 'REVOKE_TOKEN' then
            p.verb_before is distinct from 'CREATE_TOKEN' or p.payload - 'token_id' <> '{}'
        else true
    end
$$;
