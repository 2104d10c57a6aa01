-- cmbs_store.refuse_role
--
-- Ends the call: the principal has none of the roles that it takes.
--
-- Raises     MB302 FORBIDDEN, always.

create or replace function cmbs_store.refuse_role(
    p_caller cmbs_store.principal,
    p_verb text,
    p_roles text[]
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB302',
        'The principal does not have the role that this takes.',
        json_build_object(
            'principal', p_caller.name, 'roles', p_caller.roles,
            'verb', p_verb, 'required_roles', p_roles
        )::text,
        'Ask an administrator for one of the required roles.'
    );
end
$$;
