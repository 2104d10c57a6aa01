-- cmbs_store.verdict_input
--
-- What a verdict is given besides what is proposed: the roles of the proposer, the time, the clock
-- if it was set back, and the kill switch if it is on.

create or replace function cmbs_store.verdict_input(
    p_session cmbs_store.session,
    p_roles text[]
)
returns jsonb
language sql
volatile
as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'roles', array(select r.role collate "C" from unnest(p_roles) as r (role) order by 1),
        'decided_at', cmbs_store.timestamp_v1(t.p_at),
        'clock', cmbs_store.timestamp_v1(t.p_clock),
        'halt', cmbs_store.halted(p_session.tenant)
    ))
    from cmbs_store.session_time(p_session) as t
$$;

comment on function cmbs_store.verdict_input(cmbs_store.session, text[]) is
'What a verdict is given besides what is proposed.';

revoke all on function cmbs_store.verdict_input(cmbs_store.session, text[]) from public;
