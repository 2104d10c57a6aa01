-- cmbs_store.tombstone_answer
--
-- What came of ids that were to be tombstoned: those that are now, and of the new ones those that
-- the graph has.

create or replace function cmbs_store.tombstone_answer(
    p_ids text[],
    p_new text[],
    p_is_matched boolean[]
)
returns json
language sql
immutable
as $$
    select json_build_object(
        'applied', array(
            select n.id from unnest(p_new, p_is_matched) as n (id, is_matched) where n.is_matched
        ),
        'already_tombstoned', cmbs_store.ids_without(p_ids, p_new),
        'unmatched', array(
            select n.id
            from unnest(p_new, p_is_matched) as n (id, is_matched)
            where not n.is_matched
        )
    )
$$;
