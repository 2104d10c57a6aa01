-- cmbs_store.provenance_fault
--
-- What is wrong with the provenance of a node or an edge, null if nothing is: each must name who
-- says so and on what, and there must be one.

create or replace function cmbs_store.provenance_fault(
    p_provenance jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_one jsonb;
begin
    if p_provenance is null or jsonb_typeof(p_provenance) <> 'array'
        or jsonb_array_length(p_provenance) = 0
    then
        return 'must have provenance: who says so, and on what';
    end if;
    for v_one in select a.value from jsonb_array_elements(p_provenance) as a (value) loop
        if jsonb_typeof(v_one) <> 'object'
            or v_one - array['source', 'trigger', 'timestamp'] <> '{}'
        then
            return 'has provenance that is no object of source, trigger and timestamp';
        elsif cmbs_store.id_fault(v_one -> 'source') is not null
            or cmbs_store.id_fault(v_one -> 'trigger') is not null
        then
            return 'has provenance without a source or a trigger of 1 to 512 bytes';
        end if;
        perform cmbs_store.time_member(v_one, 'timestamp');
    end loop;
    return null;
end
$$;
