-- cmbs_store.decide
--
-- The verdict on a proposal or a claim, as it is recorded. Whatever is raised inside is a denial:
-- nothing is permitted by an error. What the caller may send again (a lost race, no more memory) is
-- raised.
--
-- p_recorded   the payload of a record that is decided again, null for a new one

create or replace function cmbs_store.decide(
    p_session cmbs_store.session,
    p_actor text,
    p_given cmbs_store.verdict_input,
    p_recorded jsonb,
    p_pin cmbs_store.policy_pin
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_policy jsonb := jsonb_build_object('policy', jsonb_build_object(
        'pack', p_pin.pack,
        'version', p_pin.version,
        'policy_hash', encode(p_pin.policy_hash, 'hex')
    ));
    v_error cmbs_store.reason[];
begin
    return v_policy || case
        when p_given.claim is not null
            then cmbs_store.evaluate_claim(p_session, p_actor, p_given, p_recorded, p_pin)
        else cmbs_store.evaluate(p_session, p_actor, p_given, p_recorded, p_pin)
    end;
exception
    when others then
        if left(sqlstate, 2) in ('40', '53', '55', '57', '58', 'XX') then
            raise;
        end if;
        v_error := array[(
            null, 'evaluation', 'EVALUATION_ERROR', null, 'block', 'SQLSTATE ' || sqlstate
        )::cmbs_store.reason];
        return v_policy || '{"tools": {}, "schemas": {}, "reads": {}}' || case
            when p_given.claim is not null
                then cmbs_store.fold_reasons(v_error, null) || jsonb_build_object(
                    'kind', p_given.claim -> 'kind', 'confirmed', false, 'expires_at', null
                )
            else cmbs_store.verdict(p_given.proposal -> 'items', v_error, true)
        end || case
            -- Nothing waits for what cannot be decided.
            when p_given.retries is not null then jsonb_build_object(
                'deferral',
                (p_given.retries) - 'by' || '{"missing": [], "next_at": null}'
            )
            else '{}'
        end;
end
$$;
