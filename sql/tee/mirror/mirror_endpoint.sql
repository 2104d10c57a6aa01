-- cmbs_store.mirror_endpoint
--
-- The Tee that sessions are mirrored to; null for none.

create or replace function cmbs_store.mirror_endpoint()
returns text
language sql
stable
as $$
    select m.endpoint from cmbs_store.tee_mirror as m order by m.mirror_no desc limit 1
$$;
