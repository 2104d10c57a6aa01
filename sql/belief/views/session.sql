-- cmbs.session
--
-- Every session as it stands now, with the members of its snapshot as columns.

create or replace view cmbs.session with (security_barrier) as
select
    s.session_id,
    s.declared_at,
    s.ontology::jsonb ->> 'hypothesis_space_id' as hypothesis_space_id,
    s.ontology::jsonb ->> 'hypothesis_version' as hypothesis_version,
    s.ontology::jsonb ->> 'causal_graph_ref' as causal_graph_ref,
    s.ontology::jsonb ->> 'causal_graph_version' as causal_graph_version,
    encode(s.universe_digest, 'hex') as universe_digest,
    s.n_hypotheses,
    s.n_survivors,
    case
        when s.n_survivors > 1 then ln(s.n_survivors::double precision) / ln(2::double precision)
        else 0
    end as entropy_proxy,
    s.is_terminated as terminated,
    s.obligation_id as active_obligation_id,
    s.audit_seq,
    s.audit_head_event_id,
    encode(s.audit_head_hash, 'hex') as audit_head_hash,
    encode(s.survivors_hash, 'hex') as survivors_hash,
    s.validate_hypotheses,
    s.allow_forced_termination,
    s.stability_window,
    s.policy_as_sent::jsonb as policy_as_sent,
    s.tenant,
    s.universe_from::jsonb ->> 'tee_incident' as tee_incident,
    s.is_mirrored as mirrored,
    s.audit_head_at as last_event_at
from cmbs_store.session as s
where (select cmbs.tenant()) = '*' or s.tenant = (select cmbs.tenant());

comment on view cmbs.session is
'Every session as it stands now.';
comment on column cmbs.session.session_id is 'the client-chosen id';
comment on column cmbs.session.declared_at is 'when it was declared: the time of its first event';
comment on column cmbs.session.hypothesis_space_id is
'ontology bundle: name of the hypothesis space';
comment on column cmbs.session.hypothesis_version is 'ontology bundle: version of the space';
comment on column cmbs.session.causal_graph_ref is
'ontology bundle: reference to the causal graph; stored, never followed';
comment on column cmbs.session.causal_graph_version is 'ontology bundle: version of the graph';
comment on column cmbs.session.universe_digest is 'sha-256 over the sorted hypotheses, hex';
comment on column cmbs.session.n_hypotheses is 'size of the universe';
comment on column cmbs.session.n_survivors is 'hypotheses not eliminated so far';
comment on column cmbs.session.entropy_proxy is 'log2 of n_survivors; 0 for none or one';
comment on column cmbs.session.terminated is 'whether the session takes no more messages';
comment on column cmbs.session.active_obligation_id is
'the obligation that gates conclusions and termination, if any';
comment on column cmbs.session.audit_seq is 'number of events in the log';
comment on column cmbs.session.audit_head_event_id is 'the last event';
comment on column cmbs.session.audit_head_hash is 'hash of the last event, hex';
comment on column cmbs.session.survivors_hash is 'hash of universe and survivors, hex';
comment on column cmbs.session.validate_hypotheses is
'policy: whether ids outside the universe are refused';
comment on column cmbs.session.allow_forced_termination is
'policy: whether context.force may end the session';
comment on column cmbs.session.stability_window is
'policy: how many equal accepted conclusions termination needs';
comment on column cmbs.session.policy_as_sent is
'the policy that its declare asked for, before defaults; null if it named none';
comment on column cmbs.session.tenant is 'whose it is';
comment on column cmbs.session.tee_incident is
'the incident that its universe was taken from, if it was';
comment on column cmbs.session.mirrored is 'whether a Tee is told what it eliminates';
comment on column cmbs.session.last_event_at is 'the time of the last event';

revoke all on cmbs.session from public;
grant select on cmbs.session to cmbs_auditor, cmbs_policy, cmbs_analyst;
