-- cmbs_store.question
--
-- The question that a person is asked about an item: its id, which constraints an approval would
-- waive, and until when it may be answered.

create or replace function cmbs_store.question(
    p_verdict jsonb,
    p_item jsonb,
    p_session cmbs_store.session,
    p_settings jsonb,
    p_given jsonb
)
returns jsonb
language sql
stable
as $$
    select jsonb_build_object(
        'interrupt_id',
        left(encode(cmbs_store.digest_v1(concat_ws(
            ' ', p_session.session_id, p_session.audit_seq, p_given ->> 'decided_at',
            p_verdict ->> 'item_no', p_verdict ->> 'digest'
        )), 'hex'), 32)::uuid,
        'interrupt', jsonb_build_object(
            'action_digest', p_verdict -> 'digest',
            'constraint_keys', array(
                select distinct r.reason ->> 'key' collate "C"
                from jsonb_array_elements(p_verdict -> 'reasons') as r (reason)
                where r.reason ->> 'disposition' = 'ask' and r.reason ? 'key'
                order by 1
            ),
            'expires_at', cmbs_store.timestamp_v1(
                (p_given ->> 'decided_at')::timestamptz + least(
                    coalesce(
                        (p_settings -> 'policy.interrupts' ->> 'ttl_ms')::bigint, 3600000
                    ),
                    31536000000
                ) * interval '1 millisecond'
            )
        )
    )
$$;

comment on function cmbs_store.question(jsonb, jsonb, cmbs_store.session, jsonb, jsonb) is
'The question that a person is asked about an item.';

revoke all on function cmbs_store.question(
    jsonb, jsonb, cmbs_store.session, jsonb, jsonb
) from public;
