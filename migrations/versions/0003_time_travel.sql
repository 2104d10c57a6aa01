-- Signatures that have gone: belief is asked for as of a time as well.
-- A fresh database never had them, and need not say so.

set local client_min_messages = 'warning';
drop function if exists cmbs.query_belief(uuid, uuid, boolean, bytea);
