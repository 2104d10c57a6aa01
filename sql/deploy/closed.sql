-- After every change of role: no function of this role is for everybody.
--
-- PostgreSQL grants EXECUTE on a new function to PUBLIC. The default says otherwise for what is
-- created from here on, and what was granted since the last deployment is taken back: replacing a
-- function keeps its grants.

alter default privileges revoke execute on functions from public;

do $$
declare
    v_function regprocedure;
begin
    for v_function in
        select p.oid
        from pg_proc as p
        cross join lateral aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) as a
        where p.pronamespace in ('cmbs'::regnamespace, 'cmbs_store'::regnamespace)
            and p.proowner = current_user::regrole
            and a.grantee = 0
    loop
        execute format('revoke execute on function %s from public', v_function);
    end loop;
end
$$;
