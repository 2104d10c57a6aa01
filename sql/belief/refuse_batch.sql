-- cmbs_store.refuse_batch
--
-- Ends a batch with the error of one of its messages, which it names. An event that the batch
-- itself would have recorded is not named: it is undone with the rest.
--
-- p_index     the message, counted from 0
-- p_recorded  the last seq of before the batch
-- Raises      the error of the message, always; MB201 INVALID_REQUEST for what PostgreSQL refused.

create or replace function cmbs_store.refuse_batch(
    p_state text,
    p_text text,
    p_detail text,
    p_hint text,
    p_index integer,
    p_recorded bigint
)
returns void
language plpgsql
volatile
as $$
declare
    v_details jsonb;
begin
    if p_state !~ '^MB' then
        p_state := 'MB201';
        p_text := 'The request is not valid.';
        p_detail := '{"problem": "holds a value that cannot be stored"}';
        p_hint := 'See details for the message; nothing was changed.';
    end if;
    v_details := jsonb_set(p_detail::jsonb, '{index}', to_jsonb(p_index));
    if cmbs_store.event_seq((v_details ->> 'audit_event_id')::uuid) > p_recorded then
        v_details := v_details - 'audit_event_id';
    end if;
    perform cmbs_store.refuse(
        p_state,
        p_text,
        v_details::text,
        p_hint
    );
end
$$;
