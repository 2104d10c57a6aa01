-- cmbs_store.ensure_context_universe
--
-- The digest of a set of hypotheses, which is stored once however many contexts begin with it.
--
-- Locks      the row of the set while it is new: another that needs it waits.
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.ensure_context_universe(
    p_hypotheses text[]
)
returns bytea
language plpgsql
volatile
as $$
declare
    v_ids text[];
    v_digest bytea;
begin
    perform cmbs_store.check_context_ids('hypotheses', p_hypotheses);
    v_ids := array(
        select distinct u.id collate "C" from unnest(p_hypotheses) as u (id) order by 1
    );
    select cmbs_store.universe_digest_v1(
        '[' || coalesce(string_agg(to_json(u.id)::text, ', ' order by u.no), '') || ']'
    )
    into v_digest
    from unnest(v_ids) with ordinality as u (id, no);
    if exists (
        select from cmbs_store.context_universe as u where u.universe_digest = v_digest
    ) then
        return v_digest;
    end if;
    insert into cmbs_store.context_universe (universe_digest, n_hypotheses)
    values (v_digest, cardinality(v_ids))
    on conflict (universe_digest) do nothing;
    if found then
        insert into cmbs_store.context_hypothesis (universe_digest, hypothesis_id)
        select v_digest, u.id
        from unnest(v_ids) as u (id);
    end if;
    return v_digest;
end
$$;
