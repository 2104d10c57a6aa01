-- cmbs_store.check_elimination
--
-- Checks the shape of one ELIMINATE message, the justification aside.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.check_elimination(
    p_source_id text,
    p_observation_id text,
    p_eliminated text[]
)
returns void
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_id('source_id', p_source_id);
    perform cmbs_store.check_id('observation_id', p_observation_id);
    perform cmbs_store.check_ids('eliminated', p_eliminated, 1000000);
end
$$;
