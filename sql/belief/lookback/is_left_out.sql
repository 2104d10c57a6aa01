-- cmbs_store.is_left_out
--
-- Whether a message is among those that are thought away: all of a source, one observation of it,
-- or an observation of whichever source. Never of a message without a source. Inlined.

create or replace function cmbs_store.is_left_out(
    p_source_id text,
    p_observation_id text,
    p_without_source text,
    p_without_observation text
)
returns boolean
language sql
immutable
as $$
    select coalesce(
        p_source_id = coalesce(p_without_source, p_source_id)
        and p_observation_id = coalesce(p_without_observation, p_observation_id),
        false
    )
$$;
