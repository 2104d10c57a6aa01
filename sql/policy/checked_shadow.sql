-- cmbs_store.checked_shadow
--
-- The version of a policy pack that is to be asked beside the one in force, checked; null if none
-- is.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.checked_shadow(
    p_shadow json
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_sent jsonb := cmbs_store.free_object('shadow', p_shadow)::jsonb;
begin
    if v_sent is not null then
        perform cmbs_store.check_members('shadow', v_sent, '{pack, version}');
        perform cmbs_store.check_version_named('shadow', v_sent);
    end if;
    return v_sent;
end
$$;
