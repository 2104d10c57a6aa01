-- cmbs_store.state_fault
--
-- Whether the stored state is the one that the log leads to: tombstones, obligations, conclusions,
-- mask, and every column of the session row.
--
-- p_seq, p_reason   the event whose trace in the tables is wrong, null if all is well

create or replace function cmbs_store.state_fault(
    p_session cmbs_store.session,
    p_state cmbs_store.session,
    p_ids text[],
    p_id_seqs bigint[],
    p_rows text[],
    p_row_seqs bigint[],
    out p_seq bigint,
    out p_reason text
)
language plpgsql
stable
as $$
begin
    select min(coalesce(d.seq, t.seq)), 'the tombstones are not those of the log'
    into p_seq, p_reason
    from unnest(p_ids, p_id_seqs) as d (hypothesis_id, seq)
    full join (
        select s.hypothesis_id, s.seq
        from cmbs_store.tombstone as s
        where s.session_id = p_session.session_id
    ) as t on t.hypothesis_id = d.hypothesis_id and t.seq = d.seq
    where d.seq is null or t.seq is null;
    if p_seq is not null then
        return;
    end if;
    select min(coalesce(d.seq, t.seq)), 'the obligations or conclusions are not those of the log'
    into p_seq, p_reason
    from (
        select u.gate_row, u.seq
        from unnest(p_rows, p_row_seqs) as u (gate_row, seq)
        where u.gate_row is not null
    ) as d
    full join cmbs_store.gate_rows(p_session.session_id) as t
        on t.gate_row = d.gate_row and t.seq = d.seq
    where d.seq is null or t.seq is null;
    if p_seq is not null then
        return;
    end if;
    p_reason := null;
    if not cmbs_store.is_mask(p_session, p_state.mask) then
        p_seq := p_session.audit_seq;
        p_reason := 'the stored mask is not that of the log';
        return;
    end if;
    p_state.mask := p_session.mask;
    if p_state is distinct from p_session then
        p_seq := p_session.audit_seq;
        select 'the stored session differs from the log: '
            || string_agg(a.key, ', ' order by a.key)
        into p_reason
        from jsonb_each_text(to_jsonb(p_state)) as a (key, value)
        inner join jsonb_each_text(to_jsonb(p_session)) as b (key, value) on b.key = a.key
        where a.value is distinct from b.value;
    end if;
end
$$;
