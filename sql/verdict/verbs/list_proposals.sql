-- cmbs.list_proposals
--
-- The proposals of a session with what was decided, newest first, a page at a time.
--
-- p_before   the `next_before` of an earlier answer
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.list_proposals(
    p_session_id uuid,
    p_limit integer default null,
    p_before bigint default null,
    p_decision text default null,
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_proposals', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
begin
    if p_decision not in ('allow', 'deny', 'defer') then
        perform cmbs_store.refuse_request('decision', 'must be allow, deny or defer');
    end if;
    return (
        select json_build_object(
            'proposals', coalesce(
                json_agg(json_build_object(
                    'proposal_id', e.event_id, 'seq', l.seq,
                    'ts', cmbs_store.timestamp_v1(e.recorded_at), 'actor', l.actor,
                    'idempotency_key', l.idempotency_key, 'decision', l.decision,
                    'disposition', l.disposition, 'reason_code', l.reason_code,
                    'items', (
                        select json_agg(json_strip_nulls(json_build_object(
                            'kind', i.item -> 'kind', 'tool_id', i.item -> 'tool_id',
                            'keys', (
                                select json_agg(k.key order by k.key)
                                from json_object_keys(i.item -> 'patch') as k (key)
                            )
                        )))
                        from json_array_elements(e.record::json #> '{payload,proposal,items}')
                            as i (item)
                    )
                ) order by l.seq desc) filter (where l.no <= v_limit),
                '[]'
            ),
            'next_before', case when count(*) > v_limit then
                min(l.seq) filter (where l.no <= v_limit) end
        )
        from (
            select p.*, row_number() over (order by p.seq desc) as no
            from cmbs_store.proposal as p
            where p.session_id = v_session.session_id
                and (p_before is null or p.seq < p_before)
                and (p_decision is null or p.decision = p_decision)
            order by p.seq desc
            limit v_limit + 1
        ) as l
        inner join cmbs_store.audit_event as e
            on e.session_id = l.session_id and e.seq = l.seq
    );
end
$$;

grant execute on function cmbs.list_proposals to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
