-- cmbs.list_deferrals
--
-- The deferred proposals of a session with every try, those tried last first, a page at a time.
--
-- p_before   the `next_before` of an earlier answer
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs.list_deferrals(
    p_session_id uuid,
    p_limit integer default null,
    p_before bigint default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_deferrals', null);
    v_session cmbs_store.session := cmbs_store.read_session(p_session_id, v_caller.tenant);
    v_limit integer := cmbs_store.page_limit(p_limit);
begin
    return (
        select json_build_object(
            'deferrals', coalesce(
                json_agg(cmbs_store.deferral_json(v_session, l.deferral_id) order by l.no)
                filter (where l.no <= v_limit),
                '[]'
            ),
            'next_before', case when count(*) > v_limit then
                min(l.seq) filter (where l.no <= v_limit) end
        )
        from (
            select g.*, row_number() over (order by g.seq desc) as no
            from (
                select d.deferral_id, max(d.seq) as seq
                from cmbs_store.deferral as d
                where d.session_id = p_session_id
                group by d.deferral_id
            ) as g
            where p_before is null or g.seq < p_before
            order by g.seq desc
            limit v_limit + 1
        ) as l
    );
end
$$;

grant execute on function cmbs.list_deferrals to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
