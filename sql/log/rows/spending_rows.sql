-- cmbs_store.spending_rows
--
-- What a token and all that it was made from spend, of each unit; nothing where that is zero.
--
-- p_amounts   unit -> whole number

create or replace function cmbs_store.spending_rows(
    p_session_id uuid,
    p_token_id uuid,
    p_amounts jsonb
)
returns setof jsonb
language sql
stable
as $$
    select jsonb_build_object(
        'token_id', c.token_id, 'unit', a.unit, 'amount', a.amount
    )
    from cmbs_store.capability_token as t
    cross join lateral unnest(t.chain) as c (token_id)
    cross join lateral jsonb_each(p_amounts) as a (unit, amount)
    where t.session_id = p_session_id and t.token_id = p_token_id and a.amount <> '0'
$$;
