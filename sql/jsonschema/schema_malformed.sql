-- cmbs_store.schema_malformed
--
-- Why a document cannot be registered as a JSON Schema, as one sentence that begins with its JSON
-- Pointer ("/" is the whole document); null if it can. It is a schema of draft 2020-12 with the
-- keywords of cmbs_store.schema_keywords, and it is what cmbs_store.schema_fault understands.
--
-- The caller has bounded the numbers in it, which are printed here.

create or replace function cmbs_store.schema_malformed(
    p_document jsonb
)
returns text
language plpgsql
stable
as $$
declare
    v_places text[] := array[''];
    v_schemas jsonb[] := array[p_document];
    v_n_schemas integer := 1;
    v_seen integer := 0;
    v_place text;
    v_child jsonb;
    v_fault text;
begin
    if p_document is null then
        return '/: there is no schema';
    end if;
    if octet_length(p_document::text) > 65536 then
        return '/: may have 64 kB of text';
    end if;
    if jsonb_path_exists(
        p_document, 'strict $.**{64} ? (@.type() == "object" || @.type() == "array")'
    ) then
        return '/: may be nested 64 levels deep';
    end if;
    while v_seen < v_n_schemas loop
        v_seen := v_seen + 1;
        v_fault := cmbs_store.schema_keyword_fault(v_schemas[v_seen], v_seen = 1);
        if v_fault is not null then
            v_fault := v_places[v_seen] || v_fault;
            return case when v_fault like '/%' then '' else '/' end || v_fault;
        end if;
        for v_place, v_child in
            select c.place, c.child
            from cmbs_store.schema_children(v_schemas[v_seen]) as c
        loop
            v_n_schemas := v_n_schemas + 1;
            v_places[v_n_schemas] := v_places[v_seen] || '/' || v_place;
            v_schemas[v_n_schemas] := v_child;
        end loop;
        if v_n_schemas > 2000 then
            return '/: may have 2,000 schemas in it';
        end if;
    end loop;
    return cmbs_store.schema_ref_fault(v_places, v_schemas);
end
$$;
