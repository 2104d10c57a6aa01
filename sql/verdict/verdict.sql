-- cmbs_store.verdict
--
-- The verdict on a proposal and on each of its items, from the reasons against them. Items that
-- belong together take effect together or not at all; of others each that is allowed does, and the
-- proposal is allowed if one is.
--
-- Promises   `effective` says of each item whether it takes effect.

create or replace function cmbs_store.verdict(
    p_items jsonb,
    p_reasons cmbs_store.reason[],
    p_is_atomic boolean
)
returns jsonb
language plpgsql
immutable
as $$
declare
    v_all jsonb := cmbs_store.fold_reasons(p_reasons, null);
    v_items jsonb := '[]'::jsonb;
    v_item jsonb;
    v_verdict jsonb;
begin
    for v_no in 1 .. jsonb_array_length(p_items) loop
        v_item := p_items -> v_no - 1;
        v_verdict := case
            when cardinality(p_reasons) = 0 then v_all
            else cmbs_store.fold_reasons(p_reasons, v_no)
        end;
        v_verdict := v_verdict || jsonb_build_object(
            'item_no', v_no,
            'digest', encode(cmbs_store.digest_v1(v_item::text), 'hex'),
            'effective', v_verdict ->> 'decision' = 'allow'
                and (not p_is_atomic or cardinality(p_reasons) = 0)
        );
        if v_item ? 'args' then
            v_verdict := v_verdict || jsonb_build_object(
                'args_hash', encode(cmbs_store.digest_v1((v_item -> 'args')::text), 'hex')
            );
        end if;
        v_items := v_items || v_verdict;
    end loop;
    if not p_is_atomic and jsonb_path_exists(v_items, '$[*] ? (@.effective == true)') then
        v_all := v_all || cmbs_store.fold_reasons('{}', null) - 'reasons';
    end if;
    return v_all || jsonb_build_object('items', v_items);
end
$$;
