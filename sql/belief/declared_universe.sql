-- cmbs_store.declared_universe
--
-- The universe of a declare: an explicit list always wins, else the registered space of the tenant,
-- if there is one.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.declared_universe(
    p_tenant text,
    p_ontology jsonb,
    p_hypotheses text[],
    out p_universe_digest bytea,
    out p_n_hypotheses integer
)
language plpgsql
volatile
as $$
begin
    if p_hypotheses is not null then
        select u.p_universe_digest, u.p_n_hypotheses
        into strict p_universe_digest, p_n_hypotheses
        from cmbs_store.ensure_universe('hypotheses', p_hypotheses) as u;
        return;
    end if;
    select s.universe_digest, u.n_hypotheses
    into p_universe_digest, p_n_hypotheses
    from cmbs_store.hypothesis_space as s
    inner join cmbs_store.universe as u on u.universe_digest = s.universe_digest
    where s.tenant = p_tenant
        and s.hypothesis_space_id = p_ontology ->> 'hypothesis_space_id'
        and s.hypothesis_version = p_ontology ->> 'hypothesis_version';
end
$$;
