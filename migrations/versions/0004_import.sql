-- The time of a declaration is an argument now: that of an imported session was recorded long ago.

set local client_min_messages = 'warning';
drop function if exists cmbs_store.new_session(
    uuid, jsonb, bytea, integer, cmbs_store.policy_default, text
);
