-- cmbs_store.session_time
--
-- The time of a session, which never goes back: that of the clock, or of the last event where the
-- clock is a little behind it. Where the clock was set back by more than five seconds, the time of
-- the session goes on from its last event, as fast as the clock.
--
-- p_at      the time of the session
-- p_clock   what the clock says, if this is the first to find it set back; the event that comes of
--           it records this, and what was granted before it counts no more

create or replace function cmbs_store.session_time(
    p_session cmbs_store.session,
    out p_at timestamptz,
    out p_clock timestamptz
)
returns record
language plpgsql
volatile
as $$
declare
    v_now timestamptz := cmbs_store.clock();
    v_ahead timestamptz;
begin
    p_at := greatest(v_now, p_session.audit_head_at);
    if p_at - v_now <= interval '5 seconds' then
        return;
    end if;
    select v_now + c.lead_us * interval '1 microsecond'
    into v_ahead
    from cmbs_store.clock_step as c
    where c.session_id = p_session.session_id and c.seq <= p_session.audit_seq
    order by c.seq desc
    limit 1;
    if p_at - v_ahead <= interval '5 seconds' then
        p_at := greatest(p_at, v_ahead);
    else
        p_clock := v_now;
    end if;
end
$$;

comment on function cmbs_store.session_time(cmbs_store.session) is
'The time of a session, and the clock where it is found set back.';

revoke all on function cmbs_store.session_time(cmbs_store.session) from public;
