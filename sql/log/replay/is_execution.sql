-- cmbs_store.is_execution
--
-- Whether a verb is one of execution, approval or upkeep: those decide about what was decided.

create or replace function cmbs_store.is_execution(
    p_verb text
)
returns boolean
language sql
immutable
as $$
    select p_verb in (
        'BEGIN_EXECUTION', 'COMPLETE_EXECUTION', 'RESOLVE_INTERRUPT', 'SET_MODE', 'SWEEP_EXPIRED'
    )
$$;
