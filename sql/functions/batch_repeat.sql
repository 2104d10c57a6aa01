-- cmbs_store.batch_repeat
--
-- The outcome of a message of a batch that repeats a recorded one, or one before it in the batch.
--
-- p_first        the message that it repeats and
-- p_answer       the outcome of that, null if it was recorded before the batch
-- Raises         MB102 CONFLICT.

create or replace function cmbs_store.batch_repeat(
    p_session_id uuid,
    p_message jsonb,
    p_first jsonb,
    p_answer text
)
returns text
language plpgsql
stable
as $$
declare
    v_eliminated text[] := array(select jsonb_array_elements_text(p_message -> 'eliminated'));
    v_answer jsonb;
begin
    if p_answer is null then
        return cmbs_store.recorded_elimination(
            p_session_id, p_message ->> 'source_id', p_message ->> 'observation_id', v_eliminated
        );
    end if;
    v_answer := format('{%s}', p_answer)::jsonb;
    return cmbs_store.repeated_elimination(
        (v_answer ->> 'audit_event_id')::uuid,
        p_message ->> 'source_id', p_message ->> 'observation_id',
        p_first -> 'eliminated', v_answer -> 'applied_eliminated', v_eliminated
    );
end
$$;

comment on function cmbs_store.batch_repeat(uuid, jsonb, jsonb, text) is
'The outcome of a message of a batch that repeats another. Raises MB102.';

revoke all on function cmbs_store.batch_repeat(uuid, jsonb, jsonb, text) from public;
