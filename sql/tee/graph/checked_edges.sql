-- cmbs_store.checked_edges
--
-- A list of names of edges, checked.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_edges(
    p_edges json,
    p_max_count integer
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_edges jsonb := cmbs_store.checked_list('edges', p_edges, p_max_count);
    v_bad record;
begin
    select e.no, e.problem
    into v_bad
    from (
        select
            n.no - 1 as no,
            coalesce(
                cmbs_store.edge_name_fault(n.value),
                case
                    when n.value - array['source', 'target', 'type'] <> '{}'
                    then 'must be an object of source, target and type'
                end
            ) as problem
        from jsonb_array_elements(v_edges) with ordinality as n (value, no)
    ) as e
    where e.problem is not null
    limit 1;
    if found then
        perform cmbs_store.refuse_request(format('edges[%s]', v_bad.no), v_bad.problem);
    end if;
    return v_edges;
end
$$;
