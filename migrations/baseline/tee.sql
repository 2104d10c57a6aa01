-- Tee: the causal graph that incidents share, what each incident rules out, and the mirror.
--
-- A graph is of a tenant and only grows. Every row of it carries the version at which it appeared,
-- so that an incident is pinned to a number and needs no copy.

create table cmbs_store.graph_head (
    tenant text collate "C" not null,
    version bigint not null,
    constraint graph_head_tenant_pk primary key (tenant)
);
comment on table cmbs_store.graph_head is
'reference: the version of every causal graph; whoever merges into one locks its row.';

create table cmbs_store.graph_merge (
    tenant text collate "C" not null,
    version bigint not null,
    merged_at timestamptz not null,
    merged_by text collate "C" not null,
    constraint graph_merge_version_pk primary key (tenant, version)
);
comment on table cmbs_store.graph_merge is
'reference: every merge that added something to a causal graph.';

create table cmbs_store.graph_node (
    tenant text collate "C" not null,
    node_id text collate "C" not null,
    version bigint not null,
    type text collate "C" not null,
    label text collate "C" not null,
    is_hypothetical boolean not null,
    source_id text collate "C" not null,
    trigger text collate "C" not null,
    occurred_at timestamptz,
    constraint graph_node_node_id_pk primary key (tenant, node_id)
);
comment on table cmbs_store.graph_node is
'reference: the nodes of causal graphs, as they were merged first, and who merged them on what.';

create table cmbs_store.graph_node_confirmation (
    tenant text collate "C" not null,
    node_id text collate "C" not null,
    version bigint not null,
    constraint graph_node_confirmation_node_id_pk primary key (tenant, node_id)
);
comment on table cmbs_store.graph_node_confirmation is
'reference: nodes that were hypothetical, and since when they are not.';

create table cmbs_store.graph_node_provenance (
    tenant text collate "C" not null,
    node_id text collate "C" not null,
    source_id text collate "C" not null,
    trigger text collate "C" not null,
    version bigint not null,
    occurred_at timestamptz,
    constraint graph_node_provenance_trigger_pk primary key (tenant, node_id, source_id, trigger)
);
comment on table cmbs_store.graph_node_provenance is
'reference: who else says that a node is there, and on what.';

create table cmbs_store.graph_edge (
    tenant text collate "C" not null,
    source text collate "C" not null,
    target text collate "C" not null,
    type text collate "C" not null,
    version bigint not null,
    source_id text collate "C" not null,
    trigger text collate "C" not null,
    occurred_at timestamptz,
    constraint graph_edge_type_pk primary key (tenant, source, target, type)
);
create index graph_edge_target_idx on cmbs_store.graph_edge (tenant, target);
comment on table cmbs_store.graph_edge is
'reference: the edges of causal graphs, and who merged them first on what; an end need not be a '
'node yet.';

create table cmbs_store.graph_edge_provenance (
    tenant text collate "C" not null,
    source text collate "C" not null,
    target text collate "C" not null,
    type text collate "C" not null,
    source_id text collate "C" not null,
    trigger text collate "C" not null,
    version bigint not null,
    occurred_at timestamptz,
    constraint graph_edge_provenance_trigger_pk
    primary key (tenant, source, target, type, source_id, trigger)
);
comment on table cmbs_store.graph_edge_provenance is
'reference: who else says that an edge is there, and on what.';

create table cmbs_store.universe_edge (
    universe_digest bytea not null,
    node_id text collate "C" not null,
    edge_id text collate "C" not null,
    constraint universe_edge_edge_id_pk primary key (universe_digest, node_id, edge_id)
);
comment on table cmbs_store.universe_edge is
'reference: the edges of a universe by each of their ends; of universes whose sessions have edges.';

-- n_events is counted here and not read off the events, so that a caller whose snapshot is older
-- than another's tombstones is told to try again when it takes the lock.
create table cmbs_store.incident (
    incident_id text collate "C" not null,
    tenant text collate "C" not null,
    created_at timestamptz not null,
    created_by text collate "C" not null,
    version bigint not null,
    universe_digest bytea,
    has_edges_listed boolean not null,
    n_events bigint not null,
    constraint incident_incident_id_pk primary key (incident_id),
    constraint incident_universe_digest_fk
    foreign key (universe_digest) references cmbs_store.context_universe (universe_digest)
) with (fillfactor = 50);
create index incident_universe_digest_idx on cmbs_store.incident (universe_digest);
comment on table cmbs_store.incident is
'incident: the one row that tombstones lock; the version of the graph, and of that the nodes, or '
'edges as well, that are its universe; without a digest that is all of it.';

create table cmbs_store.incident_event (
    incident_id text collate "C" not null,
    event_no bigint not null,
    recorded_at timestamptz not null,
    actor text collate "C" not null,
    source_id text collate "C" not null,
    trigger text collate "C" not null,
    occurred_at timestamptz,
    constraint incident_event_event_no_pk primary key (incident_id, event_no)
);
comment on table cmbs_store.incident_event is
'incident: every call that ruled something out: who, on what, when.';

create table cmbs_store.node_tombstone (
    incident_id text collate "C" not null,
    node_id text collate "C" not null,
    event_no bigint not null,
    is_matched boolean not null,
    constraint node_tombstone_node_id_pk primary key (incident_id, node_id)
);
comment on table cmbs_store.node_tombstone is
'incident: nodes that are ruled out, and whether the graph had them by then.';

create table cmbs_store.edge_tombstone (
    incident_id text collate "C" not null,
    source text collate "C" not null,
    target text collate "C" not null,
    type text collate "C" not null,
    event_no bigint not null,
    is_matched boolean not null,
    constraint edge_tombstone_type_pk primary key (incident_id, source, target, type)
);
comment on table cmbs_store.edge_tombstone is
'incident: edges that are ruled out, and whether the graph had them by then.';

create table cmbs_store.tee_mirror (
    mirror_no integer not null,
    endpoint text,
    set_at timestamptz not null,
    set_by text collate "C" not null,
    constraint tee_mirror_mirror_no_pk primary key (mirror_no)
);
comment on table cmbs_store.tee_mirror is
'reference: the Tee that sessions are mirrored to; the highest number counts, no endpoint is none.';

create table cmbs_store.tee_message (
    session_id uuid not null,
    seq bigint not null,
    tenant text collate "C" not null,
    created_at timestamptz not null,
    state text collate "C" not null,
    n_attempts integer not null,
    next_at timestamptz not null,
    last_error text,
    delivered_at timestamptz,
    constraint tee_message_seq_pk primary key (session_id, seq),
    constraint tee_message_state_check check (state in ('pending', 'delivered', 'dead'))
) with (fillfactor = 80);
create index tee_message_open_idx
on cmbs_store.tee_message (session_id, seq) where state <> 'delivered';
comment on table cmbs_store.tee_message is
'session: the outbox of the mirror: events to tell the Tee, how often that was tried, and what '
'came of it. What is told stands in the log.';
