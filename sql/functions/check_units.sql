-- cmbs_store.check_units
--
-- Refuses a usage of units that the budget of the token does not name.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_units(
    p_session cmbs_store.session,
    p_permit cmbs_store.permit,
    p_usage jsonb
)
returns void
language plpgsql
stable
as $$
begin
    if p_usage <> '{}' and exists (
        select
        from cmbs_store.capability_token as t
        where t.session_id = p_session.session_id
            and t.token_id = p_permit.token_id
            and (p_usage - array(select jsonb_object_keys(t.budgets))) <> '{}'
    ) then
        perform cmbs_store.refuse_request(
            'usage', 'must be of units that the budget of the capability token names'
        );
    end if;
end
$$;

comment on function cmbs_store.check_units(cmbs_store.session, cmbs_store.permit, jsonb) is
'Refuse a usage of units that the budget of the token does not name.';

revoke all on function cmbs_store.check_units(
    cmbs_store.session, cmbs_store.permit, jsonb
) from public;
