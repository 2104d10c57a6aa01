-- cmbs_store.lead_of
--
-- How far the clock had been set back when a token was made, as its event says it: nothing where
-- it had not.

create or replace function cmbs_store.lead_of(
    p_token cmbs_store.api_token
)
returns jsonb
language sql
immutable
as $$
    select case
        when p_token.clock_lead_us = 0 then '{}'
        else jsonb_build_object('clock_lead_us', p_token.clock_lead_us)
    end
$$;

comment on function cmbs_store.lead_of(cmbs_store.api_token) is
'How far the clock had been set back when a token was made.';

revoke all on function cmbs_store.lead_of(cmbs_store.api_token) from public;
