-- cmbs.diff
--
-- What changed in a session from one event to another: numbers before and after, the hypotheses
-- eliminated in between, what the gates were asked. Between means after the one, up to the other.
--
-- Promises   the order of the two is free: `from` is the earlier one; the lists hold p_limit
--            entries at most, the numbers count all.
-- Locks      nothing; works on a read-only standby.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.diff(
    p_session_id uuid,
    p_from_event_id uuid,
    p_to_event_id uuid,
    p_limit integer default null,
    p_credential bytea default null
)
returns json
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'diff', null);
    v_limit integer;
    v_session cmbs_store.session;
    v_from cmbs_store.session;
    v_to cmbs_store.session;
    v_verbs jsonb;
begin
    v_limit := cmbs_store.page_limit(p_limit);
    if p_from_event_id is null or p_to_event_id is null then
        perform cmbs_store.refuse_request(
            case when p_from_event_id is null then 'from_event_id' else 'to_event_id' end,
            'must be the id of an event'
        );
    end if;
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_from := cmbs_store.session_as_of(v_session, p_from_event_id);
    v_to := cmbs_store.session_as_of(v_session, p_to_event_id);
    if v_from.audit_seq > v_to.audit_seq then
        v_session := v_from;
        v_from := v_to;
        v_to := v_session;
    end if;
    select coalesce(jsonb_object_agg(g.verb, g.n), '{}')
    into v_verbs
    from (
        select e.verb, count(*) as n
        from cmbs_store.audit_event as e
        where e.session_id = p_session_id
            and e.seq > v_from.audit_seq
            and e.seq <= v_to.audit_seq
        group by e.verb
    ) as g;
    return format(
        '{"session_id": "%s", "from": %s, "to": %s, "n_events": %s, "verbs": %s, '
        '"n_eliminated": %s, "eliminated": [%s], "n_gates": %s, "gates": [%s]}',
        p_session_id,
        cmbs_store.belief_numbers_at(v_from),
        cmbs_store.belief_numbers_at(v_to),
        v_to.audit_seq - v_from.audit_seq,
        v_verbs,
        v_from.n_survivors - v_to.n_survivors,
        cmbs_store.eliminated_between(p_session_id, v_from.audit_seq, v_to.audit_seq, v_limit),
        (
            select coalesce(sum(g.value::bigint), 0)
            from jsonb_each_text(v_verbs) as g
            where g.key <> 'ELIMINATE' and not cmbs_store.is_arbitration(g.key)
        ),
        cmbs_store.gates_between(p_session_id, v_from.audit_seq, v_to.audit_seq, v_limit)
    )::json;
end
$$;

grant execute on function cmbs.diff to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
