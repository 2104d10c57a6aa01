-- cmbs_store.ranks
--
-- Which of the given ids are members of a universe, sorted, each once, and their ranks. One probe
-- of the key per id: a query for all of them may be planned as a scan of the universe, and stay
-- so.

create or replace function cmbs_store.ranks(
    p_universe_digest bytea,
    p_ids text[],
    out p_found text[],
    out p_ranks integer[]
)
language plpgsql
stable
as $$
declare
    v_id text;
    v_rank integer;
    v_n integer := 0;
begin
    foreach v_id in array array(
        select distinct i.id collate "C" from unnest(p_ids) as i (id) order by 1
    ) loop
        select m.hypothesis_rank
        into v_rank
        from cmbs_store.universe_member as m
        where m.universe_digest = p_universe_digest and m.hypothesis_id = v_id;
        if found then
            v_n := v_n + 1;
            p_found[v_n] := v_id;
            p_ranks[v_n] := v_rank;
        end if;
    end loop;
end
$$;
