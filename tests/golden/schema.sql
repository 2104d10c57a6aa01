CREATE SCHEMA cmbs;
ALTER SCHEMA cmbs OWNER TO cmbs_owner;

CREATE SCHEMA cmbs_store;
ALTER SCHEMA cmbs_store OWNER TO cmbs_owner;

CREATE TABLE cmbs_store.policy_entry (
    policy_hash bytea NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    value text NOT NULL COLLATE pg_catalog."C",
    value_hash bytea NOT NULL,
    subject text COLLATE pg_catalog."C",
    effect text COLLATE pg_catalog."C",
    on_fail text COLLATE pg_catalog."C",
    condition jsonb,
    reads text[] COLLATE pg_catalog."C",
    schemas text[] COLLATE pg_catalog."C",
    reason text COLLATE pg_catalog."C",
    fault text COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.policy_entry OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.policy_entry IS 'reference: the entries of a policy; of constraints also what was read out of their text.';

CREATE TYPE cmbs_store.evidence AS (
	tools jsonb,
	definitions jsonb,
	schemas jsonb,
	documents jsonb,
	entries cmbs_store.policy_entry[],
	"values" jsonb,
	reads jsonb
);
ALTER TYPE cmbs_store.evidence OWNER TO cmbs_owner;
COMMENT ON TYPE cmbs_store.evidence IS 'What a verdict rests on: tools, schemas, constraints, and the values that they read.';

CREATE TYPE cmbs_store.reason AS (
	item_no integer,
	stage text,
	code text,
	key text,
	disposition text,
	detail text
);
ALTER TYPE cmbs_store.reason OWNER TO cmbs_owner;
COMMENT ON TYPE cmbs_store.reason IS 'A check that failed: where, why, and what follows; item_no is null where all items are meant.';

CREATE TYPE cmbs_store.verdict_input AS (
	v numeric,
	request_id text,
	roles jsonb,
	decided_at text,
	clock text,
	halt text,
	is_full boolean,
	is_token_shown boolean,
	token_id text,
	proposal jsonb,
	resumes jsonb,
	retries jsonb,
	claim jsonb,
	promotes text,
	claim_id text
);
ALTER TYPE cmbs_store.verdict_input OWNER TO cmbs_owner;
COMMENT ON TYPE cmbs_store.verdict_input IS 'What a verdict is given: who proposes what with which roles and token, when, and what it goes on with.';

CREATE TABLE cmbs_store.session (
    session_id uuid NOT NULL,
    declared_at timestamp with time zone NOT NULL,
    universe_digest bytea NOT NULL,
    n_hypotheses integer NOT NULL,
    stability_window integer NOT NULL,
    validate_hypotheses boolean NOT NULL,
    allow_forced_termination boolean NOT NULL,
    hypothesis_space_id text NOT NULL COLLATE pg_catalog."C",
    ontology text NOT NULL COLLATE pg_catalog."C",
    policy_as_sent text COLLATE pg_catalog."C",
    audit_seq bigint NOT NULL,
    audit_head_event_id uuid NOT NULL,
    audit_head_hash bytea NOT NULL,
    audit_head_at timestamp with time zone NOT NULL,
    survivors_hash bytea NOT NULL,
    n_survivors integer NOT NULL,
    is_terminated boolean NOT NULL,
    mask bytea,
    obligation_seq bigint,
    obligation_id text COLLATE pg_catalog."C",
    obligation_minimum bigint,
    obligation_survivors integer,
    conclusion_id text COLLATE pg_catalog."C",
    conclusion_run integer NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    universe_from text COLLATE pg_catalog."C",
    is_mirrored boolean NOT NULL,
    n_clock_steps integer NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE cmbs_store.session OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.session IS 'session: the one row that every verb locks; what was declared, and the current state.';

CREATE TABLE cmbs_store.capability_token (
    session_id uuid NOT NULL,
    token_id uuid NOT NULL,
    seq bigint NOT NULL,
    parent_id uuid,
    chain uuid[] NOT NULL,
    holder text NOT NULL COLLATE pg_catalog."C",
    tools text[] NOT NULL COLLATE pg_catalog."C",
    capabilities text[] NOT NULL COLLATE pg_catalog."C",
    state_prefixes text[] NOT NULL COLLATE pg_catalog."C",
    resource_roots text[] NOT NULL COLLATE pg_catalog."C",
    budgets jsonb NOT NULL,
    valid_from timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    approval text NOT NULL COLLATE pg_catalog."C",
    secret_hash bytea NOT NULL
);
ALTER TABLE cmbs_store.capability_token OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.capability_token IS 'session: what a principal may propose; chain is the token itself and all that it was made from.';

CREATE TABLE cmbs_store.interrupt (
    session_id uuid NOT NULL,
    interrupt_id uuid NOT NULL,
    seq bigint NOT NULL,
    item_no integer NOT NULL,
    action_digest bytea NOT NULL,
    constraint_keys text[] NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE cmbs_store.interrupt OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.interrupt IS 'session: questions that a person has to answer before an action may be proposed again.';

CREATE TABLE cmbs_store.api_token (
    credential_hash bytea NOT NULL,
    token_id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    prefix text NOT NULL COLLATE pg_catalog."C",
    verbs text[] COLLATE pg_catalog."C",
    scope_tenant text COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    created_by text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone NOT NULL,
    revoked_at timestamp with time zone,
    clock_lead_us bigint NOT NULL,
    CONSTRAINT api_token_credential_hash_check CHECK ((octet_length(credential_hash) = 32))
);
ALTER TABLE cmbs_store.api_token OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.api_token IS 'reference: tokens, by the digest of the digest that their holders show.';

CREATE TABLE cmbs_store.principal (
    tenant text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    is_login boolean NOT NULL,
    created_at timestamp with time zone NOT NULL,
    roles text[] NOT NULL COLLATE pg_catalog."C",
    source_prefixes text[] NOT NULL COLLATE pg_catalog."C",
    is_enabled boolean NOT NULL,
    CONSTRAINT principal_kind_check CHECK ((kind = ANY (ARRAY['agent'::text, 'encoder'::text, 'tool'::text, 'human'::text, 'service'::text]))),
    CONSTRAINT principal_roles_check CHECK (((roles <@ ARRAY['agent'::text, 'encoder'::text, 'tool'::text, 'policy'::text, 'approver'::text, 'auditor'::text, 'admin'::text, 'monitor'::text]) AND (array_position(roles, NULL::text) IS NULL)))
);
ALTER TABLE cmbs_store.principal OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.principal IS 'reference: who may call; a login stands for a role of PostgreSQL, the others hold tokens.';

CREATE TABLE cmbs_store.permit (
    session_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    seq bigint NOT NULL,
    item_no integer NOT NULL,
    tool_id text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    token_id uuid,
    expires_at timestamp with time zone NOT NULL
);
ALTER TABLE cmbs_store.permit OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.permit IS 'session: leave to execute one allowed call of a tool, once.';

CREATE TABLE cmbs_store.policy (
    policy_hash bytea NOT NULL,
    n_entries integer NOT NULL,
    settings jsonb NOT NULL,
    missing_constraints text[] NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.policy OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.policy IS 'reference: the content of policy packs by its sha-256; settings are the policy.* entries.';

CREATE TABLE cmbs_store.context (
    context_id text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    universe_digest bytea NOT NULL,
    n_events bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C"
)
WITH (fillfactor='50');
ALTER TABLE cmbs_store.context OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.context IS 'context: the one row that every elimination locks.';

CREATE TABLE cmbs_store.policy_pin (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    pack text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    policy_hash bytea NOT NULL
);
ALTER TABLE cmbs_store.policy_pin OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.policy_pin IS 'session: which policy is in force from an event on; deny-all where there is none.';

CREATE TABLE cmbs_store.deferral (
    session_id uuid NOT NULL,
    deferral_id uuid NOT NULL,
    seq bigint NOT NULL,
    attempt integer NOT NULL,
    keys text[] NOT NULL COLLATE pg_catalog."C",
    next_at timestamp with time zone
);
ALTER TABLE cmbs_store.deferral OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.deferral IS 'session: every try of a deferred proposal; the last one waits for the keys, or until next_at.';

CREATE TABLE cmbs_store.incident (
    incident_id text NOT NULL COLLATE pg_catalog."C",
    tenant text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    created_by text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    universe_digest bytea,
    has_edges_listed boolean NOT NULL,
    n_events bigint NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE cmbs_store.incident OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.incident IS 'incident: the one row that tombstones lock; the version of the graph, and of that the nodes, or edges as well, that are its universe; without a digest that is all of it.';

CREATE TABLE cmbs_store.audit_event (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    event_id uuid NOT NULL,
    event_hash bytea NOT NULL,
    verb text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    source_id text COLLATE pg_catalog."C",
    observation_id text COLLATE pg_catalog."C",
    request_id text COLLATE pg_catalog."C",
    record text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY cmbs_store.audit_event ALTER COLUMN session_id SET (n_distinct=100);
ALTER TABLE cmbs_store.audit_event OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.audit_event IS 'session: the append-only, hash-chained log; record is the exact text that event_hash hashes.';

CREATE TABLE cmbs_store.policy_version (
    tenant text NOT NULL COLLATE pg_catalog."C",
    pack text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    policy_hash bytea NOT NULL,
    fixtures text NOT NULL COLLATE pg_catalog."C",
    published_at timestamp with time zone NOT NULL,
    published_by text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT policy_version_version_check CHECK ((version >= 1))
);
ALTER TABLE cmbs_store.policy_version OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.policy_version IS 'reference: the versions of policy packs, for ever; * holds the packs that every tenant may use.';

CREATE TABLE cmbs_store.open_item (
    session_id uuid NOT NULL,
    kind text NOT NULL COLLATE pg_catalog."C",
    item_id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    due_at timestamp with time zone NOT NULL,
    is_open boolean NOT NULL,
    CONSTRAINT open_item_kind_check CHECK ((kind = ANY (ARRAY['permit'::text, 'interrupt'::text, 'deferral'::text])))
)
WITH (fillfactor='80');
ALTER TABLE cmbs_store.open_item OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.open_item IS 'session: permits, questions and deferrals that are still open, and when each runs out.';

CREATE TABLE cmbs_store.claim (
    session_id uuid NOT NULL,
    claim_id uuid NOT NULL,
    seq bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    kind text NOT NULL COLLATE pg_catalog."C",
    value jsonb NOT NULL,
    confidence numeric(6,5) NOT NULL,
    source_chunk_ids text[] NOT NULL COLLATE pg_catalog."C",
    confirmed_by_event_id uuid,
    is_confirmed boolean NOT NULL,
    conflict_state text NOT NULL COLLATE pg_catalog."C",
    expires_at timestamp with time zone,
    review_at timestamp with time zone,
    promotes uuid
);
ALTER TABLE cmbs_store.claim OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.claim IS 'session: what was claimed, on which evidence, and whether that confirms it.';

CREATE TABLE cmbs_store.tee_message (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    created_at timestamp with time zone NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    n_attempts integer NOT NULL,
    next_at timestamp with time zone NOT NULL,
    last_error text,
    delivered_at timestamp with time zone,
    CONSTRAINT tee_message_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
)
WITH (fillfactor='80');
ALTER TABLE cmbs_store.tee_message OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.tee_message IS 'session: the outbox of the mirror: events to tell the Tee, how often that was tried, and what came of it. What is told stands in the log.';

CREATE TABLE cmbs_store.edge_tombstone (
    incident_id text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    event_no bigint NOT NULL,
    is_matched boolean NOT NULL
);
ALTER TABLE cmbs_store.edge_tombstone OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.edge_tombstone IS 'incident: edges that are ruled out, and whether the graph had them by then.';

CREATE TABLE cmbs_store.policy_default (
    default_no integer NOT NULL,
    validate_hypotheses boolean NOT NULL,
    allow_forced_termination boolean NOT NULL,
    stability_window integer NOT NULL,
    set_at timestamp with time zone NOT NULL,
    set_by text NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT policy_default_stability_window_check CHECK (((stability_window >= 0) AND (stability_window <= 1000)))
);
ALTER TABLE cmbs_store.policy_default OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.policy_default IS 'reference: what DECLARE_SESSION fills in; of a tenant the highest number counts, then that of *.';

CREATE TABLE cmbs_store.webhook (
    tenant text NOT NULL COLLATE pg_catalog."C",
    webhook_no integer NOT NULL,
    url text,
    secret text,
    set_at timestamp with time zone NOT NULL,
    set_by text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.webhook OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.webhook IS 'reference: who is told of questions; of a tenant the highest number counts, and no url is nobody.';

CREATE TABLE cmbs_store.api_token_use (
    token_id uuid NOT NULL,
    used_at timestamp with time zone NOT NULL
);
ALTER TABLE cmbs_store.api_token_use OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.api_token_use IS 'reference: when a token was last seen, to the hour.';

CREATE TABLE cmbs_store.clock_mark (
    is_only boolean NOT NULL,
    reached_at timestamp with time zone NOT NULL,
    lead_us bigint NOT NULL,
    n_steps integer NOT NULL,
    n_found integer NOT NULL,
    CONSTRAINT clock_mark_is_only_check CHECK (is_only)
)
WITH (fillfactor='10');
ALTER TABLE cmbs_store.clock_mark OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.clock_mark IS 'local: how far time has come here, by how many microseconds the clock was set back in all and how often, and how many of these steps every session with something granted has found.';

CREATE VIEW cmbs.api_token WITH (security_barrier='true') AS
 SELECT t.tenant,
    t.name,
    t.token_id,
    t.prefix,
    t.verbs,
    t.scope_tenant,
    t.created_at,
    t.created_by,
    (t.expires_at - ((GREATEST((( SELECT m.lead_us
           FROM cmbs_store.clock_mark m) - t.clock_lead_us), (0)::bigint))::double precision * '00:00:00.000001'::interval)) AS expires_at,
    t.revoked_at,
    u.used_at AS last_used_at
   FROM (cmbs_store.api_token t
     LEFT JOIN cmbs_store.api_token_use u ON ((u.token_id = t.token_id)))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (t.tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.api_token OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.api_token IS 'Every token, without what its holder shows.';
COMMENT ON COLUMN cmbs.api_token.tenant IS 'tenant of its principal';
COMMENT ON COLUMN cmbs.api_token.name IS 'its principal';
COMMENT ON COLUMN cmbs.api_token.token_id IS 'its id, which is not secret';
COMMENT ON COLUMN cmbs.api_token.prefix IS 'how the token begins';
COMMENT ON COLUMN cmbs.api_token.verbs IS 'the verbs that it covers; null for all';
COMMENT ON COLUMN cmbs.api_token.scope_tenant IS 'the one tenant that it is for; null for that of its principal';
COMMENT ON COLUMN cmbs.api_token.created_at IS 'when it was made';
COMMENT ON COLUMN cmbs.api_token.created_by IS 'the principal that made it';
COMMENT ON COLUMN cmbs.api_token.expires_at IS 'when it ends by itself, earlier by what the clock was set back since';
COMMENT ON COLUMN cmbs.api_token.revoked_at IS 'when it was revoked; null if it was not';
COMMENT ON COLUMN cmbs.api_token.last_used_at IS 'when it was last seen, to the hour';

CREATE TABLE cmbs_store.interrupt_resolution (
    session_id uuid NOT NULL,
    interrupt_id uuid NOT NULL,
    seq bigint NOT NULL,
    resolution text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT interrupt_resolution_resolution_check CHECK ((resolution = ANY (ARRAY['approve'::text, 'decline'::text, 'cancel'::text])))
);
ALTER TABLE cmbs_store.interrupt_resolution OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.interrupt_resolution IS 'session: what people answered to questions.';

CREATE VIEW cmbs.approval_latency WITH (security_barrier='true') AS
 SELECT k.key,
    count(*) AS n_questions,
    count(*) FILTER (WHERE (r.resolution = 'approve'::text)) AS n_approved,
    count(*) FILTER (WHERE (r.resolution = 'decline'::text)) AS n_declined,
    count(*) FILTER (WHERE (r.resolution = 'cancel'::text)) AS n_cancelled,
    count(*) FILTER (WHERE (r.resolution IS NULL)) AS n_unanswered,
    percentile_cont((0.5)::double precision) WITHIN GROUP (ORDER BY ((EXTRACT(epoch FROM (x.recorded_at - e.recorded_at)))::double precision)) AS median_seconds,
    percentile_cont((0.95)::double precision) WITHIN GROUP (ORDER BY ((EXTRACT(epoch FROM (x.recorded_at - e.recorded_at)))::double precision)) AS p95_seconds
   FROM (((((cmbs_store.interrupt i
     JOIN cmbs_store.session s ON ((s.session_id = i.session_id)))
     JOIN cmbs_store.audit_event e ON (((e.session_id = i.session_id) AND (e.seq = i.seq))))
     LEFT JOIN LATERAL unnest(i.constraint_keys) k(key) ON (true))
     LEFT JOIN cmbs_store.interrupt_resolution r ON (((r.session_id = i.session_id) AND (r.interrupt_id = i.interrupt_id))))
     LEFT JOIN cmbs_store.audit_event x ON (((x.session_id = r.session_id) AND (x.seq = r.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)))
  GROUP BY k.key;
ALTER VIEW cmbs.approval_latency OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.approval_latency IS 'How long people take to answer questions, and what they answer, by constraint.';
COMMENT ON COLUMN cmbs.approval_latency.key IS 'the constraint that an approval waives; null where a token asks for approval';
COMMENT ON COLUMN cmbs.approval_latency.n_questions IS 'how many questions it opened';
COMMENT ON COLUMN cmbs.approval_latency.n_approved IS 'how many were approved';
COMMENT ON COLUMN cmbs.approval_latency.n_declined IS 'how many were declined';
COMMENT ON COLUMN cmbs.approval_latency.n_cancelled IS 'how many were cancelled';
COMMENT ON COLUMN cmbs.approval_latency.n_unanswered IS 'how many have no answer';
COMMENT ON COLUMN cmbs.approval_latency.median_seconds IS 'half of the answers took no longer';
COMMENT ON COLUMN cmbs.approval_latency.p95_seconds IS 'nineteen of twenty answers took no longer';

CREATE TABLE cmbs_store.schema_document (
    schema_hash bytea NOT NULL,
    document text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.schema_document OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.schema_document IS 'reference: JSON Schemas by the sha-256 of their canonical text.';

CREATE TABLE cmbs_store.tool_definition (
    tool_hash bytea NOT NULL,
    definition text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.tool_definition OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.tool_definition IS 'reference: definitions of tools by the sha-256 of their canonical text.';

CREATE VIEW cmbs.arbitration_content WITH (security_barrier='true') AS
 SELECT session_id,
    kind,
    content_hash,
        CASE kind
            WHEN 'policy'::text THEN ( SELECT (COALESCE(( SELECT jsonb_object_agg(i.key, i.value) AS jsonb_object_agg
                       FROM cmbs_store.policy_entry i
                      WHERE (i.policy_hash = p.policy_hash)), '{}'::jsonb))::text AS "coalesce"
               FROM cmbs_store.policy p
              WHERE (p.policy_hash = decode(n.content_hash, 'hex'::text)))
            WHEN 'schema'::text THEN ( SELECT d.document
               FROM cmbs_store.schema_document d
              WHERE (d.schema_hash = decode(n.content_hash, 'hex'::text)))
            ELSE ( SELECT t.definition
               FROM cmbs_store.tool_definition t
              WHERE (t.tool_hash = decode(n.content_hash, 'hex'::text)))
        END AS content
   FROM ( SELECT DISTINCT e.session_id,
            h.kind,
            h.content_hash
           FROM ((cmbs_store.audit_event e
             CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
                 OFFSET 0) p)
             CROSS JOIN LATERAL ( SELECT 'policy'::text AS kind,
                    n_1.content_hash
                   FROM unnest(ARRAY[(p.payload #>> '{arbitration,policy_hash}'::text[]), (p.payload #>> '{arbitration,shadow,policy_hash}'::text[]), (p.payload #>> '{policy,policy_hash}'::text[]), (p.payload #>> '{shadow,policy,policy_hash}'::text[]), (p.payload #>> '{shadow,policy_hash}'::text[]), (p.payload ->> 'policy_hash'::text)]) n_1(content_hash)
                UNION ALL
                 SELECT 'schema'::text AS kind,
                    s.value AS content_hash
                   FROM (unnest(ARRAY[(p.payload -> 'schemas'::text), (p.payload #> '{shadow,schemas}'::text[])]) d(schemas)
                     CROSS JOIN LATERAL jsonb_each_text(d.schemas) s(key, value))
                UNION ALL
                 SELECT 'tool'::text AS kind,
                    t.value AS content_hash
                   FROM (unnest(ARRAY[(p.payload -> 'tools'::text), (p.payload #> '{shadow,tools}'::text[])]) d(tools)
                     CROSS JOIN LATERAL jsonb_each_text(d.tools) t(key, value))) h)
          WHERE ((e.verb = ANY (ARRAY['PROPOSE'::text, 'RECORD_CLAIM'::text, 'POLICY_APPLY'::text, 'DECLARE_SESSION'::text, 'BEGIN_EXECUTION'::text])) AND (h.content_hash ~ '^[0-9a-f]{64}$'::text) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
                   FROM cmbs_store.session o
                  WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))))) n;
ALTER VIEW cmbs.arbitration_content OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.arbitration_content IS 'Every policy, schema and tool that the log of a session names, with its content.';
COMMENT ON COLUMN cmbs.arbitration_content.session_id IS 'the session';
COMMENT ON COLUMN cmbs.arbitration_content.kind IS 'policy, schema or tool';
COMMENT ON COLUMN cmbs.arbitration_content.content_hash IS 'sha-256 of the content, hex';
COMMENT ON COLUMN cmbs.arbitration_content.content IS 'its canonical text, of a policy that of an object with the text of each entry by its key; null if it is not in this database';

CREATE VIEW cmbs.audit_event WITH (security_barrier='true') AS
 SELECT session_id,
    seq,
    event_id,
    recorded_at AS ts,
    verb,
    actor,
    source_id,
    observation_id,
    request_id,
    ((record)::jsonb -> 'payload'::text) AS payload,
    (((record)::jsonb -> 'delta'::text) -> 'eliminated'::text) AS eliminated,
    ((record)::jsonb ->> 'notes'::text) AS notes,
    ((record)::jsonb ->> 'survivors_before_hash'::text) AS survivors_before_hash,
    ((record)::jsonb ->> 'survivors_after_hash'::text) AS survivors_after_hash,
    ((record)::jsonb ->> 'prev_event_hash'::text) AS prev_event_hash,
    encode(event_hash, 'hex'::text) AS event_hash,
    record
   FROM cmbs_store.audit_event e
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.audit_event OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.audit_event IS 'The append-only, hash-chained log of every session.';
COMMENT ON COLUMN cmbs.audit_event.session_id IS 'the session';
COMMENT ON COLUMN cmbs.audit_event.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.audit_event.event_id IS 'id of the event; its low 48 bits are the seq';
COMMENT ON COLUMN cmbs.audit_event.ts IS 'when it was recorded; never earlier than the event before';
COMMENT ON COLUMN cmbs.audit_event.verb IS 'what was asked';
COMMENT ON COLUMN cmbs.audit_event.actor IS 'the principal that asked';
COMMENT ON COLUMN cmbs.audit_event.source_id IS 'ELIMINATE: who observed';
COMMENT ON COLUMN cmbs.audit_event.observation_id IS 'ELIMINATE: what was observed';
COMMENT ON COLUMN cmbs.audit_event.request_id IS 'identity of other messages, if the caller gave one';
COMMENT ON COLUMN cmbs.audit_event.payload IS 'the request and its outcome as recorded; a declare commits to its hypotheses by digest';
COMMENT ON COLUMN cmbs.audit_event.eliminated IS 'what the event eliminated, sorted';
COMMENT ON COLUMN cmbs.audit_event.notes IS 'the callers notes';
COMMENT ON COLUMN cmbs.audit_event.survivors_before_hash IS 'survivors hash before the event, hex';
COMMENT ON COLUMN cmbs.audit_event.survivors_after_hash IS 'survivors hash after the event, hex';
COMMENT ON COLUMN cmbs.audit_event.prev_event_hash IS 'hash of the event before, hex; zeros for the first';
COMMENT ON COLUMN cmbs.audit_event.event_hash IS 'sha-256 of record, hex';
COMMENT ON COLUMN cmbs.audit_event.record IS 'the exact text that event_hash hashes';

CREATE TABLE cmbs_store.capability_revocation (
    session_id uuid NOT NULL,
    token_id uuid NOT NULL,
    seq bigint NOT NULL
);
ALTER TABLE cmbs_store.capability_revocation OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.capability_revocation IS 'session: tokens that count no more, nor do those that were made from them.';

CREATE TABLE cmbs_store.capability_spending (
    session_id uuid NOT NULL,
    token_id uuid NOT NULL,
    unit text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    amount bigint NOT NULL,
    spent bigint NOT NULL
);
ALTER TABLE cmbs_store.capability_spending OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.capability_spending IS 'session: what was spent of the budget of a token, with the sum so far.';

CREATE VIEW cmbs.capability_budget WITH (security_barrier='true') AS
 SELECT t.session_id,
    t.token_id,
    t.parent_id,
    t.holder,
    b.unit,
    (b.amount)::bigint AS granted,
    COALESCE(s.spent, (0)::bigint) AS spent,
    t.expires_at,
    (EXISTS ( SELECT
           FROM cmbs_store.capability_revocation r
          WHERE ((r.session_id = t.session_id) AND (r.token_id = ANY (t.chain))))) AS revoked
   FROM ((cmbs_store.capability_token t
     CROSS JOIN LATERAL jsonb_each_text(t.budgets) b(unit, amount))
     LEFT JOIN LATERAL ( SELECT l.spent
           FROM cmbs_store.capability_spending l
          WHERE ((l.session_id = t.session_id) AND (l.token_id = t.token_id) AND (l.unit = b.unit))
          ORDER BY l.seq DESC
         LIMIT 1) s ON (true))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = t.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.capability_budget OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.capability_budget IS 'The budgets of capability tokens, and what was spent of them.';
COMMENT ON COLUMN cmbs.capability_budget.session_id IS 'the session';
COMMENT ON COLUMN cmbs.capability_budget.token_id IS 'the capability token';
COMMENT ON COLUMN cmbs.capability_budget.parent_id IS 'the one that it was made from';
COMMENT ON COLUMN cmbs.capability_budget.holder IS 'who may use it';
COMMENT ON COLUMN cmbs.capability_budget.unit IS 'what is counted, such as max_calls';
COMMENT ON COLUMN cmbs.capability_budget.granted IS 'how much of it the token has';
COMMENT ON COLUMN cmbs.capability_budget.spent IS 'how much of it was spent';
COMMENT ON COLUMN cmbs.capability_budget.expires_at IS 'until when it counts';
COMMENT ON COLUMN cmbs.capability_budget.revoked IS 'whether it, or one that it was made from, was revoked';

CREATE VIEW cmbs.chain_head WITH (security_barrier='true') AS
 SELECT session_id,
    audit_seq,
    audit_head_event_id,
    encode(audit_head_hash, 'hex'::text) AS audit_head_hash,
    audit_head_at
   FROM cmbs_store.session s
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.chain_head OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.chain_head IS 'The last event of every log.';
COMMENT ON COLUMN cmbs.chain_head.session_id IS 'the session';
COMMENT ON COLUMN cmbs.chain_head.audit_seq IS 'number of events in the log';
COMMENT ON COLUMN cmbs.chain_head.audit_head_event_id IS 'the last event';
COMMENT ON COLUMN cmbs.chain_head.audit_head_hash IS 'its hash, hex';
COMMENT ON COLUMN cmbs.chain_head.audit_head_at IS 'when it was recorded';

CREATE TABLE cmbs_store.tombstone (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    hypothesis_id text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.tombstone OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.tombstone IS 'session: one row per eliminated hypothesis, naming the event that eliminated it.';

CREATE VIEW cmbs.claim WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    e.recorded_at AS ts,
    e.source_id,
    e.observation_id,
    (c.hypothesis_id COLLATE "C") AS hypothesis_id,
    (t.seq IS NOT NULL) AS applied
   FROM ((cmbs_store.audit_event e
     CROSS JOIN LATERAL json_array_elements_text(((e.record)::json #> '{payload,eliminated}'::text[])) c(hypothesis_id))
     LEFT JOIN cmbs_store.tombstone t ON (((t.session_id = e.session_id) AND (t.hypothesis_id = c.hypothesis_id) AND (t.seq = e.seq))))
  WHERE ((e.source_id IS NOT NULL) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));
ALTER VIEW cmbs.claim OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.claim IS 'Every hypothesis that a source ruled out, also where it was gone already or is unknown.';
COMMENT ON COLUMN cmbs.claim.session_id IS 'the session';
COMMENT ON COLUMN cmbs.claim.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.claim.ts IS 'when';
COMMENT ON COLUMN cmbs.claim.source_id IS 'who observed';
COMMENT ON COLUMN cmbs.claim.observation_id IS 'what was observed';
COMMENT ON COLUMN cmbs.claim.hypothesis_id IS 'what was ruled out; an id that was sent twice is there twice';
COMMENT ON COLUMN cmbs.claim.applied IS 'whether this event eliminated it; else it was gone already, or never a hypothesis';

CREATE TABLE cmbs_store.conclusion (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    conclusion_id text NOT NULL COLLATE pg_catalog."C",
    is_accepted boolean NOT NULL
);
ALTER TABLE cmbs_store.conclusion OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.conclusion IS 'session: every declared conclusion, accepted or not.';

CREATE VIEW cmbs.conclusion WITH (security_barrier='true') AS
 SELECT c.session_id,
    c.seq,
    e.event_id,
    e.recorded_at AS ts,
    e.actor,
    c.conclusion_id,
    c.is_accepted AS accepted
   FROM (cmbs_store.conclusion c
     JOIN cmbs_store.audit_event e ON (((e.session_id = c.session_id) AND (e.seq = c.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = c.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.conclusion OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.conclusion IS 'Every declared conclusion.';
COMMENT ON COLUMN cmbs.conclusion.session_id IS 'the session';
COMMENT ON COLUMN cmbs.conclusion.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.conclusion.event_id IS 'the event that declared it';
COMMENT ON COLUMN cmbs.conclusion.ts IS 'when';
COMMENT ON COLUMN cmbs.conclusion.actor IS 'who declared it';
COMMENT ON COLUMN cmbs.conclusion.conclusion_id IS 'the conclusion';
COMMENT ON COLUMN cmbs.conclusion.accepted IS 'whether no obligation blocked it';

CREATE VIEW cmbs.constraint_hit WITH (security_barrier='true') AS
 SELECT (p.payload #>> '{policy,pack}'::text[]) AS pack,
    ((p.payload #>> '{policy,version}'::text[]))::integer AS version,
    (p.payload #>> '{policy,policy_hash}'::text[]) AS policy_hash,
    (r.reason ->> 'key'::text) AS key,
    (r.reason ->> 'code'::text) AS code,
    count(*) AS n_hits,
    count(DISTINCT e.session_id) AS n_sessions,
    max(e.recorded_at) AS last_at
   FROM ((cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
     CROSS JOIN LATERAL jsonb_array_elements((p.payload -> 'reasons'::text)) r(reason))
  WHERE ((e.verb = ANY (ARRAY['PROPOSE'::text, 'RECORD_CLAIM'::text])) AND ((r.reason ->> 'stage'::text) = ANY (ARRAY['constraints'::text, 'invariants'::text])) AND (r.reason ? 'key'::text) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))))
  GROUP BY (p.payload #>> '{policy,pack}'::text[]), ((p.payload #>> '{policy,version}'::text[]))::integer, (p.payload #>> '{policy,policy_hash}'::text[]), (r.reason ->> 'key'::text), (r.reason ->> 'code'::text);
ALTER VIEW cmbs.constraint_hit OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.constraint_hit IS 'How often each constraint of each policy stood against something.';
COMMENT ON COLUMN cmbs.constraint_hit.pack IS 'the policy pack';
COMMENT ON COLUMN cmbs.constraint_hit.version IS 'its version';
COMMENT ON COLUMN cmbs.constraint_hit.policy_hash IS 'the sha-256 of its content';
COMMENT ON COLUMN cmbs.constraint_hit.key IS 'the constraint';
COMMENT ON COLUMN cmbs.constraint_hit.code IS 'CONSTRAINT_DENIED and the like';
COMMENT ON COLUMN cmbs.constraint_hit.n_hits IS 'how often';
COMMENT ON COLUMN cmbs.constraint_hit.n_sessions IS 'in how many sessions';
COMMENT ON COLUMN cmbs.constraint_hit.last_at IS 'when last';

CREATE TABLE cmbs_store.context_event (
    context_id text NOT NULL COLLATE pg_catalog."C",
    event_no bigint NOT NULL,
    eliminated_at timestamp with time zone NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    trigger text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.context_event OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.context_event IS 'context: every call that eliminated something: who, on what, when.';

CREATE TABLE cmbs_store.context_tombstone (
    context_id text NOT NULL COLLATE pg_catalog."C",
    hypothesis_id text NOT NULL COLLATE pg_catalog."C",
    event_no bigint NOT NULL
);
ALTER TABLE cmbs_store.context_tombstone OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.context_tombstone IS 'context: one row per eliminated hypothesis, naming the event that eliminated it.';

CREATE VIEW cmbs.context_elimination WITH (security_barrier='true') AS
 SELECT t.context_id,
    t.hypothesis_id,
    e.source_id,
    e.trigger,
    e.eliminated_at
   FROM (cmbs_store.context_tombstone t
     JOIN cmbs_store.context_event e ON (((e.context_id = t.context_id) AND (e.event_no = t.event_no))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.context o
          WHERE ((o.context_id = t.context_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.context_elimination OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.context_elimination IS 'Every hypothesis that is gone from an elimination context, with what eliminated it.';
COMMENT ON COLUMN cmbs.context_elimination.context_id IS 'the elimination context; not a session';
COMMENT ON COLUMN cmbs.context_elimination.hypothesis_id IS 'the hypothesis that is gone';
COMMENT ON COLUMN cmbs.context_elimination.source_id IS 'who eliminated it';
COMMENT ON COLUMN cmbs.context_elimination.trigger IS 'on what';
COMMENT ON COLUMN cmbs.context_elimination.eliminated_at IS 'when';

CREATE VIEW cmbs.decision WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    e.event_id,
    e.recorded_at AS ts,
    e.actor,
    (p.payload ->> 'decision'::text) AS decision,
    (p.payload ->> 'disposition'::text) AS disposition,
    (p.payload ->> 'reason_code'::text) AS reason_code,
    (p.payload #>> '{policy,pack}'::text[]) AS pack,
    ((p.payload #>> '{policy,version}'::text[]))::integer AS version,
    (p.payload #>> '{policy,policy_hash}'::text[]) AS policy_hash,
    (p.payload #>> '{proposal,idempotency_key}'::text[]) AS idempotency_key,
    ((p.payload ->> 'token_id'::text))::uuid AS token_id,
    jsonb_array_length((p.payload -> 'items'::text)) AS n_items,
    (p.payload -> 'reads'::text) AS reads
   FROM (cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
  WHERE ((e.verb = 'PROPOSE'::text) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));
ALTER VIEW cmbs.decision OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.decision IS 'What was decided on every proposal, and by which policy.';
COMMENT ON COLUMN cmbs.decision.session_id IS 'the session';
COMMENT ON COLUMN cmbs.decision.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.decision.event_id IS 'the event, which is the id of the proposal, too';
COMMENT ON COLUMN cmbs.decision.ts IS 'when';
COMMENT ON COLUMN cmbs.decision.actor IS 'who proposed';
COMMENT ON COLUMN cmbs.decision.decision IS 'allow, deny or defer';
COMMENT ON COLUMN cmbs.decision.disposition IS 'what follows: execute, block, ask, defer or degrade';
COMMENT ON COLUMN cmbs.decision.reason_code IS 'the first stage that failed, or ALLOWED';
COMMENT ON COLUMN cmbs.decision.pack IS 'the policy pack that decided';
COMMENT ON COLUMN cmbs.decision.version IS 'its version';
COMMENT ON COLUMN cmbs.decision.policy_hash IS 'the sha-256 of its content';
COMMENT ON COLUMN cmbs.decision.idempotency_key IS 'the key of the proposal, null if it had none';
COMMENT ON COLUMN cmbs.decision.token_id IS 'the capability token that was shown, null if none of the session';
COMMENT ON COLUMN cmbs.decision.n_items IS 'how many items it had';
COMMENT ON COLUMN cmbs.decision.reads IS 'the keys that were read, with the events that wrote them';

CREATE VIEW cmbs.decision_item WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    (i.item_no)::integer AS item_no,
    e.recorded_at AS ts,
    e.actor,
    (q.item ->> 'kind'::text) AS kind,
    (q.item ->> 'tool_id'::text) AS tool_id,
    (i.verdict ->> 'decision'::text) AS decision,
    (i.verdict ->> 'disposition'::text) AS disposition,
    (i.verdict ->> 'reason_code'::text) AS reason_code,
    ((i.verdict ->> 'effective'::text))::boolean AS effective,
    (i.verdict ->> 'digest'::text) AS digest,
    (i.verdict ->> 'args_hash'::text) AS args_hash,
    ((i.verdict ->> 'interrupt_id'::text))::uuid AS interrupt_id,
    q.item
   FROM (((cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
     CROSS JOIN LATERAL jsonb_array_elements((p.payload -> 'items'::text)) WITH ORDINALITY i(verdict, item_no))
     CROSS JOIN LATERAL ( SELECT (p.payload #> ARRAY['proposal'::text, 'items'::text, ((i.item_no - 1))::text]) AS item) q)
  WHERE ((e.verb = 'PROPOSE'::text) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));
ALTER VIEW cmbs.decision_item OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.decision_item IS 'What was decided on every item of every proposal.';
COMMENT ON COLUMN cmbs.decision_item.session_id IS 'the session';
COMMENT ON COLUMN cmbs.decision_item.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.decision_item.item_no IS 'the item, from 1';
COMMENT ON COLUMN cmbs.decision_item.ts IS 'when';
COMMENT ON COLUMN cmbs.decision_item.actor IS 'who proposed';
COMMENT ON COLUMN cmbs.decision_item.kind IS 'state_delta or tool_call';
COMMENT ON COLUMN cmbs.decision_item.tool_id IS 'the tool of a call';
COMMENT ON COLUMN cmbs.decision_item.decision IS 'what the item by itself would get';
COMMENT ON COLUMN cmbs.decision_item.disposition IS 'what follows from it';
COMMENT ON COLUMN cmbs.decision_item.reason_code IS 'the first stage that failed, or ALLOWED';
COMMENT ON COLUMN cmbs.decision_item.effective IS 'whether it took effect';
COMMENT ON COLUMN cmbs.decision_item.digest IS 'the sha-256 of the canonical text of the item';
COMMENT ON COLUMN cmbs.decision_item.args_hash IS 'the sha-256 of the canonical text of the arguments of a call';
COMMENT ON COLUMN cmbs.decision_item.interrupt_id IS 'the question that was opened for a person';
COMMENT ON COLUMN cmbs.decision_item.item IS 'the item as it was proposed';

CREATE VIEW cmbs.deferral WITH (security_barrier='true') AS
 SELECT d.session_id,
    d.deferral_id,
    d.seq,
    d.attempt,
    e.recorded_at AS ts,
    e.actor,
    COALESCE((p.payload #>> '{retries,by}'::text[]), e.actor) AS tried_by,
    (p.payload ->> 'decision'::text) AS decision,
    (p.payload ->> 'reason_code'::text) AS reason_code,
    d.keys AS missing,
    d.next_at,
    (d.seq = max(d.seq) OVER (PARTITION BY d.session_id, d.deferral_id)) AS is_last
   FROM ((cmbs_store.deferral d
     JOIN cmbs_store.audit_event e ON (((e.session_id = d.session_id) AND (e.seq = d.seq))))
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = d.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.deferral OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.deferral IS 'Every try of every deferred proposal, and what it waits for.';
COMMENT ON COLUMN cmbs.deferral.session_id IS 'the session';
COMMENT ON COLUMN cmbs.deferral.deferral_id IS 'what all tries of one proposal share';
COMMENT ON COLUMN cmbs.deferral.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.deferral.attempt IS '0 for the proposal itself, then the number of the try';
COMMENT ON COLUMN cmbs.deferral.ts IS 'when';
COMMENT ON COLUMN cmbs.deferral.actor IS 'who proposed it';
COMMENT ON COLUMN cmbs.deferral.tried_by IS 'who committed what it waited for, or swept';
COMMENT ON COLUMN cmbs.deferral.decision IS 'allow, deny or defer';
COMMENT ON COLUMN cmbs.deferral.reason_code IS 'the first stage that failed, or ALLOWED';
COMMENT ON COLUMN cmbs.deferral.missing IS 'the keys that it waits for';
COMMENT ON COLUMN cmbs.deferral.next_at IS 'when it is tried again in any case; null: it waits no more';
COMMENT ON COLUMN cmbs.deferral.is_last IS 'whether it is the last try until now';

CREATE VIEW cmbs.denial WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    e.recorded_at AS ts,
    e.actor,
    e.verb,
    ((r.reason ->> 'item_no'::text))::integer AS item_no,
    (r.reason ->> 'stage'::text) AS stage,
    (r.reason ->> 'code'::text) AS code,
    (r.reason ->> 'key'::text) AS key,
    (r.reason ->> 'disposition'::text) AS disposition,
    (r.reason ->> 'detail'::text) AS detail
   FROM ((cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
     CROSS JOIN LATERAL jsonb_array_elements((p.payload -> 'reasons'::text)) r(reason))
  WHERE ((e.verb = ANY (ARRAY['PROPOSE'::text, 'RECORD_CLAIM'::text])) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));
ALTER VIEW cmbs.denial OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.denial IS 'Why proposals and claims were not allowed: one row for each reason.';
COMMENT ON COLUMN cmbs.denial.session_id IS 'the session';
COMMENT ON COLUMN cmbs.denial.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.denial.ts IS 'when';
COMMENT ON COLUMN cmbs.denial.actor IS 'who proposed or claimed';
COMMENT ON COLUMN cmbs.denial.verb IS 'PROPOSE or RECORD_CLAIM';
COMMENT ON COLUMN cmbs.denial.item_no IS 'the item that it stands against, null if against all';
COMMENT ON COLUMN cmbs.denial.stage IS 'the stage that failed';
COMMENT ON COLUMN cmbs.denial.code IS 'the reason code: see cmbs.reason_code';
COMMENT ON COLUMN cmbs.denial.key IS 'the constraint or the key of the state that it is about';
COMMENT ON COLUMN cmbs.denial.disposition IS 'what follows from it';
COMMENT ON COLUMN cmbs.denial.detail IS 'in words';

CREATE VIEW cmbs.elimination WITH (security_barrier='true') AS
 SELECT t.session_id,
    t.hypothesis_id,
    e.event_id,
    t.seq,
    e.recorded_at AS ts,
    e.source_id,
    e.observation_id,
    e.actor
   FROM (cmbs_store.tombstone t
     JOIN cmbs_store.audit_event e ON (((e.session_id = t.session_id) AND (e.seq = t.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = t.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.elimination OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.elimination IS 'Every eliminated hypothesis with the event that eliminated it.';
COMMENT ON COLUMN cmbs.elimination.session_id IS 'the session';
COMMENT ON COLUMN cmbs.elimination.hypothesis_id IS 'the hypothesis that is gone';
COMMENT ON COLUMN cmbs.elimination.event_id IS 'the event that eliminated it';
COMMENT ON COLUMN cmbs.elimination.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.elimination.ts IS 'when';
COMMENT ON COLUMN cmbs.elimination.source_id IS 'who observed';
COMMENT ON COLUMN cmbs.elimination.observation_id IS 'what was observed';
COMMENT ON COLUMN cmbs.elimination.actor IS 'the principal that sent the message';

CREATE VIEW cmbs.gate_decision WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    e.event_id,
    e.recorded_at AS ts,
    e.verb,
    e.actor,
    COALESCE((p.payload ->> 'obligation_id'::text), (p.payload ->> 'conclusion_id'::text)) AS subject_id,
    (COALESCE((p.payload -> 'approved'::text), (p.payload -> 'accepted'::text)))::boolean AS approved,
    (p.payload ->> 'reason'::text) AS reason
   FROM (cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload) p)
  WHERE ((e.verb = ANY (ARRAY['REQUEST_EXIT'::text, 'WAIVE_OBLIGATION'::text, 'DECLARE_CONCLUSION'::text, 'REQUEST_TERMINATION'::text])) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));
ALTER VIEW cmbs.gate_decision OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.gate_decision IS 'Every decision that a gate took, with its reason.';
COMMENT ON COLUMN cmbs.gate_decision.session_id IS 'the session';
COMMENT ON COLUMN cmbs.gate_decision.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.gate_decision.event_id IS 'the event';
COMMENT ON COLUMN cmbs.gate_decision.ts IS 'when';
COMMENT ON COLUMN cmbs.gate_decision.verb IS 'what was asked';
COMMENT ON COLUMN cmbs.gate_decision.actor IS 'who asked';
COMMENT ON COLUMN cmbs.gate_decision.subject_id IS 'the obligation or conclusion; null for a termination';
COMMENT ON COLUMN cmbs.gate_decision.approved IS 'the decision';
COMMENT ON COLUMN cmbs.gate_decision.reason IS 'why';

CREATE TABLE cmbs_store.graph_edge (
    tenant text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    trigger text NOT NULL COLLATE pg_catalog."C",
    occurred_at timestamp with time zone
);
ALTER TABLE cmbs_store.graph_edge OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.graph_edge IS 'reference: the edges of causal graphs, and who merged them first on what; an end need not be a node yet.';

CREATE TABLE cmbs_store.graph_edge_provenance (
    tenant text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    target text NOT NULL COLLATE pg_catalog."C",
    type text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    trigger text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    occurred_at timestamp with time zone
);
ALTER TABLE cmbs_store.graph_edge_provenance OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.graph_edge_provenance IS 'reference: who else says that an edge is there, and on what.';

CREATE VIEW cmbs.graph_edge WITH (security_barrier='true') AS
 SELECT tenant,
    source,
    target,
    type,
    (jsonb_build_array(jsonb_build_object('source', source_id, 'trigger', trigger, 'timestamp', occurred_at)) || ( SELECT COALESCE(jsonb_agg(jsonb_build_object('source', p.source_id, 'trigger', p.trigger, 'timestamp', p.occurred_at) ORDER BY p.version, p.source_id, p.trigger), '[]'::jsonb) AS "coalesce"
           FROM cmbs_store.graph_edge_provenance p
          WHERE ((p.tenant = e.tenant) AND (p.source = e.source) AND (p.target = e.target) AND (p.type = e.type)))) AS provenance,
    version
   FROM cmbs_store.graph_edge e
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.graph_edge OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.graph_edge IS 'The edges of causal graphs, as they are now.';
COMMENT ON COLUMN cmbs.graph_edge.tenant IS 'whose graph';
COMMENT ON COLUMN cmbs.graph_edge.source IS 'the node that it leads from';
COMMENT ON COLUMN cmbs.graph_edge.target IS 'the node that it leads to';
COMMENT ON COLUMN cmbs.graph_edge.type IS 'how the one acts on the other';
COMMENT ON COLUMN cmbs.graph_edge.provenance IS 'who says that it is there, and on what; a list';
COMMENT ON COLUMN cmbs.graph_edge.version IS 'the version of the graph at which it appeared';

CREATE TABLE cmbs_store.graph_merge (
    tenant text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    merged_at timestamp with time zone NOT NULL,
    merged_by text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.graph_merge OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.graph_merge IS 'reference: every merge that added something to a causal graph.';

CREATE TABLE cmbs_store.graph_node (
    tenant text NOT NULL COLLATE pg_catalog."C",
    node_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    label text NOT NULL COLLATE pg_catalog."C",
    is_hypothetical boolean NOT NULL,
    source_id text NOT NULL COLLATE pg_catalog."C",
    trigger text NOT NULL COLLATE pg_catalog."C",
    occurred_at timestamp with time zone
);
ALTER TABLE cmbs_store.graph_node OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.graph_node IS 'reference: the nodes of causal graphs, as they were merged first, and who merged them on what.';

CREATE VIEW cmbs.graph_growth WITH (security_barrier='true') AS
 SELECT m.tenant,
    m.version,
    m.merged_at,
    m.merged_by,
    COALESCE(n.n_new, (0)::bigint) AS n_new_nodes,
    COALESCE(e.n_new, (0)::bigint) AS n_new_edges,
    (sum(COALESCE(n.n_new, (0)::bigint)) OVER running)::bigint AS n_nodes,
    (sum(COALESCE(e.n_new, (0)::bigint)) OVER running)::bigint AS n_edges
   FROM ((cmbs_store.graph_merge m
     LEFT JOIN ( SELECT g.tenant,
            g.version,
            count(*) AS n_new
           FROM cmbs_store.graph_node g
          GROUP BY g.tenant, g.version) n ON (((n.tenant = m.tenant) AND (n.version = m.version))))
     LEFT JOIN ( SELECT g.tenant,
            g.version,
            count(*) AS n_new
           FROM cmbs_store.graph_edge g
          GROUP BY g.tenant, g.version) e ON (((e.tenant = m.tenant) AND (e.version = m.version))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (m.tenant = ( SELECT cmbs.tenant() AS tenant)))
  WINDOW running AS (PARTITION BY m.tenant ORDER BY m.version);
ALTER VIEW cmbs.graph_growth OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.graph_growth IS 'What each merge added to a causal graph, and what there was after it.';
COMMENT ON COLUMN cmbs.graph_growth.tenant IS 'whose graph';
COMMENT ON COLUMN cmbs.graph_growth.version IS 'the version that the merge made; an incident is pinned to one';
COMMENT ON COLUMN cmbs.graph_growth.merged_at IS 'when';
COMMENT ON COLUMN cmbs.graph_growth.merged_by IS 'the principal that merged it';
COMMENT ON COLUMN cmbs.graph_growth.n_new_nodes IS 'nodes that it added; with none it added edges or provenance';
COMMENT ON COLUMN cmbs.graph_growth.n_new_edges IS 'edges that it added';
COMMENT ON COLUMN cmbs.graph_growth.n_nodes IS 'nodes of the graph after it';
COMMENT ON COLUMN cmbs.graph_growth.n_edges IS 'edges of the graph after it';

CREATE TABLE cmbs_store.graph_node_confirmation (
    tenant text NOT NULL COLLATE pg_catalog."C",
    node_id text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL
);
ALTER TABLE cmbs_store.graph_node_confirmation OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.graph_node_confirmation IS 'reference: nodes that were hypothetical, and since when they are not.';

CREATE TABLE cmbs_store.graph_node_provenance (
    tenant text NOT NULL COLLATE pg_catalog."C",
    node_id text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    trigger text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL,
    occurred_at timestamp with time zone
);
ALTER TABLE cmbs_store.graph_node_provenance OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.graph_node_provenance IS 'reference: who else says that a node is there, and on what.';

CREATE VIEW cmbs.graph_node WITH (security_barrier='true') AS
 SELECT tenant,
    node_id,
    type,
    label,
    (is_hypothetical AND (NOT (EXISTS ( SELECT
           FROM cmbs_store.graph_node_confirmation c
          WHERE ((c.tenant = n.tenant) AND (c.node_id = n.node_id)))))) AS hypothetical,
    (jsonb_build_array(jsonb_build_object('source', source_id, 'trigger', trigger, 'timestamp', occurred_at)) || ( SELECT COALESCE(jsonb_agg(jsonb_build_object('source', p.source_id, 'trigger', p.trigger, 'timestamp', p.occurred_at) ORDER BY p.version, p.source_id, p.trigger), '[]'::jsonb) AS "coalesce"
           FROM cmbs_store.graph_node_provenance p
          WHERE ((p.tenant = n.tenant) AND (p.node_id = n.node_id)))) AS provenance,
    version
   FROM cmbs_store.graph_node n
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.graph_node OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.graph_node IS 'The nodes of causal graphs, as they are now.';
COMMENT ON COLUMN cmbs.graph_node.tenant IS 'whose graph';
COMMENT ON COLUMN cmbs.graph_node.node_id IS 'the node';
COMMENT ON COLUMN cmbs.graph_node.type IS 'what kind of thing it is';
COMMENT ON COLUMN cmbs.graph_node.label IS 'what people call it';
COMMENT ON COLUMN cmbs.graph_node.hypothetical IS 'whether nobody has said that it is there for certain';
COMMENT ON COLUMN cmbs.graph_node.provenance IS 'who says that it is there, and on what; a list';
COMMENT ON COLUMN cmbs.graph_node.version IS 'the version of the graph at which it appeared';

CREATE TABLE cmbs_store.identity_event (
    tenant text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    event_hash bytea NOT NULL,
    verb text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    record text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.identity_event OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.identity_event IS 'reference: the append-only, hash-chained log of every change of an identity, by tenant.';

CREATE VIEW cmbs.identity_event WITH (security_barrier='true') AS
 SELECT tenant,
    seq,
    recorded_at AS ts,
    verb,
    actor,
    ((record)::jsonb -> 'payload'::text) AS payload,
    encode(event_hash, 'hex'::text) AS event_hash,
    record
   FROM cmbs_store.identity_event e
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.identity_event OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.identity_event IS 'The append-only, hash-chained log of every change of a principal or a token.';
COMMENT ON COLUMN cmbs.identity_event.tenant IS 'whose log it is';
COMMENT ON COLUMN cmbs.identity_event.seq IS 'number of the event in the log of its tenant, from 1 without gaps';
COMMENT ON COLUMN cmbs.identity_event.ts IS 'when it was recorded';
COMMENT ON COLUMN cmbs.identity_event.verb IS 'what was changed';
COMMENT ON COLUMN cmbs.identity_event.actor IS 'the principal that changed it';
COMMENT ON COLUMN cmbs.identity_event.payload IS 'what it was changed to';
COMMENT ON COLUMN cmbs.identity_event.event_hash IS 'sha-256 of record, hex';
COMMENT ON COLUMN cmbs.identity_event.record IS 'the exact text that event_hash hashes';

CREATE TABLE cmbs_store.node_tombstone (
    incident_id text NOT NULL COLLATE pg_catalog."C",
    node_id text NOT NULL COLLATE pg_catalog."C",
    event_no bigint NOT NULL,
    is_matched boolean NOT NULL
);
ALTER TABLE cmbs_store.node_tombstone OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.node_tombstone IS 'incident: nodes that are ruled out, and whether the graph had them by then.';

CREATE VIEW cmbs.incident WITH (security_barrier='true') AS
 SELECT incident_id,
    tenant,
    created_at,
    created_by,
    ('v'::text || version) AS universe_anchor,
    (universe_digest IS NOT NULL) AS is_subset,
    ( SELECT count(*) AS count
           FROM cmbs_store.node_tombstone t
          WHERE (t.incident_id = i.incident_id)) AS n_node_tombstones,
    ( SELECT count(*) AS count
           FROM cmbs_store.edge_tombstone t
          WHERE (t.incident_id = i.incident_id)) AS n_edge_tombstones
   FROM cmbs_store.incident i
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.incident OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.incident IS 'Incidents, what they are pinned to, and how much they have ruled out.';
COMMENT ON COLUMN cmbs.incident.incident_id IS 'the incident';
COMMENT ON COLUMN cmbs.incident.tenant IS 'whose it is';
COMMENT ON COLUMN cmbs.incident.created_at IS 'when it began';
COMMENT ON COLUMN cmbs.incident.created_by IS 'the principal that created it';
COMMENT ON COLUMN cmbs.incident.universe_anchor IS 'v and the version of the graph that it is pinned to';
COMMENT ON COLUMN cmbs.incident.is_subset IS 'whether only a part of that graph is its universe';
COMMENT ON COLUMN cmbs.incident.n_node_tombstones IS 'nodes that are ruled out';
COMMENT ON COLUMN cmbs.incident.n_edge_tombstones IS 'edges that are ruled out';

CREATE TABLE cmbs_store.incident_event (
    incident_id text NOT NULL COLLATE pg_catalog."C",
    event_no bigint NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    source_id text NOT NULL COLLATE pg_catalog."C",
    trigger text NOT NULL COLLATE pg_catalog."C",
    occurred_at timestamp with time zone
);
ALTER TABLE cmbs_store.incident_event OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.incident_event IS 'incident: every call that ruled something out: who, on what, when.';

CREATE VIEW cmbs.incident_tombstone WITH (security_barrier='true') AS
 SELECT t.incident_id,
    'node'::text AS kind,
    t.node_id AS id,
    t.is_matched AS matched,
    v.source_id,
    v.trigger,
    v.occurred_at,
    v.recorded_at,
    v.actor
   FROM (cmbs_store.node_tombstone t
     JOIN cmbs_store.incident_event v ON (((v.incident_id = t.incident_id) AND (v.event_no = t.event_no))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.incident o
          WHERE ((o.incident_id = t.incident_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))))
UNION ALL
 SELECT t.incident_id,
    'edge'::text AS kind,
    ((((('edge:'::text || replace(replace(t.source, '%'::text, '%25'::text), '|'::text, '%7C'::text)) || '|'::text) || replace(replace(t.target, '%'::text, '%25'::text), '|'::text, '%7C'::text)) || '|'::text) || t.type) AS id,
    t.is_matched AS matched,
    v.source_id,
    v.trigger,
    v.occurred_at,
    v.recorded_at,
    v.actor
   FROM (cmbs_store.edge_tombstone t
     JOIN cmbs_store.incident_event v ON (((v.incident_id = t.incident_id) AND (v.event_no = t.event_no))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.incident o
          WHERE ((o.incident_id = t.incident_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.incident_tombstone OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.incident_tombstone IS 'What incidents have ruled out, and who ruled it out.';
COMMENT ON COLUMN cmbs.incident_tombstone.incident_id IS 'the incident';
COMMENT ON COLUMN cmbs.incident_tombstone.kind IS 'node or edge';
COMMENT ON COLUMN cmbs.incident_tombstone.id IS 'the node, or the edge as edge:source|target|TYPE';
COMMENT ON COLUMN cmbs.incident_tombstone.matched IS 'whether the graph had it by then';
COMMENT ON COLUMN cmbs.incident_tombstone.source_id IS 'who ruled it out';
COMMENT ON COLUMN cmbs.incident_tombstone.trigger IS 'on what';
COMMENT ON COLUMN cmbs.incident_tombstone.occurred_at IS 'when that was, if it was told';
COMMENT ON COLUMN cmbs.incident_tombstone.recorded_at IS 'when it was recorded';
COMMENT ON COLUMN cmbs.incident_tombstone.actor IS 'the principal that recorded it';

CREATE TABLE cmbs_store.clock_step (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    lead_us bigint NOT NULL
);
ALTER TABLE cmbs_store.clock_step OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.clock_step IS 'session: events at which the clock was found set back, and by how many microseconds the time of the session is ahead of it since. What was granted before counts no more.';

CREATE TABLE cmbs_store.interrupt_use (
    session_id uuid NOT NULL,
    interrupt_id uuid NOT NULL,
    seq bigint NOT NULL
);
ALTER TABLE cmbs_store.interrupt_use OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.interrupt_use IS 'session: approvals that were used, by the proposal that took effect.';

CREATE VIEW cmbs.interrupt WITH (security_barrier='true') AS
 SELECT i.session_id,
    i.interrupt_id,
    i.seq,
    i.item_no,
    e.recorded_at AS ts,
    e.actor,
    (e.action ->> 'tool_id'::text) AS tool_id,
    e.action,
    encode(i.action_digest, 'hex'::text) AS action_digest,
    i.constraint_keys,
        CASE
            WHEN (u.seq IS NOT NULL) THEN 'consumed'::text
            WHEN (r.resolution = 'decline'::text) THEN 'declined'::text
            WHEN (r.resolution = 'cancel'::text) THEN 'cancelled'::text
            WHEN s.is_terminated THEN 'ended'::text
            WHEN w.is_superseded THEN 'superseded'::text
            WHEN ((c.seq > i.seq) OR (i.expires_at <= t.now)) THEN 'expired'::text
            WHEN (r.resolution = 'approve'::text) THEN 'approved'::text
            ELSE 'pending'::text
        END AS status,
    i.expires_at,
    r.resolution,
    r.actor AS resolved_by,
    x.recorded_at AS resolved_at,
    ((x.record)::json #>> '{payload,comment}'::text[]) AS comment,
    u.seq AS consumed_seq
   FROM ((((((((cmbs_store.interrupt i
     JOIN cmbs_store.session s ON ((s.session_id = i.session_id)))
     CROSS JOIN LATERAL ( SELECT a.recorded_at,
            a.actor,
            ((a.record)::jsonb #> ARRAY['payload'::text, 'proposal'::text, 'items'::text, ((i.item_no - 1))::text]) AS action
           FROM cmbs_store.audit_event a
          WHERE ((a.session_id = i.session_id) AND (a.seq = i.seq))
         OFFSET 0) e)
     LEFT JOIN cmbs_store.interrupt_resolution r ON (((r.session_id = i.session_id) AND (r.interrupt_id = i.interrupt_id))))
     LEFT JOIN cmbs_store.audit_event x ON (((x.session_id = r.session_id) AND (x.seq = r.seq))))
     LEFT JOIN cmbs_store.interrupt_use u ON (((u.session_id = i.session_id) AND (u.interrupt_id = i.interrupt_id))))
     CROSS JOIN LATERAL ( SELECT (EXISTS ( SELECT
                   FROM ((cmbs_store.policy_pin p
                     CROSS JOIN LATERAL unnest(i.constraint_keys) k(key))
                     LEFT JOIN cmbs_store.policy_entry n ON (((n.policy_hash = p.policy_hash) AND (n.key = k.key))))
                  WHERE ((p.session_id = i.session_id) AND (p.seq > i.seq) AND (n.value_hash IS DISTINCT FROM ( SELECT o.value_hash
                           FROM (cmbs_store.policy_pin f
                             JOIN cmbs_store.policy_entry o ON (((o.policy_hash = f.policy_hash) AND (o.key = k.key))))
                          WHERE ((f.session_id = i.session_id) AND (f.seq < i.seq))
                          ORDER BY f.seq DESC
                         LIMIT 1))))) AS is_superseded) w)
     LEFT JOIN LATERAL ( SELECT k.seq,
            ((k.lead_us)::double precision * '00:00:00.000001'::interval) AS lead
           FROM cmbs_store.clock_step k
          WHERE (k.session_id = s.session_id)
          ORDER BY k.seq DESC
         LIMIT 1) c ON (true))
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN ((s.n_clock_steps <> ( SELECT m.n_steps
                       FROM cmbs_store.clock_mark m)) OR ((h.behind - COALESCE(c.lead, '00:00:00'::interval)) > '00:00:05'::interval) OR ((c.lead > '00:00:05'::interval) AND (h.behind <= '00:00:05'::interval))) THEN 'infinity'::timestamp with time zone
                    ELSE (clock_timestamp() + COALESCE(c.lead, '00:00:00'::interval))
                END AS now
           FROM ( SELECT (s.audit_head_at - clock_timestamp()) AS behind) h) t)
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.interrupt OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.interrupt IS 'Every question that people were asked about an action, and what has become of it.';
COMMENT ON COLUMN cmbs.interrupt.session_id IS 'the session';
COMMENT ON COLUMN cmbs.interrupt.interrupt_id IS 'the question';
COMMENT ON COLUMN cmbs.interrupt.seq IS 'number of the event of the proposal that opened it';
COMMENT ON COLUMN cmbs.interrupt.item_no IS 'the item of the proposal, from 1';
COMMENT ON COLUMN cmbs.interrupt.ts IS 'when it was asked';
COMMENT ON COLUMN cmbs.interrupt.actor IS 'who proposed the action';
COMMENT ON COLUMN cmbs.interrupt.tool_id IS 'the tool of a call';
COMMENT ON COLUMN cmbs.interrupt.action IS 'the item exactly as it was proposed';
COMMENT ON COLUMN cmbs.interrupt.action_digest IS 'the sha-256 of the action with the policy and state that it was asked in';
COMMENT ON COLUMN cmbs.interrupt.constraint_keys IS 'the constraints that an approval waives';
COMMENT ON COLUMN cmbs.interrupt.status IS 'pending, approved, declined, cancelled, consumed, superseded, expired or ended';
COMMENT ON COLUMN cmbs.interrupt.expires_at IS 'until when it may be answered, and an approval be used';
COMMENT ON COLUMN cmbs.interrupt.resolution IS 'approve, decline or cancel';
COMMENT ON COLUMN cmbs.interrupt.resolved_by IS 'who answered';
COMMENT ON COLUMN cmbs.interrupt.resolved_at IS 'when it was answered';
COMMENT ON COLUMN cmbs.interrupt.comment IS 'what was said with the answer';
COMMENT ON COLUMN cmbs.interrupt.consumed_seq IS 'number of the event that used the approval';

CREATE TABLE cmbs_store.context_hypothesis (
    universe_digest bytea NOT NULL,
    hypothesis_id text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT context_hypothesis_hypothesis_id_check CHECK ((octet_length(hypothesis_id) <= 512))
);
ALTER TABLE cmbs_store.context_hypothesis OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.context_hypothesis IS 'reference: the hypotheses of a set that contexts begin with.';

CREATE VIEW cmbs.live_edge WITH (security_barrier='true') AS
 SELECT i.incident_id,
    e.source,
    e.target,
    e.type
   FROM (((cmbs_store.incident i
     JOIN cmbs_store.graph_edge e ON (((e.tenant = i.tenant) AND (e.version <= i.version))))
     JOIN cmbs_store.graph_node s ON (((s.tenant = i.tenant) AND (s.node_id = e.source) AND (s.version <= i.version))))
     JOIN cmbs_store.graph_node d ON (((d.tenant = i.tenant) AND (d.node_id = e.target) AND (d.version <= i.version))))
  WHERE (((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (i.tenant = ( SELECT cmbs.tenant() AS tenant))) AND ((NOT i.has_edges_listed) OR (EXISTS ( SELECT
           FROM cmbs_store.context_hypothesis h
          WHERE ((h.universe_digest = i.universe_digest) AND (h.hypothesis_id = ((((('edge:'::text || replace(replace(e.source, '%'::text, '%25'::text), '|'::text, '%7C'::text)) || '|'::text) || replace(replace(e.target, '%'::text, '%25'::text), '|'::text, '%7C'::text)) || '|'::text) || e.type)))))) AND ((i.universe_digest IS NULL) OR i.has_edges_listed OR (2 = ( SELECT count(*) AS count
           FROM cmbs_store.context_hypothesis h
          WHERE ((h.universe_digest = i.universe_digest) AND (h.hypothesis_id = ANY (ARRAY[e.source, e.target])))))) AND (NOT (EXISTS ( SELECT
           FROM cmbs_store.node_tombstone t
          WHERE ((t.incident_id = i.incident_id) AND (t.node_id = e.source))))) AND (NOT (EXISTS ( SELECT
           FROM cmbs_store.node_tombstone t
          WHERE ((t.incident_id = i.incident_id) AND (t.node_id = e.target))))) AND (NOT (EXISTS ( SELECT
           FROM cmbs_store.edge_tombstone t
          WHERE ((t.incident_id = i.incident_id) AND (t.source = e.source) AND (t.target = e.target) AND (t.type = e.type))))));
ALTER VIEW cmbs.live_edge OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.live_edge IS 'Of every incident the edges that it has not ruled out, nor one of their ends.';
COMMENT ON COLUMN cmbs.live_edge.incident_id IS 'the incident';
COMMENT ON COLUMN cmbs.live_edge.source IS 'the node that it leads from';
COMMENT ON COLUMN cmbs.live_edge.target IS 'the node that it leads to';
COMMENT ON COLUMN cmbs.live_edge.type IS 'how the one acts on the other';

CREATE VIEW cmbs.live_node WITH (security_barrier='true') AS
 SELECT i.incident_id,
    n.node_id,
    n.type,
    n.label,
    (n.is_hypothetical AND (NOT (EXISTS ( SELECT
           FROM cmbs_store.graph_node_confirmation c
          WHERE ((c.tenant = n.tenant) AND (c.node_id = n.node_id) AND (c.version <= i.version)))))) AS hypothetical
   FROM (cmbs_store.incident i
     JOIN cmbs_store.graph_node n ON (((n.tenant = i.tenant) AND (n.version <= i.version))))
  WHERE (((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (i.tenant = ( SELECT cmbs.tenant() AS tenant))) AND ((i.universe_digest IS NULL) OR (EXISTS ( SELECT
           FROM cmbs_store.context_hypothesis h
          WHERE ((h.universe_digest = i.universe_digest) AND (h.hypothesis_id = n.node_id))))) AND (NOT (EXISTS ( SELECT
           FROM cmbs_store.node_tombstone t
          WHERE ((t.incident_id = i.incident_id) AND (t.node_id = n.node_id))))));
ALTER VIEW cmbs.live_node OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.live_node IS 'Of every incident the nodes that it has not ruled out of the graph that it is pinned to.';
COMMENT ON COLUMN cmbs.live_node.incident_id IS 'the incident';
COMMENT ON COLUMN cmbs.live_node.node_id IS 'the node';
COMMENT ON COLUMN cmbs.live_node.type IS 'what kind of thing it is';
COMMENT ON COLUMN cmbs.live_node.label IS 'what people call it';
COMMENT ON COLUMN cmbs.live_node.hypothetical IS 'whether nobody had said that it is there for certain';

CREATE VIEW cmbs.most_tombstoned WITH (security_barrier='true') AS
 SELECT r.tenant,
    r.kind,
    r.id,
    count(*) AS n_incidents,
    ((count(*))::double precision / (max(a.n_incidents))::double precision) AS share,
    max(r.recorded_at) AS last_at
   FROM (( SELECT i.tenant,
            'node'::text AS kind,
            t.node_id AS id,
            v.recorded_at
           FROM ((cmbs_store.node_tombstone t
             JOIN cmbs_store.incident i ON ((i.incident_id = t.incident_id)))
             JOIN cmbs_store.incident_event v ON (((v.incident_id = t.incident_id) AND (v.event_no = t.event_no))))
        UNION ALL
         SELECT i.tenant,
            'edge'::text AS kind,
            ((((('edge:'::text || replace(replace(t.source, '%'::text, '%25'::text), '|'::text, '%7C'::text)) || '|'::text) || replace(replace(t.target, '%'::text, '%25'::text), '|'::text, '%7C'::text)) || '|'::text) || t.type) AS id,
            v.recorded_at
           FROM ((cmbs_store.edge_tombstone t
             JOIN cmbs_store.incident i ON ((i.incident_id = t.incident_id)))
             JOIN cmbs_store.incident_event v ON (((v.incident_id = t.incident_id) AND (v.event_no = t.event_no))))) r
     JOIN ( SELECT c.tenant,
            count(*) AS n_incidents
           FROM cmbs_store.incident c
          GROUP BY c.tenant) a ON ((a.tenant = r.tenant)))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (r.tenant = ( SELECT cmbs.tenant() AS tenant)))
  GROUP BY r.tenant, r.kind, r.id;
ALTER VIEW cmbs.most_tombstoned OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.most_tombstoned IS 'In how many incidents each node and edge is ruled out.';
COMMENT ON COLUMN cmbs.most_tombstoned.tenant IS 'whose incidents';
COMMENT ON COLUMN cmbs.most_tombstoned.kind IS 'node or edge';
COMMENT ON COLUMN cmbs.most_tombstoned.id IS 'the node, or the edge as edge:source|target|TYPE';
COMMENT ON COLUMN cmbs.most_tombstoned.n_incidents IS 'incidents that have ruled it out';
COMMENT ON COLUMN cmbs.most_tombstoned.share IS 'of all incidents of the tenant';
COMMENT ON COLUMN cmbs.most_tombstoned.last_at IS 'when one did so last';

CREATE TABLE cmbs_store.obligation (
    session_id uuid NOT NULL,
    entered_seq bigint NOT NULL,
    obligation_id text NOT NULL COLLATE pg_catalog."C",
    min_total_eliminations bigint NOT NULL,
    survivors_at_entry integer NOT NULL
);
ALTER TABLE cmbs_store.obligation OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.obligation IS 'session: every obligation that was entered.';

CREATE TABLE cmbs_store.obligation_end (
    session_id uuid NOT NULL,
    entered_seq bigint NOT NULL,
    ended_seq bigint NOT NULL,
    outcome text NOT NULL COLLATE pg_catalog."C",
    survivors_at_end integer NOT NULL,
    CONSTRAINT obligation_end_outcome_check CHECK ((outcome = ANY (ARRAY['exited'::text, 'waived'::text])))
);
ALTER TABLE cmbs_store.obligation_end OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.obligation_end IS 'session: how and when an obligation was left; no row while it is active.';

CREATE VIEW cmbs.obligation WITH (security_barrier='true') AS
 SELECT o.session_id,
    o.obligation_id,
    COALESCE(d.outcome, 'active'::text) AS state,
    o.min_total_eliminations,
    (o.survivors_at_entry - COALESCE(d.survivors_at_end, s.n_survivors)) AS counted,
    o.entered_seq,
    d.ended_seq,
    b.recorded_at AS entered_at,
    f.recorded_at AS ended_at
   FROM ((((cmbs_store.obligation o
     JOIN cmbs_store.session s ON ((s.session_id = o.session_id)))
     LEFT JOIN cmbs_store.obligation_end d ON (((d.session_id = o.session_id) AND (d.entered_seq = o.entered_seq))))
     LEFT JOIN cmbs_store.audit_event b ON (((b.session_id = o.session_id) AND (b.seq = o.entered_seq))))
     LEFT JOIN cmbs_store.audit_event f ON (((f.session_id = o.session_id) AND (f.seq = d.ended_seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.obligation OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.obligation IS 'Every obligation, active, exited or waived.';
COMMENT ON COLUMN cmbs.obligation.session_id IS 'the session';
COMMENT ON COLUMN cmbs.obligation.obligation_id IS 'the callers name for it';
COMMENT ON COLUMN cmbs.obligation.state IS 'active, exited or waived';
COMMENT ON COLUMN cmbs.obligation.min_total_eliminations IS 'how many eliminations since entry its exit needs';
COMMENT ON COLUMN cmbs.obligation.counted IS 'hypotheses eliminated since entry';
COMMENT ON COLUMN cmbs.obligation.entered_seq IS 'event that entered it';
COMMENT ON COLUMN cmbs.obligation.ended_seq IS 'event that ended it, if any';
COMMENT ON COLUMN cmbs.obligation.entered_at IS 'when it was entered';
COMMENT ON COLUMN cmbs.obligation.ended_at IS 'when it ended; null while it is active';

CREATE TABLE cmbs_store.permit_begin (
    session_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    seq bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.permit_begin OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.permit_begin IS 'session: permits whose execution was begun, and by whom; without an end the outcome is not known.';

CREATE TABLE cmbs_store.permit_end (
    session_id uuid NOT NULL,
    permit_id uuid NOT NULL,
    seq bigint NOT NULL,
    status text NOT NULL COLLATE pg_catalog."C",
    result_hash bytea,
    CONSTRAINT permit_end_status_check CHECK ((status = ANY (ARRAY['committed'::text, 'rolled_back'::text, 'expired'::text])))
);
ALTER TABLE cmbs_store.permit_end OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.permit_end IS 'session: how the execution of permits ended; expired ones were never begun.';

CREATE VIEW cmbs.permit WITH (security_barrier='true') AS
 SELECT p.session_id,
    p.permit_id,
    p.seq,
    p.item_no,
    e.recorded_at AS ts,
    p.actor,
    p.tool_id,
    p.token_id,
        CASE
            WHEN (d.status IS NOT NULL) THEN d.status
            WHEN (b.seq IS NOT NULL) THEN 'executing'::text
            WHEN s.is_terminated THEN 'ended'::text
            WHEN ((c.seq > p.seq) OR (p.expires_at <= t.now)) THEN 'expired'::text
            ELSE 'issued'::text
        END AS status,
    p.expires_at,
    x.recorded_at AS begun_at,
    b.actor AS begun_by,
    y.recorded_at AS ended_at,
    encode(d.result_hash, 'hex'::text) AS result_hash
   FROM ((((((((cmbs_store.permit p
     JOIN cmbs_store.session s ON ((s.session_id = p.session_id)))
     JOIN cmbs_store.audit_event e ON (((e.session_id = p.session_id) AND (e.seq = p.seq))))
     LEFT JOIN cmbs_store.permit_begin b ON (((b.session_id = p.session_id) AND (b.permit_id = p.permit_id))))
     LEFT JOIN cmbs_store.audit_event x ON (((x.session_id = b.session_id) AND (x.seq = b.seq))))
     LEFT JOIN cmbs_store.permit_end d ON (((d.session_id = p.session_id) AND (d.permit_id = p.permit_id))))
     LEFT JOIN cmbs_store.audit_event y ON (((y.session_id = d.session_id) AND (y.seq = d.seq))))
     LEFT JOIN LATERAL ( SELECT k.seq,
            ((k.lead_us)::double precision * '00:00:00.000001'::interval) AS lead
           FROM cmbs_store.clock_step k
          WHERE (k.session_id = s.session_id)
          ORDER BY k.seq DESC
         LIMIT 1) c ON (true))
     CROSS JOIN LATERAL ( SELECT
                CASE
                    WHEN ((s.n_clock_steps <> ( SELECT m.n_steps
                       FROM cmbs_store.clock_mark m)) OR ((h.behind - COALESCE(c.lead, '00:00:00'::interval)) > '00:00:05'::interval) OR ((c.lead > '00:00:05'::interval) AND (h.behind <= '00:00:05'::interval))) THEN 'infinity'::timestamp with time zone
                    ELSE (clock_timestamp() + COALESCE(c.lead, '00:00:00'::interval))
                END AS now
           FROM ( SELECT (s.audit_head_at - clock_timestamp()) AS behind) h) t)
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.permit OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.permit IS 'Every permit to execute an allowed call of a tool, and what has become of it.';
COMMENT ON COLUMN cmbs.permit.session_id IS 'the session';
COMMENT ON COLUMN cmbs.permit.permit_id IS 'the permit';
COMMENT ON COLUMN cmbs.permit.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.permit.item_no IS 'the item of the proposal, from 1';
COMMENT ON COLUMN cmbs.permit.ts IS 'when it was given';
COMMENT ON COLUMN cmbs.permit.actor IS 'who proposed the call';
COMMENT ON COLUMN cmbs.permit.tool_id IS 'the tool';
COMMENT ON COLUMN cmbs.permit.token_id IS 'the capability token whose budget it reserves';
COMMENT ON COLUMN cmbs.permit.status IS 'issued, executing, committed, rolled_back, expired or ended with the session';
COMMENT ON COLUMN cmbs.permit.expires_at IS 'until when its execution may begin';
COMMENT ON COLUMN cmbs.permit.begun_at IS 'when its execution began';
COMMENT ON COLUMN cmbs.permit.begun_by IS 'who began it';
COMMENT ON COLUMN cmbs.permit.ended_at IS 'when it was completed, or released after it had run out';
COMMENT ON COLUMN cmbs.permit.result_hash IS 'the sha-256 of the canonical text of the result';

CREATE VIEW cmbs.principal WITH (security_barrier='true') AS
 SELECT tenant,
    name,
    kind,
    roles,
    source_prefixes,
    is_login,
    is_enabled,
    created_at
   FROM cmbs_store.principal p
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.principal OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.principal IS 'Every principal: who may call, with what roles and for which sources.';
COMMENT ON COLUMN cmbs.principal.tenant IS 'whose sessions it sees; * for those of all';
COMMENT ON COLUMN cmbs.principal.name IS 'its name, which is the actor of its events';
COMMENT ON COLUMN cmbs.principal.kind IS 'agent, encoder, tool, human or service';
COMMENT ON COLUMN cmbs.principal.roles IS 'what it may';
COMMENT ON COLUMN cmbs.principal.source_prefixes IS 'beginnings of the source ids that it may speak for';
COMMENT ON COLUMN cmbs.principal.is_login IS 'whether it is the role of PostgreSQL of this name';
COMMENT ON COLUMN cmbs.principal.is_enabled IS 'whether it may call at all';
COMMENT ON COLUMN cmbs.principal.created_at IS 'when it was made';

CREATE TABLE cmbs_store.reason_code (
    code text NOT NULL COLLATE pg_catalog."C",
    stage_no integer NOT NULL,
    stage text NOT NULL COLLATE pg_catalog."C",
    disposition text NOT NULL COLLATE pg_catalog."C",
    description text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT reason_code_disposition_check CHECK ((disposition = ANY (ARRAY['execute'::text, 'block'::text, 'ask'::text, 'defer'::text, 'degrade'::text, 'on_fail'::text])))
);
ALTER TABLE cmbs_store.reason_code OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.reason_code IS 'reference: why something was decided; on_fail: as the constraint that failed says.';

CREATE VIEW cmbs.reason_code WITH (security_barrier='true') AS
 SELECT code,
    stage_no,
    stage,
    disposition,
    description
   FROM cmbs_store.reason_code r;
ALTER VIEW cmbs.reason_code OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.reason_code IS 'The reason codes of decisions, to join with.';
COMMENT ON COLUMN cmbs.reason_code.code IS 'the code';
COMMENT ON COLUMN cmbs.reason_code.stage_no IS 'the order of its stage: the first that fails names the decision';
COMMENT ON COLUMN cmbs.reason_code.stage IS 'the stage that it belongs to';
COMMENT ON COLUMN cmbs.reason_code.disposition IS 'what follows from it; on_fail: what the constraint says';
COMMENT ON COLUMN cmbs.reason_code.description IS 'what it means';

CREATE VIEW cmbs.recorded_claim WITH (security_barrier='true') AS
 SELECT c.session_id,
    c.seq,
    c.claim_id,
    e.recorded_at AS ts,
    e.actor,
    c.key,
    c.kind,
    c.value,
    c.confidence,
    c.is_confirmed AS confirmed,
    c.source_chunk_ids,
    c.confirmed_by_event_id,
    c.conflict_state,
    c.expires_at,
    c.review_at,
    c.promotes
   FROM (cmbs_store.claim c
     JOIN cmbs_store.audit_event e ON (((e.session_id = c.session_id) AND (e.seq = c.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = c.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.recorded_claim OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.recorded_claim IS 'Every claim that was recorded, with its evidence.';
COMMENT ON COLUMN cmbs.recorded_claim.session_id IS 'the session';
COMMENT ON COLUMN cmbs.recorded_claim.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.recorded_claim.claim_id IS 'the claim';
COMMENT ON COLUMN cmbs.recorded_claim.ts IS 'when';
COMMENT ON COLUMN cmbs.recorded_claim.actor IS 'who claimed';
COMMENT ON COLUMN cmbs.recorded_claim.key IS 'of what it is';
COMMENT ON COLUMN cmbs.recorded_claim.kind IS 'fact, preference, decision, hypothesis or derived';
COMMENT ON COLUMN cmbs.recorded_claim.value IS 'what is claimed';
COMMENT ON COLUMN cmbs.recorded_claim.confidence IS 'from 0 to 1';
COMMENT ON COLUMN cmbs.recorded_claim.confirmed IS 'whether its evidence confirmed it';
COMMENT ON COLUMN cmbs.recorded_claim.source_chunk_ids IS 'the sources that it cites';
COMMENT ON COLUMN cmbs.recorded_claim.confirmed_by_event_id IS 'the act of an approver that it cites';
COMMENT ON COLUMN cmbs.recorded_claim.conflict_state IS 'whether something stands against it';
COMMENT ON COLUMN cmbs.recorded_claim.expires_at IS 'when it stops counting';
COMMENT ON COLUMN cmbs.recorded_claim.review_at IS 'when it stops counting if it is not confirmed';
COMMENT ON COLUMN cmbs.recorded_claim.promotes IS 'the claim that it goes back to';

CREATE VIEW cmbs.session WITH (security_barrier='true') AS
 SELECT session_id,
    declared_at,
    ((ontology)::jsonb ->> 'hypothesis_space_id'::text) AS hypothesis_space_id,
    ((ontology)::jsonb ->> 'hypothesis_version'::text) AS hypothesis_version,
    ((ontology)::jsonb ->> 'causal_graph_ref'::text) AS causal_graph_ref,
    ((ontology)::jsonb ->> 'causal_graph_version'::text) AS causal_graph_version,
    encode(universe_digest, 'hex'::text) AS universe_digest,
    n_hypotheses,
    n_survivors,
        CASE
            WHEN (n_survivors > 1) THEN (ln((n_survivors)::double precision) / ln((2)::double precision))
            ELSE (0)::double precision
        END AS entropy_proxy,
    is_terminated AS terminated,
    obligation_id AS active_obligation_id,
    audit_seq,
    audit_head_event_id,
    encode(audit_head_hash, 'hex'::text) AS audit_head_hash,
    encode(survivors_hash, 'hex'::text) AS survivors_hash,
    validate_hypotheses,
    allow_forced_termination,
    stability_window,
    (policy_as_sent)::jsonb AS policy_as_sent,
    tenant,
    ((universe_from)::jsonb ->> 'tee_incident'::text) AS tee_incident,
    is_mirrored AS mirrored,
    audit_head_at AS last_event_at
   FROM cmbs_store.session s
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.session OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.session IS 'Every session as it stands now.';
COMMENT ON COLUMN cmbs.session.session_id IS 'the client-chosen id';
COMMENT ON COLUMN cmbs.session.declared_at IS 'when it was declared: the time of its first event';
COMMENT ON COLUMN cmbs.session.hypothesis_space_id IS 'ontology bundle: name of the hypothesis space';
COMMENT ON COLUMN cmbs.session.hypothesis_version IS 'ontology bundle: version of the space';
COMMENT ON COLUMN cmbs.session.causal_graph_ref IS 'ontology bundle: reference to the causal graph; stored, never followed';
COMMENT ON COLUMN cmbs.session.causal_graph_version IS 'ontology bundle: version of the graph';
COMMENT ON COLUMN cmbs.session.universe_digest IS 'sha-256 over the sorted hypotheses, hex';
COMMENT ON COLUMN cmbs.session.n_hypotheses IS 'size of the universe';
COMMENT ON COLUMN cmbs.session.n_survivors IS 'hypotheses not eliminated so far';
COMMENT ON COLUMN cmbs.session.entropy_proxy IS 'log2 of n_survivors; 0 for none or one';
COMMENT ON COLUMN cmbs.session.terminated IS 'whether the session takes no more messages';
COMMENT ON COLUMN cmbs.session.active_obligation_id IS 'the obligation that gates conclusions and termination, if any';
COMMENT ON COLUMN cmbs.session.audit_seq IS 'number of events in the log';
COMMENT ON COLUMN cmbs.session.audit_head_event_id IS 'the last event';
COMMENT ON COLUMN cmbs.session.audit_head_hash IS 'hash of the last event, hex';
COMMENT ON COLUMN cmbs.session.survivors_hash IS 'hash of universe and survivors, hex';
COMMENT ON COLUMN cmbs.session.validate_hypotheses IS 'policy: whether ids outside the universe are refused';
COMMENT ON COLUMN cmbs.session.allow_forced_termination IS 'policy: whether context.force may end the session';
COMMENT ON COLUMN cmbs.session.stability_window IS 'policy: how many equal accepted conclusions termination needs';
COMMENT ON COLUMN cmbs.session.policy_as_sent IS 'the policy that its declare asked for, before defaults; null if it named none';
COMMENT ON COLUMN cmbs.session.tenant IS 'whose it is';
COMMENT ON COLUMN cmbs.session.tee_incident IS 'the incident that its universe was taken from, if it was';
COMMENT ON COLUMN cmbs.session.mirrored IS 'whether a Tee is told what it eliminates';
COMMENT ON COLUMN cmbs.session.last_event_at IS 'the time of the last event';

CREATE TABLE cmbs_store.session_mode (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    mode text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.session_mode OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.session_mode IS 'session: the mode in force from an event on; normal where there is none.';

CREATE VIEW cmbs.session_mode WITH (security_barrier='true') AS
 SELECT m.session_id,
    m.seq,
    e.recorded_at AS ts,
    e.actor,
    m.mode,
    ((e.record)::json #>> '{payload,reason}'::text[]) AS reason,
    (m.seq = max(m.seq) OVER (PARTITION BY m.session_id)) AS is_in_force
   FROM (cmbs_store.session_mode m
     JOIN cmbs_store.audit_event e ON (((e.session_id = m.session_id) AND (e.seq = m.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = m.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.session_mode OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.session_mode IS 'Every mode that a session was set to, and why.';
COMMENT ON COLUMN cmbs.session_mode.session_id IS 'the session';
COMMENT ON COLUMN cmbs.session_mode.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.session_mode.ts IS 'when';
COMMENT ON COLUMN cmbs.session_mode.actor IS 'who set it';
COMMENT ON COLUMN cmbs.session_mode.mode IS 'boost, normal, eco, thermal or offline_safe';
COMMENT ON COLUMN cmbs.session_mode.reason IS 'why';
COMMENT ON COLUMN cmbs.session_mode.is_in_force IS 'whether it is the last one';

CREATE VIEW cmbs.shadow_divergence WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.seq,
    (i.item_no)::integer AS item_no,
    e.recorded_at AS ts,
    e.actor,
    (p.payload #>> ARRAY['proposal'::text, 'items'::text, ((i.item_no - 1))::text, 'tool_id'::text]) AS tool_id,
    (p.payload #>> '{policy,pack}'::text[]) AS pack,
    ((p.payload #>> '{policy,version}'::text[]))::integer AS version,
    (i.verdict ->> 'decision'::text) AS decision,
    (i.verdict ->> 'disposition'::text) AS disposition,
    (i.verdict ->> 'reason_code'::text) AS reason_code,
    (p.payload #>> '{shadow,policy,pack}'::text[]) AS shadow_pack,
    ((p.payload #>> '{shadow,policy,version}'::text[]))::integer AS shadow_version,
    (h.verdict ->> 'decision'::text) AS shadow_decision,
    (h.verdict ->> 'disposition'::text) AS shadow_disposition,
    (h.verdict ->> 'reason_code'::text) AS shadow_reason_code,
    ((i.verdict ->> 'effective'::text))::boolean AS effective
   FROM (((cmbs_store.audit_event e
     CROSS JOIN LATERAL ( SELECT ((e.record)::jsonb -> 'payload'::text) AS payload
         OFFSET 0) p)
     CROSS JOIN LATERAL jsonb_array_elements((p.payload -> 'items'::text)) WITH ORDINALITY i(verdict, item_no))
     CROSS JOIN LATERAL ( SELECT (p.payload #> ARRAY['shadow'::text, 'items'::text, ((i.item_no - 1))::text]) AS verdict) h)
  WHERE ((e.verb = 'PROPOSE'::text) AND (p.payload ? 'shadow'::text) AND (((i.verdict ->> 'decision'::text) IS DISTINCT FROM (h.verdict ->> 'decision'::text)) OR ((i.verdict ->> 'disposition'::text) IS DISTINCT FROM (h.verdict ->> 'disposition'::text)) OR ((i.verdict ->> 'reason_code'::text) IS DISTINCT FROM (h.verdict ->> 'reason_code'::text))) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));
ALTER VIEW cmbs.shadow_divergence OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.shadow_divergence IS 'Where a shadow policy says something else than the one in force, item by item.';
COMMENT ON COLUMN cmbs.shadow_divergence.session_id IS 'the session';
COMMENT ON COLUMN cmbs.shadow_divergence.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.shadow_divergence.item_no IS 'the item of the proposal, from 1';
COMMENT ON COLUMN cmbs.shadow_divergence.ts IS 'when';
COMMENT ON COLUMN cmbs.shadow_divergence.actor IS 'who proposed';
COMMENT ON COLUMN cmbs.shadow_divergence.tool_id IS 'the tool of a call';
COMMENT ON COLUMN cmbs.shadow_divergence.pack IS 'the policy pack in force';
COMMENT ON COLUMN cmbs.shadow_divergence.version IS 'its version';
COMMENT ON COLUMN cmbs.shadow_divergence.decision IS 'what it decided';
COMMENT ON COLUMN cmbs.shadow_divergence.disposition IS 'what follows from it';
COMMENT ON COLUMN cmbs.shadow_divergence.reason_code IS 'its first stage that failed, or ALLOWED';
COMMENT ON COLUMN cmbs.shadow_divergence.shadow_pack IS 'the policy pack that was only asked';
COMMENT ON COLUMN cmbs.shadow_divergence.shadow_version IS 'its version';
COMMENT ON COLUMN cmbs.shadow_divergence.shadow_decision IS 'what it would have decided';
COMMENT ON COLUMN cmbs.shadow_divergence.shadow_disposition IS 'what would have followed';
COMMENT ON COLUMN cmbs.shadow_divergence.shadow_reason_code IS 'its first stage that failed, or ALLOWED';
COMMENT ON COLUMN cmbs.shadow_divergence.effective IS 'whether the item took effect, by the policy in force';

CREATE VIEW cmbs.source_effect WITH (security_barrier='true') AS
 SELECT e.session_id,
    e.source_id,
    count(*) AS n_events,
    (COALESCE(sum(d.n_eliminations), (0)::numeric))::bigint AS n_eliminations,
    (COALESCE((sum(d.n_eliminations) / NULLIF(sum(sum(d.n_eliminations)) OVER (PARTITION BY e.session_id), (0)::numeric)), (0)::numeric))::double precision AS share
   FROM (cmbs_store.audit_event e
     LEFT JOIN ( SELECT t.session_id,
            t.seq,
            count(*) AS n_eliminations
           FROM cmbs_store.tombstone t
          GROUP BY t.session_id, t.seq) d ON (((d.session_id = e.session_id) AND (d.seq = e.seq))))
  WHERE ((e.source_id IS NOT NULL) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = e.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))))
  GROUP BY e.session_id, e.source_id;
ALTER VIEW cmbs.source_effect OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.source_effect IS 'Events and eliminations per source of a session.';
COMMENT ON COLUMN cmbs.source_effect.session_id IS 'the session';
COMMENT ON COLUMN cmbs.source_effect.source_id IS 'who observed';
COMMENT ON COLUMN cmbs.source_effect.n_events IS 'messages of this source';
COMMENT ON COLUMN cmbs.source_effect.n_eliminations IS 'hypotheses they eliminated';
COMMENT ON COLUMN cmbs.source_effect.share IS 'their part of all eliminations of the session, 0 to 1';

CREATE TABLE cmbs_store.state_delta (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    item_no integer NOT NULL,
    delta_no bigint NOT NULL,
    patch text NOT NULL COLLATE pg_catalog."C",
    s_core real[]
);
ALTER TABLE cmbs_store.state_delta OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.state_delta IS 'session: every change of the state that was committed.';

CREATE TABLE cmbs_store.state_value (
    session_id uuid NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    value text COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.state_value OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.state_value IS 'session: the values of each key with the event that wrote them; null: deleted.';

CREATE VIEW cmbs.state_change WITH (security_barrier='true') AS
 SELECT c.session_id,
    c.seq,
    e.event_id,
    e.recorded_at AS ts,
    e.actor,
    c.kind,
    c.key,
    c.value
   FROM (( SELECT v.session_id,
            v.seq,
            'state'::text AS kind,
            v.key,
            v.value
           FROM cmbs_store.state_value v
        UNION ALL
         SELECT d.session_id,
            d.seq,
            'core'::text AS kind,
            NULL::text AS key,
            (d.s_core)::text AS value
           FROM cmbs_store.state_delta d
          WHERE (d.s_core IS NOT NULL)
        UNION ALL
         SELECT n.session_id,
            n.seq,
            'policy'::text AS kind,
            n.pack AS key,
            (n.version)::text AS value
           FROM cmbs_store.policy_pin n) c
     JOIN cmbs_store.audit_event e ON (((e.session_id = c.session_id) AND (e.seq = c.seq))))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = c.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant))))));
ALTER VIEW cmbs.state_change OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.state_change IS 'Every change of the state of sessions beside their belief.';
COMMENT ON COLUMN cmbs.state_change.session_id IS 'the session';
COMMENT ON COLUMN cmbs.state_change.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.state_change.event_id IS 'the event';
COMMENT ON COLUMN cmbs.state_change.ts IS 'when';
COMMENT ON COLUMN cmbs.state_change.actor IS 'who';
COMMENT ON COLUMN cmbs.state_change.kind IS 'state, core or policy';
COMMENT ON COLUMN cmbs.state_change.key IS 'the key, or the policy pack';
COMMENT ON COLUMN cmbs.state_change.value IS 'the text of the value, null where a key was deleted; of a policy its version';

CREATE TABLE cmbs_store.universe_member (
    universe_digest bytea NOT NULL,
    hypothesis_id text NOT NULL COLLATE pg_catalog."C",
    hypothesis_rank integer NOT NULL,
    CONSTRAINT universe_member_hypothesis_id_check CHECK (((octet_length(hypothesis_id) >= 1) AND (octet_length(hypothesis_id) <= 512))),
    CONSTRAINT universe_member_hypothesis_rank_check CHECK ((hypothesis_rank >= 0))
);
ALTER TABLE cmbs_store.universe_member OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.universe_member IS 'reference: the hypotheses of a universe; the rank in byte order is the bit number in every mask.';

CREATE VIEW cmbs.survivor WITH (security_barrier='true') AS
 SELECT s.session_id,
    d.hypothesis_id
   FROM (cmbs_store.session s
     CROSS JOIN LATERAL ( SELECT m.hypothesis_id
           FROM cmbs_store.universe_member m
          WHERE (m.universe_digest = s.universe_digest)
        EXCEPT
         SELECT t.hypothesis_id
           FROM cmbs_store.tombstone t
          WHERE (t.session_id = s.session_id)) d)
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.survivor OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.survivor IS 'The hypotheses of each session that nothing has eliminated: universe minus tombstones.';
COMMENT ON COLUMN cmbs.survivor.session_id IS 'the session';
COMMENT ON COLUMN cmbs.survivor.hypothesis_id IS 'a hypothesis that survives';

CREATE VIEW cmbs.survivors_over_time WITH (security_barrier='true') AS
 SELECT session_id,
    seq,
    ts,
    n_eliminated,
    n_survivors,
        CASE
            WHEN (n_survivors > 1) THEN (ln((n_survivors)::double precision) / ln((2)::double precision))
            ELSE (0)::double precision
        END AS entropy_proxy
   FROM ( SELECT e.session_id,
            e.seq,
            e.recorded_at AS ts,
            (COALESCE(d.n_eliminated, (0)::bigint))::integer AS n_eliminated,
            (s.n_hypotheses - sum((COALESCE(d.n_eliminated, (0)::bigint))::integer) OVER (PARTITION BY e.session_id ORDER BY e.seq)) AS n_survivors
           FROM ((cmbs_store.audit_event e
             JOIN cmbs_store.session s ON ((s.session_id = e.session_id)))
             LEFT JOIN ( SELECT t.session_id,
                    t.seq,
                    count(*) AS n_eliminated
                   FROM cmbs_store.tombstone t
                  GROUP BY t.session_id, t.seq) d ON (((d.session_id = e.session_id) AND (d.seq = e.seq))))
          WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)))) c;
ALTER VIEW cmbs.survivors_over_time OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.survivors_over_time IS 'Number of survivors after each event.';
COMMENT ON COLUMN cmbs.survivors_over_time.session_id IS 'the session';
COMMENT ON COLUMN cmbs.survivors_over_time.seq IS 'number of the event in the log of its session, from 1 without gaps';
COMMENT ON COLUMN cmbs.survivors_over_time.ts IS 'when';
COMMENT ON COLUMN cmbs.survivors_over_time.n_eliminated IS 'hypotheses this event eliminated';
COMMENT ON COLUMN cmbs.survivors_over_time.n_survivors IS 'survivors after it';
COMMENT ON COLUMN cmbs.survivors_over_time.entropy_proxy IS 'log2 of n_survivors; 0 for none or one';

CREATE VIEW cmbs.tee_message WITH (security_barrier='true') AS
 SELECT session_id,
    seq,
    tenant,
    created_at,
    state,
    n_attempts,
        CASE
            WHEN (state = 'pending'::text) THEN next_at
            ELSE NULL::timestamp with time zone
        END AS next_at,
    last_error,
    delivered_at,
    EXTRACT(epoch FROM (COALESCE(delivered_at, clock_timestamp()) - created_at)) AS lag_seconds
   FROM cmbs_store.tee_message m
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.tee_message OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.tee_message IS 'What the Tee that sessions are mirrored to has to be told, and what came of it.';
COMMENT ON COLUMN cmbs.tee_message.session_id IS 'the session';
COMMENT ON COLUMN cmbs.tee_message.seq IS 'the event that it is told';
COMMENT ON COLUMN cmbs.tee_message.tenant IS 'whose session';
COMMENT ON COLUMN cmbs.tee_message.created_at IS 'when that happened';
COMMENT ON COLUMN cmbs.tee_message.state IS 'pending, delivered, or dead: refused, and what comes after it waits';
COMMENT ON COLUMN cmbs.tee_message.n_attempts IS 'how often it was tried; of a message sent after another none of its own';
COMMENT ON COLUMN cmbs.tee_message.next_at IS 'when it is tried next, if it is the next of its session';
COMMENT ON COLUMN cmbs.tee_message.last_error IS 'why the last try failed';
COMMENT ON COLUMN cmbs.tee_message.delivered_at IS 'when the Tee was told';
COMMENT ON COLUMN cmbs.tee_message.lag_seconds IS 'how long that took, or has taken so far';

CREATE VIEW cmbs.universe_member WITH (security_barrier='true') AS
 SELECT s.session_id,
    m.hypothesis_id,
    m.hypothesis_rank
   FROM (cmbs_store.session s
     JOIN cmbs_store.universe_member m ON ((m.universe_digest = s.universe_digest)))
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (s.tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.universe_member OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.universe_member IS 'The hypotheses that each session started from.';
COMMENT ON COLUMN cmbs.universe_member.session_id IS 'the session';
COMMENT ON COLUMN cmbs.universe_member.hypothesis_id IS 'one hypothesis of the universe';
COMMENT ON COLUMN cmbs.universe_member.hypothesis_rank IS 'its place in byte order, from 0: its bit in the survivor mask';

CREATE VIEW cmbs.unmatched_constraint WITH (security_barrier='true') AS
 SELECT DISTINCT n.pack,
    n.version,
    encode(n.policy_hash, 'hex'::text) AS policy_hash,
    c.key,
    c.effect,
    c.subject
   FROM (cmbs_store.policy_pin n
     JOIN cmbs_store.policy_entry c ON (((c.policy_hash = n.policy_hash) AND (c.subject IS NOT NULL))))
  WHERE ((NOT (EXISTS ( SELECT
           FROM cmbs.constraint_hit h
          WHERE ((h.policy_hash = encode(n.policy_hash, 'hex'::text)) AND (h.key = c.key))))) AND ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (EXISTS ( SELECT
           FROM cmbs_store.session o
          WHERE ((o.session_id = n.session_id) AND (o.tenant = ( SELECT cmbs.tenant() AS tenant)))))));
ALTER VIEW cmbs.unmatched_constraint OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.unmatched_constraint IS 'Constraints of the packs that sessions named, which never stood against anything.';
COMMENT ON COLUMN cmbs.unmatched_constraint.pack IS 'the policy pack';
COMMENT ON COLUMN cmbs.unmatched_constraint.version IS 'its version';
COMMENT ON COLUMN cmbs.unmatched_constraint.policy_hash IS 'the sha-256 of its content';
COMMENT ON COLUMN cmbs.unmatched_constraint.key IS 'the constraint';
COMMENT ON COLUMN cmbs.unmatched_constraint.effect IS 'allow or deny, null if it is malformed';
COMMENT ON COLUMN cmbs.unmatched_constraint.subject IS 'to what it applies: t: and a tool, c: and a capability, * for all, ! for an invariant';

CREATE TABLE cmbs_store.webhook_message (
    session_id uuid NOT NULL,
    message_id uuid NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    event text NOT NULL COLLATE pg_catalog."C",
    interrupt_id uuid NOT NULL,
    created_at timestamp with time zone NOT NULL,
    state text NOT NULL COLLATE pg_catalog."C",
    n_attempts integer NOT NULL,
    next_at timestamp with time zone NOT NULL,
    last_error text,
    CONSTRAINT webhook_message_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'delivered'::text, 'dead'::text])))
)
WITH (fillfactor='80');
ALTER TABLE cmbs_store.webhook_message OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.webhook_message IS 'session: the outbox: what has to be told, how often that was tried, and what came of it.';

CREATE VIEW cmbs.webhook_message WITH (security_barrier='true') AS
 SELECT session_id,
    message_id,
    event,
    interrupt_id,
    created_at,
    state,
    n_attempts,
        CASE
            WHEN (state = 'pending'::text) THEN next_at
            ELSE NULL::timestamp with time zone
        END AS next_at,
    last_error
   FROM cmbs_store.webhook_message m
  WHERE ((( SELECT cmbs.tenant() AS tenant) = '*'::text) OR (tenant = ( SELECT cmbs.tenant() AS tenant)));
ALTER VIEW cmbs.webhook_message OWNER TO cmbs_owner;
COMMENT ON VIEW cmbs.webhook_message IS 'What has to be told to a webhook, how often that was tried, and what came of it.';
COMMENT ON COLUMN cmbs.webhook_message.session_id IS 'the session';
COMMENT ON COLUMN cmbs.webhook_message.message_id IS 'the id that every delivery of it has';
COMMENT ON COLUMN cmbs.webhook_message.event IS 'interrupt.opened or interrupt.resolved';
COMMENT ON COLUMN cmbs.webhook_message.interrupt_id IS 'the question';
COMMENT ON COLUMN cmbs.webhook_message.created_at IS 'when it happened';
COMMENT ON COLUMN cmbs.webhook_message.state IS 'pending, delivered, or dead after the last try';
COMMENT ON COLUMN cmbs.webhook_message.n_attempts IS 'how often it was tried';
COMMENT ON COLUMN cmbs.webhook_message.next_at IS 'when it is tried next';
COMMENT ON COLUMN cmbs.webhook_message.last_error IS 'why the last try failed';

CREATE TABLE cmbs_store.claim_confirmation (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    key text NOT NULL COLLATE pg_catalog."C",
    value_digest bytea NOT NULL
);
ALTER TABLE cmbs_store.claim_confirmation OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.claim_confirmation IS 'session: what an approver confirmed: a key with the digest of its value.';

CREATE TABLE cmbs_store.context_universe (
    universe_digest bytea NOT NULL,
    n_hypotheses integer NOT NULL,
    CONSTRAINT context_universe_n_hypotheses_check CHECK ((n_hypotheses >= 0)),
    CONSTRAINT context_universe_universe_digest_check CHECK ((octet_length(universe_digest) = 32))
);
ALTER TABLE cmbs_store.context_universe OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.context_universe IS 'reference: one row per distinct set of hypotheses of contexts; the digest is the identity.';

CREATE TABLE cmbs_store.elimination_claimant (
    session_id uuid NOT NULL,
    hypothesis_id text NOT NULL COLLATE pg_catalog."C",
    actor text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    other_seq bigint
)
WITH (fillfactor='80');
ALTER TABLE cmbs_store.elimination_claimant OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.elimination_claimant IS 'session: who first asked for an elimination, and when somebody else did; counted up to a seq.';

CREATE TABLE cmbs_store.elimination_count (
    session_id uuid NOT NULL,
    counted_seq bigint NOT NULL
);
ALTER TABLE cmbs_store.elimination_count OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.elimination_count IS 'session: up to which event the claimants of eliminations were counted.';

CREATE TABLE cmbs_store.graph_head (
    tenant text NOT NULL COLLATE pg_catalog."C",
    version bigint NOT NULL
);
ALTER TABLE cmbs_store.graph_head OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.graph_head IS 'reference: the version of every causal graph; whoever merges into one locks its row.';

CREATE TABLE cmbs_store.hypothesis_space (
    hypothesis_space_id text NOT NULL COLLATE pg_catalog."C",
    hypothesis_version text NOT NULL COLLATE pg_catalog."C",
    universe_digest bytea NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    registered_by text NOT NULL,
    tenant text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT hypothesis_space_id_check CHECK (((octet_length(hypothesis_space_id) >= 1) AND (octet_length(hypothesis_space_id) <= 512))),
    CONSTRAINT hypothesis_space_version_check CHECK (((octet_length(hypothesis_version) >= 1) AND (octet_length(hypothesis_version) <= 2048)))
);
ALTER TABLE cmbs_store.hypothesis_space OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.hypothesis_space IS 'reference: a universe registered under a name and a version, for ever.';

CREATE TABLE cmbs_store.identity_head (
    tenant text NOT NULL COLLATE pg_catalog."C",
    seq bigint NOT NULL,
    event_hash bytea NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);
ALTER TABLE cmbs_store.identity_head OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.identity_head IS 'reference: the last event of every log of identities; whoever changes one locks the row of *.';

CREATE TABLE cmbs_store.json_schema (
    tenant text NOT NULL COLLATE pg_catalog."C",
    schema_id text NOT NULL COLLATE pg_catalog."C",
    schema_hash bytea NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    registered_by text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.json_schema OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.json_schema IS 'reference: the names of JSON Schemas, for ever.';

CREATE TABLE cmbs_store.policy_halt (
    tenant text NOT NULL COLLATE pg_catalog."C",
    halt_no integer NOT NULL,
    is_halted boolean NOT NULL,
    reason text NOT NULL COLLATE pg_catalog."C",
    set_at timestamp with time zone NOT NULL,
    set_by text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.policy_halt OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.policy_halt IS 'reference: the kill switch; of a tenant, and of *, the highest number counts.';

CREATE TABLE cmbs_store.proposal (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    actor text NOT NULL COLLATE pg_catalog."C",
    idempotency_key text COLLATE pg_catalog."C",
    content_hash bytea NOT NULL,
    decision text NOT NULL COLLATE pg_catalog."C",
    disposition text NOT NULL COLLATE pg_catalog."C",
    reason_code text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.proposal OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.proposal IS 'session: every proposal and what was decided; all of it stands in the record of its event.';

CREATE TABLE cmbs_store.revision (
    version_num character varying(32) NOT NULL
);
ALTER TABLE cmbs_store.revision OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.revision IS 'reference: the revision of the schema; one row, which deployments alone change.';

CREATE TABLE cmbs_store.session_mask (
    session_id uuid NOT NULL,
    chunk_no integer NOT NULL,
    chunk bytea NOT NULL
)
WITH (fillfactor='50');
ALTER TABLE ONLY cmbs_store.session_mask ALTER COLUMN chunk SET STORAGE PLAIN;
ALTER TABLE cmbs_store.session_mask OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.session_mask IS 'session: the survivor mask of universes above 8,192 hypotheses, in rows of 8,192 bits.';

CREATE TABLE cmbs_store.shadow_pin (
    session_id uuid NOT NULL,
    seq bigint NOT NULL,
    pack text NOT NULL COLLATE pg_catalog."C",
    version integer NOT NULL,
    policy_hash bytea NOT NULL
);
ALTER TABLE cmbs_store.shadow_pin OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.shadow_pin IS 'session: the policy that is asked beside the one that the same event put in force.';

CREATE TABLE cmbs_store.state_checkpoint (
    session_id uuid NOT NULL,
    delta_no bigint NOT NULL,
    seq bigint NOT NULL,
    f_sparse text NOT NULL COLLATE pg_catalog."C",
    s_core real[]
);
ALTER TABLE cmbs_store.state_checkpoint OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.state_checkpoint IS 'session: the whole state after every hundredth delta.';

CREATE TABLE cmbs_store.tee_mirror (
    mirror_no integer NOT NULL,
    endpoint text,
    set_at timestamp with time zone NOT NULL,
    set_by text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.tee_mirror OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.tee_mirror IS 'reference: the Tee that sessions are mirrored to; the highest number counts, no endpoint is none.';

CREATE TABLE cmbs_store.tool_registration (
    tenant text NOT NULL COLLATE pg_catalog."C",
    tool_id text NOT NULL COLLATE pg_catalog."C",
    registration_no integer NOT NULL,
    tool_hash bytea,
    registered_at timestamp with time zone NOT NULL,
    registered_by text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.tool_registration OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.tool_registration IS 'reference: which definition a tool has; the highest number counts, and null withdraws it.';

CREATE TABLE cmbs_store.universe (
    universe_digest bytea NOT NULL,
    n_hypotheses integer NOT NULL,
    registered_at timestamp with time zone NOT NULL,
    CONSTRAINT universe_n_hypotheses_check CHECK ((n_hypotheses >= 1)),
    CONSTRAINT universe_universe_digest_check CHECK ((octet_length(universe_digest) = 32))
);
ALTER TABLE cmbs_store.universe OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.universe IS 'reference: one row per distinct set of hypotheses; the digest is the identity.';

CREATE TABLE cmbs_store.universe_edge (
    universe_digest bytea NOT NULL,
    node_id text NOT NULL COLLATE pg_catalog."C",
    edge_id text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE cmbs_store.universe_edge OWNER TO cmbs_owner;
COMMENT ON TABLE cmbs_store.universe_edge IS 'reference: the edges of a universe by each of their ends; of universes whose sessions have edges.';

ALTER TABLE ONLY cmbs_store.api_token
    ADD CONSTRAINT api_token_credential_hash_pk PRIMARY KEY (credential_hash);
ALTER TABLE ONLY cmbs_store.api_token_use
    ADD CONSTRAINT api_token_use_token_id_pk PRIMARY KEY (token_id);
ALTER TABLE ONLY cmbs_store.audit_event
    ADD CONSTRAINT audit_event_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.capability_revocation
    ADD CONSTRAINT capability_revocation_token_id_pk PRIMARY KEY (session_id, token_id);
ALTER TABLE ONLY cmbs_store.capability_spending
    ADD CONSTRAINT capability_spending_seq_pk PRIMARY KEY (session_id, token_id, unit, seq);
ALTER TABLE ONLY cmbs_store.capability_token
    ADD CONSTRAINT capability_token_token_id_pk PRIMARY KEY (session_id, token_id);
ALTER TABLE ONLY cmbs_store.claim
    ADD CONSTRAINT claim_claim_id_pk PRIMARY KEY (session_id, claim_id);
ALTER TABLE ONLY cmbs_store.claim_confirmation
    ADD CONSTRAINT claim_confirmation_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.clock_mark
    ADD CONSTRAINT clock_mark_is_only_pk PRIMARY KEY (is_only);
ALTER TABLE ONLY cmbs_store.clock_step
    ADD CONSTRAINT clock_step_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.conclusion
    ADD CONSTRAINT conclusion_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.context
    ADD CONSTRAINT context_context_id_pk PRIMARY KEY (context_id);
ALTER TABLE ONLY cmbs_store.context_event
    ADD CONSTRAINT context_event_event_no_pk PRIMARY KEY (context_id, event_no);
ALTER TABLE ONLY cmbs_store.context_hypothesis
    ADD CONSTRAINT context_hypothesis_hypothesis_id_pk PRIMARY KEY (universe_digest, hypothesis_id);
ALTER TABLE ONLY cmbs_store.context_tombstone
    ADD CONSTRAINT context_tombstone_hypothesis_id_pk PRIMARY KEY (context_id, hypothesis_id);
ALTER TABLE ONLY cmbs_store.context_universe
    ADD CONSTRAINT context_universe_universe_digest_pk PRIMARY KEY (universe_digest);
ALTER TABLE ONLY cmbs_store.deferral
    ADD CONSTRAINT deferral_seq_pk PRIMARY KEY (session_id, deferral_id, seq);
ALTER TABLE ONLY cmbs_store.edge_tombstone
    ADD CONSTRAINT edge_tombstone_type_pk PRIMARY KEY (incident_id, source, target, type);
ALTER TABLE ONLY cmbs_store.elimination_claimant
    ADD CONSTRAINT elimination_claimant_hypothesis_id_pk PRIMARY KEY (session_id, hypothesis_id);
ALTER TABLE ONLY cmbs_store.elimination_count
    ADD CONSTRAINT elimination_count_session_id_pk PRIMARY KEY (session_id);
ALTER TABLE ONLY cmbs_store.graph_edge_provenance
    ADD CONSTRAINT graph_edge_provenance_trigger_pk PRIMARY KEY (tenant, source, target, type, source_id, trigger);
ALTER TABLE ONLY cmbs_store.graph_edge
    ADD CONSTRAINT graph_edge_type_pk PRIMARY KEY (tenant, source, target, type);
ALTER TABLE ONLY cmbs_store.graph_head
    ADD CONSTRAINT graph_head_tenant_pk PRIMARY KEY (tenant);
ALTER TABLE ONLY cmbs_store.graph_merge
    ADD CONSTRAINT graph_merge_version_pk PRIMARY KEY (tenant, version);
ALTER TABLE ONLY cmbs_store.graph_node_confirmation
    ADD CONSTRAINT graph_node_confirmation_node_id_pk PRIMARY KEY (tenant, node_id);
ALTER TABLE ONLY cmbs_store.graph_node
    ADD CONSTRAINT graph_node_node_id_pk PRIMARY KEY (tenant, node_id);
ALTER TABLE ONLY cmbs_store.graph_node_provenance
    ADD CONSTRAINT graph_node_provenance_trigger_pk PRIMARY KEY (tenant, node_id, source_id, trigger);
ALTER TABLE ONLY cmbs_store.hypothesis_space
    ADD CONSTRAINT hypothesis_space_id_version_pk PRIMARY KEY (tenant, hypothesis_space_id, hypothesis_version);
ALTER TABLE ONLY cmbs_store.identity_event
    ADD CONSTRAINT identity_event_seq_pk PRIMARY KEY (tenant, seq);
ALTER TABLE ONLY cmbs_store.identity_head
    ADD CONSTRAINT identity_head_tenant_pk PRIMARY KEY (tenant);
ALTER TABLE ONLY cmbs_store.incident_event
    ADD CONSTRAINT incident_event_event_no_pk PRIMARY KEY (incident_id, event_no);
ALTER TABLE ONLY cmbs_store.incident
    ADD CONSTRAINT incident_incident_id_pk PRIMARY KEY (incident_id);
ALTER TABLE ONLY cmbs_store.interrupt
    ADD CONSTRAINT interrupt_interrupt_id_pk PRIMARY KEY (session_id, interrupt_id);
ALTER TABLE ONLY cmbs_store.interrupt_resolution
    ADD CONSTRAINT interrupt_resolution_interrupt_id_pk PRIMARY KEY (session_id, interrupt_id);
ALTER TABLE ONLY cmbs_store.interrupt_use
    ADD CONSTRAINT interrupt_use_interrupt_id_pk PRIMARY KEY (session_id, interrupt_id);
ALTER TABLE ONLY cmbs_store.json_schema
    ADD CONSTRAINT json_schema_schema_id_pk PRIMARY KEY (tenant, schema_id);
ALTER TABLE ONLY cmbs_store.node_tombstone
    ADD CONSTRAINT node_tombstone_node_id_pk PRIMARY KEY (incident_id, node_id);
ALTER TABLE ONLY cmbs_store.obligation_end
    ADD CONSTRAINT obligation_end_entered_seq_pk PRIMARY KEY (session_id, entered_seq);
ALTER TABLE ONLY cmbs_store.obligation
    ADD CONSTRAINT obligation_entered_seq_pk PRIMARY KEY (session_id, entered_seq);
ALTER TABLE ONLY cmbs_store.open_item
    ADD CONSTRAINT open_item_item_id_pk PRIMARY KEY (session_id, kind, item_id);
ALTER TABLE ONLY cmbs_store.permit_begin
    ADD CONSTRAINT permit_begin_permit_id_pk PRIMARY KEY (session_id, permit_id);
ALTER TABLE ONLY cmbs_store.permit_end
    ADD CONSTRAINT permit_end_permit_id_pk PRIMARY KEY (session_id, permit_id);
ALTER TABLE ONLY cmbs_store.permit
    ADD CONSTRAINT permit_permit_id_pk PRIMARY KEY (session_id, permit_id);
ALTER TABLE ONLY cmbs_store.policy_default
    ADD CONSTRAINT policy_default_default_no_pk PRIMARY KEY (tenant, default_no);
ALTER TABLE ONLY cmbs_store.policy_entry
    ADD CONSTRAINT policy_entry_key_pk PRIMARY KEY (policy_hash, key);
ALTER TABLE ONLY cmbs_store.policy_halt
    ADD CONSTRAINT policy_halt_halt_no_pk PRIMARY KEY (tenant, halt_no);
ALTER TABLE ONLY cmbs_store.policy_pin
    ADD CONSTRAINT policy_pin_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.policy
    ADD CONSTRAINT policy_policy_hash_pk PRIMARY KEY (policy_hash);
ALTER TABLE ONLY cmbs_store.policy_version
    ADD CONSTRAINT policy_version_version_pk PRIMARY KEY (tenant, pack, version);
ALTER TABLE ONLY cmbs_store.principal
    ADD CONSTRAINT principal_name_pk PRIMARY KEY (name, tenant);
ALTER TABLE ONLY cmbs_store.proposal
    ADD CONSTRAINT proposal_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.reason_code
    ADD CONSTRAINT reason_code_code_pk PRIMARY KEY (code);
ALTER TABLE ONLY cmbs_store.revision
    ADD CONSTRAINT revision_pkc PRIMARY KEY (version_num);
ALTER TABLE ONLY cmbs_store.schema_document
    ADD CONSTRAINT schema_document_schema_hash_pk PRIMARY KEY (schema_hash);
ALTER TABLE ONLY cmbs_store.session_mask
    ADD CONSTRAINT session_mask_chunk_no_pk PRIMARY KEY (session_id, chunk_no);
ALTER TABLE ONLY cmbs_store.session_mode
    ADD CONSTRAINT session_mode_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.session
    ADD CONSTRAINT session_session_id_pk PRIMARY KEY (session_id);
ALTER TABLE ONLY cmbs_store.shadow_pin
    ADD CONSTRAINT shadow_pin_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.state_checkpoint
    ADD CONSTRAINT state_checkpoint_delta_no_pk PRIMARY KEY (session_id, delta_no);
ALTER TABLE ONLY cmbs_store.state_delta
    ADD CONSTRAINT state_delta_item_no_pk PRIMARY KEY (session_id, seq, item_no);
ALTER TABLE ONLY cmbs_store.state_value
    ADD CONSTRAINT state_value_seq_pk PRIMARY KEY (session_id, key, seq);
ALTER TABLE ONLY cmbs_store.tee_message
    ADD CONSTRAINT tee_message_seq_pk PRIMARY KEY (session_id, seq);
ALTER TABLE ONLY cmbs_store.tee_mirror
    ADD CONSTRAINT tee_mirror_mirror_no_pk PRIMARY KEY (mirror_no);
ALTER TABLE ONLY cmbs_store.tombstone
    ADD CONSTRAINT tombstone_hypothesis_id_pk PRIMARY KEY (session_id, hypothesis_id);
ALTER TABLE ONLY cmbs_store.tool_definition
    ADD CONSTRAINT tool_definition_tool_hash_pk PRIMARY KEY (tool_hash);
ALTER TABLE ONLY cmbs_store.tool_registration
    ADD CONSTRAINT tool_registration_registration_no_pk PRIMARY KEY (tenant, tool_id, registration_no);
ALTER TABLE ONLY cmbs_store.universe_edge
    ADD CONSTRAINT universe_edge_edge_id_pk PRIMARY KEY (universe_digest, node_id, edge_id);
ALTER TABLE ONLY cmbs_store.universe_member
    ADD CONSTRAINT universe_member_hypothesis_id_pk PRIMARY KEY (universe_digest, hypothesis_id) INCLUDE (hypothesis_rank);
ALTER TABLE ONLY cmbs_store.universe
    ADD CONSTRAINT universe_universe_digest_pk PRIMARY KEY (universe_digest);
ALTER TABLE ONLY cmbs_store.webhook_message
    ADD CONSTRAINT webhook_message_message_id_pk PRIMARY KEY (session_id, message_id);
ALTER TABLE ONLY cmbs_store.webhook
    ADD CONSTRAINT webhook_webhook_no_pk PRIMARY KEY (tenant, webhook_no);

CREATE INDEX api_token_created_at_idx ON cmbs_store.api_token USING btree (tenant, created_at, token_id);
CREATE INDEX api_token_principal_idx ON cmbs_store.api_token USING btree (name, tenant);
CREATE UNIQUE INDEX api_token_token_id_key ON cmbs_store.api_token USING btree (token_id);
CREATE UNIQUE INDEX audit_event_observation_key ON cmbs_store.audit_event USING btree (session_id, source_id, observation_id) WHERE (source_id IS NOT NULL);
CREATE UNIQUE INDEX audit_event_request_key ON cmbs_store.audit_event USING btree (session_id, request_id) WHERE (request_id IS NOT NULL);
CREATE UNIQUE INDEX capability_token_secret_hash_key ON cmbs_store.capability_token USING btree (session_id, secret_hash);
CREATE INDEX claim_key_idx ON cmbs_store.claim USING btree (session_id, key, seq);
CREATE INDEX claim_promotes_idx ON cmbs_store.claim USING btree (session_id, promotes) WHERE (promotes IS NOT NULL);
CREATE INDEX context_universe_digest_idx ON cmbs_store.context USING btree (universe_digest);
CREATE INDEX elimination_claimant_actor_idx ON cmbs_store.elimination_claimant USING btree (session_id, actor) WHERE (other_seq IS NULL);
CREATE INDEX graph_edge_target_idx ON cmbs_store.graph_edge USING btree (tenant, target);
CREATE INDEX hypothesis_space_universe_digest_idx ON cmbs_store.hypothesis_space USING btree (universe_digest);
CREATE INDEX incident_universe_digest_idx ON cmbs_store.incident USING btree (universe_digest);
CREATE INDEX interrupt_seq_idx ON cmbs_store.interrupt USING btree (session_id, seq);
CREATE INDEX json_schema_schema_hash_idx ON cmbs_store.json_schema USING btree (schema_hash);
CREATE INDEX open_item_all_idx ON cmbs_store.open_item USING btree (kind, due_at, session_id, item_id);
CREATE INDEX open_item_due_at_idx ON cmbs_store.open_item USING btree (kind, due_at, session_id, item_id) WHERE is_open;
CREATE INDEX open_item_session_id_idx ON cmbs_store.open_item USING btree (session_id, kind, due_at) WHERE is_open;
CREATE INDEX open_item_tenant_idx ON cmbs_store.open_item USING btree (tenant, kind, due_at, session_id, item_id) WHERE is_open;
CREATE INDEX permit_seq_idx ON cmbs_store.permit USING btree (session_id, seq);
CREATE INDEX permit_tool_id_idx ON cmbs_store.permit USING btree (session_id, tool_id, seq);
CREATE INDEX policy_entry_subject_idx ON cmbs_store.policy_entry USING btree (policy_hash, subject) WHERE (subject IS NOT NULL);
CREATE INDEX policy_version_policy_hash_idx ON cmbs_store.policy_version USING btree (policy_hash);
CREATE UNIQUE INDEX principal_login_key ON cmbs_store.principal USING btree (name) WHERE is_login;
CREATE INDEX principal_tenant_idx ON cmbs_store.principal USING btree (tenant, name);
CREATE INDEX proposal_idempotency_key_idx ON cmbs_store.proposal USING btree (session_id, actor, idempotency_key, seq) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX session_declared_at_idx ON cmbs_store.session USING btree (declared_at, session_id);
CREATE INDEX session_space_idx ON cmbs_store.session USING btree (tenant, hypothesis_space_id, declared_at, session_id);
CREATE INDEX session_tenant_idx ON cmbs_store.session USING btree (tenant, declared_at, session_id);
CREATE INDEX session_terminated_idx ON cmbs_store.session USING btree (tenant, is_terminated, declared_at, session_id);
CREATE INDEX session_universe_digest_idx ON cmbs_store.session USING btree (universe_digest);
CREATE INDEX tee_message_open_idx ON cmbs_store.tee_message USING btree (session_id, seq) WHERE (state <> 'delivered'::text);
CREATE INDEX tool_registration_tool_hash_idx ON cmbs_store.tool_registration USING btree (tool_hash);
CREATE INDEX webhook_message_next_at_idx ON cmbs_store.webhook_message USING btree (next_at) WHERE (state = 'pending'::text);
CREATE INDEX webhook_message_open_idx ON cmbs_store.webhook_message USING btree (created_at) WHERE (state <> 'delivered'::text);

CREATE TRIGGER api_token_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.api_token FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.api_token ENABLE ALWAYS TRIGGER api_token_append_only;
CREATE TRIGGER api_token_use_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.api_token_use FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.api_token_use ENABLE ALWAYS TRIGGER api_token_use_append_only;
CREATE TRIGGER audit_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.audit_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.audit_event ENABLE ALWAYS TRIGGER audit_event_append_only;
CREATE TRIGGER capability_revocation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.capability_revocation FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.capability_revocation ENABLE ALWAYS TRIGGER capability_revocation_append_only;
CREATE TRIGGER capability_spending_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.capability_spending FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.capability_spending ENABLE ALWAYS TRIGGER capability_spending_append_only;
CREATE TRIGGER capability_token_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.capability_token FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.capability_token ENABLE ALWAYS TRIGGER capability_token_append_only;
CREATE TRIGGER claim_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.claim FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.claim ENABLE ALWAYS TRIGGER claim_append_only;
CREATE TRIGGER claim_confirmation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.claim_confirmation FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.claim_confirmation ENABLE ALWAYS TRIGGER claim_confirmation_append_only;
CREATE TRIGGER clock_step_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.clock_step FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.clock_step ENABLE ALWAYS TRIGGER clock_step_append_only;
CREATE TRIGGER conclusion_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.conclusion FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.conclusion ENABLE ALWAYS TRIGGER conclusion_append_only;
CREATE TRIGGER context_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.context FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.context ENABLE ALWAYS TRIGGER context_append_only;
CREATE TRIGGER context_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.context_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.context_event ENABLE ALWAYS TRIGGER context_event_append_only;
CREATE TRIGGER context_hypothesis_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.context_hypothesis FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.context_hypothesis ENABLE ALWAYS TRIGGER context_hypothesis_append_only;
CREATE TRIGGER context_tenant_fixed BEFORE UPDATE OF tenant ON cmbs_store.context FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.context ENABLE ALWAYS TRIGGER context_tenant_fixed;
CREATE TRIGGER context_tombstone_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.context_tombstone FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.context_tombstone ENABLE ALWAYS TRIGGER context_tombstone_append_only;
CREATE TRIGGER context_universe_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.context_universe FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.context_universe ENABLE ALWAYS TRIGGER context_universe_append_only;
CREATE TRIGGER deferral_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.deferral FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.deferral ENABLE ALWAYS TRIGGER deferral_append_only;
CREATE TRIGGER edge_tombstone_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.edge_tombstone FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.edge_tombstone ENABLE ALWAYS TRIGGER edge_tombstone_append_only;
CREATE TRIGGER elimination_claimant_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.elimination_claimant FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.elimination_claimant ENABLE ALWAYS TRIGGER elimination_claimant_append_only;
CREATE TRIGGER elimination_count_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.elimination_count FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.elimination_count ENABLE ALWAYS TRIGGER elimination_count_append_only;
CREATE TRIGGER graph_edge_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.graph_edge FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.graph_edge ENABLE ALWAYS TRIGGER graph_edge_append_only;
CREATE TRIGGER graph_edge_provenance_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.graph_edge_provenance FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.graph_edge_provenance ENABLE ALWAYS TRIGGER graph_edge_provenance_append_only;
CREATE TRIGGER graph_head_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.graph_head FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.graph_head ENABLE ALWAYS TRIGGER graph_head_append_only;
CREATE TRIGGER graph_merge_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.graph_merge FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.graph_merge ENABLE ALWAYS TRIGGER graph_merge_append_only;
CREATE TRIGGER graph_node_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.graph_node FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.graph_node ENABLE ALWAYS TRIGGER graph_node_append_only;
CREATE TRIGGER graph_node_confirmation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.graph_node_confirmation FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.graph_node_confirmation ENABLE ALWAYS TRIGGER graph_node_confirmation_append_only;
CREATE TRIGGER graph_node_provenance_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.graph_node_provenance FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.graph_node_provenance ENABLE ALWAYS TRIGGER graph_node_provenance_append_only;
CREATE TRIGGER hypothesis_space_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.hypothesis_space FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.hypothesis_space ENABLE ALWAYS TRIGGER hypothesis_space_append_only;
CREATE TRIGGER identity_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.identity_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.identity_event ENABLE ALWAYS TRIGGER identity_event_append_only;
CREATE TRIGGER identity_head_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.identity_head FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.identity_head ENABLE ALWAYS TRIGGER identity_head_append_only;
CREATE TRIGGER incident_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.incident FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.incident ENABLE ALWAYS TRIGGER incident_append_only;
CREATE TRIGGER incident_event_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.incident_event FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.incident_event ENABLE ALWAYS TRIGGER incident_event_append_only;
CREATE TRIGGER incident_tenant_fixed BEFORE UPDATE OF tenant, version, universe_digest, has_edges_listed ON cmbs_store.incident FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.incident ENABLE ALWAYS TRIGGER incident_tenant_fixed;
CREATE TRIGGER interrupt_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.interrupt FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.interrupt ENABLE ALWAYS TRIGGER interrupt_append_only;
CREATE TRIGGER interrupt_resolution_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.interrupt_resolution FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.interrupt_resolution ENABLE ALWAYS TRIGGER interrupt_resolution_append_only;
CREATE TRIGGER interrupt_use_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.interrupt_use FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.interrupt_use ENABLE ALWAYS TRIGGER interrupt_use_append_only;
CREATE TRIGGER json_schema_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.json_schema FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.json_schema ENABLE ALWAYS TRIGGER json_schema_append_only;
CREATE TRIGGER node_tombstone_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.node_tombstone FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.node_tombstone ENABLE ALWAYS TRIGGER node_tombstone_append_only;
CREATE TRIGGER obligation_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.obligation FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.obligation ENABLE ALWAYS TRIGGER obligation_append_only;
CREATE TRIGGER obligation_end_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.obligation_end FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.obligation_end ENABLE ALWAYS TRIGGER obligation_end_append_only;
CREATE TRIGGER open_item_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.open_item FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.open_item ENABLE ALWAYS TRIGGER open_item_append_only;
CREATE TRIGGER permit_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.permit FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.permit ENABLE ALWAYS TRIGGER permit_append_only;
CREATE TRIGGER permit_begin_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.permit_begin FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.permit_begin ENABLE ALWAYS TRIGGER permit_begin_append_only;
CREATE TRIGGER permit_end_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.permit_end FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.permit_end ENABLE ALWAYS TRIGGER permit_end_append_only;
CREATE TRIGGER policy_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.policy ENABLE ALWAYS TRIGGER policy_append_only;
CREATE TRIGGER policy_default_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_default FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.policy_default ENABLE ALWAYS TRIGGER policy_default_append_only;
CREATE TRIGGER policy_entry_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_entry FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.policy_entry ENABLE ALWAYS TRIGGER policy_entry_append_only;
CREATE TRIGGER policy_halt_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_halt FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.policy_halt ENABLE ALWAYS TRIGGER policy_halt_append_only;
CREATE TRIGGER policy_pin_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_pin FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.policy_pin ENABLE ALWAYS TRIGGER policy_pin_append_only;
CREATE TRIGGER policy_version_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.policy_version FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.policy_version ENABLE ALWAYS TRIGGER policy_version_append_only;
CREATE TRIGGER principal_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.principal FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.principal ENABLE ALWAYS TRIGGER principal_append_only;
CREATE TRIGGER proposal_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.proposal FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.proposal ENABLE ALWAYS TRIGGER proposal_append_only;
CREATE TRIGGER reason_code_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.reason_code FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.reason_code ENABLE ALWAYS TRIGGER reason_code_append_only;
CREATE TRIGGER schema_document_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.schema_document FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.schema_document ENABLE ALWAYS TRIGGER schema_document_append_only;
CREATE TRIGGER session_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.session FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.session ENABLE ALWAYS TRIGGER session_append_only;
CREATE TRIGGER session_mask_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.session_mask FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.session_mask ENABLE ALWAYS TRIGGER session_mask_append_only;
CREATE TRIGGER session_mode_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.session_mode FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.session_mode ENABLE ALWAYS TRIGGER session_mode_append_only;
CREATE TRIGGER session_tenant_fixed BEFORE UPDATE OF tenant ON cmbs_store.session FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.session ENABLE ALWAYS TRIGGER session_tenant_fixed;
CREATE TRIGGER shadow_pin_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.shadow_pin FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.shadow_pin ENABLE ALWAYS TRIGGER shadow_pin_append_only;
CREATE TRIGGER state_checkpoint_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.state_checkpoint FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.state_checkpoint ENABLE ALWAYS TRIGGER state_checkpoint_append_only;
CREATE TRIGGER state_delta_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.state_delta FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.state_delta ENABLE ALWAYS TRIGGER state_delta_append_only;
CREATE TRIGGER state_value_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.state_value FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.state_value ENABLE ALWAYS TRIGGER state_value_append_only;
CREATE TRIGGER tee_message_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.tee_message FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.tee_message ENABLE ALWAYS TRIGGER tee_message_append_only;
CREATE TRIGGER tee_mirror_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.tee_mirror FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.tee_mirror ENABLE ALWAYS TRIGGER tee_mirror_append_only;
CREATE TRIGGER tombstone_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.tombstone FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.tombstone ENABLE ALWAYS TRIGGER tombstone_append_only;
CREATE TRIGGER tool_definition_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.tool_definition FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.tool_definition ENABLE ALWAYS TRIGGER tool_definition_append_only;
CREATE TRIGGER tool_registration_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.tool_registration FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.tool_registration ENABLE ALWAYS TRIGGER tool_registration_append_only;
CREATE TRIGGER universe_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.universe FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.universe ENABLE ALWAYS TRIGGER universe_append_only;
CREATE TRIGGER universe_edge_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.universe_edge FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.universe_edge ENABLE ALWAYS TRIGGER universe_edge_append_only;
CREATE TRIGGER universe_member_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.universe_member FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.universe_member ENABLE ALWAYS TRIGGER universe_member_append_only;
CREATE TRIGGER webhook_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON cmbs_store.webhook FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.webhook ENABLE ALWAYS TRIGGER webhook_append_only;
CREATE TRIGGER webhook_message_append_only BEFORE DELETE OR TRUNCATE ON cmbs_store.webhook_message FOR EACH STATEMENT EXECUTE FUNCTION cmbs_store.refuse_change();
ALTER TABLE cmbs_store.webhook_message ENABLE ALWAYS TRIGGER webhook_message_append_only;

ALTER TABLE ONLY cmbs_store.api_token
    ADD CONSTRAINT api_token_principal_fk FOREIGN KEY (name, tenant) REFERENCES cmbs_store.principal(name, tenant);
ALTER TABLE ONLY cmbs_store.context
    ADD CONSTRAINT context_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.context_universe(universe_digest);
ALTER TABLE ONLY cmbs_store.hypothesis_space
    ADD CONSTRAINT hypothesis_space_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.universe(universe_digest);
ALTER TABLE ONLY cmbs_store.incident
    ADD CONSTRAINT incident_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.context_universe(universe_digest);
ALTER TABLE ONLY cmbs_store.json_schema
    ADD CONSTRAINT json_schema_schema_hash_fk FOREIGN KEY (schema_hash) REFERENCES cmbs_store.schema_document(schema_hash);
ALTER TABLE ONLY cmbs_store.policy_version
    ADD CONSTRAINT policy_version_policy_hash_fk FOREIGN KEY (policy_hash) REFERENCES cmbs_store.policy(policy_hash);
ALTER TABLE ONLY cmbs_store.session
    ADD CONSTRAINT session_universe_digest_fk FOREIGN KEY (universe_digest) REFERENCES cmbs_store.universe(universe_digest);
ALTER TABLE ONLY cmbs_store.tool_registration
    ADD CONSTRAINT tool_registration_tool_hash_fk FOREIGN KEY (tool_hash) REFERENCES cmbs_store.tool_definition(tool_hash);
GRANT USAGE ON SCHEMA cmbs TO cmbs_kernel;
GRANT USAGE ON SCHEMA cmbs TO cmbs_agent;
GRANT USAGE ON SCHEMA cmbs TO cmbs_policy;
GRANT USAGE ON SCHEMA cmbs TO cmbs_auditor;
GRANT USAGE ON SCHEMA cmbs TO cmbs_analyst;
GRANT USAGE ON SCHEMA cmbs TO cmbs_admin;
GRANT USAGE ON SCHEMA cmbs TO cmbs_server;
GRANT USAGE ON SCHEMA cmbs_store TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.policy_entry TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(audit_seq) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(audit_head_event_id) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(audit_head_hash) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(audit_head_at) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(survivors_hash) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(n_survivors) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(is_terminated) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(mask) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(obligation_seq) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(obligation_id) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(obligation_minimum) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(obligation_survivors) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(conclusion_id) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(conclusion_run) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT UPDATE(n_clock_steps) ON TABLE cmbs_store.session TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.capability_token TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.interrupt TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.api_token TO cmbs_kernel;
GRANT UPDATE(revoked_at) ON TABLE cmbs_store.api_token TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.principal TO cmbs_kernel;
GRANT UPDATE(roles) ON TABLE cmbs_store.principal TO cmbs_kernel;
GRANT UPDATE(source_prefixes) ON TABLE cmbs_store.principal TO cmbs_kernel;
GRANT UPDATE(is_enabled) ON TABLE cmbs_store.principal TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.permit TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.policy TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.context TO cmbs_kernel;
GRANT UPDATE(n_events) ON TABLE cmbs_store.context TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.policy_pin TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.deferral TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.incident TO cmbs_kernel;
GRANT UPDATE(n_events) ON TABLE cmbs_store.incident TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.audit_event TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.policy_version TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.open_item TO cmbs_kernel;
GRANT UPDATE(due_at) ON TABLE cmbs_store.open_item TO cmbs_kernel;
GRANT UPDATE(is_open) ON TABLE cmbs_store.open_item TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.claim TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.tee_message TO cmbs_kernel;
GRANT UPDATE(state) ON TABLE cmbs_store.tee_message TO cmbs_kernel;
GRANT UPDATE(n_attempts) ON TABLE cmbs_store.tee_message TO cmbs_kernel;
GRANT UPDATE(next_at) ON TABLE cmbs_store.tee_message TO cmbs_kernel;
GRANT UPDATE(last_error) ON TABLE cmbs_store.tee_message TO cmbs_kernel;
GRANT UPDATE(delivered_at) ON TABLE cmbs_store.tee_message TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.edge_tombstone TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.policy_default TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.webhook TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.api_token_use TO cmbs_kernel;
GRANT UPDATE(used_at) ON TABLE cmbs_store.api_token_use TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs_store.clock_mark TO cmbs_kernel;
GRANT UPDATE(reached_at) ON TABLE cmbs_store.clock_mark TO cmbs_kernel;
GRANT UPDATE(lead_us) ON TABLE cmbs_store.clock_mark TO cmbs_kernel;
GRANT UPDATE(n_steps) ON TABLE cmbs_store.clock_mark TO cmbs_kernel;
GRANT UPDATE(n_found) ON TABLE cmbs_store.clock_mark TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.api_token TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.api_token TO cmbs_admin;
GRANT SELECT,INSERT ON TABLE cmbs_store.interrupt_resolution TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.approval_latency TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.approval_latency TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.approval_latency TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.schema_document TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.tool_definition TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.arbitration_content TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.arbitration_content TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.arbitration_content TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.audit_event TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.capability_revocation TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.capability_spending TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.capability_budget TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.capability_budget TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.capability_budget TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.chain_head TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.chain_head TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.chain_head TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.tombstone TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.claim TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.claim TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.claim TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.conclusion TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.conclusion TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.conclusion TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.conclusion TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.constraint_hit TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.constraint_hit TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.constraint_hit TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.context_event TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.context_tombstone TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.context_elimination TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.decision TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.decision TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.decision TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.decision_item TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.decision_item TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.decision_item TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.deferral TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.deferral TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.deferral TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.denial TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.denial TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.denial TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.elimination TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.elimination TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.elimination TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.gate_decision TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.graph_edge TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.graph_edge_provenance TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.graph_edge TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.graph_edge TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.graph_edge TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.graph_merge TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.graph_node TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.graph_growth TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.graph_growth TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.graph_growth TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.graph_node_confirmation TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.graph_node_provenance TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.graph_node TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.graph_node TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.graph_node TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.identity_event TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.identity_event TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.identity_event TO cmbs_admin;
GRANT SELECT,INSERT ON TABLE cmbs_store.node_tombstone TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.incident TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.incident TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.incident TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.incident_event TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.incident_tombstone TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.incident_tombstone TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.incident_tombstone TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.clock_step TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.interrupt_use TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.interrupt TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.interrupt TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.interrupt TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.context_hypothesis TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.live_edge TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.live_edge TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.live_edge TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.live_node TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.live_node TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.live_node TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.most_tombstoned TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.most_tombstoned TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.most_tombstoned TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.obligation TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.obligation_end TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.obligation TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.obligation TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.obligation TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.permit_begin TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.permit_end TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.permit TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.permit TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.permit TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.principal TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.principal TO cmbs_admin;
GRANT SELECT ON TABLE cmbs_store.reason_code TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.reason_code TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.reason_code TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.reason_code TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.recorded_claim TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.recorded_claim TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.recorded_claim TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.session TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.session TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.session TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.session_mode TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.session_mode TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.session_mode TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.session_mode TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.shadow_divergence TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.shadow_divergence TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.shadow_divergence TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.source_effect TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.state_delta TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.state_value TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.state_change TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.state_change TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.state_change TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.universe_member TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.survivor TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.survivor TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.survivor TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.survivors_over_time TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.survivors_over_time TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.survivors_over_time TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.tee_message TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.tee_message TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.tee_message TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.universe_member TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.universe_member TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.universe_member TO cmbs_analyst;
GRANT SELECT ON TABLE cmbs.unmatched_constraint TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.unmatched_constraint TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.unmatched_constraint TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.webhook_message TO cmbs_kernel;
GRANT UPDATE(state) ON TABLE cmbs_store.webhook_message TO cmbs_kernel;
GRANT UPDATE(n_attempts) ON TABLE cmbs_store.webhook_message TO cmbs_kernel;
GRANT UPDATE(next_at) ON TABLE cmbs_store.webhook_message TO cmbs_kernel;
GRANT UPDATE(last_error) ON TABLE cmbs_store.webhook_message TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs.webhook_message TO cmbs_auditor;
GRANT SELECT ON TABLE cmbs.webhook_message TO cmbs_policy;
GRANT SELECT ON TABLE cmbs.webhook_message TO cmbs_analyst;
GRANT SELECT,INSERT ON TABLE cmbs_store.claim_confirmation TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.context_universe TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.elimination_claimant TO cmbs_kernel;
GRANT UPDATE(other_seq) ON TABLE cmbs_store.elimination_claimant TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.elimination_count TO cmbs_kernel;
GRANT UPDATE(counted_seq) ON TABLE cmbs_store.elimination_count TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.graph_head TO cmbs_kernel;
GRANT UPDATE(version) ON TABLE cmbs_store.graph_head TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.hypothesis_space TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.identity_head TO cmbs_kernel;
GRANT UPDATE(seq) ON TABLE cmbs_store.identity_head TO cmbs_kernel;
GRANT UPDATE(event_hash) ON TABLE cmbs_store.identity_head TO cmbs_kernel;
GRANT UPDATE(recorded_at) ON TABLE cmbs_store.identity_head TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.json_schema TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.policy_halt TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.proposal TO cmbs_kernel;
GRANT SELECT ON TABLE cmbs_store.revision TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.session_mask TO cmbs_kernel;
GRANT UPDATE(chunk) ON TABLE cmbs_store.session_mask TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.shadow_pin TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.state_checkpoint TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.tee_mirror TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.tool_registration TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.universe TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.universe_edge TO cmbs_kernel;

ALTER DEFAULT PRIVILEGES FOR ROLE cmbs_kernel REVOKE ALL ON FUNCTIONS FROM PUBLIC;
ALTER DEFAULT PRIVILEGES FOR ROLE cmbs_owner REVOKE ALL ON FUNCTIONS FROM PUBLIC;

FUNCTION cmbs.add_analyst(p_name text, p_verifier text DEFAULT NULL::text) RETURNS void
    LANGUAGE plpgsql SET search_path TO 'pg_catalog', 'pg_temp' OWNER cmbs_owner EXECUTE cmbs_owner TEXT a81b5c488b9d07f2a431a39d4d576032
    COMMENT 'Makes a login for an analyst: it reads the views, verifies, and may nothing else.'
FUNCTION cmbs.apply_policy(p_session_id uuid, p_pack text, p_version integer, p_shadow json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT fe81df9ccb4a146d1651656f3f7490d7
    COMMENT 'Lets a version of a policy pack decide in a session from now on (verb POLICY_APPLY). Raises MB001, MB007, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d3c3fae154c11f1d343233d2430dc412
    COMMENT 'One event of the log of a session. Raises MB001, MB003, MB201.'
FUNCTION cmbs.audit_identities(p_since_seq bigint DEFAULT 0, p_limit integer DEFAULT 500, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT d8d74128fc6a7321e59dc81ad8ae8df1
    COMMENT 'The log of identities of a tenant, in order: who made and changed which principal and token. Raises MB201, MB302.'
FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid DEFAULT NULL::uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS SETOF text
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 00c5031c27c25ced2ca27e5fbf418b7d
    COMMENT 'The log of a session as lines for an auditor, who hashes the bytes of the record and needs no canonicalisation; the first line carries the hypotheses. Raises MB001, MB003, MB201.'
FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid DEFAULT NULL::uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d6aa1e9814d3d0757c508483b54defd5
    COMMENT 'The log of a session, or the part of it after an event, in order (verb AUDIT_TRACE). Raises MB001, MB003, MB201.'
FUNCTION cmbs.begin_execution(p_session_id uuid, p_permit_id uuid, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT a17b3788bad0d5829a77264f988c9536
    COMMENT 'Begins the execution of a call that was allowed (verb BEGIN_EXECUTION): whoever runs the tool may run it now, once, with the arguments of the answer. Raises MB001, MB011, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.change_principal(p_name text, p_roles text[] DEFAULT NULL::text[], p_source_prefixes text[] DEFAULT NULL::text[], p_is_enabled boolean DEFAULT NULL::boolean, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT 1d930974ce93e3cc6f7574e7e6985f25
    COMMENT 'Changes what a principal may, or whether it may anything; what is left out stays. Raises MB005, MB201, MB203, MB302.'
FUNCTION cmbs.complete_execution(p_session_id uuid, p_permit_id uuid, p_outcome text, p_result json DEFAULT NULL::json, p_usage json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 49dde22a5921c154c4ade8905ea741e6
    COMMENT 'Records how the execution of a permit ended (verb COMPLETE_EXECUTION), by whoever began it: its outcome, its result, and what it used up. Raises MB001, MB011, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.confirm_claim(p_session_id uuid, p_key text, p_value_digest text, p_comment text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 5d88ca4b4f0fa3da592ebb94ea21295a
    COMMENT 'Confirms what is claimed of a key (verb CONFIRM_CLAIM): a value, by its digest. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.create_context(p_context_id text, p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel TEXT acc188fc62036cb666e45a66c1226e26
    COMMENT 'Begins an elimination context: a set of hypotheses of which nothing is eliminated, under an id of the caller''s. Raises MB102, MB201, MB203.'
FUNCTION cmbs.create_incident(p_incident_id text, p_node_ids text[] DEFAULT NULL::text[], p_edges json DEFAULT NULL::json, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 832da97cdf839f6ac8e47fb61e81627e
    COMMENT 'Begins an incident, pinned to the causal graph as it is now (CreateIncident). Raises MB102, MB201, MB203.'
FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[] DEFAULT '{}'::text[], p_tenant text DEFAULT NULL::text, p_is_login boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT d131f6495ea4f0accd9b05101c79be01
    COMMENT 'Makes a principal: somebody who may call, with what roles and for which sources. Raises MB102, MB201, MB203, MB302.'
FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[] DEFAULT NULL::text[], p_scope_tenant text DEFAULT NULL::text, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT 6aba83d0cbf3230aa38be09b3740e6b8
    COMMENT 'Makes a token of a principal known. Raises MB005, MB102, MB201, MB302.'
FUNCTION cmbs.declare_conclusion(p_session_id uuid, p_conclusion_id text, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 12534b7d32c2a6cc14adc88fce5df484
    COMMENT 'Declares a conclusion (verb DECLARE_CONCLUSION). Raises MB001, MB101, MB102, MB103, MB201, MB203.'
FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[] DEFAULT NULL::text[], p_metadata json DEFAULT NULL::json, p_policy json DEFAULT NULL::json, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_arbitration json DEFAULT NULL::json, p_universe_from json DEFAULT NULL::json, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 6cdcceba581cab7f4ebd5f54467139b8
    COMMENT 'Starts a session from a set of hypotheses (verb DECLARE_SESSION). Raises MB004, MB007, MB013, MB102, MB201, MB203.'
FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d15533e1cfd7be396914e91e19e454db
    COMMENT 'What changed in a session from one event to another: numbers before and after, the hypotheses eliminated in between, what the gates were asked. Raises MB001, MB003, MB201.'
FUNCTION cmbs.diff_policy(p_pack text, p_version integer, p_to_version integer, p_to_pack text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 780d1fe9e1d5fbe4bc086139838014d3
    COMMENT 'What two versions of policy packs have differently: the entries that only one has, and those that both have with other values. Raises MB007, MB201, MB302.'
FUNCTION cmbs.eliminate(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_justification json DEFAULT NULL::json, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 81948a44aa555d0f4674dd558dcefa91
    COMMENT 'Eliminates hypotheses on the word of one observation (verb ELIMINATE). Raises MB001, MB101, MB102, MB103, MB201, MB202, MB203.'
FUNCTION cmbs.eliminate_batch(p_session_id uuid, p_messages json, p_expected_head uuid DEFAULT NULL::uuid, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 95c8fba2848d293ec3901a33a1bec0c7
    COMMENT 'Eliminates on the word of many observations, in order, all or nothing (verb ELIMINATE, batch). Raises MB001, MB101, MB102, MB103, MB201, MB202, MB203.'
FUNCTION cmbs.eliminate_in_context(p_context_id text, p_eliminated text[], p_source_id text, p_trigger text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel TEXT 8ce0004d2d6892db438c3c0d7039fd03
    COMMENT 'Eliminates hypotheses of an elimination context. Raises MB001, MB201, MB203.'
FUNCTION cmbs.enter_obligation(p_session_id uuid, p_obligation_id text, p_min_total_eliminations bigint, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT e48a892211bad0160bb6d57782931282
    COMMENT 'Enters an obligation: until it is left, nothing can be concluded or terminated (verb ENTER_OBLIGATION). Raises MB001, MB101, MB102, MB103, MB201, MB203.'
FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 896987e12f34e3d6930be1d8fa3f43d9
    COMMENT 'Where a session stands and how it came there: who eliminated what, when, on which evidence; how near an obligation is to its exit; whether a conclusion or a termination would be accepted now. Raises MB001, MB201, MB202.'
FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 276aebc01665c1f150df01009d50bb84
    COMMENT 'Tells why a proposal was decided as it was: of each item every constraint that applied, each clause of it, the values that were read then, and what would have unlocked it. Raises MB001, MB003, MB201.'
FUNCTION cmbs.halt_policy(p_is_halted boolean, p_reason text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 850becc1e6f53737e971d5327006850a
    COMMENT 'Switches the kill switch of a tenant on or off: while it is on, every proposal and claim in all of its sessions is denied, whatever their policy. Raises MB201, MB302.'
FUNCTION cmbs.identify(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_policy, cmbs_server TEXT 04831738b2e3e3a711793968e3a48988
    COMMENT 'Who calls, and what they may. Raises MB301, MB302.'
FUNCTION cmbs.import_content(p_kind text, p_content text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_owner TEXT 728f848523803b607133362bb6b63946
    COMMENT 'Takes over the content of a policy, a schema or a tool that another database recorded decisions by, so that they can be taken again here. Raises MB201.'
FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json DEFAULT NULL::json, p_tenant text DEFAULT 'default'::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_owner TEXT 5189a6f04b5985ffff38d70e5d0b1bee
    COMMENT 'Takes over a part of a session''s log that another database recorded: the exact records, one a line. Raises MB001, MB102, MB201, MB203.'
FUNCTION cmbs.issue_capability(p_session_id uuid, p_grant json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 692da4cb11e5fbb22334014195f5ef44
    COMMENT 'Issues a capability token (verb TOKEN_ISSUE): what a principal may propose in a session, and how often. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.lint_policy(p_entries json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT c1f929854d1c4f9c9f5d1be7842455b2
    COMMENT 'What would be wrong with entries if they were published, or probably not meant. Raises MB201, MB203, MB302.'
FUNCTION cmbs.lint_published_policy(p_pack text, p_version integer DEFAULT NULL::integer, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 2d91d50c05932ea478bacdeae30d6701
    COMMENT 'What is wrong in a version of a policy pack, or probably not meant; in the newest where none is named. Raises MB007, MB201, MB302.'
FUNCTION cmbs.list_analysts() RETURNS json
    LANGUAGE sql STABLE SET search_path TO 'pg_catalog', 'pg_temp' OWNER cmbs_owner EXECUTE cmbs_owner TEXT 1f09eaed38b5579384b7b042daeeb3cc
    COMMENT 'Every login of an analyst, how many connections it has now, in whatever database, and the tenant that it was registered for.'
FUNCTION cmbs.list_capabilities(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT a6b198fa1ebdbe034e8c45d07c443ca5
    COMMENT 'The capability tokens of a session in the order in which they were issued, with what is left of their budgets. Raises MB001, MB201.'
FUNCTION cmbs.list_claims(p_session_id uuid, p_key text DEFAULT NULL::text, p_history boolean DEFAULT false, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 9df3416db6bcff9ce24a891c95c85261
    COMMENT 'The claims of a session, newest first: those that live, or all. Raises MB001, MB201.'
FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 7e33ca87f374033b4b0523624f2aedbc
    COMMENT 'Every conclusion that was declared in a session, accepted or not, in order. Raises MB001, MB201.'
FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 0df258c9ecf3e03be98762b1d9cd8f5f
    COMMENT 'The deferred proposals of a session with every try, those tried last first, a page at a time. Raises MB001, MB201.'
FUNCTION cmbs.list_due(p_limit integer DEFAULT 100, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 5f3937287f0e03790d2dd17e31fd72dc
    COMMENT 'The sessions in which something is due that `sweep_expired` does, first what has waited longest. Raises MB201, MB302.'
FUNCTION cmbs.list_inbox(p_status text DEFAULT 'pending'::text, p_limit integer DEFAULT 50, p_cursor text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d25fa3a2f8fd75686dc870152ad06d9a
    COMMENT 'Questions of all sessions that the caller may see, first what runs out first, a page at a time. Raises MB201.'
FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 7a493eff2b14af93eabff48d4a8697c0
    COMMENT 'The questions of a session, newest first, a page at a time. Raises MB001, MB201.'
FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 01ee831ffe1eb0b77ab1653995fddcc8
    COMMENT 'Every obligation of a session, in the order of entry: active, exited or waived, its threshold and what was counted. Raises MB001, MB201.'
FUNCTION cmbs.list_permits(p_session_id uuid, p_status text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 9212ca781c57c745b20cbfe6968cc05f
    COMMENT 'The permits of a session, newest first, a page at a time. Raises MB001, MB201.'
FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 44db6375f22944f0162d59f9dc5d5366
    COMMENT 'Tells of each tool whether the caller could call it now with a capability token, and if not, why not. Raises MB001, MB201.'
FUNCTION cmbs.list_policies(p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT b0d4a7c5cc3658a03ceaba4c16f37db3
    COMMENT 'The versions of policy packs that a tenant may use, by name and number, and whether the kill switch is on. Raises MB201, MB302.'
FUNCTION cmbs.list_policy_versions(p_pack text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT edbfcf740a25c4d4d97030c3afcde4d9
    COMMENT 'The versions of one policy pack that a tenant may use, by number, and whether the kill switch is on. Raises MB007, MB201, MB302.'
FUNCTION cmbs.list_principals(p_limit integer DEFAULT 50, p_after text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT 3f3c9505de6b36c0cd1cb247315d69e6
    COMMENT 'Principals of a tenant by name, a page at a time. Raises MB201, MB302.'
FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_decision text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d9d231abed81228ff7a94e1ffe2fc6b4
    COMMENT 'The proposals of a session with what was decided, newest first, a page at a time. Raises MB001, MB201.'
FUNCTION cmbs.list_schemas(p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 4944c8dd6c4754cba42c558cc11774db
    COMMENT 'The JSON Schemas of a tenant, by id, without their documents. Raises MB201, MB302.'
FUNCTION cmbs.list_sessions(p_limit integer DEFAULT 50, p_cursor text DEFAULT NULL::text, p_terminated boolean DEFAULT NULL::boolean, p_hypothesis_space_id text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_custom_plan' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT ecbc1572e0af736adeee3638949550f5
    COMMENT 'Sessions, newest first, as snapshots without their survivors. Raises MB201.'
FUNCTION cmbs.list_tokens(p_name text DEFAULT NULL::text, p_limit integer DEFAULT 50, p_after uuid DEFAULT NULL::uuid, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT 0260542c83678d740ff146d6431b2e3c
    COMMENT 'Tokens of a tenant, newest first, also those that count no more; without what their holders show. Raises MB005, MB006, MB201, MB302.'
FUNCTION cmbs.list_tools(p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT b0ef43471925b2513ebed6aa9f57675a
    COMMENT 'The tools of a tenant with the definitions that count, by id, those that were withdrawn included. Raises MB201, MB302.'
FUNCTION cmbs.merge_edge_tombstones(p_incident_id text, p_edges json, p_source_id text, p_trigger text, p_occurred_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT de776e983a3086bce751bf49bf3a71b0
    COMMENT 'Rules edges out of an incident (MergeEdgeTombstones). Raises MB013, MB201, MB203, MB302.'
FUNCTION cmbs.merge_hypothesis(p_nodes json DEFAULT NULL::json, p_edges json DEFAULT NULL::json, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT ee043516f50b451963ee818bdd5d735e
    COMMENT 'Merges nodes and edges into the causal graph of the caller''s tenant (MergeHypothesis). Raises MB201, MB203, MB302.'
FUNCTION cmbs.merge_node_tombstones(p_incident_id text, p_node_ids text[], p_source_id text, p_trigger text, p_occurred_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT f800fba5421e8270dfee5d35b3d12d1c
    COMMENT 'Rules nodes out of an incident (MergeNodeTombstones). Raises MB013, MB201, MB203, MB302.'
FUNCTION cmbs.narrow_capability(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT b59511d772c162476423fb4e2fce090a
    COMMENT 'Makes a narrower capability token from another (verb TOKEN_ISSUE with a parent), for oneself or for somebody else. Raises MB001, MB006, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.promote_claim(p_session_id uuid, p_claim_id uuid, p_evidence json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT d3a37406d2ef61dba23dbcaa1a8b015a
    COMMENT 'Promotes a claim (verb RECORD_CLAIM with the claim that it promotes): records it anew, by evidence that no claim before it had. Raises MB001, MB010, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.propose(p_session_id uuid, p_proposal json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT c844d862551689ffe10a48656852abe3
    COMMENT 'Proposes changes of the state and calls of tools (verb PROPOSE). Raises MB001, MB101, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.publish_policy(p_pack text, p_entries json, p_fixtures json DEFAULT NULL::json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 686852efe402a4205a720256813de32e
    COMMENT 'Publishes a version of a policy pack, for ever. Raises MB102, MB201, MB203, MB302.'
FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid DEFAULT NULL::uuid, p_minimal boolean DEFAULT false, p_as_of_time timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 95852eb07e5a0f5b33b91a748af3ba0f
    COMMENT 'The belief of a session: its snapshot now, right after an event, or as it stood at a time (verb QUERY_BELIEF). Raises MB001, MB003, MB201.'
FUNCTION cmbs.read_context_eliminated(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel TEXT b905d52c9604cbfd067a7051db7dc9d7
    COMMENT 'The hypotheses of an elimination context that are gone, sorted. Raises MB001, MB201.'
FUNCTION cmbs.read_context_survivors(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel TEXT a07a227b08b7f4f4c49a2395db8f2030
    COMMENT 'The hypotheses of an elimination context that nothing has eliminated, sorted. Raises MB001, MB201.'
FUNCTION cmbs.read_incident(p_incident_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_server TEXT 08b6b93dabf095e1a5bd366486be4382
    COMMENT 'An incident (GetIncidentContext): what it is pinned to, its universe, and what is ruled out. Raises MB013, MB201.'
FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 6a10fd98b5ee47a4db38adf7ae6029d7
    COMMENT 'One question of a session: what exactly it is about, and what has become of it. Raises MB001, MB012, MB201.'
FUNCTION cmbs.read_live_view(p_incident_id text, p_limit integer DEFAULT NULL::integer, p_after text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_server TEXT c285622a73fdb485fe87c690205a59af
    COMMENT 'What an incident has not ruled out of the graph that it is pinned to (GetLiveView), and of the edges those that lead from what is left to what is left. Raises MB013, MB201.'
FUNCTION cmbs.read_main_graph(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_server TEXT 2d864e37895a570c059bcfdbc5b0a224
    COMMENT 'The causal graph of the caller''s tenant, all of it (GetMainGraph).'
FUNCTION cmbs.read_metrics(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'on' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_server TEXT 6766660cdbfc3fcc6652dc9d3239e85e
    COMMENT 'What the database knows of itself for those who watch it, in numbers: sessions by state, the log, what waits for people, for upkeep, for webhooks and for a Tee, and identities. Raises MB302.'
FUNCTION cmbs.read_mirror(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_server TEXT 744417a2c31934b74f96a3658ffe7f6f
    COMMENT 'How far the mirror is behind: what waits, since when, how often that was tried in vain, and what the Tee refused. Raises MB302.'
FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 9e41405066e8357c87c95f5fbf43334d
    COMMENT 'One permit of a session: the call that it lets execute, and what has become of it. Raises MB001, MB011, MB201.'
FUNCTION cmbs.read_policy(p_pack text, p_version integer DEFAULT NULL::integer, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 739baf1b70c0e9efb520403e569fc072
    COMMENT 'A version of a policy pack with its entries and fixtures; the newest where none is named. Raises MB007, MB201, MB302.'
FUNCTION cmbs.read_principal(p_name text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT 32195a2b4c15657ec4831ca0a4b39ee0
    COMMENT 'A principal, by its name, with what it may. Raises MB005, MB201, MB302.'
FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT ce270b18faa30c0dba414b2915eabace
    COMMENT 'A registered JSON Schema. Raises MB009, MB201, MB302.'
FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT dad146a01be9a7d1beb2014aa589bdd8
    COMMENT 'A registered hypothesis space with its hypotheses. Raises MB004, MB201.'
FUNCTION cmbs.read_state(p_session_id uuid, p_as_of uuid DEFAULT NULL::uuid, p_include_policy boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 163876b681edcb7c6a3dc3baa7e49426
    COMMENT 'The state of a session beside its belief, now or right after an event: facts and goals, the vector, and the policy in force. Raises MB001, MB003, MB201.'
FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT caabdeeb9c135d051bb73523a1a34b48
    COMMENT 'A token, by its id, also one that counts no more; without what its holder shows. Raises MB006, MB201, MB302.'
FUNCTION cmbs.read_tombstones(p_incident_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_server TEXT e7b06a733392d3ad91c5dccbf9d9e46e
    COMMENT 'What is ruled out of an incident (GetTombstones), also what the graph does not have. Raises MB013, MB201.'
FUNCTION cmbs.read_tool(p_tool_id text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT ca1d1e6eb14fd4d3fc29e654cf2a81c6
    COMMENT 'A tool with the definition that counts, also one that was withdrawn. Raises MB008, MB201, MB302.'
FUNCTION cmbs.record_claim(p_session_id uuid, p_claim json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT fa6df26f0639904805c18da53e1c6978
    COMMENT 'Records a claim with the evidence for it (verb RECORD_CLAIM). Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.recover_context(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel TEXT bc2b1434b373db5545060a891db21d84
    COMMENT 'All of an elimination context: what it began with, what is gone, and what is left. Raises MB001, MB201.'
FUNCTION cmbs.register_schema(p_schema_id text, p_document json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT e0fb5ff413a33cdbe60746ad9b1d6277
    COMMENT 'Registers a JSON Schema under an id, for ever. Raises MB102, MB201, MB203, MB302.'
FUNCTION cmbs.register_space(p_hypothesis_space_id text, p_hypothesis_version text, p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT d5cf7ac0d8a546ef46e187c8bfee5c59
    COMMENT 'Registers a set of hypotheses under a name and a version, for ever. Raises MB102, MB201, MB203.'
FUNCTION cmbs.register_tool(p_tool_id text, p_definition json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 0bea5686f0b289fc8d4b7b852a20bb79
    COMMENT 'Registers a tool: what it may, whether it changes something, which arguments it takes. Raises MB009, MB201, MB203, MB302.'
FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_owner, cmbs_server TEXT f64149f87829eff4468317af7ccef91b
    COMMENT 'Stores a set of hypotheses without declaring a session: what the front of a sharded server calls on every node before it delegates a declare. Raises MB201, MB203.'
FUNCTION cmbs.remove_analyst(p_name text) RETURNS void
    LANGUAGE plpgsql SET search_path TO 'pg_catalog', 'pg_temp' OWNER cmbs_owner EXECUTE cmbs_owner TEXT c38879f6ff07f4a32f81bd7143d1b102
    COMMENT 'Drops the login of an analyst, with the rights of the caller; sessions that are open can read nothing any more.'
FUNCTION cmbs.replay_policy(p_session_id uuid, p_pack text, p_version integer DEFAULT NULL::integer, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 27b5d7616df24b210ea4639fe8b9aa08
    COMMENT 'Tells what another version of a policy would have said to the proposals of a session, each in the state in which it was made: how many verdicts would be others, and which. Raises MB001, MB007, MB201.'
FUNCTION cmbs.request_exit(p_session_id uuid, p_obligation_id text, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT aee16b0e9a711495a761fc61129d0215
    COMMENT 'Asks to leave the active obligation (verb REQUEST_EXIT). Raises MB001, MB002, MB101, MB102, MB103, MB201, MB203.'
FUNCTION cmbs.request_termination(p_session_id uuid, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 5ed2eb536b94af0bfdc031cb23d57c8a
    COMMENT 'Asks to end the session (verb REQUEST_TERMINATION). Raises MB001, MB101, MB102, MB103, MB201, MB203.'
FUNCTION cmbs.resolve_interrupt(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT fc2171d86e66ba2df0617d422f34225e
    COMMENT 'Answers a question about an action (verb RESOLVE_INTERRUPT): approves it, declines it, or cancels the question. Raises MB001, MB012, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.resume(p_session_id uuid, p_proposal_id uuid, p_proposal json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 745bfca6e862b922444650fa7b598edd
    COMMENT 'Goes on with a proposal that people were asked about and approved (verb PROPOSE that resumes): a new verdict on the identical items, in the state and by the policy of now, by which the constraints count as satisfied that were approved away. Raises MB001, MB003, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.retry_mirror(p_session_id uuid DEFAULT NULL::uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_server TEXT 447f7a7063ca08fe634d7b4946c7d326
    COMMENT 'Has the Tee told everything of a session again, from its first event on: after what it had refused was mended, or after it has lost something. Raises MB001, MB201, MB302.'
FUNCTION cmbs.revision(p_credential bytea DEFAULT NULL::bytea) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_policy, cmbs_server TEXT 55d00fb9efa84b5c560942bbe5bfb922
    COMMENT 'The revision of the schema: what a server compares before it serves.'
FUNCTION cmbs.revoke_capability(p_session_id uuid, p_token_id uuid, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 8348c6b46d02b37557c803086835095f
    COMMENT 'Lets a capability token count no more, nor any that was made from it (verb TOKEN_REVOKE). Raises MB001, MB006, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT d3e29876a4808c3ea13dc6d4e6a95778
    COMMENT 'Revokes a token: from the next call on it counts nowhere. Raises MB006, MB201, MB302.'
FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT 6a4f5ffda7cf08262df646af324be640
    COMMENT 'Puts a new token in the place of an old one, with the same principal, verbs and tenant. Raises MB006, MB102, MB201, MB302.'
FUNCTION cmbs.set_mirror(p_endpoint text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_server TEXT 7eff6ac3acf6e19cc880194bbc6db389
    COMMENT 'Mirrors sessions that are declared from now on to a Tee, or to none any more. Raises MB201, MB203, MB302.'
FUNCTION cmbs.set_mode(p_session_id uuid, p_mode text, p_reason text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 12ceb5247ca389cd5d6f495d6345bfd2
    COMMENT 'Sets the mode of a session (verb SET_MODE): it scales soft budgets and forbids classes of effects, as the policy in force says. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT c295a8e8d7fcd08851fd388ebfbf02c7
    COMMENT 'Changes what DECLARE_SESSION fills in for policy members that are not given. Raises MB201, MB203, MB302.'
FUNCTION cmbs.set_webhook(p_url text, p_secret text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_server TEXT 7474bca1e532031a97474cff07a2f076
    COMMENT 'Lets a URL be told of questions that open and of their answers, or nobody any more. Raises MB201, MB203, MB302.'
FUNCTION cmbs.settle_mirror(p_session_id uuid, p_seq bigint, p_error text DEFAULT NULL::text, p_is_refused boolean DEFAULT false, p_first_seq bigint DEFAULT 1, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_server TEXT fb9e3e08a63aef378af137482452d093
    COMMENT 'Notes what came of telling the Tee of a session: up to which event it was, and why no further. Raises MB302.'
FUNCTION cmbs.settle_webhook(p_session_id uuid, p_message_id uuid, p_error text DEFAULT NULL::text, p_is_gone boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_server TEXT 59205c8e4a6cc45c1bc5ddc6376338e6
    COMMENT 'Notes what came of the delivery of a message of the outbox: delivered, or due again, each time after longer. Raises MB302.'
FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT e7c19d698a30b00f184c430e15b89fe9
    COMMENT 'Does what is due in a session: releases the reservations of permits that ran out unused (verb SWEEP_EXPIRED), records that the clock was set back where something had been granted before, and tries deferred proposals again that have waited long enough. Raises MB001, MB201, MB302.'
FUNCTION cmbs.take_mirror(p_after uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 20, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_server TEXT 6ca015903cf80b6017b3eba8447a3ffb
    COMMENT 'Takes what the Tee is to be told of sessions, the oldest first of each. Raises MB201, MB302.'
FUNCTION cmbs.take_webhooks(p_limit integer DEFAULT 20, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_server TEXT 2ccb6c01fb032517e76a80c670cf8035
    COMMENT 'Takes messages of the outbox that are due, with where they go and the secret that signs them. Raises MB201, MB302.'
FUNCTION cmbs.tenant(p_credential bytea DEFAULT NULL::bytea) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_policy, cmbs_server TEXT 53dd18cd4aad366b484aae84969b3818
    COMMENT 'Whose sessions and spaces the caller sees: the name of a tenant, or `*` for those of all. Raises MB301, MB302.'
FUNCTION cmbs.test_policy(p_pack text, p_version integer DEFAULT NULL::integer, p_fixtures json DEFAULT NULL::json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 1e5b97ea8f92021e6d21a884e0eb2119
    COMMENT 'Runs fixtures against a version of a policy pack: its own, or those that are sent. Raises MB007, MB201, MB203, MB302.'
FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 48f52fc7a6b000abd235fdb1b1281b1c
    COMMENT 'Recomputes a session from its log alone and compares: sequence, links, hashes, deltas, decisions, times, and then the stored tombstones, mask, counters, obligations and head. Raises MB001, MB201.'
FUNCTION cmbs.verify_all(p_credential bytea DEFAULT NULL::bytea) RETURNS TABLE(session_id uuid, ok boolean, rows_checked bigint, first_bad_seq bigint, reason text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 34acac0ef9b08daa5ab12f0b20a29fe2
    COMMENT 'Verifies every session, those of whose row nothing is left included.'
FUNCTION cmbs.verify_identities(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_nestloop TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT 9b448b8ef570e8f54d8be4b5914af19d
    COMMENT 'Recomputes the log of identities of every tenant that the caller sees, and compares principals and tokens with what it leads to. Raises MB302.'
FUNCTION cmbs.waive_obligation(p_session_id uuid, p_obligation_id text, p_reason text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 414c05d24ea191844a38caeb279191ec
    COMMENT 'Ends the active obligation although it is not met (verb WAIVE_OBLIGATION): the way out of one that cannot be met. Raises MB001, MB002, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text DEFAULT NULL::text, p_without_observation text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT c476a18a6072ab635c2399eebc3e03ee
    COMMENT 'What the server would have answered had some ELIMINATE messages never been sent: all of a source, one observation of it, or an observation of whichever source. Raises MB001, MB003, MB201.'
FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 2ea8d40556778581a9b9339d23a10081
    COMMENT 'Why a hypothesis is gone: the event that eliminated it, or null if it survives. Raises MB001, MB201, MB202.'
FUNCTION cmbs.withdraw_tool(p_tool_id text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 940bcc03f54561c428ce55b5fd7bd0e0
    COMMENT 'Withdraws a tool: nobody may call it, until it is registered again. Raises MB008, MB201, MB302.'
FUNCTION cmbs_store.accepted_conclusion(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2e9287cd73a79f7063c58e2a596f50e3
    COMMENT 'The last accepted conclusion, as of the event that the session is given as of.'
FUNCTION cmbs_store.active_obligation(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7e809ac2da1ce2a22f80b683224ad424
    COMMENT 'The active obligation of a session that has one, as JSON text.'
FUNCTION cmbs_store.altered_content(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cfaee4cdcd7f65ec6a24d0f0615283cb
    COMMENT 'The events that name a tool or a schema whose content is here and is not that of its hash.'
FUNCTION cmbs_store.alternative_offer(p_verdict jsonb, p_item jsonb, p_capability cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_evidence cmbs_store.evidence) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ded1c38e542302cdb4e4e753c19ddb92
    COMMENT 'What to ask for instead of what was denied, as a member of its verdict: where the soft limit of the budget was crossed a narrower token, where the mode forbids it a lower one that would not.'
FUNCTION cmbs_store.announce(p_session cmbs_store.session, p_event text, p_interrupt_ids uuid[]) RETURNS void
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6b38a4b58cd083023038f66826a007a7
    COMMENT 'Puts into the outbox that something happened to questions of a session, if somebody is to be told.'
FUNCTION cmbs_store.announce_opened(p_session cmbs_store.session, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 738daaf3c7b39553c812fd508b85161c
    COMMENT 'Puts into the outbox which questions a proposal opened, if somebody is to be told.'
FUNCTION cmbs_store.answer_fault(p_state cmbs_store.session, p_actor text, p_payload jsonb, p_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1ed45e96215eefd3d401ae5a7183e7bf
    COMMENT 'What is wrong with a recorded answer to a question; null if nothing is. Raises MB012.'
FUNCTION cmbs_store.answered_outcome(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_resolution text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c28d102f003e3c6d7e115ac56a997c48
    COMMENT 'The members of an answer that tell how a question was answered, as JSON text.'
FUNCTION cmbs_store.api_token_end(p_token cmbs_store.api_token) RETURNS timestamp with time zone
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6baed2232a219794151b607da73dfba6
    COMMENT 'When a token expires by the clock of this server: what the clock has lost since the token was made is taken off.'
FUNCTION cmbs_store.api_token_json(p_token cmbs_store.api_token) RETURNS jsonb
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 062bc474eae49c1e60694d0d2fa10a9d
    COMMENT 'A token as it is shown: everything but what its holder shows.'
FUNCTION cmbs_store.append_declare(p_session cmbs_store.session, p_actor text, p_notes text, p_metadata text, p_arbitration jsonb) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1f39c1227e10a1450554db78c3cb75ee
    COMMENT 'Appends the first event of a session just made, pins the version of a policy pack that it names, and returns the session with that head.'
FUNCTION cmbs_store.append_event(p_session cmbs_store.session, p_before_hash bytea, p_verb text, p_actor text, p_source_id text, p_observation_id text, p_request_id text, p_notes text, p_payload text, p_eliminated text) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 26e16242d2409ff79d531e3dbea2f324
    COMMENT 'Appends one event to the log of a locked session, saves the changed session with the event as its head and returns it; null, and nothing written, if the observation has been recorded before.'
FUNCTION cmbs_store.append_events(p_session cmbs_store.session, p_actor text, p_batch jsonb, p_event_ids uuid[], p_applied text[], p_hashes bytea[]) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 42f3b8d4619630b635365f68e6562f91
    COMMENT 'Appends the events of a batch to the log of a locked session and returns the session with the last of them as its head.'
FUNCTION cmbs_store.append_identity(p_tenant text, p_verb text, p_actor text, p_payload jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e9bbc685548aed1deec6fe7db205e413
    COMMENT 'Appends one event to the log of identities of a tenant, and returns its time.'
FUNCTION cmbs_store.append_proposal(INOUT p_session cmbs_store.session, p_actor text, p_given cmbs_store.verdict_input, p_notes text, OUT p_payload jsonb) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 04d758adff93b3321c0fdc634dab6fd6
    COMMENT 'Decides on a proposal in a locked session, appends its event and writes what follows from it.'
FUNCTION cmbs_store.apply_reasons(p_session cmbs_store.session, p_actor text, p_policy_hash bytea, p_recorded jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e7a1519e19d9c72c90cbe80d92d485f9
    COMMENT 'Whether a policy may be applied to a session, as of the event that the session is given as of: its invariants must hold of the state as it is.'
FUNCTION cmbs_store.approvals_asked(p_payload jsonb, p_item_nos jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 49a891268eea6b00223a843d6dfd6c00
    COMMENT 'The approvals that a proposal needs to go on: of its own questions, and those by which it was allowed to go on before.'
FUNCTION cmbs_store.approvals_of(p_payload jsonb, p_item_no integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c31c8b06d7f8bb769a701a9b03d27500
    COMMENT 'The approvals by which one item of a proposal was allowed, as what a verdict on the item alone goes on with.'
FUNCTION cmbs_store.approved_resume(p_session cmbs_store.session, p_seq bigint, p_payload jsonb, p_at timestamp with time zone, OUT p_resumes jsonb, OUT p_code text, OUT p_interrupt_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e6ea303962c27286cba015d83178b451
    COMMENT 'What lets a proposal go on about which people were asked: which of its items, and by which approvals.'
FUNCTION cmbs_store.arbitration_fault(p_session cmbs_store.session, p_known_policies bytea[], OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ad6340522d5e4a13ab4e2fb9a7f9fe78
    COMMENT 'Whether what a session holds beside its belief is what its log leads to: every row, what is counted up from row to row, the checkpoints, and the content of the policies that it names.'
FUNCTION cmbs_store.arbitration_rows(p_session_id uuid) RETURNS TABLE(seq bigint, relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0f24ed7e5d39775d5cf71bf9c39600b5
    COMMENT 'What the tables of a session hold beside its belief, row by row, without what is counted up.'
FUNCTION cmbs_store.are_verbs(p_names text[]) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1ce712124fd444a05647d1168ed8b71e
    COMMENT 'Whether a list holds nothing but names of verbs: the functions that take a credential.'
FUNCTION cmbs_store.asked_eliminations(p_session cmbs_store.session, p_after bigint, p_until bigint) RETURNS TABLE(hypothesis_id text, actor text, seq bigint)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 11bceb0751c4b5e3e6fcf32f7b0d9383
    COMMENT 'Who asked for the elimination of which hypotheses in a part of the log, and when first; what is no hypothesis of the session is left out.'
FUNCTION cmbs_store.asked_items(p_given cmbs_store.verdict_input, p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 65e3aed2dbec669faa22c897421581f6
    COMMENT 'The numbers of the items about which a person is asked.'
FUNCTION cmbs_store.authenticate_token(p_credential bytea, p_verb text) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 462322e7b75ca45f0132a2b040b381c0
    COMMENT 'The principal whose token has this digest, in the tenant that the token is for; a token that is unknown, revoked or expired is refused. Raises MB301, MB302.'
FUNCTION cmbs_store.authority_reasons(p_item_no integer, p_item jsonb, p_roles text[]) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d5672aaea8ec5352a0faaf5be33ea759
    COMMENT 'The stage of namespace authority: what the roles of the proposer let one item do.'
FUNCTION cmbs_store.authorize(p_credential bytea, p_verb text, p_roles text[]) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 51f61d3bb56dac0d4c1fc17fbf1a0812
    COMMENT 'Who calls, and whether they may: the first thing that every verb does. Raises MB301, MB302.'
FUNCTION cmbs_store.authorize_upkeep(p_credential bytea, p_verb text, p_roles text[]) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3d38fbd488b4958e5b5d97fbdc9f19d4
    COMMENT 'Who does what is due anyway and decides nothing: a principal with one of the roles, or the login of the server by itself, which is `api` then, whoever else there is. Raises MB301, MB302.'
FUNCTION cmbs_store.awaited_keys(p_verdict jsonb, p_evidence cmbs_store.evidence) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 50692d372fc2ea2b0cc172de3466fe09
    COMMENT 'The keys that a deferred proposal waits for: what the constraints read that defer it, and goals that are in the way of its own.'
FUNCTION cmbs_store.batch_firsts(p_session_id uuid, p_batch jsonb) RETURNS integer[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0a63522aab9c62eab6819cc3b9e870d3
    COMMENT 'For every message of a batch the number, counted from 1, of the first message in the batch with the same observation: its own if the observation is new; 0 if it has been recorded before.'
FUNCTION cmbs_store.batch_identity(p_message jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f1439f34f860fd71bee8f91214ec7c50
    COMMENT 'The digest of what makes two messages of a batch repeats of each other: the observation and the set of ids.'
FUNCTION cmbs_store.batch_ids(p_universe_digest bytea, p_batch jsonb, p_firsts integer[], OUT p_numbers integer[], OUT p_ids text[], OUT p_ranks integer[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e1d68b42a6cfcc911f674c6e5a62b763
    COMMENT 'The ids that the new messages of a batch name: by message and sorted, each once per message, with their ranks, null for ids that are no members of the universe.'
FUNCTION cmbs_store.batch_outcomes(p_session cmbs_store.session, p_expected_head uuid, p_batch jsonb, p_firsts integer[], p_numbers integer[], p_ids text[], p_ranks integer[], INOUT p_mask bytea, OUT p_seqs bigint[], OUT p_event_ids uuid[], OUT p_applied text[], OUT p_hashes bytea[], OUT p_answers text[]) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 37fd76227fd1407694a2668a4dc20de5
    COMMENT 'What the messages of a batch come to, one after the other: each takes what those before it have left. Raises MB101, MB102, MB103, MB202.'
FUNCTION cmbs_store.batch_repeat(p_session_id uuid, p_batch jsonb, p_index integer, p_first integer, p_answers text[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 14e6edffef3133ed55bb84d0125e6fd8
    COMMENT 'The outcome of a message of a batch that repeats a recorded one, or one before it in the batch. Raises MB102.'
FUNCTION cmbs_store.batch_with_dead_edges(p_session cmbs_store.session, p_batch jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a5cbc3712c5f77c9ce33f1dc560cc04d
    COMMENT 'A batch for a session with edges, each message with the edges that lose an end by it.'
FUNCTION cmbs_store.begin_fault(p_session cmbs_store.session, p_permit cmbs_store.permit, p_origin jsonb, p_given cmbs_store.verdict_input, p_recorded jsonb, OUT p_code text, OUT p_detail jsonb, OUT p_basis jsonb) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0500fc9643066059372664f6fb4e0f83
    COMMENT 'What stands against beginning the execution of a permit, as a reason code with details; null if nothing does.'
FUNCTION cmbs_store.begun_outcome(p_permit cmbs_store.permit, p_origin jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7eebad0bf44cd76eaadbde2e752bd947
    COMMENT 'The members of an answer that tell what may be executed now, as JSON text.'
FUNCTION cmbs_store.belief_numbers(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2912bd71ffe1ca68b6adb1a2a176369c
    COMMENT 'What is believed in a session, in numbers: the members of an object, as JSON text.'
FUNCTION cmbs_store.belief_numbers_at(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f683b4bf9b379021c3a1b3c4a798b78f
    COMMENT 'What was believed in a session right after its head event, in numbers, and that event; as JSON text.'
FUNCTION cmbs_store.belief_values(p_session cmbs_store.session, p_actor text, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7f0b57a0887db20b515c985813411307
    COMMENT 'Those of the given keys that tell the belief, as of the event that the session is given as of: what the audit says, which nobody can write.'
FUNCTION cmbs_store.budget_left(p_session cmbs_store.session, p_chain uuid[], p_unit text) RETURNS bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0123b3d81a1f2b44a122c7536e1d50ec
    COMMENT 'What is left of a unit in the budgets of a chain of tokens: as much as the one has that has least.'
FUNCTION cmbs_store.budget_reasons(p_session cmbs_store.session, p_capability cmbs_store.capability_token, p_items jsonb, p_settings jsonb, p_mode jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 155dfa34a4abc0e58a6aee1bf0df97f2
    COMMENT 'The budget of a token and of all that it was made from: the number of each call of a proposal must be left in every one, and of what calls use up besides something.'
FUNCTION cmbs_store.capability_reasons(p_session cmbs_store.session, p_capability cmbs_store.capability_token, p_is_shown boolean, p_actor text, p_at timestamp with time zone) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ca546715f1fde56ae7516304b8a18ea3
    COMMENT 'The stage of the capability token, as far as it is about the token itself.'
FUNCTION cmbs_store.chain_fault(p_session_id uuid, OUT p_rows bigint, OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2011348969a7d19d15fbe94e19b4d66f
    COMMENT 'The first event of a session that breaks its chain: a gap, a hash that is not that of the record, or a record that does not name the hash of the event before it.'
FUNCTION cmbs_store.check_active_obligation(p_session cmbs_store.session, p_obligation_id text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5fc1d4cd394327235adcbdd16e93e801
    COMMENT 'Refuses to leave an obligation that is not the active one. Raises MB002.'
FUNCTION cmbs_store.check_answer(p_resolution text, p_comment text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 41cca0bff7f8c436506e14d94ab8c622
    COMMENT 'Refuses an answer to a question that is none. Raises MB201, MB203.'
FUNCTION cmbs_store.check_batch(p_session_id uuid, p_messages json) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fec4fb5a7a452704e987fc5e26a2965f
    COMMENT 'Checks the messages of a batch one by one, in order, and says what is wrong with which. Raises MB201, MB203.'
FUNCTION cmbs_store.check_batch_message(p_session_id uuid, p_message json) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ef8db5c19143f17a3c2ba66cc13c1c79
    COMMENT 'Checks one message of a batch as ELIMINATE checks its arguments, and says what is wrong with it. Raises MB201, MB203.'
FUNCTION cmbs_store.check_batch_sources(p_caller cmbs_store.principal, p_batch jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 08980c37b7a705affbe0ca15265517cb
    COMMENT 'Refuses a batch for a source that the principal may not speak for, and names the first such message. Raises MB302.'
FUNCTION cmbs_store.check_beginner(p_session cmbs_store.session, p_caller cmbs_store.principal, p_permit cmbs_store.permit) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 46d77067c442b25547f159a2cb0a8083
    COMMENT 'Refuses to go on with an execution that was not begun, or that another principal began. Raises MB102.'
FUNCTION cmbs_store.check_capability_holder(p_caller cmbs_store.principal, p_capability cmbs_store.capability_token) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a69dec199880e40ceb8f6ae71f6f7823
    COMMENT 'Refuses a caller who neither holds a token, or one that it was made from, nor has the policy role. Raises MB302.'
FUNCTION cmbs_store.check_context_id(p_member text, p_id text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6359a767d19a1eb26737e1bb2a898070
    COMMENT 'Refuses what cannot be an id, or a word on provenance, of an elimination context. Raises MB201.'
FUNCTION cmbs_store.check_context_ids(p_member text, p_ids text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 85eb8648cb94499710a55c289c613cfc
    COMMENT 'Refuses a list that is not a plain list of ids of an elimination context. Raises MB201, MB203.'
FUNCTION cmbs_store.check_elimination(p_source_id text, p_observation_id text, p_eliminated text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c4740e6695f0c2e0f0cd5f7e995d7ceb
    COMMENT 'Checks the shape of one ELIMINATE message, the justification aside. Raises MB201, MB203.'
FUNCTION cmbs_store.check_envelope(p_session_id uuid, p_request_id text, p_notes text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5f256627b03c97aca260a0fdb54f12ee
    COMMENT 'Checks what every mutating verb takes besides its own members. Raises MB201, MB203.'
FUNCTION cmbs_store.check_executor(p_caller cmbs_store.principal, p_permit cmbs_store.permit) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b352b6adab88a9ec9c6d9e72f7ed8289
    COMMENT 'Refuses an agent that would execute what another one proposed; whoever runs tools may. Raises MB102.'
FUNCTION cmbs_store.check_forced_termination(p_caller cmbs_store.principal, p_policy jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f5b37c00852fafa8296066eccf18a43e
    COMMENT 'Refuses a declared policy that allows forced termination, unless the caller is of the policy role. Raises MB302.'
FUNCTION cmbs_store.check_graph(p_nodes jsonb, p_edges jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9fcb913f087671dea513ee8486ee77e9
    COMMENT 'Refuses nodes and edges that cannot be merged, before anything is written. Raises MB201.'
FUNCTION cmbs_store.check_graph_sources(p_caller cmbs_store.principal, p_nodes jsonb, p_edges jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c6ddd420c4e79ffb6d8da9bec32fcc73
    COMMENT 'Refuses provenance of a source that the principal may not speak for. Raises MB302.'
FUNCTION cmbs_store.check_id(p_member text, p_id text, p_max_bytes integer DEFAULT 512) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT abc16aed5e96eadbbdc60ef3de314d4b
    COMMENT 'Refuses what cannot be an id. Raises MB201.'
FUNCTION cmbs_store.check_ids(p_member text, p_ids text[], p_max_count integer) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 76fd0d5f8103bf61913effb56bab46af
    COMMENT 'Refuses a list that is not a plain list of ids. Raises MB201, MB203.'
FUNCTION cmbs_store.check_in_graph(p_tenant text, p_node_ids text[], p_edges jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b6893586d358d1c447275f825b0f9fb3
    COMMENT 'Refuses a universe of an incident that is not all of the graph: nodes that the graph has, and edges that it has between them. Raises MB201.'
FUNCTION cmbs_store.check_incident_ids(p_ids text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 785501f7393bf641a5de7b3dc446d48f
    COMMENT 'Refuses a universe of an incident that no session can have. Raises MB201.'
FUNCTION cmbs_store.check_interrupt_status(p_status text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT efeeea47f98e88940694af675cd35a36
    COMMENT 'Refuses a status that no question has; null asks for any. Raises MB201.'
FUNCTION cmbs_store.check_isolation() RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b40329ae21623d493bbb98e995860d07
    COMMENT 'Refuses to decide in a transaction that keeps its snapshot: it would not see that everything was halted, that a tool was withdrawn, or that somebody may not act any more. Raises MB302.'
FUNCTION cmbs_store.check_known(p_eliminated text[], p_found text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8c55f6ccb341d7612e874144c99326dd
    COMMENT 'Refuses ids outside the universe, for sessions with validate_hypotheses. Raises MB202.'
FUNCTION cmbs_store.check_label(p_member text, p_label text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0879cbea2e7ce17a7a088fdee0968233
    COMMENT 'Refuses what cannot be the name of a principal or tenant. Raises MB201.'
FUNCTION cmbs_store.check_limit(p_limit integer, p_max integer) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 472aeb397375376c18165b70739c07f7
    COMMENT 'Refuses a page size out of bounds; null asks for everything. Raises MB201.'
FUNCTION cmbs_store.check_members(p_member text, p_object jsonb, p_known text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eea7703f903a80bbaf7dffd8f3bd0411
    COMMENT 'Refuses an object with members that are not known: a misspelt one must not be ignored. Raises MB201.'
FUNCTION cmbs_store.check_name(p_caller cmbs_store.principal, p_name text, p_tenant text, p_is_login boolean) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9ef238907e93494511de803ea30fe3fd
    COMMENT 'Refuses a name that would leave it open who an actor in a log was: one that stands for the server or our roles, that of a role of PostgreSQL for somebody with tokens, or one that is used where its bearer may act too. Raises MB102.'
FUNCTION cmbs_store.check_namesake(p_caller cmbs_store.principal) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8b9e218ab40a77aed8efe058d04e328d
    COMMENT 'Refuses a login that would be taken for somebody else in a log: a principal with tokens has its name, and may write where the login may. Raises MB302.'
FUNCTION cmbs_store.check_new_api_token(p_digest bytea, p_prefix text, p_verbs text[], p_expires_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 608e2956566342b6e45ddc6566b01320
    COMMENT 'Refuses what a token that is to be made cannot be. Raises MB201.'
FUNCTION cmbs_store.check_node_ids(p_ids text[], p_max_count integer) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e132ef063a44ffb797c43b25510dad36
    COMMENT 'Refuses a list that is not a plain list of ids of nodes. Raises MB201, MB203.'
FUNCTION cmbs_store.check_open(p_session cmbs_store.session, p_expected_head uuid) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8692d3e3b89fa331dd24d1ffa9593782
    COMMENT 'Refuses a new message to a session that has moved on, or is over. Raises MB101, MB103.'
FUNCTION cmbs_store.check_operator(p_caller cmbs_store.principal) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9f046497b55892756a8ca3c0664a20c9
    COMMENT 'Refuses a caller who does not see every tenant. Raises MB302.'
FUNCTION cmbs_store.check_rights(p_roles text[], p_source_prefixes text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c6106b25e279d6e93b4de481e0b50725
    COMMENT 'Refuses roles that there are not, and prefixes that no source could begin with. Raises MB201, MB203.'
FUNCTION cmbs_store.check_scope(p_credential bytea, p_verbs text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c5ed54a487b6617803ee94006316afba
    COMMENT 'Refuses to give away more than the caller has: who calls with a token that covers some verbs can make tokens for those alone. Raises MB302.'
FUNCTION cmbs_store.check_source(p_caller cmbs_store.principal, p_source_id text, p_index bigint DEFAULT NULL::bigint) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT df28e83e5c5f57e97db35f85889e86a7
    COMMENT 'Refuses a source that the principal may not speak for: its id begins with none of the prefixes. Raises MB302.'
FUNCTION cmbs_store.check_tenant(p_caller cmbs_store.principal, p_tenant text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 17367d1dae588e75a03b545a6bffe4ac
    COMMENT 'The tenant that a message about identities is for: by default where the caller is at home. Raises MB201, MB302.'
FUNCTION cmbs_store.check_tombstones(p_caller cmbs_store.principal, p_incident_id text, p_member text, p_n_ids integer, p_source_id text, p_trigger text, p_occurred_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7b7fa1fda96218c29aabebc287b9e7fb
    COMMENT 'Refuses a message of tombstones that rules nothing out, or does not say who does, and on what. Raises MB201, MB302.'
FUNCTION cmbs_store.check_units(p_session cmbs_store.session, p_permit cmbs_store.permit, p_usage jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b514533284ca5b4c9ce1d46ed5809f06
    COMMENT 'Refuses a usage of units that neither the budget of the token names nor that of one that it was made from, or of more than was granted of it: whoever reports can use up no more than that. Raises MB201.'
FUNCTION cmbs_store.check_version_named(p_member text, p_sent jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fa241a6694de958092b21f1923f9dd59
    COMMENT 'Refuses what does not name a version of a policy pack. Raises MB201.'
FUNCTION cmbs_store.check_writable() RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 144700e86c8ddf3bf5ce1c643b008534
    COMMENT 'Refuses a call that would write where nothing can be written, before it looks for something that may only not have arrived there.'
FUNCTION cmbs_store.checked_batch(p_session_id uuid, p_messages json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1381165cb38fab09811126c116dcc93e
    COMMENT 'The messages of a batch, each checked as ELIMINATE checks its arguments. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_call(p_member text, p_item jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 093f7fc47eb9bd1b4f51bc64a8d91655
    COMMENT 'A tool call as it is recorded; without arguments it has none. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_claim(p_claim json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8a6cd773a52845c8c8bf7c95c73e0e74
    COMMENT 'A claim as it is recorded: checked, with what was left out filled in. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_completion(p_permit_id uuid, p_outcome text, p_result json, p_usage json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 82fab876331752b40802af0927011014
    COMMENT 'How an execution ended, as it is recorded: checked, with the status that follows and the hash of the result. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_delta(p_member text, p_item jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eed5b24b733c9468678fa0bef6e97bf0
    COMMENT 'A state delta as it is recorded: null deletes a key, an object or a list is kept as its canonical text, so that it is decided on as that text is. Raises MB201.'
FUNCTION cmbs_store.checked_edges(p_edges json, p_max_count integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4e50f7f05a8938c3f2b4619417d16293
    COMMENT 'A list of names of edges, checked. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_fixtures(p_fixtures json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c30700a25bf7e167fc06119a1b5b5179
    COMMENT 'The fixtures of a policy, checked: each has an item, and what is expected of it. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_grant(p_grant json, p_at timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3bc75702b940bb2bd5d49b9784df110f
    COMMENT 'What a capability token is asked to allow, checked and with what was left out filled in, sorted. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_items(p_items jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4c9a1f4410bf2311fc3df52002ba36f2
    COMMENT 'The items of a proposal as they are recorded: their shape checked, the values of patches as texts. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_list(p_member text, p_list json, p_max_count integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7f0609c3b320e5eefbc4151113397dc7
    COMMENT 'A list that is sent as JSON, bounded; the empty one if none is sent. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_packs(p_arbitration json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b9f4f5c77e49c86e8294bbf83070ae7c
    COMMENT 'The policy pack that a declare names, and the one that is asked beside it, checked; null if it names none. Raises MB201.'
FUNCTION cmbs_store.checked_proposal(p_proposal jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e29c2d7b00943e0047220e1f071ece21
    COMMENT 'A proposal as it is recorded: its shape checked, its values as texts, what was left out filled in, without the secret of its token and its mode. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_resume(p_sent jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1ae4c29b81d1cd860259380d997ee2d9
    COMMENT 'The items of a message that goes on with a proposal, as they would be recorded, once its shape is checked. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_schema(p_member text, p_document json) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c67957e01d221caaec08fba4eab64201
    COMMENT 'The canonical text of a JSON Schema that may be registered. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_shadow(p_shadow json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a851489f8e6a8b925b748ea5ef24860c
    COMMENT 'The version of a policy pack that is to be asked beside the one in force, checked; null if none is. Raises MB201.'
FUNCTION cmbs_store.checked_tool(p_definition json, p_tenant text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c0cda15f12a0d34c75c69434aa41cc82
    COMMENT 'The definition of a tool, checked, with what was left out filled in. Raises MB009, MB201, MB203.'
FUNCTION cmbs_store.cites_confirmation(p_session cmbs_store.session, p_claim jsonb) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1b2a8d09113f368daf7ec765eba719a5
    COMMENT 'Whether a claim cites an approver''s act that names its key and its value, as of the event that the session is given as of.'
FUNCTION cmbs_store.claim_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eb9d946fa673d150ec0dcd743691c5dd
    COMMENT 'The members of an answer that tell what was decided on a claim, as JSON text.'
FUNCTION cmbs_store.claim_reasons(p_claim jsonb, p_kind text, p_is_confirmed boolean, p_settings jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c35badad15727d47803bfce81a080a0d
    COMMENT 'Whether a claim may be of its kind: it is confirmed, or it is a hypothesis or derived, for a time.'
FUNCTION cmbs_store.claim_row(p_payload jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 916c4d471a71f5dc0034a1d9eeedaed1
    COMMENT 'The row that a recorded claim leaves.'
FUNCTION cmbs_store.clause_fault(p_op text, p_args jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fd08bda7b27fdb105855422275cb1900
    COMMENT 'What is malformed about a predicate that holds no others; null if nothing is.'
FUNCTION cmbs_store.clause_text(p_clause jsonb, p_values jsonb, p_schemas jsonb, p_want boolean) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d78f2569d2d19995e2d5848840170556
    COMMENT 'What one clause of a condition would need, and what is there instead, as a sentence for people.'
FUNCTION cmbs_store.clear_bits(p_mask bytea, p_ids text[], p_ranks integer[], OUT p_cleared_mask bytea, OUT p_cleared_ids text[]) RETURNS record
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9d2c67b109432c680aa713173597f387
    COMMENT 'Clears the bits of the given ranks in a mask and says which of them were set: the survivors among the ids asked for.'
FUNCTION cmbs_store.clear_chunks(p_session_id uuid, p_ids text[], p_ranks integer[], OUT p_cleared_ids text[]) RETURNS text[]
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dd092cb08f23371a6c9aa21fe69676c9
    COMMENT 'Clears the bits of the given ranks in the stored chunks of a mask and says which of them were set.'
FUNCTION cmbs_store.clock() RETURNS timestamp with time zone
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cd23047eb8d5945a837a8937197c30ba
    COMMENT 'The one clock of the kernel; tests replace it in their database.'
FUNCTION cmbs_store.clock_lead() RETURNS bigint
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ca34ba984cce3a95bab32eca1362f90a
    COMMENT 'By how many microseconds the clock of this server was set back in all.'
FUNCTION cmbs_store.clock_lead_found(p_payload jsonb) RETURNS bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 11ae9045c39d556f3c0e44de24454ccb
    COMMENT 'By how many microseconds the time of a session was ahead of the clock, as the event says that found it set back.'
FUNCTION cmbs_store.clock_steps() RETURNS integer
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a5bb5210189041478292151c4d8e718d
    COMMENT 'How often the clock of this server was set back.'
FUNCTION cmbs_store.clock_was_set_back(p_session cmbs_store.session, p_seq bigint) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 50871f15e8bc383ba15d6cdc0269b796
    COMMENT 'Whether the clock was found set back after an event, as of the event that the session is given as of.'
FUNCTION cmbs_store.completion_fault(p_state cmbs_store.session, p_actor text, p_permit cmbs_store.permit, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c8e3a1998e1f22e9d84cd61e1d857cb2
    COMMENT 'What is wrong with a recorded end of an execution; null if nothing is.'
FUNCTION cmbs_store.conclusion_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7a0f95016383700ba00e7377123a0f0c
    COMMENT 'What DECLARE_CONCLUSION would answer now, and how near the stability window is, as JSON text.'
FUNCTION cmbs_store.condition_facts(p_condition jsonb, p_depth integer, OUT p_fault text, OUT p_reads text[], OUT p_schemas text[]) RETURNS record
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1a901e80ac17bc29bfea9a36dd2dfc2a
    COMMENT 'Reads a condition: what is malformed about it, the keys that it may read, and the schemas that it names.'
FUNCTION cmbs_store.conflict_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0af270fd58a490771095a9f8197ccd2d
    COMMENT 'The stage of conflicts: a key that two items write, and goals that exclude each other once the proposal is committed.'
FUNCTION cmbs_store.conforms(p_schema jsonb, p_value jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b4cca3fb617c3163260fee7e75b6d896
    COMMENT 'Whether a value conforms to a JSON Schema; null if one of them is not there, or if it cannot be decided within bounds, which neither a constraint nor its negation may take for a yes.'
FUNCTION cmbs_store.constraint_fault(p_key text, p_value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 885a89add03d5572bc9331e9519aa3bd
    COMMENT 'What is malformed about a constraint, its condition aside; null if nothing is.'
FUNCTION cmbs_store.constraint_reasons(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_values jsonb, p_schemas jsonb, p_waived text[]) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 52b8de66df6af01fcd6458fbd3ddef15
    COMMENT 'The stage of constraints for one item, or one capability that an item needs: which constraints that apply deny, and whether one that allows is satisfied.'
FUNCTION cmbs_store.constraints_against(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_items jsonb, p_definitions jsonb, p_values jsonb, p_schemas jsonb, p_waived jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 57b7895e66cd5d8c226baf0ec4d01b71
    COMMENT 'What the constraints of a policy say to some items, each question that an item is asked of it by itself.'
FUNCTION cmbs_store.constraints_on(p_policy_hash bytea, p_subjects text[]) RETURNS cmbs_store.policy_entry[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cbd0e01ab3f83fbeb145a3be677e99b6
    COMMENT 'The constraints of a policy with one of some subjects, in order.'
FUNCTION cmbs_store.context_gone_ids(p_context cmbs_store.context) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a5f33333025dccea98320959bb47eefc
    COMMENT 'What is eliminated in an elimination context, sorted.'
FUNCTION cmbs_store.context_hypothesis_ids(p_context cmbs_store.context) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ddae85ced084742949dd037eef997d89
    COMMENT 'What an elimination context began with, sorted.'
FUNCTION cmbs_store.cooldown_end(p_session cmbs_store.session, p_tool_id text, p_settings jsonb) RETURNS timestamp with time zone
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d8deed56bd9cfb02c9c765727d0fb589
    COMMENT 'When a tool may be called again after its last allowed call in a session; null if the policy has no cooldown for it, or it was not called.'
FUNCTION cmbs_store.count_claimants(p_session cmbs_store.session) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 48d01b5b3c3f0de241c5f85cde47637e
    COMMENT 'Counts who asked for which eliminations up to the head of a locked session, so that the next decision need not read that part of the log again.'
FUNCTION cmbs_store.decide(p_session cmbs_store.session, p_actor text, p_given cmbs_store.verdict_input, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4d67611b3bed545f432321cc192bfb0a
    COMMENT 'The verdict on a proposal or a claim, as it is recorded.'
FUNCTION cmbs_store.decide_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_approved boolean, OUT p_reason text, OUT p_error text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 57530b57a58e080ad934bb21da65173d
    COMMENT 'What a gate answers to a request, from the state before it: the decision and its reason, or the error with which its verb refuses.'
FUNCTION cmbs_store.decide_with_shadow(p_session cmbs_store.session, p_actor text, p_given cmbs_store.verdict_input, p_recorded jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5746e8fad52972c2d30aa76090b4afaf
    COMMENT 'The verdict on a proposal by the policy in force, and what the shadow of that policy says, which is recorded and never followed.'
FUNCTION cmbs_store.declared_from_incident(p_tenant text, p_universe_from json, p_ontology json, p_hypotheses text[], OUT p_from text, OUT p_bundle json, OUT p_ids text[], OUT p_gone text[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cd5b0880b3c37770e0b77b2f248d259c
    COMMENT 'What a session is declared with that takes its universe from an incident: the incident''s nodes, and the ids of its edges if they are asked for. Raises MB013, MB201, MB203.'
FUNCTION cmbs_store.declared_session(p_session_id uuid, p_tenant text, p_ontology jsonb, p_has_universe boolean) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1a424a94ec15c3193ee3ad7e31cf5458
    COMMENT 'The session under an id for which a declare made none, locked: the id is taken, or the space of the ontology is not registered. Raises MB004, MB102.'
FUNCTION cmbs_store.declared_universe(p_tenant text, p_ontology jsonb, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f0dd399787782dd4260d15c81b098c75
    COMMENT 'The universe of a declare: an explicit list always wins, else the registered space of the tenant, if there is one. Raises MB201, MB203.'
FUNCTION cmbs_store.deferral_json(p_session cmbs_store.session, p_deferral_id uuid) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 76a7dae988a4e86ce83ee38cee2da883
    COMMENT 'A deferred proposal as it is shown: whether it waits, for what and how long, and every try.'
FUNCTION cmbs_store.deferral_offer(p_session cmbs_store.session, p_given cmbs_store.verdict_input, p_verdict jsonb, p_evidence cmbs_store.evidence, p_settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 720345812ef8d6ec681d5f8ea39334f4
    COMMENT 'What a deferred proposal waits for, and when it is tried again in any case; of one that was tried again and waits no more only that.'
FUNCTION cmbs_store.deferrals_full(p_session_id uuid) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 97d96bc452eeffdafc93ced5926d0cef
    COMMENT 'Whether no more deferred proposals may wait in a session: true, or null if there is room.'
FUNCTION cmbs_store.derived_id(p_session cmbs_store.session, p_decided_at text, p_of text) RETURNS uuid
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 31437a05a2405a6d71c549807f987805
    COMMENT 'An id that follows from a verdict and from what of it is meant, so that a replay finds it again.'
FUNCTION cmbs_store.digest_v1(p_text text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT a50f71ee0c8d037f8e38b786a8f452f8
    COMMENT 'sha-256 over the bytes of a canonical text: of a policy, a tool, a schema, an item, a value.'
FUNCTION cmbs_store.due_by_clock(p_tenant text, p_now timestamp with time zone, p_limit integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 13717b0fc6df9234f3e311ce0eaedf9e
    COMMENT 'The sessions in which something is due because of the clock: those whose time is ahead of it and where something is due by that time; and, where it was set back, those that granted something before and have not found it yet.'
FUNCTION cmbs_store.due_deferral(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS cmbs_store.deferral
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0c3d91562e9d2ac3731fe631504ebeed
    COMMENT 'The deferred proposal of a session that is to be tried again next: something was committed since its last try that it waits for, or it has waited long enough.'
FUNCTION cmbs_store.duplicates_member(p_ids text[], p_n_different integer) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 955426c0f4acf9e63476fc196581856f
    COMMENT 'The member of an answer that says how many ids of a list were there already; none if none were.'
FUNCTION cmbs_store.edge_ends(p_id text) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b1647a2e0453423ec6725fb4f2049b42
    COMMENT 'The ends of the edge that an id of a hypothesis names; null if it is the id of no edge.'
FUNCTION cmbs_store.edge_fault(p_edge jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 22f2d3d6e000eb4f37d34c772d41a9a7
    COMMENT 'What is wrong with an edge that is to be merged, null if nothing is.'
FUNCTION cmbs_store.edge_id(p_source text, p_target text, p_type text) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 302141000aa7cc22a9336dff305cac1e
    COMMENT 'The id of an edge where ids of hypotheses are expected: its parts, with `%` and `|` escaped.'
FUNCTION cmbs_store.edge_name_fault(p_edge jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 61e1d281ecfcd34354d103abb499946c
    COMMENT 'What is wrong with the name of an edge, its ends and its type, null if nothing is.'
FUNCTION cmbs_store.edges_json(p_incident cmbs_store.incident, p_after text[] DEFAULT NULL::text[], p_limit integer DEFAULT NULL::integer) RETURNS text
    LANGUAGE sql STABLE SET enable_seqscan TO 'on' SET enable_nestloop TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5d376c71ea5c575579582392c6424c11
    COMMENT 'Edges of the graph as they were when an incident was created, as JSON text: those that live, or all of them if it is no incident.'
FUNCTION cmbs_store.eliminate_message(p_session_id uuid, p_caller cmbs_store.principal, p_source_id text, p_observation_id text, p_eliminated text[], p_justification text, p_expected_head uuid, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8a5fc840828ab69e459ff89e2c6b4ea1
    COMMENT 'One ELIMINATE message: A = eliminated and surviving; the survivors lose A. Raises MB001, MB101, MB102, MB103, MB202.'
FUNCTION cmbs_store.eliminate_tombstoned(p_session cmbs_store.session, p_caller cmbs_store.principal, p_gone text[]) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 44a7622b0f0671eb8b9068b56031a871
    COMMENT 'Eliminates from a session that was just declared what its incident has ruled out by then, and returns the session.'
FUNCTION cmbs_store.eliminated_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7d1c60c0217394bc49cd26f1451c5c93
    COMMENT 'The hypotheses that the events of a stretch of the log eliminated, in the order of the events, each with its event; as JSON text, p_limit of them.'
FUNCTION cmbs_store.elimination_json(p_session_id uuid, p_seq bigint, p_n_eliminated bigint) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8ce33e831713ea57abaade15a2a0d4b3
    COMMENT 'An event that eliminated hypotheses, as JSON text: who, when, on which evidence, and the first hundred of them.'
FUNCTION cmbs_store.elimination_outcome(p_applied text, p_ignored text[], p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7d631258d3f020174641cabbd664c214
    COMMENT 'The members of an ELIMINATE response, the snapshot aside, as JSON text.'
FUNCTION cmbs_store.eliminations_by_source(p_session_id uuid, p_seq bigint, p_limit integer) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 086bfe2185f3f9717a4fb2b59d8a06cb
    COMMENT 'Who eliminated how much, and by which events, newest first; as JSON text.'
FUNCTION cmbs_store.end_api_token(p_caller cmbs_store.principal, p_token cmbs_store.api_token) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 41f533852fd60a27be63582afc7c01fd
    COMMENT 'Revokes a token, with its event.'
FUNCTION cmbs_store.ensure_context_universe(p_hypotheses text[]) RETURNS bytea
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7f5e965f1520f35e5438031bd21db9b4
    COMMENT 'The digest of a set of hypotheses, which is stored once however many contexts begin with it. Raises MB201, MB203.'
FUNCTION cmbs_store.ensure_universe(p_member text, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 10c6a18fa7a35e2b8dd888b1b48d7ae7
    COMMENT 'The universe of a list of ids: de-duplicated, sorted, stored once however often it is declared. Raises MB201, MB203.'
FUNCTION cmbs_store.ensure_universe_edges(p_universe_digest bytea) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0fc50e622c3d8ed9ddb9da6d49162fb7
    COMMENT 'Stores the edges of a universe by their ends, unless that was done before.'
FUNCTION cmbs_store.entropy(p_n integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c209268c193cbe180c2d94db594af8b9
    COMMENT 'log2 of the number of survivors; 0 for none or one.'
FUNCTION cmbs_store.entry_faults(p_entries jsonb, p_tenant text) RETURNS TABLE(key text, severity text, finding text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 414670a0140af9a576109809bd103cfb
    COMMENT 'What is wrong with the entries of a pack: errors, with which it cannot be published, and warnings.'
FUNCTION cmbs_store.evaluate(p_session cmbs_store.session, p_actor text, p_given cmbs_store.verdict_input, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 27f4b82eef8f5575b818a010ccaf5fe7
    COMMENT 'The verdict on a proposal: a function of the proposal, the session as of an event, and the policy, tools and schemas that it names.'
FUNCTION cmbs_store.evaluate_claim(p_session cmbs_store.session, p_actor text, p_given cmbs_store.verdict_input, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0c84c8493978c3bba1b6ff1628c37f2d
    COMMENT 'The verdict on a claim: a function of the claim, the session as of an event, and its policy.'
FUNCTION cmbs_store.event_at_time(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d64ca5cc832e425472b1b0491ace1ac8
    COMMENT 'The last event of a session that is not later than a time. Raises MB003.'
FUNCTION cmbs_store.event_hash_v1(p_record text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT acd973c29ea160fa4f4b5c9af2e7def5
    COMMENT 'sha-256 over the bytes of a record.'
FUNCTION cmbs_store.event_id(p_random uuid, p_seq bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2efc94454565ccb0bac4b7b91be21ee1
    COMMENT 'The id of an event: a random uuid whose low 48 bits are replaced by the seq.'
FUNCTION cmbs_store.event_json(p_event cmbs_store.audit_event) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7569d1fed6fe9b4c66945cfb88448cec
    COMMENT 'An event as the API shows it: the members of its record and its hash; event 1 with the hypotheses in its payload, which are not part of the record.'
FUNCTION cmbs_store.event_payload(p_session_id uuid, p_seq bigint) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0382188033494659d25f30e218d03514
    COMMENT 'The payload of an event of a session by its number.'
FUNCTION cmbs_store.event_rows(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2467b35cd55f0c64caa9d7e917d4d281
    COMMENT 'The rows that an event of arbitration leaves in the tables of its session, by table.'
FUNCTION cmbs_store.event_seq(p_event_id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT df7babb89d032808d141b5a018bb4aaf
    COMMENT 'The seq that an event id carries in its low 48 bits.'
FUNCTION cmbs_store.evidence(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_items jsonb, p_recorded jsonb) RETURNS cmbs_store.evidence
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0fb18b37bb985f3e3aeadb658d8a17f5
    COMMENT 'What a verdict on some items rests on: the tools and schemas that they name, the constraints that apply, and the values that these read, as of the event that the session is given as of.'
FUNCTION cmbs_store.execution_rows(p_session_id uuid, p_actor text, p_verb text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1808d2d3d97dd33570899e6356be2375
    COMMENT 'The rows that an event of execution, approval or upkeep leaves in the tables of its session.'
FUNCTION cmbs_store.execution_rows_stored(p_session_id uuid) RETURNS TABLE(seq bigint, relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6a54a065f52ca7160980f321f310af27
    COMMENT 'What the tables of execution, approval and upkeep hold of a session, row by row.'
FUNCTION cmbs_store.expired_permits(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS uuid[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6bc258dd41f2241fec6826b783faf4ac
    COMMENT 'The permits of a session that ran out unused and still reserve something, in order, a thousand at once.'
FUNCTION cmbs_store.explained_condition(p_condition jsonb, p_values jsonb, p_schemas jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e391a421ac1e8df8876f55f9ff862bc8
    COMMENT 'A condition with what each of its nodes came to, and what the values were that it read: a tree of objects, for those who ask why.'
FUNCTION cmbs_store.explained_constraint(p_entry cmbs_store.policy_entry, p_values jsonb, p_documents jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a5ff3f1b9de29b95b3963d66905202c5
    COMMENT 'What a constraint came to: each node of its condition with the values read, and what would have to be different, as a sentence.'
FUNCTION cmbs_store.explained_items(p_session cmbs_store.session, p_actor text, p_payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4b700665f3e88559e50b8da44c408a6d
    COMMENT 'The items of a proposal, each with its verdict and what every constraint that applies came to, by what was read then.'
FUNCTION cmbs_store.f_sparse_at(p_session_id uuid, p_seq bigint) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 96b1798282c18946755db3554439c223
    COMMENT 'The facts and goals of a session as of an event, as canonical text: key -> text of the value.'
FUNCTION cmbs_store.faults_in_claimants(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9bad44c11e79321764d8d410215c041a
    COMMENT 'The events whose eliminations are counted for somebody else than who asked for them; the last event if some are said to be counted that are still to come.'
FUNCTION cmbs_store.faults_in_counters(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3acb97d92efe8621963aaa8396f2b459
    COMMENT 'The events at which something that is counted from row to row is not counted right: the numbers of deltas, what was spent of a budget, the chains of tokens, checkpoints, claimants of eliminations, what is noted as open.'
FUNCTION cmbs_store.faults_in_open_items(p_session cmbs_store.session) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ce31198cbe6a6c3c3ba763fb53535e15
    COMMENT 'The events of permits, questions and deferrals that are noted as open and are not, or otherwise than they are; the last event for what is noted and is none of them.'
FUNCTION cmbs_store.find_api_token(p_caller cmbs_store.principal, p_token_id uuid) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 388787424ef95019a0fc1144a12b1443
    COMMENT 'A token by its id, if it is of the tenant of the caller. Raises MB006, MB201.'
FUNCTION cmbs_store.find_capability(p_session_id uuid, p_secret text) RETURNS uuid
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8a957bdcb1309b961d26fb8b3d6715ee
    COMMENT 'The id of the token of a session that a secret opens; null if it opens none.'
FUNCTION cmbs_store.find_policy(p_tenant text, p_pack text, p_version integer) RETURNS cmbs_store.policy_version
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5186fa47abfedfb952bc32b0fbc08ce5
    COMMENT 'A version of a pack that sessions of a tenant may name, its own or one of everybody; the newest where no version is given. Raises MB007.'
FUNCTION cmbs_store.find_principal(p_name text, p_tenant text) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6c52b57c8419be34e21e36bded37dbfe
    COMMENT 'A principal by its name, in the one tenant that is meant. Raises MB005, MB201.'
FUNCTION cmbs_store.fixture_results(p_policy_hash bytea, p_fixtures jsonb, p_tenant text) RETURNS TABLE(name text, ok boolean, expected jsonb, got jsonb)
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8180bfa5fe4ac3ea55c0a07ffeb1bb18
    COMMENT 'What came of the fixtures of a policy.'
FUNCTION cmbs_store.fixture_verdict(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_documents jsonb, p_own jsonb, p_fixture jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e2d9519408e3b7c1b25530d6f9a6d0fa
    COMMENT 'What the constraints and invariants of a policy say to the item of a fixture, in the state that the fixture gives.'
FUNCTION cmbs_store.fold_reasons(p_reasons cmbs_store.reason[], p_item_no integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 80899a956f531e1c9ed048f7836e2e47
    COMMENT 'What the reasons for one item come to; with null for the item what all of them come to.'
FUNCTION cmbs_store.found_packs(p_session_id uuid, p_tenant text, p_arbitration jsonb, p_hypotheses text[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b82150e81a63c2cbfcee9d800c0bc649
    COMMENT 'The packs that a declare names, with the hashes of their content, as they are recorded. Raises MB007, MB201, MB203.'
FUNCTION cmbs_store.found_shadow(p_tenant text, p_shadow jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a79f0de362c15298a624f52c55d59bb2
    COMMENT 'The policy that is to be asked beside another one with the hash of its content, as a member of what is recorded; none if there is none. Raises MB007.'
FUNCTION cmbs_store.free_object(p_member text, p_object json) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 09554a02e6ec625cfcfe0e303f327bc6
    COMMENT 'The canonical text of an object that the server keeps without interpreting it (justification, context, metadata), or null for null. Raises MB201, MB203.'
FUNCTION cmbs_store.gate_answer(p_approved boolean, p_reason text, p_error text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7eed3f5d570f23fbac4d84c4a6f63063
    COMMENT 'What a gate says to a message, as JSON text: a decision with its reason, or an error; nothing of both where the message is only taken.'
FUNCTION cmbs_store.gate_flips_without(p_session cmbs_store.session, p_without_source text, p_without_observation text, p_seqs bigint[], p_limit integer, OUT p_state cmbs_store.session, OUT p_ended_seq bigint, OUT p_n_refused bigint, OUT p_n_gates bigint, OUT p_n_flips bigint, OUT p_flips text[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7f15247651c45ab72d90a02a18edc268
    COMMENT 'Sends the log of a session again without some of its messages: decides every gate anew and lists those that would have said something else than is recorded.'
FUNCTION cmbs_store.gate_row(p_before cmbs_store.session, p_after cmbs_store.session, p_verb text, p_payload jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 561797ce9f1028fb221bd312a9efeed0
    COMMENT 'The row that a gate event must have left in the tables of obligations and conclusions, as text.'
FUNCTION cmbs_store.gate_rows(p_session_id uuid, OUT gate_row text, OUT seq bigint) RETURNS SETOF record
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d019b64a11d8c90e227ac41efbf98775
    COMMENT 'The stored rows of obligations and conclusions, in the text form of gate_row.'
FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT caec27d33814e3f8345d96c03119f55a
    COMMENT 'What was asked of the gates in a stretch of the log, and what they said; as JSON text, p_limit of them.'
FUNCTION cmbs_store.goal_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b89c39520b3e758bc4dcfdb988dacffb
    COMMENT 'Goals of a proposal that an active goal excludes, or that exclude an active goal, once the proposal is committed: of a group one is active at a time.'
FUNCTION cmbs_store.grant_capability(p_session cmbs_store.session, p_caller cmbs_store.principal, p_parent cmbs_store.capability_token, p_grant jsonb, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d71a6949d7b964161d79e91ea577538d
    COMMENT 'Issues a capability token of a locked session: appends its event and answers with its secret, which nobody can see again: a repeated message is answered as recorded, without it. Raises MB101, MB102, MB103, MB201.'
FUNCTION cmbs_store.granted_until(p_decided_at text, p_clock text) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 206b71dd2a8795c3a42cccd27b9c1782
    COMMENT 'The time by which what was granted before is measured in an event: that of its decision, or infinity where it found the clock set back, so that nothing counts any more.'
FUNCTION cmbs_store.graph_conflicts(p_tenant text, p_nodes jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d4edc22b0730c5a23b77ea5fa2ee3d00
    COMMENT 'Where merged nodes say otherwise than the graph, which stands.'
FUNCTION cmbs_store.graph_types(p_kind text) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e7d708e58b71cde745e72e2000270322
    COMMENT 'The types of nodes, or of edges, by the names that the wire gives them.'
FUNCTION cmbs_store.graph_version(p_tenant text) RETURNS bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eb54b01ddf60119a54bbd1140f755466
    COMMENT 'The version of the causal graph of a tenant; 0 as long as nothing was merged.'
FUNCTION cmbs_store.halt_reasons(p_given cmbs_store.verdict_input) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e25adaca53e9fc390a0d60e82225426e
    COMMENT 'The kill switch: while it is on, everything is denied, as by a constraint without a subject.'
FUNCTION cmbs_store.halted(p_tenant text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f2b64305cc2c4bf7a3a5fdecff075e27
    COMMENT 'Why the kill switch is on, for a tenant or for all; null if it is off.'
FUNCTION cmbs_store.has_granted(p_session cmbs_store.session) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8bf492dac55e0a2db0bc258412d416a7
    COMMENT 'Whether a session goes on and has granted something that may still count: a permit, a question or a capability token.'
FUNCTION cmbs_store.has_superseded(p_session cmbs_store.session, p_payload jsonb, p_item_no integer) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 49c07367d5028b402b432f4fc90a7bbc
    COMMENT 'Whether an item of a proposal was allowed by an approval that waived what has changed since.'
FUNCTION cmbs_store.holds(p_condition jsonb, p_values jsonb, p_schemas jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ef227ac07783797b7b0045f0351fcfeb
    COMMENT 'Whether a condition holds: true, false, or null where it is not known, by Kleene''s logic.'
FUNCTION cmbs_store.id_fault(p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a8db990485db66f17725b9a6a7e5f1b3
    COMMENT 'What is wrong with a JSON value that must be an id, null if nothing is.'
FUNCTION cmbs_store.idempotency_reasons(p_session cmbs_store.session, p_actor text, p_proposal jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 857fa2f3afef219decc178cd4edb0122
    COMMENT 'The stage of idempotency: a key that the proposer used for other items before.'
FUNCTION cmbs_store.identity_fault(p_tenant text, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 781f2d62953ed92e8fceefc494c000c7
    COMMENT 'The first event of the log of identities of a tenant that breaks its chain, else the first one that cannot stand where it does or whose principal or token is not as it says.'
FUNCTION cmbs_store.identity_metrics(p_now timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 54e631e758a91b43c221245aa864d88a
    COMMENT 'How many principals are enabled, and how many of their tokens count.'
FUNCTION cmbs_store.identity_misplaced(p_tenant text) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6a2a1654bd8001c392e5186399235130
    COMMENT 'Events of the log of identities of a tenant that no verb would have appended there: about a principal or token that is not there yet or is there already, or a change of nothing.'
FUNCTION cmbs_store.identity_payload(p_record text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 84c27fc5e743f2816dd1de5dba418bae
    COMMENT 'What an event of identities says; null if its record cannot be read, as no record that a verb made.'
FUNCTION cmbs_store.identity_record_v1(p_tenant text, p_seq bigint, p_at timestamp with time zone, p_verb text, p_actor text, p_payload text, p_previous bytea) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT eb9a66ba7f42e77a5e86bf3950dac7ce
    COMMENT 'The canonical text of one change of an identity.'
FUNCTION cmbs_store.identity_state_faults(p_tenant text) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b1cd7bad01e8ea51c5b18b5b7b986e0e
    COMMENT 'For each principal and token of a tenant that is not as its log of identities says, the event that says so; the number after the last for one that no event made.'
FUNCTION cmbs_store.ids_without(p_ids text[], p_without text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 65fc379a0203fb900d5da895c65da997
    COMMENT 'The ids of one list that are not in another, sorted, each once.'
FUNCTION cmbs_store.import_gates(p_session cmbs_store.session, p_seqs bigint[]) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f8c0d4c35fc0917d5ff6f0bab3f2e31a
    COMMENT 'Takes the decisions of the gate events after p_session.audit_seq again, which must be the recorded ones, and leaves the rows that the verbs would have left.'
FUNCTION cmbs_store.import_log(p_session cmbs_store.session, p_records text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 689683ff4c2e036b4e40d30c1906d931
    COMMENT 'Appends records to a log as they are, one a line, if each follows the one before it.'
FUNCTION cmbs_store.import_session(p_session_id uuid, p_tenant text, p_records text, p_policy_as_sent text) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cbdec31ae9a60930f11d967b23e6e019
    COMMENT 'The session that records are for, locked: a new one if the first of them declares it, as it was before its first event; else the one whose log they continue. Raises MB001, MB102, MB201.'
FUNCTION cmbs_store.import_tombstones(INOUT p_session cmbs_store.session, OUT p_seqs bigint[]) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ec5158e5bb965326fd5cac8630efd901
    COMMENT 'Eliminates what the events after p_session.audit_seq have eliminated, all at once: tombstones, bits of the mask.'
FUNCTION cmbs_store.inbox_cursor(p_cursor text) RETURNS cmbs_store.open_item
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 76886c3b0aa3d76e8f6c8c94dcfc0130
    COMMENT 'The question after which a page of the inbox begins; one before all without a cursor. Raises MB201.'
FUNCTION cmbs_store.inbox_entry(p_item cmbs_store.open_item, p_status text) RETURNS text
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7ca5cee1e2c24f5eeec26e0bdd4dc0d8
    COMMENT 'A question of the inbox as it is shown; null if it has another status.'
FUNCTION cmbs_store.inbox_items(p_tenant text, p_is_pending boolean, p_after cmbs_store.open_item, p_limit integer) RETURNS SETOF cmbs_store.open_item
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ee6f834366a94bfba13479e86f854fe7
    COMMENT 'Questions of the inbox after one of them, in order, a chunk at a time.'
FUNCTION cmbs_store.inbox_page(p_shown text[], p_last cmbs_store.open_item) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 972879e60a318f4673310525a805c2b9
    COMMENT 'A page of the inbox, and where the next one begins.'
FUNCTION cmbs_store.incident_ids(p_incident cmbs_store.incident, p_with_edges boolean) RETURNS text[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b79cc6a0a1fd636cc9c896f216a91d10
    COMMENT 'The universe of an incident, sorted: its nodes, and the ids of its edges too if they are asked for, those with both ends in it.'
FUNCTION cmbs_store.incident_tombstones(p_incident_id text) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c029a629f876c6c1fb767b945142a670
    COMMENT 'What is ruled out of an incident.'
FUNCTION cmbs_store.independent_survivors(p_session cmbs_store.session, p_actor text) RETURNS bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3966eac4992b8a3e074237a4cc647bbb
    COMMENT 'How many hypotheses survive if only eliminations count that others than p_actor asked for, so that nobody unlocks a gate by their own word.'
FUNCTION cmbs_store.input_for_proposer(p_session cmbs_store.session, p_actor text, p_payload jsonb) RETURNS cmbs_store.verdict_input
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a77d0a886d881c00ec8b7eca11ac7d17
    COMMENT 'What a verdict about an earlier proposal is given, as cmbs_store.input_for_roles, with the roles that its proposer has now.'
FUNCTION cmbs_store.input_for_roles(p_session cmbs_store.session, p_roles text[]) RETURNS cmbs_store.verdict_input
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0b44e9032c201958039c688e82761552
    COMMENT 'What every verdict is given: the roles of the proposer, the time, the clock if it was set back, and the kill switch if it is on.'
FUNCTION cmbs_store.input_json(p_given cmbs_store.verdict_input) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fc933b435b7cb80bc0ea470c9f80f72f
    COMMENT 'What a verdict was given, as its record holds it: the members that there are.'
FUNCTION cmbs_store.input_of_record(p_payload jsonb) RETURNS cmbs_store.verdict_input
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 606ca9cae31d9ec7d8e41e41ac53fe19
    COMMENT 'What a recorded verdict was given: the members of its payload that are no part of the verdict.'
FUNCTION cmbs_store.input_of_resume(p_session cmbs_store.session, p_caller cmbs_store.principal, p_asked cmbs_store.audit_event, p_items jsonb, p_sent jsonb) RETURNS cmbs_store.verdict_input
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1f4a2175d7664f290cbe10416daed0d4
    COMMENT 'What a verdict is given by which a proposal goes on that people were asked about. Raises MB102, MB201, MB302.'
FUNCTION cmbs_store.input_of_retry(p_session cmbs_store.session, p_given cmbs_store.verdict_input, p_payload jsonb, p_by text) RETURNS cmbs_store.verdict_input
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f1785739737be02432db6955beed6c21
    COMMENT 'What a verdict on a deferred proposal is given that is tried again.'
FUNCTION cmbs_store.insert_events(p_events cmbs_store.audit_event[]) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 12d2ebc865d38a2f47bd79a69ea1a405
    COMMENT 'Writes events of a batch to the log.'
FUNCTION cmbs_store.interrupt_json(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 92388b75a88467f7afffb65c287f06ee
    COMMENT 'A question as it is shown: what exactly it is about, and what has become of it.'
FUNCTION cmbs_store.interrupt_of(p_session cmbs_store.session, p_interrupt_id uuid) RETURNS cmbs_store.interrupt
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT efdcfd52c94d3ac236d85093eecae8ce
    COMMENT 'A question of a session by its id, as of the event that the session is given as of. Raises MB012.'
FUNCTION cmbs_store.interrupt_offer(p_verdict jsonb, p_item jsonb, p_session cmbs_store.session, p_settings jsonb, p_given cmbs_store.verdict_input) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 39df9872f044c77f01722879446fe6f5
    COMMENT 'The question that a person is asked about an item: its id, what exactly it is about, which constraints an approval would waive, and until when it may be answered and used.'
FUNCTION cmbs_store.interrupt_state(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7ffbc364dc8067732e339245f16eb62e
    COMMENT 'What has become of a question: pending, approved, declined, cancelled, consumed, superseded, expired, or ended where its session is.'
FUNCTION cmbs_store.invariant_reasons(p_entries cmbs_store.policy_entry[], p_values jsonb, p_schemas jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7307f0d7e39059576cf35621b5c3a582
    COMMENT 'The stage of invariants: each must hold, and be known to hold, once the deltas are committed.'
FUNCTION cmbs_store.is_arbitration(p_verb text) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3aa72ad5e02fbbf9952f83c5c5226919
    COMMENT 'Whether a verb is one of arbitration, which does not touch belief.'
FUNCTION cmbs_store.is_arbitration_payload(p_verb text, p_shape jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0d5bc863ad8fd517b2d8be163f8ee2cf
    COMMENT 'Whether a payload of this shape is one that a verb of arbitration records; null is no as well.'
FUNCTION cmbs_store.is_claim_live(p_claim cmbs_store.claim, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 80e4065866cb7e816d72259cd9683b7b
    COMMENT 'Whether a claim still counts at a time.'
FUNCTION cmbs_store.is_confirmed(p_session cmbs_store.session, p_claim jsonb, p_settings jsonb) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f877399789cdeb8b53feb1d5a27ae6e3
    COMMENT 'Whether a claim is confirmed: by an approver''s act that names its key and value, or by sources with enough confidence, if nothing contradicts it.'
FUNCTION cmbs_store.is_deferred(p_given cmbs_store.verdict_input, p_verdict jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7fba369cf763e772612892ee80cb36c4
    COMMENT 'Whether a proposal, or an item of it that stands by itself, waits for something that can come by itself.'
FUNCTION cmbs_store.is_due(p_deferral cmbs_store.deferral, p_seq bigint, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2a60b38ad0483d55efd3feb591b04c31
    COMMENT 'Whether a deferred proposal is to be tried again: it has waited long enough, or something was committed since its last try, and up to p_seq, that it waits for.'
FUNCTION cmbs_store.is_execution(p_verb text) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 861d9a2272e8a011fbce3ad2ff66aa2a
    COMMENT 'Whether a verb is one of execution, approval or upkeep: those decide about what was decided.'
FUNCTION cmbs_store.is_execution_payload(p_verb text, p_shape jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 99d3a4a0c353b7cc9b8983225558f732
    COMMENT 'Whether a payload of this shape is one that a verb of execution, approval or upkeep records; null is no as well.'
FUNCTION cmbs_store.is_free_object(p_object jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dfef7d57dafad6207f2a80b827d2ff50
    COMMENT 'Whether a recorded justification, context or metadata is one that a verb lets through: what cmbs_store.free_object refuses in a message, a log cannot hold either.'
FUNCTION cmbs_store.is_id(p_id text, p_max_bytes integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3cf69f3a1849f4eb29298fb6c813282b
    COMMENT 'Ids are opaque: any text of 1 to p_max_bytes bytes.'
FUNCTION cmbs_store.is_in_roots(p_resource text, p_roots text[], p_is_path boolean DEFAULT false) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7686afe4f1bb38cd48ae0cbd91e6d072
    COMMENT 'Whether a path or host lies inside of one of the roots.'
FUNCTION cmbs_store.is_left_out(p_source_id text, p_observation_id text, p_without_source text, p_without_observation text) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT aae7aad9cbfb07e069c92fa0d828dfe9
    COMMENT 'Whether a message is among those that are thought away: all of a source, one observation of it, or an observation of whichever source.'
FUNCTION cmbs_store.is_mask(p_session cmbs_store.session, p_mask bytea) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 05b5bc10533f675dbbe6693484bb7f39
    COMMENT 'Whether the mask of a session is stored as it must be: in the session row up to 8,192 hypotheses, above that in chunks, and nowhere else.'
FUNCTION cmbs_store.is_obligation_changed(p_session_id uuid, p_after bigint, p_until bigint) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0f4ff1f51f085d3ef880b2fbb8364203
    COMMENT 'Whether an obligation was entered or left after one event, up to another.'
FUNCTION cmbs_store.is_of_this_transaction(p_xmin xid) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 133166b360f4b8fe733cd9d8a026d301
    COMMENT 'Whether a row was written by the transaction that asks, subtransactions included: of others that are not done it could not be seen.'
FUNCTION cmbs_store.is_path(p_path text) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 805032e1f36f0dac3dfc387b9b9f4a15
    COMMENT 'Whether a text is a path that a constraint may read: a key of facts, goals or policy, and members and elements of its value.'
FUNCTION cmbs_store.is_payload(p_verb text, p_payload jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e5c12e26d02682e58d8776693dcf28e2
    COMMENT 'Whether a payload has the members that its verb records, and no others; null is no as well.'
FUNCTION cmbs_store.is_pin(p_pin jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2672ac3ec2931991afbdf47bab393ff4
    COMMENT 'Whether something names a version of a policy pack with its hash, and perhaps another one that is asked beside it.'
FUNCTION cmbs_store.is_plain_batch(p_session_id uuid, p_messages json, p_batch jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0fd0debd6d8c3a5f522a3c8c92806268
    COMMENT 'Whether one look shows that all messages of a batch are well-formed, as nearly all batches are: one statement instead of the checks that can say what is wrong, and with which message. Raises MB201, MB203.'
FUNCTION cmbs_store.is_plain_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_notes text) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 93c4dffdbe19891ab156f61a9a371573
    COMMENT 'Whether one look shows that an ELIMINATE message is well-formed, as nearly all of them are: one expression instead of the checks that can say what is wrong.'
FUNCTION cmbs_store.is_policy_whole(p_policy_hash bytea) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dc30db6e44f3107b397903c0bce000e8
    COMMENT 'Whether the stored content of a policy is that of its hash, and what was read out of its entries what their texts say; compared as text, because numbers are equal whatever zeros they end in.'
FUNCTION cmbs_store.is_same_action(p_payload jsonb, p_resumes jsonb, p_items jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5c655013c6c2542168db576ac2874793
    COMMENT 'Whether items are those of a proposal, to the last character: all of them, or those that go on.'
FUNCTION cmbs_store.is_superseded(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a4e53a783a2e2cebfb00b7d17ead572e
    COMMENT 'Whether a constraint that an approval would waive was ever changed after it was asked for; what was changed back is not what it was asked about either.'
FUNCTION cmbs_store.is_unchanged(p_session cmbs_store.session, p_seq bigint) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT bd276f52247381df7297b4e6d88e9e2e
    COMMENT 'Whether nothing happened in a session after an event that the verdict on a call depends on: then it would be the same again.'
FUNCTION cmbs_store.is_universe(p_universe_digest bytea, p_n_hypotheses integer, p_known_universe bytea) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eed038db9c83e1c58eaf62550806365f
    COMMENT 'Whether a universe is stored as its digest and size say: every member, in its rank.'
FUNCTION cmbs_store.is_universe_of(p_incident cmbs_store.incident, p_universe_digest bytea, p_has_edges_listed boolean) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 61d367dbc0a20cc02338ff15dc72b0cf
    COMMENT 'Whether a set that was stored is the universe of an incident: also of one that was not asked to have it, if it is all of the graph.'
FUNCTION cmbs_store.is_within_limits(p_verb text, p_record jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 28a3e47a0adc7f9abb6571df13168a8a
    COMMENT 'Whether the ids, notes and numbers of a record, whose payload has the members of its verb, are as long and as large as the verb lets them be.'
FUNCTION cmbs_store.item_reasons(p_items jsonb, p_given cmbs_store.verdict_input, p_capability cmbs_store.capability_token, p_policy cmbs_store.policy, p_evidence cmbs_store.evidence) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a92d6f6a07d4c699ceb019e570db4276
    COMMENT 'What stands against each item of a proposal by itself: authority, scope of the token, schemas and constraints.'
FUNCTION cmbs_store.item_subjects(p_items jsonb, p_definitions jsonb) RETURNS TABLE(item_no integer, subjects text[])
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c9de4a55020db1080697fcb65cdf1828
    COMMENT 'What the constraints are asked about some items: which subjects apply.'
FUNCTION cmbs_store.items_with(p_payload jsonb, p_member text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7810a0a5ff72c2f69dd58c06e8968cce
    COMMENT 'The numbers of the items of a decided proposal that go on: all of them if they belong together, else those whose verdict has a member.'
FUNCTION cmbs_store.keys_around(p_session_id uuid, p_seq bigint, p_key text) RETURNS SETOF text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ec7b53f8ea968ca7d30e9ef00b8c232d
    COMMENT 'The keys that a session has, as of an event, which begin with a key and a dot, or which the key begins with in the same way.'
FUNCTION cmbs_store.keys_of_clause(p_op text, p_args jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eecb9347beac16924138087e4d52320e
    COMMENT 'The keys that a well-formed predicate may read: of each path the key that it is, and every key that it begins with.'
FUNCTION cmbs_store.limit_fault(p_value jsonb, p_member text, p_from bigint, p_to bigint) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 802a643ccc3bf3185e57332f01c6608e
    COMMENT 'What is wrong with a member that must be a whole number within limits; null if nothing is.'
FUNCTION cmbs_store.limit_reasons(p_session cmbs_store.session, p_given cmbs_store.verdict_input, p_verdict jsonb, p_settings jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 79da33a280dd22aa7ae0349eafbbd30c
    COMMENT 'What ends deferring and asking for ever: a deferred proposal that was tried as often as the policy lets it be, and questions beyond those that a session may ask.'
FUNCTION cmbs_store.lint(p_tenant text, p_entries jsonb) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT af6b4652e08cab27529f0e13b6899ff9
    COMMENT 'What is wrong with the entries of a pack, and how much of it, as JSON.'
FUNCTION cmbs_store.live_edges(p_incident cmbs_store.incident) RETURNS TABLE(source text, target text, type text, source_id text, trigger text, occurred_at timestamp with time zone)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c2b92d7e2155dda9c82531c0f2b7b702
    COMMENT 'The edges of the universe of an incident that are not ruled out, nor one of their ends.'
FUNCTION cmbs_store.live_ids(p_incident cmbs_store.incident, p_with_edges boolean) RETURNS text[]
    LANGUAGE sql STABLE SET enable_seqscan TO 'on' SET enable_nestloop TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3ec58c9acbf9bd8200b3fb3d178bed43
    COMMENT 'What an incident has not ruled out of its universe, sorted: nodes, and the ids of edges too if they are asked for.'
FUNCTION cmbs_store.live_nodes(p_incident cmbs_store.incident) RETURNS TABLE(node_id text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 44a587d307066e794aca5499003f61dd
    COMMENT 'The nodes of the universe of an incident that are not ruled out.'
FUNCTION cmbs_store.live_page(p_incident cmbs_store.incident, p_after text, p_limit integer) RETURNS json
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eceba9f9ff1af03cb76f3111b0b88e50
    COMMENT 'Some of what an incident has not ruled out: its nodes in order, then its edges. Raises MB201.'
FUNCTION cmbs_store.live_values(p_session_id uuid, p_seq bigint, p_from text, p_below text) RETURNS TABLE(key text, seq bigint, value text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 573eef22b8c46cef9f5dc91a3f2646d3
    COMMENT 'What a session has in a range of keys, as of an event.'
FUNCTION cmbs_store.lock_api_token(p_caller cmbs_store.principal, p_token_id uuid) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b55b3e81b6656de9e22eabe3137827e9
    COMMENT 'Waits for the turn to change a token, if the caller may see it. Raises MB302.'
FUNCTION cmbs_store.lock_identities(p_tenant text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a8650f3f477de4eb900b568a929cb79d
    COMMENT 'Makes whoever changes the identities of a tenant take turns: a log has one end. Raises MB302.'
FUNCTION cmbs_store.lock_incident(p_incident_id text, p_tenant text) RETURNS cmbs_store.incident
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0b19d2f09d441b2ace3877af511e4d05
    COMMENT 'The incident, locked until the end of the transaction, if the caller may see it. Raises MB013.'
FUNCTION cmbs_store.lock_session(p_session_id uuid, p_tenant text) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ddd1966ba042842f7d36e60e2fe6bcb8
    COMMENT 'The session, locked until the end of the transaction, if the caller may see it: p_tenant is whose sessions that are, `*` for all. Raises MB001.'
FUNCTION cmbs_store.login_principal() RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8aa2f4404979f76f33a4960b08b11db3
    COMMENT 'The principal that a login role is when nobody has made it one: its roles are those it was granted in PostgreSQL, and it speaks for any source. Raises MB301, MB302.'
FUNCTION cmbs_store.login_roles(p_login name) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 09807da10039d3795e4edcc6b17c9f7c
    COMMENT 'The roles that a login has by what it was granted in PostgreSQL, when nobody registered it.'
FUNCTION cmbs_store.lower_mode(p_settings jsonb, p_mode text, p_effect_class text) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7b3ac8c5e46dba56db751bba7f75a98a
    COMMENT 'The highest of the modes below another that does not forbid a class of effects; null if all do.'
FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT 4a26bad5a75e82f29fa89b2e89a763a8
    COMMENT 'A mask of n bits, all set or all clear.'
FUNCTION cmbs_store.max_retries(p_settings jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fffcb276f2b6e64f58dec1b6681cd21a
    COMMENT 'How often a deferred proposal is tried again before it is denied for good.'
FUNCTION cmbs_store.member_types(p_object jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b78e4eb445f3ff9d78807ebf108597ef
    COMMENT 'The members of an object with their types for values.'
FUNCTION cmbs_store.merge_edges(p_tenant text, p_version bigint, p_edges jsonb, OUT p_created text[], OUT p_is_changed boolean) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8839da8c7a7598f65419e85585a7bc2b
    COMMENT 'Merges checked edges into a graph whose row is locked: ends and type are what an edge is, so what is there already gains provenance alone.'
FUNCTION cmbs_store.merge_nodes(p_tenant text, p_version bigint, p_nodes jsonb, OUT p_created text[], OUT p_accepted jsonb, OUT p_is_changed boolean) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8917945871ec226bd6eda6e6b723028e
    COMMENT 'Merges checked nodes into a graph whose row is locked.'
FUNCTION cmbs_store.merged_ids(p_nodes jsonb, p_edges jsonb, p_created text[]) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a294fc240fbcfb2eaa4e0556c9e2721d
    COMMENT 'The ids of a merge that were there before, as they were sent, each once.'
FUNCTION cmbs_store.merged_patch(p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 97455704b9e8a7c2a893d74a1eb23632
    COMMENT 'What the deltas among some items write together: key -> text, null where they delete.'
FUNCTION cmbs_store.microseconds(p_difference interval) RETURNS bigint
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 442a84c65dcd32a540597c4062d58047
    COMMENT 'How many microseconds there are in the difference of two times.'
FUNCTION cmbs_store.mirror_endpoint() RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5a0ec69c91f798b013977ec105c7bf17
    COMMENT 'The Tee that sessions are mirrored to; null for none.'
FUNCTION cmbs_store.mirror_heads(p_after uuid) RETURNS SETOF cmbs_store.tee_message
    LANGUAGE sql STABLE ROWS 20 OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b0181e00f2673fafaf6b84e166c8171e
    COMMENT 'The message of every session that is the next to tell the Tee, in the order of session ids, after a given one or from the first.'
FUNCTION cmbs_store.mirror_message(p_session cmbs_store.session, p_seq bigint) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2fbfdcd3bf6800a396802590b4ebff7d
    COMMENT 'What the Tee is told of an event: of the first that there is an incident, of others what they eliminated.'
FUNCTION cmbs_store.mirror_messages(p_session_id uuid, p_seq bigint) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 08ed5e0e4847c3e49de22ffbf4d4cffc
    COMMENT 'What the Tee is to be told of a session next: messages from one on, as many as are told before anything is noted of them.'
FUNCTION cmbs_store.mirror_status(p_now timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6b534e14d1e063ac53d192a1166463e4
    COMMENT 'How far the mirror is behind: what waits, since when, how often that was tried in vain, and what the Tee refused.'
FUNCTION cmbs_store.missing_allow(p_settings jsonb, p_unmet cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_values jsonb, p_schemas jsonb, p_is_waivable boolean) RETURNS cmbs_store.reason
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cd822c519b4777126edf9518cb8b07cd
    COMMENT 'The reason of an item that no constraint allows.'
FUNCTION cmbs_store.missing_constraints(p_entries jsonb) RETURNS text[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 04d4c606273bf675b923e8209ceeeb8b
    COMMENT 'The constraints that a policy requires and does not have, in order.'
FUNCTION cmbs_store.missing_member(p_object jsonb, p_members text[]) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6532dedba0e7d3d170620dea80462026
    COMMENT 'The first of the members that an object lacks; null if it has them all.'
FUNCTION cmbs_store.mode_in_force(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 24381f3db66107ffe3758d49c06ecfa2
    COMMENT 'The mode of a session, as of the event that it is given as of; normal where none was set.'
FUNCTION cmbs_store.mode_setting(p_settings jsonb, p_mode text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 746733a82931a1ef7bd470fc94c08dd2
    COMMENT 'What a mode means: what policy.modes says of it, and the rest as it is everywhere.'
FUNCTION cmbs_store.modes() RETURNS TABLE(level integer, mode text, setting jsonb)
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b11b5d01e3b2ab403852c0cc8326392d
    COMMENT 'The modes, from the freest down: how much of the soft budgets is left in each, in percent, and which classes of effects it forbids, where a policy says nothing else.'
FUNCTION cmbs_store.n_colons(p_json text) RETURNS integer
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT abd84a201acb703860ec5e042ffd774a
    COMMENT E'How many colons a JSON text holds, those written as \\u003a included.'
FUNCTION cmbs_store.n_messages_without(p_session_id uuid, p_without_source text, p_without_observation text) RETURNS bigint
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d6c919b8d6977db482a2aae1ddac3768
    COMMENT 'The number of messages that are thought away. Raises MB003.'
FUNCTION cmbs_store.narrowing_fault(p_session cmbs_store.session, p_parent cmbs_store.capability_token, p_grant jsonb, p_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e4db6773d0abc2c71148091aebeceff8
    COMMENT 'In what a token would be wider than the one that it is made from, as of the event that the session is given as of; null if in nothing.'
FUNCTION cmbs_store.nearest_change(p_condition jsonb, p_values jsonb, p_schemas jsonb, p_want boolean DEFAULT true, OUT p_n_failing integer, OUT p_detail text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 73d16f7161261e409a235347ce70bf31
    COMMENT 'What would have to be different for a condition to hold (or not to): the fewest clauses, as a sentence for people.'
FUNCTION cmbs_store.new_api_token(p_caller cmbs_store.principal, p_principal cmbs_store.principal, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_replaces uuid) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT aaa75c223d8be853ca76387828b5bd99
    COMMENT 'A new token of a principal, with its event. Raises MB102.'
FUNCTION cmbs_store.new_edge_tombstones(p_incident cmbs_store.incident, p_edges jsonb) RETURNS cmbs_store.edge_tombstone[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6520228f6501dbefeff5a82d3557eea1
    COMMENT 'The rows of edges that are to be ruled out of a locked incident and are not yet, for its next event; sorted, each once.'
FUNCTION cmbs_store.new_incident_event(p_incident cmbs_store.incident, p_actor text, p_source_id text, p_trigger text, p_occurred_at timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6a9a3aab656dd6d847b369f3c8ac6141
    COMMENT 'Notes in a locked incident who rules something out, and returns the number of that.'
FUNCTION cmbs_store.new_policy_version(p_tenant text, p_pack text, p_policy_hash bytea, p_fixtures text, p_by text, OUT p_version integer, OUT p_is_new boolean) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b91dff6bc8bdc4375984300807ed1359
    COMMENT 'The next version of a pack; if its last version has the same content and fixtures, that one.'
FUNCTION cmbs_store.new_session(p_session_id uuid, p_tenant text, p_ontology jsonb, p_universe_digest bytea, p_n_hypotheses integer, p_policy cmbs_store.policy_default, p_policy_as_sent text, p_declared_at timestamp with time zone, p_universe_from text, p_is_mirrored boolean) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f8dc5d02a2f3c557ec0f94657d8567cb
    COMMENT 'A new session, before its first event; null if the id is taken.'
FUNCTION cmbs_store.node_fault(p_node jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 60aa1a0416ce818e98778f43a250963c
    COMMENT 'What is wrong with a node that is to be merged, null if nothing is.'
FUNCTION cmbs_store.node_id_fault(p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c49937723c9ee022cc085f67980f1bbd
    COMMENT 'What is wrong with a JSON value that must be the id of a node, null if nothing is.'
FUNCTION cmbs_store.nodes_json(p_incident cmbs_store.incident, p_ids text[] DEFAULT NULL::text[]) RETURNS text
    LANGUAGE sql STABLE SET enable_seqscan TO 'on' SET enable_nestloop TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3b1dcb8ab49ca93cdb3e81d0e146a849
    COMMENT 'Nodes of the graph as they were when an incident was created, as JSON text: those that live, or all of them if it is no incident.'
FUNCTION cmbs_store.normal_row(p_relation text, p_content jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 546f6b2563ff75fcea011536a1a24702
    COMMENT 'A row that an event leaves, in the form in which its table would give it, without what is counted up from row to row.'
FUNCTION cmbs_store.note_clock() RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cf9b3f44262e4c534ac54e8844798cde
    COMMENT 'Notes how far time has come, once a second at most, and that the clock was set back, if it was.'
FUNCTION cmbs_store.note_closed(p_session_id uuid, p_kind text, p_ids uuid[]) RETURNS void
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0a87f64195585b5a4b8fdc007a493d60
    COMMENT 'Notes that permits or questions of a session are open no more.'
FUNCTION cmbs_store.note_ended(p_session_id uuid) RETURNS void
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2d56d3cd5e4c617c86108fe0f31bba1a
    COMMENT 'Notes that nothing is open in a session any more: it is terminated.'
FUNCTION cmbs_store.note_mirrored(p_session cmbs_store.session, p_seq bigint) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 525974a3d33320d2b35d57ba29f719a8
    COMMENT 'Notes in the outbox that the Tee has to be told of an event of a mirrored session.'
FUNCTION cmbs_store.note_open(p_session_id uuid, p_kind text, p_rows jsonb) RETURNS void
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 55545ac7815845d2dbfeb752303f7e4f
    COMMENT 'Notes permits, questions or deferrals that are open, and when each runs out; of a deferral that was noted before when it is tried next, or that it waits no more.'
FUNCTION cmbs_store.obligation_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ce222cfc1d93b732c2f7c1a27e906a2d
    COMMENT 'How near the active obligation is to its exit, as JSON text; null if none is active.'
FUNCTION cmbs_store.offered_rows(p_actor text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fd3e2fbafc6f2ba6267332a77a5b233c
    COMMENT 'The rows of what a proposal may execute, of approvals that it used, and of what it waits for.'
FUNCTION cmbs_store.ontology_bundle(p_ontology json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3b0de6bd697b805c62c41359edc6f2c7
    COMMENT 'The ontology bundle of a declare: exactly four non-empty strings, stored and never interpreted. Raises MB201, MB203.'
FUNCTION cmbs_store.operand(p_values jsonb, p_operand jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 67effe4be3c1d074edc766c5263a51dc
    COMMENT 'The second operand of a comparison: a literal, or what a reference leads to; null if that is not there or cannot be read.'
FUNCTION cmbs_store.outbox_metrics(p_now timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d615bd343e680287c9b859628274076b
    COMMENT 'How many messages to webhooks wait, how long the oldest has, and how many were given up.'
FUNCTION cmbs_store.outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 01016c0cc035da07ed71aaa84c3fd311
    COMMENT 'The members of a response that tell the outcome of a message, as JSON text.'
FUNCTION cmbs_store.own_tenant(p_caller cmbs_store.principal) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7e2399acb7a81adf5a03eb46e000b79c
    COMMENT 'The tenant that something new belongs to: that of the caller, who may see all and belong to none.'
FUNCTION cmbs_store.page_limit(p_limit integer) RETURNS integer
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2a6d72a6a794a54d28964e6d92a6419d
    COMMENT 'How many entries a list in an answer may have: 100 unless the caller says otherwise. Raises MB201.'
FUNCTION cmbs_store.parsed_entry(p_policy_hash bytea, p_key text, p_value text) RETURNS cmbs_store.policy_entry
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8f936eecc9f51a677b652559f07ed3b9
    COMMENT 'An entry of a policy, read: of a constraint its subject, effect, condition and what that reads, or what is malformed about it.'
FUNCTION cmbs_store.patch_reasons(p_item_no integer, p_patch jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5c4a71dfe9715366580d6d38abbedacb
    COMMENT 'The stage of schemas for the values of one state delta.'
FUNCTION cmbs_store.payload_fault(p_verb text, p_record jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b371e0985472d3961cfcdc5efcd94b83
    COMMENT 'What makes a payload one that its verb cannot have recorded; null if nothing does.'
FUNCTION cmbs_store.permit_fault(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 17431273fd398c01a08f592f34feda4a
    COMMENT 'What is wrong with a permit that is to be used, as a reason code; null if nothing is.'
FUNCTION cmbs_store.permit_json(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d2359aa8306a3962bd25203f1b773277
    COMMENT 'A permit as it is shown: the call that it lets execute, and what has become of it.'
FUNCTION cmbs_store.permit_of(p_session cmbs_store.session, p_permit_id uuid) RETURNS cmbs_store.permit
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 617b11f3e7f695cba9c5760d8354183b
    COMMENT 'A permit of a session by its id, as of the event that the session is given as of. Raises MB011, MB201.'
FUNCTION cmbs_store.permit_offer(p_verdict jsonb, p_capability cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given cmbs_store.verdict_input) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8a32a139feb70f6532793fd93967bc29
    COMMENT 'The permit of a call that is allowed, as members of its verdict: an id that follows from what it is for, and until when it may be used, which is never longer than capability and approvals count.'
FUNCTION cmbs_store.permit_state(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a789ef60a0779c916cb2ce2b30c8bba0
    COMMENT 'What has become of a permit: issued, expired, executing, committed or rolled_back; ended where its session is.'
FUNCTION cmbs_store.permitted_tool(p_session cmbs_store.session, p_caller cmbs_store.principal, p_given cmbs_store.verdict_input, p_tool_id text) RETURNS json
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1d43863b62cf9b6abf7934b60e3d25e1
    COMMENT 'What a call of a tool would get now, as far as that can be told without its arguments: `depends` where nothing but a schema that constraints hold them against stands in the way.'
FUNCTION cmbs_store.policies_named(p_session cmbs_store.session) RETURNS TABLE(policy_hash bytea, seq bigint)
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a72df004019c618a898f09d8d142010f
    COMMENT 'The policies that the log of a session names, with the first event that does: those in force, those that are asked beside them, and the one by which all is denied before the first.'
FUNCTION cmbs_store.policy_entries(p_policy_hash bytea) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT da712fabfc9137d210cc73540ef8fcb6
    COMMENT 'The entries of a policy, as they are hashed: key -> text of the value.'
FUNCTION cmbs_store.policy_in_force(p_session cmbs_store.session) RETURNS cmbs_store.policy_pin
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2595120c2dce06b1574f3437541b6992
    COMMENT 'The policy that a session names, as of the event that the session is given as of; the pack deny-all where it names none.'
FUNCTION cmbs_store.policy_reasons(p_policy cmbs_store.policy) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ee5202e9bea2557ef5bc8c4c35a1202e
    COMMENT 'Whether there is a policy to decide by.'
FUNCTION cmbs_store.policy_values(p_policy_hash bytea, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e05571285973a2706ee916455797d0e0
    COMMENT 'Those of the given keys that a policy has.'
FUNCTION cmbs_store.policy_versions(p_tenant text, p_pack text) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ac1e3bea4248b374d765cbeee304d24d
    COMMENT 'The versions of policy packs that a tenant may use, by name and number, as JSON; of one pack, or of all.'
FUNCTION cmbs_store.policy_warnings(p_entries jsonb, p_tenant text) RETURNS TABLE(key text, severity text, finding text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b57246529b3f8f56da83ea384f989d9d
    COMMENT 'What in a pack is legal and probably not meant.'
FUNCTION cmbs_store.post_state(p_values jsonb, p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 43dd7da3d0165faf0b379906ec4600e3
    COMMENT 'What would be read after the deltas among some items were committed.'
FUNCTION cmbs_store.prefix_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 551f51ec463a4c4d41268dab8e65e136
    COMMENT 'Keys of a proposal that would begin with another key of the state, or another with them, once the proposal is committed.'
FUNCTION cmbs_store.prev_event_hash(p_record text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f85fc5d3a64815953a04f282d361c433
    COMMENT 'The prev_event_hash of a record, read off its place: the last three members are of fixed width.'
FUNCTION cmbs_store.principal_json(p_principal cmbs_store.principal) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5921edac062db3b31bdcdb8ea9bec334
    COMMENT 'A principal as it is shown.'
FUNCTION cmbs_store.project_capability(p_session_id uuid, p_row jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d4bca399c69d72fa1e64925a4fb2b64d
    COMMENT 'Writes the row of a capability token, with the chain of those that it was made from.'
FUNCTION cmbs_store.project_clock_step(p_session_id uuid, p_seq bigint, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8955602f8234f6c6d1fb77c4b9bf9655
    COMMENT 'Writes the row of an event that found the clock set back, and that its session knows of all steps so far.'
FUNCTION cmbs_store.project_deltas(p_session_id uuid, p_seq bigint, p_deltas jsonb, p_values jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a031e70d449ff9dc95cee727d442fa53
    COMMENT 'Writes the state deltas of an event with their numbers, and the values of their keys; after every hundredth delta also the whole state.'
FUNCTION cmbs_store.project_event(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT bad791ca23ec28527d6a8e795e353459
    COMMENT 'Writes the rows that an event of arbitration leaves in the tables of its session.'
FUNCTION cmbs_store.project_execution(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f626a4a57afc531d97897d81a8d4707e
    COMMENT 'Writes the rows that an event of execution, approval or upkeep leaves in the tables of its session, and notes what is not open any more.'
FUNCTION cmbs_store.project_offers(p_session_id uuid, p_rows jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cf1245f0e6d5078a3b94f2c753d0327d
    COMMENT 'Writes the rows of permits, questions, used approvals, deferrals and shadows, and notes what is open now.'
FUNCTION cmbs_store.project_spending(p_session_id uuid, p_rows jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0dc6b51b04a89dae682c162fe24b08b1
    COMMENT 'Writes what was spent of the budgets of a token and of all that it was made from, with the sums.'
FUNCTION cmbs_store.promotion_reasons(p_session cmbs_store.session, p_claim jsonb, p_promotes uuid) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d691b18b15db79b142872ab53f70c111
    COMMENT 'Whether a promotion has evidence that none of the claims had that it goes back to: a confirmation, or a source.'
FUNCTION cmbs_store.proposal_digest(p_proposal jsonb) RETURNS bytea
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 11aa6bf237acc1f9245d0c0d507b589b
    COMMENT 'The digest of what makes a proposal the same as another under one idempotency key: its items, and whether they belong together.'
FUNCTION cmbs_store.proposal_fault(p_state cmbs_store.session, p_actor text, p_given cmbs_store.verdict_input) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8e3a807b36a4110f0be35cc4b2e346b1
    COMMENT 'What is wrong with what a recorded proposal goes on with, or tries again; null if nothing is.'
FUNCTION cmbs_store.proposal_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dfdb84297a8d09f5e3013f0d769b8fda
    COMMENT 'The members of an answer that tell what was decided on a proposal, as JSON text.'
FUNCTION cmbs_store.proposal_reasons(p_session cmbs_store.session, p_actor text, p_given cmbs_store.verdict_input, p_policy cmbs_store.policy, p_capability cmbs_store.capability_token, p_evidence cmbs_store.evidence) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f38997b1c9c1674fe4b5210e53217f1b
    COMMENT 'All that stands against a proposal and its items, stage by stage.'
FUNCTION cmbs_store.proposal_rows(p_session_id uuid, p_actor text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT aaf77b5ef5f7cbada6d487822abfc27d
    COMMENT 'The rows that a proposal leaves in the tables of its session: itself, and what took effect.'
FUNCTION cmbs_store.provenance_fault(p_provenance jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ae4643eece77e02d0b9c6778f0cac29e
    COMMENT 'What is wrong with the provenance of a node or an edge, null if nothing is: each must name who says so and on what, and there must be one.'
FUNCTION cmbs_store.provenance_json(p_source_id text, p_trigger text, p_occurred_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4259bf56fe94b90e557e5dce55967f18
    COMMENT 'One who says that something is there, as JSON text.'
FUNCTION cmbs_store.random_id() RETURNS uuid
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9d535436de2b1931ddadff6e0b6fe8cf
    COMMENT 'The one source of randomness of the kernel; tests replace it in their database.'
FUNCTION cmbs_store.ranks(p_universe_digest bytea, p_ids text[], OUT p_found text[], OUT p_ranks integer[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f8d427d2168973865a0c00325031d10b
    COMMENT 'Which of the given ids are members of a universe, sorted, each once, and their ranks.'
FUNCTION cmbs_store.read_capability(p_session cmbs_store.session, p_token_id uuid) RETURNS cmbs_store.capability_token
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f2c99cb577c6e62c53d25af3ff8f8697
    COMMENT 'A capability token of a session by its id. Raises MB006.'
FUNCTION cmbs_store.read_context(p_context_id text, p_tenant text) RETURNS cmbs_store.context
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7b1256087522f4f944c1fd0f4f9360e3
    COMMENT 'The elimination context, for verbs that only read, if the caller may see it. Raises MB001, MB201.'
FUNCTION cmbs_store.read_event(p_session_id uuid, p_event_id uuid) RETURNS cmbs_store.audit_event
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0c1c4361652f32af76693c2c67c3ef7d
    COMMENT 'One event of a session by its id. Raises MB003.'
FUNCTION cmbs_store.read_incident_row(p_incident_id text, p_tenant text) RETURNS cmbs_store.incident
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7ecd2c6a6fe5c7c17c9277904e0be2d2
    COMMENT 'The incident, for verbs that only read, if the caller may see it. Raises MB013, MB201.'
FUNCTION cmbs_store.read_session(p_session_id uuid, p_tenant text) RETURNS cmbs_store.session
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 95672844bc15a48fd98f14483017de81
    COMMENT 'The session, for verbs that only read, if the caller may see it: p_tenant is whose sessions that are, `*` for all. Raises MB001, MB201.'
FUNCTION cmbs_store.readable_value(p_value text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 33508349f7c5c047ea3757b7fcc874e9
    COMMENT 'A stored value as JSON; JSON null where it cannot be read, because it is not JSON, not an object, or has no v.'
FUNCTION cmbs_store.reading_time(p_session cmbs_store.session) RETURNS timestamp with time zone
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ad3c6bd5438ff46f4dd64c9cadad0501
    COMMENT 'The time by which what a session granted is shown now: infinity where the clock was set back, so that it is shown as what it is, expired.'
FUNCTION cmbs_store.reattributed(p_session_id uuid, p_without_source text, p_without_observation text, OUT p_ids text[], OUT p_seqs bigint[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 579d2c255ee1e4a6afaa676fb21021fb
    COMMENT 'The hypotheses that the messages thought away eliminated, and the first other message that asked for them afterwards: it would have eliminated them instead.'
FUNCTION cmbs_store.recheck_permit(p_session cmbs_store.session, p_permit cmbs_store.permit, p_capability cmbs_store.capability_token, p_items jsonb, p_given cmbs_store.verdict_input, p_recorded jsonb, OUT p_reasons cmbs_store.reason[], OUT p_basis jsonb) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2deca2e5aa2b4ed5f9b1de17bbaf64fb
    COMMENT 'What stands against a permitted call by all that has changed since it was allowed; what is waived stays so while the constraint is what it was.'
FUNCTION cmbs_store.record_fault(p_event cmbs_store.audit_event, p_record jsonb, p_before cmbs_store.session, p_after cmbs_store.session, p_delta text[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e20f5d66eda5b71b2ddb01672fc0e895
    COMMENT 'What is wrong with one record, null if nothing: it must be, byte for byte, what its columns and the replayed state make it.'
FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT e23297e09b4480d5993212a60fd91be1
    COMMENT 'The canonical text of one event.'
FUNCTION cmbs_store.recorded_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_content jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9419c7f19baca9a8157ed67edba78a58
    COMMENT 'The recorded outcome of the same answer to a question by the same principal; null if it is new.'
FUNCTION cmbs_store.recorded_completion(p_session cmbs_store.session, p_permit cmbs_store.permit, p_content jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a9db2030c49103708c741f8e9845819b
    COMMENT 'The recorded outcome of an execution that ended before in the same way; null if it did not end. Raises MB102.'
FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text, p_arbitration jsonb, p_universe_from text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8adf6e40c338a9ef2dd5cd3bb045fe41
    COMMENT 'The recorded outcome of a repeated declare. Raises MB102.'
FUNCTION cmbs_store.recorded_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5c0c5892715d7c80349c9c781b68eb01
    COMMENT 'The recorded outcome of a repeated ELIMINATE, null if the observation is new. Raises MB102.'
FUNCTION cmbs_store.recorded_message(p_session_id uuid, p_request_id text, p_verb text, p_content jsonb) RETURNS cmbs_store.audit_event
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f548a10f43899220b98d75a332aae6c1
    COMMENT 'The event of a repeated message, null if the request id is new or absent. Raises MB102.'
FUNCTION cmbs_store.recorded_outcome(p_session_id uuid, p_request_id text, p_verb text, p_content jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b0bb46c3f1a66bd6009f0d2452ff381d
    COMMENT 'The recorded outcome of a repeated message, null if the request id is new or absent. Raises MB102.'
FUNCTION cmbs_store.recorded_proposal(p_session_id uuid, p_actor text, p_proposal jsonb, OUT p_payload jsonb, OUT p_event_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2ba07756d08f727787e9206d4dd8cb10
    COMMENT 'The payload of the proposal that the same proposer made under the same key with the same items; null if there is none.'
FUNCTION cmbs_store.recorded_resume(p_session cmbs_store.session, p_request_id text, p_actor text, p_seq bigint, p_items jsonb) RETURNS cmbs_store.audit_event
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 58bb2b0993e3af29e430f709c56827d4
    COMMENT 'The event of a proposal that went on by the same message of the same principal; null if it is new. Raises MB102.'
FUNCTION cmbs_store.recorded_token_end(p_token cmbs_store.api_token) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 35d10da481fc923b3640d059a1c1761a
    COMMENT 'What an event says of the end of a token that it makes: when, and how far the clock had been set back by then, if it had.'
FUNCTION cmbs_store.refusal_of_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4e558849c1a889fb19326fa9dd114452
    COMMENT 'Why a question does not take an answer by somebody, as a reason code; null if it does.'
FUNCTION cmbs_store.refuse(p_state text, p_message text, p_detail text, p_hint text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 949c1181d080400036950dff70bd0543
    COMMENT 'Ends the call with an error of ours, of class MB, of which the log of the server says nothing: a refusal is an answer, and not a failure of the server.'
FUNCTION cmbs_store.refuse_batch(p_state text, p_text text, p_detail text, p_hint text, p_index integer, p_recorded bigint) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 822148d6e4e0883f22b354863fb424c9
    COMMENT 'Ends a batch with the error of one of its messages, which it names. Raises MB201.'
FUNCTION cmbs_store.refuse_caller(p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c3799715eba1c2a34c75b105740e3850
    COMMENT 'Ends the call: this caller may call nothing, or not in this way. Raises MB302.'
FUNCTION cmbs_store.refuse_change() RETURNS trigger
    LANGUAGE plpgsql OWNER cmbs_owner EXECUTE cmbs_owner TEXT 02cd8bb1c831d3b146591815fdc25b8d
    COMMENT 'Trigger: refuse every UPDATE, DELETE and TRUNCATE.'
FUNCTION cmbs_store.refuse_credential(p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 326db22eea9293078a39ad20974bef31
    COMMENT 'Ends the call: nobody can be told from what the caller showed. Raises MB301.'
FUNCTION cmbs_store.refuse_execution(p_code text, p_detail jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b1db2fe8ab364a1c56fb7b43451c8f43
    COMMENT 'Ends the call: the permit or the approval that it goes on with does not let it, as it stands. Raises MB102.'
FUNCTION cmbs_store.refuse_import(p_session_id uuid, p_seq bigint, p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d7bd1bca36bcd0326b4ce9d39ea1bc2b
    COMMENT 'Ends an import: an event is not one that this log can have. Raises MB201.'
FUNCTION cmbs_store.refuse_missing(p_kind text, p_detail json) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e00db7a8d72fbd7c670d2cabfc5c155a
    COMMENT 'Ends the call: what was named is not there, or not to be seen by the caller.'
FUNCTION cmbs_store.refuse_name(p_name text, p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d517906d35007f40753fb2ea291d7cac
    COMMENT 'Ends the call: the name of a principal is taken, or cannot be one. Raises MB102.'
FUNCTION cmbs_store.refuse_request(p_member text, p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8b45432ffb71bfc24b34885be1853a19
    COMMENT 'Ends the call: a member of the request is missing or malformed. Raises MB201.'
FUNCTION cmbs_store.refuse_role(p_caller cmbs_store.principal, p_verb text, p_roles text[]) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 46c40c436740350db320d0f88e052cbd
    COMMENT 'Ends the call: the principal has none of the roles that it takes. Raises MB302.'
FUNCTION cmbs_store.refuse_size(p_member text, p_limit text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT da5b4fcbd4f319d006c091ffde1f92a6
    COMMENT 'Ends the call: a member of the request is larger than the server takes. Raises MB203.'
FUNCTION cmbs_store.refuse_unknown(p_number integer, p_numbers integer[], p_ids text[], p_ranks integer[]) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d5c6e31b7960870cbc5da6a1d8bbac87
    COMMENT 'Ends a batch for the ids of one of its messages that are outside the universe. Raises MB202.'
FUNCTION cmbs_store.registered_tool(p_tenant text, p_tool_id text, p_tool_hash bytea, p_by text) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c871be321b3d9c844369c90339471404
    COMMENT 'Lets a definition count for a tool from now on, if it is not the one that counts already; null withdraws the tool.'
FUNCTION cmbs_store.remaining_reasons(p_session cmbs_store.session, p_items jsonb, p_verdict jsonb, p_evidence cmbs_store.evidence) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e0dbd8bc67912b5bf8568bb7a6caa1f5
    COMMENT 'What stands against the items of a proposal that are allowed by themselves, together: without those that are refused, the others must be fit to be committed, too.'
FUNCTION cmbs_store.repeated_elimination(p_event_id uuid, p_source_id text, p_observation_id text, p_sent jsonb, p_applied jsonb, p_eliminated text[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ba45f76d8bd72f22d2a2c72f890ac8dd
    COMMENT 'The outcome of an ELIMINATE message that repeats another. Raises MB102.'
FUNCTION cmbs_store.replay(p_session cmbs_store.session, p_until bigint, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_ids text[], OUT p_id_seqs bigint[], OUT p_rows text[], OUT p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7bef852d304911c74d7e616db66b8152
    COMMENT 'Replays the log of a session up to an event: every delta, every decision, every record is made again from the log alone and compared.'
FUNCTION cmbs_store.replay_arbitration(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1d5ba29e46539c602db07e5afbc9f114
    COMMENT 'Decides one event of arbitration again, by the policy that its record names, and says whether the recorded decision is another; null if it is not.'
FUNCTION cmbs_store.replay_declare(p_session cmbs_store.session, p_record jsonb, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 55a777e6e8a951d6766605ceaaa49baa
    COMMENT 'The state right after event 1, from its record alone, and whether the stored universe is the one that the record commits to.'
FUNCTION cmbs_store.replay_elimination(INOUT p_state cmbs_store.session, p_payload jsonb, OUT p_delta text[], OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6f3eb1186392c0fd34d271c0ca65c454
    COMMENT 'Applies one ELIMINATE event again: what was asked for and still survives goes.'
FUNCTION cmbs_store.replay_execution(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 34f809a768ca74bf1b2cfc76069d7d6d
    COMMENT 'Decides one event of execution, approval or upkeep again, and says what is wrong with what was recorded; null if nothing is.'
FUNCTION cmbs_store.replay_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 06f795bbf38a61e7a102d5c59243fd60
    COMMENT 'Decides one gate event again, from the state before it and the payload of the request, and says whether the recorded decision is another.'
FUNCTION cmbs_store.replay_verdict(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4de4ea0a03674d918a9837982bdc52c9
    COMMENT 'Decides a recorded proposal or claim again, by the policy that its record names, and says what is wrong with the recorded verdict; null if nothing is.'
FUNCTION cmbs_store.resolution_json(p_interrupt cmbs_store.interrupt) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6e20c110f5a5b6be712f15a96ec768ee
    COMMENT 'The answer to a question as it is shown; null if there is none.'
FUNCTION cmbs_store.resolve_session_policy(p_tenant text, p_policy jsonb) RETURNS cmbs_store.policy_default
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 768cd5f8fdd89959e929d9630dd92621
    COMMENT 'A policy with what was not given filled in from the defaults of a tenant; one that has none of its own has those of `*`. Raises MB201.'
FUNCTION cmbs_store.resource_reasons(p_roots text[], p_item_no integer, p_item jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fd4c336828876b0f27b3f398101318d7
    COMMENT 'Paths and hosts in the arguments and artifacts of a call that lie outside of the roots of its token.'
FUNCTION cmbs_store.response(p_outcome text, p_session cmbs_store.session, p_minimal boolean) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c6579c6dce8177321d194f2e8e2f7f6a
    COMMENT 'The response of a mutating verb, ready to send: the members of the verb itself, and the snapshot.'
FUNCTION cmbs_store.resumed_proposal(p_session cmbs_store.session, p_proposal jsonb, p_item_nos jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1e23f7f569cff43b1c42dce5b886586a
    COMMENT 'A proposal that goes on: as the one that was asked about, with those of its items that do, in the state as it is.'
FUNCTION cmbs_store.retry_deferred(INOUT p_session cmbs_store.session, p_by text, p_at timestamp with time zone, OUT p_n_tries integer) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ba6d313a8f6ba274a35ede6a9005fafb
    COMMENT 'Tries deferred proposals of a locked session again that may have what they wait for: each try is a verdict of its own, of the one who proposed, and what it commits may be what others wait for.'
FUNCTION cmbs_store.returning_without(p_session cmbs_store.session, p_ended_seq bigint, p_ids text[], p_seqs bigint[]) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c3bf438b9ff39eab89f32bff3671236f
    COMMENT 'The hypotheses that would survive and do not: those whom nobody else would have eliminated, and those whom messages eliminated that an earlier end of the session would have refused.'
FUNCTION cmbs_store.roles_now(p_tenant text, p_name text, p_source text) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ae7c39f6334a7454db4de303a2e881ca
    COMMENT 'The roles that somebody has now who proposed something before: those of the principal, none if it is disabled or may not speak for the source any more; of a login that nobody registered what it was granted.'
FUNCTION cmbs_store.s_core_at(p_session_id uuid, p_seq bigint) RETURNS real[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ba2458d7f9f2a3fbe782fba8c741cb9d
    COMMENT 'The vector of a session as of an event: the last one that was committed; null if none was.'
FUNCTION cmbs_store.save_batch(p_session cmbs_store.session, p_mask bytea, p_ids text[], p_ranks integer[], p_seqs bigint[]) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8538323dc71d5e1badeb1b35c5099b44
    COMMENT 'Saves a locked session after a batch, and what the batch eliminated.'
FUNCTION cmbs_store.save_chunk(p_session_id uuid, p_chunk_no integer, p_chunk bytea) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 53530b0bd7dc8e8cf793d32fa60889fb
    COMMENT 'Writes one chunk of a mask back.'
FUNCTION cmbs_store.save_session(p_session cmbs_store.session) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9a609b912a75e3f72617131574926423
    COMMENT 'Writes the state of a session, which the caller has locked.'
FUNCTION cmbs_store.scheduler_reasons(p_session cmbs_store.session, p_items jsonb, p_definitions jsonb, p_settings jsonb, p_at timestamp with time zone) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 943fd53da97cfaeb47213618405c0e6a
    COMMENT 'The stage of the scheduler for calls of tools: whether the mode forbids the effects of the tool, and whether it was allowed too short a time ago.'
FUNCTION cmbs_store.scheduler_setting_fault(p_key text, p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c08de29bca14e930bc29a61680591eba
    COMMENT 'What is wrong with a setting of permits, questions, deferrals, modes or cooldowns; null if nothing is.'
FUNCTION cmbs_store.schema_apply(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d29c42a2451371a9f6f03025cc52351b
    COMMENT 'One value against the schemas that a schema applies to the same value: $ref, allOf, anyOf, oneOf and not.'
FUNCTION cmbs_store.schema_at_ref(p_root jsonb, p_ref jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 83426eb7aed0acb60b53910a5c467ef6
    COMMENT 'The schema that a local $ref of a document leads to, null if there is none.'
FUNCTION cmbs_store.schema_children(p_schema jsonb, OUT place text, OUT child jsonb, OUT is_in_place boolean) RETURNS SETOF record
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4daee07766394a281fc348a7173c65b4
    COMMENT 'The schemas in a schema: where in it, what, and whether they apply to the same value.'
FUNCTION cmbs_store.schema_documents(p_schemas jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9a67a6c4ac6310b4a3a11d9002567599
    COMMENT 'The documents of JSON Schemas, by schema id, from their hashes.'
FUNCTION cmbs_store.schema_fault(p_schema jsonb, p_instance jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7beb648d689266838e4c4ad52113937e
    COMMENT 'Why a value does not conform to a JSON Schema, as one sentence that begins with its JSON Pointer ("/" is the whole value); null if it conforms.'
FUNCTION cmbs_store.schema_keyword_fault(p_schema jsonb, p_is_root boolean) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d326ff4985ad190f7f61b0a3314fbf08
    COMMENT 'What is wrong with a schema itself, the schemas in it aside, as the JSON Pointer in it and a sentence; null if nothing is.'
FUNCTION cmbs_store.schema_keywords() RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2672ab6e42500040ff70ea9250edc44e
    COMMENT 'The keywords that a JSON Schema may have here.'
FUNCTION cmbs_store.schema_limit_fault(p_schema jsonb, p_value jsonb, p_type text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6af783287a8ba45f24dbf00951c5c073
    COMMENT 'What is wrong with a number, a text or a list by the limits of a JSON Schema and by its pattern: null if nothing is, with a question mark before it if that is not known.'
FUNCTION cmbs_store.schema_lists_names(p_value jsonb) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 60438a61897a7224810d5e847a4cde39
    COMMENT 'Whether a value is a list of different texts.'
FUNCTION cmbs_store.schema_malformed(p_document jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 595c02ffc50e00f2f1cc8c598d2b98ba
    COMMENT 'Why a document cannot be registered as a JSON Schema, as one sentence that begins with its JSON Pointer ("/" is the whole document); null if it can.'
FUNCTION cmbs_store.schema_pattern_fault(p_pattern jsonb, p_text text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 52e6e77c1bd736ad60faacaf92c711c3
    COMMENT 'What is wrong with a text by the pattern of a JSON Schema: null if nothing is, with a question mark before it if that is not known.'
FUNCTION cmbs_store.schema_pointer(p_ref jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8e03b920e1191d45d6ca09af211f530e
    COMMENT 'The JSON Pointer of a local $ref, without its percent escapes; null if it is none.'
FUNCTION cmbs_store.schema_ref_fault(p_places text[], p_schemas jsonb[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 06ea04c87a99d59002be8e33b3d70b0b
    COMMENT 'A $ref that leads to no schema of its document, or schemas that lead to one another without stepping into the value more than 64 times, which a circle does: null if there is none.'
FUNCTION cmbs_store.schema_regex(p_pattern text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 69a594fd12b4182da27c4ae76147a7eb
    COMMENT 'A regular expression of ECMA-262 as PostgreSQL writes it, for the collation "C", or a question mark and a sentence about what has no counterpart.'
FUNCTION cmbs_store.schema_regex_fault(p_pattern text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6d69b542a7ca6f7842587a393b4ad225
    COMMENT 'Why a regular expression cannot be the pattern of a JSON Schema, null if it can.'
FUNCTION cmbs_store.schema_target(p_values jsonb, p_target text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5ba895e29d370063d9993d17b8807fa9
    COMMENT 'What a schema is held against: the arguments of the call, an artifact of it, or what a path leads to; null if it is not there.'
FUNCTION cmbs_store.schema_types() RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 67134de4973ed8e3272dd05fc90f2f92
    COMMENT 'The types of JSON Schema, as a list.'
FUNCTION cmbs_store.schema_value_fault(p_schema jsonb, p_value jsonb, p_type text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dd5bb4f0592cdb8c07eed87f3d52f52a
    COMMENT 'What is wrong with a value by the keywords that need no other schema: null if nothing is, with a question mark before it if the schema is not one that was registered.'
FUNCTION cmbs_store.schema_walk(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b6eb454418ab4aa725fa4bdd0475f658
    COMMENT 'One value against one schema of the document p_root, and what is inside of it against what is inside of the schema.'
FUNCTION cmbs_store.schemas_named(p_tenant text, p_schema_ids text[], p_recorded jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT bef02619507b649f112897e76425a070
    COMMENT 'The hashes of the documents that schema ids stand for, null for an id that is not registered.'
FUNCTION cmbs_store.scope_reasons(p_capability cmbs_store.capability_token, p_item_no integer, p_item jsonb, p_definition jsonb, p_is_approved boolean) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ff4a6fa7fca6f1735a6925da88a4ebf7
    COMMENT 'The stage of the capability token, as far as it is about what one item does.'
FUNCTION cmbs_store.sent_entries(p_entries json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0c6130e60bc053cf1883ba2461938d6b
    COMMENT 'The entries of a pack as they were sent, each an object or the text of one, as canonical texts: key -> text of the value. Raises MB201, MB203.'
FUNCTION cmbs_store.session_as_of(p_session cmbs_store.session, p_event_id uuid) RETURNS cmbs_store.session
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 516da0eab113a30b9425a5c40864d74c
    COMMENT 'A session as it stood right after an event, as far as a snapshot shows it. Raises MB003.'
FUNCTION cmbs_store.session_before(p_session cmbs_store.session, p_seq bigint) RETURNS cmbs_store.session
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d15ea301c08557f4c505d31ec6d8beef
    COMMENT 'A session as it stood right before an event of its log, which is not the first.'
FUNCTION cmbs_store.session_metrics() RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cfd13f2b1ecd205cf8b80685496b033d
    COMMENT 'How many sessions are open, stuck in an obligation, or terminated, how many events their logs have, and how many bytes these and all tables take.'
FUNCTION cmbs_store.session_policy(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1f50478a4d288a038549b0703b2034cb
    COMMENT 'The policy of a session, as canonical text.'
FUNCTION cmbs_store.session_reasons(p_session cmbs_store.session, p_snapshot_id uuid) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2d177c631b06ab053a7f7b7dd6336c59
    COMMENT 'The stage of session and snapshot: whether the proposer saw the state that is decided on.'
FUNCTION cmbs_store.session_time(p_session cmbs_store.session, OUT p_at timestamp with time zone, OUT p_until timestamp with time zone, OUT p_clock timestamp with time zone) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 91366b1ea077b5f327c71487dbe8a32d
    COMMENT 'The time of a session, which never goes back.'
FUNCTION cmbs_store.set_ranks(p_mask bytea, p_ranks integer[]) RETURNS bytea
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT edde77db4935e68c2e50744a1e77b0c0
    COMMENT 'A mask with the bits of the given ranks set.'
FUNCTION cmbs_store.setting_fault(p_key text, p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1e36c27bc45a36f01937244c13659f76
    COMMENT 'What is wrong with a setting of a policy that verdicts read; null if nothing is.'
FUNCTION cmbs_store.severity(p_disposition text) RETURNS integer
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ab553067536c7a8c6e6796d6b4b698f7
    COMMENT 'How much a disposition forbids: of several the most restrictive counts.'
FUNCTION cmbs_store.shown_value(p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT bbfa2c6f4a625eff3512703c63b5204e
    COMMENT 'A value as a sentence shows it: cut short; in words where it is not there.'
FUNCTION cmbs_store.snapshot(p_session cmbs_store.session, p_minimal boolean) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c80d16abb114d1ad9d49eff2a46ba11b
    COMMENT 'The snapshot of a session, as JSON text; without the survivors if p_minimal.'
FUNCTION cmbs_store.sorted_set(p_list text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8983cdfd3e0a799f378ab46b53e990d5
    COMMENT 'A list of texts in byte order, each once; null for null.'
FUNCTION cmbs_store.spending_rows(p_session_id uuid, p_token_id uuid, p_amounts jsonb) RETURNS SETOF jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 69a79db0a462292efc358384e55ccf5c
    COMMENT 'What a token and all that it was made from spend, of each unit; nothing where that is zero.'
FUNCTION cmbs_store.spent_unit(p_session cmbs_store.session, p_chain uuid[]) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 964b490f19a349914986f28db772cd2b
    COMMENT 'A unit besides max_calls that some token of a chain has used up; null if there is none.'
FUNCTION cmbs_store.starter_pack(p_pack text, p_version integer, p_entries jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 000c3cbe8b29a18b95aeb5a501f41ee8
    COMMENT 'Publishes a pack that comes with CMBS for every tenant, if this version of it is not there.'
FUNCTION cmbs_store.state_fault(p_session cmbs_store.session, p_state cmbs_store.session, p_ids text[], p_id_seqs bigint[], p_rows text[], p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6cf63e44096d7ebfb9df5f8b60a5ce48
    COMMENT 'Whether the stored state is the one that the log leads to: tombstones, obligations, conclusions, mask, and every column of the session row.'
FUNCTION cmbs_store.steps_without(p_session_id uuid, p_without_source text, p_without_observation text, p_seqs bigint[], OUT seq bigint, OUT verb text, OUT event_id uuid, OUT payload jsonb, OUT n_eliminated bigint) RETURNS SETOF record
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3bbff9e67e088f94d2eb2afd65f7548c
    COMMENT 'The log of a session without some of its messages, in order: each elimination with the number of hypotheses it would have found alive, as long as nothing ended the session, and each message to a gate as it was sent.'
FUNCTION cmbs_store.store_policy(p_entries jsonb) RETURNS bytea
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fcd797062abbe63931c73415d3eee20e
    COMMENT 'Stores the content of a policy, if it is new, and returns its hash, by which it is addressed.'
FUNCTION cmbs_store.stored_values(p_session_id uuid, p_seq bigint, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0710b5199cbb7759515bb30c00232f83
    COMMENT 'Those of the given keys that a session has, as of an event, with the events that wrote them.'
FUNCTION cmbs_store.subject_of(p_key text, p_value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eb3bb972e220e22bb4f46ff5653c1892
    COMMENT 'To what a constraint applies: `t:` and a tool, `c:` and a capability, `!` for an invariant, and `*` for everything, which is also where a subject leads that cannot be read.'
FUNCTION cmbs_store.submit_claim(p_session cmbs_store.session, p_caller cmbs_store.principal, p_claim jsonb, p_promotes uuid, p_request_id text, p_expected_head uuid, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7d18d4e98cc0e87a89ae6e565eac86d3
    COMMENT 'Decides on a claim in a locked session, appends its event and answers. Raises MB101, MB102, MB103.'
FUNCTION cmbs_store.submit_proposal(p_session cmbs_store.session, p_actor text, p_given cmbs_store.verdict_input, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1d967449078225bee883a39b8ff22a68
    COMMENT 'Records a proposal in a locked session with the verdict on it, tries again what waited for what it committed, and answers.'
FUNCTION cmbs_store.survivors(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e08b69a4a24ee91e59d4a99c06ebe0a4
    COMMENT 'The survivors of a session, now or as of an event, as canonical text: universe minus tombstones.'
FUNCTION cmbs_store.survivors_hash(p_session cmbs_store.session) RETURNS bytea
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 377ff97b628f58db1189ab85b262303c
    COMMENT 'The survivors hash of a session as its mask stands.'
FUNCTION cmbs_store.survivors_hash_v1(p_universe_digest bytea, p_mask bytea) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT 6b6e61a82e7cbd327c9925240ae93990
    COMMENT 'sha-256 over universe digest and survivor mask.'
FUNCTION cmbs_store.survivors_then(p_session cmbs_store.session) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e51e4d94f537a00b46f93eb952b1e3f2
    COMMENT 'The survivors, in order, as of the event that the session is given as of.'
FUNCTION cmbs_store.sweep_fault(p_state cmbs_store.session, p_payload jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 11970aa7f20f4a9c5c3dc710d50966c4
    COMMENT 'What is wrong with a recorded release of permits; null if nothing is: each must have run out without being used.'
FUNCTION cmbs_store.termination_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a7bae663b47b14f1e365106eb572de56
    COMMENT 'What REQUEST_TERMINATION would answer now, without force and with it, and every condition that is lacking, in the order in which they are asked; as JSON text.'
FUNCTION cmbs_store.text_list(p_member text, p_list jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fef286bbafef6c29a2f7aeda89fe3134
    COMMENT 'A list of texts, sorted and each once; an empty one if it is left out. Raises MB201, MB203.'
FUNCTION cmbs_store.text_member(p_object jsonb, p_member text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d2d48a1bee53879565d4f0a289562ea5
    COMMENT 'A member of an object that must be a string, null if it is null or absent. Raises MB201.'
FUNCTION cmbs_store.time_member(p_object jsonb, p_member text) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d92f9828c85767f77dc6c1acecd16c84
    COMMENT 'A member of an object that must be a time with its zone, null if it is null or absent. Raises MB201.'
FUNCTION cmbs_store.timestamp_v1(p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT e03b0460ca47450d37fa283c58a50598
    COMMENT 'A time as records hold it: UTC, microseconds.'
FUNCTION cmbs_store.together_reasons(p_session cmbs_store.session, p_items jsonb, p_evidence cmbs_store.evidence) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ffa6da824869e3aa5b074096f0cdc307
    COMMENT 'The checks that look at all deltas of a proposal together: keys that begin with others, keys that are written twice, goals that exclude each other, and the invariants on what would be afterwards.'
FUNCTION cmbs_store.tombstone_answer(p_ids text[], p_new text[], p_is_matched boolean[]) RETURNS json
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3c5ebfd7d257ac17463768d8c48b04fe
    COMMENT 'What came of ids that were to be tombstoned: those that are now, and of the new ones those that the graph has.'
FUNCTION cmbs_store.tool_definitions(p_tools jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ff5f89ed9c6abc8d35f4543808a8e815
    COMMENT 'The definitions of tools, by tool id, from their hashes.'
FUNCTION cmbs_store.tool_reasons(p_item_no integer, p_item jsonb, p_tool jsonb, p_definition jsonb, p_schemas jsonb, p_has_key boolean) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c6e02d2f0f3879ffd811b9c8cd58a996
    COMMENT 'The stages of idempotency and of schemas for one tool call.'
FUNCTION cmbs_store.tools_json(p_tenant text, p_tool_id text) RETURNS SETOF json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b75ba4e2eb6ecd839a24f09704d809e9
    COMMENT 'The tools of a tenant with the definitions that count, by id, as JSON texts; one tool, or all.'
FUNCTION cmbs_store.tools_named(p_tenant text, p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3ef93f8835b313c304167c1b562d0c53
    COMMENT 'The tools that items call, as they are registered now: the hash of the definition, null for a tool that is not registered, false for one that was withdrawn.'
FUNCTION cmbs_store.trace_start(p_session_id uuid, p_tenant text, p_since_event_id uuid, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d8c7608b33775e5e3def4613c8cb331c
    COMMENT 'The seq after which a trace begins. Raises MB001, MB003, MB201.'
FUNCTION cmbs_store.undeclared_functions(p_declared text[]) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_owner TEXT 682d205146939632a7ac0f93aa761e79
    COMMENT 'The functions in our schemas that a deployment does not declare: leftovers of an old signature, which anybody might execute, or somebody else''s.'
FUNCTION cmbs_store.universe_asked(p_tenant text, p_node_ids text[], p_edges json) RETURNS bytea
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c39c619ee8fadd8c6c9c869535188bbf
    COMMENT 'The digest of the universe that an incident is asked to have, which is stored if it is new; null for all of the graph. Raises MB201, MB203.'
FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT ed9521146948dd035cdf772413f7b512
    COMMENT 'sha-256 over the canonical text of the sorted ids.'
FUNCTION cmbs_store.universe_ids(p_universe_digest bytea) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c880d3d4e1c41f388a25b696e903855e
    COMMENT 'The ids of a universe, as the canonical text that its digest hashes.'
FUNCTION cmbs_store.universe_nodes(p_incident cmbs_store.incident) RETURNS TABLE(node_id text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6245a172fec8785a2c5a5ce6ed830d9c
    COMMENT 'The nodes of the graph that are the universe of an incident.'
FUNCTION cmbs_store.value_at_path(p_values jsonb, p_path text, OUT p_value jsonb, OUT p_is_known boolean) RETURNS record
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1a357c706fdbb758da34e2fe135cb806
    COMMENT 'What a path of a constraint leads to: the value of the key that it is, or of the longest key that it begins with, and then the members and elements that its other segments name.'
FUNCTION cmbs_store.value_fault(p_value text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 43ed7e441079de5da3731caeb7f51ea8
    COMMENT 'Why a text cannot be the value of a key: a reason code, null if it can be.'
FUNCTION cmbs_store.values_read(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_keys text[], OUT p_values jsonb, OUT p_reads jsonb) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 720ef759c648cf48a162944c491dcf1e
    COMMENT 'What the keys that a verdict reads stand for: of the state, of the belief and of the policy, as of the event that the session is given as of.'
FUNCTION cmbs_store.values_with_args(p_values jsonb, p_item jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 567d7606551d0d24f6799eaff272aa48
    COMMENT 'What constraints read, with the arguments and artifacts of a call.'
FUNCTION cmbs_store.verdict(p_items jsonb, p_reasons cmbs_store.reason[], p_is_atomic boolean) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b12b197844a696a91d339d5fb46e6a7e
    COMMENT 'The verdict on a proposal and on each of its items, from the reasons against them.'
FUNCTION cmbs_store.verdict_json(p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d3ba95e8c9eb289feadb50f4c4d916a8
    COMMENT 'The three words of a verdict.'
FUNCTION cmbs_store.verdict_without_offers(p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e134b145bf570ee72fe06ebf68622724
    COMMENT 'A verdict without the permits, questions and deferrals that would follow from it: of a dry run or a shadow nobody can act on it.'
FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, p_known_policies bytea[], OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT caa5dd498d5950ae9474d2daab4abb79
    COMMENT 'Verifies one session: its chain, then its replay up to the first break, then the stored state.'
FUNCTION cmbs_store.waiting_metrics(p_now timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 629ee812d41318391c61865a504daf95
    COMMENT 'How many questions wait for people and how long the oldest has, how many permits may be used or are in use, how many proposals are deferred, and for how long something due has waited for upkeep.'
FUNCTION cmbs_store.waived(p_resumes jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7c83c211200fc9f8782492158da5301e
    COMMENT 'What people waived by approving: item number -> keys of constraints, and `!` with the code of a reason that has no key.'
FUNCTION cmbs_store.webhook_in_force(p_tenant text) RETURNS cmbs_store.webhook
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f086496e64fc58c1dc2767499092d611
    COMMENT 'Who is told of questions of a tenant: its own webhook, or that of all tenants where it never had one.'
FUNCTION cmbs_store.whole_mask(p_session cmbs_store.session) RETURNS bytea
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ec1eb452b53d5445afa3665ee5797cad
    COMMENT 'The survivor mask of a session, whichever way it is stored.'
FUNCTION cmbs_store.why_denied(p_entry cmbs_store.policy_entry, p_values jsonb, p_schemas jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e073fe5f374b636c1e8d8913936f9246
    COMMENT 'Why a constraint that denies fires, for people: its own reason, and what would have to be different.'
FUNCTION cmbs_store.why_gone(p_session cmbs_store.session, p_hypothesis_id text, OUT p_answer text, OUT p_seq bigint) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f5c591d8208714ba5c79bd0944c8ccf6
    COMMENT 'Whether a hypothesis survives, and if not, the event that eliminated it; as JSON text. Raises MB201, MB202.'
FUNCTION cmbs_store.with_dead_edges(p_session cmbs_store.session, p_ids text[]) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 209729e5a6e6e5475abcb8df34f6aa66
    COMMENT 'Ids that are to be eliminated from a session with edges, and after them the edges of its universe that lose an end by that: an edge is not without both its ends.'
FUNCTION cmbs_store.with_offers(p_verdict jsonb, p_capability cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given cmbs_store.verdict_input, p_evidence cmbs_store.evidence) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT beb4ba29a5a73b6d2eb1f8f66cd551b2
    COMMENT 'A verdict with what follows from it for each item: the permit of a call that is allowed, the question that a person may answer, what it waits for, or what to ask for instead.'
FUNCTION cmbs_store.with_request_id(p_payload jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 17d5d74f88d51b632d355f9982f36dea
    COMMENT 'A payload, with the request id as a member if the message carries one.'
FUNCTION cmbs_store.without_obligation(p_session cmbs_store.session) RETURNS cmbs_store.session
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0d9dd60f4a940133545b22393730c551
    COMMENT 'A session with no obligation active.'

-- cmbs_admin: login f
-- cmbs_agent: login f
-- cmbs_analyst: login f
-- cmbs_auditor: login f
-- cmbs_kernel: login f
-- cmbs_owner: login f
-- cmbs_policy: login f
-- cmbs_server: login t
-- cmbs_server: statement_timeout=30s, lock_timeout=10s, idle_in_transaction_session_timeout=10s
-- default 1: f, f, 0 by cmbs
-- revision 0012
