-- cmbs_store.refuse_import
--
-- Ends an import: an event is not one that this log can have.
--
-- Raises     MB201 INVALID_REQUEST.

create or replace function cmbs_store.refuse_import(
    p_session_id uuid,
    p_seq bigint,
    p_problem text
)
returns void
language plpgsql
volatile
as $$
begin
    perform cmbs_store.refuse(
        'MB201',
        'The records are not a log, or do not continue the one that is here.',
        json_build_object(
            'session_id', p_session_id, 'seq', p_seq, 'problem', p_problem
        )::text,
        'Verify the file that they come from; nothing was changed.'
    );
end
$$;
