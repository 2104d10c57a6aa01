-- cmbs_store.sweep_fault
--
-- What is wrong with a recorded release of permits; null if nothing is: each must have run out
-- without being used.

create or replace function cmbs_store.sweep_fault(
    p_state cmbs_store.session,
    p_payload jsonb
)
returns text
language sql
stable
as $$
    select case
        when count(*) <> count(distinct e.permit_id) or not coalesce(bool_and(coalesce(
            cmbs_store.permit_fault(
                p_state, p,
                cmbs_store.granted_until(p_payload ->> 'decided_at', p_payload ->> 'clock')
            ) = 'PERMIT_EXPIRED'
            and not exists (
                select
                from cmbs_store.permit_end as d
                where d.session_id = p_state.session_id
                    and d.permit_id = p.permit_id
                    and d.seq <= p_state.audit_seq
            ), false
        )), p_payload ? 'clock') then 'a permit was released that had not run out'
    end
    from jsonb_array_elements_text(p_payload -> 'permits') as e (permit_id)
    left join cmbs_store.permit as p
        on p.session_id = p_state.session_id
            and p.permit_id = e.permit_id::uuid
            and p.seq <= p_state.audit_seq
$$;
