-- cmbs_store.is_universe
--
-- Whether a universe is stored as its digest and size say: every member, in its rank.
--
-- p_known_universe  a universe whose members have been found good already, or null

create or replace function cmbs_store.is_universe(
    p_universe_digest bytea,
    p_n_hypotheses integer,
    p_known_universe bytea
)
returns boolean
language plpgsql
stable
as $$
begin
    return exists (
        select
        from cmbs_store.universe as u
        where u.universe_digest = p_universe_digest and u.n_hypotheses = p_n_hypotheses
    )
    and (p_known_universe is not distinct from p_universe_digest or coalesce(
        (
            select count(*) = p_n_hypotheses and bool_and(m.hypothesis_rank = m.no - 1)
            from (
                select
                    u.hypothesis_rank,
                    row_number() over (order by u.hypothesis_id) as no
                from cmbs_store.universe_member as u
                where u.universe_digest = p_universe_digest
            ) as m
        ),
        false
    )
    and cmbs_store.universe_digest_v1(cmbs_store.universe_ids(p_universe_digest))
        = p_universe_digest);
end
$$;
