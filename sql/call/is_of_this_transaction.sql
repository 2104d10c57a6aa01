-- cmbs_store.is_of_this_transaction
--
-- Whether a row was written by the transaction that asks, subtransactions included: of others that
-- are not done it could not be seen.
--
-- p_xmin   the 32 bits of the transaction's number that a row has; of those that end in them the
--          one is meant that is nearest to now

create or replace function cmbs_store.is_of_this_transaction(
    p_xmin xid
)
returns boolean
language sql
stable
as $$
    select coalesce(
        pg_xact_status((
            s.xmax_no + (p_xmin::text::bigint - s.xmax_no + 2147483648 & 4294967295) - 2147483648
        )::text::xid8) = 'in progress',
        false
    )
    from (
        select pg_snapshot_xmax(pg_current_snapshot())::text::bigint as xmax_no
    ) as s
$$;
