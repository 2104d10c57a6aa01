-- cmbs.list_permits
--
-- The permits of a session, newest first, a page at a time.
--
-- p_status   issued, expired, executing, committed, rolled_back or ended; null for all
-- p_before   the `next_before` of an earlier answer
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.list_permits(
    p_session_id uuid,
    p_status text default null,
    p_limit integer default null,
    p_before bigint default null,
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
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_permits', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
    v_now timestamptz := cmbs_store.reading_time(v_session);
begin
    if p_status not in (
        'issued', 'expired', 'executing', 'committed', 'rolled_back', 'ended'
    ) then
        perform cmbs_store.refuse_request(
            'status', 'must be issued, expired, executing, committed, rolled_back or ended'
        );
    end if;
    return (
        select json_build_object(
            'permits', coalesce(
                json_agg(
                    cmbs_store.permit_json(v_session, l.permit, v_now)
                    order by l.seq desc, l.item_no
                ) filter (where l.seq >= coalesce(l.last_seq, l.seq)),
                '[]'
            ),
            'next_before', min(l.last_seq) filter (where l.seq < l.last_seq)
        )
        from (
            select
                p as permit, p.seq, p.item_no,
                -- Those of one proposal are on one page.
                nth_value(p.seq, v_limit) over (
                    order by p.seq desc, p.item_no
                    rows between unbounded preceding and unbounded following
                ) as last_seq
            from cmbs_store.permit as p
            where p.session_id = p_session_id
                and (p_before is null or p.seq < p_before)
                and (
                    p_status is null or cmbs_store.permit_state(v_session, p, v_now) = p_status
                )
            order by p.seq desc, p.item_no
            limit v_limit + 100
        ) as l
    );
end
$$;

grant execute on function cmbs.list_permits to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
