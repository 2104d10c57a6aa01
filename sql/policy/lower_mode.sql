-- cmbs_store.lower_mode
--
-- The highest of the modes below another that does not forbid a class of effects; null if all do.

create or replace function cmbs_store.lower_mode(
    p_settings jsonb,
    p_mode text,
    p_effect_class text
)
returns text
language sql
immutable
as $$
    select b.mode
    from cmbs_store.modes() as m
    inner join cmbs_store.modes() as b on b.level > m.level
    where m.mode = p_mode
        and not cmbs_store.mode_setting(p_settings, b.mode) -> 'forbids' ? p_effect_class
    order by b.level
    limit 1
$$;
