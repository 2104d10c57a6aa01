-- cmbs_store.waived
--
-- What people waived by approving: item number -> keys of constraints, and `!` with the code of a
-- reason that has no key. Null in verdicts of the first version, which know of no approvals.

create or replace function cmbs_store.waived(
    p_given jsonb
)
returns jsonb
language sql
immutable
as $$
    select case
        when not p_given ? 'v' then null
        when not p_given ? 'resumes' then '{}'
        else (
            select coalesce(jsonb_object_agg(w.item_no, w.keys), '{}')
            from (
                select
                    a.approval ->> 'item_no' as item_no,
                    jsonb_agg(coalesce(r.reason ->> 'key', '!' || (r.reason ->> 'code'))) as keys
                from jsonb_array_elements(p_given -> 'resumes' -> 'approvals') as a (approval)
                cross join lateral jsonb_array_elements(a.approval -> 'waives') as r (reason)
                group by 1
            ) as w
        )
    end
$$;

comment on function cmbs_store.waived(jsonb) is
'What people waived by approving: item number -> keys; null in verdicts of the first version.';

revoke all on function cmbs_store.waived(jsonb) from public;
