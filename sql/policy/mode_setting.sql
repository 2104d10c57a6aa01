-- cmbs_store.mode_setting
--
-- What a mode means: what policy.modes says of it, and the rest as it is everywhere.

create or replace function cmbs_store.mode_setting(
    p_settings jsonb,
    p_mode text
)
returns jsonb
language sql
immutable
as $$
    select m.setting || coalesce(p_settings -> 'policy.modes' -> p_mode, '{}')
    from cmbs_store.modes() as m
    where m.mode = p_mode
$$;
