-- cmbs_store.is_arbitration
--
-- Whether a verb is one of arbitration, which does not touch belief.

create or replace function cmbs_store.is_arbitration(
    p_verb text
)
returns boolean
language sql
immutable
as $$
    select p_verb in (
        'PROPOSE', 'POLICY_APPLY', 'TOKEN_ISSUE', 'TOKEN_REVOKE', 'RECORD_CLAIM', 'CONFIRM_CLAIM',
        'BEGIN_EXECUTION', 'COMPLETE_EXECUTION', 'RESOLVE_INTERRUPT', 'SET_MODE', 'SWEEP_EXPIRED'
    )
$$;
