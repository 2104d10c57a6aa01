-- cmbs_store.mirror_messages
--
-- What the Tee is to be told of a session next: messages from one on, as many as are told before
-- anything is noted of them.

create or replace function cmbs_store.mirror_messages(
    p_session_id uuid,
    p_seq bigint
)
returns json
language sql
stable
as $$
    select json_build_object(
        'session_id', s.session_id,
        'messages', array(
            select cmbs_store.mirror_message(s, m.seq)
            from (
                select
                    o.seq,
                    sum(octet_length(e.record)) over (order by o.seq) as n_bytes
                from (
                    select w.seq
                    from cmbs_store.tee_message as w
                    where w.session_id = p_session_id and w.seq >= p_seq and w.state = 'pending'
                    order by w.seq
                    limit 20
                ) as o
                inner join cmbs_store.audit_event as e
                    on e.session_id = p_session_id and e.seq = o.seq
            ) as m
            where m.seq = p_seq or m.n_bytes < 4194304
            order by m.seq
        )
    )
    from cmbs_store.session as s
    where s.session_id = p_session_id
$$;
