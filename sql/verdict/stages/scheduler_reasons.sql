-- cmbs_store.scheduler_reasons
--
-- The stage of the scheduler for calls of tools: whether the mode forbids the effects of the tool,
-- and whether it was allowed too short a time ago.
--
-- As of the event that the session is given as of.

create or replace function cmbs_store.scheduler_reasons(
    p_session cmbs_store.session,
    p_items jsonb,
    p_definitions jsonb,
    p_settings jsonb,
    p_at timestamptz
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_mode text;
begin
    if not jsonb_path_exists(p_items, '$[*] ? (@.kind == "tool_call")') then
        return '{}'::cmbs_store.reason[];
    end if;
    v_mode := cmbs_store.mode_in_force(p_session);
    return array(
        select (
            i.item_no, 'scheduler', 'MODE_FORBIDS', null,
            case
                when cmbs_store.lower_mode(p_settings, v_mode, e.effect_class) is null then 'block'
                else 'degrade'
            end,
            format('the mode %s forbids effects that are %s', v_mode, e.effect_class)
        )::cmbs_store.reason
        from jsonb_array_elements(p_items) with ordinality as i (item, item_no)
        cross join lateral (
            select p_definitions -> (i.item ->> 'tool_id') ->> 'effect_class' as effect_class
        ) as e
        where cmbs_store.mode_setting(p_settings, v_mode) -> 'forbids' ? e.effect_class
        order by i.item_no
    ) || array(
        select (
            i.item_no, 'scheduler', 'COOLDOWN_ACTIVE', null, 'defer',
            format('%s may be called again at %s',
                left(i.item ->> 'tool_id', 200), cmbs_store.timestamp_v1(c.ends_at))
        )::cmbs_store.reason
        from (
            select
                e.item, e.item_no,
                row_number() over (partition by e.item ->> 'tool_id' order by e.item_no) as call_no
            from jsonb_array_elements(p_items) with ordinality as e (item, item_no)
            where e.item ->> 'kind' = 'tool_call' and p_settings ? 'policy.cooldowns'
        ) as i
        cross join lateral (
            select greatest(
                cmbs_store.cooldown_end(p_session, i.item ->> 'tool_id', p_settings),
                case when i.call_no > 1 then p_at + (
                    p_settings -> 'policy.cooldowns' -> 'tools' ->> (i.item ->> 'tool_id')
                )::bigint * interval '1 millisecond' end
            ) as ends_at
        ) as c
        where c.ends_at > p_at
        order by i.item_no
    );
end
$$;
