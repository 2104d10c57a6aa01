-- cmbs.eliminate_in_context
--
-- Eliminates hypotheses of an elimination context.
--
-- Promises   all or nothing; each hypothesis is in `applied` of exactly one call, however many ask
--            at once. What is gone already or unknown changes nothing and is `already_eliminated`.
--            The cost depends on the ids that are sent and not on the context.
-- Locks      the row of the context, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.eliminate_in_context(
    p_context_id text,
    p_eliminated text[],
    p_source_id text,
    p_trigger text,
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
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'eliminate_in_context', '{agent, encoder, tool}'
    );
    v_context cmbs_store.context;
    v_applied text[];
begin
    perform cmbs_store.check_context_id('context_id', p_context_id);
    perform cmbs_store.check_context_ids('eliminated', p_eliminated);
    perform cmbs_store.check_context_id('source_id', p_source_id);
    perform cmbs_store.check_context_id('trigger', p_trigger);
    perform cmbs_store.check_source(v_caller, p_source_id);
    select c.*
    into v_context
    from cmbs_store.context as c
    where c.context_id = p_context_id
        and (c.tenant = v_caller.tenant or v_caller.tenant = '*')
    for no key update;
    if not found then
        perform cmbs_store.refuse_missing(
            'context', json_build_object('context_id', p_context_id)
        );
    end if;
    -- Scalar subqueries are probes of a key, one per id; a join might be planned as a scan of all
    -- hypotheses of the context.
    v_applied := array(
        select distinct i.id collate "C"
        from unnest(p_eliminated) as i (id)
        where (
            select true
            from cmbs_store.context_hypothesis as h
            where h.universe_digest = v_context.universe_digest and h.hypothesis_id = i.id
        ) and (
            select true
            from cmbs_store.context_tombstone as t
            where t.context_id = p_context_id and t.hypothesis_id = i.id
        ) is null
        order by 1
    );
    if cardinality(v_applied) > 0 then
        update cmbs_store.context as c
        set n_events = v_context.n_events + 1
        where c.context_id = p_context_id;
        insert into cmbs_store.context_event (
            context_id, event_no, eliminated_at, source_id, trigger
        )
        values (
            p_context_id, v_context.n_events + 1, cmbs_store.clock(), p_source_id, p_trigger
        );
        insert into cmbs_store.context_tombstone (context_id, hypothesis_id, event_no)
        select p_context_id, a.id, v_context.n_events + 1
        from unnest(v_applied) as a (id);
    end if;
    return json_build_object(
        'applied', v_applied,
        'already_eliminated', cmbs_store.ids_without(p_eliminated, v_applied)
    );
end
$$;

grant execute on function cmbs.eliminate_in_context to cmbs_agent;
