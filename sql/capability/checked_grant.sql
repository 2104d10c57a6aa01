-- cmbs_store.checked_grant
--
-- What a capability token is asked to allow, checked and with what was left out filled in, sorted.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.checked_grant(
    p_grant json,
    p_at timestamptz
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_sent jsonb := cmbs_store.free_object('grant', coalesce(p_grant, '{}'))::jsonb;
    v_grant jsonb;
    v_list text;
begin
    perform cmbs_store.check_members('grant', v_sent, array[
        'holder', 'tools', 'capabilities', 'state_prefixes', 'resource_roots', 'budgets',
        'valid_from', 'expires_at', 'approval_requirement', 'parent'
    ]);
    perform cmbs_store.check_label('holder', cmbs_store.text_member(v_sent, 'holder'));
    v_grant := jsonb_build_object('holder', v_sent -> 'holder');
    foreach v_list in array '{tools, capabilities, state_prefixes, resource_roots}'::text[] loop
        v_grant := v_grant || jsonb_build_object(
            v_list, cmbs_store.text_list(v_list, v_sent -> v_list)
        );
    end loop;
    if exists (
        select from jsonb_array_elements_text(v_grant -> 'resource_roots') as r (root)
        where r.root = '' or left(r.root, 1) = '/' and not cmbs_store.is_in_roots(r.root, '{/}')
            or left(r.root, 1) <> '/' and r.root ~ '[/A-Z]'
    ) then
        perform cmbs_store.refuse_request(
            'resource_roots', 'must be absolute paths without . and .., or hosts in lower case'
        );
    elsif coalesce(v_sent ->> 'approval_requirement', 'none') not in ('none', 'required') then
        perform cmbs_store.refuse_request('approval_requirement', 'must be none or required');
    elsif jsonb_typeof(coalesce(v_sent -> 'budgets', '{}')) <> 'object' or jsonb_path_exists(
        coalesce(v_sent -> 'budgets', '{}'),
        'strict $.* ? (@.type() != "number" || @ < 0 || @ > 1000000000000 || @ != @.floor())'
    ) then
        perform cmbs_store.refuse_request('budgets', 'must be an object: unit -> whole number');
    end if;
    return v_grant || jsonb_build_object(
        'approval', coalesce(v_sent ->> 'approval_requirement', 'none'),
        'budgets', (
            select coalesce(jsonb_object_agg(b.key, b.value::text::numeric::bigint), '{}')
            from jsonb_each(coalesce(v_sent -> 'budgets', '{}')) as b (key, value)
        ),
        'valid_from', cmbs_store.timestamp_v1(
            coalesce(cmbs_store.time_member(v_sent, 'valid_from'), p_at)
        ),
        'expires_at', cmbs_store.timestamp_v1(cmbs_store.time_member(v_sent, 'expires_at'))
    );
end
$$;
