-- cmbs_store.refuse_name
--
-- Ends the call: the name of a principal is taken, or cannot be one.
--
-- Raises     MB102 CONFLICT, always.

create or replace function cmbs_store.refuse_name(
    p_name text,
    p_problem text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB102',
        'This name cannot be given to a new principal.',
        json_build_object('name', p_name, 'problem', p_problem)::text,
        'Choose another name, or change the principal that has it.'
    );
end
$$;
