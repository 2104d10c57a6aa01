-- cmbs_store.announce_opened
--
-- Puts into the outbox which questions a proposal opened, if somebody is to be told.

create or replace function cmbs_store.announce_opened(
    p_session cmbs_store.session,
    p_payload jsonb
)
returns void
language plpgsql
volatile
as $$
begin
    if jsonb_path_exists(p_payload, '$.items[*] ? (exists (@.interrupt_id))') then
        perform cmbs_store.announce(p_session, 'interrupt.opened', array(
            select (i.item ->> 'interrupt_id')::uuid
            from jsonb_array_elements(p_payload -> 'items') as i (item)
            where i.item ? 'interrupt_id'
        ));
    end if;
end
$$;
