-- cmbs.list_due
--
-- The sessions in which something is due that `sweep_expired` does, first what has waited longest.
-- Whoever asks often is how the server notices that its clock was set back.
--
-- Locks      the mark of the clock, once a second, for who sees every tenant.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.list_due(
    p_limit integer default 100,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_custom_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize_upkeep(
        p_credential, 'list_due', '{agent, encoder, tool, policy}'
    );
    v_now timestamptz;
    v_mark cmbs_store.clock_mark;
    v_by_clock uuid[];
begin
    perform cmbs_store.check_limit(coalesce(p_limit, 0), 1000);
    if v_caller.tenant = '*' then
        perform cmbs_store.note_clock();
    end if;
    v_now := cmbs_store.clock();
    select m.* into v_mark from cmbs_store.clock_mark as m;
    v_by_clock := array(select cmbs_store.due_by_clock(v_caller.tenant, v_now, p_limit));
    if v_mark.n_found < v_mark.n_steps and v_by_clock = '{}' and v_caller.tenant = '*'
        and current_setting('transaction_read_only') = 'off'
        and current_setting('transaction_isolation') = 'read committed'
    then
        update cmbs_store.clock_mark as m
        set n_found = v_mark.n_steps
        from (select l.is_only from cmbs_store.clock_mark as l for update skip locked) as l
        where l.is_only = m.is_only;
    end if;
    return (
        select json_build_object(
            'sessions', coalesce(json_agg(d.session_id order by d.due_at, d.session_id), '[]')
        )
        from (
            select l.session_id, min(l.due_at) as due_at
            from (
                select i.session_id, i.due_at
                from unnest(array['permit', 'deferral']) as k (kind)
                cross join lateral (
                    select o.session_id, o.due_at
                    from cmbs_store.open_item as o
                    where o.kind = k.kind and o.is_open and o.due_at <= v_now
                        and (v_caller.tenant = '*' or o.tenant = v_caller.tenant)
                    order by o.due_at
                    limit p_limit
                ) as i
                union all
                select a.session_id, v_now
                from unnest(v_by_clock) as a (session_id)
            ) as l
            group by l.session_id
            order by 2, 1
            limit p_limit
        ) as d
    );
end
$$;

grant execute on function cmbs.list_due to cmbs_server, cmbs_agent, cmbs_policy;
