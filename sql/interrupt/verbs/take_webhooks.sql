-- cmbs.take_webhooks
--
-- Takes messages of the outbox that are due, with where they go and the secret that signs them. Who
-- took one and tells nothing of it has lost it after a minute: then it is due again.
--
-- Promises   no message is taken twice at a time; at least once each until it is settled.
-- Locks      the messages that it takes; passes those over that others take.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.take_webhooks(
    p_limit integer default 20,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_now timestamptz := cmbs_store.clock();
    v_taken json;
begin
    perform cmbs_store.check_operator(
        cmbs_store.authorize_upkeep(p_credential, 'take_webhooks', '{admin}')
    );
    perform cmbs_store.check_limit(coalesce(p_limit, 0), 100);
    with due as (
        select m.session_id, m.message_id
        from cmbs_store.webhook_message as m
        where m.state = 'pending' and m.next_at <= v_now
        order by m.next_at
        limit p_limit
        for update skip locked
    ),
    taken as (
        update cmbs_store.webhook_message as m
        set next_at = v_now + interval '1 minute', n_attempts = m.n_attempts + 1
        from due as d
        where m.session_id = d.session_id and m.message_id = d.message_id
        returning m.*
    )
    select json_agg(json_build_object(
        'session_id', t.session_id, 'message_id', t.message_id,
        'url', w.url, 'secret', w.secret,
        'body', json_build_object(
            'type', t.event,
            'timestamp', cmbs_store.timestamp_v1(t.created_at),
            'data', cmbs_store.interrupt_json(s, i, cmbs_store.reading_time(s))
        )::text
    ))
    into v_taken
    from taken as t
    inner join cmbs_store.session as s on s.session_id = t.session_id
    inner join cmbs_store.interrupt as i
        on i.session_id = t.session_id and i.interrupt_id = t.interrupt_id
    cross join lateral cmbs_store.webhook_in_force(t.tenant) as w;
    return json_build_object('messages', coalesce(v_taken, '[]'));
end
$$;

grant execute on function cmbs.take_webhooks to cmbs_server;
