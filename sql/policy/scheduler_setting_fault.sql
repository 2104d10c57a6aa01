-- cmbs_store.scheduler_setting_fault
--
-- What is wrong with a setting of permits, questions, deferrals, modes or cooldowns; null if
-- nothing is.

create or replace function cmbs_store.scheduler_setting_fault(
    p_key text,
    p_value jsonb
)
returns text
language sql
immutable
as $$
    select case p_key
        when 'policy.permits' then cmbs_store.limit_fault(p_value, 'ttl_ms', 1, 86400000)
        when 'policy.interrupts' then cmbs_store.limit_fault(p_value, 'ttl_ms', 1, 31536000000)
        when 'policy.clarifications'
            then cmbs_store.limit_fault(p_value, 'max_questions', 0, 1000000)
        when 'policy.deferrals' then coalesce(
            cmbs_store.limit_fault(
                '{"max_attempts": 0}' || p_value, 'max_attempts', 0, 1000
            ),
            cmbs_store.limit_fault('{"backoff_ms": 1}' || p_value, 'backoff_ms', 1, 86400000)
        )
        when 'policy.cooldowns' then case
            when jsonb_typeof(p_value -> 'tools') is distinct from 'object' or exists (
                select
                from jsonb_object_keys(p_value -> 'tools') as t (tool_id)
                where cmbs_store.limit_fault(p_value -> 'tools', t.tool_id, 1, 31536000000)
                    is not null
            ) then 'tools must be an object: tool id -> whole number of milliseconds'
        end
        when 'policy.modes' then (
            select format(
                '%s must be an object with soft_percent, a whole number up to 1000, or forbids, a '
                'list of none, local, network and external', min(m.mode)
            )
            from jsonb_each(p_value - 'v') as m (mode, setting)
            where jsonb_typeof(m.setting) <> 'object'
                or m.setting - '{soft_percent, forbids}'::text[] <> '{}'
                or m.setting ? 'soft_percent' and cmbs_store.limit_fault(
                    m.setting, 'soft_percent', 0, 1000
                ) is not null
                or m.setting ? 'forbids' and not coalesce(
                    jsonb_typeof(m.setting -> 'forbids') = 'array'
                    and m.setting -> 'forbids' <@ '["none", "local", "network", "external"]', false
                )
            having count(*) > 0
        )
    end
$$;
