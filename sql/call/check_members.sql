-- cmbs_store.check_members
--
-- Refuses an object with members that are not known: a misspelt one must not be ignored.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_members(
    p_member text,
    p_object jsonb,
    p_known text[]
)
returns void
language plpgsql
stable
as $$
declare
    v_unknown text[] := array(
        select left(k.key, 100) from jsonb_object_keys(p_object) as k (key)
        where k.key <> all(p_known)
        order by k.key collate "C"
        limit 100
    );
begin
    if cardinality(v_unknown) > 0 then
        perform cmbs_store.refuse(
            'MB201',
            'The request has members that are not known.',
            json_build_object('member', p_member, 'unknown', v_unknown)::text,
            'Check the spelling; unknown members are never ignored.'
        );
    end if;
end
$$;
