-- cmbs.eliminate_batch
--
-- Eliminates on the word of many observations, in order, all or nothing (verb ELIMINATE, batch).
--
-- Promises   one event per new message; repeats inside are answered as repeats; an error in one
--            message undoes all and names it, counted from 0, in details.index.
-- Locks      the session row, first thing.
-- Raises     what cmbs.eliminate raises.

create or replace function cmbs.eliminate_batch(
    p_session_id uuid,
    p_messages json,
    p_expected_head uuid default null,
    p_minimal boolean default false,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
    v_actor text := cmbs_store.principal(p_credential);
    v_messages json[];
    v_index integer;
    v_session cmbs_store.session;
    v_message record;
    v_head uuid := p_expected_head;
    v_answer json;
    v_answers text[];
    v_is_duplicate boolean := true;
    v_state text;
    v_text text;
    v_detail text;
    v_hint text;
begin
    v_messages := cmbs_store.batch_messages(p_session_id, p_messages);
    for v_i in 1 .. cardinality(v_messages) loop
        v_index := v_i;
        perform cmbs_store.batch_message(v_messages[v_i], p_session_id);
    end loop;
    v_index := null;
    v_session := cmbs_store.lock_session(p_session_id);
    for v_i in 1 .. cardinality(v_messages) loop
        v_index := v_i;
        v_message := cmbs_store.batch_message(v_messages[v_i], p_session_id);
        v_answer := cmbs_store.eliminate_message(
            p_session_id, v_actor, v_message.p_source_id, v_message.p_observation_id,
            v_message.p_eliminated, v_message.p_justification, v_head, v_message.p_notes,
            false, true
        );
        v_answers[v_i] := v_answer::text;
        if not (v_answer ->> 'duplicate')::boolean then
            v_is_duplicate := false;
            v_head := null;
        end if;
    end loop;
    return cmbs_store.response(
        format(
            '"results": [%s], "audit_event_id": "%s", "duplicate": %s',
            array_to_string(v_answers, ', '), v_answer ->> 'audit_event_id', v_is_duplicate::text
        ),
        cmbs_store.lock_session(p_session_id), true, p_minimal
    );
exception
    when others then
        get stacked diagnostics
            v_state = returned_sqlstate,
            v_text = message_text,
            v_detail = pg_exception_detail,
            v_hint = pg_exception_hint;
        if v_index is null or v_state !~ '^(MB|22|54001|0A000)' then
            raise;
        end if;
        perform cmbs_store.refuse_batch(
            v_state, v_text, v_detail, v_hint, v_index - 1, v_session.audit_seq
        );
end
$$;

comment on function cmbs.eliminate_batch(uuid, json, uuid, boolean, bytea) is
'Eliminate on the word of many observations, all or nothing. Raises MB001, MB101, MB102, MB103, '
'MB201, MB202, MB203.';

revoke all on function cmbs.eliminate_batch(uuid, json, uuid, boolean, bytea) from public;
grant execute on function cmbs.eliminate_batch(uuid, json, uuid, boolean, bytea)
to cmbs_server, cmbs_agent;
