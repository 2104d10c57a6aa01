-- cmbs_store.decide_with_shadow
--
-- The verdict on a proposal by the policy in force, and what the shadow of that policy says, which
-- is recorded and never followed.
--
-- p_recorded   the payload of a record that is decided again, null for a new one

create or replace function cmbs_store.decide_with_shadow(
    p_session cmbs_store.session,
    p_actor text,
    p_given cmbs_store.verdict_input,
    p_recorded jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_pin cmbs_store.policy_pin := cmbs_store.policy_in_force(p_session);
    v_shadow cmbs_store.policy_pin;
    v_verdict jsonb := cmbs_store.decide(p_session, p_actor, p_given, p_recorded, v_pin);
begin
    select s.*
    into v_shadow
    from cmbs_store.shadow_pin as s
    where s.session_id = p_session.session_id and s.seq = v_pin.seq;
    if not found or p_given.claim is not null then
        return v_verdict;
    end if;
    return v_verdict || jsonb_build_object('shadow', cmbs_store.verdict_without_offers(
        cmbs_store.decide(p_session, p_actor, p_given, p_recorded -> 'shadow', v_shadow)
    ));
end
$$;
