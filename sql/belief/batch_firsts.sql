-- cmbs_store.batch_firsts
--
-- For every message of a batch the number, counted from 1, of the first message in the batch with
-- the same observation: its own if the observation is new; 0 if it has been recorded before. One
-- probe of the key per message, as in cmbs_store.ranks.

create or replace function cmbs_store.batch_firsts(
    p_session_id uuid,
    p_batch jsonb
)
returns integer[]
language plpgsql
stable
as $$
begin
    return array(
        select case
            when (
                select e.seq
                from cmbs_store.audit_event as e
                where e.session_id = p_session_id
                    and e.source_id = m.source_id
                    and e.observation_id = m.observation_id
            ) is not null then 0
            else min(m.no) over (partition by m.source_id, m.observation_id)
        end
        from (
            select
                b.no,
                b.message ->> 'source_id' collate "C" as source_id,
                b.message ->> 'observation_id' collate "C" as observation_id
            from jsonb_array_elements(p_batch) with ordinality as b (message, no)
        ) as m
        order by m.no
    );
end
$$;
