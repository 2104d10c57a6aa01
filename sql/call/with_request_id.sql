-- cmbs_store.with_request_id
--
-- A payload, with the request id as a member if the message carries one.

create or replace function cmbs_store.with_request_id(
    p_payload jsonb,
    p_request_id text
)
returns jsonb
language sql
immutable
as $$
    select case
        when p_request_id is null then p_payload
        else p_payload || jsonb_build_object('request_id', p_request_id)
    end
$$;
