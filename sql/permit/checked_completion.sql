-- cmbs_store.checked_completion
--
-- How an execution ended, as it is recorded: checked, with the status that follows and the hash of
-- the result.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_completion(
    p_permit_id uuid,
    p_outcome text,
    p_result json,
    p_usage json
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_result text := coalesce(cmbs_store.free_object('result', p_result), '{}');
    v_usage jsonb := coalesce(cmbs_store.free_object('usage', p_usage), '{}')::jsonb;
begin
    if p_outcome is null or p_outcome not in ('ok', 'error') then
        perform cmbs_store.refuse_request('outcome', 'must be ok or error');
    elsif exists (
        select
        from jsonb_each(v_usage) as u (unit, amount)
        where jsonb_typeof(u.amount) <> 'number'
            or u.amount::text !~ '^[0-9]{1,13}$'
            or u.unit = 'max_calls' and u.amount = '0'
    ) then
        perform cmbs_store.refuse_request(
            'usage', 'must be an object: unit -> whole number, at least 1 of max_calls'
        );
    end if;
    return jsonb_build_object(
        'permit_id', p_permit_id,
        'outcome', p_outcome,
        'status', case p_outcome when 'ok' then 'committed' else 'rolled_back' end,
        'result', v_result::jsonb,
        'result_hash', encode(cmbs_store.digest_v1(v_result), 'hex'),
        'usage', v_usage
    );
end
$$;
