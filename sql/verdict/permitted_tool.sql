-- cmbs_store.permitted_tool
--
-- What a call of a tool would get now, as far as that can be told without its arguments: `depends`
-- where nothing but a schema that constraints hold them against stands in the way.

create or replace function cmbs_store.permitted_tool(
    p_session cmbs_store.session,
    p_caller cmbs_store.principal,
    p_given cmbs_store.verdict_input,
    p_tool_id text
)
returns json
language plpgsql
stable
as $$
declare
    v_verdict jsonb;
begin
    p_given.proposal := jsonb_build_object(
        'state_snapshot_id', p_session.audit_head_event_id,
        'atomic', true,
        'idempotency_key', '',
        'items', jsonb_build_array(jsonb_build_object('kind', 'tool_call', 'tool_id', p_tool_id))
    );
    v_verdict := cmbs_store.decide(
        p_session, p_caller.name, p_given, null, cmbs_store.policy_in_force(p_session)
    );
    return json_build_object(
        'tool_id', p_tool_id,
        'decision', case
            when v_verdict ->> 'decision' <> 'allow'
                and jsonb_array_length(v_verdict -> 'reasons') = jsonb_array_length(
                    jsonb_path_query_array(
                        v_verdict, '$.reasons[*] ? (@.detail like_regex "^args .*no value")'
                    )
                ) then 'depends'
            else v_verdict ->> 'decision'
        end,
        'disposition', v_verdict -> 'disposition',
        'reason_code', v_verdict -> 'reason_code',
        'reasons', v_verdict -> 'reasons'
    );
end
$$;
