-- cmbs_store.is_in_roots
--
-- Whether a path or host lies inside of one of the roots. A path with an empty segment, `.` or
-- `..`, with an escape or a backslash lies nowhere: what a tool would make of it is not known here.

create or replace function cmbs_store.is_in_roots(
    p_resource text,
    p_roots text[]
)
returns boolean
language plpgsql
immutable
as $$
declare
    v_url text[] := regexp_match(p_resource, '^([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)');
    v_path text;
begin
    v_path := case
        when v_url is null then p_resource
        when lower(v_url[1]) = 'file' and v_url[2] = '' then v_url[3]
    end;
    if p_resource ~ '[\u0001-\u001f\u007f\\%]' then
        return false;
    end if;
    if left(v_path, 1) = '/' then
        return v_path !~ '(^|/)\.{1,2}(/|$)|//' and exists (
            select
            from unnest(p_roots) as r (root)
            where left(r.root, 1) = '/'
                and (v_path = r.root or starts_with(v_path, rtrim(r.root, '/') || '/'))
        );
    end if;
    return lower(coalesce(v_url[2], p_resource)) = any(p_roots)
        or lower(regexp_replace(coalesce(v_url[2], p_resource), ':[0-9]+$', '')) = any(p_roots);
end
$$;

comment on function cmbs_store.is_in_roots(text, text[]) is
'Whether a path or host lies inside of one of the roots.';

revoke all on function cmbs_store.is_in_roots(text, text[]) from public;
