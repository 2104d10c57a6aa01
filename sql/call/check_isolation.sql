-- cmbs_store.check_isolation
--
-- Refuses to decide in a transaction that keeps its snapshot: it would not see that everything was
-- halted, that a tool was withdrawn, or that somebody may not act any more.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_isolation()
returns void
language plpgsql
stable
as $$
begin
    if current_setting('transaction_isolation') not in ('read committed', 'read uncommitted') then
        perform cmbs_store.refuse_caller(
            'actions are decided only where transactions are isolated as read committed'
        );
    end if;
end
$$;
