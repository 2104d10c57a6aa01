-- cmbs_store.outbox_metrics
--
-- How many messages to webhooks wait, how long the oldest has, and how many were given up.

create or replace function cmbs_store.outbox_metrics(
    p_now timestamptz
)
returns json
language sql
stable
as $$
    select json_build_object(
        'n_pending', count(*) filter (where m.state = 'pending'),
        'n_dead', count(*) filter (where m.state = 'dead'),
        'pending_seconds', greatest(
            extract(
                epoch
                from p_now - coalesce(
                    min(m.created_at) filter (where m.state = 'pending'), p_now
                )
            ),
            0
        )
    )
    from cmbs_store.webhook_message as m
    where m.state <> 'delivered'
$$;
