-- cmbs_store.check_interrupt_status
--
-- Refuses a status that no question has; null asks for any.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_interrupt_status(
    p_status text
)
returns void
language plpgsql
stable
as $$
begin
    if p_status not in (
        'pending', 'approved', 'declined', 'cancelled', 'consumed', 'superseded', 'expired', 'ended'
    ) then
        perform cmbs_store.refuse_request(
            'status',
            'must be pending, approved, declined, cancelled, consumed, superseded, expired or ended'
        );
    end if;
end
$$;
