-- cmbs_store.check_version_named
--
-- Refuses what does not name a version of a policy pack.
--
-- p_member   what it is called in the refusal
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_version_named(
    p_member text,
    p_sent jsonb
)
returns void
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_label(
        p_member || '.pack', cmbs_store.text_member(p_sent, 'pack')
    );
    if jsonb_typeof(p_sent -> 'version') is distinct from 'number'
        or p_sent ->> 'version' !~ '^[0-9]{1,9}$'
    then
        perform cmbs_store.refuse_request(
            p_member || '.version', 'must be the number of a version of the pack'
        );
    end if;
end
$$;
