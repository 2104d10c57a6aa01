-- cmbs_store.random_id
--
-- The one source of randomness of the kernel; tests replace it in their database.

create or replace function cmbs_store.random_id()
returns uuid
language sql
volatile
as $$ select gen_random_uuid() $$;
