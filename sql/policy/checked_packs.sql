-- cmbs_store.checked_packs
--
-- The policy pack that a declare names, and the one that is asked beside it, checked; null if it
-- names none.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.checked_packs(
    p_arbitration json
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_sent jsonb := cmbs_store.free_object('arbitration', p_arbitration)::jsonb;
begin
    if v_sent is null then
        return null;
    end if;
    perform cmbs_store.check_members('arbitration', v_sent, '{pack, version, shadow}');
    perform cmbs_store.check_version_named('arbitration', v_sent);
    if v_sent -> 'shadow' = 'null' then
        v_sent := v_sent - 'shadow';
    elsif v_sent ? 'shadow' then
        perform cmbs_store.checked_shadow((v_sent -> 'shadow')::json);
    end if;
    return v_sent;
end
$$;
