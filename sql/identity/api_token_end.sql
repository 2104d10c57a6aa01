-- cmbs_store.api_token_end
--
-- When a token expires by the clock of this server: what the clock has lost since the token was
-- made is taken off.

create or replace function cmbs_store.api_token_end(
    p_token cmbs_store.api_token
)
returns timestamptz
language sql
volatile
as $$
    select p_token.expires_at
        - greatest(cmbs_store.clock_lead() - p_token.clock_lead_us, 0) * interval '1 microsecond'
$$;
