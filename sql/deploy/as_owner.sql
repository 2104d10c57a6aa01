-- What follows creates tables, views, triggers and the functions of operators: they belong to
-- cmbs_owner.

reset role;
set local role cmbs_owner;
revoke create on schema cmbs, cmbs_store from cmbs_kernel;
