-- cmbs_store.is_within_limits
--
-- Whether the ids, notes and numbers of a record, whose payload has the members of its verb, are as
-- long and as large as the verb lets them be.

create or replace function cmbs_store.is_within_limits(
    p_verb text,
    p_record jsonb
)
returns boolean
language plpgsql
immutable
as $$
declare
    v_payload jsonb := p_record -> 'payload';
begin
    if octet_length(p_record ->> 'notes') > 4096
        or not cmbs_store.is_id(p_record ->> 'actor', 512)
    then
        return false;
    end if;
    if p_verb = 'ELIMINATE' then
        if not cmbs_store.is_id(v_payload ->> 'source_id', 512)
            or not cmbs_store.is_id(v_payload ->> 'observation_id', 512)
            or v_payload -> 'eliminated' ? ''
        then
            return false;
        end if;
        -- A list that is short holds no long id, and most are: no query for them.
        if octet_length(v_payload ->> 'eliminated') <= 512 then
            return true;
        end if;
        return not exists (
            select
            from jsonb_array_elements_text(v_payload -> 'eliminated') as e (id)
            where octet_length(e.id) > 512
        );
    end if;
    if p_verb = 'DECLARE_SESSION' then
        return v_payload -> 'policy' -> 'stability_window' between '0' and '1000'
            and not exists (
                select
                from jsonb_each_text(v_payload -> 'ontology') as m (key, value)
                where not cmbs_store.is_id(m.value, 2048)
            );
    end if;
    return coalesce(v_payload -> 'min_total_eliminations' >= '0', true)
        and not exists (
            select
            from jsonb_each_text(v_payload) as m (key, value)
            where m.key in ('obligation_id', 'conclusion_id', 'request_id')
                and not cmbs_store.is_id(m.value, 512)
                or m.key = 'waive_reason' and not cmbs_store.is_id(m.value, 4096)
                or m.key in ('comment', 'reason') and octet_length(m.value) > 4096
        );
end
$$;
