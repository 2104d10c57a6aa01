-- cmbs_store.interrupt_offer
--
-- The question that a person is asked about an item: its id, what exactly it is about, which
-- constraints an approval would waive, and until when it may be answered and used. The digest
-- commits to the item, the policy and the state.
--
-- The id follows from what it is about, so that a replay finds the same.

create or replace function cmbs_store.interrupt_offer(
    p_verdict jsonb,
    p_item jsonb,
    p_session cmbs_store.session,
    p_settings jsonb,
    p_given cmbs_store.verdict_input
)
returns jsonb
language sql
stable
as $$
    select jsonb_build_object(
        'interrupt_id',
        cmbs_store.derived_id(
            p_session, p_given.decided_at,
            concat_ws(' ', p_verdict ->> 'item_no', p_verdict ->> 'digest')
        ),
        'interrupt', jsonb_build_object(
            'action_digest', encode(cmbs_store.digest_v1(jsonb_build_object(
                'item', p_item,
                'state_snapshot_id', p_session.audit_head_event_id,
                'policy_hash',
                encode((cmbs_store.policy_in_force(p_session)).policy_hash, 'hex')
            )::text), 'hex'),
            'constraint_keys', array(
                select distinct r.reason ->> 'key' collate "C"
                from jsonb_array_elements(p_verdict -> 'reasons') as r (reason)
                where r.reason ->> 'disposition' = 'ask' and r.reason ? 'key'
                order by 1
            ),
            'expires_at', cmbs_store.timestamp_v1(
                p_given.decided_at::timestamptz + least(
                    coalesce(
                        (p_settings -> 'policy.interrupts' ->> 'ttl_ms')::bigint, 3600000
                    ),
                    31536000000
                ) * interval '1 millisecond'
            )
        )
    )
$$;
