-- cmbs_store.verdict_json
--
-- The three words of a verdict.

create or replace function cmbs_store.verdict_json(
    p_verdict jsonb
)
returns jsonb
language sql
immutable
as $$
    select jsonb_build_object(
        'decision', p_verdict -> 'decision',
        'disposition', p_verdict -> 'disposition',
        'reason_code', p_verdict -> 'reason_code'
    )
$$;
