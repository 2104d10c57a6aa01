-- cmbs_store.mirror_status
--
-- How far the mirror is behind: what waits, since when, how often that was tried in vain, and what
-- the Tee refused.

create or replace function cmbs_store.mirror_status(
    p_now timestamptz
)
returns json
language sql
stable
as $$
    select json_build_object(
        'endpoint', cmbs_store.mirror_endpoint(),
        'n_pending', count(*) filter (where m.state = 'pending'),
        'n_dead', count(*) filter (where m.state = 'dead'),
        'n_sessions', count(distinct m.session_id),
        'n_retries', coalesce(sum(greatest(m.n_attempts - 1, 0)), 0),
        'lag_seconds', coalesce(
            greatest(extract(epoch from p_now - min(m.created_at)), 0), 0
        )
    )
    from cmbs_store.tee_message as m
    where m.state <> 'delivered'
$$;
