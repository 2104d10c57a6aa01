-- cmbs_store.check_active_obligation
--
-- Refuses to leave an obligation that is not the active one.
--
-- Raises     MB002 OBLIGATION_NOT_FOUND.

create or replace function cmbs_store.check_active_obligation(
    p_session cmbs_store.session,
    p_obligation_id text
)
returns void
language plpgsql
stable
as $$
begin
    if p_session.obligation_id is distinct from p_obligation_id then
        perform cmbs_store.refuse(
            'MB002',
            'This obligation is not active.',
            json_build_object(
                'obligation_id', p_obligation_id,
                'active_obligation_id', p_session.obligation_id
            )::text,
            'Only the active obligation can be left; the snapshot names it.'
        );
    end if;
end
$$;
