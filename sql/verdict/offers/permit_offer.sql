-- cmbs_store.permit_offer
--
-- The permit of a call that is allowed, as members of its verdict: an id that follows from what it
-- is for, and until when it may be used, which is never longer than capability and approvals count.

create or replace function cmbs_store.permit_offer(
    p_verdict jsonb,
    p_capability cmbs_store.capability_token,
    p_session cmbs_store.session,
    p_settings jsonb,
    p_given cmbs_store.verdict_input
)
returns jsonb
language sql
stable
as $$
    select jsonb_build_object(
        'permit_id', cmbs_store.derived_id(
            p_session, p_given.decided_at,
            concat_ws(' ', 'permit', p_verdict ->> 'item_no', p_verdict ->> 'digest')
        ),
        'permit', jsonb_build_object('expires_at', cmbs_store.timestamp_v1(least(
            p_capability.expires_at,
            (
                select min(i.expires_at)
                from jsonb_array_elements(p_given.resumes -> 'approvals') as a (approval)
                inner join cmbs_store.interrupt as i
                    on i.session_id = p_session.session_id
                        and i.interrupt_id = (a.approval ->> 'interrupt_id')::uuid
                where a.approval -> 'item_no' = p_verdict -> 'item_no'
            ),
            p_given.decided_at::timestamptz + least(
                coalesce((p_settings -> 'policy.permits' ->> 'ttl_ms')::bigint, 300000),
                86400000
            ) * interval '1 millisecond'
        )))
    )
$$;
