-- cmbs_store.begin_fault
--
-- What stands against beginning the execution of a permit, as a reason code with details; null if
-- nothing does. The permit, the capability, and the policy are looked at as they are now: if
-- something happened since that a verdict depends on, the call is decided anew.
--
-- p_origin     the payload of the proposal that gave the permit
-- p_given      who proposed it with which roles now, when, and the kill switch
-- p_recorded   the payload of a record that is decided again, null for a new one
-- p_basis      what the new decision rests on; {} if the old one stands

create or replace function cmbs_store.begin_fault(
    p_session cmbs_store.session,
    p_permit cmbs_store.permit,
    p_origin jsonb,
    p_given cmbs_store.verdict_input,
    p_recorded jsonb,
    out p_code text,
    out p_detail jsonb,
    out p_basis jsonb
)
returns record
language plpgsql
stable
as $$
declare
    v_at timestamptz := cmbs_store.granted_until(p_given.decided_at, p_given.clock);
    v_capability cmbs_store.capability_token;
    v_reasons cmbs_store.reason[];
    v_verdict jsonb;
    v_tool jsonb := jsonb_build_array(
        p_origin #> array['proposal', 'items', (p_permit.item_no - 1)::text]
    );
begin
    p_basis := '{}';
    p_detail := jsonb_build_object('permit_id', p_permit.permit_id);
    p_code := cmbs_store.permit_fault(p_session, p_permit, v_at);
    if p_code is not null then
        p_detail := p_detail || jsonb_build_object(
            'expires_at', cmbs_store.timestamp_v1(p_permit.expires_at),
            'begun_by', (
                select b.actor
                from cmbs_store.permit_begin as b
                where b.session_id = p_session.session_id and b.permit_id = p_permit.permit_id
            )
        );
        return;
    end if;
    select t.*
    into v_capability
    from cmbs_store.capability_token as t
    where t.session_id = p_session.session_id and t.token_id = p_permit.token_id;
    v_reasons := cmbs_store.capability_reasons(p_session, v_capability, true, p_permit.actor, v_at)
        || cmbs_store.halt_reasons(p_given);
    if cardinality(v_reasons) = 0 and not (
        p_given.roles = p_origin -> 'roles'
        and cmbs_store.is_unchanged(p_session, p_permit.seq)
        and case
            when p_recorded is not null then not p_recorded ? 'tools'
            else p_origin -> 'tools' @> cmbs_store.tools_named(p_session.tenant, v_tool)
        end
    ) then
        if cmbs_store.has_superseded(p_session, p_origin, p_permit.item_no) then
            p_code := 'APPROVAL_SUPERSEDED';
            return;
        end if;
        p_given.resumes := cmbs_store.approvals_of(p_origin, p_permit.item_no);
        select n.p_reasons, n.p_basis
        into v_reasons, p_basis
        from cmbs_store.recheck_permit(
            p_session, p_permit, v_capability, v_tool, p_given, p_recorded
        ) as n;
    end if;
    if cardinality(v_reasons) > 0 then
        v_verdict := cmbs_store.fold_reasons(v_reasons, null);
        p_code := v_verdict ->> 'reason_code';
        p_detail := p_detail || jsonb_build_object('reasons', v_verdict -> 'reasons');
    end if;
end
$$;
