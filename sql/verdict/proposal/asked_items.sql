-- cmbs_store.asked_items
--
-- The numbers of the items about which a person is asked. Together with something that is refused
-- there is nothing to ask.

create or replace function cmbs_store.asked_items(
    p_given cmbs_store.verdict_input,
    p_verdict jsonb
)
returns jsonb
language sql
immutable
as $$
    select case
        when p_verdict ->> 'disposition' = 'ask' or p_given.proposal -> 'atomic' = 'false'
            then jsonb_path_query_array(
                p_verdict, '$.items[*] ? (@.disposition == "ask" && @.effective == false).item_no'
            )
        else '[]'
    end
$$;
