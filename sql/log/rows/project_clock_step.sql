-- cmbs_store.project_clock_step
--
-- Writes the row of an event that found the clock set back, and that its session knows of all steps
-- so far.

create or replace function cmbs_store.project_clock_step(
    p_session_id uuid,
    p_seq bigint,
    p_payload jsonb
)
returns void
language plpgsql
volatile
as $$
begin
    insert into cmbs_store.clock_step (session_id, seq, lead_us)
    values (p_session_id, p_seq, cmbs_store.clock_lead_found(p_payload));
    perform cmbs_store.note_clock();
    update cmbs_store.session as s
    set n_clock_steps = cmbs_store.clock_steps()
    where s.session_id = p_session_id;
end
$$;
