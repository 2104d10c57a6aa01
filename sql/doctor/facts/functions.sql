-- Functions: everything about one that replacing it sets, in words, and its text as a digest.
select
    'function', p.name, '',
    concat_ws(
        ' ',
        format(
            '(%s) returns %s',
            pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)
        ),
        l.lanname,
        case p.provolatile when 'i' then 'immutable' when 's' then 'stable' else 'volatile' end,
        case when p.prosecdef then 'security definer' end,
        case when p.proisstrict then 'strict' end,
        case when p.proleakproof then 'leakproof' end,
        case p.proparallel
            when 's' then 'parallel safe' when 'r' then 'parallel restricted'
        end,
        format('cost %s rows %s', p.procost, p.prorows),
        'set ' || array_to_string(p.proconfig, ', '),
        'text ' || left(
            encode(
                sha256(convert_to(coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), 'UTF8')),
                'hex'
            ),
            32
        )
    ),
    null, case when p.is_frozen then pg_get_functiondef(p.oid) || ';' end
from routine as p
inner join pg_language as l on l.oid = p.prolang
where p.prokind = 'f'
union all
-- Replacing cannot change these two: the function has to go first.
select
    'signature', p.name, '',
    format('(%s) returns %s', pg_get_function_arguments(p.oid), pg_get_function_result(p.oid)),
    format('drop %s;', p.name), null
from routine as p
where p.prokind = 'f' and not p.is_frozen;
