-- Append-only, second belt, for the tables of graphs and incidents: as append_only.sql says.

create or replace trigger graph_merge_append_only
before update or delete or truncate on cmbs_store.graph_merge
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.graph_merge enable always trigger graph_merge_append_only;

create or replace trigger graph_node_append_only
before update or delete or truncate on cmbs_store.graph_node
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.graph_node enable always trigger graph_node_append_only;

create or replace trigger graph_node_confirmation_append_only
before update or delete or truncate on cmbs_store.graph_node_confirmation
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.graph_node_confirmation
enable always trigger graph_node_confirmation_append_only;

create or replace trigger graph_node_provenance_append_only
before update or delete or truncate on cmbs_store.graph_node_provenance
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.graph_node_provenance
enable always trigger graph_node_provenance_append_only;

create or replace trigger graph_edge_append_only
before update or delete or truncate on cmbs_store.graph_edge
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.graph_edge enable always trigger graph_edge_append_only;

create or replace trigger graph_edge_provenance_append_only
before update or delete or truncate on cmbs_store.graph_edge_provenance
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.graph_edge_provenance
enable always trigger graph_edge_provenance_append_only;

create or replace trigger incident_event_append_only
before update or delete or truncate on cmbs_store.incident_event
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.incident_event enable always trigger incident_event_append_only;

create or replace trigger node_tombstone_append_only
before update or delete or truncate on cmbs_store.node_tombstone
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.node_tombstone enable always trigger node_tombstone_append_only;

create or replace trigger edge_tombstone_append_only
before update or delete or truncate on cmbs_store.edge_tombstone
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.edge_tombstone enable always trigger edge_tombstone_append_only;

create or replace trigger tee_mirror_append_only
before update or delete or truncate on cmbs_store.tee_mirror
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.tee_mirror enable always trigger tee_mirror_append_only;

create or replace trigger graph_head_append_only
before delete or truncate on cmbs_store.graph_head
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.graph_head enable always trigger graph_head_append_only;

create or replace trigger incident_append_only
before delete or truncate on cmbs_store.incident
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.incident enable always trigger incident_append_only;

create or replace trigger tee_message_append_only
before delete or truncate on cmbs_store.tee_message
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.tee_message enable always trigger tee_message_append_only;

create or replace trigger universe_edge_append_only
before update or delete or truncate on cmbs_store.universe_edge
for each statement execute function cmbs_store.refuse_change();
alter table cmbs_store.universe_edge enable always trigger universe_edge_append_only;
