-- cmbs_store.completion_fault
--
-- What is wrong with a recorded end of an execution; null if nothing is.

create or replace function cmbs_store.completion_fault(
    p_state cmbs_store.session,
    p_actor text,
    p_permit cmbs_store.permit,
    p_payload jsonb
)
returns text
language plpgsql
stable
as $$
begin
    if not exists (
        select
        from cmbs_store.permit_begin as b
        where b.session_id = p_state.session_id
            and b.permit_id = p_permit.permit_id
            and b.seq <= p_state.audit_seq
            and b.actor = p_actor
    ) then
        return 'the execution was not begun by who ended it';
    elsif exists (
        select
        from cmbs_store.permit_end as d
        where d.session_id = p_state.session_id
            and d.permit_id = p_permit.permit_id
            and d.seq <= p_state.audit_seq
    ) then
        return 'the execution had ended before';
    end if;
    perform cmbs_store.check_units(p_state, p_permit, p_payload -> 'usage');
    return case
        when (p_payload - 'request_id')::text <> cmbs_store.checked_completion(
            p_permit.permit_id, p_payload ->> 'outcome', (p_payload -> 'result')::json,
            (p_payload -> 'usage')::json
        )::text then 'the recorded end is not the one that follows'
    end;
exception
    when sqlstate 'MB201' or sqlstate 'MB203' then
        return 'the recorded end is beyond the limits of the verb';
end
$$;
