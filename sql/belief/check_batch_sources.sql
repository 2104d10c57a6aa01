-- cmbs_store.check_batch_sources
--
-- Refuses a batch for a source that the principal may not speak for, and names the first such
-- message.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_batch_sources(
    p_caller cmbs_store.principal,
    p_batch jsonb
)
returns void
language plpgsql
stable
as $$
declare
    v_source record;
begin
    -- Each source once: a batch is often that of one.
    for v_source in
        select m.message ->> 'source_id' as source_id, min(m.no) - 1 as index
        from jsonb_array_elements(p_batch) with ordinality as m (message, no)
        group by 1
        order by 2
    loop
        perform cmbs_store.check_source(p_caller, v_source.source_id, v_source.index);
    end loop;
end
$$;
