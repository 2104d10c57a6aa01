-- cmbs_store.remaining_reasons
--
-- What stands against the items of a proposal that are allowed by themselves, together: without
-- those that are refused, the others must be fit to be committed, too.

create or replace function cmbs_store.remaining_reasons(
    p_session cmbs_store.session,
    p_items jsonb,
    p_verdict jsonb,
    p_evidence cmbs_store.evidence
)
returns cmbs_store.reason[]
language sql
stable
as $$
    select array(
        select (null, r.stage, r.code, r.key, r.disposition, r.detail)::cmbs_store.reason
        from unnest(cmbs_store.together_reasons(
            p_session,
            (
                select jsonb_agg(p_items -> (k.item ->> 'item_no')::integer - 1 order by k.no)
                from jsonb_array_elements(p_verdict -> 'items') with ordinality as k (item, no)
                where k.item -> 'effective' = 'true'
            ),
            p_evidence
        )) as r
    )
$$;
