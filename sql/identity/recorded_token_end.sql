-- cmbs_store.recorded_token_end
--
-- What an event says of the end of a token that it makes: when, and how far the clock had been set
-- back by then, if it had.

create or replace function cmbs_store.recorded_token_end(
    p_token cmbs_store.api_token
)
returns jsonb
language sql
stable
as $$
    select jsonb_strip_nulls(jsonb_build_object(
        'expires_at', cmbs_store.timestamp_v1(p_token.expires_at),
        'clock_lead_us', nullif(p_token.clock_lead_us, 0)
    ))
$$;
