-- cmbs_store.modes
--
-- The modes, from the freest down: how much of the soft budgets is left in each, in percent, and
-- which classes of effects it forbids, where a policy says nothing else.

create or replace function cmbs_store.modes()
returns table (level integer, mode text, setting jsonb)
language sql
immutable
as $$
    values
    (1, 'boost', '{"soft_percent": 200, "forbids": []}'::jsonb),
    (2, 'normal', '{"soft_percent": 100, "forbids": []}'),
    (3, 'eco', '{"soft_percent": 50, "forbids": []}'),
    (4, 'thermal', '{"soft_percent": 25, "forbids": ["external"]}'),
    (5, 'offline_safe', '{"soft_percent": 100, "forbids": ["network", "external"]}')
$$;
