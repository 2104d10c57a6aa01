-- cmbs_store.note_clock
--
-- Notes how far time has come, once a second at most, and that the clock was set back, if it was.
--
-- Locks      the one row of the mark, unless somebody else has it: then they note the same.

create or replace function cmbs_store.note_clock()
returns void
language plpgsql
volatile
as $$
declare
    v_now timestamptz := cmbs_store.clock();
    v_mark cmbs_store.clock_mark;
    v_passed interval;
begin
    -- A transaction that keeps its snapshot could not change the row after another has.
    if current_setting('transaction_read_only') = 'on'
        or current_setting('transaction_isolation') <> 'read committed'
    then
        return;
    end if;
    select m.* into v_mark from cmbs_store.clock_mark as m;
    v_passed := v_now + v_mark.lead_us * interval '1 microsecond' - v_mark.reached_at;
    if v_passed between interval '-5 seconds' and interval '1 second' then
        return;
    end if;
    select m.* into v_mark from cmbs_store.clock_mark as m for update skip locked;
    v_passed := v_now + v_mark.lead_us * interval '1 microsecond' - v_mark.reached_at;
    if v_passed < interval '-5 seconds' then
        update cmbs_store.clock_mark as m
        set lead_us = cmbs_store.microseconds(m.reached_at - v_now), n_steps = m.n_steps + 1;
    elsif v_passed > interval '1 second' then
        update cmbs_store.clock_mark as m
        set reached_at = m.reached_at + v_passed;
    end if;
end
$$;
