-- cmbs_store.schema_at_ref
--
-- The schema that a local $ref of a document leads to, null if there is none.

create or replace function cmbs_store.schema_at_ref(
    p_root jsonb,
    p_ref jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_pointer text := cmbs_store.schema_pointer(p_ref);
begin
    if position('~' in v_pointer) = 0 then
        return p_root #> (string_to_array(v_pointer, '/'))[2:];
    end if;
    return p_root #> array(
        select replace(replace(m.member, '~1', '/'), '~0', '~')
        from unnest((string_to_array(v_pointer, '/'))[2:]) with ordinality as m (member, member_no)
        order by m.member_no
    );
end
$$;
