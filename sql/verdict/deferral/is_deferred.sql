-- cmbs_store.is_deferred
--
-- Whether a proposal, or an item of it that stands by itself, waits for something that can come by
-- itself. A stale snapshot is none: what changed has to be read by who proposes.

create or replace function cmbs_store.is_deferred(
    p_given cmbs_store.verdict_input,
    p_verdict jsonb
)
returns boolean
language sql
immutable
as $$
    select not jsonb_path_exists(p_verdict, '$.reasons[*] ? (@.stage == "session")')
        and case
            when p_given.proposal -> 'atomic' = 'true'
                then p_verdict ->> 'disposition' = 'defer'
            else jsonb_path_exists(p_verdict, '$.items[*] ? (@.disposition == "defer")')
        end
$$;
