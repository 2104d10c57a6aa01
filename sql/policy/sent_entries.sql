-- cmbs_store.sent_entries
--
-- The entries of a pack as they were sent, each an object or the text of one, as canonical texts:
-- key -> text of the value. What cannot be one is kept as it is, for cmbs_store.entry_faults to
-- name.
--
-- Raises     MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.sent_entries(
    p_entries json
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_entries jsonb;
    v_n bigint;
begin
    if json_typeof(p_entries) is distinct from 'object' then
        perform cmbs_store.refuse_request('entries', 'must be an object: key -> value');
    elsif octet_length(p_entries::text) > 134217728 then
        perform cmbs_store.refuse_size('entries', '128 MiB');
    end if;
    select count(*), jsonb_object_agg(
        e.key,
        case
            when cmbs_store.value_fault(t.sent) is null then (t.sent::jsonb)::text
            else t.sent
        end
    )
    into v_n, v_entries
    from json_each(p_entries) as e (key, value)
    cross join lateral (
        select case json_typeof(e.value)
            when 'string' then e.value #>> '{}'
            else e.value::text
        end as sent
        offset 0
    ) as t;
    if v_n = 0 then
        return '{}'::jsonb;
    elsif v_n <> (select count(*) from jsonb_object_keys(v_entries)) then
        perform cmbs_store.refuse_request('entries', 'a key may appear once');
    end if;
    return v_entries;
end
$$;
