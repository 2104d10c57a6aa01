-- cmbs_store.refuse_unknown
--
-- Ends a batch for the ids of one of its messages that are outside the universe.
--
-- p_number   the message, counted from 1
-- p_numbers, p_ids, p_ranks  what cmbs_store.batch_ids says of the batch
-- Raises     MB202 INVALID_HYPOTHESIS_ID, always.

create or replace function cmbs_store.refuse_unknown(
    p_number integer,
    p_numbers integer[],
    p_ids text[],
    p_ranks integer[]
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.check_known(
        array(
            select i.id
            from unnest(p_numbers, p_ids, p_ranks) as i (message_no, id, hypothesis_rank)
            where i.message_no = p_number and i.hypothesis_rank is null
        ),
        '{}'
    );
end
$$;
