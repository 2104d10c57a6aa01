-- cmbs_store.constraints_against
--
-- What the constraints of a policy say to some items, each question that an item is asked of it by
-- itself.
--
-- p_entries      entries of the policy, in order
-- p_definitions  those of tools, by tool id
-- p_waived       item number -> keys of constraints that a person waived; null in verdicts that
--                know of none

create or replace function cmbs_store.constraints_against(
    p_policy cmbs_store.policy,
    p_entries cmbs_store.policy_entry[],
    p_items jsonb,
    p_definitions jsonb,
    p_values jsonb,
    p_schemas jsonb,
    p_waived jsonb
)
returns cmbs_store.reason[]
language plpgsql
stable
as $$
declare
    v_reasons cmbs_store.reason[] := array[]::cmbs_store.reason[];
    v_question record;
begin
    for v_question in
        select q.item_no, q.subjects
        from cmbs_store.item_subjects(p_items, p_definitions) as q
    loop
        v_reasons := v_reasons || cmbs_store.constraint_reasons(
            p_policy, p_entries, v_question.item_no, v_question.subjects,
            cmbs_store.values_with_args(p_values, p_items -> v_question.item_no - 1), p_schemas,
            case
                when p_waived is not null then array(
                    select jsonb_array_elements_text(p_waived -> v_question.item_no::text)
                )
            end
        );
    end loop;
    return v_reasons;
end
$$;
