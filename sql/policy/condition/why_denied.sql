-- cmbs_store.why_denied
--
-- Why a constraint that denies fires, for people: its own reason, and what would have to be
-- different.

create or replace function cmbs_store.why_denied(
    p_entry cmbs_store.policy_entry,
    p_values jsonb,
    p_schemas jsonb
)
returns text
language sql
stable
as $$
    select left(
        concat_ws(
            ': ',
            p_entry.reason,
            case
                when p_entry.condition is null then 'it denies always'
                else (
                    cmbs_store.nearest_change(p_entry.condition, p_values, p_schemas, false)
                ).p_detail
            end
        ),
        600
    )
$$;
