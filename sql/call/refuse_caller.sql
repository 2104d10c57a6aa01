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
