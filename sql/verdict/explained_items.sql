-- cmbs_store.explained_items
--
-- The items of a proposal, each with its verdict and what every constraint that applies came to, by
-- what was read then.

create or replace function cmbs_store.explained_items(
    p_session cmbs_store.session,
    p_actor text,
    p_payload jsonb
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_items jsonb := p_payload -> 'proposal' -> 'items';
    v_evidence cmbs_store.evidence := cmbs_store.evidence(
        p_session, decode(p_payload -> 'policy' ->> 'policy_hash', 'hex'), p_actor, v_items,
        p_payload
    );
    v_answer jsonb := '[]'::jsonb;
    v_waived jsonb := cmbs_store.waived(p_payload -> 'resumes');
    v_values jsonb;
begin
    for v_no in 1 .. jsonb_array_length(v_items) loop
        v_values := cmbs_store.values_with_args(v_evidence.values, v_items -> v_no - 1);
        v_answer := v_answer || jsonb_build_array(
            (p_payload -> 'items' -> v_no - 1) || jsonb_build_object(
                'item', v_items -> v_no - 1,
                'constraints', (
                    select coalesce(jsonb_agg(
                        case
                            when v_waived -> v_no::text ? e.key then x.explained
                                - 'unlock' || '{"outcome": "waived"}'
                            else x.explained
                        end || jsonb_build_object('asked_as', e.subject)
                        order by e.key
                    ), '[]')
                    from unnest(v_evidence.entries) as e
                    cross join lateral cmbs_store.explained_constraint(
                        e, v_values, v_evidence.documents
                    ) as x (explained)
                    where exists (
                        select
                        from cmbs_store.item_subjects(v_items, v_evidence.definitions) as q
                        where q.item_no = v_no and e.subject = any(q.subjects)
                    )
                )
            )
        );
    end loop;
    return v_answer;
end
$$;
