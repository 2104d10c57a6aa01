-- cmbs.eliminate
--
-- Eliminates hypotheses on the word of one observation (verb ELIMINATE).
--
-- Promises   survivors lose what was asked for and still survived; nothing ever comes back; one
--            event, also if nothing applied; a repeated observation gets its recorded answer.
-- Locks      the session row, first thing.
-- Raises     MB001 SESSION_NOT_FOUND, MB101 SESSION_TERMINATED, MB102 and MB103 CONFLICT,
--            MB201 INVALID_REQUEST, MB202 INVALID_HYPOTHESIS_ID, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.eliminate(
    p_session_id uuid,
    p_source_id text,
    p_observation_id text,
    p_eliminated text[],
    p_justification json default null,
    p_expected_head uuid default null,
    p_notes text default null,
    p_minimal boolean default false,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_caller cmbs_store.principal := cmbs_store.authorize(
        p_credential, 'eliminate', '{agent, encoder, tool}'
    );
    v_justification text := '{}';
begin
    if p_justification is not null then
        v_justification := cmbs_store.free_object('justification', p_justification);
    end if;
    if cmbs_store.is_plain_elimination(
        p_session_id, p_source_id, p_observation_id, p_eliminated, p_notes
    ) is not true then
        perform cmbs_store.check_envelope(p_session_id, null, p_notes);
        perform cmbs_store.check_elimination(p_source_id, p_observation_id, p_eliminated);
    end if;
    if v_caller.source_prefixes is not null then
        perform cmbs_store.check_source(v_caller, p_source_id);
    end if;
    return cmbs_store.eliminate_message(
        p_session_id, v_caller, p_source_id, p_observation_id, p_eliminated,
        v_justification, p_expected_head, p_notes, p_minimal
    );
end
$$;

grant execute on function cmbs.eliminate to cmbs_server, cmbs_agent;
