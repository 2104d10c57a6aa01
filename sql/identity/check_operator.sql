-- cmbs_store.check_operator
--
-- Refuses a caller who does not see every tenant.
--
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_operator(
    p_caller cmbs_store.principal
)
returns void
language plpgsql
stable
as $$
begin
    if p_caller.tenant <> '*' then
        perform cmbs_store.refuse_caller(
            'only a principal of every tenant may do this, made with --tenant ''*'''
        );
    end if;
end
$$;
