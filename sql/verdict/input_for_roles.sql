-- cmbs_store.input_for_roles
--
-- What every verdict is given: the roles of the proposer, the time, the clock if it was set back,
-- and the kill switch if it is on.

create or replace function cmbs_store.input_for_roles(
    p_session cmbs_store.session,
    p_roles text[]
)
returns cmbs_store.verdict_input
language plpgsql
volatile
as $$
declare
    v_time record := cmbs_store.session_time(p_session);
    v_given cmbs_store.verdict_input;
begin
    v_given.roles := to_jsonb(
        array(select r.role collate "C" from unnest(p_roles) as r (role) order by 1)
    );
    v_given.decided_at := cmbs_store.timestamp_v1(v_time.p_at);
    v_given.clock := cmbs_store.timestamp_v1(v_time.p_clock);
    v_given.halt := cmbs_store.halted(p_session.tenant);
    return v_given;
end
$$;
