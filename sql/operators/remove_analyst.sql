-- cmbs.remove_analyst
--
-- Drops the login of an analyst, with the rights of the caller; sessions that are open can read
-- nothing any more. What a login may own (large objects, default privileges) goes with it.
--
-- Promises   no role goes that is anything but an analyst. One that owns something in another
--            database stays, for it cannot be dropped from here, but neither logs in nor reads.
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
    -- Whoever made the login may give himself its rights, and needs them to drop what it owns.
    if not pg_has_role(p_name, 'usage') then
        execute format('grant %I to %I', p_name, current_user);
    end if;
    execute format('drop owned by %I', p_name);
    begin
        execute format('drop role %I', p_name);
    exception
        when dependent_objects_still_exist then
            execute format('alter role %I nologin', p_name);
            execute format('revoke cmbs_analyst from %I', p_name);
    end;
end
$$;
