-- cmbs_store.has_superseded
--
-- Whether an item of a proposal was allowed by an approval that waived what has changed since.

create or replace function cmbs_store.has_superseded(
    p_session cmbs_store.session,
    p_payload jsonb,
    p_item_no integer
)
returns boolean
language sql
stable
as $$
    select exists (
        select
        from jsonb_array_elements(p_payload -> 'resumes' -> 'approvals') as a (approval)
        inner join cmbs_store.interrupt as i
            on i.session_id = p_session.session_id
                and i.interrupt_id = (a.approval ->> 'interrupt_id')::uuid
        where (a.approval ->> 'item_no')::integer = p_item_no
            and cmbs_store.is_superseded(p_session, i)
    )
$$;
