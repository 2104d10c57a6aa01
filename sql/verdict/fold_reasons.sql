-- cmbs_store.fold_reasons
--
-- What the reasons for one item come to; with null for the item what all of them come to. The first
-- stage that fails gives the reason code, the most restrictive reason says what follows.

create or replace function cmbs_store.fold_reasons(
    p_reasons cmbs_store.reason[],
    p_item_no integer
)
returns jsonb
language sql
immutable
as $$
    select case
        when count(*) = 0 then '{
            "decision": "allow", "disposition": "execute", "reason_code": "ALLOWED", "reasons": []
        }'::jsonb
        else jsonb_build_object(
            'decision',
            case when max(o.severity) in (1, 3) then 'defer' else 'deny' end,
            'disposition',
            (array['ask', 'degrade', 'defer', 'block'])[max(o.severity)],
            'reason_code',
            (array_agg(o.code order by o.no))[1],
            'reasons',
            jsonb_agg(
                jsonb_strip_nulls(jsonb_build_object(
                    'item_no', case when p_item_no is null then o.item_no end,
                    'stage', o.stage, 'code', o.code, 'key', o.key,
                    'disposition', o.disposition, 'detail', o.detail
                ))
                order by o.no
            )
        )
    end
    from (
        select
            r.item_no, r.stage, r.code, r.key, r.disposition, r.detail,
            cmbs_store.severity(r.disposition) as severity,
            row_number() over (
                order by
                    array_position(
                        array[
                            'idempotency', 'session', 'authority', 'token', 'schemas',
                            'constraints', 'conflicts', 'invariants', 'scheduler', 'evaluation'
                        ],
                        r.stage
                    ),
                    cmbs_store.severity(r.disposition) desc,
                    r.item_no nulls first,
                    r.code collate "C",
                    r.key collate "C",
                    r.detail collate "C"
            ) as no
        from unnest(p_reasons) as r
        where p_item_no is null or r.item_no is null or r.item_no = p_item_no
    ) as o
$$;
