-- cmbs.list_inbox
--
-- Questions of all sessions that the caller may see, first what runs out first, a page at a time.
--
-- p_status   those that are pending; or of another status, as list_interrupts names them
-- p_cursor   the `next_cursor` of an earlier answer
-- Promises   a page of what is pending costs the same however many there are, answered or not.
-- Locks      nothing.
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs.list_inbox(
    p_status text default 'pending',
    p_limit integer default 50,
    p_cursor text default null,
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
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_inbox', null);
    v_limit integer := coalesce(p_limit, 50);
    v_status text := coalesce(p_status, 'pending');
    v_now timestamptz := cmbs_store.clock();
    v_after record;
begin
    perform cmbs_store.check_limit(v_limit, 500);
    perform cmbs_store.check_interrupt_status(v_status);
    v_after := cmbs_store.inbox_cursor(p_cursor);
    return (
        select json_build_object(
            'interrupts', coalesce(
                json_agg(
                    cmbs_store.interrupt_json(l.session, l.interrupt, v_now) order by l.no
                ) filter (where l.no <= v_limit),
                '[]'
            ),
            'next_cursor', case when count(*) > v_limit then max(format(
                '%s_%s_%s', cmbs_store.timestamp_v1((l.interrupt).expires_at),
                (l.interrupt).session_id, (l.interrupt).interrupt_id
            )) filter (where l.no = v_limit) end
        )
        from (
            select
                s as session, i as interrupt,
                row_number() over (order by o.due_at, o.session_id, o.item_id) as no
            from cmbs_store.open_item as o
            inner join cmbs_store.session as s on s.session_id = o.session_id
            inner join cmbs_store.interrupt as i
                on i.session_id = o.session_id and i.interrupt_id = o.item_id
            where o.kind = 'interrupt'
                and (v_caller.tenant = '*' or o.tenant = v_caller.tenant)
                and (v_status <> 'pending' or o.is_open and o.due_at > v_now)
                and (
                    p_cursor is null or (o.due_at, o.session_id, o.item_id)
                    > (v_after.p_due_at, v_after.p_session_id, v_after.p_item_id)
                )
                and cmbs_store.interrupt_state(s, i, v_now) = v_status
            order by o.due_at, o.session_id, o.item_id
            limit v_limit + 1
        ) as l
    );
end
$$;

comment on function cmbs.list_inbox(text, integer, text, bytea) is
'Questions of all sessions, first what runs out first, a page at a time. Raises MB201.';

revoke all on function cmbs.list_inbox(text, integer, text, bytea) from public;
grant execute on function cmbs.list_inbox(text, integer, text, bytea)
to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
