-- cmbs_store.check_node_ids
--
-- Refuses a list that is not a plain list of ids of nodes.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.check_node_ids(
    p_ids text[],
    p_max_count integer
)
returns void
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_ids('node_ids', p_ids, p_max_count);
    if exists (select from unnest(p_ids) as u (id) where starts_with(u.id, 'edge:')) then
        perform cmbs_store.refuse_request('node_ids', 'no id of a node begins with edge:');
    end if;
end
$$;
