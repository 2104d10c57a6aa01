-- cmbs_store.prev_event_hash
--
-- The prev_event_hash of a record, read off its place: the last three members are of fixed width.
-- (Parsing the record would take ten times as long; a record of another form does not have its
-- hash there.)

create or replace function cmbs_store.prev_event_hash(
    p_record text
)
returns text
language sql
stable
as $$
    select encode(
        substr(convert_to(p_record, 'UTF8'), octet_length(p_record) - 250, 64), 'escape'
    )
$$;
