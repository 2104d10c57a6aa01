-- cmbs_store.clock
--
-- The one clock of the kernel; tests replace it in their database.

create or replace function cmbs_store.clock()
returns timestamptz
language sql
volatile
as $$ select clock_timestamp() $$;
