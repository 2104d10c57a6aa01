-- cmbs_store.checked_claim
--
-- A claim as it is recorded: checked, with what was left out filled in.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_claim(
    p_claim json
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_sent jsonb := cmbs_store.free_object('claim', coalesce(p_claim, '{}'))::jsonb;
    v_confidence jsonb := coalesce(v_sent -> 'confidence', '0');
    v_event_id text := cmbs_store.text_member(v_sent, 'confirmed_by_event_id');
begin
    perform cmbs_store.check_members('claim', v_sent, array[
        'kind', 'key', 'value', 'confidence', 'source_chunk_ids', 'confirmed_by_event_id',
        'ttl_ms', 'review_at', 'conflict_state', 'on_unconfirmed'
    ]);
    perform cmbs_store.check_id('key', cmbs_store.text_member(v_sent, 'key'));
    if coalesce(v_sent ->> 'kind', '') not in (
        'fact', 'preference', 'decision', 'hypothesis', 'derived'
    ) then
        perform cmbs_store.refuse_request(
            'kind', 'must be fact, preference, decision, hypothesis or derived'
        );
    elsif not v_sent ? 'value' then
        perform cmbs_store.refuse_request('value', 'must be there');
    elsif jsonb_typeof(v_confidence) <> 'number' or v_confidence not between '0' and '1'
        or scale((v_confidence #>> '{}')::numeric) > 5
    then
        perform cmbs_store.refuse_request(
            'confidence', 'must be a number from 0 to 1 with up to 5 digits after the point'
        );
    elsif v_event_id !~* '^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$' then
        perform cmbs_store.refuse_request('confirmed_by_event_id', 'must be the id of an event');
    elsif coalesce(v_sent -> 'ttl_ms', 'null') <> 'null' and (
        jsonb_typeof(v_sent -> 'ttl_ms') <> 'number'
        or v_sent -> 'ttl_ms' not between '1' and '31536000000000'
        or v_sent ->> 'ttl_ms' !~ '^[0-9]+$'
    ) then
        perform cmbs_store.refuse_request('ttl_ms', 'must be a whole number of milliseconds');
    elsif coalesce(v_sent ->> 'conflict_state', 'none') not in (
        'none', 'contradictory', 'superseded', 'quarantined', 'pending_review'
    ) then
        perform cmbs_store.refuse_request(
            'conflict_state',
            'must be none, contradictory, superseded, quarantined or pending_review'
        );
    elsif coalesce(v_sent ->> 'on_unconfirmed', 'refuse') not in ('refuse', 'demote') then
        perform cmbs_store.refuse_request('on_unconfirmed', 'must be refuse or demote');
    end if;
    return jsonb_build_object(
        'kind', v_sent -> 'kind',
        'key', v_sent -> 'key',
        'value', v_sent -> 'value',
        'confidence', v_confidence,
        'source_chunk_ids', cmbs_store.text_list('source_chunk_ids', v_sent -> 'source_chunk_ids'),
        'confirmed_by_event_id', lower(v_event_id),
        'ttl_ms', coalesce(v_sent -> 'ttl_ms', 'null'),
        'review_at', cmbs_store.timestamp_v1(cmbs_store.time_member(v_sent, 'review_at')),
        'conflict_state', coalesce(v_sent ->> 'conflict_state', 'none'),
        'on_unconfirmed', coalesce(v_sent ->> 'on_unconfirmed', 'refuse')
    );
end
$$;
