-- cmbs.replay_policy
--
-- Tells what another version of a policy would have said to the proposals of a session, each in the
-- state in which it was made: how many verdicts would be others, and which.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB007 POLICY_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.replay_policy(
    p_session_id uuid,
    p_pack text,
    p_version integer default null,
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'replay_policy', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
    v_version cmbs_store.policy_version := cmbs_store.find_policy(
        v_session.tenant, p_pack, p_version
    );
    v_pin cmbs_store.policy_pin := row(
        p_session_id, 0, v_version.pack, v_version.version, v_version.policy_hash
    );
begin
    return (
        select json_build_object(
            'pack', v_version.pack,
            'version', v_version.version,
            'n_proposals', count(*),
            'n_flips', count(*) filter (where r.is_flip),
            'flips', coalesce(
                json_agg(json_build_object(
                    'proposal_id', r.event_id, 'seq', r.seq, 'actor', r.actor,
                    'recorded', r.recorded, 'replayed', r.replayed, 'reasons', r.reasons
                ) order by r.seq) filter (where r.is_flip and r.flip_no <= v_limit),
                '[]'
            )
        )
        from (
            select
                d.event_id, d.seq, d.actor,
                cmbs_store.verdict_json(d.payload) as recorded,
                cmbs_store.verdict_json(d.verdict) as replayed,
                d.verdict -> 'reasons' as reasons,
                cmbs_store.verdict_json(d.payload) <> cmbs_store.verdict_json(d.verdict)
                    as is_flip,
                count(*) filter (
                    where cmbs_store.verdict_json(d.payload) <> cmbs_store.verdict_json(d.verdict)
                ) over (order by d.seq) as flip_no
            from (
                select
                    e.event_id, e.seq, e.actor, p.payload,
                    cmbs_store.decide(
                        cmbs_store.session_before(v_session, e.seq), e.actor,
                        cmbs_store.input_of_record(p.payload), p.payload, v_pin
                    ) as verdict
                from cmbs_store.audit_event as e
                cross join lateral (
                    select e.record::jsonb -> 'payload' as payload offset 0
                ) as p
                where e.session_id = p_session_id and e.verb = 'PROPOSE'
                offset 0
            ) as d
        ) as r
    );
end
$$;

grant execute on function cmbs.replay_policy to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
