-- The beginning of every deployment.
--
-- With this search path nobody else's functions are found while ours are created. The other
-- settings mean something where the tables are distributed and are placeholders elsewhere: DDL in
-- a transaction, and triggers on distributed tables. The lock makes two deployments take turns.

set local search_path = pg_catalog, pg_temp;
set local citus.multi_shard_modify_mode to 'sequential';
set local citus.enable_unsafe_triggers to 'on';
select pg_advisory_xact_lock(x'636d6273'::integer);
