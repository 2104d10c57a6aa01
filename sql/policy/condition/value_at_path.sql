-- cmbs_store.value_at_path
--
-- What a path of a constraint leads to: the value of the key that it is, or of the longest key that
-- it begins with, and then the members and elements that its other segments name.
--
-- p_values       key -> value; JSON null for a value that is stored and cannot be read
-- p_value       null if there is none
-- p_is_known    false: the value cannot be read, so nothing is known about it

create or replace function cmbs_store.value_at_path(
    p_values jsonb,
    p_path text,
    out p_value jsonb,
    out p_is_known boolean
)
returns record
language plpgsql
immutable
as $$
declare
    v_key text := p_path;
    v_segment text;
begin
    p_is_known := true;
    while not p_values ? v_key loop
        v_key := left(v_key, -position('.' in reverse(v_key)));
        if position('.' in v_key) = 0 then
            return;
        end if;
    end loop;
    p_value := p_values -> v_key;
    if p_value = 'null' then
        p_value := null;
        p_is_known := false;
    elsif v_key = p_path then
        p_value := coalesce(p_value -> 'value', p_value);
    else
        if not p_value ? split_part(substr(p_path, length(v_key) + 2), '.', 1) then
            p_value := p_value -> 'value';
        end if;
        foreach v_segment in array string_to_array(substr(p_path, length(v_key) + 2), '.') loop
            p_value := case
                when jsonb_typeof(p_value) = 'object' then p_value -> v_segment
                -- Of a number or text PostgreSQL gives element 0, too.
                when jsonb_typeof(p_value) = 'array' and v_segment ~ '^[0-9]{1,9}$'
                    then p_value -> v_segment::integer
            end;
        end loop;
    end if;
end
$$;
