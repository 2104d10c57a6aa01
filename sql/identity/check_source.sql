-- cmbs_store.check_source
--
-- Refuses a source that the principal may not speak for: its id begins with none of the prefixes.
-- A login that nobody registered has none, and speaks for any source.
--
-- p_index    the number of the message in a batch, which the refusal then names.
-- Raises     MB302 FORBIDDEN.

create or replace function cmbs_store.check_source(
    p_caller cmbs_store.principal,
    p_source_id text,
    p_index bigint default null
)
returns void
language plpgsql
stable
as $$
begin
    if p_caller.source_prefixes is not null and not exists (
        select
        from unnest(p_caller.source_prefixes) as s (prefix)
        where starts_with(p_source_id, s.prefix)
    ) then
        perform cmbs_store.refuse(
            'MB302',
            'The principal may not speak for this source.',
            json_strip_nulls(
                json_build_object(
                    'principal', p_caller.name, 'source_id', p_source_id,
                    'source_prefixes', p_caller.source_prefixes, 'index', p_index
                )
            )::text,
            'Name a source that begins with one of the prefixes, or ask an administrator.'
        );
    end if;
end
$$;
