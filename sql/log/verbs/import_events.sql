-- cmbs.import_events
--
-- Takes over a part of a session's log that another database recorded: the exact records, one a
-- line. The first part declares the session, whose universe must be registered; each later one
-- continues the log. For operators: who may call it may bring sessions that never were.
--
-- Promises   the same bytes, hashes and heads as where the log comes from, and the state that it
--            leads to. Sequence, links, decisions and the survivors at the end of each part are
--            checked; that each record is canonical and each delta its own is left to the
--            verifier that reads the file, and to cmbs.verify.
-- Locks      the session row, new or old.
-- Raises     MB001 SESSION_NOT_FOUND, MB102 CONFLICT, MB201 INVALID_REQUEST,
--            MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs.import_events(
    p_session_id uuid,
    p_records text,
    p_policy_as_sent json default null,
    p_tenant text default 'default',
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
    v_policy_as_sent text := cmbs_store.free_object('policy_as_sent', p_policy_as_sent);
    v_session cmbs_store.session;
    v_gates cmbs_store.session;
    v_eliminated record;
    v_after cmbs_store.session;
    v_last cmbs_store.audit_event;
begin
    -- Nobody has a role for this: it is granted to who owns all of it, and no token covers it.
    if p_credential is not null then
        perform cmbs_store.authorize(p_credential, 'import_events', '{}');
    end if;
    perform cmbs_store.check_label('tenant', p_tenant);
    if p_tenant = '*' then
        perform cmbs_store.refuse_request('tenant', 'must be one tenant, and * is all of them');
    end if;
    perform cmbs_store.check_envelope(p_session_id, null, null);
    if p_records is null then
        perform cmbs_store.refuse_request('records', 'must be records, one a line');
    end if;
    v_session := cmbs_store.import_session(
        p_session_id, p_tenant, p_records, v_policy_as_sent
    );
    perform cmbs_store.import_log(v_session, p_records);
    v_eliminated := cmbs_store.import_tombstones(v_session);
    v_after := v_eliminated.p_session;
    v_gates := cmbs_store.import_gates(v_session, v_eliminated.p_seqs);
    select e.*
    into v_last
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
    order by e.seq desc
    limit 1;
    if v_gates.is_terminated and exists (
        select
        from cmbs_store.audit_event as e
        where e.session_id = p_session_id
            and e.seq > v_gates.audit_seq
            and e.verb = 'ELIMINATE'
    )
        or encode(v_after.survivors_hash, 'hex')
            is distinct from v_last.record::jsonb ->> 'survivors_after_hash'
    then
        perform cmbs_store.refuse_import(
            p_session_id, v_last.seq, 'its survivors are not those that the log leads to'
        );
    end if;
    v_gates.mask := v_after.mask;
    v_gates.n_survivors := v_after.n_survivors;
    v_gates.survivors_hash := v_after.survivors_hash;
    v_gates.audit_seq := v_last.seq;
    v_gates.audit_head_event_id := v_last.event_id;
    v_gates.audit_head_hash := v_last.event_hash;
    v_gates.audit_head_at := v_last.recorded_at;
    perform cmbs_store.save_session(v_gates);
    if v_gates.is_terminated then
        perform cmbs_store.note_ended(p_session_id);
    end if;
    return json_build_object(
        'audit_seq', v_last.seq, 'audit_head_hash', encode(v_last.event_hash, 'hex')
    );
end
$$;

grant execute on function cmbs.import_events to cmbs_owner;
