-- cmbs_store.read_context
--
-- The elimination context, for verbs that only read, if the caller may see it.
--
-- Locks      nothing.
-- Raises     MB001 SESSION_NOT_FOUND, MB201 INVALID_REQUEST.

create or replace function cmbs_store.read_context(
    p_context_id text,
    p_tenant text
)
returns cmbs_store.context
language plpgsql
stable
as $$
declare
    v_context cmbs_store.context;
begin
    perform cmbs_store.check_context_id('context_id', p_context_id);
    select c.*
    into v_context
    from cmbs_store.context as c
    where c.context_id = p_context_id and (c.tenant = p_tenant or p_tenant = '*');
    if not found then
        perform cmbs_store.refuse_missing(
            'context', json_build_object('context_id', p_context_id)
        );
    end if;
    return v_context;
end
$$;
