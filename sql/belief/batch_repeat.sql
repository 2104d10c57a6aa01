-- cmbs_store.batch_repeat
--
-- The outcome of a message of a batch that repeats a recorded one, or one before it in the batch.
--
-- p_index        the message, counted from 0
-- p_first        the message that it repeats, -1 if that was recorded before the batch
-- p_answers      the outcomes of the messages before it
-- Raises         MB102 CONFLICT.

create or replace function cmbs_store.batch_repeat(
    p_session_id uuid,
    p_batch jsonb,
    p_index integer,
    p_first integer,
    p_answers text[]
)
returns text
language plpgsql
stable
as $$
declare
    v_message jsonb := p_batch -> p_index;
    v_eliminated text[] := array(select jsonb_array_elements_text(v_message -> 'eliminated'));
    v_answer jsonb;
begin
    if p_first < 0 then
        return cmbs_store.recorded_elimination(
            p_session_id, v_message ->> 'source_id', v_message ->> 'observation_id', v_eliminated
        );
    end if;
    v_answer := format('{%s}', p_answers[p_first + 1])::jsonb;
    return cmbs_store.repeated_elimination(
        (v_answer ->> 'audit_event_id')::uuid,
        v_message ->> 'source_id', v_message ->> 'observation_id',
        p_batch -> p_first -> 'eliminated', v_answer -> 'applied_eliminated', v_eliminated
    );
end
$$;
