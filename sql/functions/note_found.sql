-- cmbs_store.note_found
--
-- Notes that every session with something granted has found the clock set back, so that nobody
-- looks for others.
--
-- Locks      the one row of the mark.

create or replace function cmbs_store.note_found()
returns void
language plpgsql
volatile
as $$
begin
    if current_setting('transaction_read_only') = 'off'
        and current_setting('transaction_isolation') = 'read committed'
    then
        update cmbs_store.clock_mark as m
        set behind_until = to_timestamp(0)
        where m.behind_until > to_timestamp(0);
    end if;
end
$$;

comment on function cmbs_store.note_found() is
'Note that every session with something granted has found the clock set back.';

revoke all on function cmbs_store.note_found() from public;
