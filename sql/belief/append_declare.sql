-- cmbs_store.append_declare
--
-- Appends the first event of a session just made, pins the version of a policy pack that it
-- names, and returns the session with that head.
--
-- p_metadata      the canonical text of what the client keeps with the session, null if nothing
-- p_arbitration   the packs as found_packs gives them, null if none is named

create or replace function cmbs_store.append_declare(
    p_session cmbs_store.session,
    p_actor text,
    p_notes text,
    p_metadata text,
    p_arbitration jsonb
)
returns cmbs_store.session
language plpgsql
volatile
as $$
begin
    p_session := cmbs_store.append_event(
        p_session,
        cmbs_store.survivors_hash_v1(
            p_session.universe_digest, cmbs_store.mask_v1(p_session.n_hypotheses, false)
        ),
        'DECLARE_SESSION', p_actor, null, null, null, p_notes,
        format(
            '{"policy": %s, %s"ontology": %s, %s"n_hypotheses": %s%s, "universe_digest": "%s"}',
            cmbs_store.session_policy(p_session), '"metadata": ' || p_metadata || ', ',
            p_session.ontology, '"arbitration": ' || p_arbitration::text || ', ',
            p_session.n_hypotheses,
            ', "universe_from": ' || p_session.universe_from,
            encode(p_session.universe_digest, 'hex')
        ),
        '[]'
    );
    if p_arbitration is not null then
        perform cmbs_store.project_event(
            p_session.session_id, 1, p_actor, 'DECLARE_SESSION',
            jsonb_build_object('arbitration', p_arbitration)
        );
    end if;
    if p_session.is_mirrored then
        perform cmbs_store.note_mirrored(p_session, 1);
    end if;
    return p_session;
end
$$;
