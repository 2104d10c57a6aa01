-- cmbs_store.is_plain_elimination
--
-- Whether one look shows that an ELIMINATE message is well-formed, as nearly all of them are: one
-- expression instead of the checks that can say what is wrong.

create or replace function cmbs_store.is_plain_elimination(
    p_session_id uuid,
    p_source_id text,
    p_observation_id text,
    p_eliminated text[],
    p_notes text
)
returns boolean
language sql
stable
as $$
    select
        p_session_id is not null
            and p_notes is null
            and coalesce(octet_length(p_source_id), 0) between 1 and 512
            and coalesce(octet_length(p_observation_id), 0) between 1 and 512
            and array_ndims(p_eliminated) = 1
            and array_position(p_eliminated, null) is null
            and array_position(p_eliminated, '') is null
            and octet_length(array_to_string(p_eliminated, '')) <= 512
$$;
