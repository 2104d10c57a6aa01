-- cmbs_store.schema_ref_fault
--
-- A $ref that leads to no schema of its document, or schemas that lead to one another without
-- stepping into the value more than 64 times, which a circle does: null if there is none.
--
-- p_places   where the schemas of the document are, as JSON Pointers
-- p_schemas  the schemas, in the same order

create or replace function cmbs_store.schema_ref_fault(
    p_places text[],
    p_schemas jsonb[]
)
returns text
language plpgsql
stable
as $$
declare
    v_from text[];
    v_to text[];
    v_reached text[] := p_places;
    v_place text;
begin
    select array_agg(e.place), array_agg(e.target)
    into v_from, v_to
    from (
        select s.place, cmbs_store.schema_pointer(s.document -> '$ref') as target
        from unnest(p_places, p_schemas) as s (place, document)
        where s.document ? '$ref'
        union all
        select s.place, s.place || '/' || c.place
        from unnest(p_places, p_schemas) as s (place, document)
        cross join lateral cmbs_store.schema_children(s.document) as c
        where c.is_in_place
    ) as e;
    select min(e.place collate "C")
    into v_place
    from unnest(v_from, v_to) as e (place, target)
    where e.target <> all (p_places);
    if v_place is not null then
        return v_place || '/$ref: leads to no schema of this document';
    end if;
    for v_n_steps in 1 .. 64 loop
        select array_agg(distinct e.target)
        into v_reached
        from unnest(v_from, v_to) as e (place, target)
        where e.place = any (v_reached);
        if v_reached is null then
            return null;
        end if;
    end loop;
    select min(r.place collate "C")
    into v_place
    from unnest(v_reached) as r (place);
    return coalesce(nullif(v_place, ''), '/') || ': is reached by a circle of references';
end
$$;
