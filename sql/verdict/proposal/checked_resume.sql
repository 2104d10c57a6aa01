-- cmbs_store.checked_resume
--
-- The items of a message that goes on with a proposal, as they would be recorded, once its shape is
-- checked.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_resume(
    p_sent jsonb,
    p_request_id text
)
returns jsonb
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_members('proposal', p_sent, array[
        'state_snapshot_id', 'provenance', 'items', 'capability_token', 'idempotency_key',
        'atomic', 'mode'
    ]);
    perform cmbs_store.text_member(p_sent, 'capability_token');
    if p_sent -> 'mode' not in ('"enforce"', 'null') then
        perform cmbs_store.refuse_request('mode', 'must be enforce: what goes on takes effect');
    elsif cmbs_store.text_member(p_sent, 'idempotency_key') <> p_request_id then
        perform cmbs_store.refuse_request('idempotency_key', 'must be the one of the request');
    end if;
    return cmbs_store.checked_items(p_sent -> 'items');
end
$$;
