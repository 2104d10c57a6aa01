-- cmbs_store.is_plain_batch
--
-- Whether one look shows that all messages of a batch are well-formed, as nearly all batches are:
-- one statement instead of the checks that can say what is wrong, and with which message. An error
-- is no as well.
--
-- p_messages  the batch as sent, where repeated keys still show
-- p_batch     the same, parsed
-- Raises      MB201 and MB203 for a justification; class 22.

create or replace function cmbs_store.is_plain_batch(
    p_session_id uuid,
    p_messages json,
    p_batch jsonb
)
returns boolean
language plpgsql
stable
as $$
begin
    if p_session_id is null or jsonb_array_length(p_batch) not between 1 and 1000 then
        return false;
    end if;
    return (
        -- bool_and passes over nulls, and null is what a missing member gives
        select bool_and(
            (
                jsonb_typeof(m.message -> 'source_id') = 'string'
                and octet_length(m.message ->> 'source_id') between 1 and 512
                and jsonb_typeof(m.message -> 'observation_id') = 'string'
                and octet_length(m.message ->> 'observation_id') between 1 and 512
                and jsonb_array_length(m.message -> 'eliminated') <= 1000000
                and not jsonb_path_exists(
                    m.message, 'strict $.eliminated[*] ? (@.type() != "string" || @ == "")'
                )
                and (
                    -- an id is shorter than the text of all of them
                    octet_length((m.message -> 'eliminated')::text) <= 512
                    or not exists (
                        select
                        from jsonb_array_elements_text(m.message -> 'eliminated') as i (id)
                        where octet_length(i.id) > 512
                    )
                )
                and case coalesce(jsonb_typeof(m.message -> 'notes'), 'null')
                    when 'string' then octet_length(m.message ->> 'notes') <= 4096
                    when 'null' then true
                end
                and case coalesce(jsonb_typeof(m.message -> 'session_id'), 'null')
                    when 'string' then (m.message ->> 'session_id')::uuid = p_session_id
                    when 'null' then true
                end
                and case
                    when coalesce(m.message -> 'justification', 'null') in ('null', '{}') then true
                    else cmbs_store.free_object(
                        'justification', m.sent -> 'justification'
                    ) is not null
                end
                and m.message - array[
                    'source_id', 'observation_id', 'eliminated',
                    'justification', 'notes', 'session_id'
                ] = '{}'
                -- of six known keys, as many as there are: none is repeated
                and (select count(*) from json_object_keys(m.sent))
                = 3 + (m.message ? 'justification')::integer + (m.message ? 'notes')::integer
                + (m.message ? 'session_id')::integer
            ) is true
        )
        from rows from (
            json_array_elements(p_messages), jsonb_array_elements(p_batch)
        ) as m (sent, message)
    );
end
$$;
