-- cmbs_store.event_json
--
-- An event as the API shows it: the members of its record and its hash; event 1 with the
-- hypotheses in its payload, which are not part of the record.

create or replace function cmbs_store.event_json(
    p_event cmbs_store.audit_event
)
returns text
language plpgsql
stable
as $$
declare
    v_ids text;
begin
    if p_event.seq > 1 then
        return format(
            '%s, "event_hash": "%s"}', left(p_event.record, -1), encode(p_event.event_hash, 'hex')
        );
    end if;
    select cmbs_store.universe_ids(s.universe_digest)
    into v_ids
    from cmbs_store.session as s
    where s.session_id = p_event.session_id;
    return jsonb_set(p_event.record::jsonb, '{payload,hypotheses}', v_ids::jsonb)
        || jsonb_build_object('event_hash', encode(p_event.event_hash, 'hex'));
end
$$;
