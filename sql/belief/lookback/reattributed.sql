-- cmbs_store.reattributed
--
-- The hypotheses that the messages thought away eliminated, and the first other message that asked
-- for them afterwards: it would have eliminated them instead. One pass over the log and one
-- grouping by id; a join would be planned as nested loops while the tables have no statistics.
--
-- p_seqs     the number of that other message, null if there is none

create or replace function cmbs_store.reattributed(
    p_session_id uuid,
    p_without_source text,
    p_without_observation text,
    out p_ids text[],
    out p_seqs bigint[]
)
language plpgsql
stable
as $$
declare
    v_first bigint;
begin
    select min(e.seq)
    into v_first
    from cmbs_store.audit_event as e
    where e.session_id = p_session_id
        and cmbs_store.is_left_out(
            e.source_id, e.observation_id, p_without_source, p_without_observation
        );
    select array_agg(o.id order by o.id), array_agg(o.seq order by o.id)
    into p_ids, p_seqs
    from (
        select a.id, min(a.seq) filter (where a.is_asked) as seq
        from (
            select e.seq, i.id collate "C" as id, r.is_asked
            from cmbs_store.audit_event as e
            cross join lateral (
                select e.record::jsonb as record, not cmbs_store.is_left_out(
                    e.source_id, e.observation_id, p_without_source, p_without_observation
                ) as is_asked
                offset 0
            ) as r
            cross join lateral jsonb_array_elements_text(
                case
                    when not r.is_asked then r.record #> '{delta,eliminated}'
                    -- Who got all that was asked for asked for nothing that was gone.
                    when jsonb_array_length(r.record #> '{delta,eliminated}')
                        < jsonb_array_length(r.record #> '{payload,eliminated}')
                        then r.record #> '{payload,eliminated}'
                end
            ) as i (id)
            where e.session_id = p_session_id and e.seq >= v_first and e.verb = 'ELIMINATE'
        ) as a
        group by a.id
        having not bool_and(a.is_asked)
    ) as o;
end
$$;
