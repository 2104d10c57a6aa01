-- cmbs_store.deferral_offer
--
-- What a deferred proposal waits for, and when it is tried again in any case; of one that was tried
-- again and waits no more only that. Null if there is nothing to wait for.
--
-- The id follows from what is deferred, so that a replay finds the same.

create or replace function cmbs_store.deferral_offer(
    p_session cmbs_store.session,
    p_given cmbs_store.verdict_input,
    p_verdict jsonb,
    p_evidence cmbs_store.evidence,
    p_settings jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_at timestamptz := p_given.decided_at::timestamptz;
    v_attempt integer := coalesce((p_given.retries ->> 'attempt')::integer, 0);
    v_max integer := cmbs_store.max_retries(p_settings);
    v_id text := coalesce(
        p_given.retries ->> 'deferral_id',
        cmbs_store.derived_id(p_session, p_given.decided_at, 'deferral')::text
    );
    v_cooldown timestamptz;
begin
    if v_max = 0 or p_given.is_full is not null
        or not cmbs_store.is_deferred(p_given, p_verdict)
    then
        return case
            when p_given.retries is not null then jsonb_build_object(
                'deferral_id', v_id, 'attempt', v_attempt, 'missing', '[]'::jsonb, 'next_at', null
            )
        end;
    end if;
    select max(cmbs_store.cooldown_end(p_session, i.item ->> 'tool_id', p_settings))
    into v_cooldown
    from jsonb_array_elements(p_given.proposal -> 'items') as i (item)
    where p_settings ? 'policy.cooldowns' and i.item ->> 'kind' = 'tool_call';
    return jsonb_build_object(
        'deferral_id', v_id,
        'attempt', v_attempt,
        'max_attempts', v_max,
        'missing', cmbs_store.awaited_keys(p_verdict, p_evidence),
        'next_at', cmbs_store.timestamp_v1(greatest(
            v_cooldown,
            v_at + least(
                coalesce(
                    (p_settings -> 'policy.deferrals' ->> 'backoff_ms')::bigint, 60000
                ) * (2 ^ least(v_attempt, 27))::bigint,
                86400000
            ) * interval '1 millisecond'
        ))
    );
end
$$;
