-- cmbs_store.provenance_json
--
-- One who says that something is there, as JSON text.

create or replace function cmbs_store.provenance_json(
    p_source_id text,
    p_trigger text,
    p_occurred_at timestamptz
)
returns text
language sql
stable
as $$
    select '{"source": ' || to_json(p_source_id) || ', "trigger": ' || to_json(p_trigger)
        || coalesce(', "timestamp": "' || cmbs_store.timestamp_v1(p_occurred_at) || '"', '') || '}'
$$;
