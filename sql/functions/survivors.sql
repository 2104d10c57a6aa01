-- cmbs_store.survivors
--
-- The survivors right after event p_seq, as canonical text: universe minus tombstones.

create or replace function cmbs_store.survivors(
    p_session cmbs_store.session,
    p_seq bigint
)
returns text
language sql
stable
as $$
    select coalesce(
        '[' || string_agg(to_json(m.hypothesis_id)::text, ', ' order by m.hypothesis_id) || ']',
        '[]'
    )
    from cmbs_store.universe_member as m
    where m.universe_digest = p_session.universe_digest
        and not exists (
            select
            from cmbs_store.tombstone as t
            where t.session_id = p_session.session_id
                and t.hypothesis_id = m.hypothesis_id
                and t.seq <= p_seq
        )
$$;

comment on function cmbs_store.survivors(cmbs_store.session, bigint) is
'The survivors right after event p_seq, as canonical text: universe minus tombstones.';

revoke all on function cmbs_store.survivors(cmbs_store.session, bigint) from public;
