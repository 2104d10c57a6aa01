-- cmbs_store.declared_session
--
-- The session under an id for which a declare made none, locked: the id is taken, or the space of
-- the ontology is not registered. That somebody else uses the id is the one thing that anybody can
-- find out about it.
--
-- p_has_universe   whether the declare has hypotheses
-- Locks            the session row: so a read-only standby says that it is one.
-- Raises           MB004 SPACE_NOT_FOUND, MB102 CONFLICT.

create or replace function cmbs_store.declared_session(
    p_session_id uuid,
    p_tenant text,
    p_ontology jsonb,
    p_has_universe boolean
)
returns cmbs_store.session
language plpgsql
volatile
as $$
declare
    v_session cmbs_store.session;
begin
    select s.*
    into v_session
    from cmbs_store.session as s
    where s.session_id = p_session_id and (s.tenant = p_tenant or p_tenant = '*')
    for no key update;
    if not found and not p_has_universe then
        perform cmbs_store.refuse_missing('space', json_build_object(
            'hypothesis_space_id', p_ontology ->> 'hypothesis_space_id',
            'hypothesis_version', p_ontology ->> 'hypothesis_version'
        ));
    elsif not found then
        perform cmbs_store.refuse(
            'MB102',
            'This session id is taken.',
            json_build_object('session_id', p_session_id)::text,
            'Give a new session its own id.'
        );
    end if;
    return v_session;
end
$$;
