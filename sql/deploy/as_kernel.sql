-- What follows creates functions: they belong to cmbs_kernel, which may create nothing at other
-- times.
--
-- Bodies are not checked while they are loaded, because they name each other.

grant usage, create on schema cmbs, cmbs_store to cmbs_kernel;
reset role;
set local role cmbs_kernel;
set local check_function_bodies = off;
