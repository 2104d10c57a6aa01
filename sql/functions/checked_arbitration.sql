-- cmbs_store.checked_arbitration
--
-- The policy pack that a declare names, checked; null if it names none.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.checked_arbitration(
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
    perform cmbs_store.check_members('arbitration', v_sent, '{pack, version}');
    perform cmbs_store.check_label('arbitration.pack', cmbs_store.text_member(v_sent, 'pack'));
    if jsonb_typeof(v_sent -> 'version') is distinct from 'number'
        or v_sent ->> 'version' !~ '^[0-9]{1,9}$'
    then
        perform cmbs_store.refuse_request(
            'arbitration.version', 'must be the number of a version of the pack'
        );
    end if;
    return v_sent;
end
$$;

comment on function cmbs_store.checked_arbitration(json) is
'The policy pack that a declare names, checked; null if it names none. Raises MB201.';

revoke all on function cmbs_store.checked_arbitration(json) from public;
