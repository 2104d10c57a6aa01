-- cmbs_store.project_capability
--
-- Writes the row of a capability token, with the chain of those that it was made from.

create or replace function cmbs_store.project_capability(
    p_session_id uuid,
    p_row jsonb
)
returns void
language plpgsql
volatile
as $$
declare
    v_chain uuid[];
begin
    select t.chain
    into v_chain
    from cmbs_store.capability_token as t
    where t.session_id = p_session_id and t.token_id = (p_row ->> 'parent_id')::uuid;
    insert into cmbs_store.capability_token
    select r.*
    from jsonb_populate_record(
        null::cmbs_store.capability_token,
        p_row || jsonb_build_object('chain', v_chain || (p_row ->> 'token_id')::uuid)
    ) as r;
end
$$;
