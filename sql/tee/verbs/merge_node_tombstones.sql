-- cmbs.merge_node_tombstones
--
-- Rules nodes out of an incident (MergeNodeTombstones).
--
-- Promises   all or nothing; repeatable; nothing comes back; each id is new in exactly one call,
--            however many ask at once, and that one is its provenance. What the graph does not have
--            is kept as well, and `unmatched`. The cost depends on the ids that are sent.
-- Locks      the row of the incident.
-- Raises     MB013 INCIDENT_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE,
--            MB302 FORBIDDEN.

create or replace function cmbs.merge_node_tombstones(
    p_incident_id text,
    p_node_ids text[],
    p_source_id text,
    p_trigger text,
    p_occurred_at timestamptz default null,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'merge_node_tombstones', '{agent, encoder, tool}'
    );
    v_incident cmbs_store.incident;
    v_event_no bigint;
    v_new text[];
    v_is_matched boolean[];
begin
    perform cmbs_store.check_node_ids(p_node_ids, 10000);
    perform cmbs_store.check_tombstones(
        v_caller, p_incident_id, 'node_ids', cardinality(p_node_ids), p_source_id, p_trigger,
        p_occurred_at
    );
    v_incident := cmbs_store.lock_incident(p_incident_id, v_caller.tenant);
    -- Scalar subqueries are probes of a key, one per id.
    select
        array_agg(i.id order by i.id),
        array_agg(
            (
                select true
                from cmbs_store.graph_node as n
                where n.tenant = v_incident.tenant and n.node_id = i.id
            ) is not null
            order by i.id
        )
    into v_new, v_is_matched
    from (select distinct u.id collate "C" as id from unnest(p_node_ids) as u (id)) as i
    where (
        select true
        from cmbs_store.node_tombstone as t
        where t.incident_id = p_incident_id and t.node_id = i.id
    ) is null;
    if v_new is not null then
        v_event_no := cmbs_store.new_incident_event(
            v_incident, v_caller.name, p_source_id, p_trigger, p_occurred_at
        );
        insert into cmbs_store.node_tombstone (incident_id, node_id, event_no, is_matched)
        select p_incident_id, n.id, v_event_no, n.is_matched
        from unnest(v_new, v_is_matched) as n (id, is_matched);
    end if;
    return cmbs_store.tombstone_answer(p_node_ids, v_new, v_is_matched);
end
$$;

grant execute on function cmbs.merge_node_tombstones to cmbs_server, cmbs_agent;
