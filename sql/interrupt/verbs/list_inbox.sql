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
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(p_credential, 'list_inbox', null);
    v_limit integer := coalesce(p_limit, 50);
    v_status text := coalesce(p_status, 'pending');
    v_now timestamptz := cmbs_store.clock();
    v_last cmbs_store.open_item;
    v_chunk record;
    v_shown text[] := array[]::text[];
begin
    perform cmbs_store.check_limit(v_limit, 500);
    perform cmbs_store.check_interrupt_status(v_status);
    v_last := cmbs_store.inbox_cursor(p_cursor);
    if v_status = 'pending' then
        v_last.due_at := greatest(v_last.due_at, v_now);
    end if;
    loop
        select
            array_agg(e.shown order by o.no) filter (where e.shown is not null) as shown,
            array_agg(o.item order by o.no) as items,
            array_agg(o.item order by o.no) filter (where e.shown is not null) as shown_items
        into v_chunk
        from cmbs_store.inbox_items(
            v_caller.tenant, v_status = 'pending', v_last, v_limit + 1
        ) with ordinality as n (
            session_id, kind, item_id, tenant, due_at, is_open, no
        )
        cross join lateral (
            select (
                n.session_id, n.kind, n.item_id, n.tenant, n.due_at, n.is_open
            )::cmbs_store.open_item as item, n.no
        ) as o
        left join lateral cmbs_store.inbox_entry(o.item, v_status) as e (shown) on true;
        v_shown := v_shown || v_chunk.shown;
        if cardinality(v_shown) > v_limit then
            return cmbs_store.inbox_page(
                v_shown[1:v_limit],
                v_chunk.shown_items[cardinality(v_chunk.shown) - cardinality(v_shown) + v_limit]
            );
        end if;
        exit when coalesce(cardinality(v_chunk.items), 0) <= v_limit;
        v_last := v_chunk.items[cardinality(v_chunk.items)];
    end loop;
    return cmbs_store.inbox_page(v_shown, null);
end
$$;

grant execute on function cmbs.list_inbox to cmbs_server, cmbs_agent, cmbs_policy, cmbs_auditor;
