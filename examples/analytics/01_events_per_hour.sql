-- How busy was the server, and with what? Events of each verb per hour, in UTC.
-- Reads the log once, and of it only columns: no record is parsed.

select
    to_char(ts at time zone 'UTC', 'YYYY-MM-DD HH24:00') as hour,
    count(*) as events,
    count(*) filter (where verb = 'DECLARE_SESSION') as declare,
    count(*) filter (where verb = 'ELIMINATE') as eliminate,
    count(*) filter (where verb = 'ENTER_OBLIGATION') as enter,
    count(*) filter (where verb in ('REQUEST_EXIT', 'WAIVE_OBLIGATION')) as leave,
    count(*) filter (where verb = 'DECLARE_CONCLUSION') as conclude,
    count(*) filter (where verb = 'REQUEST_TERMINATION') as terminate
from cmbs.audit_event
group by 1
order by 1;
