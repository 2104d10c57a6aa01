-- cmbs_store.refuse_request
--
-- Ends the call: a member of the request is missing or malformed.
--
-- Raises     MB201 INVALID_REQUEST, always.

create or replace function cmbs_store.refuse_request(
    p_member text,
    p_problem text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB201',
        'The request is not valid.',
        json_build_object('member', p_member, 'problem', p_problem)::text,
        'See details for the member and what is wrong with it; nothing was changed.'
    );
end
$$;
