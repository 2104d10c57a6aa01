-- cmbs.whatif
--
-- What the server would have answered had some ELIMINATE messages never been sent: all of a source,
-- one observation of it, or an observation of whichever source. All other recorded messages are
-- sent again in thought, in their order; messages that were refused back then left no trace.
--
-- Promises   changes nothing; the hypotheses that come back are all listed, of the gates that say
--            otherwise p_limit, the numbers count all; reads the log three times, whatever its
--            length.
-- Locks      nothing; works on a read-only standby.
-- Raises     MB001 SESSION_NOT_FOUND, MB003 EVENT_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.whatif(
    p_session_id uuid,
    p_without_source text default null,
    p_without_observation text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'whatif', null);
    v_limit integer;
    v_session cmbs_store.session;
    v_removed bigint;
    v_orphans record;
    v_then record;
    v_instead cmbs_store.session;
    v_returning text[];
    v_known record;
begin
    v_limit := cmbs_store.page_limit(p_limit);
    if p_without_source is not null or p_without_observation is null then
        perform cmbs_store.check_id('without_source', p_without_source);
    end if;
    if p_without_observation is not null then
        perform cmbs_store.check_id('without_observation', p_without_observation);
    end if;
    v_session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_removed := cmbs_store.n_messages_without(
        p_session_id, p_without_source, p_without_observation
    );
    v_orphans := cmbs_store.reattributed(p_session_id, p_without_source, p_without_observation);
    v_then := cmbs_store.gate_flips_without(
        v_session, p_without_source, p_without_observation, v_orphans.p_seqs, v_limit
    );
    v_instead := v_then.p_state;
    v_returning := cmbs_store.returning_without(
        v_session, v_then.p_ended_seq, v_orphans.p_ids, v_orphans.p_seqs
    );
    v_known := cmbs_store.ranks(v_session.universe_digest, v_returning);
    v_instead.survivors_hash := cmbs_store.survivors_hash_v1(
        v_session.universe_digest,
        cmbs_store.set_ranks(cmbs_store.whole_mask(v_session), v_known.p_ranks)
    );
    return format(
        '{"session_id": "%s", "audit_head_event_id": "%s", "without_source": %s, '
        '"without_observation": %s, "removed": %s, "refused": %s, "recorded": {%s}, '
        '"instead": {%s}, "n_returning": %s, "returning": %s, "n_gates": %s, "n_flips": %s, '
        '"flips": [%s]}',
        p_session_id,
        v_session.audit_head_event_id,
        coalesce(to_json(p_without_source)::text, 'null'),
        coalesce(to_json(p_without_observation)::text, 'null'),
        v_removed,
        v_then.p_n_refused,
        cmbs_store.belief_numbers(v_session),
        cmbs_store.belief_numbers(v_instead),
        cardinality(v_returning),
        to_jsonb(v_returning),
        v_then.p_n_gates,
        v_then.p_n_flips,
        array_to_string(v_then.p_flips, ', ')
    )::json;
end
$$;

grant execute on function cmbs.whatif to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
