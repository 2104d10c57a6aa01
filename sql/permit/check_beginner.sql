-- cmbs_store.check_beginner
--
-- Refuses to go on with an execution that was not begun, or that another principal began.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.check_beginner(
    p_session cmbs_store.session,
    p_caller cmbs_store.principal,
    p_permit cmbs_store.permit
)
returns void
language plpgsql
stable
as $$
declare
    v_actor text;
begin
    select b.actor
    into v_actor
    from cmbs_store.permit_begin as b
    where b.session_id = p_session.session_id and b.permit_id = p_permit.permit_id;
    if not found then
        perform cmbs_store.refuse_execution(
            'PERMIT_NOT_BEGUN', jsonb_build_object('permit_id', p_permit.permit_id)
        );
    elsif v_actor <> p_caller.name then
        perform cmbs_store.refuse_execution('PERMIT_HOLDER_MISMATCH', jsonb_build_object(
            'permit_id', p_permit.permit_id, 'begun_by', v_actor
        ));
    end if;
end
$$;
