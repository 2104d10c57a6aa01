-- cmbs_store.check_context_id
--
-- Refuses what cannot be an id, or a word on provenance, of an elimination context. Any text can,
-- the empty one too, as long as an index can hold it.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_context_id(
    p_member text,
    p_id text
)
returns void
language plpgsql
stable
as $$
begin
    if p_id is null or octet_length(p_id) > 512 then
        perform cmbs_store.refuse_request(p_member, 'must be text of at most 512 bytes');
    end if;
end
$$;
