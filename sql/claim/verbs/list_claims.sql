-- cmbs.list_claims
--
-- The claims of a session, newest first: those that live, or all. One whose time has passed, or
-- that is not confirmed and past its review, lives no more; its row stays.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.list_claims(
    p_session_id uuid,
    p_key text default null,
    p_history boolean default false,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_claims', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
    v_now timestamptz := cmbs_store.reading_time(v_session);
begin
    return json_build_object('claims', (
        select coalesce(json_agg(l.claim order by l.seq desc), '[]')
        from (
            select c.seq, json_build_object(
                'claim_id', c.claim_id, 'key', c.key, 'kind', c.kind, 'value', c.value,
                'value_digest', encode(cmbs_store.digest_v1(c.value::text), 'hex'),
                'confidence', c.confidence, 'confirmed', c.is_confirmed,
                'source_chunk_ids', c.source_chunk_ids,
                'confirmed_by_event_id', c.confirmed_by_event_id,
                'conflict_state', c.conflict_state,
                'expires_at', cmbs_store.timestamp_v1(c.expires_at),
                'review_at', cmbs_store.timestamp_v1(c.review_at),
                'promotes', c.promotes,
                'live', cmbs_store.is_claim_live(c, v_now)
            ) as claim
            from cmbs_store.claim as c
            where c.session_id = v_session.session_id
                and c.key = coalesce(p_key, c.key)
                and (p_history or cmbs_store.is_claim_live(c, v_now))
            order by c.seq desc
            limit v_limit
        ) as l
    ));
end
$$;

grant execute on function cmbs.list_claims to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
