-- cmbs_store.refuse_caller
--
-- Ends the call: this caller may call nothing, or not in this way.
--
-- Raises     MB302 FORBIDDEN, always.

create or replace function cmbs_store.refuse_caller(
    p_problem text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB302',
        'The caller may not do this.',
        json_build_object('problem', p_problem)::text,
        'See details for the reason, and ask an administrator.'
    );
end
$$;

comment on function cmbs_store.refuse_caller(text) is
'End the call: this caller may not call. Raises MB302.';

revoke all on function cmbs_store.refuse_caller(text) from public;
