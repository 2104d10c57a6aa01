-- Before the facts are read: nobody else's functions are found, names have their schemas, and
-- expressions are written in one way, whatever the database or the login is set to.

set local search_path = pg_catalog, pg_temp;
set local quote_all_identifiers = off;
set local timezone = 'UTC';
set local datestyle = 'ISO, MDY';
set local intervalstyle = 'postgres';
set local bytea_output = 'hex';
set local extra_float_digits = 1;
