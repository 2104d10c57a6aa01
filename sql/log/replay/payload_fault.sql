-- cmbs_store.payload_fault
--
-- What makes a payload one that its verb cannot have recorded; null if nothing does.

create or replace function cmbs_store.payload_fault(
    p_verb text,
    p_record jsonb
)
returns text
language sql
immutable
as $$
    select case
        when cmbs_store.is_payload(p_verb, p_record -> 'payload') is not true
            then 'the payload is not that of the verb'
        when cmbs_store.is_within_limits(p_verb, p_record) is not true
            or not cmbs_store.is_free_object(
                coalesce(
                    p_record -> 'payload' -> 'justification', p_record -> 'payload' -> 'context',
                    p_record -> 'payload' -> 'metadata', '{}'
                )
            )
            then 'the record is beyond the limits of the verb'
    end
$$;
