-- cmbs_store.checked_proposal
--
-- A proposal as it is recorded: its shape checked, its values as texts, what was left out filled
-- in, without the secret of its token and its mode.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_proposal(
    p_proposal jsonb,
    p_request_id text
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_key text := cmbs_store.text_member(p_proposal, 'idempotency_key');
    v_provenance jsonb := p_proposal -> 'provenance';
begin
    perform cmbs_store.check_members('proposal', p_proposal, array[
        'state_snapshot_id', 'provenance', 'items', 'capability_token', 'idempotency_key',
        'atomic', 'mode'
    ]);
    if p_proposal ->> 'state_snapshot_id' is null
        or p_proposal ->> 'state_snapshot_id' !~*
        '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$'
    then
        perform cmbs_store.refuse_request('state_snapshot_id', 'must be the id of an event');
    elsif jsonb_typeof(v_provenance) is distinct from 'object'
        or jsonb_typeof(v_provenance -> 'source') is distinct from 'string'
    then
        perform cmbs_store.refuse_request('provenance', 'must be an object with a source');
    elsif jsonb_typeof(p_proposal -> 'atomic') not in ('boolean', 'null') then
        perform cmbs_store.refuse_request('atomic', 'must be true or false');
    elsif p_proposal -> 'mode' not in ('"enforce"', '"dry_run"', 'null') then
        perform cmbs_store.refuse_request('mode', 'must be enforce or dry_run');
    elsif v_key <> p_request_id then
        perform cmbs_store.refuse_request('idempotency_key', 'must be the one of the request');
    end if;
    perform cmbs_store.check_id('provenance.source', v_provenance ->> 'source');
    perform cmbs_store.text_member(p_proposal, 'capability_token');
    v_key := coalesce(v_key, p_request_id);
    if v_key is not null then
        perform cmbs_store.check_id('idempotency_key', v_key);
    end if;
    return jsonb_strip_nulls(jsonb_build_object('idempotency_key', v_key)) || jsonb_build_object(
        'state_snapshot_id', lower(p_proposal ->> 'state_snapshot_id'),
        'provenance', v_provenance,
        'atomic', coalesce((p_proposal ->> 'atomic')::boolean, true),
        'items', cmbs_store.checked_items(p_proposal -> 'items')
    );
end
$$;
