import time

import psycopg

from tests.forger import Scene


def test_x(_shared_database):
    with psycopg.connect(_shared_database) as c:
        s = Scene(c)
        print(s.verdict(s.arbitrated))
        for (t,) in c.execute(
            "select table_name from information_schema.tables where table_schema='cmbs_store'"
        ).fetchall():
            n = c.execute(f"select count(*) from cmbs_store.{t}").fetchone()[0]
            print(t, n)
        t = time.time()
        s.verdict(s.arbitrated)
        print(time.time() - t)
        print(
            c.execute(
                "select seq, record::jsonb->'payload'->>'reason_code' from cmbs_store.audit_event where session_id=%s order by seq",
                [s.arbitrated],
            ).fetchall()
        )
        for q in (
            "select * from cmbs_store.elimination_claimant",
            "select * from cmbs_store.elimination_count",
            "select session_id,delta_no,seq from cmbs_store.state_checkpoint",
            "select * from cmbs_store.interrupt",
        ):
            print(c.execute(q).fetchall())
        c.rollback()
