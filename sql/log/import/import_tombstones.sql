-- cmbs_store.import_tombstones
--
-- Eliminates what the events after p_session.audit_seq have eliminated, all at once: tombstones,
-- bits of the mask.
--
-- p_session   the session before these events; comes back with mask and survivors after them
-- p_seqs      the seq of each elimination, in order

create or replace function cmbs_store.import_tombstones(
    inout p_session cmbs_store.session,
    out p_seqs bigint[]
)
language plpgsql
volatile
as $$
declare
    v_eliminated record;
    v_cleared record;
    v_applied text[];
begin
    select
        array_agg(m.hypothesis_id order by m.hypothesis_rank) as ids,
        array_agg(m.hypothesis_rank order by m.hypothesis_rank) as ranks,
        array_agg(d.seq order by m.hypothesis_rank) as seqs,
        count(*) as n_eliminated,
        min(d.seq) filter (where m.hypothesis_rank is null) as unknown_seq
    into v_eliminated
    from (
        select
            e.seq,
            jsonb_array_elements_text(e.record::jsonb -> 'delta' -> 'eliminated') as hypothesis_id
        from cmbs_store.audit_event as e
        where e.session_id = p_session.session_id
            and e.seq > p_session.audit_seq
            and e.verb = 'ELIMINATE'
            -- No string can hold these quotes unescaped, so the first place is that of the delta.
            and substr(e.record, strpos(e.record, '"delta": {"eliminated": [') + 25, 1) <> ']'
    ) as d
    left join cmbs_store.universe_member as m
        on m.universe_digest = p_session.universe_digest
        and m.hypothesis_id = d.hypothesis_id collate "C";
    if v_eliminated.n_eliminated = 0 then
        return;
    end if;
    if p_session.mask is null then
        v_applied := cmbs_store.clear_chunks(
            p_session.session_id, v_eliminated.ids, v_eliminated.ranks
        );
    else
        v_cleared := cmbs_store.clear_bits(
            p_session.mask, v_eliminated.ids, v_eliminated.ranks
        );
        v_applied := v_cleared.p_cleared_ids;
        p_session.mask := v_cleared.p_cleared_mask;
    end if;
    if cardinality(v_applied) <> v_eliminated.n_eliminated then
        perform cmbs_store.refuse_import(
            p_session.session_id,
            coalesce(v_eliminated.unknown_seq, p_session.audit_seq + 1),
            'it or an event after it eliminates what does not survive'
        );
    end if;
    insert into cmbs_store.tombstone (session_id, seq, hypothesis_id)
    select p_session.session_id, t.seq, t.hypothesis_id
    from unnest(v_eliminated.ids, v_eliminated.seqs) as t (hypothesis_id, seq);
    p_session.n_survivors := p_session.n_survivors - cardinality(v_applied);
    p_session.survivors_hash := cmbs_store.survivors_hash(p_session);
    p_seqs := array(select s.seq from unnest(v_eliminated.seqs) as s (seq) order by 1);
end
$$;
