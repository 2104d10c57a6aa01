-- cmbs_store.waived
--
-- What people waived by approving: item number -> keys of constraints, and `!` with the code of a
-- reason that has no key.
--
-- p_resumes   what a verdict goes on with, null if it is the first

create or replace function cmbs_store.waived(
    p_resumes jsonb
)
returns jsonb
language sql
immutable
as $$
    select coalesce(jsonb_object_agg(w.item_no, w.keys), '{}')
    from (
        select
            a.approval ->> 'item_no' as item_no,
            jsonb_agg(coalesce(r.reason ->> 'key', '!' || (r.reason ->> 'code'))) as keys
        from jsonb_array_elements(p_resumes -> 'approvals') as a (approval)
        cross join lateral jsonb_array_elements(a.approval -> 'waives') as r (reason)
        group by 1
    ) as w
$$;
