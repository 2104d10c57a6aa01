-- cmbs.settle_mirror
--
-- Notes what came of telling the Tee of a session: up to which event it was, and why no further. It
-- is tried again, each time after longer, as long as it takes; what the Tee refuses for good is
-- dead, and what comes after it waits until somebody calls retry_mirror.
--
-- p_seq         the last event that was told, 0 if none was
-- p_error       null if there was nothing more to tell
-- p_is_refused  the Tee will never take it
-- p_first_seq   the first event that was taken: what is before it was not told now
-- Locks         the messages.
-- Raises        MB302 FORBIDDEN.

create or replace function cmbs.settle_mirror(
    p_session_id uuid,
    p_seq bigint,
    p_error text default null,
    p_is_refused boolean default false,
    p_first_seq bigint default 1,
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
    v_held text;
begin
    perform cmbs_store.check_operator(
        cmbs_store.authorize_upkeep(p_credential, 'settle_mirror', '{admin}')
    );
    update cmbs_store.tee_message as m
    set state = 'delivered', delivered_at = v_now, last_error = null
    where m.session_id = p_session_id
        and m.seq between p_first_seq and p_seq
        and m.state = 'pending';
    if found then
        v_state := 'delivered';
    end if;
    if p_error is not null then
        update cmbs_store.tee_message as m
        set
            state = case when p_is_refused then 'dead' else 'pending' end,
            n_attempts = greatest(m.n_attempts, 1),
            last_error = left(p_error, 500),
            next_at = v_now
                + least(2 ^ least(greatest(m.n_attempts - 1, 0), 6), 60) * interval '1 second'
        where m.session_id = p_session_id
            and m.state = 'pending'
            and m.seq >= p_first_seq
            and m.seq > p_seq
            and m.seq = (
                select min(o.seq)
                from cmbs_store.tee_message as o
                where o.session_id = p_session_id and o.state <> 'delivered'
            )
        returning m.state into v_held;
    end if;
    return json_build_object('session_id', p_session_id, 'state', coalesce(v_held, v_state));
end
$$;

grant execute on function cmbs.settle_mirror to cmbs_server;
