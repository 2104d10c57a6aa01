-- cmbs_store.refuse
--
-- Ends the call with an error of ours, of class MB, of which the log of the server says nothing: a
-- refusal is an answer, and not a failure of the server. It would hold what callers sent, and let
-- strangers fill the disk. Where cmbs_kernel may not set log_min_messages, it is logged.
--
-- p_state    the code
-- p_detail   JSON text: what was wrong, for programs
-- Raises     p_state, always.

create or replace function cmbs_store.refuse(
    p_state text,
    p_message text,
    p_detail text,
    p_hint text
)
returns void
language plpgsql
volatile
as $$
begin
    -- It ends with the transaction, or with the block that catches the error.
    if has_parameter_privilege('log_min_messages', 'set') then
        perform set_config('log_min_messages', 'fatal', true);
    end if;
    raise exception using
        errcode = p_state,
        message = p_message,
        detail = p_detail,
        hint = p_hint;
end
$$;
