-- cmbs_store.note_clock
--
-- Notes how far time has come, once a second at most, and that the clock was set back, if it was.
--
-- Locks      the one row of the mark; who only moves it on waits for nobody.

create or replace function cmbs_store.note_clock()
returns void
language plpgsql
volatile
as $$
declare
    v_now timestamptz := cmbs_store.clock();
begin
    -- A transaction that keeps its snapshot could not change the row after another has.
    if current_setting('transaction_read_only') = 'on'
        or current_setting('transaction_isolation') <> 'read committed'
    then
        return;
    end if;
    update cmbs_store.clock_mark as m
    set
        behind_until = greatest(
            m.behind_until, m.reached_at - m.lead_us * interval '1 microsecond'
        ),
        lead_us = cmbs_store.microseconds(m.reached_at - v_now)
    where m.reached_at - v_now > m.lead_us * interval '1 microsecond' + interval '5 seconds';
    update cmbs_store.clock_mark as m
    set reached_at = v_now + m.lead_us * interval '1 microsecond'
    from (
        select l.is_only
        from cmbs_store.clock_mark as l
        where v_now - l.reached_at + l.lead_us * interval '1 microsecond' > interval '1 second'
        for update skip locked
    ) as l
    where l.is_only = m.is_only;
end
$$;

comment on function cmbs_store.note_clock() is
'Note how far time has come, and that the clock was set back.';

revoke all on function cmbs_store.note_clock() from public;
