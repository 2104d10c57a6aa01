-- cmbs_store.batch_with_dead_edges
--
-- A batch for a session with edges, each message with the edges that lose an end by it.

create or replace function cmbs_store.batch_with_dead_edges(
    p_session cmbs_store.session,
    p_batch jsonb
)
returns jsonb
language sql
stable
as $$
    select jsonb_agg(
        b.message || jsonb_build_object(
            'eliminated',
            cmbs_store.with_dead_edges(
                p_session,
                array(
                    select i.id
                    from jsonb_array_elements_text(b.message -> 'eliminated')
                        with ordinality as i (id, no)
                    order by i.no
                )
            )
        )
        order by b.no
    )
    from jsonb_array_elements(p_batch) with ordinality as b (message, no)
$$;
