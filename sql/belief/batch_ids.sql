-- cmbs_store.batch_ids
--
-- The ids that the new messages of a batch name: by message and sorted, each once per message, with
-- their ranks, null for ids that are no members of the universe. One probe of the key per id, as in
-- cmbs_store.ranks: a subquery for one value cannot be planned as a scan of the universe.
--
-- p_firsts   what cmbs_store.batch_firsts says of the batch

create or replace function cmbs_store.batch_ids(
    p_universe_digest bytea,
    p_batch jsonb,
    p_firsts integer[],
    out p_numbers integer[],
    out p_ids text[],
    out p_ranks integer[]
)
language plpgsql
stable
as $$
begin
    select
        array_agg(n.no),
        array_agg(n.id),
        array_agg((
            select m.hypothesis_rank
            from cmbs_store.universe_member as m
            where m.universe_digest = p_universe_digest and m.hypothesis_id = n.id
        ))
    into p_numbers, p_ids, p_ranks
    from (
        select distinct b.no::integer as no, i.id collate "C" as id
        from rows from (
            jsonb_array_elements(p_batch), unnest(p_firsts)
        ) with ordinality as b (message, first_no, no)
        cross join jsonb_array_elements_text(b.message -> 'eliminated') as i (id)
        where b.first_no = b.no
        order by 1, 2
    ) as n;
end
$$;
