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

grant select on cmbs_store.revision, cmbs_store.reason_code to cmbs_kernel;

grant select, insert
on
    cmbs_store.universe,
    cmbs_store.universe_member,
    cmbs_store.hypothesis_space,
    cmbs_store.policy_default,
    cmbs_store.tombstone,
    cmbs_store.audit_event,
    cmbs_store.obligation,
    cmbs_store.obligation_end,
    cmbs_store.conclusion,
    cmbs_store.session,
    cmbs_store.session_mask,
    cmbs_store.context_universe,
    cmbs_store.context_hypothesis,
    cmbs_store.context,
    cmbs_store.context_event,
    cmbs_store.context_tombstone,
    cmbs_store.principal,
    cmbs_store.api_token,
    cmbs_store.api_token_use,
    cmbs_store.identity_event,
    cmbs_store.identity_head,
    cmbs_store.policy,
    cmbs_store.policy_entry,
    cmbs_store.policy_version,
    cmbs_store.policy_halt,
    cmbs_store.schema_document,
    cmbs_store.json_schema,
    cmbs_store.tool_definition,
    cmbs_store.tool_registration,
    cmbs_store.policy_pin,
    cmbs_store.proposal,
    cmbs_store.state_delta,
    cmbs_store.state_value,
    cmbs_store.state_checkpoint,
    cmbs_store.capability_token,
    cmbs_store.capability_revocation,
    cmbs_store.capability_spending,
    cmbs_store.interrupt,
    cmbs_store.claim,
    cmbs_store.claim_confirmation,
    cmbs_store.elimination_claimant,
    cmbs_store.elimination_count,
    cmbs_store.permit,
    cmbs_store.permit_begin,
    cmbs_store.permit_end,
    cmbs_store.interrupt_resolution,
    cmbs_store.interrupt_use,
    cmbs_store.deferral,
    cmbs_store.session_mode,
    cmbs_store.clock_step,
    cmbs_store.shadow_pin,
    cmbs_store.open_item,
    cmbs_store.webhook,
    cmbs_store.webhook_message,
    cmbs_store.graph_head,
    cmbs_store.graph_merge,
    cmbs_store.graph_node,
    cmbs_store.graph_node_confirmation,
    cmbs_store.graph_node_provenance,
    cmbs_store.graph_edge,
    cmbs_store.graph_edge_provenance,
    cmbs_store.universe_edge,
    cmbs_store.incident,
    cmbs_store.incident_event,
    cmbs_store.node_tombstone,
    cmbs_store.edge_tombstone,
    cmbs_store.tee_mirror,
    cmbs_store.tee_message
to cmbs_kernel;

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
grant select, update (reached_at, lead_us, n_steps, n_found)
on cmbs_store.clock_mark
to cmbs_kernel;
grant update (seq, event_hash, recorded_at) on cmbs_store.identity_head to cmbs_kernel;


