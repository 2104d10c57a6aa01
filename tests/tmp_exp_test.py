import psycopg, time
from tests.forger import Scene
def test_x(_shared_database):
    with psycopg.connect(_shared_database) as c:
        s=Scene(c)
        print(s.verdict(s.arbitrated))
        t=time.time(); s.verdict(s.arbitrated); print(time.time()-t)
        def tamper(q):
            with c.transaction(force_rollback=True):
                n=c.execute(q).rowcount
                print(n, q, '->', s.verdict(s.arbitrated)['first_bad'])
        tamper("update cmbs_store.claim set value='1.5' where key='k'")
        tamper("update cmbs_store.capability_token set budgets='{\"max_calls\": 9.0}'  where budgets ->> 'max_calls' = '9'")
        tamper("""update cmbs_store.tool_definition set definition = '{"version": 2, "authorities": [], "mutating": true, "effect_class": "external", "args_schema": null}'""")
        tamper("""update cmbs_store.tool_definition set definition = definition || ' '""")
        tamper("""update cmbs_store.tool_definition set tool_hash = '\\x00'""")
        tamper("""update cmbs_store.schema_document set document = '{"type": "object", "properties": {"n": {"maximum": 3.5}}}'""")
        tamper("""update cmbs_store.schema_document set document = '{}'""")
        tamper("""delete from cmbs_store.state_checkpoint""")
        for t,cols in dict(reason_code='code stage_no stage disposition description', policy_version='tenant pack version policy_hash fixtures published_at published_by', policy_halt='tenant', json_schema='tenant schema_id schema_hash registered_at registered_by',tool_registration='tenant tool_id registration_no tool_hash registered_at registered_by').items():
            for col in cols.split():
                ch={'stage_no':'stage_no+1','version':'version+1000','registration_no':'registration_no+1000'}.get(col, f"{col} + interval '1s'" if col.endswith('_at') else f"set_byte({col},0,255-get_byte({col},0))" if col.endswith('hash') else "case disposition when 'block' then 'defer' else 'block' end" if col=='disposition' else f"{col}||'x'")
                tamper(f"update cmbs_store.{t} set {col} = {ch}")
        c.execute("insert into cmbs_store.policy_halt values ('default',1,true,'x',now(),'x')")
        print(s.verdict(s.arbitrated)['first_bad'])
        c.rollback()
