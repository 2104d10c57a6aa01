-- cmbs_store.returning_without
--
-- The hypotheses that would survive and do not: those whom nobody else would have eliminated, and
-- those whom messages eliminated that an earlier end of the session would have refused. Sorted.

create or replace function cmbs_store.returning_without(
    p_session cmbs_store.session,
    p_ended_seq bigint,
    p_ids text[],
    p_seqs bigint[]
)
returns text[]
language sql
stable
as $$
    select array(
        select o.id collate "C"
        from unnest(p_ids, p_seqs) as o (id, seq)
        where coalesce(o.seq > p_ended_seq, o.seq is null)
        union
        select t.hypothesis_id
        from cmbs_store.tombstone as t
        where t.session_id = p_session.session_id and t.seq > p_ended_seq
        order by 1
    )
$$;
