-- Signatures that have gone: a batch is worked off as a whole, and no answer lacks its snapshot.
-- A fresh database never had them, and need not say so.

set local client_min_messages = 'warning';
drop function if exists cmbs_store.batch_message(json, uuid);
drop function if exists cmbs_store.batch_messages(uuid, json);
drop function if exists cmbs_store.eliminate_message(
    uuid, text, text, text, text[], text, uuid, text, boolean, boolean
);
drop function if exists cmbs_store.response(text, cmbs_store.session, boolean, boolean);
