-- cmbs_store.interrupt_of
--
-- A question of a session by its id, as of the event that the session is given as of.
--
-- Raises     MB012 INTERRUPT_NOT_FOUND.

create or replace function cmbs_store.interrupt_of(
    p_session cmbs_store.session,
    p_interrupt_id uuid
)
returns cmbs_store.interrupt
language plpgsql
stable
as $$
declare
    v_interrupt cmbs_store.interrupt;
begin
    select i.*
    into v_interrupt
    from cmbs_store.interrupt as i
    where i.session_id = p_session.session_id
        and i.interrupt_id = p_interrupt_id
        and i.seq <= p_session.audit_seq;
    if not found then
        perform cmbs_store.refuse_missing(
            'interrupt', json_build_object('interrupt_id', p_interrupt_id)
        );
    end if;
    return v_interrupt;
end
$$;
