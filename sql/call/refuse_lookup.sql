-- cmbs_store.refuse_lookup
--
-- Ends the call: what was named is not there, or not to be seen by the caller.
--
-- Raises     MB007 POLICY_NOT_FOUND, MB008 TOOL_NOT_FOUND, MB009 SCHEMA_NOT_FOUND,
--            MB010 CLAIM_NOT_FOUND, MB011 PERMIT_NOT_FOUND, MB012 INTERRUPT_NOT_FOUND, one of
--            them always.

create or replace function cmbs_store.refuse_lookup(
    p_kind text,
    p_detail json
)
returns void
language plpgsql
volatile
as $$
begin
    if p_kind = 'policy' then
        perform cmbs_store.refuse(
            'MB007',
            'There is no such version of a policy pack.',
            p_detail::text,
            'List the packs and their versions, or publish one.'
        );
    elsif p_kind = 'tool' then
        perform cmbs_store.refuse(
            'MB008',
            'There is no such tool.',
            p_detail::text,
            'List the tools, or register it.'
        );
    elsif p_kind = 'schema' then
        perform cmbs_store.refuse(
            'MB009',
            'There is no such schema.',
            p_detail::text,
            'List the schemas, or register it.'
        );
    elsif p_kind = 'permit' then
        perform cmbs_store.refuse(
            'MB011',
            'There is no such permit in this session.',
            p_detail::text,
            'Take the ids of permits from answers to proposals of the same session.'
        );
    elsif p_kind = 'interrupt' then
        perform cmbs_store.refuse(
            'MB012',
            'There is no such question in this session.',
            p_detail::text,
            'List the questions of the session, or the inbox.'
        );
    end if;
    perform cmbs_store.refuse(
        'MB010',
        'There is no such claim in this session.',
        p_detail::text,
        'Take the ids of claims from answers of the same session.'
    );
end
$$;

comment on function cmbs_store.refuse_lookup(text, json) is
'End the call: what was named is not there. Raises MB007, MB008, MB009, MB010, MB011, MB012.';

revoke all on function cmbs_store.refuse_lookup(text, json) from public;
