-- cmbs_store.ensure_universe
--
-- The universe of a list of ids: de-duplicated, sorted, stored once however often it is declared.
--
-- Locks      the universe row while it is new: a second declare of the set waits for the first.
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.ensure_universe(
    p_member text,
    p_hypotheses text[],
    out p_universe_digest bytea,
    out p_n_hypotheses integer
)
language plpgsql
volatile
as $$
declare
    v_ids text[];
begin
    perform cmbs_store.check_ids(p_member, p_hypotheses, null);
    v_ids := array(
        select distinct u.hypothesis_id collate "C"
        from unnest(p_hypotheses) as u (hypothesis_id)
        order by 1
    );
    p_n_hypotheses := cardinality(v_ids);
    if p_n_hypotheses = 0 then
        perform cmbs_store.refuse_request(p_member, 'must hold at least one id');
    end if;
    select cmbs_store.universe_digest_v1(
        '[' || string_agg(to_json(u.hypothesis_id)::text, ', ' order by u.no) || ']'
    )
    into p_universe_digest
    from unnest(v_ids) with ordinality as u (hypothesis_id, no);
    if exists (
        select from cmbs_store.universe as u where u.universe_digest = p_universe_digest
    ) then
        return;
    end if;
    insert into cmbs_store.universe (universe_digest, n_hypotheses, registered_at)
    values (p_universe_digest, p_n_hypotheses, cmbs_store.clock())
    on conflict (universe_digest) do nothing;
    if found then
        insert into cmbs_store.universe_member (universe_digest, hypothesis_id, hypothesis_rank)
        select p_universe_digest, u.hypothesis_id, u.no - 1
        from unnest(v_ids) with ordinality as u (hypothesis_id, no);
    end if;
end
$$;
