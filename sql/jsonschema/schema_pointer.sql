-- cmbs_store.schema_pointer
--
-- The JSON Pointer of a local $ref, without its percent escapes; null if it is none.

create or replace function cmbs_store.schema_pointer(
    p_ref jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_ref text := p_ref #>> '{}';
begin
    if jsonb_typeof(p_ref) is distinct from 'string'
        or v_ref !~ '^#(/([^%]|%[0-9a-fA-F]{2})*)?$'
    then
        return null;
    end if;
    v_ref := substr(v_ref, 2);
    if position('%' in v_ref) > 0 then
        begin
            select convert_from(
                string_agg(
                    case
                        when r.part[1] ~ '^%' then decode(substr(r.part[1], 2), 'hex')
                        else convert_to(r.part[1], 'UTF8')
                    end,
                    ''
                    order by r.part_no
                ),
                'UTF8'
            )
            into v_ref
            from regexp_matches(v_ref, '%..|[^%]+', 'g') with ordinality as r (part, part_no);
        exception
            -- escapes of what is not UTF-8
            when data_exception then
                return null;
        end;
    end if;
    return case when v_ref !~ '~(?![01])' then v_ref end;
end
$$;
