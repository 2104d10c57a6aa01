-- cmbs_store.verdict_without_offers
--
-- A verdict without the permits, questions and deferrals that would follow from it: of a dry run or
-- a shadow nobody can act on it.

create or replace function cmbs_store.verdict_without_offers(
    p_verdict jsonb
)
returns jsonb
language sql
immutable
as $$
    select p_verdict - 'deferral' || jsonb_build_object('items', (
        select jsonb_agg(
            i.item - array['permit_id', 'permit', 'interrupt_id', 'interrupt', 'deferral_id']
            order by i.no
        )
        from jsonb_array_elements(p_verdict -> 'items') with ordinality as i (item, no)
    ))
$$;
