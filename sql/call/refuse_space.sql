-- cmbs_store.refuse_space
--
-- Ends the call: the hypothesis space is not registered in this version.
--
-- Raises     MB004 SPACE_NOT_FOUND, always.

create or replace function cmbs_store.refuse_space(
    p_hypothesis_space_id text,
    p_hypothesis_version text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB004',
        'There is no such hypothesis space.',
        json_build_object(
            'hypothesis_space_id', p_hypothesis_space_id,
            'hypothesis_version', p_hypothesis_version
        )::text,
        'Register the space in this version, or send the hypotheses with the declare.'
    );
end
$$;

comment on function cmbs_store.refuse_space(text, text) is
'End the call: the space is not registered. Raises MB004.';

revoke all on function cmbs_store.refuse_space(text, text) from public;
