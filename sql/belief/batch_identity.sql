-- cmbs_store.batch_identity
--
-- The digest of what makes two messages of a batch repeats of each other: the observation and the
-- set of ids.

create or replace function cmbs_store.batch_identity(
    p_message jsonb
)
returns text
language sql
stable
as $$
    select encode(sha256(convert_to(jsonb_build_array(
        p_message -> 'source_id',
        p_message -> 'observation_id',
        array(
            select distinct i.id collate "C"
            from jsonb_array_elements_text(p_message -> 'eliminated') as i (id)
            order by 1
        )
    )::text, 'UTF8')), 'hex')
$$;
