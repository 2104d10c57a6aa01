-- cmbs_store.identity_payload
--
-- What an event of identities says; null if its record cannot be read, as no record that a verb
-- made.

create or replace function cmbs_store.identity_payload(
    p_record text
)
returns jsonb
language plpgsql
stable
as $$
declare
    v_payload jsonb;
begin
    v_payload := p_record::jsonb -> 'payload';
    return case when jsonb_typeof(v_payload) = 'object' then v_payload end;
exception
    when data_exception or statement_too_complex then
        return null;
end
$$;
