-- cmbs_store.refuse_size
--
-- Ends the call: a member of the request is larger than the server takes.
--
-- Raises     MB203 PAYLOAD_TOO_LARGE, always.

create or replace function cmbs_store.refuse_size(
    p_member text,
    p_limit text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB203',
        'The request is too large.',
        json_build_object('member', p_member, 'limit', p_limit)::text,
        'Send less in one message; nothing was changed.'
    );
end
$$;
