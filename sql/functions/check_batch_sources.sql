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
    v_index integer;
    v_text text;
    v_detail text;
    v_hint text;
begin
    for v_i in 0 .. jsonb_array_length(p_batch) - 1 loop
        v_index := v_i;
        perform cmbs_store.check_source(p_caller, p_batch -> v_i ->> 'source_id');
    end loop;
exception
    when sqlstate 'MB302' then
        get stacked diagnostics
            v_text = message_text,
            v_detail = pg_exception_detail,
            v_hint = pg_exception_hint;
        perform cmbs_store.refuse_batch('MB302', v_text, v_detail, v_hint, v_index, null);
end
$$;

comment on function cmbs_store.check_batch_sources(cmbs_store.principal, jsonb) is
'Refuse a batch for sources that are not the callers. Raises MB302.';

revoke all on function cmbs_store.check_batch_sources(cmbs_store.principal, jsonb) from public;
