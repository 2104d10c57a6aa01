-- cmbs_store.refuse_context
--
-- Ends the call: the elimination context does not exist.
--
-- Raises     MB001 SESSION_NOT_FOUND, always.

create or replace function cmbs_store.refuse_context(
    p_context_id text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB001',
        'There is no such elimination context.',
        json_build_object('context_id', p_context_id)::text,
        'Create it first, or check the id.'
    );
end
$$;

comment on function cmbs_store.refuse_context(text) is
'End the call: the elimination context does not exist. Raises MB001.';

revoke all on function cmbs_store.refuse_context(text) from public;
