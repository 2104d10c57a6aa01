-- cmbs_store.is_due
--
-- Whether a deferred proposal is to be tried again: it has waited long enough, or something was
-- committed since its last try, and up to p_seq, that it waits for.

create or replace function cmbs_store.is_due(
    p_deferral cmbs_store.deferral,
    p_seq bigint,
    p_at timestamptz
)
returns boolean
language sql
stable
as $$
    select p_deferral.next_at is not null and (
        coalesce(p_deferral.next_at <= p_at, false) or exists (
            select
            from unnest(p_deferral.keys) as k (key)
            inner join cmbs_store.state_value as v
                on v.session_id = p_deferral.session_id
                    and v.key = k.key
                    and v.seq > p_deferral.seq
                    and v.seq <= p_seq
        )
    )
$$;
