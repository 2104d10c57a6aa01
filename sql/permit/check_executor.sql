-- cmbs_store.check_executor
--
-- Refuses an agent that would execute what another one proposed; whoever runs tools may.
--
-- Raises     MB102 CONFLICT.

create or replace function cmbs_store.check_executor(
    p_caller cmbs_store.principal,
    p_permit cmbs_store.permit
)
returns void
language plpgsql
stable
as $$
begin
    if p_caller.name <> p_permit.actor and not p_caller.roles && array['encoder', 'tool'] then
        perform cmbs_store.refuse_execution(
            'PERMIT_HOLDER_MISMATCH', jsonb_build_object('permit_id', p_permit.permit_id)
        );
    end if;
end
$$;
