-- cmbs_store.gate_row
--
-- The row that a gate event must have left in the tables of obligations and conclusions, as text.

create or replace function cmbs_store.gate_row(
    p_before cmbs_store.session,
    p_after cmbs_store.session,
    p_verb text,
    p_payload jsonb
)
returns text
language sql
stable
as $$
    select case
        when p_verb = 'ENTER_OBLIGATION' then row(
            'obligation', p_after.obligation_seq, p_after.obligation_id,
            p_after.obligation_minimum, p_after.obligation_survivors
        )::text
        when p_verb = 'DECLARE_CONCLUSION' then row(
            'conclusion', p_after.audit_seq, p_payload ->> 'conclusion_id', p_payload -> 'accepted'
        )::text
        when p_before.obligation_seq is not null and p_after.obligation_seq is null then row(
            'obligation_end', p_before.obligation_seq, p_after.audit_seq,
            case p_verb when 'WAIVE_OBLIGATION' then 'waived' else 'exited' end, p_after.n_survivors
        )::text
    end
$$;
