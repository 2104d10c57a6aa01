-- cmbs_store.without_obligation
--
-- A session with no obligation active.

create or replace function cmbs_store.without_obligation(
    p_session cmbs_store.session
)
returns cmbs_store.session
language plpgsql
immutable
as $$
begin
    p_session.obligation_seq := null;
    p_session.obligation_id := null;
    p_session.obligation_minimum := null;
    p_session.obligation_survivors := null;
    return p_session;
end
$$;
