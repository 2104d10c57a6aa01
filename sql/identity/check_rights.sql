-- cmbs_store.check_rights
--
-- Refuses roles that there are not, and prefixes that no source could begin with. Null is what is
-- left as it is. One role at least, for any of them may read: who may nothing is disabled.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.check_rights(
    p_roles text[],
    p_source_prefixes text[]
)
returns void
language plpgsql
stable
as $$
begin
    if cardinality(p_roles) = 0 or array_ndims(p_roles) > 1
        or array_position(p_roles, null) is not null
        or not p_roles <@ array[
            'agent', 'encoder', 'tool', 'policy', 'approver', 'auditor', 'admin', 'monitor'
        ]
    then
        perform cmbs_store.refuse_request(
            'roles',
            'must be one or more of agent, encoder, tool, policy, approver, auditor, admin and '
            'monitor'
        );
    elsif cardinality(p_source_prefixes) > 100 then
        perform cmbs_store.refuse_size('source_prefixes', '100 prefixes');
    elsif array_ndims(p_source_prefixes) > 1
        or array_position(p_source_prefixes, null) is not null
        or exists (
            select from unnest(p_source_prefixes) as s (prefix) where octet_length(s.prefix) > 512
        )
    then
        perform cmbs_store.refuse_request(
            'source_prefixes', 'must be a list of texts of up to 512 bytes'
        );
    end if;
end
$$;
