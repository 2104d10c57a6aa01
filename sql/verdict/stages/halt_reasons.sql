-- cmbs_store.halt_reasons
--
-- The kill switch: while it is on, everything is denied, as by a constraint without a subject.

create or replace function cmbs_store.halt_reasons(
    p_given cmbs_store.verdict_input
)
returns cmbs_store.reason[]
language sql
immutable
as $$
    select case
        when p_given.halt is not null then array[(
            null, 'constraints', 'CONSTRAINT_DENIED', 'constraint.halt', 'block',
            'the kill switch is on: ' || p_given.halt
        )::cmbs_store.reason]
        else '{}'
    end
$$;
