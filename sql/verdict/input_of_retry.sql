-- cmbs_store.input_of_retry
--
-- What a verdict on a deferred proposal is given that is tried again, besides the roles of its
-- proposer, the clock and the kill switch.
--
-- p_payload    that of its last try
-- p_by         who committed what it waits for, or swept
-- p_at         approvals that have run out by then do not count any more

create or replace function cmbs_store.input_of_retry(
    p_session cmbs_store.session,
    p_payload jsonb,
    p_by text,
    p_at timestamptz
)
returns jsonb
language sql
stable
as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'v', 2,
        'token_id', p_payload -> 'token_id',
        'is_token_shown', p_payload -> 'is_token_shown',
        'retries', jsonb_build_object(
            'deferral_id', p_payload -> 'deferral' -> 'deferral_id',
            'attempt', (p_payload -> 'deferral' ->> 'attempt')::integer + 1,
            'by', p_by
        ),
        'resumes', case when p_payload ? 'resumes' then p_payload -> 'resumes'
            || jsonb_build_object('item_nos', n.item_nos, 'approvals', (
                select coalesce(jsonb_agg(a.approval order by a.no), '[]')
                from jsonb_array_elements(
                    cmbs_store.approvals_asked(p_payload, n.item_nos)
                ) with ordinality as a (approval, no)
                inner join cmbs_store.interrupt as i
                    on i.session_id = p_session.session_id
                        and i.interrupt_id = (a.approval ->> 'interrupt_id')::uuid
                where cmbs_store.interrupt_state(p_session, i, p_at) = 'approved'
            ))
        end
    )) || jsonb_build_object('proposal', cmbs_store.resumed_proposal(
        p_session, p_payload -> 'proposal', n.item_nos
    ))
    from cmbs_store.items_with(p_payload, 'deferral_id') as n (item_nos)
$$;

comment on function cmbs_store.input_of_retry(cmbs_store.session, jsonb, text, timestamptz) is
'What a verdict on a deferred proposal is given that is tried again.';

revoke all on function cmbs_store.input_of_retry(
    cmbs_store.session, jsonb, text, timestamptz
) from public;
