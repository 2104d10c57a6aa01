-- cmbs_store.session_time
--
-- The time of a session, which never goes back. Where the clock is behind the last event by more
-- than five seconds, the time goes on from that event, as fast as the clock, until the clock has
-- caught up.
--
-- p_at      the time of the session
-- p_until   what was granted before is measured by: p_at, or infinity where it counts no more
-- p_clock   what the clock says, if it was set back or has caught up, and no event of arbitration
--           has found that yet; the next one records it, and what was granted before it counts no
--           more

create or replace function cmbs_store.session_time(
    p_session cmbs_store.session,
    out p_at timestamptz,
    out p_until timestamptz,
    out p_clock timestamptz
)
returns record
language plpgsql
volatile
as $$
declare
    v_small constant interval := interval '5 seconds';
    v_now timestamptz := cmbs_store.clock();
    v_lead interval;
begin
    select c.lead_us * interval '1 microsecond'
    into v_lead
    from cmbs_store.clock_step as c
    where c.session_id = p_session.session_id and c.seq <= p_session.audit_seq
    order by c.seq desc
    limit 1;
    v_lead := coalesce(v_lead, interval '0 seconds');
    p_at := greatest(v_now + v_lead, p_session.audit_head_at);
    p_until := p_at;
    if p_at - (v_now + v_lead) > v_small
        or v_lead > v_small and p_session.audit_head_at - v_now <= v_small
        or cmbs_store.clock_steps() <> p_session.n_clock_steps
    then
        p_clock := v_now;
        p_at := greatest(v_now, p_session.audit_head_at);
        p_until := 'infinity';
    end if;
end
$$;
