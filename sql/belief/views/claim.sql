-- cmbs.claim
--
-- What each source ruled out, whether or not it was the first to do so.
-- Read from the records: what was asked for and ignored stands nowhere else.

create or replace view cmbs.claim with (security_barrier) as
select
    e.session_id,
    e.seq,
    e.recorded_at as ts,
    e.source_id,
    e.observation_id,
    c.hypothesis_id collate "C" as hypothesis_id,
    t.seq is not null as applied
from cmbs_store.audit_event as e
cross join lateral
    json_array_elements_text(e.record::json #> '{payload,eliminated}') as c (hypothesis_id)
left join cmbs_store.tombstone as t
    on t.session_id = e.session_id and t.hypothesis_id = c.hypothesis_id and t.seq = e.seq
where e.source_id is not null
    and (
        (select cmbs.tenant()) = '*' or exists (
            select
            from cmbs_store.session as o
            where o.session_id = e.session_id and o.tenant = (select cmbs.tenant())
        )
    );

comment on view cmbs.claim is
'Every hypothesis that a source ruled out, also where it was gone already or is unknown.';
comment on column cmbs.claim.session_id is 'the session';
comment on column cmbs.claim.seq is
'number of the event in the log of its session, from 1 without gaps';
comment on column cmbs.claim.ts is 'when';
comment on column cmbs.claim.source_id is 'who observed';
comment on column cmbs.claim.observation_id is 'what was observed';
comment on column cmbs.claim.hypothesis_id is
'what was ruled out; an id that was sent twice is there twice';
comment on column cmbs.claim.applied is
'whether this event eliminated it; else it was gone already, or never a hypothesis';

revoke all on cmbs.claim from public;
grant select on cmbs.claim to cmbs_auditor, cmbs_policy, cmbs_analyst;
