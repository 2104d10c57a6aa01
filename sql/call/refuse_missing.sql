-- cmbs_store.refuse_missing
--
-- Ends the call: what was named is not there, or not to be seen by the caller.
--
-- p_kind     what it is
-- p_detail   what it was named
-- Raises     the code of the kind, always.

create or replace function cmbs_store.refuse_missing(
    p_kind text,
    p_detail json
)
returns void
language plpgsql
volatile
as $$
declare
    v_code text;
    v_message text;
    v_hint text;
begin
    select r.code, r.message, r.hint
    into strict v_code, v_message, v_hint
    from (
        values
        (
            'session', 'MB001', 'There is no such session.',
            'Declare it first, or check the id.'
        ),
        (
            'context', 'MB001', 'There is no such elimination context.',
            'Create it first, or check the id.'
        ),
        (
            'event', 'MB003', 'There is no such event in this session.',
            'Take event ids from answers and traces of the same session.'
        ),
        (
            'space', 'MB004', 'There is no such hypothesis space.',
            'Register the space in this version, or send the hypotheses with the declare.'
        ),
        (
            'principal', 'MB005', 'There is no such principal.',
            'Create it first, or check its name and tenant.'
        ),
        (
            'token', 'MB006', 'There is no such token.',
            'Take its id from the list of tokens; the beginning of a token is not its id.'
        ),
        (
            'capability', 'MB006', 'There is no such capability token in this session.',
            'List the tokens of the session.'
        ),
        (
            'policy', 'MB007', 'There is no such version of a policy pack.',
            'List the packs and their versions, or publish one.'
        ),
        ('tool', 'MB008', 'There is no such tool.', 'List the tools, or register it.'),
        ('schema', 'MB009', 'There is no such schema.', 'List the schemas, or register it.'),
        (
            'claim', 'MB010', 'There is no such claim in this session.',
            'Take the ids of claims from answers of the same session.'
        ),
        (
            'permit', 'MB011', 'There is no such permit in this session.',
            'Take the ids of permits from answers to proposals of the same session.'
        ),
        (
            'interrupt', 'MB012', 'There is no such question in this session.',
            'List the questions of the session, or the inbox.'
        ),
        (
            'incident', 'MB013', 'There is no such incident.',
            'Create it first, or check the id.'
        )
    ) as r (kind, code, message, hint)
    where r.kind = p_kind;
    perform cmbs_store.refuse(v_code, v_message, p_detail::text, v_hint);
end
$$;
