-- cmbs_store.approved_resume
--
-- What lets a proposal go on about which people were asked: which of its items, and by which
-- approvals. Every question must be approved and may not have been used.
--
-- p_seq       the event of the proposal
-- p_payload   its payload
-- p_at        when it goes on
-- p_code      why it may not, as a reason code; null if it may

create or replace function cmbs_store.approved_resume(
    p_session cmbs_store.session,
    p_seq bigint,
    p_payload jsonb,
    p_at timestamptz,
    out p_resumes jsonb,
    out p_code text,
    out p_interrupt_id uuid
)
returns record
language plpgsql
stable
as $$
declare
    v_item_nos jsonb;
    v_approvals jsonb;
    v_state text;
begin
    if not jsonb_path_exists(p_payload, '$.items[*] ? (exists (@.interrupt_id))') then
        p_code := 'APPROVAL_NOT_ASKED';
        return;
    end if;
    v_item_nos := cmbs_store.items_with(p_payload, 'interrupt_id');
    v_approvals := cmbs_store.approvals_asked(p_payload, v_item_nos);
    select q.interrupt_id, q.state
    into p_interrupt_id, v_state
    from (
        select
            a.no, (a.approval ->> 'interrupt_id')::uuid as interrupt_id,
            -- One that is not there was not answered.
            case
                when i.interrupt_id is null then 'superseded'
                else cmbs_store.interrupt_state(p_session, i, p_at)
            end as state
        from jsonb_array_elements(v_approvals) with ordinality as a (approval, no)
        left join cmbs_store.interrupt as i
            on i.session_id = p_session.session_id
                and i.interrupt_id = (a.approval ->> 'interrupt_id')::uuid
    ) as q
    order by q.state = 'approved', q.state = 'pending', q.no
    limit 1;
    p_code := case v_state
        when 'approved' then null
        when 'ended' then 'APPROVAL_CANCELLED'
        else 'APPROVAL_' || upper(v_state)
    end;
    p_resumes := jsonb_build_object(
        'seq', p_seq, 'item_nos', v_item_nos, 'approvals', v_approvals
    );
end
$$;
