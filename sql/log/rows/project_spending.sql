-- cmbs_store.project_spending
--
-- Writes what was spent of the budgets of a token and of all that it was made from, with the sums.

create or replace function cmbs_store.project_spending(
    p_session_id uuid,
    p_rows jsonb
)
returns void
language plpgsql
volatile
as $$
declare
    v_rows jsonb;
begin
    select jsonb_agg(r.content || jsonb_build_object('spent', coalesce(
        (
            select s.spent
            from cmbs_store.capability_spending as s
            where s.session_id = p_session_id
                and s.token_id = (r.content ->> 'token_id')::uuid
                and s.unit = r.content ->> 'unit'
            order by s.seq desc
            limit 1
        ),
        0
    ) + (r.content ->> 'amount')::bigint))
    into v_rows
    from jsonb_array_elements(p_rows) as r (content);
    insert into cmbs_store.capability_spending
    select r.* from jsonb_populate_recordset(null::cmbs_store.capability_spending, v_rows) as r;
end
$$;
