-- Append-only, second belt: nobody changes or removes rows, whatever their privileges, unless they
-- switch the triggers off, which the hash chain then shows.
--
-- "enable always" is issued anew on every deploy: a replaced trigger and a restore with triggers
-- disabled both lose it silently. There are no insert triggers: restores must be byte-identical.
-- Every table has one, named after it, but for two that are no record of anything: where the
-- migrations stand, and where the clock does. Those that hold a state may be updated, but not
-- emptied; privileges.sql says which columns.

create or replace function cmbs_store.refuse_change()
returns trigger
language plpgsql
as $$
begin
    raise exception using
        errcode = 'insufficient_privilege',
        message = 'This table is append-only.',
        detail = json_build_object('table', tg_table_name, 'operation', tg_op)::text;
end
$$;

comment on function cmbs_store.refuse_change() is
'Trigger: refuse every UPDATE, DELETE and TRUNCATE.';

revoke all on function cmbs_store.refuse_change() from public;

do $$
declare
    v_none constant name[] := array['revision', 'clock_mark'];
    v_states constant name[] := array[
        'session', 'session_mask', 'elimination_claimant', 'elimination_count', 'open_item',
        'context', 'incident', 'graph_head', 'principal', 'api_token', 'api_token_use',
        'identity_head', 'webhook_message', 'tee_message'
    ];
    v_table name;
    v_trigger name;
begin
    for v_table in
        select c.relname
        from pg_class as c
        where c.relnamespace = 'cmbs_store'::regnamespace
            and c.relkind = 'r'
            and c.relname <> all (v_none)
    loop
        v_trigger := v_table || '_append_only';
        execute format(
            'create or replace trigger %I before %s on cmbs_store.%I '
            'for each statement execute function cmbs_store.refuse_change()',
            v_trigger,
            concat(
                case when v_table <> all (v_states) then 'update or ' end, 'delete or truncate'
            ),
            v_table
        );
        execute format(
            'alter table cmbs_store.%I enable always trigger %I', v_table, v_trigger
        );
    end loop;
end
$$;
