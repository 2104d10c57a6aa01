-- cmbs_store.stored_values
--
-- Those of the given keys that a session has, as of an event, with the events that wrote them.

create or replace function cmbs_store.stored_values(
    p_session_id uuid,
    p_seq bigint,
    p_keys text[]
)
returns jsonb
language sql
stable
as $$
    select coalesce(
        jsonb_object_agg(
            k.key,
            jsonb_build_object('seq', w.seq, 'value', cmbs_store.readable_value(w.value))
        ),
        '{}'
    )
    from unnest(p_keys) as k (key)
    cross join lateral (
        select v.seq, v.value
        from cmbs_store.state_value as v
        where v.session_id = p_session_id and v.key = k.key and v.seq <= p_seq
        order by v.seq desc
        limit 1
    ) as w
    where w.value is not null
$$;
