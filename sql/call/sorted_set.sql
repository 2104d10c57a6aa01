-- cmbs_store.sorted_set
--
-- A list of texts in byte order, each once; null for null.

create or replace function cmbs_store.sorted_set(
    p_list text[]
)
returns text[]
language sql
immutable
as $$
    select case
        when p_list is not null
            then array(
                select distinct u.item collate "C"
                from unnest(p_list) as u (item)
                order by 1
            )
    end
$$;
