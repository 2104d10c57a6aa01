-- cmbs_store.setting_fault
--
-- What is wrong with a setting of a policy that verdicts read; null if nothing is. Other entries of
-- policy.* may hold what they like.

create or replace function cmbs_store.setting_fault(
    p_key text,
    p_value jsonb
)
returns text
language sql
immutable
as $$
    select case
        when jsonb_typeof(p_value) is distinct from 'object' then 'it cannot be read'
        when p_value - 'v' - case p_key
            when 'policy.required_constraints' then array['value']
            when 'policy.arbitration' then array['default']
            when 'policy.claims' then array['threshold', 'default_ttl_ms']
            when 'policy.budgets' then array['soft']
            when 'policy.interrupts' then array['ttl_ms']
            when 'policy.permits' then array['ttl_ms']
            when 'policy.clarifications' then array['max_questions']
            when 'policy.deferrals' then array['max_attempts', 'backoff_ms']
            when 'policy.cooldowns' then array['tools']
            when 'policy.modes'
                then array['boost', 'normal', 'eco', 'thermal', 'offline_safe']
        end <> '{}' then 'it has members that are not known'
        else case p_key
        when 'policy.required_constraints' then case
            when jsonb_typeof(p_value -> 'value') is distinct from 'array'
                or jsonb_path_exists(p_value, 'strict $.value[*] ? (@.type() != "string")')
                then 'value must be a list of keys'
        end
        when 'policy.arbitration' then case
            when coalesce(p_value -> 'default' not in ('"strict"', '"grant"'), true)
                then 'default must be strict or grant'
        end
        when 'policy.claims' then case
            when p_value ? 'threshold' and (
                jsonb_typeof(p_value -> 'threshold') <> 'number'
                or p_value -> 'threshold' not between '0' and '1'
            ) then 'threshold must be a number from 0 to 1'
            when p_value ? 'default_ttl_ms' and (
                jsonb_typeof(p_value -> 'default_ttl_ms') <> 'number'
                or p_value -> 'default_ttl_ms' not between '1' and '31536000000000'
                or p_value ->> 'default_ttl_ms' !~ '^[0-9]+$'
            ) then 'default_ttl_ms must be a whole number of milliseconds'
        end
        when 'policy.budgets' then case
            when jsonb_typeof(p_value -> 'soft') is distinct from 'object'
                or jsonb_path_exists(
                    p_value,
                    'strict $.soft.* ? (@.type() != "number" || @ < 0 || @ > 100 || @ != @.floor())'
                )
                then 'soft must be an object: unit -> whole number of percent'
        end
        else cmbs_store.scheduler_setting_fault(p_key, p_value)
        end
    end
$$;
