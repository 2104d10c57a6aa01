-- cmbs_store.read_capability
--
-- A capability token of a session by its id.
--
-- Raises     MB006 TOKEN_NOT_FOUND.

create or replace function cmbs_store.read_capability(
    p_session cmbs_store.session,
    p_token_id uuid
)
returns cmbs_store.capability_token
language plpgsql
stable
as $$
declare
    v_capability cmbs_store.capability_token;
begin
    select t.*
    into v_capability
    from cmbs_store.capability_token as t
    where t.session_id = p_session.session_id
        and t.token_id = p_token_id
        and t.seq <= p_session.audit_seq;
    if not found then
        perform cmbs_store.refuse_missing(
            'capability', json_build_object('token_id', p_token_id)
        );
    end if;
    return v_capability;
end
$$;
