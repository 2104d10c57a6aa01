-- cmbs_store.joined
--
-- The pieces of a mask, strung together.

create or replace function cmbs_store.joined(
    p_chunks bytea[]
)
returns bytea
language sql
immutable
as $$
    select string_agg(c.chunk, ''::bytea order by c.no)
    from unnest(p_chunks) with ordinality as c (chunk, no)
$$;

comment on function cmbs_store.joined(bytea[]) is
'The pieces of a mask, strung together.';

revoke all on function cmbs_store.joined(bytea[]) from public;
