-- cmbs_store.with_offers
--
-- A verdict with what follows from it for each item: the permit of a call that is allowed, the
-- question that a person may answer, what it waits for, or what to ask for instead.

create or replace function cmbs_store.with_offers(
    p_verdict jsonb,
    p_capability cmbs_store.capability_token,
    p_session cmbs_store.session,
    p_settings jsonb,
    p_given cmbs_store.verdict_input,
    p_evidence cmbs_store.evidence
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_sent jsonb := p_given.proposal -> 'items';
    v_items jsonb := '[]'::jsonb;
    v_item jsonb;
    v_asked jsonb := cmbs_store.asked_items(p_given, p_verdict);
    v_deferral jsonb := cmbs_store.deferral_offer(
        p_session, p_given, p_verdict, p_evidence, p_settings
    );
begin
    for v_i in 0 .. jsonb_array_length(v_sent) - 1 loop
        v_item := p_verdict -> 'items' -> v_i;
        v_items := v_items || (v_item || case
            when v_item -> 'effective' = 'true' then case
                when v_sent -> v_i ->> 'kind' = 'tool_call'
                    then cmbs_store.permit_offer(
                        v_item, p_capability, p_session, p_settings, p_given
                    )
                else '{}'
            end
            when v_asked @> (v_item -> 'item_no')
                then cmbs_store.interrupt_offer(
                    v_item, v_sent -> v_i, p_session, p_settings, p_given
                )
            when v_item ->> 'disposition' = 'degrade'
                then cmbs_store.alternative_offer(
                    v_item, v_sent -> v_i, p_capability, p_session, p_settings, p_evidence
                )
            when v_item ->> 'disposition' = 'defer' and v_deferral ->> 'next_at' is not null
                then jsonb_build_object('deferral_id', v_deferral -> 'deferral_id')
            else '{}'
        end);
    end loop;
    return p_verdict || jsonb_build_object('items', v_items) || case
        when v_deferral is not null then jsonb_build_object('deferral', v_deferral) else '{}'
    end;
end
$$;
