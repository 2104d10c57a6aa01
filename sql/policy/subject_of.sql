-- cmbs_store.subject_of
--
-- To what a constraint applies: `t:` and a tool, `c:` and a capability, `!` for an invariant, and
-- `*` for everything, which is also where a subject leads that cannot be read.

create or replace function cmbs_store.subject_of(
    p_key text,
    p_value text
)
returns text
language plpgsql
immutable
as $$
declare
    v_subjects json[];
    v_subject jsonb;
    v_members text[];
begin
    if p_key like 'constraint.invariant.%' then
        return '!';
    end if;
    v_subjects := array(
        select m.value from json_each(p_value::json) as m (key, value) where m.key = 'subject'
    );
    if cardinality(v_subjects) <> 1 or json_typeof(v_subjects[1]) <> 'object' then
        return '*';
    end if;
    v_members := array(select json_object_keys(v_subjects[1]));
    v_subject := v_subjects[1]::jsonb;
    return case
        when cardinality(v_members) <> 1 or v_members[1] not in ('tool_id', 'capability') then '*'
        when jsonb_typeof(v_subject -> v_members[1]) <> 'string' then '*'
        when v_subject ->> v_members[1] = '' then '*'
        else left(v_members[1], 1) || ':' || (v_subject ->> v_members[1])
    end;
exception
    when data_exception or statement_too_complex then
        return '*';
end
$$;
