-- cmbs.settle_webhook
--
-- Notes what came of the delivery of a message of the outbox: delivered, or due again, each time
-- after longer. After twelve failures, in some forty hours, it is dead and stays to be seen.
--
-- p_error    null if it was delivered
-- p_is_gone  nobody is to be told any more: it is dead at once
-- Locks      the message.
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs.settle_webhook(
    p_session_id uuid,
    p_message_id uuid,
    p_error text default null,
    p_is_gone boolean default false,
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
as $$
declare
    v_now timestamptz := cmbs_store.clock();
    v_state text;
begin
    perform cmbs_store.check_operator(
        cmbs_store.authorize_upkeep(p_credential, 'settle_webhook', '{admin}')
    );
    update cmbs_store.webhook_message as m
    set
        state = case
            when p_error is null then 'delivered'
            when p_is_gone or m.n_attempts >= 12 then 'dead'
            else 'pending'
        end,
        last_error = left(p_error, 500),
        next_at = case
            when p_error is null or p_is_gone then m.next_at
            else v_now + least(5 * 4 ^ (m.n_attempts - 1), 28800) * interval '1 second'
        end
    where m.session_id = p_session_id and m.message_id = p_message_id and m.state = 'pending'
    returning m.state into v_state;
    return json_build_object('message_id', p_message_id, 'state', v_state);
end
$$;

grant execute on function cmbs.settle_webhook to cmbs_server;
