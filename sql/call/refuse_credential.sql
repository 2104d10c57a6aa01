-- cmbs_store.refuse_credential
--
-- Ends the call: nobody can be told from what the caller showed. Whoever holds a token may know
-- what became of it.
--
-- Raises     MB301 UNAUTHENTICATED, always.

create or replace function cmbs_store.refuse_credential(
    p_problem text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB301',
        'Who calls is not known.',
        json_build_object('credential', p_problem)::text,
        'Show a token that is valid here; administrators make them.'
    );
end
$$;
