-- cmbs_store.refuse_execution
--
-- Ends the call: the permit or the approval that it goes on with does not let it, as it stands.
--
-- p_code     a reason code
-- Raises     MB102 CONFLICT, always.

create or replace function cmbs_store.refuse_execution(
    p_code text,
    p_detail jsonb
)
returns void
language plpgsql
stable
as $$
begin
    perform cmbs_store.refuse(
        'MB102',
        'What this goes on with does not let it.',
        (
            jsonb_build_object('reason_code', p_code, 'why', (
                select r.description from cmbs_store.reason_code as r where r.code = p_code
            )) || p_detail
        )::text,
        case
            when p_code = 'APPROVAL_OWN_REQUEST'
                then 'Another principal with the role approver answers.'
            when p_code in ('APPROVAL_PENDING', 'PERMIT_SAME_TRANSACTION') then 'Ask again later.'
            else 'Read the permit or the question again; a new proposal gets a new verdict.'
        end
    );
end
$$;
