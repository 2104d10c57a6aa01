-- cmbs_store.authority_reasons
--
-- The stage of namespace authority: what the roles of the proposer let one item do.

create or replace function cmbs_store.authority_reasons(
    p_item_no integer,
    p_item jsonb,
    p_roles text[]
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
begin
    if p_item ->> 'kind' = 'tool_call' then
        return case
            when 'agent' = any(p_roles) then '{}'
            else array[(
                p_item_no, 'authority', 'NAMESPACE_FORBIDDEN', null, 'block',
                'tools are called by agents'
            )::cmbs_store.reason]
        end;
    end if;
    return array(
        select (
            p_item_no, 'authority',
            case when f.is_known then 'NAMESPACE_FORBIDDEN' else 'NAMESPACE_UNKNOWN' end,
            f.key, 'block', f.detail
        )::cmbs_store.reason
        from (
            select
                k.key,
                k.key ~ '^(policy|constraint|goal|fact)(\.[a-z0-9_-]+)+$'
                and octet_length(k.key) <= 200 as is_known,
                case
                    when k.key ~ '^(policy|constraint)\.' then 'policy changes by policy_apply'
                    when k.key ~ '^fact\.belief(\.|$)' then 'the audit alone tells the belief'
                    when k.key ~ '^goal\.' and 'agent' <> all(p_roles)
                        then 'goals are written by agents'
                    when k.key ~ '^fact\.' and not p_roles && array['encoder', 'tool']
                        then 'facts are written by encoders and tools'
                end as detail
            from jsonb_object_keys(p_item -> 'patch') as k (key)
        ) as f
        where not f.is_known or f.detail is not null
        order by f.key collate "C"
    );
end
$$;
