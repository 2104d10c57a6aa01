-- cmbs_store.claim_reasons
--
-- Whether a claim may be of its kind: it is confirmed, or it is a hypothesis or derived, for a
-- time.

create or replace function cmbs_store.claim_reasons(
    p_claim jsonb,
    p_kind text,
    p_is_confirmed boolean,
    p_settings jsonb
)
returns cmbs_store.reason[]
language sql
immutable
as $$
    select case
        when p_is_confirmed then '{}'
        when p_kind not in ('hypothesis', 'derived') then array[(
            1, 'schemas', 'CLAIM_NOT_CONFIRMED', null, 'defer', format(
                'a %s needs a confirmation by an approver, or sources with a confidence of %s and '
                'nothing against it', p_kind,
                case
                    when p_settings ? 'policy.claims' then
                        coalesce(p_settings -> 'policy.claims' ->> 'threshold', '0.80')
                    else 'what policy.claims says, which the pack does not have'
                end
            )
        )::cmbs_store.reason]
        when p_claim -> 'ttl_ms' = 'null' and p_claim -> 'review_at' = 'null' then array[(
            1, 'schemas', 'CLAIM_TTL_REQUIRED', null, 'block',
            'a claim that is not confirmed needs ttl_ms or review_at'
        )::cmbs_store.reason]
        else '{}'
    end
$$;
