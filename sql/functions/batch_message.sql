-- cmbs_store.batch_message
--
-- One message of a batch, checked as ELIMINATE checks its arguments.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.batch_message(
    p_message json,
    p_session_id uuid,
    out p_source_id text,
    out p_observation_id text,
    out p_eliminated text[],
    out p_justification text,
    out p_notes text
)
language plpgsql
stable
as $$
declare
    v_message jsonb;
begin
    if json_typeof(p_message) <> 'object' then
        perform cmbs_store.refuse_request('messages', 'every message must be a JSON object');
    end if;
    v_message := p_message::jsonb;
    perform cmbs_store.check_members(
        'messages', v_message,
        array['session_id', 'source_id', 'observation_id', 'eliminated', 'justification', 'notes']
    );
    if (select count(*) from json_object_keys(p_message))
        <> (select count(*) from jsonb_object_keys(v_message))
    then
        perform cmbs_store.refuse_request('messages', 'a key may appear once in an object');
    end if;
    p_source_id := cmbs_store.text_member(v_message, 'source_id');
    p_observation_id := cmbs_store.text_member(v_message, 'observation_id');
    p_notes := cmbs_store.text_member(v_message, 'notes');
    if cmbs_store.text_member(v_message, 'session_id')::uuid <> p_session_id then
        perform cmbs_store.refuse_request('session_id', 'must be the session of the batch');
    end if;
    if jsonb_typeof(v_message -> 'eliminated') is distinct from 'array'
        or jsonb_path_exists(v_message, 'strict $.eliminated[*] ? (@.type() != "string")')
    then
        perform cmbs_store.refuse_request('eliminated', 'must be a list of ids');
    end if;
    p_eliminated := array(select jsonb_array_elements_text(v_message -> 'eliminated'));
    if jsonb_typeof(v_message -> 'justification') <> 'null' then
        p_justification := cmbs_store.free_object('justification', p_message -> 'justification');
    end if;
    p_justification := coalesce(p_justification, '{}');
    perform cmbs_store.check_envelope(p_session_id, null, p_notes);
    perform cmbs_store.check_elimination(p_source_id, p_observation_id, p_eliminated);
end
$$;

comment on function cmbs_store.batch_message(json, uuid) is
'One message of a batch, checked. Raises MB201, MB203.';

revoke all on function cmbs_store.batch_message(json, uuid) from public;
