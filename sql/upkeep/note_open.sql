-- cmbs_store.note_open
--
-- Notes permits, questions or deferrals that are open, and when each runs out; of a deferral that
-- was noted before when it is tried next, or that it waits no more.

create or replace function cmbs_store.note_open(
    p_session_id uuid,
    p_kind text,
    p_rows jsonb
)
returns void
language sql
volatile
as $$
    insert into cmbs_store.open_item as o (session_id, kind, item_id, tenant, due_at, is_open)
    select
        p_session_id, p_kind, (r.content ->> (p_kind || '_id'))::uuid, s.tenant,
        coalesce(r.content ->> 'next_at', r.content ->> 'expires_at', '-infinity')::timestamptz,
        p_kind <> 'deferral' or r.content ->> 'next_at' is not null
    from cmbs_store.session as s
    cross join lateral jsonb_array_elements(p_rows) as r (content)
    where s.session_id = p_session_id
    on conflict (session_id, kind, item_id) do update
    set
        is_open = excluded.is_open,
        due_at = case when excluded.is_open then excluded.due_at else o.due_at end
$$;
