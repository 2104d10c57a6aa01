-- cmbs_store.belief_numbers
--
-- What is believed in a session, in numbers: the members of an object, as JSON text. They do not
-- name the head, so that a session that never was can have them too.

create or replace function cmbs_store.belief_numbers(
    p_session cmbs_store.session
)
returns text
language sql
stable
as $$
    select format(
        '"n_survivors": %s, "entropy_proxy": %s, "survivors_hash": "%s", "terminated": %s, '
        '"active_obligation": %s',
        p_session.n_survivors,
        cmbs_store.entropy(p_session.n_survivors),
        encode(p_session.survivors_hash, 'hex'),
        p_session.is_terminated::text,
        case
            when p_session.obligation_id is null then 'null'
            else cmbs_store.active_obligation(p_session)
        end
    )
$$;
