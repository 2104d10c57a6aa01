-- cmbs_store.check_known
--
-- Refuses ids outside the universe, for sessions with validate_hypotheses.
--
-- Raises     MB202 INVALID_HYPOTHESIS_ID.

create or replace function cmbs_store.check_known(
    p_eliminated text[],
    p_found text[]
)
returns void
language plpgsql
stable
as $$
declare
    v_invalid text[] := cmbs_store.ids_without(p_eliminated, p_found);
begin
    if cardinality(v_invalid) > 0 then
        perform cmbs_store.refuse(
            'MB202',
            'Some ids are not hypotheses of this session.',
            json_build_object(
                'invalid', v_invalid[1:100], 'n_invalid', cardinality(v_invalid)
            )::text,
            'Correct the ids; nothing was changed.'
        );
    end if;
end
$$;
