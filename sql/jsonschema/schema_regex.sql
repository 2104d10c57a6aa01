-- cmbs_store.schema_regex
--
-- A regular expression of ECMA-262 as PostgreSQL writes it, for the collation "C", or a question
-- mark and a sentence about what has no counterpart. Whether it compiles is for the caller to see.
--
-- A search takes time that is linear in the text: there are no back references, and what looks
-- ahead stands at the start, where it is tried once.

create or replace function cmbs_store.schema_regex(
    p_pattern text
)
returns text
language plpgsql
stable
as $$
declare
    -- what \s of ECMA-262 has beyond ASCII, and what \S has
    v_spaces constant text := '\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff';
    v_others constant text := '\u0001-\u0008\u000e-\u001f!-\u009f\u00a1-\u167f\u1681-\u1fff'
        '\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2fff\u3001-\ufefe\uff00-\U0010ffff';
    v_regex text := '';
    v_token text;
    v_last text := '';
    v_part text;
    -- how many parts a list in brackets has so far, with its bracket
    v_listed integer := 0;
    v_depth integer := 0;
    v_is_start boolean := false;
begin
    if char_length(p_pattern) > 200 then
        return '?may have 200 characters';
    end if;
    -- Most patterns mean the same to both.
    if regexp_replace(p_pattern, '\\[dDwW!-/:-@[-`{-~]', '_', 'g')
        !~ '[.\\]|\(\?|\[[^]]*\[|\[\^?\]|^\*'
    then
        return p_pattern;
    end if;
    for v_token in
        select t.token[1]
        from regexp_matches(
            p_pattern,
            '\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\.|\(\?[a-zA-Z:=!<>#]?|\[\^?|[^][\\(.)^-]+|.',
            'g'
        ) as t (token)
    loop
        if v_depth = 0 and v_listed = 0 then
            v_is_start := v_last = '' and v_token = '^' or v_is_start and v_token in ('(?=', '(?!');
        end if;
        v_part := case
            when v_token ~ '^\\[dDwWfnrtv!-/:-@[-`{-~]$' then v_token
            when v_token ~ '^\\u.{4}$' and v_token !~* '^\\ud[89a-f]' then v_token
            when v_token ~ '^\\x..$' then '\u00' || substr(v_token, 3)
            when v_token = '\s' and v_listed = 0 then '[' || v_spaces || '\s]'
            when v_token = '\S' and v_listed = 0 then '[^' || v_spaces || '\s]'
            -- as the end of a range neither has a meaning
            when v_last = '-' and v_listed > 2 and v_token in ('\s', '\S') then null
            when v_token = '\s' then v_spaces || '\s'
            when v_token = '\S' then v_others
            when v_token ~ '^\\' or v_last = '' and v_token ~ '^\*' then null
            when v_token = ']' and v_listed = 1 then null
            when v_listed > 0 then replace(v_token, '[', '\[')
            when v_token = '.' then '[^\n\r\u2028\u2029]'
            when v_token ~ '^\(\?' and v_token not in ('(?:', '(?=', '(?!') then null
            when v_token in ('(?=', '(?!') and (v_depth > 0 or not v_is_start) then null
            else v_token
        end;
        if v_part is null then
            return format(
                '?cannot have %s%s',
                case v_token when ']' then '[] or [^]' else v_token end,
                case when v_token in ('(?=', '(?!') then ' but at its start, after ^' end
            );
        end if;
        v_depth := v_depth + case
            when v_listed > 0 then 0 when v_token ~ '^\(' then 1 when v_token = ')' then -1 else 0
        end;
        v_listed := case
            when v_listed > 0 and v_token <> ']' or v_token ~ '^\[' then v_listed + 1
            else 0
        end;
        v_last := v_token;
        v_regex := v_regex || v_part;
    end loop;
    return v_regex;
end
$$;
