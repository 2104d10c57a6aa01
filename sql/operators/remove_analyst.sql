-- cmbs.remove_analyst
--
-- Drops the login of an analyst, with the rights of the caller; sessions that are open can read
-- nothing any more.
--
-- Promises   no role goes that is anything but an analyst.
-- Locks      nothing.
-- Raises     42704 undefined_object.

create or replace function cmbs.remove_analyst(
    p_name text
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
    -- An analyst is a login that is of this one role.
    if not exists (
        select
        from pg_roles as r
        inner join pg_auth_members as m on m.member = r.oid
        where r.rolname = p_name and r.rolcanlogin
        group by r.oid
        having bool_and(m.roleid = 'cmbs_analyst'::regrole)
    ) then
        raise exception using
            errcode = 'undefined_object',
            message = 'There is no analyst of this name.',
            detail = json_build_object('name', p_name)::text,
            hint = 'A login that is of other roles too is not removed here.';
    end if;
    execute format('drop role %I', p_name);
end
$$;

comment on function cmbs.remove_analyst(text) is
'Drop the login of an analyst. For administrators.';

revoke all on function cmbs.remove_analyst(text) from public;
