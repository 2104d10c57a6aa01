-- cmbs_store.capability_reasons
--
-- The stage of the capability token, as far as it is about the token itself.
--
-- p_token_id   the token of this session that was shown, null if what was shown is none
-- p_is_shown   whether anything was shown

create or replace function cmbs_store.capability_reasons(
    p_session cmbs_store.session,
    p_capability cmbs_store.capability_token,
    p_is_shown boolean,
    p_actor text,
    p_at timestamptz
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_code text;
begin
    v_code := case
        when not p_is_shown then 'TOKEN_MISSING'
        when p_capability.token_id is null then 'TOKEN_UNKNOWN'
        when p_capability.holder <> p_actor then 'TOKEN_HOLDER_MISMATCH'
        when exists (
            select
            from cmbs_store.capability_revocation as r
            where r.session_id = p_session.session_id
                and r.token_id = any(p_capability.chain)
                and r.seq <= p_session.audit_seq
        ) then 'TOKEN_REVOKED'
        when p_at < p_capability.valid_from then 'TOKEN_NOT_YET_VALID'
        when p_at >= p_capability.expires_at then 'TOKEN_EXPIRED'
        when cmbs_store.clock_was_set_back(p_session, p_capability.seq) then 'TOKEN_EXPIRED'
    end;
    return case
        when v_code is null then '{}'
        else array[(
            null, 'token', v_code, null, 'block',
            case v_code
                when 'TOKEN_MISSING' then 'show the secret of a token as capability_token'
                when 'TOKEN_UNKNOWN' then 'what was shown is the secret of no token of this session'
                when 'TOKEN_HOLDER_MISMATCH' then format(
                    'the token is of %s, and %s proposes', p_capability.holder, p_actor
                )
                when 'TOKEN_REVOKED' then 'it, or one that it was made from, was revoked'
                when 'TOKEN_EXPIRED' then case
                    when p_at >= p_capability.expires_at and p_at < 'infinity'
                        then 'it expired at ' || cmbs_store.timestamp_v1(p_capability.expires_at)
                    else 'the clock was set back since it was issued; ask for a new one'
                end
                else 'it counts from ' || cmbs_store.timestamp_v1(p_capability.valid_from)
            end
        )::cmbs_store.reason]
    end;
end
$$;
