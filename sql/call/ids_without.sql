-- cmbs_store.ids_without
--
-- The ids of one list that are not in another, sorted, each once.

create or replace function cmbs_store.ids_without(
    p_ids text[],
    p_without text[]
)
returns text[]
language sql
immutable
as $$
    select array(
        select u.id collate "C" from unnest(p_ids) as u (id)
        except
        select w.id collate "C" from unnest(p_without) as w (id)
        order by 1
    )
$$;
