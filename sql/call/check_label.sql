-- cmbs_store.check_label
--
-- Refuses what cannot be the name of a principal or tenant. People read these in lists and logs,
-- so two that look the same are not both names.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.check_label(
    p_member text,
    p_label text
)
returns void
language plpgsql
stable
as $$
begin
    perform cmbs_store.check_id(p_member, p_label, 128);
    if p_label <> btrim(p_label) or p_label ~ '[\u0001-\u001f\u007f]' then
        perform cmbs_store.refuse_request(
            p_member, 'must be text without control characters, and no blank first or last'
        );
    end if;
end
$$;
