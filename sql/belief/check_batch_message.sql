-- cmbs_store.check_batch_message
--
-- Checks one message of a batch as ELIMINATE checks its arguments, and says what is wrong with it.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE; class 22 and 54001 from the cast.

create or replace function cmbs_store.check_batch_message(
    p_session_id uuid,
    p_message json
)
returns void
language plpgsql
stable
as $$
declare
    v_message jsonb;
    v_source_id text;
    v_observation_id text;
    v_notes text;
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
    v_source_id := cmbs_store.text_member(v_message, 'source_id');
    v_observation_id := cmbs_store.text_member(v_message, 'observation_id');
    v_notes := cmbs_store.text_member(v_message, 'notes');
    if cmbs_store.text_member(v_message, 'session_id')::uuid <> p_session_id then
        perform cmbs_store.refuse_request('session_id', 'must be the session of the batch');
    end if;
    if jsonb_typeof(v_message -> 'eliminated') is distinct from 'array'
        or jsonb_path_exists(v_message, 'strict $.eliminated[*] ? (@.type() != "string")')
    then
        perform cmbs_store.refuse_request('eliminated', 'must be a list of ids');
    end if;
    if jsonb_typeof(v_message -> 'justification') <> 'null' then
        perform cmbs_store.free_object('justification', p_message -> 'justification');
    end if;
    perform cmbs_store.check_envelope(p_session_id, null, v_notes);
    perform cmbs_store.check_elimination(
        v_source_id, v_observation_id,
        array(select jsonb_array_elements_text(v_message -> 'eliminated'))
    );
end
$$;
