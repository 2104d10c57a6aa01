-- cmbs_store.is_in_roots
--
-- Whether a path or host lies inside of one of the roots. What a tool might read in another way
-- than it is read here lies nowhere: blanks, escapes, backslashes, `.` and `..`, empty segments,
-- colons in paths, a path that is not absolute, a file of another host.
--
-- p_is_path   a path is meant, so what does not look like one is no host either

create or replace function cmbs_store.is_in_roots(
    p_resource text,
    p_roots text[],
    p_is_path boolean default false
)
returns boolean
language plpgsql
immutable
as $$
declare
    v_url text[] := regexp_match(
        p_resource, '^([A-Za-z][A-Za-z0-9+.-]*)://([^/?#]*)([^?#]*)'
    );
    v_is_file boolean := coalesce(lower(v_url[1]) = 'file', false);
    v_path text := p_resource;
    v_host text := lower(coalesce(v_url[2], p_resource));
begin
    if p_resource ~ '[[:cntrl:][:space:]%]' or position(chr(92) in p_resource) > 0 then
        return false;
    elsif v_is_file then
        if v_host not in ('', 'localhost') then
            return false;
        end if;
        v_path := v_url[3];
    end if;
    if v_is_file or v_url is null and (p_is_path or left(v_path, 1) = '/') then
        return left(v_path, 1) = '/'
            and position(':' in v_path) = 0
            and v_path !~ '(^|/)[.]{1,2}(/|$)|//'
            and exists (
                select
                from unnest(p_roots) as r (root)
                where left(r.root, 1) = '/'
                    and (v_path = r.root or starts_with(v_path, rtrim(r.root, '/') || '/'))
            );
    end if;
    if v_url is null and v_host ~ '[/~?#@]' then
        return false;
    end if;
    return v_host = any(p_roots) or regexp_replace(v_host, ':[0-9]+$', '') = any(p_roots);
end
$$;
