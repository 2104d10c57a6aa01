-- cmbs_store.gate_answer
--
-- What a gate says to a message, as JSON text: a decision with its reason, or an error; nothing of
-- both where the message is only taken.

create or replace function cmbs_store.gate_answer(
    p_approved boolean,
    p_reason text,
    p_error text
)
returns text
language sql
stable
as $$
    select json_build_object('approved', p_approved, 'reason', p_reason, 'error', p_error)::text
$$;
