-- cmbs.create_context
--
-- Begins an elimination context: a set of hypotheses of which nothing is eliminated, under an id
-- of the caller's.
--
-- Promises   repeatable with the same set, whatever was eliminated since; another set is refused.
--            Contexts over one set share it.
-- Locks      the rows of the context and of the set while they are new.
-- Raises     MB102 CONFLICT, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.create_context(
    p_context_id text,
    p_hypotheses text[],
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
        p_credential, 'create_context', '{agent}'
    );
    v_asked bytea;
    v_digest bytea;
    v_created boolean;
    v_n_hypotheses integer;
begin
    perform cmbs_store.check_context_id('context_id', p_context_id);
    v_asked := cmbs_store.ensure_context_universe(p_hypotheses);
    -- Another tenant's is looked for first: the insert would wait for whoever changes it.
    insert into cmbs_store.context (context_id, tenant, created_at, universe_digest, n_events)
    select p_context_id, cmbs_store.own_tenant(v_caller), cmbs_store.clock(), v_asked, 0
    where not exists (
        select
        from cmbs_store.context as c
        where c.context_id = p_context_id and c.tenant <> cmbs_store.own_tenant(v_caller)
    )
    on conflict (context_id) do nothing;
    v_created := found;
    select c.universe_digest, u.n_hypotheses
    into v_digest, v_n_hypotheses
    from cmbs_store.context as c
    inner join cmbs_store.context_universe as u on u.universe_digest = c.universe_digest
    where c.context_id = p_context_id
        and (c.tenant = v_caller.tenant or v_caller.tenant = '*');
    if not found then
        perform cmbs_store.refuse(
            'MB102',
            'This id of an elimination context is taken.',
            json_build_object('context_id', p_context_id)::text,
            'Choose another id.'
        );
    elsif v_digest <> v_asked then
        perform cmbs_store.refuse(
            'MB102',
            'This elimination context began with other hypotheses.',
            json_build_object(
                'context_id', p_context_id,
                'n_hypotheses', v_n_hypotheses,
                'universe_digest', encode(v_digest, 'hex')
            )::text,
            'Choose another id, or send the hypotheses that it began with.'
        );
    end if;
    return json_build_object(
        'context_id', p_context_id,
        'n_hypotheses', v_n_hypotheses,
        'universe_digest', encode(v_digest, 'hex'),
        'duplicate', not v_created
    );
end
$$;

grant execute on function cmbs.create_context to cmbs_agent;
