-- cmbs_store.checked_call
--
-- A tool call as it is recorded; without arguments it has none.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_call(
    p_member text,
    p_item jsonb
)
returns jsonb
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_members(
        p_member, p_item, '{kind, tool_id, args, artifacts, intent_summary}'
    );
    if jsonb_typeof(p_item -> 'args') not in ('object', 'null') then
        perform cmbs_store.refuse_request(p_member || '.args', 'must be an object');
    elsif jsonb_typeof(p_item -> 'artifacts') not in ('object', 'null') then
        perform cmbs_store.refuse_request(p_member || '.artifacts', 'must be an object');
    elsif octet_length(cmbs_store.text_member(p_item, 'intent_summary')) > 4096 then
        perform cmbs_store.refuse_size('intent_summary', '4 KiB');
    end if;
    perform cmbs_store.check_id(
        p_member || '.tool_id', cmbs_store.text_member(p_item, 'tool_id')
    );
    return jsonb_strip_nulls(p_item - '{args, artifacts}'::text[])
        || case
            when jsonb_typeof(p_item -> 'artifacts') = 'object'
                then jsonb_build_object('artifacts', p_item -> 'artifacts')
            else '{}'
        end
        || jsonb_build_object('args', case
            when jsonb_typeof(p_item -> 'args') = 'object' then p_item -> 'args' else '{}'
        end);
end
$$;
