-- Before the facts are read: nobody else's functions are found, and names have their schemas.

set local search_path = pg_catalog, pg_temp;
