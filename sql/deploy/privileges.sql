-- Privileges on schemas and tables; those on functions and views stand in their own files.
--
-- The kernel reads and appends. Of a session it may update the state and nothing that was
-- declared, of a context or an incident the number of its events, of a graph its version, of
-- identities what they may and whether they count; it can neither change nor delete a log.

revoke all on schema cmbs, cmbs_store from public;
revoke all on all tables in schema cmbs_store from public, cmbs_kernel;

grant usage on schema cmbs
to
    cmbs_kernel, cmbs_agent, cmbs_policy, cmbs_auditor, cmbs_analyst, cmbs_admin, cmbs_server;
grant usage on schema cmbs_store to cmbs_kernel;

-- Frozen functions were granted once, by the migration that made them: a dump without privileges
-- lost that.
do $$
declare
    v_function regprocedure;
begin
    for v_function in
        select p.oid
        from pg_proc as p
        where p.pronamespace = 'cmbs_store'::regnamespace and p.proname ~ '_v[0-9]+$'
    loop
        execute format('grant execute on function %s to cmbs_kernel', v_function);
    end loop;
end
$$;

-- A new table is read and appended to as well. What the migrations write is only read.
grant select, insert on all tables in schema cmbs_store to cmbs_kernel;
revoke insert
on cmbs_store.revision, cmbs_store.reason_code, cmbs_store.clock_mark
from cmbs_kernel;

grant update (
    audit_seq, audit_head_event_id, audit_head_hash, audit_head_at,
    survivors_hash, n_survivors, is_terminated, mask,
    obligation_seq, obligation_id, obligation_minimum, obligation_survivors,
    conclusion_id, conclusion_run, n_clock_steps
)
on cmbs_store.session
to cmbs_kernel;
grant update (other_seq) on cmbs_store.elimination_claimant to cmbs_kernel;
grant update (counted_seq) on cmbs_store.elimination_count to cmbs_kernel;
grant update (is_open, due_at) on cmbs_store.open_item to cmbs_kernel;
grant update (state, n_attempts, next_at, last_error) on cmbs_store.webhook_message to cmbs_kernel;
grant update (chunk) on cmbs_store.session_mask to cmbs_kernel;
grant update (state, n_attempts, next_at, last_error, delivered_at)
on cmbs_store.tee_message
to cmbs_kernel;
grant update (version) on cmbs_store.graph_head to cmbs_kernel;
grant update (n_events) on cmbs_store.incident to cmbs_kernel;
grant update (n_events) on cmbs_store.context to cmbs_kernel;
grant update (roles, source_prefixes, is_enabled) on cmbs_store.principal to cmbs_kernel;
grant update (revoked_at) on cmbs_store.api_token to cmbs_kernel;
grant update (used_at) on cmbs_store.api_token_use to cmbs_kernel;
grant update (reached_at, lead_us, n_steps, n_found) on cmbs_store.clock_mark to cmbs_kernel;
grant update (seq, event_hash, recorded_at) on cmbs_store.identity_head to cmbs_kernel;
