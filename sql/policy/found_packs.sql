-- cmbs_store.found_packs
--
-- The packs that a declare names, with the hashes of their content, as they are recorded. For a
-- session that is there already they were found long ago.
--
-- Asked before anything is written: what is refused later leaves as many dead rows as it has ids.
-- A list that could not be declared is refused first.
--
-- Raises     MB007 POLICY_NOT_FOUND, MB201 INVALID_REQUEST, MB203 PAYLOAD_TOO_LARGE.

create or replace function cmbs_store.found_packs(
    p_session_id uuid,
    p_tenant text,
    p_arbitration jsonb,
    p_hypotheses text[]
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_pack cmbs_store.policy_version;
begin
    if p_arbitration is null or exists (
        select from cmbs_store.session as s where s.session_id = p_session_id
    ) then
        return null;
    end if;
    if p_hypotheses is not null then
        perform cmbs_store.check_ids('hypotheses', p_hypotheses, null);
    end if;
    v_pack := cmbs_store.find_policy(
        p_tenant, p_arbitration ->> 'pack', (p_arbitration ->> 'version')::integer
    );
    return p_arbitration
        || jsonb_build_object('policy_hash', encode(v_pack.policy_hash, 'hex'))
        || cmbs_store.found_shadow(p_tenant, p_arbitration -> 'shadow');
end
$$;
