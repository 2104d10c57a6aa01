-- cmbs.take_mirror
--
-- Takes what the Tee is to be told of sessions, the oldest first of each. Who took a session and
-- tells nothing of it has lost it after half a minute: then others may take it.
--
-- p_after    the last session that was taken before; the next in the order of ids are taken, from
--            the first on if it is null
-- Promises   no session is taken twice at a time; at least once each until it is settled.
-- Locks      the first message of each session that it takes; passes those over that others take.
-- Raises     MB201 INVALID_REQUEST, MB302 FORBIDDEN.

create or replace function cmbs.take_mirror(
    p_after uuid default null,
    p_limit integer default 20,
    p_credential bytea default null
)
returns json
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set standard_conforming_strings = on
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set jit = off
as $$
declare
    v_now timestamptz := cmbs_store.clock();
    v_endpoint text := cmbs_store.mirror_endpoint();
    v_taken json[] := array[]::json[];
    v_head cmbs_store.tee_message;
    v_n_bytes bigint := 0;
begin
    perform cmbs_store.check_operator(
        cmbs_store.authorize_upkeep(p_credential, 'take_mirror', '{admin}')
    );
    perform cmbs_store.check_limit(coalesce(p_limit, 0), 100);
    for v_head in
        select h.* from cmbs_store.mirror_heads(p_after) as h
        where v_endpoint is not null and h.state = 'pending' and h.next_at <= v_now
    loop
        perform
        from cmbs_store.tee_message as m
        where m.session_id = v_head.session_id and m.seq = v_head.seq
            and m.state = 'pending' and m.next_at <= v_now
        for update skip locked;
        continue when not found;
        update cmbs_store.tee_message as m
        set next_at = v_now + interval '30 seconds', n_attempts = m.n_attempts + 1
        where m.session_id = v_head.session_id and m.seq = v_head.seq;
        v_taken := v_taken || cmbs_store.mirror_messages(v_head.session_id, v_head.seq);
        v_n_bytes := v_n_bytes + octet_length(v_taken[cardinality(v_taken)]::text);
        exit when cardinality(v_taken) = p_limit or v_n_bytes > 8388608;
    end loop;
    return json_build_object('endpoint', v_endpoint, 'sessions', v_taken);
end
$$;

grant execute on function cmbs.take_mirror to cmbs_server;
