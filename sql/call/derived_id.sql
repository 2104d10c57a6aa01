-- cmbs_store.derived_id
--
-- An id that follows from a verdict and from what of it is meant, so that a replay finds it again.

create or replace function cmbs_store.derived_id(
    p_session cmbs_store.session,
    p_decided_at text,
    p_of text
)
returns uuid
language sql
stable
as $$
    select left(encode(cmbs_store.digest_v1(concat_ws(
        ' ', p_session.session_id, p_session.audit_seq, p_decided_at, p_of
    )), 'hex'), 32)::uuid
$$;
