-- cmbs_store.project_offers
--
-- Writes the rows of permits, questions, used approvals, deferrals and shadows, and notes what is
-- open now.

create or replace function cmbs_store.project_offers(
    p_session_id uuid,
    p_rows jsonb
)
returns void
language plpgsql
volatile
as $$
begin
    if p_rows ? 'permit' then
        insert into cmbs_store.permit
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.permit, p_rows -> 'permit') as r;
        perform cmbs_store.note_open(p_session_id, 'permit', p_rows -> 'permit');
    end if;
    if p_rows ? 'interrupt' then
        insert into cmbs_store.interrupt
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.interrupt, p_rows -> 'interrupt') as r;
        perform cmbs_store.note_open(p_session_id, 'interrupt', p_rows -> 'interrupt');
    end if;
    if p_rows ? 'interrupt_use' then
        insert into cmbs_store.interrupt_use
        select r.*
        from jsonb_populate_recordset(
            null::cmbs_store.interrupt_use, p_rows -> 'interrupt_use'
        ) as r;
    end if;
    if p_rows ? 'deferral' then
        insert into cmbs_store.deferral
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.deferral, p_rows -> 'deferral') as r;
        perform cmbs_store.note_open(p_session_id, 'deferral', p_rows -> 'deferral');
    end if;
    if p_rows ? 'shadow_pin' then
        insert into cmbs_store.shadow_pin
        select r.*
        from jsonb_populate_recordset(null::cmbs_store.shadow_pin, p_rows -> 'shadow_pin') as r;
    end if;
end
$$;
