-- cmbs_store.policy_in_force
--
-- The policy that a session names, as of the event that the session is given as of; the pack
-- deny-all where it names none.

create or replace function cmbs_store.policy_in_force(
    p_session cmbs_store.session
)
returns cmbs_store.policy_pin
language plpgsql
stable
as $$
declare
    v_pin cmbs_store.policy_pin;
begin
    select p.*
    into v_pin
    from cmbs_store.policy_pin as p
    where p.session_id = p_session.session_id and p.seq <= p_session.audit_seq
    order by p.seq desc
    limit 1;
    if not found then
        select p_session.session_id, 0, v.pack, v.version, v.policy_hash
        into v_pin
        from cmbs_store.policy_version as v
        where v.tenant = '*' and v.pack = 'deny-all' and v.version = 1;
    end if;
    return v_pin;
end
$$;
