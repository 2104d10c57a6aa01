-- cmbs_store.duplicates_member
--
-- The member of an answer that says how many ids of a list were there already; none if none were.

create or replace function cmbs_store.duplicates_member(
    p_ids text[],
    p_n_different integer
)
returns text
language sql
immutable
as $$
    select case
        when cardinality(p_ids) > p_n_different
            then format(', "n_duplicates": %s', cardinality(p_ids) - p_n_different)
        else ''
    end
$$;
