-- cmbs_store.live_values
--
-- What a session has in a range of keys, as of an event.

create or replace function cmbs_store.live_values(
    p_session_id uuid,
    p_seq bigint,
    p_from text,
    p_below text
)
returns table (key text, seq bigint, value text)
language sql
stable
as $$
    select l.key, l.seq, l.value
    from (
        select distinct on (v.key) v.key, v.seq, v.value
        from cmbs_store.state_value as v
        where v.session_id = p_session_id
            and v.key >= p_from
            and v.key < p_below
            and v.seq <= p_seq
        order by v.key, v.seq desc
    ) as l
    where l.value is not null
$$;
