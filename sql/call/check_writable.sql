-- cmbs_store.check_writable
--
-- Refuses a call that would write where nothing can be written, before it looks for something that
-- may only not have arrived there.
--
-- Raises     25006 read_only_sql_transaction.

create or replace function cmbs_store.check_writable()
returns void
language plpgsql
stable
as $$
begin
    if current_setting('transaction_read_only') = 'on' then
        raise exception using
            errcode = 'read_only_sql_transaction',
            message = 'Nothing can be written here.',
            detail = json_build_object('transaction_read_only', true)::text,
            hint = 'Ask the primary server, in a transaction that may write.';
    end if;
end
$$;
