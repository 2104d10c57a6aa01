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

CREATE TYPE cmbs_store.ground AS (
	tools jsonb,
	definitions jsonb,
	schemas jsonb,
	documents jsonb,
	entries cmbs_store.policy_entry[],
	world jsonb,
	reads jsonb
);
ALTER TYPE cmbs_store.ground OWNER TO cmbs_owner;
COMMENT ON TYPE cmbs_store.ground IS 'What a verdict rests on: tools, schemas, constraints, and the values that they read.';

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
    CONSTRAINT principal_roles_check CHECK (((roles <@ ARRAY['agent'::text, 'encoder'::text, 'tool'::text, 'policy'::text, 'approver'::text, 'auditor'::text, 'admin'::text]) AND (array_position(roles, NULL::text) IS NULL)))
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
    is_mirrored AS mirrored
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
GRANT SELECT,INSERT ON TABLE cmbs_store.interrupt TO cmbs_kernel;
GRANT SELECT,INSERT ON TABLE cmbs_store.capability_token TO cmbs_kernel;
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
GRANT SELECT,INSERT ON TABLE cmbs_store.api_token TO cmbs_kernel;
GRANT UPDATE(revoked_at) ON TABLE cmbs_store.api_token TO cmbs_kernel;
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
    COMMENT 'Make a login for an analyst: views, verify, nothing else. For administrators.'
FUNCTION cmbs.audit_event(p_session_id uuid, p_event_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d3c3fae154c11f1d343233d2430dc412
    COMMENT 'One event of the log of a session. Raises MB001, MB003, MB201.'
FUNCTION cmbs.audit_identities(p_since_seq bigint DEFAULT 0, p_limit integer DEFAULT 500, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT d8d74128fc6a7321e59dc81ad8ae8df1
    COMMENT 'The log of identities of a tenant, a page at a time. Raises MB201, MB302.'
FUNCTION cmbs.audit_lines(p_session_id uuid, p_since_event_id uuid DEFAULT NULL::uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS SETOF text
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 00c5031c27c25ced2ca27e5fbf418b7d
    COMMENT 'The log of a session as NDJSON lines. Raises MB001, MB003, MB201.'
FUNCTION cmbs.audit_trace(p_session_id uuid, p_since_event_id uuid DEFAULT NULL::uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d6aa1e9814d3d0757c508483b54defd5
    COMMENT 'The log of a session, in order. Raises MB001, MB003, MB201.'
FUNCTION cmbs.begin_execution(p_session_id uuid, p_permit_id uuid, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT effce7e7531ed2a171c235111ab2aa72
    COMMENT 'Begin the execution of a permit, once. Raises MB001, MB011, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.change_principal(p_name text, p_roles text[] DEFAULT NULL::text[], p_source_prefixes text[] DEFAULT NULL::text[], p_is_enabled boolean DEFAULT NULL::boolean, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT 1d930974ce93e3cc6f7574e7e6985f25
    COMMENT 'Change what a principal may, for administrators. Raises MB005, MB201, MB203, MB302.'
FUNCTION cmbs.claim_confirm(p_session_id uuid, p_key text, p_value_digest text, p_comment text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 773d62a9745ae34c5a51e3abc8c205dc
    COMMENT 'Confirm what is claimed of a key: a value, by its digest; approvers only. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.claim_promote(p_session_id uuid, p_claim_id uuid, p_evidence json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT e9c73df23c95e61b373563de21746185
    COMMENT 'Promote a claim to a fact by evidence that it did not have. Raises MB001, MB010, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.claim_record(p_session_id uuid, p_claim json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 1aeff281a57e088453fa40486154b438
    COMMENT 'Record a claim with the evidence for it; policy decides. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.complete_execution(p_session_id uuid, p_permit_id uuid, p_outcome text, p_result json DEFAULT NULL::json, p_usage json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 49dde22a5921c154c4ade8905ea741e6
    COMMENT 'Record how the execution of a permit ended. Raises MB001, MB011, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.context_eliminated(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel TEXT 2a7281e2980e4889e0ea707bde5cea0a
    COMMENT 'The hypotheses of an elimination context that are gone. Raises MB001, MB201.'
FUNCTION cmbs.context_survivors(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel TEXT 4197f7b94c2d916965f97d042c873717
    COMMENT 'The hypotheses of an elimination context that survive. Raises MB001, MB201.'
FUNCTION cmbs.create_context(p_context_id text, p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel TEXT fad96684d278da45b686362f84d4ca21
    COMMENT 'Begin an elimination context over a set of hypotheses. Raises MB102, MB201, MB203.'
FUNCTION cmbs.create_incident(p_incident_id text, p_node_ids text[] DEFAULT NULL::text[], p_edges json DEFAULT NULL::json, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT de7f2b69dc01ac1ff1d632e7b5824b86
    COMMENT 'Begin an incident, pinned to the causal graph as it is now. Raises MB102, MB201, MB203.'
FUNCTION cmbs.create_principal(p_name text, p_kind text, p_roles text[], p_source_prefixes text[] DEFAULT '{}'::text[], p_tenant text DEFAULT NULL::text, p_is_login boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT d131f6495ea4f0accd9b05101c79be01
    COMMENT 'Make a principal, for administrators. Raises MB102, MB201, MB203, MB302.'
FUNCTION cmbs.create_token(p_name text, p_digest bytea, p_prefix text, p_verbs text[] DEFAULT NULL::text[], p_scope_tenant text DEFAULT NULL::text, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT e550012c806fe52fec016ac4964d6d87
    COMMENT 'Make a token of a principal known, for administrators. Raises MB005, MB102, MB201, MB302.'
FUNCTION cmbs.declare_conclusion(p_session_id uuid, p_conclusion_id text, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT a7379eac16b5121a5a2d573358023151
    COMMENT 'Declare a conclusion; accepted iff no obligation is active. Raises MB001, MB101, MB102, MB103, MB201, MB203.'
FUNCTION cmbs.declare_session(p_session_id uuid, p_ontology json, p_hypotheses text[] DEFAULT NULL::text[], p_metadata json DEFAULT NULL::json, p_policy json DEFAULT NULL::json, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_arbitration json DEFAULT NULL::json, p_universe_from json DEFAULT NULL::json, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 3cf9e6f371f6f90c371da8487ebec6bb
    COMMENT 'Start a session from a set of hypotheses. Raises MB004, MB007, MB013, MB102, MB201, MB203.'
FUNCTION cmbs.diff(p_session_id uuid, p_from_event_id uuid, p_to_event_id uuid, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 77642a0e374770d7fb2aaa02f32862d4
    COMMENT 'What changed in a session from one event to another. Raises MB001, MB003, MB201.'
FUNCTION cmbs.eliminate(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_justification json DEFAULT NULL::json, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 81948a44aa555d0f4674dd558dcefa91
    COMMENT 'Eliminate hypotheses on the word of one observation. Raises MB001, MB101, MB102, MB103, MB201, MB202, MB203.'
FUNCTION cmbs.eliminate_batch(p_session_id uuid, p_messages json, p_expected_head uuid DEFAULT NULL::uuid, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 95c8fba2848d293ec3901a33a1bec0c7
    COMMENT 'Eliminate on the word of many observations, all or nothing. Raises MB001, MB101, MB102, MB103, MB201, MB202, MB203.'
FUNCTION cmbs.eliminate_in_context(p_context_id text, p_eliminated text[], p_source_id text, p_trigger text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel TEXT 69b4f5f1d2fdac88df2ce0055dfe379a
    COMMENT 'Eliminate hypotheses of an elimination context. Raises MB001, MB201, MB203.'
FUNCTION cmbs.enter_obligation(p_session_id uuid, p_obligation_id text, p_min_total_eliminations bigint, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT e8397ff6eb2313ea7e2aae0bbea469ff
    COMMENT 'Enter an obligation; one is active at a time. Raises MB001, MB101, MB102, MB103, MB201, MB203.'
FUNCTION cmbs.explain(p_session_id uuid, p_hypothesis_id text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d66d2f50ef4a938757dc65b64460d607
    COMMENT 'Where a session stands and how it came there. Raises MB001, MB201, MB202.'
FUNCTION cmbs.explain_decision(p_session_id uuid, p_proposal_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 276aebc01665c1f150df01009d50bb84
    COMMENT 'Why a proposal was decided as it was: every constraint, clause and value. Raises MB001, MB003, MB201.'
FUNCTION cmbs.identify(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_policy, cmbs_server TEXT 7302d7f7b1ec306b49e8eff678a74528
    COMMENT 'Who calls, and what they may. Raises MB301, MB302.'
FUNCTION cmbs.import_content(p_kind text, p_content text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_owner TEXT 728f848523803b607133362bb6b63946
    COMMENT 'Take over the content of a policy, a schema or a tool from another database; for operators. Raises MB201.'
FUNCTION cmbs.import_events(p_session_id uuid, p_records text, p_policy_as_sent json DEFAULT NULL::json, p_tenant text DEFAULT 'default'::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_owner TEXT 5189a6f04b5985ffff38d70e5d0b1bee
    COMMENT 'Take over a part of a log from another database; for operators. Raises MB001, MB102, MB201, MB203.'
FUNCTION cmbs.interrupt_resolve(p_session_id uuid, p_interrupt_id uuid, p_resolution text, p_comment text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT c5b6caf0752740ca6c2003706816be25
    COMMENT 'Answer a question about an action; for approvers who did not propose it. Raises MB001, MB012, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.list_analysts() RETURNS json
    LANGUAGE sql STABLE SET search_path TO 'pg_catalog', 'pg_temp' OWNER cmbs_owner EXECUTE cmbs_owner TEXT 1f09eaed38b5579384b7b042daeeb3cc
    COMMENT 'Every login of an analyst. For administrators.'
FUNCTION cmbs.list_capability_tokens(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 79e2e700b592aaec2ace87dec3b51d16
    COMMENT 'The capability tokens of a session, with what is left of their budgets. Raises MB001, MB201.'
FUNCTION cmbs.list_claims(p_session_id uuid, p_key text DEFAULT NULL::text, p_history boolean DEFAULT false, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT c1bc8fd164dfffb520167154f13828a6
    COMMENT 'The claims of a session, newest first: those that live, or all. Raises MB001, MB201.'
FUNCTION cmbs.list_conclusions(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 7e33ca87f374033b4b0523624f2aedbc
    COMMENT 'Every conclusion declared in a session. Raises MB001, MB201.'
FUNCTION cmbs.list_deferrals(p_session_id uuid, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 0df258c9ecf3e03be98762b1d9cd8f5f
    COMMENT 'The deferred proposals of a session, newest first. Raises MB001, MB201.'
FUNCTION cmbs.list_due(p_limit integer DEFAULT 100, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_custom_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 5f3937287f0e03790d2dd17e31fd72dc
    COMMENT 'The sessions in which something is due, first what has waited longest. Raises MB201, MB302.'
FUNCTION cmbs.list_inbox(p_status text DEFAULT 'pending'::text, p_limit integer DEFAULT 50, p_cursor text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d25fa3a2f8fd75686dc870152ad06d9a
    COMMENT 'Questions of all sessions, first what runs out first, a page at a time. Raises MB201.'
FUNCTION cmbs.list_interrupts(p_session_id uuid, p_status text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 7a493eff2b14af93eabff48d4a8697c0
    COMMENT 'The questions of a session, newest first, a page at a time. Raises MB001, MB201.'
FUNCTION cmbs.list_obligations(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 01ee831ffe1eb0b77ab1653995fddcc8
    COMMENT 'Every obligation of a session. Raises MB001, MB201.'
FUNCTION cmbs.list_permits(p_session_id uuid, p_status text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 9212ca781c57c745b20cbfe6968cc05f
    COMMENT 'The permits of a session, newest first, a page at a time. Raises MB001, MB201.'
FUNCTION cmbs.list_permitted(p_session_id uuid, p_capability_token text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 501ca7c41d37bf56161c0a87112f8549
    COMMENT 'Which tools the caller could call now with a capability token, and why not the others. Raises MB001, MB201.'
FUNCTION cmbs.list_policies(p_pack text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 12c888c7f93b2dabdd675308f813a21b
    COMMENT 'The versions of policy packs that a tenant may use, by name and number. Raises MB201, MB302.'
FUNCTION cmbs.list_principals(p_limit integer DEFAULT 50, p_after text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT 3f3c9505de6b36c0cd1cb247315d69e6
    COMMENT 'Principals of a tenant, a page at a time. Raises MB201, MB302.'
FUNCTION cmbs.list_proposals(p_session_id uuid, p_limit integer DEFAULT NULL::integer, p_before bigint DEFAULT NULL::bigint, p_decision text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT d9d231abed81228ff7a94e1ffe2fc6b4
    COMMENT 'The proposals of a session with what was decided, newest first. Raises MB001, MB201.'
FUNCTION cmbs.list_schemas(p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 4944c8dd6c4754cba42c558cc11774db
    COMMENT 'The JSON Schemas of a tenant, by id. Raises MB201, MB302.'
FUNCTION cmbs.list_sessions(p_limit integer DEFAULT 50, p_cursor text DEFAULT NULL::text, p_terminated boolean DEFAULT NULL::boolean, p_hypothesis_space_id text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_custom_plan' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT ecbc1572e0af736adeee3638949550f5
    COMMENT 'Sessions, newest first, a page at a time. Raises MB201.'
FUNCTION cmbs.list_tokens(p_name text DEFAULT NULL::text, p_limit integer DEFAULT 50, p_after uuid DEFAULT NULL::uuid, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT f6b8b64d6659dc7231be4d49b4321c75
    COMMENT 'Tokens of a tenant, a page at a time. Raises MB005, MB006, MB201, MB302.'
FUNCTION cmbs.list_tools(p_tool_id text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT a42b5837c3453b6a067c0ffa8f714798
    COMMENT 'The tools of a tenant with the definitions that count, by id. Raises MB201, MB302.'
FUNCTION cmbs.merge_edge_tombstones(p_incident_id text, p_edges json, p_source_id text, p_trigger text, p_occurred_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT de776e983a3086bce751bf49bf3a71b0
    COMMENT 'Rule edges out of an incident. Raises MB013, MB201, MB203, MB302.'
FUNCTION cmbs.merge_hypothesis(p_nodes json DEFAULT NULL::json, p_edges json DEFAULT NULL::json, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT fbdcd95aa047a54cc52c2c0ef1b3dfae
    COMMENT 'Merge nodes and edges into the causal graph. Raises MB201, MB203, MB302.'
FUNCTION cmbs.merge_node_tombstones(p_incident_id text, p_node_ids text[], p_source_id text, p_trigger text, p_occurred_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT f800fba5421e8270dfee5d35b3d12d1c
    COMMENT 'Rule nodes out of an incident. Raises MB013, MB201, MB203, MB302.'
FUNCTION cmbs.mirror_status(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_server TEXT 28cbd287809203cd37a23acfceda2b4a
    COMMENT 'How far the mirror is behind, and what it could not tell. Raises MB302.'
FUNCTION cmbs.policy_apply(p_session_id uuid, p_pack text, p_version integer, p_shadow json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 02d4332dbc672c27c799483f15b6a4cb
    COMMENT 'Let a version of a policy pack decide in a session from now on. Raises MB001, MB007, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.policy_diff(p_pack text, p_version integer, p_to_version integer, p_to_pack text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 4560956f75cbf1a3c0c8c7ef8757b184
    COMMENT 'What two versions of policy packs have differently. Raises MB007, MB201, MB302.'
FUNCTION cmbs.policy_halt(p_is_halted boolean, p_reason text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 7a7bbc90c905e50e8be6d2932bb9ae27
    COMMENT 'Switch the kill switch of a tenant on or off; policy role only. Raises MB201, MB302.'
FUNCTION cmbs.policy_lint(p_pack text DEFAULT NULL::text, p_version integer DEFAULT NULL::integer, p_entries json DEFAULT NULL::json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 4d5d302c83ac0981808043704fe05ce1
    COMMENT 'What is wrong with the entries of a pack, or probably not meant. Raises MB007, MB201, MB203, MB302.'
FUNCTION cmbs.policy_publish(p_pack text, p_entries json, p_fixtures json DEFAULT NULL::json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 90dd07afb701956eb947b55a3c4fb8a3
    COMMENT 'Publish a version of a policy pack, for ever; policy role only. Raises MB102, MB201, MB203, MB302.'
FUNCTION cmbs.policy_replay(p_session_id uuid, p_pack text, p_version integer DEFAULT NULL::integer, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 5e72c47c44ac7d7aa14a5f2b7d954aa1
    COMMENT 'What another version of a policy would have said to the proposals of a session. Raises MB001, MB007, MB201.'
FUNCTION cmbs.policy_test(p_pack text, p_version integer DEFAULT NULL::integer, p_fixtures json DEFAULT NULL::json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 3df84a19a0e1cd5986c6a77a4ba17c5f
    COMMENT 'Run fixtures against a version of a policy pack. Raises MB007, MB201, MB203, MB302.'
FUNCTION cmbs.propose(p_session_id uuid, p_proposal json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 483ed6b0a82e57be491d846121c51be2
    COMMENT 'Propose state deltas and tool calls; the verdict is audited, and what is allowed takes effect. Raises MB001, MB101, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.query_belief(p_session_id uuid, p_as_of uuid DEFAULT NULL::uuid, p_minimal boolean DEFAULT false, p_as_of_time timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 5aba92e4e2b149d24bbb96f5ef1de1b8
    COMMENT 'The snapshot of a session, now, right after an event, or as of a time. Raises MB001, MB003, MB201.'
FUNCTION cmbs.read_incident(p_incident_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_server TEXT 08b6b93dabf095e1a5bd366486be4382
    COMMENT 'An incident: what it is pinned to, its universe, and what is ruled out. Raises MB013, MB201.'
FUNCTION cmbs.read_interrupt(p_session_id uuid, p_interrupt_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 6a10fd98b5ee47a4db38adf7ae6029d7
    COMMENT 'One question of a session: what it is about, and what has become of it. Raises MB001, MB012, MB201.'
FUNCTION cmbs.read_live_view(p_incident_id text, p_limit integer DEFAULT NULL::integer, p_after text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_server TEXT c285622a73fdb485fe87c690205a59af
    COMMENT 'What an incident has not ruled out of the graph that it is pinned to. Raises MB013, MB201.'
FUNCTION cmbs.read_main_graph(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_server TEXT 7008d0e1aeb8b31daefd038fde247721
    COMMENT 'The causal graph of the caller''s tenant, all of it.'
FUNCTION cmbs.read_permit(p_session_id uuid, p_permit_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 9e41405066e8357c87c95f5fbf43334d
    COMMENT 'One permit of a session, and what has become of it. Raises MB001, MB011, MB201.'
FUNCTION cmbs.read_policy(p_pack text, p_version integer DEFAULT NULL::integer, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 739baf1b70c0e9efb520403e569fc072
    COMMENT 'A version of a policy pack with its entries and fixtures. Raises MB007, MB201, MB302.'
FUNCTION cmbs.read_principal(p_name text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT 32195a2b4c15657ec4831ca0a4b39ee0
    COMMENT 'A principal by its name. Raises MB005, MB201, MB302.'
FUNCTION cmbs.read_schema(p_schema_id text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 439fa8e871f0028767c96cb6d1e49eaa
    COMMENT 'A registered JSON Schema. Raises MB009, MB201, MB302.'
FUNCTION cmbs.read_space(p_hypothesis_space_id text, p_hypothesis_version text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 87903bc4a9f397329e28b03ebfe699a3
    COMMENT 'A registered hypothesis space with its hypotheses. Raises MB004, MB201.'
FUNCTION cmbs.read_token(p_token_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT 7571b1267bdb682e3b9b10d0ea703ea7
    COMMENT 'A token by its id. Raises MB006, MB201, MB302.'
FUNCTION cmbs.read_tombstones(p_incident_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_server TEXT e7b06a733392d3ad91c5dccbf9d9e46e
    COMMENT 'What is ruled out of an incident. Raises MB013, MB201.'
FUNCTION cmbs.recover_context(p_context_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel TEXT bc2b1434b373db5545060a891db21d84
    COMMENT 'All of an elimination context, as of one moment. Raises MB001, MB201.'
FUNCTION cmbs.register_space(p_hypothesis_space_id text, p_hypothesis_version text, p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 0ac43575895b3e566b3ba8f916174ccd
    COMMENT 'Register a set of hypotheses under a name and a version. Raises MB102, MB201, MB203.'
FUNCTION cmbs.register_universe(p_hypotheses text[], p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_owner, cmbs_server TEXT f64149f87829eff4468317af7ccef91b
    COMMENT 'Store a set of hypotheses without declaring a session. Raises MB201, MB203.'
FUNCTION cmbs.remove_analyst(p_name text) RETURNS void
    LANGUAGE plpgsql SET search_path TO 'pg_catalog', 'pg_temp' OWNER cmbs_owner EXECUTE cmbs_owner TEXT c38879f6ff07f4a32f81bd7143d1b102
    COMMENT 'Drop the login of an analyst. For administrators.'
FUNCTION cmbs.request_exit(p_session_id uuid, p_obligation_id text, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT ebf2ec222a48fecd88d96e2f1cd18984
    COMMENT 'Ask to leave the active obligation; approved or denied, the answer is audited. Raises MB001, MB002, MB101, MB102, MB103, MB201, MB203.'
FUNCTION cmbs.request_termination(p_session_id uuid, p_context json DEFAULT NULL::json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 5b5968da726fbf44c4f9fb283a6dfd50
    COMMENT 'Ask to end the session; approved or denied, the answer is audited. Raises MB001, MB101, MB102, MB103, MB201, MB203.'
FUNCTION cmbs.resume(p_session_id uuid, p_proposal_id uuid, p_proposal json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_server TEXT 22dd91b813c667d847abe07562b04b6c
    COMMENT 'Go on with a proposal that people were asked about. Raises MB001, MB003, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.retry_mirror(p_session_id uuid DEFAULT NULL::uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_server TEXT 447f7a7063ca08fe634d7b4946c7d326
    COMMENT 'Tell the Tee everything of a session again. Raises MB001, MB201, MB302.'
FUNCTION cmbs.revision(p_credential bytea DEFAULT NULL::bytea) RETURNS text
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_policy, cmbs_server TEXT 55d00fb9efa84b5c560942bbe5bfb922
    COMMENT 'The revision of the schema.'
FUNCTION cmbs.revoke_token(p_token_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT 5860bf4aed142a5c704ae0896bbc6c0d
    COMMENT 'Revoke a token. Raises MB006, MB201, MB302.'
FUNCTION cmbs.rotate_token(p_token_id uuid, p_digest bytea, p_prefix text, p_expires_at timestamp with time zone DEFAULT NULL::timestamp with time zone, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_owner, cmbs_server TEXT 518ccec00944729d6d72a203c831775b
    COMMENT 'Put a new token in the place of an old one. Raises MB006, MB102, MB201, MB302.'
FUNCTION cmbs.schema_register(p_schema_id text, p_document json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 3266883b986006024f46de42521bad28
    COMMENT 'Register a JSON Schema under an id, for ever; policy role only. Raises MB102, MB201, MB203, MB302.'
FUNCTION cmbs.set_mirror(p_endpoint text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_server TEXT 7eff6ac3acf6e19cc880194bbc6db389
    COMMENT 'Mirror sessions to a Tee from now on, or to none; for administrators. Raises MB201, MB203, MB302.'
FUNCTION cmbs.set_mode(p_session_id uuid, p_mode text, p_reason text DEFAULT NULL::text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 11c6094885318a6e8110fef77c1235fb
    COMMENT 'Set the mode of a session; for the policy role. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.set_policy_defaults(p_policy json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT bc5a262654ac0d153a59ccf941714307
    COMMENT 'Change the policy defaults for new sessions; policy role only. Raises MB201, MB203, MB302.'
FUNCTION cmbs.set_webhook(p_url text, p_secret text DEFAULT NULL::text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_kernel, cmbs_server TEXT 7474bca1e532031a97474cff07a2f076
    COMMENT 'Tell a URL of questions and their answers, or nobody; for administrators. Raises MB201, MB203, MB302.'
FUNCTION cmbs.settle_mirror(p_session_id uuid, p_seq bigint, p_error text DEFAULT NULL::text, p_is_refused boolean DEFAULT false, p_first_seq bigint DEFAULT 1, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_server TEXT fb9e3e08a63aef378af137482452d093
    COMMENT 'Tell what came of telling a Tee of a session, for the server. Raises MB302.'
FUNCTION cmbs.settle_webhook(p_session_id uuid, p_message_id uuid, p_error text DEFAULT NULL::text, p_is_gone boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_server TEXT 59205c8e4a6cc45c1bc5ddc6376338e6
    COMMENT 'Tell what came of the delivery of a message of the outbox, for the server. Raises MB302.'
FUNCTION cmbs.state_at(p_session_id uuid, p_as_of uuid DEFAULT NULL::uuid, p_include_policy boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 0d7eabbb41053922de4b037f93d5b157
    COMMENT 'The state of a session beside its belief, now or as of an event. Raises MB001, MB003, MB201.'
FUNCTION cmbs.sweep_expired(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT e7c19d698a30b00f184c430e15b89fe9
    COMMENT 'Release permits that ran out, and try again deferred proposals that have waited. Raises MB001, MB201, MB302.'
FUNCTION cmbs.take_mirror(p_after uuid DEFAULT NULL::uuid, p_limit integer DEFAULT 20, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_server TEXT 6ca015903cf80b6017b3eba8447a3ffb
    COMMENT 'Take messages that a Tee is to be told, for the server. Raises MB201, MB302.'
FUNCTION cmbs.take_webhooks(p_limit integer DEFAULT 20, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_server TEXT 2ccb6c01fb032517e76a80c670cf8035
    COMMENT 'Take messages of the outbox to deliver them, for the server. Raises MB201, MB302.'
FUNCTION cmbs.tenant(p_credential bytea DEFAULT NULL::bytea) RETURNS text
    LANGUAGE plpgsql STABLE PARALLEL SAFE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_policy, cmbs_server TEXT 53dd18cd4aad366b484aae84969b3818
    COMMENT 'Whose sessions and spaces the caller sees. Raises MB301, MB302.'
FUNCTION cmbs.token_attenuate(p_session_id uuid, p_parent_id uuid, p_grant json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 7660b27ae1b7d35c7a4029c499e64e7a
    COMMENT 'Make a narrower capability token from one that the caller holds. Raises MB001, MB006, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.token_issue(p_session_id uuid, p_grant json, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 33b93fecfd6d9fd6afaf4a7a0ab73ece
    COMMENT 'Issue a capability token, which lets its holder propose; policy role only. Raises MB001, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.token_revoke(p_session_id uuid, p_token_id uuid, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_kernel, cmbs_policy, cmbs_server TEXT 77b20085f9c81ee37ae1fc1a4e506823
    COMMENT 'Let a capability token, and all that were made from it, count no more. Raises MB001, MB006, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.tool_register(p_tool_id text, p_definition json, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 62e9d1e17999cfcd135e1f1d95e1d40e
    COMMENT 'Register a tool, or another definition of it; policy role only. Raises MB009, MB201, MB203, MB302.'
FUNCTION cmbs.tool_withdraw(p_tool_id text, p_tenant text DEFAULT NULL::text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT 41870c62c061e4d4003ce438dd1eacef
    COMMENT 'Withdraw a tool: nobody may call it any more; policy role only. Raises MB008, MB201, MB302.'
FUNCTION cmbs.verify(p_session_id uuid, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 48f52fc7a6b000abd235fdb1b1281b1c
    COMMENT 'Recompute a session from its log alone and compare with what is stored. Raises MB001, MB201.'
FUNCTION cmbs.verify_all(p_credential bytea DEFAULT NULL::bytea) RETURNS TABLE(session_id uuid, ok boolean, rows_checked bigint, first_bad_seq bigint, reason text)
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_analyst, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 34acac0ef9b08daa5ab12f0b20a29fe2
    COMMENT 'Verify every session; one row each.'
FUNCTION cmbs.verify_identities(p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_nestloop TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_admin, cmbs_auditor, cmbs_kernel, cmbs_owner, cmbs_server TEXT 9b448b8ef570e8f54d8be4b5914af19d
    COMMENT 'Recompute the logs of identities and compare with what is stored. Raises MB302.'
FUNCTION cmbs.waive_obligation(p_session_id uuid, p_obligation_id text, p_reason text, p_request_id text DEFAULT NULL::text, p_expected_head uuid DEFAULT NULL::uuid, p_notes text DEFAULT NULL::text, p_minimal boolean DEFAULT false, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_policy, cmbs_server TEXT cc03b49ee2194d91f040a7fd7631c506
    COMMENT 'End the active obligation although it is not met; policy role only. Raises MB001, MB002, MB101, MB102, MB103, MB201, MB203, MB302.'
FUNCTION cmbs.whatif(p_session_id uuid, p_without_source text DEFAULT NULL::text, p_without_observation text DEFAULT NULL::text, p_limit integer DEFAULT NULL::integer, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 1c2d349c0711f3427d162c6e030abe88
    COMMENT 'What would have been answered without some messages. Raises MB001, MB003, MB201.'
FUNCTION cmbs.why(p_session_id uuid, p_hypothesis_id text, p_credential bytea DEFAULT NULL::bytea) RETURNS json
    LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path TO 'pg_catalog', 'pg_temp' SET standard_conforming_strings TO 'on' SET plan_cache_mode TO 'force_generic_plan' SET enable_seqscan TO 'off' OWNER cmbs_kernel EXECUTE cmbs_agent, cmbs_auditor, cmbs_kernel, cmbs_policy, cmbs_server TEXT 2ea8d40556778581a9b9339d23a10081
    COMMENT 'The event that eliminated a hypothesis. Raises MB001, MB201, MB202.'
FUNCTION cmbs_store.accepted_conclusion(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2e9287cd73a79f7063c58e2a596f50e3
    COMMENT 'The last accepted conclusion, as of an event.'
FUNCTION cmbs_store.active_obligation(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7e809ac2da1ce2a22f80b683224ad424
    COMMENT 'The active obligation of a session that has one, as JSON text.'
FUNCTION cmbs_store.altered_content(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cfaee4cdcd7f65ec6a24d0f0615283cb
    COMMENT 'The events that name a tool or schema whose content is not that of its hash.'
FUNCTION cmbs_store.announce(p_session cmbs_store.session, p_event text, p_interrupt_ids uuid[]) RETURNS void
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6b38a4b58cd083023038f66826a007a7
    COMMENT 'Put into the outbox that something happened to questions, if somebody is to be told.'
FUNCTION cmbs_store.announce_questions(p_session cmbs_store.session, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 738daaf3c7b39553c812fd508b85161c
    COMMENT 'Put into the outbox which questions a proposal opened, if somebody is to be told.'
FUNCTION cmbs_store.answer_fault(p_state cmbs_store.session, p_actor text, p_payload jsonb, p_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1ed45e96215eefd3d401ae5a7183e7bf
    COMMENT 'What is wrong with a recorded answer to a question; null if nothing.'
FUNCTION cmbs_store.answered_outcome(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_resolution text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c28d102f003e3c6d7e115ac56a997c48
    COMMENT 'The members of an answer that tell how a question was answered, as JSON text.'
FUNCTION cmbs_store.answered_proposal(p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6771fef126bac15e59ce7c68ee57a112
    COMMENT 'Record a proposal in a locked session, try again what waited for it, and answer.'
FUNCTION cmbs_store.append_declare(p_session cmbs_store.session, p_actor text, p_notes text, p_metadata text, p_arbitration jsonb) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ca64f3448a0a65b1a6a3e6c3a161072a
    COMMENT 'Append the first event of a session that was just made, and return the session with it. Raises MB007.'
FUNCTION cmbs_store.append_event(p_session cmbs_store.session, p_before_hash bytea, p_verb text, p_actor text, p_source_id text, p_observation_id text, p_request_id text, p_notes text, p_payload text, p_eliminated text) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 26e16242d2409ff79d531e3dbea2f324
    COMMENT 'Append one event to the log of a locked session and save the session; null if the observation is recorded.'
FUNCTION cmbs_store.append_events(p_session cmbs_store.session, p_actor text, p_batch jsonb, p_event_ids uuid[], p_applied text[], p_hashes bytea[]) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 42f3b8d4619630b635365f68e6562f91
    COMMENT 'Append the events of a batch to the log of a locked session.'
FUNCTION cmbs_store.append_identity(p_tenant text, p_verb text, p_actor text, p_payload jsonb) RETURNS timestamp with time zone
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e9bbc685548aed1deec6fe7db205e413
    COMMENT 'Append one event to the log of identities of a tenant.'
FUNCTION cmbs_store.apply_verdict(p_session cmbs_store.session, p_actor text, p_policy_hash bytea, p_recorded jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d85a8f88d24e8c16bfd0fe412819b4ad
    COMMENT 'Whether a policy may be applied to a session: its invariants must hold.'
FUNCTION cmbs_store.approvals_asked(p_payload jsonb, p_item_nos jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 49a891268eea6b00223a843d6dfd6c00
    COMMENT 'The approvals that a proposal needs to go on, by the numbers of its items from then on.'
FUNCTION cmbs_store.approvals_of(p_payload jsonb, p_item_no integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dedf6d35c69f6a62404687fe7cadc547
    COMMENT 'The approvals by which an item was allowed, for a verdict on the item alone.'
FUNCTION cmbs_store.arbitration_fault(p_session cmbs_store.session, p_known_policies bytea[], OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0362e69c98a58959532574fdd1996408
    COMMENT 'Whether what a session holds beside its belief is what its log leads to.'
FUNCTION cmbs_store.arbitration_rows(p_session_id uuid) RETURNS TABLE(seq bigint, relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c7ed7be01ea9568cd377dc6ef701957d
    COMMENT 'What the tables of a session hold beside its belief, row by row.'
FUNCTION cmbs_store.are_verbs(p_names text[]) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1ce712124fd444a05647d1168ed8b71e
    COMMENT 'Whether a list holds nothing but names of verbs.'
FUNCTION cmbs_store.asked_eliminations(p_session cmbs_store.session, p_after bigint, p_until bigint) RETURNS TABLE(hypothesis_id text, actor text, seq bigint)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 11bceb0751c4b5e3e6fcf32f7b0d9383
    COMMENT 'Who asked for which eliminations in a part of the log.'
FUNCTION cmbs_store.asked_items(p_given jsonb, p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a5a8c2fb3caff8c71b29fd5015154a61
    COMMENT 'The numbers of the items about which a person is asked.'
FUNCTION cmbs_store.attenuation_fault(p_session cmbs_store.session, p_parent cmbs_store.capability_token, p_grant jsonb, p_at timestamp with time zone) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7f0437276e3935b06be42b46a39263f8
    COMMENT 'In what a token would be wider than the one that it is made from; null if in nothing.'
FUNCTION cmbs_store.authority_reasons(p_item_no integer, p_item jsonb, p_roles text[]) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d5672aaea8ec5352a0faaf5be33ea759
    COMMENT 'The stage of namespace authority, of one item.'
FUNCTION cmbs_store.authorize(p_credential bytea, p_verb text, p_roles text[]) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 79f3fb071afe147b8c1ca57c16f476f6
    COMMENT 'The calling principal, if it may call this verb. Raises MB301, MB302.'
FUNCTION cmbs_store.authorize_upkeep(p_credential bytea, p_verb text, p_roles text[]) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3d38fbd488b4958e5b5d97fbdc9f19d4
    COMMENT 'Who does what is due: a principal with one of the roles, or the server by itself.'
FUNCTION cmbs_store.awaited_keys(p_verdict jsonb, p_ground cmbs_store.ground) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b2abc5cb22800dc1caa3f97f776dc1dd
    COMMENT 'The keys that a deferred proposal waits for.'
FUNCTION cmbs_store.batch_firsts(p_session_id uuid, p_batch jsonb) RETURNS integer[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0a63522aab9c62eab6819cc3b9e870d3
    COMMENT 'For every message of a batch the first with the same observation; 0 if that is recorded.'
FUNCTION cmbs_store.batch_identity(p_message jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f1439f34f860fd71bee8f91214ec7c50
    COMMENT 'The digest of what makes two messages of a batch repeats of each other.'
FUNCTION cmbs_store.batch_ids(p_universe_digest bytea, p_batch jsonb, p_firsts integer[], OUT p_numbers integer[], OUT p_ids text[], OUT p_ranks integer[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e1d68b42a6cfcc911f674c6e5a62b763
    COMMENT 'The ids that the new messages of a batch name, sorted by message, with their ranks.'
FUNCTION cmbs_store.batch_outcomes(p_session cmbs_store.session, p_expected_head uuid, p_batch jsonb, p_firsts integer[], p_numbers integer[], p_ids text[], p_ranks integer[], INOUT p_mask bytea, OUT p_seqs bigint[], OUT p_event_ids uuid[], OUT p_applied text[], OUT p_hashes bytea[], OUT p_answers text[]) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 37fd76227fd1407694a2668a4dc20de5
    COMMENT 'What the messages of a batch come to, one after the other. Raises MB101, MB102, MB103, MB202.'
FUNCTION cmbs_store.batch_repeat(p_session_id uuid, p_batch jsonb, p_index integer, p_first integer, p_answers text[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 14e6edffef3133ed55bb84d0125e6fd8
    COMMENT 'The outcome of a message of a batch that repeats another. Raises MB102.'
FUNCTION cmbs_store.batch_with_dead_edges(p_session cmbs_store.session, p_batch jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a5cbc3712c5f77c9ce33f1dc560cc04d
    COMMENT 'A batch, each message with the edges that lose an end by it.'
FUNCTION cmbs_store.begin_verdict(p_session cmbs_store.session, p_permit cmbs_store.permit, p_origin jsonb, p_given jsonb, p_recorded jsonb, OUT p_code text, OUT p_detail jsonb, OUT p_basis jsonb) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9e2f15bebe5fabb4c5fa569336c3b91a
    COMMENT 'What stands against beginning the execution of a permit.'
FUNCTION cmbs_store.begun_outcome(p_permit cmbs_store.permit, p_origin jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7eebad0bf44cd76eaadbde2e752bd947
    COMMENT 'The members of an answer that tell what may be executed now, as JSON text.'
FUNCTION cmbs_store.belief_values(p_session cmbs_store.session, p_actor text, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7f0b57a0887db20b515c985813411307
    COMMENT 'What policy can read of the belief, as of an event.'
FUNCTION cmbs_store.budget_left(p_session cmbs_store.session, p_chain uuid[], p_unit text) RETURNS bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0123b3d81a1f2b44a122c7536e1d50ec
    COMMENT 'What is left of a unit in the budgets of a chain of tokens.'
FUNCTION cmbs_store.budget_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_items jsonb, p_settings jsonb, p_mode jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 255bd9c69e0d91c215418f23c7c4a25f
    COMMENT 'The budget of a token and of all that it was made from.'
FUNCTION cmbs_store.capability(p_session cmbs_store.session, p_token_id uuid) RETURNS cmbs_store.capability_token
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d15bf519024cd530f650c611629bbc91
    COMMENT 'A capability token of a session by its id. Raises MB006.'
FUNCTION cmbs_store.chain_fault(p_session_id uuid, OUT p_rows bigint, OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2011348969a7d19d15fbe94e19b4d66f
    COMMENT 'The first event that breaks the chain of a session, if any.'
FUNCTION cmbs_store.check_active(p_session cmbs_store.session, p_obligation_id text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5fc1d4cd394327235adcbdd16e93e801
    COMMENT 'Refuse to leave an obligation that is not the active one. Raises MB002.'
FUNCTION cmbs_store.check_answer(p_resolution text, p_comment text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 41cca0bff7f8c436506e14d94ab8c622
    COMMENT 'Refuse an answer that is none.'
FUNCTION cmbs_store.check_batch(p_session_id uuid, p_messages json) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fec4fb5a7a452704e987fc5e26a2965f
    COMMENT 'Check the messages of a batch one by one. Raises MB201, MB203.'
FUNCTION cmbs_store.check_batch_message(p_session_id uuid, p_message json) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ef8db5c19143f17a3c2ba66cc13c1c79
    COMMENT 'Check one message of a batch. Raises MB201, MB203.'
FUNCTION cmbs_store.check_batch_sources(p_caller cmbs_store.principal, p_batch jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 08980c37b7a705affbe0ca15265517cb
    COMMENT 'Refuse a batch for sources that are not the callers. Raises MB302.'
FUNCTION cmbs_store.check_beginner(p_session cmbs_store.session, p_caller cmbs_store.principal, p_permit cmbs_store.permit) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 46d77067c442b25547f159a2cb0a8083
    COMMENT 'Refuse to go on with an execution that was not begun, or by another principal.'
FUNCTION cmbs_store.check_context_id(p_member text, p_id text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6359a767d19a1eb26737e1bb2a898070
    COMMENT 'Refuse what cannot be an id of an elimination context. Raises MB201.'
FUNCTION cmbs_store.check_context_ids(p_member text, p_ids text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 85eb8648cb94499710a55c289c613cfc
    COMMENT 'Refuse a list that is not a plain list of ids of an elimination context. Raises MB201, MB203.'
FUNCTION cmbs_store.check_elimination(p_source_id text, p_observation_id text, p_eliminated text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c4740e6695f0c2e0f0cd5f7e995d7ceb
    COMMENT 'Check the shape of one ELIMINATE message. Raises MB201, MB203.'
FUNCTION cmbs_store.check_envelope(p_session_id uuid, p_request_id text, p_notes text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5f256627b03c97aca260a0fdb54f12ee
    COMMENT 'Check session id, request id and notes of a message. Raises MB201, MB203.'
FUNCTION cmbs_store.check_executor(p_caller cmbs_store.principal, p_permit cmbs_store.permit) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b352b6adab88a9ec9c6d9e72f7ed8289
    COMMENT 'Refuse an agent that would execute what another one proposed.'
FUNCTION cmbs_store.check_force(p_caller cmbs_store.principal, p_policy jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f5b37c00852fafa8296066eccf18a43e
    COMMENT 'Refuse to let others than the policy role allow forced termination. Raises MB302.'
FUNCTION cmbs_store.check_graph(p_nodes jsonb, p_edges jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9fcb913f087671dea513ee8486ee77e9
    COMMENT 'Refuse nodes and edges that cannot be merged, before anything is written. Raises MB201.'
FUNCTION cmbs_store.check_graph_sources(p_caller cmbs_store.principal, p_nodes jsonb, p_edges jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c6ddd420c4e79ffb6d8da9bec32fcc73
    COMMENT 'Refuse provenance of a source that the principal may not speak for. Raises MB302.'
FUNCTION cmbs_store.check_holder(p_caller cmbs_store.principal, p_token cmbs_store.capability_token) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 609cae347f1eaa94ee74716aa1ab830e
    COMMENT 'Refuse a caller who neither holds a token or one that it was made from, nor sets policy. Raises MB302.'
FUNCTION cmbs_store.check_id(p_member text, p_id text, p_max_bytes integer DEFAULT 512) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT abc16aed5e96eadbbdc60ef3de314d4b
    COMMENT 'Refuse what cannot be an id. Raises MB201.'
FUNCTION cmbs_store.check_ids(p_member text, p_ids text[], p_max_count integer) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 76fd0d5f8103bf61913effb56bab46af
    COMMENT 'Refuse a list that is not a plain list of ids. Raises MB201, MB203.'
FUNCTION cmbs_store.check_in_graph(p_tenant text, p_node_ids text[], p_edges jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b6893586d358d1c447275f825b0f9fb3
    COMMENT 'Refuse a universe that is not all of the graph. Raises MB201.'
FUNCTION cmbs_store.check_incident_ids(p_ids text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 785501f7393bf641a5de7b3dc446d48f
    COMMENT 'Refuse a universe of an incident that no session can have. Raises MB201.'
FUNCTION cmbs_store.check_interrupt_status(p_status text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT efeeea47f98e88940694af675cd35a36
    COMMENT 'Refuse a status that no question has. Raises MB201.'
FUNCTION cmbs_store.check_isolation() RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b40329ae21623d493bbb98e995860d07
    COMMENT 'Refuse to decide in a transaction that keeps its snapshot. Raises MB302.'
FUNCTION cmbs_store.check_known(p_eliminated text[], p_found text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8c55f6ccb341d7612e874144c99326dd
    COMMENT 'Refuse ids outside the universe. Raises MB202.'
FUNCTION cmbs_store.check_label(p_member text, p_label text) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0879cbea2e7ce17a7a088fdee0968233
    COMMENT 'Refuse what cannot be the name of a principal or tenant. Raises MB201.'
FUNCTION cmbs_store.check_limit(p_limit integer, p_max integer) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 472aeb397375376c18165b70739c07f7
    COMMENT 'Refuse a page size out of bounds. Raises MB201.'
FUNCTION cmbs_store.check_members(p_member text, p_object jsonb, p_known text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eea7703f903a80bbaf7dffd8f3bd0411
    COMMENT 'Refuse an object with unknown members. Raises MB201.'
FUNCTION cmbs_store.check_name(p_caller cmbs_store.principal, p_name text, p_tenant text, p_is_login boolean) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9ef238907e93494511de803ea30fe3fd
    COMMENT 'Refuse a name that a new principal cannot have. Raises MB102.'
FUNCTION cmbs_store.check_namesake(p_caller cmbs_store.principal) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8b9e218ab40a77aed8efe058d04e328d
    COMMENT 'Refuse a login whose name a principal with tokens has. Raises MB302.'
FUNCTION cmbs_store.check_node_ids(p_ids text[], p_max_count integer) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e132ef063a44ffb797c43b25510dad36
    COMMENT 'Refuse a list that is not a plain list of ids of nodes. Raises MB201, MB203.'
FUNCTION cmbs_store.check_open(p_session cmbs_store.session, p_expected_head uuid) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8692d3e3b89fa331dd24d1ffa9593782
    COMMENT 'Refuse a new message to a session that has moved on or is over. Raises MB103, MB101.'
FUNCTION cmbs_store.check_operator(p_caller cmbs_store.principal) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9f046497b55892756a8ca3c0664a20c9
    COMMENT 'Refuse a caller who does not see every tenant. Raises MB302.'
FUNCTION cmbs_store.check_rights(p_roles text[], p_source_prefixes text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c5acd9a2b3e8ab2eacb18b92d9f04040
    COMMENT 'Refuse rights that there are not. Raises MB201, MB203.'
FUNCTION cmbs_store.check_scope(p_credential bytea, p_verbs text[]) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c5ed54a487b6617803ee94006316afba
    COMMENT 'Refuse to give away more verbs than the caller has. Raises MB302.'
FUNCTION cmbs_store.check_source(p_caller cmbs_store.principal, p_source_id text, p_index bigint DEFAULT NULL::bigint) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT df28e83e5c5f57e97db35f85889e86a7
    COMMENT 'Refuse a source that the principal may not speak for. Raises MB302.'
FUNCTION cmbs_store.check_tenant(p_caller cmbs_store.principal, p_tenant text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1f783f5145e6bfa9d354331763f8abd9
    COMMENT 'The tenant that a message about identities is for. Raises MB201, MB302.'
FUNCTION cmbs_store.check_token(p_digest bytea, p_prefix text, p_verbs text[], p_expires_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 608e2956566342b6e45ddc6566b01320
    COMMENT 'Refuse what a token cannot be. Raises MB201.'
FUNCTION cmbs_store.check_tombstones(p_caller cmbs_store.principal, p_incident_id text, p_member text, p_n_ids integer, p_source_id text, p_trigger text, p_occurred_at timestamp with time zone) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7b7fa1fda96218c29aabebc287b9e7fb
    COMMENT 'Refuse a message that says nothing, or not who says so. Raises MB201, MB302.'
FUNCTION cmbs_store.check_units(p_session cmbs_store.session, p_permit cmbs_store.permit, p_usage jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b514533284ca5b4c9ce1d46ed5809f06
    COMMENT 'Refuse a usage of units that no budget names, or of more than was granted.'
FUNCTION cmbs_store.check_version_named(p_member text, p_sent jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fa241a6694de958092b21f1923f9dd59
    COMMENT 'Refuse what does not name a version of a policy pack. Raises MB201.'
FUNCTION cmbs_store.check_writable() RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 144700e86c8ddf3bf5ce1c643b008534
    COMMENT 'Refuse a call that would write where nothing can be written. Raises 25006.'
FUNCTION cmbs_store.checked_arbitration(p_arbitration json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b9f4f5c77e49c86e8294bbf83070ae7c
    COMMENT 'The policy pack that a declare names, checked; null if it names none. Raises MB201.'
FUNCTION cmbs_store.checked_batch(p_session_id uuid, p_messages json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1381165cb38fab09811126c116dcc93e
    COMMENT 'The messages of a batch, checked. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_call(p_member text, p_item jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 093f7fc47eb9bd1b4f51bc64a8d91655
    COMMENT 'A tool call as it is recorded. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_claim(p_claim json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8a6cd773a52845c8c8bf7c95c73e0e74
    COMMENT 'A claim as it is recorded: checked, with what was left out filled in. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_completion(p_permit_id uuid, p_outcome text, p_result json, p_usage json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 82fab876331752b40802af0927011014
    COMMENT 'How an execution ended, as it is recorded.'
FUNCTION cmbs_store.checked_delta(p_member text, p_item jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eed5b24b733c9468678fa0bef6e97bf0
    COMMENT 'A state delta as it is recorded. Raises MB201.'
FUNCTION cmbs_store.checked_edges(p_edges json, p_max_count integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4e50f7f05a8938c3f2b4619417d16293
    COMMENT 'A list of names of edges, checked. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_fixtures(p_fixtures json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c30700a25bf7e167fc06119a1b5b5179
    COMMENT 'The fixtures of a policy, checked. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_grant(p_grant json, p_at timestamp with time zone) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3bc75702b940bb2bd5d49b9784df110f
    COMMENT 'What a capability token is asked to allow, checked and filled in. Raises MB201.'
FUNCTION cmbs_store.checked_items(p_items jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4c9a1f4410bf2311fc3df52002ba36f2
    COMMENT 'The items of a proposal as they are recorded. Raises MB201.'
FUNCTION cmbs_store.checked_list(p_member text, p_list json, p_max_count integer) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7f0609c3b320e5eefbc4151113397dc7
    COMMENT 'A list that is sent as JSON, bounded; the empty one if none is sent. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_proposal(p_proposal jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e29c2d7b00943e0047220e1f071ece21
    COMMENT 'A proposal as it is recorded: checked, its values as texts, with what is left out. Raises MB201.'
FUNCTION cmbs_store.checked_resume(p_sent jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1ae4c29b81d1cd860259380d997ee2d9
    COMMENT 'The items of a message that goes on with a proposal, checked.'
FUNCTION cmbs_store.checked_schema(p_member text, p_document json) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c67957e01d221caaec08fba4eab64201
    COMMENT 'The canonical text of a JSON Schema that may be registered. Raises MB201, MB203.'
FUNCTION cmbs_store.checked_shadow(p_shadow json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a851489f8e6a8b925b748ea5ef24860c
    COMMENT 'The policy pack that is to be asked beside the one in force, checked. Raises MB201.'
FUNCTION cmbs_store.checked_tool(p_definition json, p_tenant text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 327fb62fae68f275e496ead9fe8ef7ba
    COMMENT 'The definition of a tool, checked, with what was left out filled in. Raises MB009, MB201, MB203.'
FUNCTION cmbs_store.cites_confirmation(p_session cmbs_store.session, p_claim jsonb) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1b2a8d09113f368daf7ec765eba719a5
    COMMENT 'Whether a claim cites an approver''s act that names its key and value.'
FUNCTION cmbs_store.claim_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eb9d946fa673d150ec0dcd743691c5dd
    COMMENT 'The members of an answer that tell what was decided on a claim, as JSON text.'
FUNCTION cmbs_store.claim_reasons(p_claim jsonb, p_kind text, p_is_confirmed boolean, p_settings jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c35badad15727d47803bfce81a080a0d
    COMMENT 'Whether a claim may be what it says: it is confirmed, or a hypothesis for a time.'
FUNCTION cmbs_store.claim_row(p_payload jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 916c4d471a71f5dc0034a1d9eeedaed1
    COMMENT 'The row of a recorded claim.'
FUNCTION cmbs_store.clause_fault(p_op text, p_args jsonb) RETURNS text
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fd08bda7b27fdb105855422275cb1900
    COMMENT 'What is malformed about the arguments of a predicate, null if nothing is.'
FUNCTION cmbs_store.clause_text(p_clause jsonb, p_world jsonb, p_schemas jsonb, p_want boolean) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 400401c291468d0ce4e9b29a01662919
    COMMENT 'What one clause asks for and what is there instead, as a sentence.'
FUNCTION cmbs_store.clear_bits(p_mask bytea, p_ids text[], p_ranks integer[], OUT p_cleared_mask bytea, OUT p_cleared_ids text[]) RETURNS record
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9d2c67b109432c680aa713173597f387
    COMMENT 'Clear the bits of the given ranks; say which were set.'
FUNCTION cmbs_store.clear_chunks(p_session_id uuid, p_ids text[], p_ranks integer[], OUT p_cleared_ids text[]) RETURNS text[]
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dd092cb08f23371a6c9aa21fe69676c9
    COMMENT 'Clear the bits of the given ranks in stored chunks; say which were set.'
FUNCTION cmbs_store.clock() RETURNS timestamp with time zone
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cd23047eb8d5945a837a8937197c30ba
    COMMENT 'The one clock of the kernel.'
FUNCTION cmbs_store.clock_lead() RETURNS bigint
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ca34ba984cce3a95bab32eca1362f90a
    COMMENT 'By how many microseconds the clock was set back in all.'
FUNCTION cmbs_store.clock_steps() RETURNS integer
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a5bb5210189041478292151c4d8e718d
    COMMENT 'How often the clock was set back.'
FUNCTION cmbs_store.completion_fault(p_state cmbs_store.session, p_actor text, p_permit cmbs_store.permit, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c8e3a1998e1f22e9d84cd61e1d857cb2
    COMMENT 'What is wrong with a recorded end of an execution; null if nothing.'
FUNCTION cmbs_store.conclusion_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7a0f95016383700ba00e7377123a0f0c
    COMMENT 'What DECLARE_CONCLUSION would answer now, as JSON text.'
FUNCTION cmbs_store.condition_facts(p_condition jsonb, p_depth integer, OUT p_fault text, OUT p_reads text[], OUT p_schemas text[]) RETURNS record
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1a901e80ac17bc29bfea9a36dd2dfc2a
    COMMENT 'Whether a condition is well-formed, which keys it may read and which schemas it names.'
FUNCTION cmbs_store.conflict_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0af270fd58a490771095a9f8197ccd2d
    COMMENT 'The stage of conflicts: keys written twice, goals that exclude each other.'
FUNCTION cmbs_store.conforms(p_schema jsonb, p_value jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b4cca3fb617c3163260fee7e75b6d896
    COMMENT 'Whether a value conforms to a JSON Schema; null if that cannot be decided.'
FUNCTION cmbs_store.constraint_fault(p_key text, p_value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 885a89add03d5572bc9331e9519aa3bd
    COMMENT 'What is malformed about a constraint, its condition aside; null if nothing is.'
FUNCTION cmbs_store.constraint_reasons(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_waived text[]) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 215988f35749a90b7e16243f6510bd69
    COMMENT 'The stage of constraints for one item: which deny, and whether one allows.'
FUNCTION cmbs_store.constraints_against(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_items jsonb, p_definitions jsonb, p_world jsonb, p_schemas jsonb, p_waived jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e86b7efff3f8081881493ce797193094
    COMMENT 'The constraints that stand against some items, asked once for each capability.'
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
    COMMENT 'When a tool may be called again after its last allowed call; null if nothing holds it back.'
FUNCTION cmbs_store.count_claimants(p_session cmbs_store.session) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 48d01b5b3c3f0de241c5f85cde47637e
    COMMENT 'Count who asked for which eliminations up to the head of a locked session.'
FUNCTION cmbs_store.creating_tenant(p_caller cmbs_store.principal, p_incident_id text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a868c1dcac2bf4cf8dba43d8eabee974
    COMMENT 'The tenant that an incident to be created belongs to.'
FUNCTION cmbs_store.decide(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c7b6b35f2b213078559f03c59ea78f02
    COMMENT 'The verdict on a proposal or a claim; a denial where it cannot be reached.'
FUNCTION cmbs_store.decide_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_approved boolean, OUT p_reason text, OUT p_error text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5b60dbe1ef3d6bacb8b5f8eb22e0df77
    COMMENT 'What the verb of a gate answers to a request, from the state before it.'
FUNCTION cmbs_store.decide_twice(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4063664d12912a9f3c860a978a62a649
    COMMENT 'The verdict on a proposal by the policy in force, and beside it by the shadow.'
FUNCTION cmbs_store.decided_anew(p_session cmbs_store.session, p_permit cmbs_store.permit, p_token cmbs_store.capability_token, p_items jsonb, p_given jsonb, p_recorded jsonb, OUT p_reasons cmbs_store.reason[], OUT p_basis jsonb) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6d3f5e19f37511a33a1d7a705257a146
    COMMENT 'What stands against a permitted call by what has changed since.'
FUNCTION cmbs_store.decision(p_approved boolean, p_reason text, p_error text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7eed3f5d570f23fbac4d84c4a6f63063
    COMMENT 'What a gate says to a message, as JSON text.'
FUNCTION cmbs_store.declared_from(p_tenant text, p_universe_from json, p_ontology json, p_hypotheses text[], OUT p_from text, OUT p_bundle json, OUT p_ids text[], OUT p_gone text[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cd5b0880b3c37770e0b77b2f248d259c
    COMMENT 'What a session is declared from an incident with. Raises MB013, MB201, MB203.'
FUNCTION cmbs_store.declared_session(p_session_id uuid, p_tenant text) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 73077cab50b90eb2fa5cb7d06a663915
    COMMENT 'The session that has an id already, locked. Raises MB102.'
FUNCTION cmbs_store.declared_universe(p_tenant text, p_ontology jsonb, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f0dd399787782dd4260d15c81b098c75
    COMMENT 'The universe of a declare. Raises MB201, MB203.'
FUNCTION cmbs_store.declaring_tenant(p_caller cmbs_store.principal, p_session_id uuid) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 22f7c003582e87b31373f0004b0833cb
    COMMENT 'The tenant that a session to be declared belongs to.'
FUNCTION cmbs_store.deferral_json(p_session cmbs_store.session, p_deferral_id uuid) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 76a7dae988a4e86ce83ee38cee2da883
    COMMENT 'A deferred proposal as it is shown, with every try.'
FUNCTION cmbs_store.deferral_of(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_ground cmbs_store.ground, p_settings jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 80f08e2624acc59fb2cd3ed662d712b7
    COMMENT 'What a deferred proposal waits for, and until when; null if it does not wait.'
FUNCTION cmbs_store.derived_id(p_session cmbs_store.session, p_given jsonb, p_of text) RETURNS uuid
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0ac07ea6908d7a663d7eb3cadb30805f
    COMMENT 'An id that follows from a verdict and what it is of.'
FUNCTION cmbs_store.digest_v1(p_text text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT a50f71ee0c8d037f8e38b786a8f452f8
    COMMENT 'sha-256 over the bytes of a canonical text: of a policy, a tool, a schema, an item, a value.'
FUNCTION cmbs_store.due_by_clock(p_tenant text, p_now timestamp with time zone, p_limit integer) RETURNS SETOF uuid
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 13717b0fc6df9234f3e311ce0eaedf9e
    COMMENT 'The sessions in which something is due because of what the clock did.'
FUNCTION cmbs_store.due_deferral(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS cmbs_store.deferral
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0c3d91562e9d2ac3731fe631504ebeed
    COMMENT 'The deferred proposal of a session that is to be tried again next; null if none is.'
FUNCTION cmbs_store.duplicates_member(p_ids text[], p_n_different integer) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 955426c0f4acf9e63476fc196581856f
    COMMENT 'The member of an answer that says how many ids of a list were there already.'
FUNCTION cmbs_store.edge_ends(p_id text) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b1647a2e0453423ec6725fb4f2049b42
    COMMENT 'The ends of the edge that an id names; null if it is the id of no edge.'
FUNCTION cmbs_store.edge_fault(p_edge jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 22f2d3d6e000eb4f37d34c772d41a9a7
    COMMENT 'What is wrong with an edge that is to be merged, null if nothing is.'
FUNCTION cmbs_store.edge_id(p_source text, p_target text, p_type text) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 302141000aa7cc22a9336dff305cac1e
    COMMENT 'The id of an edge where ids of hypotheses are expected.'
FUNCTION cmbs_store.edge_name_fault(p_edge jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 61e1d281ecfcd34354d103abb499946c
    COMMENT 'What is wrong with the name of an edge, null if nothing is.'
FUNCTION cmbs_store.edges_json(p_incident cmbs_store.incident, p_after text[] DEFAULT NULL::text[], p_limit integer DEFAULT NULL::integer) RETURNS text
    LANGUAGE sql STABLE SET enable_seqscan TO 'on' SET enable_nestloop TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5d376c71ea5c575579582392c6424c11
    COMMENT 'Edges of the graph as they were at a version, as JSON text.'
FUNCTION cmbs_store.eliminate_message(p_session_id uuid, p_caller cmbs_store.principal, p_source_id text, p_observation_id text, p_eliminated text[], p_justification text, p_expected_head uuid, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8a5fc840828ab69e459ff89e2c6b4ea1
    COMMENT 'One ELIMINATE message. Raises MB001, MB101, MB102, MB103, MB202.'
FUNCTION cmbs_store.eliminate_tombstoned(p_session cmbs_store.session, p_caller cmbs_store.principal, p_gone text[]) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 44a7622b0f0671eb8b9068b56031a871
    COMMENT 'Eliminate from a session just declared what its incident has ruled out by then.'
FUNCTION cmbs_store.eliminated_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7d1c60c0217394bc49cd26f1451c5c93
    COMMENT 'The hypotheses that a stretch of the log eliminated, as JSON text.'
FUNCTION cmbs_store.elimination_json(p_session_id uuid, p_seq bigint, p_n_eliminated bigint) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8ce33e831713ea57abaade15a2a0d4b3
    COMMENT 'An event that eliminated hypotheses, as JSON text.'
FUNCTION cmbs_store.elimination_outcome(p_applied text, p_ignored text[], p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7d631258d3f020174641cabbd664c214
    COMMENT 'The members of an ELIMINATE response, as JSON text.'
FUNCTION cmbs_store.eliminations(p_session_id uuid, p_seq bigint, p_limit integer) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 086bfe2185f3f9717a4fb2b59d8a06cb
    COMMENT 'Who eliminated how much, and by which events, as JSON text.'
FUNCTION cmbs_store.end_of(p_token cmbs_store.api_token) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 35d10da481fc923b3640d059a1c1761a
    COMMENT 'What an event says of the end of a token.'
FUNCTION cmbs_store.end_token(p_caller cmbs_store.principal, p_token cmbs_store.api_token) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 41f533852fd60a27be63582afc7c01fd
    COMMENT 'Revoke a token, with its event.'
FUNCTION cmbs_store.ensure_context_universe(p_hypotheses text[]) RETURNS bytea
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7f5e965f1520f35e5438031bd21db9b4
    COMMENT 'The digest of a set of hypotheses of contexts, stored if it is new. Raises MB201, MB203.'
FUNCTION cmbs_store.ensure_universe(p_member text, p_hypotheses text[], OUT p_universe_digest bytea, OUT p_n_hypotheses integer) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 10c6a18fa7a35e2b8dd888b1b48d7ae7
    COMMENT 'The universe of a list of ids, stored if it is new. Raises MB201, MB203.'
FUNCTION cmbs_store.ensure_universe_edges(p_universe_digest bytea) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0fc50e622c3d8ed9ddb9da6d49162fb7
    COMMENT 'Store the edges of a universe by their ends, unless that was done.'
FUNCTION cmbs_store.entropy(p_n integer) RETURNS numeric
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c209268c193cbe180c2d94db594af8b9
    COMMENT 'log2 of the number of survivors; 0 for none or one.'
FUNCTION cmbs_store.entry_faults(p_entries jsonb, p_tenant text) RETURNS TABLE(key text, severity text, finding text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 414670a0140af9a576109809bd103cfb
    COMMENT 'What is wrong with the entries of a pack: key, severity, finding.'
FUNCTION cmbs_store.evaluate(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1cc762721d2116ed01564fdd8537c0e1
    COMMENT 'The verdict on a proposal, by the policy, tools and schemas that it names.'
FUNCTION cmbs_store.evaluate_claim(p_session cmbs_store.session, p_actor text, p_given jsonb, p_recorded jsonb, p_pin cmbs_store.policy_pin) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3d1260358f46a293fecd6bfefdd56a6c
    COMMENT 'The verdict on a claim, as a function of what it is given.'
FUNCTION cmbs_store.event_at(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS uuid
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d64ca5cc832e425472b1b0491ace1ac8
    COMMENT 'The last event of a session that is not later than a time. Raises MB003.'
FUNCTION cmbs_store.event_hash_v1(p_record text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT acd973c29ea160fa4f4b5c9af2e7def5
    COMMENT 'sha-256 over the bytes of a record.'
FUNCTION cmbs_store.event_id(p_random uuid, p_seq bigint) RETURNS uuid
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2efc94454565ccb0bac4b7b91be21ee1
    COMMENT 'The id of an event: a random uuid with the seq in its low 48 bits.'
FUNCTION cmbs_store.event_json(p_event cmbs_store.audit_event) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7569d1fed6fe9b4c66945cfb88448cec
    COMMENT 'An event as the API shows it, as JSON text.'
FUNCTION cmbs_store.event_payload(p_session_id uuid, p_seq bigint) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0382188033494659d25f30e218d03514
    COMMENT 'The payload of an event by its number.'
FUNCTION cmbs_store.event_seq(p_event_id uuid) RETURNS bigint
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT df7babb89d032808d141b5a018bb4aaf
    COMMENT 'The seq that an event id carries in its low 48 bits.'
FUNCTION cmbs_store.execution_rows(p_session_id uuid, p_actor text, p_verb text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1808d2d3d97dd33570899e6356be2375
    COMMENT 'The rows that an event of execution, approval or upkeep leaves.'
FUNCTION cmbs_store.execution_stored(p_session_id uuid) RETURNS TABLE(seq bigint, relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6a54a065f52ca7160980f321f310af27
    COMMENT 'What the tables of execution, approval and upkeep hold of a session, row by row.'
FUNCTION cmbs_store.expired_permits(p_session cmbs_store.session, p_at timestamp with time zone) RETURNS uuid[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6bc258dd41f2241fec6826b783faf4ac
    COMMENT 'The permits of a session that ran out unused, a thousand at once.'
FUNCTION cmbs_store.explained_condition(p_condition jsonb, p_world jsonb, p_schemas jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a4308636aeb7b92040c2faa8a7dea95b
    COMMENT 'A condition with what each of its nodes came to.'
FUNCTION cmbs_store.explained_constraint(p_entry cmbs_store.policy_entry, p_world jsonb, p_documents jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5d8d949104746db61af6bbf2a55787be
    COMMENT 'What a constraint came to, with each node of its condition and what would change it.'
FUNCTION cmbs_store.explained_items(p_session cmbs_store.session, p_actor text, p_payload jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f1d738763a1ffe09147ae10c5810abfb
    COMMENT 'The items of a proposal with what every constraint that applies came to.'
FUNCTION cmbs_store.f_sparse_at(p_session_id uuid, p_seq bigint) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 96b1798282c18946755db3554439c223
    COMMENT 'The facts and goals of a session as of an event, as canonical text.'
FUNCTION cmbs_store.find_capability(p_session_id uuid, p_secret text) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e96d5b65325bed99a6b69f599470798b
    COMMENT 'The id of the token of a session that a secret opens.'
FUNCTION cmbs_store.find_policy(p_tenant text, p_pack text, p_version integer) RETURNS cmbs_store.policy_version
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3b7452b3f26a1724b52d7a1785a272b0
    COMMENT 'A version of a pack that sessions of a tenant may name. Raises MB007.'
FUNCTION cmbs_store.find_principal(p_name text, p_tenant text) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b505f79c675fc0f9625dc7d6f65913fa
    COMMENT 'A principal by its name. Raises MB005, MB201.'
FUNCTION cmbs_store.find_token(p_caller cmbs_store.principal, p_token_id uuid) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f0a2b3a76b186a26583362fdec0a1187
    COMMENT 'A token by its id. Raises MB006, MB201.'
FUNCTION cmbs_store.fixture_results(p_policy_hash bytea, p_fixtures jsonb, p_tenant text) RETURNS TABLE(name text, ok boolean, expected jsonb, got jsonb)
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8180bfa5fe4ac3ea55c0a07ffeb1bb18
    COMMENT 'What came of the fixtures of a policy: name, whether it is as expected, and what was said.'
FUNCTION cmbs_store.fixture_verdict(p_policy cmbs_store.policy, p_entries cmbs_store.policy_entry[], p_documents jsonb, p_own jsonb, p_fixture jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d3a5a06f86653eb09bff28d9af88e333
    COMMENT 'What a policy says to the item of a fixture, in the state that it gives.'
FUNCTION cmbs_store.flips_without(p_session cmbs_store.session, p_without_source text, p_without_observation text, p_seqs bigint[], p_limit integer, OUT p_state cmbs_store.session, OUT p_ended_seq bigint, OUT p_n_refused bigint, OUT p_n_gates bigint, OUT p_n_flips bigint, OUT p_flips text[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c41bf086c6ea270ccacaabc33eec64a7
    COMMENT 'Send the log of a session again without some of its messages; list the gates that say otherwise.'
FUNCTION cmbs_store.found_arbitration(p_session_id uuid, p_tenant text, p_arbitration jsonb, p_hypotheses text[]) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b82150e81a63c2cbfcee9d800c0bc649
    COMMENT 'The packs that a declare names, with their hashes. Raises MB007, MB201, MB203.'
FUNCTION cmbs_store.found_shadow(p_tenant text, p_shadow jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a79f0de362c15298a624f52c55d59bb2
    COMMENT 'The shadow of a policy with its hash, as it is recorded. Raises MB007.'
FUNCTION cmbs_store.free_object(p_member text, p_object json) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 09554a02e6ec625cfcfe0e303f327bc6
    COMMENT 'The canonical text of a free JSON object. Raises MB201, MB203.'
FUNCTION cmbs_store.fullness(p_session_id uuid) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a3add143b221319f95decc85605674b3
    COMMENT 'Whether no more deferred proposals may wait in a session, as a member of what a verdict is given.'
FUNCTION cmbs_store.gate_row(p_before cmbs_store.session, p_after cmbs_store.session, p_verb text, p_payload jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 561797ce9f1028fb221bd312a9efeed0
    COMMENT 'The row that a gate event must have left, as text.'
FUNCTION cmbs_store.gate_rows(p_session_id uuid, OUT gate_row text, OUT seq bigint) RETURNS SETOF record
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d019b64a11d8c90e227ac41efbf98775
    COMMENT 'The stored rows of obligations and conclusions, as text.'
FUNCTION cmbs_store.gates_between(p_session_id uuid, p_after bigint, p_until bigint, p_limit integer) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT caec27d33814e3f8345d96c03119f55a
    COMMENT 'What was asked of the gates in a stretch of the log, as JSON text.'
FUNCTION cmbs_store.given(p_session cmbs_store.session, p_roles text[]) RETURNS jsonb
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4373d24656a2f56ca127c1ee03fec319
    COMMENT 'What a verdict is given besides what is proposed.'
FUNCTION cmbs_store.given_for(p_session cmbs_store.session, p_actor text, p_payload jsonb) RETURNS jsonb
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c5a4fd9a97b8d14ed87e0d236f74bde8
    COMMENT 'What a verdict is given about an earlier proposal.'
FUNCTION cmbs_store.given_of(p_payload jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 76888c613cc8a7d85944b0953a484535
    COMMENT 'What a recorded verdict was given.'
FUNCTION cmbs_store.goal_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b89c39520b3e758bc4dcfdb988dacffb
    COMMENT 'Goals of a proposal that exclude each other or an active goal.'
FUNCTION cmbs_store.granted_until(p_payload jsonb) RETURNS timestamp with time zone
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3101e7e1ef15a2accb61c82176b5818b
    COMMENT 'The time by which what was granted before is measured in an event.'
FUNCTION cmbs_store.graph_conflicts(p_tenant text, p_nodes jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d4edc22b0730c5a23b77ea5fa2ee3d00
    COMMENT 'Where merged nodes say otherwise than the graph, which stands.'
FUNCTION cmbs_store.graph_types(p_kind text) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e7d708e58b71cde745e72e2000270322
    COMMENT 'The types of nodes, or of edges, by the names that the wire gives them.'
FUNCTION cmbs_store.graph_version(p_tenant text) RETURNS bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eb54b01ddf60119a54bbd1140f755466
    COMMENT 'The version of the causal graph of a tenant; 0 as long as nothing was merged.'
FUNCTION cmbs_store.ground(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_items jsonb, p_recorded jsonb) RETURNS cmbs_store.ground
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 06af7e231cce6778def546f569c01649
    COMMENT 'What a verdict on some items rests on: tools, schemas, constraints, and the values they read.'
FUNCTION cmbs_store.halt_reasons(p_given jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9e4d9d59d42e1ea2f2784f4cfafbd7e5
    COMMENT 'The kill switch: while it is on, everything is denied.'
FUNCTION cmbs_store.halted(p_tenant text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f2b64305cc2c4bf7a3a5fdecff075e27
    COMMENT 'Why the kill switch is on for a tenant; null if it is off.'
FUNCTION cmbs_store.has_granted(p_session cmbs_store.session) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8bf492dac55e0a2db0bc258412d416a7
    COMMENT 'Whether a session has granted something that may still count.'
FUNCTION cmbs_store.has_superseded(p_session cmbs_store.session, p_payload jsonb, p_item_no integer) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 49c07367d5028b402b432f4fc90a7bbc
    COMMENT 'Whether an item was allowed by an approval of what is not as it was.'
FUNCTION cmbs_store.holds(p_condition jsonb, p_world jsonb, p_schemas jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 79cc6e55901d511c19c5a9f8a780c45c
    COMMENT 'Whether a condition holds; null if that is not known.'
FUNCTION cmbs_store.home(p_caller cmbs_store.principal) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7e2399acb7a81adf5a03eb46e000b79c
    COMMENT 'The tenant that what a caller makes belongs to.'
FUNCTION cmbs_store.id_fault(p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a8db990485db66f17725b9a6a7e5f1b3
    COMMENT 'What is wrong with a JSON value that must be an id, null if nothing is.'
FUNCTION cmbs_store.idempotency_reasons(p_session cmbs_store.session, p_actor text, p_proposal jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 857fa2f3afef219decc178cd4edb0122
    COMMENT 'The stage of idempotency: a key that was used for other items.'
FUNCTION cmbs_store.identity_fault(p_tenant text, OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 781f2d62953ed92e8fceefc494c000c7
    COMMENT 'The first fault of the log of identities of a tenant, if any.'
FUNCTION cmbs_store.identity_misplaced(p_tenant text) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6a2a1654bd8001c392e5186399235130
    COMMENT 'Events of identities that no verb would have appended where they stand.'
FUNCTION cmbs_store.identity_payload(p_record text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 84c27fc5e743f2816dd1de5dba418bae
    COMMENT 'What an event of identities says, null if its record cannot be read.'
FUNCTION cmbs_store.identity_record_v1(p_tenant text, p_seq bigint, p_at timestamp with time zone, p_verb text, p_actor text, p_payload text, p_previous bytea) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT eb9a66ba7f42e77a5e86bf3950dac7ce
    COMMENT 'The canonical text of one change of an identity.'
FUNCTION cmbs_store.identity_state_faults(p_tenant text) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 349529bf9d640c1c0b543c76d1320fd1
    COMMENT 'The events whose principal or token is not stored as they say.'
FUNCTION cmbs_store.ids_without(p_ids text[], p_without text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 65fc379a0203fb900d5da895c65da997
    COMMENT 'The ids of one list that are not in another, sorted, each once.'
FUNCTION cmbs_store.import_gates(p_session cmbs_store.session, p_seqs bigint[]) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f8c0d4c35fc0917d5ff6f0bab3f2e31a
    COMMENT 'Take the decisions of imported gate events again. Raises MB201.'
FUNCTION cmbs_store.import_log(p_session cmbs_store.session, p_records text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 689683ff4c2e036b4e40d30c1906d931
    COMMENT 'Append records to a log as they are. Raises MB201.'
FUNCTION cmbs_store.import_session(p_session_id uuid, p_tenant text, p_records text, p_policy_as_sent text) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cbdec31ae9a60930f11d967b23e6e019
    COMMENT 'The session that records are for, new or locked. Raises MB001, MB102, MB201.'
FUNCTION cmbs_store.import_tombstones(INOUT p_session cmbs_store.session, OUT p_seqs bigint[]) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ec5158e5bb965326fd5cac8630efd901
    COMMENT 'Eliminate what the events after the head of a session have eliminated. Raises MB201.'
FUNCTION cmbs_store.inbox_cursor(p_cursor text) RETURNS cmbs_store.open_item
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 76886c3b0aa3d76e8f6c8c94dcfc0130
    COMMENT 'The question after which a page of the inbox begins. Raises MB201.'
FUNCTION cmbs_store.inbox_entry(p_item cmbs_store.open_item, p_status text) RETURNS text
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7ca5cee1e2c24f5eeec26e0bdd4dc0d8
    COMMENT 'A question of the inbox as it is shown; null if it has another status.'
FUNCTION cmbs_store.inbox_items(p_tenant text, p_is_pending boolean, p_after cmbs_store.open_item, p_limit integer) RETURNS SETOF cmbs_store.open_item
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ee6f834366a94bfba13479e86f854fe7
    COMMENT 'Questions of the inbox after one of them, in order.'
FUNCTION cmbs_store.inbox_page(p_shown text[], p_last cmbs_store.open_item) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 972879e60a318f4673310525a805c2b9
    COMMENT 'A page of the inbox.'
FUNCTION cmbs_store.incident_ids(p_incident cmbs_store.incident, p_with_edges boolean) RETURNS text[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b79cc6a0a1fd636cc9c896f216a91d10
    COMMENT 'The universe of an incident, sorted: its nodes, and the ids of its edges too if they are asked for.'
FUNCTION cmbs_store.incident_tombstones(p_incident_id text) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c029a629f876c6c1fb767b945142a670
    COMMENT 'What is ruled out of an incident, as the members of an object.'
FUNCTION cmbs_store.independent_survivors(p_session cmbs_store.session, p_actor text) RETURNS bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3966eac4992b8a3e074237a4cc647bbb
    COMMENT 'How many hypotheses survive without the eliminations that only p_actor asked for.'
FUNCTION cmbs_store.insert_events(p_events cmbs_store.audit_event[]) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 12d2ebc865d38a2f47bd79a69ea1a405
    COMMENT 'Write events of a batch to the log.'
FUNCTION cmbs_store.interrupt_json(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 92388b75a88467f7afffb65c287f06ee
    COMMENT 'A question as it is shown: what exactly it is about, and what has become of it.'
FUNCTION cmbs_store.interrupt_of(p_session cmbs_store.session, p_interrupt_id uuid) RETURNS cmbs_store.interrupt
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1c6618e74c601f0fa9f26acce9afe84a
    COMMENT 'A question of a session by its id, as of an event.'
FUNCTION cmbs_store.interrupt_state(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT adf0382c407c06cba4f538e12d6f1ae1
    COMMENT 'What has become of a question.'
FUNCTION cmbs_store.invariant_reasons(p_entries cmbs_store.policy_entry[], p_world jsonb, p_schemas jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0e85e6dc344c5f6b0903886c542fd11c
    COMMENT 'The stage of invariants: each must hold once the deltas are committed.'
FUNCTION cmbs_store.is_arbitration(p_verb text) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3aa72ad5e02fbbf9952f83c5c5226919
    COMMENT 'Whether a verb is one of arbitration, which does not touch belief.'
FUNCTION cmbs_store.is_arbitration_payload(p_verb text, p_shape jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fe9416bf715b3d2eabc70d190b7d12d1
    COMMENT 'Whether a payload of this shape is one that a verb of arbitration records.'
FUNCTION cmbs_store.is_confirmed(p_session cmbs_store.session, p_claim jsonb, p_settings jsonb) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f877399789cdeb8b53feb1d5a27ae6e3
    COMMENT 'Whether a claim is confirmed: by an approver, or by sources and confidence.'
FUNCTION cmbs_store.is_deferred(p_given jsonb, p_verdict jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6a557acfd5182ac2ffabbe106b54c869
    COMMENT 'Whether a proposal, or an item that stands by itself, waits for something.'
FUNCTION cmbs_store.is_due(p_deferral cmbs_store.deferral, p_seq bigint, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2a60b38ad0483d55efd3feb591b04c31
    COMMENT 'Whether a deferred proposal is to be tried again.'
FUNCTION cmbs_store.is_execution(p_verb text) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 861d9a2272e8a011fbce3ad2ff66aa2a
    COMMENT 'Whether a verb is one of execution, approval or upkeep.'
FUNCTION cmbs_store.is_execution_payload(p_verb text, p_shape jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 99d3a4a0c353b7cc9b8983225558f732
    COMMENT 'Whether a payload of this shape is one of execution, approval or upkeep.'
FUNCTION cmbs_store.is_free_object(p_object jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dfef7d57dafad6207f2a80b827d2ff50
    COMMENT 'Whether a recorded free object is within the limits of the verbs.'
FUNCTION cmbs_store.is_id(p_id text, p_max_bytes integer) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3cf69f3a1849f4eb29298fb6c813282b
    COMMENT 'Whether a text can be an id: 1 to p_max_bytes bytes.'
FUNCTION cmbs_store.is_in_roots(p_resource text, p_roots text[], p_is_path boolean DEFAULT false) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7686afe4f1bb38cd48ae0cbd91e6d072
    COMMENT 'Whether a path or host lies inside of one of the roots.'
FUNCTION cmbs_store.is_left_out(p_source_id text, p_observation_id text, p_without_source text, p_without_observation text) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT aae7aad9cbfb07e069c92fa0d828dfe9
    COMMENT 'Whether a message is among those that are thought away.'
FUNCTION cmbs_store.is_live(p_claim cmbs_store.claim, p_at timestamp with time zone) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 80e4065866cb7e816d72259cd9683b7b
    COMMENT 'Whether a claim still counts at a time.'
FUNCTION cmbs_store.is_mask(p_session cmbs_store.session, p_mask bytea) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 05b5bc10533f675dbbe6693484bb7f39
    COMMENT 'Whether the mask of a session is stored as it must be.'
FUNCTION cmbs_store.is_obligation_changed(p_session_id uuid, p_after bigint, p_until bigint) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0f4ff1f51f085d3ef880b2fbb8364203
    COMMENT 'Whether an obligation was entered or left between two events.'
FUNCTION cmbs_store.is_of_this_transaction(p_xmin xid) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 133166b360f4b8fe733cd9d8a026d301
    COMMENT 'Whether a row was written by the transaction that asks.'
FUNCTION cmbs_store.is_path(p_path text) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 805032e1f36f0dac3dfc387b9b9f4a15
    COMMENT 'Whether a text is a path that a constraint may read.'
FUNCTION cmbs_store.is_payload(p_verb text, p_payload jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7c316774baa0474ce2b07bec2b17033c
    COMMENT 'Whether a payload has the members that its verb records.'
FUNCTION cmbs_store.is_pin(p_pin jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e6b974b5dbc54f97e9380c4649989631
    COMMENT 'Whether something names a version of a policy pack with its hash.'
FUNCTION cmbs_store.is_plain_batch(p_session_id uuid, p_messages json, p_batch jsonb) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0fd0debd6d8c3a5f522a3c8c92806268
    COMMENT 'Whether one look shows that all messages of a batch are well-formed.'
FUNCTION cmbs_store.is_plain_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[], p_notes text) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 93c4dffdbe19891ab156f61a9a371573
    COMMENT 'Whether one look shows that an ELIMINATE message is well-formed.'
FUNCTION cmbs_store.is_policy_whole(p_policy_hash bytea) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dc30db6e44f3107b397903c0bce000e8
    COMMENT 'Whether the stored content of a policy is that of its hash, and was read right.'
FUNCTION cmbs_store.is_same_action(p_payload jsonb, p_resumes jsonb, p_items jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5c655013c6c2542168db576ac2874793
    COMMENT 'Whether items are those of a proposal, all of them or those that go on.'
FUNCTION cmbs_store.is_second_version(p_shape jsonb) RETURNS boolean
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a51748486b8716ce5a2ff21a047e5d34
    COMMENT 'Whether what verdicts have since there are permits is of the right types.'
FUNCTION cmbs_store.is_set_back(p_session cmbs_store.session, p_seq bigint) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 50871f15e8bc383ba15d6cdc0269b796
    COMMENT 'Whether the clock was found set back after an event.'
FUNCTION cmbs_store.is_superseded(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a4e53a783a2e2cebfb00b7d17ead572e
    COMMENT 'Whether a constraint that an approval would waive was changed since it was asked for.'
FUNCTION cmbs_store.is_unchanged(p_session cmbs_store.session, p_seq bigint) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT bd276f52247381df7297b4e6d88e9e2e
    COMMENT 'Whether nothing happened after an event that a verdict on a call depends on.'
FUNCTION cmbs_store.is_universe(p_universe_digest bytea, p_n_hypotheses integer, p_known_universe bytea) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eed038db9c83e1c58eaf62550806365f
    COMMENT 'Whether a universe is stored as its digest and size say.'
FUNCTION cmbs_store.is_universe_of(p_incident cmbs_store.incident, p_universe_digest bytea, p_has_edges_listed boolean) RETURNS boolean
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 61d367dbc0a20cc02338ff15dc72b0cf
    COMMENT 'Whether a set that was stored is the universe of an incident.'
FUNCTION cmbs_store.issue_capability(p_session cmbs_store.session, p_caller cmbs_store.principal, p_parent cmbs_store.capability_token, p_grant jsonb, p_request_id text, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9184bf1d38f8f42c2d18d59c87d2f360
    COMMENT 'Issue a capability token; the answer shows its secret this once.'
FUNCTION cmbs_store.item_reasons(p_items jsonb, p_given jsonb, p_token cmbs_store.capability_token, p_policy cmbs_store.policy, p_ground cmbs_store.ground) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 103935d7310bbea246c6295e86b41fdc
    COMMENT 'What stands against each item of a proposal by itself.'
FUNCTION cmbs_store.items_with(p_payload jsonb, p_member text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7810a0a5ff72c2f69dd58c06e8968cce
    COMMENT 'The numbers of the items that go on: all that belong together, or those that have a member.'
FUNCTION cmbs_store.keeps_limits(p_verb text, p_record jsonb) RETURNS boolean
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 28a3e47a0adc7f9abb6571df13168a8a
    COMMENT 'Whether ids, notes and numbers of a record are within the limits of the verbs.'
FUNCTION cmbs_store.keys_around(p_session_id uuid, p_seq bigint, p_key text) RETURNS SETOF text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ec7b53f8ea968ca7d30e9ef00b8c232d
    COMMENT 'The keys of a state that begin with a key, or which it begins with.'
FUNCTION cmbs_store.keys_of_clause(p_op text, p_args jsonb) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eecb9347beac16924138087e4d52320e
    COMMENT 'The keys that a predicate may read.'
FUNCTION cmbs_store.lead_found(p_payload jsonb) RETURNS bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 11ae9045c39d556f3c0e44de24454ccb
    COMMENT 'By how much the time of a session was ahead of the clock, as its event says.'
FUNCTION cmbs_store.limit_fault(p_value jsonb, p_member text, p_from bigint, p_to bigint) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 802a643ccc3bf3185e57332f01c6608e
    COMMENT 'What is wrong with a member that must be a whole number within limits.'
FUNCTION cmbs_store.limit_reasons(p_session cmbs_store.session, p_given jsonb, p_verdict jsonb, p_settings jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 11180e51e1bce12a87803730d6106ce5
    COMMENT 'What ends deferring and asking: attempts and questions that are used up.'
FUNCTION cmbs_store.live_edges(p_incident cmbs_store.incident) RETURNS TABLE(source text, target text, type text, source_id text, trigger text, occurred_at timestamp with time zone)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c2b92d7e2155dda9c82531c0f2b7b702
    COMMENT 'The edges of the universe of an incident that are not ruled out, nor one of their ends.'
FUNCTION cmbs_store.live_ids(p_incident cmbs_store.incident, p_with_edges boolean) RETURNS text[]
    LANGUAGE sql STABLE SET enable_seqscan TO 'on' SET enable_nestloop TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3ec58c9acbf9bd8200b3fb3d178bed43
    COMMENT 'What an incident has not ruled out of its universe: nodes, and the ids of edges if asked for.'
FUNCTION cmbs_store.live_nodes(p_incident cmbs_store.incident) RETURNS TABLE(node_id text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 44a587d307066e794aca5499003f61dd
    COMMENT 'The nodes of the universe of an incident that are not ruled out.'
FUNCTION cmbs_store.live_page(p_incident cmbs_store.incident, p_after text, p_limit integer) RETURNS json
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eceba9f9ff1af03cb76f3111b0b88e50
    COMMENT 'Some of what an incident has not ruled out: its nodes in order, then its edges. Raises MB201.'
FUNCTION cmbs_store.live_values(p_session_id uuid, p_seq bigint, p_from text, p_below text) RETURNS TABLE(key text, seq bigint, value text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 573eef22b8c46cef9f5dc91a3f2646d3
    COMMENT 'What a session has in a range of keys, as of an event.'
FUNCTION cmbs_store.lock_identities(p_tenant text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a8650f3f477de4eb900b568a929cb79d
    COMMENT 'Wait until nobody else changes the identities of a tenant. Raises MB302.'
FUNCTION cmbs_store.lock_incident(p_incident_id text, p_tenant text) RETURNS cmbs_store.incident
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c520f416067ccdc03ab2188aee57c11b
    COMMENT 'The row of the incident, locked. Raises MB013.'
FUNCTION cmbs_store.lock_session(p_session_id uuid, p_tenant text) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 381f39d366097977125c144c1f6bffb3
    COMMENT 'The session row, locked. Raises MB001.'
FUNCTION cmbs_store.lock_token(p_caller cmbs_store.principal, p_token_id uuid) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b55b3e81b6656de9e22eabe3137827e9
    COMMENT 'Wait until nobody else changes the tokens of a tenant. Raises MB302.'
FUNCTION cmbs_store.login_itself() RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8aa2f4404979f76f33a4960b08b11db3
    COMMENT 'The principal that a login role is by itself. Raises MB301, MB302.'
FUNCTION cmbs_store.login_roles(p_login name) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 09807da10039d3795e4edcc6b17c9f7c
    COMMENT 'The roles that a login has by what it was granted in PostgreSQL.'
FUNCTION cmbs_store.lower_mode(p_settings jsonb, p_mode text, p_effect_class text) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7b3ac8c5e46dba56db751bba7f75a98a
    COMMENT 'The next lower mode that does not forbid a class of effects; null if there is none.'
FUNCTION cmbs_store.mask_v1(p_n_bits integer, p_alive boolean) RETURNS bytea
    LANGUAGE sql IMMUTABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT 4a26bad5a75e82f29fa89b2e89a763a8
    COMMENT 'A mask of n bits, all set or all clear.'
FUNCTION cmbs_store.max_attempts(p_settings jsonb) RETURNS integer
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fffcb276f2b6e64f58dec1b6681cd21a
    COMMENT 'How often a deferred proposal is tried again.'
FUNCTION cmbs_store.merge_edges(p_tenant text, p_version bigint, p_edges jsonb, OUT p_created text[], OUT p_is_changed boolean) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8839da8c7a7598f65419e85585a7bc2b
    COMMENT 'Merge checked edges into a graph whose row is locked, and tell which were new.'
FUNCTION cmbs_store.merge_nodes(p_tenant text, p_version bigint, p_nodes jsonb, OUT p_created text[], OUT p_accepted jsonb, OUT p_is_changed boolean) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8917945871ec226bd6eda6e6b723028e
    COMMENT 'Merge checked nodes into a graph whose row is locked, and tell which were new.'
FUNCTION cmbs_store.merged_ids(p_nodes jsonb, p_edges jsonb, p_created text[]) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a294fc240fbcfb2eaa4e0556c9e2721d
    COMMENT 'The ids of a merge that were there before, as they were sent, each once.'
FUNCTION cmbs_store.merged_patch(p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 97455704b9e8a7c2a893d74a1eb23632
    COMMENT 'What the deltas among some items write together.'
FUNCTION cmbs_store.microseconds(p_difference interval) RETURNS bigint
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 442a84c65dcd32a540597c4062d58047
    COMMENT 'How many microseconds there are in the difference of two times.'
FUNCTION cmbs_store.mirror_endpoint() RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5a0ec69c91f798b013977ec105c7bf17
    COMMENT 'The Tee that sessions are mirrored to; null for none.'
FUNCTION cmbs_store.mirror_heads(p_after uuid) RETURNS SETOF cmbs_store.tee_message
    LANGUAGE sql STABLE ROWS 20 OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b0181e00f2673fafaf6b84e166c8171e
    COMMENT 'Sessions of which a message is the next to tell the Tee, after a given one.'
FUNCTION cmbs_store.mirror_message(p_session cmbs_store.session, p_seq bigint) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2fbfdcd3bf6800a396802590b4ebff7d
    COMMENT 'What the Tee is told of an event, as JSON.'
FUNCTION cmbs_store.mirror_messages(p_session_id uuid, p_seq bigint) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 08ed5e0e4847c3e49de22ffbf4d4cffc
    COMMENT 'What the Tee is to be told of a session next: as many messages as are sent together.'
FUNCTION cmbs_store.misclaimed(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9bad44c11e79321764d8d410215c041a
    COMMENT 'The events whose eliminations are counted for somebody else than who asked for them.'
FUNCTION cmbs_store.miscounted(p_session_id uuid) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1ab40f23309f383eac07e10a63a3426d
    COMMENT 'The events at which something that is counted from row to row is not counted right.'
FUNCTION cmbs_store.misnoted(p_session cmbs_store.session) RETURNS SETOF bigint
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ce31198cbe6a6c3c3ba763fb53535e15
    COMMENT 'The events of what is noted as open and is not, or not as it is.'
FUNCTION cmbs_store.missing_allow(p_settings jsonb, p_unmet cmbs_store.policy_entry[], p_item_no integer, p_subjects text[], p_world jsonb, p_schemas jsonb, p_is_waivable boolean) RETURNS cmbs_store.reason
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 97e3341a62be381662027a627782c209
    COMMENT 'The reason of an item that no constraint allows: the allow that comes nearest.'
FUNCTION cmbs_store.missing_constraints(p_entries jsonb) RETURNS text[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 04d4c606273bf675b923e8209ceeeb8b
    COMMENT 'The constraints that a policy requires and does not have.'
FUNCTION cmbs_store.missing_of(p_object jsonb, p_members text[]) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6532dedba0e7d3d170620dea80462026
    COMMENT 'The first of the members that an object lacks.'
FUNCTION cmbs_store.mode_in_force(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 24381f3db66107ffe3758d49c06ecfa2
    COMMENT 'The mode of a session, as of the event that it is given as of.'
FUNCTION cmbs_store.mode_setting(p_settings jsonb, p_mode text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 746733a82931a1ef7bd470fc94c08dd2
    COMMENT 'What a mode means by a policy.'
FUNCTION cmbs_store.modes() RETURNS TABLE(level integer, mode text, setting jsonb)
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b11b5d01e3b2ab403852c0cc8326392d
    COMMENT 'The modes, from the freest down, each with what it means where a policy says nothing else.'
FUNCTION cmbs_store.n_colons(p_json text) RETURNS integer
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT abd84a201acb703860ec5e042ffd774a
    COMMENT 'How many colons a JSON text holds; equal before and after a cast to jsonb iff no key was repeated.'
FUNCTION cmbs_store.nearest(p_condition jsonb, p_world jsonb, p_schemas jsonb, p_want boolean DEFAULT true, OUT p_n_failing integer, OUT p_detail text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2dccc6bfedf68f62742a194be46e2f78
    COMMENT 'What would have to change for a condition to hold: the fewest clauses.'
FUNCTION cmbs_store.new_edge_tombstones(p_incident cmbs_store.incident, p_edges jsonb) RETURNS cmbs_store.edge_tombstone[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6520228f6501dbefeff5a82d3557eea1
    COMMENT 'The rows of edges that are to be ruled out of a locked incident and are not yet.'
FUNCTION cmbs_store.new_incident_event(p_incident cmbs_store.incident, p_actor text, p_source_id text, p_trigger text, p_occurred_at timestamp with time zone) RETURNS bigint
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6a9a3aab656dd6d847b369f3c8ac6141
    COMMENT 'Note in a locked incident who rules something out, and return the number of that.'
FUNCTION cmbs_store.new_policy_version(p_tenant text, p_pack text, p_policy_hash bytea, p_fixtures text, p_by text, OUT p_version integer, OUT p_is_new boolean) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b91dff6bc8bdc4375984300807ed1359
    COMMENT 'The next version of a pack; the last one again if its content is the same.'
FUNCTION cmbs_store.new_session(p_session_id uuid, p_tenant text, p_ontology jsonb, p_universe_digest bytea, p_n_hypotheses integer, p_policy cmbs_store.policy_default, p_policy_as_sent text, p_declared_at timestamp with time zone, p_universe_from text, p_is_mirrored boolean) RETURNS cmbs_store.session
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f8dc5d02a2f3c557ec0f94657d8567cb
    COMMENT 'A new session, before its first event; null if the id is taken.'
FUNCTION cmbs_store.new_token(p_caller cmbs_store.principal, p_principal cmbs_store.principal, p_digest bytea, p_prefix text, p_verbs text[], p_scope_tenant text, p_expires_at timestamp with time zone, p_replaces uuid) RETURNS cmbs_store.api_token
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4680a49dc48caf12e641666c702a9c4c
    COMMENT 'A new token of a principal, with its event. Raises MB102.'
FUNCTION cmbs_store.node_fault(p_node jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5ca932d11333e752e8a55ec24063f74a
    COMMENT 'What is wrong with a node that is to be merged, null if nothing is.'
FUNCTION cmbs_store.node_id_fault(p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c49937723c9ee022cc085f67980f1bbd
    COMMENT 'What is wrong with a JSON value that must be the id of a node, null if nothing is.'
FUNCTION cmbs_store.nodes_json(p_incident cmbs_store.incident, p_ids text[] DEFAULT NULL::text[]) RETURNS text
    LANGUAGE sql STABLE SET enable_seqscan TO 'on' SET enable_nestloop TO 'off' SET jit TO 'off' OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3b1dcb8ab49ca93cdb3e81d0e146a849
    COMMENT 'Nodes of the graph as they were at a version, as JSON text.'
FUNCTION cmbs_store.normal_row(p_relation text, p_content jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 546f6b2563ff75fcea011536a1a24702
    COMMENT 'A projected row in the form in which its table would give it.'
FUNCTION cmbs_store.note_clock() RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cf9b3f44262e4c534ac54e8844798cde
    COMMENT 'Note how far time has come, and that the clock was set back.'
FUNCTION cmbs_store.note_closed(p_session_id uuid, p_kind text, p_ids uuid[]) RETURNS void
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0a87f64195585b5a4b8fdc007a493d60
    COMMENT 'Note that permits or questions are open no more.'
FUNCTION cmbs_store.note_ended(p_session_id uuid) RETURNS void
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2d56d3cd5e4c617c86108fe0f31bba1a
    COMMENT 'Note that nothing is open in a session any more.'
FUNCTION cmbs_store.note_mirrored(p_session cmbs_store.session, p_seq bigint) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 525974a3d33320d2b35d57ba29f719a8
    COMMENT 'Note in the outbox that the Tee has to be told of an event of a mirrored session.'
FUNCTION cmbs_store.note_open(p_session_id uuid, p_kind text, p_rows jsonb) RETURNS void
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 55545ac7815845d2dbfeb752303f7e4f
    COMMENT 'Note permits, questions or deferrals that are open, and when each runs out.'
FUNCTION cmbs_store.obligation_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ce222cfc1d93b732c2f7c1a27e906a2d
    COMMENT 'How near the active obligation is to its exit, as JSON text.'
FUNCTION cmbs_store.offer(p_verdict jsonb, p_item jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_ground cmbs_store.ground) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f63debe14147f261154a165b31e3c516
    COMMENT 'What to ask for instead of what was denied: a narrower token, or a lower mode.'
FUNCTION cmbs_store.offered_rows(p_actor text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fd3e2fbafc6f2ba6267332a77a5b233c
    COMMENT 'The rows of what a proposal may execute, used up, or waits for.'
FUNCTION cmbs_store.ontology_bundle(p_ontology json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3b0de6bd697b805c62c41359edc6f2c7
    COMMENT 'The ontology bundle of a declare, checked. Raises MB201, MB203.'
FUNCTION cmbs_store.operand(p_world jsonb, p_operand jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6a3b78f619737972a0c7073135b28618
    COMMENT 'The second operand of a comparison: a literal, or what a reference leads to.'
FUNCTION cmbs_store.orphans(p_session_id uuid, p_without_source text, p_without_observation text, OUT p_ids text[], OUT p_seqs bigint[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 579d2c255ee1e4a6afaa676fb21021fb
    COMMENT 'The hypotheses that some messages eliminated, and who else would have.'
FUNCTION cmbs_store.outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 01016c0cc035da07ed71aaa84c3fd311
    COMMENT 'The members of a response that tell the outcome of a message.'
FUNCTION cmbs_store.page_limit(p_limit integer) RETURNS integer
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2a6d72a6a794a54d28964e6d92a6419d
    COMMENT 'How many entries a list in an answer may have. Raises MB201.'
FUNCTION cmbs_store.parsed_entry(p_policy_hash bytea, p_key text, p_value text) RETURNS cmbs_store.policy_entry
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8f936eecc9f51a677b652559f07ed3b9
    COMMENT 'An entry of a policy with what its text says; of a constraint all that a verdict needs.'
FUNCTION cmbs_store.patch_reasons(p_item_no integer, p_patch jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5c4a71dfe9715366580d6d38abbedacb
    COMMENT 'The stage of schemas for the values of one state delta.'
FUNCTION cmbs_store.payload_fault(p_verb text, p_record jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 145f0758350a10170cbec3b863d147b5
    COMMENT 'What makes a payload one that its verb cannot have recorded, null if nothing does.'
FUNCTION cmbs_store.permit_fault(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 59c58b610a2aa03d3c59e6dfe7101b92
    COMMENT 'What is wrong with a permit that is to be used, as a reason code; null if nothing.'
FUNCTION cmbs_store.permit_json(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d2359aa8306a3962bd25203f1b773277
    COMMENT 'A permit as it is shown: the call that it lets execute, and what has become of it.'
FUNCTION cmbs_store.permit_of(p_session cmbs_store.session, p_permit_id uuid) RETURNS cmbs_store.permit
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9acd96d1a0376bdfa1c4f26ec6e39690
    COMMENT 'A permit of a session by its id, as of an event.'
FUNCTION cmbs_store.permit_state(p_session cmbs_store.session, p_permit cmbs_store.permit, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 90ea47163a9bdc5a5de226d6d593feff
    COMMENT 'What has become of a permit.'
FUNCTION cmbs_store.permitted(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c4f8a27e5d725ca89b6b963cd23bc079
    COMMENT 'The permit of a call that is allowed.'
FUNCTION cmbs_store.permitted_tool(p_session cmbs_store.session, p_caller cmbs_store.principal, p_given jsonb, p_tool_id text) RETURNS json
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cd84aa548a05c7fed50b01bd650bac8f
    COMMENT 'What a call of a tool would get now, whatever its arguments.'
FUNCTION cmbs_store.policies_named(p_session cmbs_store.session) RETURNS TABLE(policy_hash bytea, seq bigint)
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a72df004019c618a898f09d8d142010f
    COMMENT 'The policies that the log of a session names, with the first event that does.'
FUNCTION cmbs_store.policy(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1f50478a4d288a038549b0703b2034cb
    COMMENT 'The policy of a session, as canonical text.'
FUNCTION cmbs_store.policy_entries(p_policy_hash bytea) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT da712fabfc9137d210cc73540ef8fcb6
    COMMENT 'The entries of a policy: key -> text of the value.'
FUNCTION cmbs_store.policy_in_force(p_session cmbs_store.session) RETURNS cmbs_store.policy_pin
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2595120c2dce06b1574f3437541b6992
    COMMENT 'The policy that a session names, as of an event; deny-all where it names none.'
FUNCTION cmbs_store.policy_reasons(p_policy cmbs_store.policy) RETURNS cmbs_store.reason[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ee5202e9bea2557ef5bc8c4c35a1202e
    COMMENT 'Whether there is a policy to decide by.'
FUNCTION cmbs_store.policy_values(p_policy_hash bytea, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e05571285973a2706ee916455797d0e0
    COMMENT 'The values of keys in a policy.'
FUNCTION cmbs_store.policy_warnings(p_entries jsonb, p_tenant text) RETURNS TABLE(key text, severity text, finding text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b57246529b3f8f56da83ea384f989d9d
    COMMENT 'What in a pack is legal and probably not meant: key, severity, finding.'
FUNCTION cmbs_store.post_state(p_world jsonb, p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 090a2a719747deb46f113b5f7f2eb6b4
    COMMENT 'What would be read after some items were committed.'
FUNCTION cmbs_store.prefix_reasons(p_session cmbs_store.session, p_items jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 551f51ec463a4c4d41268dab8e65e136
    COMMENT 'Keys that would begin with another key, or another with them.'
FUNCTION cmbs_store.prev_event_hash(p_record text) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f85fc5d3a64815953a04f282d361c433
    COMMENT 'The prev_event_hash of a record, read off its place.'
FUNCTION cmbs_store.principal_json(p_principal cmbs_store.principal) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5921edac062db3b31bdcdb8ea9bec334
    COMMENT 'A principal as it is shown.'
FUNCTION cmbs_store.project_deltas(p_session_id uuid, p_seq bigint, p_deltas jsonb, p_values jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a031e70d449ff9dc95cee727d442fa53
    COMMENT 'Write the state deltas of an event and their values; every hundredth delta is a checkpoint.'
FUNCTION cmbs_store.project_event(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3b11b6ad1a2c65a76f7ce82344981be8
    COMMENT 'Write the rows that an event of arbitration leaves.'
FUNCTION cmbs_store.project_execution(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f626a4a57afc531d97897d81a8d4707e
    COMMENT 'Write the rows that an event of execution, approval or upkeep leaves.'
FUNCTION cmbs_store.project_offers(p_session_id uuid, p_rows jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT cf1245f0e6d5078a3b94f2c753d0327d
    COMMENT 'Write the rows of permits, questions, used approvals, deferrals and shadows.'
FUNCTION cmbs_store.project_spending(p_session_id uuid, p_rows jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0dc6b51b04a89dae682c162fe24b08b1
    COMMENT 'Write what was spent of the budgets of tokens.'
FUNCTION cmbs_store.project_step(p_session_id uuid, p_seq bigint, p_payload jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8d2d8c2403e815c9884f5f029bde88bf
    COMMENT 'Write the row of an event that found the clock set back.'
FUNCTION cmbs_store.project_token(p_session_id uuid, p_row jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d4bca399c69d72fa1e64925a4fb2b64d
    COMMENT 'Write the row of a capability token, with the chain of those that it was made from.'
FUNCTION cmbs_store.projection(p_session_id uuid, p_seq bigint, p_actor text, p_verb text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a89a350c854329af1d2fd84e3597a675
    COMMENT 'The rows that an event of arbitration leaves in the tables of its session.'
FUNCTION cmbs_store.promotion_reasons(p_session cmbs_store.session, p_claim jsonb, p_promotes uuid) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d691b18b15db79b142872ab53f70c111
    COMMENT 'Whether a promotion has evidence that no claim before it had.'
FUNCTION cmbs_store.proposal_digest(p_proposal jsonb) RETURNS bytea
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 11aa6bf237acc1f9245d0c0d507b589b
    COMMENT 'The digest of what makes a proposal the same as another: its items, and whether they belong together.'
FUNCTION cmbs_store.proposal_fault(p_state cmbs_store.session, p_actor text, p_given jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3e1424b9200ba410728142888090c29a
    COMMENT 'What is wrong with what a recorded proposal was given; null if nothing.'
FUNCTION cmbs_store.proposal_outcome(p_payload jsonb, p_event_id uuid, p_duplicate boolean) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dfdb84297a8d09f5e3013f0d769b8fda
    COMMENT 'The members of an answer that tell what was decided, as JSON text.'
FUNCTION cmbs_store.proposal_reasons(p_session cmbs_store.session, p_actor text, p_given jsonb, p_policy cmbs_store.policy, p_token cmbs_store.capability_token, p_ground cmbs_store.ground) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5a95e7b181151b317964e41404e0919a
    COMMENT 'All that stands against a proposal and its items.'
FUNCTION cmbs_store.proposal_rows(p_session_id uuid, p_actor text, p_payload jsonb) RETURNS TABLE(relation text, content jsonb)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT aaf77b5ef5f7cbada6d487822abfc27d
    COMMENT 'The rows that a proposal leaves in the tables of its session.'
FUNCTION cmbs_store.provenance_fault(p_provenance jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ae4643eece77e02d0b9c6778f0cac29e
    COMMENT 'What is wrong with the provenance of a node or an edge, null if nothing is.'
FUNCTION cmbs_store.provenance_json(p_source_id text, p_trigger text, p_occurred_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4259bf56fe94b90e557e5dce55967f18
    COMMENT 'One who says that something is there, as JSON text.'
FUNCTION cmbs_store.question(p_verdict jsonb, p_item jsonb, p_session cmbs_store.session, p_settings jsonb, p_given jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f390b973930f5fe130169e9c362789be
    COMMENT 'The question that a person is asked about an item.'
FUNCTION cmbs_store.questions(p_items jsonb, p_definitions jsonb) RETURNS TABLE(item_no integer, subjects text[])
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c9de4a55020db1080697fcb65cdf1828
    COMMENT 'Which subjects of constraints apply to some items.'
FUNCTION cmbs_store.random_id() RETURNS uuid
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9d535436de2b1931ddadff6e0b6fe8cf
    COMMENT 'The one source of randomness of the kernel.'
FUNCTION cmbs_store.ranks(p_universe_digest bytea, p_ids text[], OUT p_found text[], OUT p_ranks integer[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f8d427d2168973865a0c00325031d10b
    COMMENT 'Which of the given ids are members of a universe, and their ranks.'
FUNCTION cmbs_store.read_context(p_context_id text, p_tenant text) RETURNS cmbs_store.context
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8bb326ad3a5e5ec74e8f830c925ef61b
    COMMENT 'The row of the elimination context, unlocked. Raises MB001, MB201.'
FUNCTION cmbs_store.read_event(p_session_id uuid, p_event_id uuid) RETURNS cmbs_store.audit_event
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4c7c5e06b7daa735c7fa68c40d514a4a
    COMMENT 'One event of a session by its id. Raises MB003.'
FUNCTION cmbs_store.read_incident_row(p_incident_id text, p_tenant text) RETURNS cmbs_store.incident
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5db799c52143d9fbf23ffe21f68ed56a
    COMMENT 'The row of the incident, unlocked. Raises MB013, MB201.'
FUNCTION cmbs_store.read_session(p_session_id uuid, p_tenant text) RETURNS cmbs_store.session
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 44bb902df41f558378c8ec53f6e4797a
    COMMENT 'The session row, unlocked. Raises MB001, MB201.'
FUNCTION cmbs_store.readable_value(p_value text) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 33508349f7c5c047ea3757b7fcc874e9
    COMMENT 'A stored value as JSON; JSON null where it cannot be read.'
FUNCTION cmbs_store.reading_time(p_session cmbs_store.session) RETURNS timestamp with time zone
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ad3c6bd5438ff46f4dd64c9cadad0501
    COMMENT 'The time by which what a session granted is shown now.'
FUNCTION cmbs_store.record_claim(p_session cmbs_store.session, p_caller cmbs_store.principal, p_claim jsonb, p_promotes uuid, p_request_id text, p_notes text, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9cca203bf6f21e1384e9ab01759a543a
    COMMENT 'Decide on a claim in a locked session, append its event and answer.'
FUNCTION cmbs_store.record_fault(p_event cmbs_store.audit_event, p_record jsonb, p_before cmbs_store.session, p_after cmbs_store.session, p_delta text[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e20f5d66eda5b71b2ddb01672fc0e895
    COMMENT 'What is wrong with one record, null if nothing.'
FUNCTION cmbs_store.record_proposal(INOUT p_session cmbs_store.session, p_actor text, p_given jsonb, p_notes text, OUT p_payload jsonb) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6b1c4a5220826c1bba68b9192fe4262d
    COMMENT 'Decide on a proposal in a locked session, append its event and write what follows.'
FUNCTION cmbs_store.record_v1(p_session_id uuid, p_seq bigint, p_event_id uuid, p_at timestamp with time zone, p_verb text, p_actor text, p_notes text, p_payload text, p_eliminated text, p_before bytea, p_after bytea, p_previous bytea) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT e23297e09b4480d5993212a60fd91be1
    COMMENT 'The canonical text of one event.'
FUNCTION cmbs_store.recorded_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_content jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9419c7f19baca9a8157ed67edba78a58
    COMMENT 'The recorded outcome of the same answer to a question by the same principal; null if it is new.'
FUNCTION cmbs_store.recorded_claim(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 597c11d97b3dfe584dffe3201f694e53
    COMMENT 'The answer to a claim that was made before under the same request id; null if it is new. Raises MB102.'
FUNCTION cmbs_store.recorded_completion(p_session cmbs_store.session, p_permit cmbs_store.permit, p_content jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT a9db2030c49103708c741f8e9845819b
    COMMENT 'The recorded outcome of an execution that ended before in the same way; null if it did not end.'
FUNCTION cmbs_store.recorded_declare(p_session cmbs_store.session, p_ontology jsonb, p_universe_digest bytea, p_metadata text, p_policy_as_sent text, p_arbitration jsonb, p_universe_from text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8adf6e40c338a9ef2dd5cd3bb045fe41
    COMMENT 'The recorded outcome of a repeated declare. Raises MB102.'
FUNCTION cmbs_store.recorded_elimination(p_session_id uuid, p_source_id text, p_observation_id text, p_eliminated text[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 5c0c5892715d7c80349c9c781b68eb01
    COMMENT 'The recorded outcome of a repeated ELIMINATE; null if it is new. Raises MB102.'
FUNCTION cmbs_store.recorded_issue(p_session cmbs_store.session, p_request_id text, p_content jsonb, p_minimal boolean) RETURNS json
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e0397bda478eacb9eacc19b101f1827a
    COMMENT 'The answer to a token that was issued before under the same request id, without its secret. Raises MB102.'
FUNCTION cmbs_store.recorded_message(p_session_id uuid, p_request_id text, p_verb text, p_content jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8bbef5d087163f35a7128e054277340e
    COMMENT 'The recorded outcome of a repeated message; null if it is new. Raises MB102.'
FUNCTION cmbs_store.recorded_proposal(p_session_id uuid, p_actor text, p_proposal jsonb, OUT p_payload jsonb, OUT p_event_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2ba07756d08f727787e9206d4dd8cb10
    COMMENT 'The recorded answer to a proposal that was made before under the same key; null if it is new.'
FUNCTION cmbs_store.recorded_resume(p_session cmbs_store.session, p_request_id text, p_actor text, p_seq bigint, p_items jsonb, OUT p_payload jsonb, OUT p_event_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fcaaba7893e14e23cc27ecd69f94be4f
    COMMENT 'The recorded verdict on a proposal that went on by the same message; null if it is new.'
FUNCTION cmbs_store.refusal_of_answer(p_session cmbs_store.session, p_interrupt cmbs_store.interrupt, p_actor text, p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4e558849c1a889fb19326fa9dd114452
    COMMENT 'Why a question does not take an answer by somebody, as a reason code; null if it does.'
FUNCTION cmbs_store.refuse(p_state text, p_message text, p_detail text, p_hint text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 949c1181d080400036950dff70bd0543
    COMMENT 'End the call with an error of class MB, of which the server log says nothing.'
FUNCTION cmbs_store.refuse_batch(p_state text, p_text text, p_detail text, p_hint text, p_index integer, p_recorded bigint) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 822148d6e4e0883f22b354863fb424c9
    COMMENT 'End a batch with the error of one of its messages.'
FUNCTION cmbs_store.refuse_caller(p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c3799715eba1c2a34c75b105740e3850
    COMMENT 'End the call: this caller may not call. Raises MB302.'
FUNCTION cmbs_store.refuse_change() RETURNS trigger
    LANGUAGE plpgsql OWNER cmbs_owner EXECUTE cmbs_owner TEXT 02cd8bb1c831d3b146591815fdc25b8d
    COMMENT 'Trigger: refuse every UPDATE, DELETE and TRUNCATE.'
FUNCTION cmbs_store.refuse_context(p_context_id text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6565da21607a5c2f15ecc5a0f3238f28
    COMMENT 'End the call: the elimination context does not exist. Raises MB001.'
FUNCTION cmbs_store.refuse_credential(p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 326db22eea9293078a39ad20974bef31
    COMMENT 'End the call: the credential is nobodys. Raises MB301.'
FUNCTION cmbs_store.refuse_execution(p_code text, p_detail jsonb) RETURNS void
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b1db2fe8ab364a1c56fb7b43451c8f43
    COMMENT 'End a call: what it goes on with does not let it.'
FUNCTION cmbs_store.refuse_import(p_session_id uuid, p_seq bigint, p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d7bd1bca36bcd0326b4ce9d39ea1bc2b
    COMMENT 'End an import: an event is not one that this log can have. Raises MB201.'
FUNCTION cmbs_store.refuse_incident(p_incident_id text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d440c43593e98dcbf190d7bba5eaecdf
    COMMENT 'End the call: the incident does not exist. Raises MB013.'
FUNCTION cmbs_store.refuse_lookup(p_kind text, p_detail json) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0d00cdfed8894a9f87861b839a7ea566
    COMMENT 'End the call: what was named is not there. Raises MB007, MB008, MB009, MB010, MB011, MB012.'
FUNCTION cmbs_store.refuse_name(p_name text, p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d517906d35007f40753fb2ea291d7cac
    COMMENT 'End the call: a principal cannot have this name. Raises MB102.'
FUNCTION cmbs_store.refuse_request(p_member text, p_problem text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8b45432ffb71bfc24b34885be1853a19
    COMMENT 'End the call: a member of the request is missing or malformed. Raises MB201.'
FUNCTION cmbs_store.refuse_role(p_caller cmbs_store.principal, p_verb text, p_roles text[]) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 46c40c436740350db320d0f88e052cbd
    COMMENT 'End the call: the principal lacks a role. Raises MB302.'
FUNCTION cmbs_store.refuse_session(p_session_id uuid) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b452ad5c6b7c175fd55b87fd255191b0
    COMMENT 'End the call: the session does not exist. Raises MB001.'
FUNCTION cmbs_store.refuse_size(p_member text, p_limit text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT da5b4fcbd4f319d006c091ffde1f92a6
    COMMENT 'End the call: a member of the request is too large. Raises MB203.'
FUNCTION cmbs_store.refuse_space(p_hypothesis_space_id text, p_hypothesis_version text) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0ec6ab87fb8145d29299be87ede9fc7d
    COMMENT 'End the call: the space is not registered. Raises MB004.'
FUNCTION cmbs_store.refuse_unknown(p_number integer, p_numbers integer[], p_ids text[], p_ranks integer[]) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d5c6e31b7960870cbc5da6a1d8bbac87
    COMMENT 'End a batch for the ids of one of its messages that are outside the universe. Raises MB202.'
FUNCTION cmbs_store.registered_tool(p_tenant text, p_tool_id text, p_tool_hash bytea, p_by text) RETURNS json
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c871be321b3d9c844369c90339471404
    COMMENT 'Let a definition count for a tool from now on; none withdraws it.'
FUNCTION cmbs_store.remaining_reasons(p_session cmbs_store.session, p_items jsonb, p_verdict jsonb, p_ground cmbs_store.ground) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3d706fc769070c97a642538f2a1295d7
    COMMENT 'What stands against those items of a proposal that are allowed, without the others.'
FUNCTION cmbs_store.removed_without(p_session_id uuid, p_without_source text, p_without_observation text) RETURNS bigint
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d6c919b8d6977db482a2aae1ddac3768
    COMMENT 'The number of messages that are thought away. Raises MB003.'
FUNCTION cmbs_store.repeated_elimination(p_event_id uuid, p_source_id text, p_observation_id text, p_sent jsonb, p_applied jsonb, p_eliminated text[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ba45f76d8bd72f22d2a2c72f890ac8dd
    COMMENT 'The outcome of an ELIMINATE message that repeats another. Raises MB102.'
FUNCTION cmbs_store.replay(p_session cmbs_store.session, p_until bigint, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_ids text[], OUT p_id_seqs bigint[], OUT p_rows text[], OUT p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7bef852d304911c74d7e616db66b8152
    COMMENT 'Replay the log of a session up to an event; name the first event that differs.'
FUNCTION cmbs_store.replay_arbitration(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d90acf32e957a0fa81b791ac7a03ea4a
    COMMENT 'Decide one event of arbitration again, and say how the recorded decision is another.'
FUNCTION cmbs_store.replay_declare(p_session cmbs_store.session, p_record jsonb, p_known_universe bytea, OUT p_state cmbs_store.session, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 55a777e6e8a951d6766605ceaaa49baa
    COMMENT 'The state right after event 1, from its record alone.'
FUNCTION cmbs_store.replay_elimination(INOUT p_state cmbs_store.session, p_payload jsonb, OUT p_delta text[], OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6f3eb1186392c0fd34d271c0ca65c454
    COMMENT 'Apply one ELIMINATE event again.'
FUNCTION cmbs_store.replay_execution(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2966acb02a7cbd7af51d6e12d8753dbe
    COMMENT 'Decide an event of execution, approval or upkeep again; what is wrong with it, or null.'
FUNCTION cmbs_store.replay_gate(INOUT p_state cmbs_store.session, p_verb text, p_payload jsonb, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 06f795bbf38a61e7a102d5c59243fd60
    COMMENT 'Decide one gate event again; say whether the record differs.'
FUNCTION cmbs_store.replay_verdict(p_state cmbs_store.session, p_event cmbs_store.audit_event, p_payload jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT da455af913dee9ed0b9a9bf3fd36620d
    COMMENT 'Decide a recorded proposal or claim again, and say how the recorded verdict is another.'
FUNCTION cmbs_store.resolution_json(p_interrupt cmbs_store.interrupt) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6e20c110f5a5b6be712f15a96ec768ee
    COMMENT 'The answer to a question as it is shown; null if there is none.'
FUNCTION cmbs_store.resolve_policy(p_tenant text, p_policy jsonb) RETURNS cmbs_store.policy_default
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 768cd5f8fdd89959e929d9630dd92621
    COMMENT 'A policy, filled in from the defaults. Raises MB201.'
FUNCTION cmbs_store.resolved(p_world jsonb, p_path text, OUT p_value jsonb, OUT p_is_known boolean) RETURNS record
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1af34020dca2003713c421e5135f1829
    COMMENT 'What a path of a constraint leads to, among the values of keys.'
FUNCTION cmbs_store.resource_reasons(p_roots text[], p_item_no integer, p_item jsonb) RETURNS cmbs_store.reason[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fd4c336828876b0f27b3f398101318d7
    COMMENT 'Paths and hosts in arguments that lie outside of the roots of a token.'
FUNCTION cmbs_store.response(p_outcome text, p_session cmbs_store.session, p_minimal boolean) RETURNS json
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c6579c6dce8177321d194f2e8e2f7f6a
    COMMENT 'The response of a mutating verb, ready to send.'
FUNCTION cmbs_store.resume_given(p_session cmbs_store.session, p_caller cmbs_store.principal, p_asked cmbs_store.audit_event, p_items jsonb, p_sent jsonb) RETURNS jsonb
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0ef13b6969e8b9c5ff4e1cf4bd1f82cc
    COMMENT 'What a verdict is given by which a proposal goes on.'
FUNCTION cmbs_store.resumed_proposal(p_session cmbs_store.session, p_proposal jsonb, p_item_nos jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1e23f7f569cff43b1c42dce5b886586a
    COMMENT 'A proposal that goes on: of the one that was asked about the items that do.'
FUNCTION cmbs_store.resumption(p_session cmbs_store.session, p_seq bigint, p_payload jsonb, p_at timestamp with time zone, OUT p_resumes jsonb, OUT p_code text, OUT p_interrupt_id uuid) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e6ea303962c27286cba015d83178b451
    COMMENT 'What lets a proposal go on that was asked about: its items and the approvals.'
FUNCTION cmbs_store.retry_deferred(INOUT p_session cmbs_store.session, p_by text, p_at timestamp with time zone, OUT p_n_tries integer) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4a2c0ec88db0674bcb699c365fe5f5da
    COMMENT 'Try deferred proposals of a locked session again that may have what they wait for.'
FUNCTION cmbs_store.retry_given(p_session cmbs_store.session, p_payload jsonb, p_by text, p_at timestamp with time zone) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e5c000ed072ee2bdea0894e0d6669e81
    COMMENT 'What a verdict on a deferred proposal is given that is tried again.'
FUNCTION cmbs_store.returning_without(p_session cmbs_store.session, p_ended_seq bigint, p_ids text[], p_seqs bigint[]) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c3bf438b9ff39eab89f32bff3671236f
    COMMENT 'The hypotheses that would survive and do not.'
FUNCTION cmbs_store.s_core_at(p_session_id uuid, p_seq bigint) RETURNS real[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ba2458d7f9f2a3fbe782fba8c741cb9d
    COMMENT 'The vector of a session as of an event; null if it has none.'
FUNCTION cmbs_store.save_batch(p_session cmbs_store.session, p_mask bytea, p_ids text[], p_ranks integer[], p_seqs bigint[]) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8538323dc71d5e1badeb1b35c5099b44
    COMMENT 'Save a locked session after a batch, and what the batch eliminated.'
FUNCTION cmbs_store.save_chunk(p_session_id uuid, p_chunk_no integer, p_chunk bytea) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 53530b0bd7dc8e8cf793d32fa60889fb
    COMMENT 'Write one chunk of a mask back.'
FUNCTION cmbs_store.save_session(p_session cmbs_store.session) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9a609b912a75e3f72617131574926423
    COMMENT 'Write the state of a session, which the caller has locked.'
FUNCTION cmbs_store.scheduler_reasons(p_session cmbs_store.session, p_items jsonb, p_definitions jsonb, p_settings jsonb, p_at timestamp with time zone) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 943fd53da97cfaeb47213618405c0e6a
    COMMENT 'The stage of the scheduler: modes that forbid, and cooldowns.'
FUNCTION cmbs_store.scheduler_setting_fault(p_key text, p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c08de29bca14e930bc29a61680591eba
    COMMENT 'What is wrong with a setting of permits, deferrals, questions, modes or cooldowns.'
FUNCTION cmbs_store.schema_apply(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d29c42a2451371a9f6f03025cc52351b
    COMMENT 'The first fault of a value by $ref, allOf, anyOf, oneOf and not, and how many steps are left.'
FUNCTION cmbs_store.schema_at_ref(p_root jsonb, p_ref jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 83426eb7aed0acb60b53910a5c467ef6
    COMMENT 'The schema that a local $ref of a document leads to.'
FUNCTION cmbs_store.schema_children(p_schema jsonb, OUT place text, OUT child jsonb, OUT is_in_place boolean) RETURNS SETOF record
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4daee07766394a281fc348a7173c65b4
    COMMENT 'The schemas in a schema: where in it, what, and whether they apply to the same value.'
FUNCTION cmbs_store.schema_documents(p_schemas jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 9a67a6c4ac6310b4a3a11d9002567599
    COMMENT 'The documents of JSON Schemas from their hashes.'
FUNCTION cmbs_store.schema_fault(p_schema jsonb, p_instance jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 7beb648d689266838e4c4ad52113937e
    COMMENT 'Why a value does not conform to a JSON Schema, null if it does.'
FUNCTION cmbs_store.schema_keyword_fault(p_schema jsonb, p_is_root boolean) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d326ff4985ad190f7f61b0a3314fbf08
    COMMENT 'What is wrong with a schema itself, the schemas in it aside; null if nothing is.'
FUNCTION cmbs_store.schema_keywords() RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2672ab6e42500040ff70ea9250edc44e
    COMMENT 'The keywords that a JSON Schema may have.'
FUNCTION cmbs_store.schema_limit_fault(p_schema jsonb, p_value jsonb, p_type text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6af783287a8ba45f24dbf00951c5c073
    COMMENT 'What is wrong with a number, a text or a list by the limits and the pattern of a JSON Schema.'
FUNCTION cmbs_store.schema_lists_names(p_value jsonb) RETURNS boolean
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 60438a61897a7224810d5e847a4cde39
    COMMENT 'Whether a value is a list of different texts.'
FUNCTION cmbs_store.schema_malformed(p_document jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 595c02ffc50e00f2f1cc8c598d2b98ba
    COMMENT 'Why a document cannot be registered as a JSON Schema, null if it can.'
FUNCTION cmbs_store.schema_pattern_fault(p_pattern jsonb, p_text text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 52e6e77c1bd736ad60faacaf92c711c3
    COMMENT 'What is wrong with a text by the pattern of a JSON Schema.'
FUNCTION cmbs_store.schema_pointer(p_ref jsonb) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8e03b920e1191d45d6ca09af211f530e
    COMMENT 'The JSON Pointer of a local $ref, null if it is none.'
FUNCTION cmbs_store.schema_ref_fault(p_places text[], p_schemas jsonb[]) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 06ea04c87a99d59002be8e33b3d70b0b
    COMMENT 'A $ref that leads to no schema of its document, or in a circle; null if there is none.'
FUNCTION cmbs_store.schema_regex(p_pattern text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 69a594fd12b4182da27c4ae76147a7eb
    COMMENT 'A regular expression of ECMA-262 as PostgreSQL writes it, or ? and why there is none.'
FUNCTION cmbs_store.schema_regex_fault(p_pattern text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6d69b542a7ca6f7842587a393b4ad225
    COMMENT 'Why a regular expression cannot be the pattern of a JSON Schema, null if it can.'
FUNCTION cmbs_store.schema_target(p_world jsonb, p_target text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c03ceb2a6ed6f2b5d5378fc5534cc242
    COMMENT 'What a schema is held against: arguments, an artifact, or what a path leads to.'
FUNCTION cmbs_store.schema_types() RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 67134de4973ed8e3272dd05fc90f2f92
    COMMENT 'The types of JSON Schema, as a list.'
FUNCTION cmbs_store.schema_value_fault(p_schema jsonb, p_value jsonb, p_type text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT dd5bb4f0592cdb8c07eed87f3d52f52a
    COMMENT 'What is wrong with a value by the keywords of a JSON Schema that need no other schema.'
FUNCTION cmbs_store.schema_walk(p_root jsonb, p_schema jsonb, p_value jsonb, p_path text, p_depth integer, INOUT p_left integer, OUT p_fault text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b6eb454418ab4aa725fa4bdd0475f658
    COMMENT 'The first fault of a value and of what is inside of it, and how many steps are left.'
FUNCTION cmbs_store.schemas_named(p_tenant text, p_schema_ids text[], p_recorded jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT bef02619507b649f112897e76425a070
    COMMENT 'The hashes of the documents that schema ids stand for.'
FUNCTION cmbs_store.scope_reasons(p_token cmbs_store.capability_token, p_item_no integer, p_item jsonb, p_definition jsonb, p_is_approved boolean) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1b7f96127b2ad161c3e59390dcdb7199
    COMMENT 'The stage of the capability token: whether it covers what one item does.'
FUNCTION cmbs_store.sent_entries(p_entries json) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0c6130e60bc053cf1883ba2461938d6b
    COMMENT 'The entries of a pack as they were sent, as texts: key -> text of the value. Raises MB201, MB203.'
FUNCTION cmbs_store.session_as_of(p_session cmbs_store.session, p_event_id uuid) RETURNS cmbs_store.session
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 516da0eab113a30b9425a5c40864d74c
    COMMENT 'A session as it stood right after an event. Raises MB003.'
FUNCTION cmbs_store.session_before(p_session cmbs_store.session, p_seq bigint) RETURNS cmbs_store.session
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d15ea301c08557f4c505d31ec6d8beef
    COMMENT 'A session as it stood before an event of its log.'
FUNCTION cmbs_store.session_reasons(p_session cmbs_store.session, p_snapshot_id uuid) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2d177c631b06ab053a7f7b7dd6336c59
    COMMENT 'The stage of session and snapshot: whether the proposer saw what is decided on.'
FUNCTION cmbs_store.session_time(p_session cmbs_store.session, OUT p_at timestamp with time zone, OUT p_until timestamp with time zone, OUT p_clock timestamp with time zone) RETURNS record
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 91366b1ea077b5f327c71487dbe8a32d
    COMMENT 'The time of a session, and the clock where it is found set back.'
FUNCTION cmbs_store.set_ranks(p_mask bytea, p_ranks integer[]) RETURNS bytea
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT edde77db4935e68c2e50744a1e77b0c0
    COMMENT 'A mask with the bits of the given ranks set.'
FUNCTION cmbs_store.setting_fault(p_key text, p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1e36c27bc45a36f01937244c13659f76
    COMMENT 'What is wrong with a setting of a policy that verdicts read; null if nothing is.'
FUNCTION cmbs_store.severity(p_disposition text) RETURNS integer
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ab553067536c7a8c6e6796d6b4b698f7
    COMMENT 'How much a disposition forbids.'
FUNCTION cmbs_store.shape(p_object jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b78e4eb445f3ff9d78807ebf108597ef
    COMMENT 'The members of an object with their types for values.'
FUNCTION cmbs_store.shown_value(p_value jsonb) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT bbfa2c6f4a625eff3512703c63b5204e
    COMMENT 'A value in a sentence: short, or what kind it is.'
FUNCTION cmbs_store.snapshot(p_session cmbs_store.session, p_minimal boolean) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 55d119f8b3749698b23020303794c9fe
    COMMENT 'The snapshot of a session, as JSON text.'
FUNCTION cmbs_store.sorted_set(p_list text[]) RETURNS text[]
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 8983cdfd3e0a799f378ab46b53e990d5
    COMMENT 'A list of texts in byte order, each once.'
FUNCTION cmbs_store.spending_rows(p_session_id uuid, p_token_id uuid, p_amounts jsonb) RETURNS SETOF jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 69a79db0a462292efc358384e55ccf5c
    COMMENT 'What a token and all that it was made from spend.'
FUNCTION cmbs_store.spent_unit(p_session cmbs_store.session, p_chain uuid[]) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 964b490f19a349914986f28db772cd2b
    COMMENT 'A unit besides calls of which a chain of tokens has nothing left; null if there is none.'
FUNCTION cmbs_store.standing(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 2912bd71ffe1ca68b6adb1a2a176369c
    COMMENT 'What is believed in a session, in numbers, as members of a JSON object.'
FUNCTION cmbs_store.standing_at(p_session cmbs_store.session) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 1b359190089b146004a9a4230615e7ef
    COMMENT 'An event and what was believed right after it, as JSON text.'
FUNCTION cmbs_store.standing_roles(p_tenant text, p_name text, p_source text) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ae7c39f6334a7454db4de303a2e881ca
    COMMENT 'The roles that somebody has now who proposed something before.'
FUNCTION cmbs_store.starter_pack(p_pack text, p_version integer, p_entries jsonb) RETURNS void
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 000c3cbe8b29a18b95aeb5a501f41ee8
    COMMENT 'Publish a pack for every tenant, if it is not there.'
FUNCTION cmbs_store.state_fault(p_session cmbs_store.session, p_state cmbs_store.session, p_ids text[], p_id_seqs bigint[], p_rows text[], p_row_seqs bigint[], OUT p_seq bigint, OUT p_reason text) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6cf63e44096d7ebfb9df5f8b60a5ce48
    COMMENT 'Whether the stored state is the one that the log leads to.'
FUNCTION cmbs_store.steps_without(p_session_id uuid, p_without_source text, p_without_observation text, p_seqs bigint[], OUT seq bigint, OUT verb text, OUT event_id uuid, OUT payload jsonb, OUT n_eliminated bigint) RETURNS SETOF record
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3bbff9e67e088f94d2eb2afd65f7548c
    COMMENT 'The log of a session without some of its messages, in order.'
FUNCTION cmbs_store.store_policy(p_entries jsonb) RETURNS bytea
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fcd797062abbe63931c73415d3eee20e
    COMMENT 'Store the content of a policy, if it is new, and return its hash.'
FUNCTION cmbs_store.stored_values(p_session_id uuid, p_seq bigint, p_keys text[]) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0710b5199cbb7759515bb30c00232f83
    COMMENT 'The stored values of keys as of an event, with the events that wrote them.'
FUNCTION cmbs_store.strangers(p_declared text[]) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel, cmbs_owner TEXT 682d205146939632a7ac0f93aa761e79
    COMMENT 'The functions in our schemas that a deployment does not declare.'
FUNCTION cmbs_store.subject_of(p_key text, p_value text) RETURNS text
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT eb3bb972e220e22bb4f46ff5653c1892
    COMMENT 'To what a constraint applies, as its text says; everything if that cannot be read.'
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
    COMMENT 'The survivors as of an event.'
FUNCTION cmbs_store.sweep_fault(p_state cmbs_store.session, p_payload jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0af739684a2debbd2c390ecd54f13ca4
    COMMENT 'What is wrong with a recorded release of permits; null if nothing.'
FUNCTION cmbs_store.termination_left(p_session cmbs_store.session) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT b9f2c80ed7b8642d569d9874638740e1
    COMMENT 'What REQUEST_TERMINATION would answer now, and what is lacking, as JSON text.'
FUNCTION cmbs_store.termination_reason(p_has_obligation boolean, p_n_survivors integer, p_is_stable boolean, p_force boolean, p_force_allowed boolean) RETURNS text
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT bb53c583ae31a8360cf56790e69225ad
    COMMENT 'The answer to a request for termination.'
FUNCTION cmbs_store.text_list(p_member text, p_list jsonb) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fef286bbafef6c29a2f7aeda89fe3134
    COMMENT 'A list of texts, sorted and each once. Raises MB201, MB203.'
FUNCTION cmbs_store.text_member(p_object jsonb, p_member text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d2d48a1bee53879565d4f0a289562ea5
    COMMENT 'A member of an object that must be a string. Raises MB201.'
FUNCTION cmbs_store.time_member(p_object jsonb, p_member text) RETURNS timestamp with time zone
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d92f9828c85767f77dc6c1acecd16c84
    COMMENT 'A member of an object that must be a time, null if it is null or absent. Raises MB201.'
FUNCTION cmbs_store.timestamp_v1(p_at timestamp with time zone) RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT e03b0460ca47450d37fa283c58a50598
    COMMENT 'A time as records hold it: UTC, microseconds.'
FUNCTION cmbs_store.together_reasons(p_session cmbs_store.session, p_items jsonb, p_ground cmbs_store.ground) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6fed6e6fc58e4988959e6f47824f427f
    COMMENT 'The checks that look at all deltas of a proposal together.'
FUNCTION cmbs_store.token_end(p_token cmbs_store.api_token) RETURNS timestamp with time zone
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6baed2232a219794151b607da73dfba6
    COMMENT 'When a token expires by the clock of this server.'
FUNCTION cmbs_store.token_holder(p_credential bytea, p_verb text) RETURNS cmbs_store.principal
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 074e8ba5745fb613ff25add88031f8c8
    COMMENT 'The principal that holds a token. Raises MB301, MB302.'
FUNCTION cmbs_store.token_json(p_token cmbs_store.api_token) RETURNS jsonb
    LANGUAGE sql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 39995ea9bf81af9cf789e62f234ece1d
    COMMENT 'A token as it is shown.'
FUNCTION cmbs_store.token_reasons(p_session cmbs_store.session, p_token cmbs_store.capability_token, p_is_shown boolean, p_actor text, p_at timestamp with time zone) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fdb877295c6c375a267096dcbefc5fe9
    COMMENT 'The stage of the capability token: whether it counts at all.'
FUNCTION cmbs_store.tombstone_answer(p_ids text[], p_new text[], p_is_matched boolean[]) RETURNS json
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3c5ebfd7d257ac17463768d8c48b04fe
    COMMENT 'What came of ids that were to be tombstoned.'
FUNCTION cmbs_store.tool_definitions(p_tools jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ff5f89ed9c6abc8d35f4543808a8e815
    COMMENT 'The definitions of tools from their hashes.'
FUNCTION cmbs_store.tool_reasons(p_item_no integer, p_item jsonb, p_tool jsonb, p_definition jsonb, p_schemas jsonb, p_has_key boolean) RETURNS cmbs_store.reason[]
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c6e02d2f0f3879ffd811b9c8cd58a996
    COMMENT 'The stages of idempotency and of schemas for one tool call.'
FUNCTION cmbs_store.tools_named(p_tenant text, p_items jsonb) RETURNS jsonb
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 3ef93f8835b313c304167c1b562d0c53
    COMMENT 'The tools that items call, as they are registered now.'
FUNCTION cmbs_store.trace_start(p_session_id uuid, p_tenant text, p_since_event_id uuid, p_limit integer) RETURNS bigint
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d8c7608b33775e5e3def4613c8cb331c
    COMMENT 'The seq after which a trace begins. Raises MB001, MB003, MB201.'
FUNCTION cmbs_store.universe_asked(p_tenant text, p_node_ids text[], p_edges json) RETURNS bytea
    LANGUAGE plpgsql OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c39c619ee8fadd8c6c9c869535188bbf
    COMMENT 'The digest of the universe that an incident is asked to have; null for all of the graph.'
FUNCTION cmbs_store.universe_digest_v1(p_ids_text text) RETURNS bytea
    LANGUAGE sql STABLE PARALLEL SAFE OWNER cmbs_owner EXECUTE cmbs_kernel, cmbs_owner TEXT ed9521146948dd035cdf772413f7b512
    COMMENT 'sha-256 over the canonical text of the sorted ids.'
FUNCTION cmbs_store.universe_ids(p_universe_digest bytea) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT c880d3d4e1c41f388a25b696e903855e
    COMMENT 'The ids of a universe, as the canonical text that its digest hashes.'
FUNCTION cmbs_store.universe_nodes(p_incident cmbs_store.incident) RETURNS TABLE(node_id text)
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 6245a172fec8785a2c5a5ce6ed830d9c
    COMMENT 'The nodes of the graph that are the universe of an incident.'
FUNCTION cmbs_store.value_fault(p_value text) RETURNS text
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 43ed7e441079de5da3731caeb7f51ea8
    COMMENT 'Why a text cannot be the value of a key, as a reason code; null if it can.'
FUNCTION cmbs_store.verdict(p_items jsonb, p_reasons cmbs_store.reason[], p_is_atomic boolean) RETURNS jsonb
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 4503ba9ac0cf93f5e006342475b6677a
    COMMENT 'The verdict on a proposal and on each of its items, from the reasons against them.'
FUNCTION cmbs_store.verdict_alone(p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT e134b145bf570ee72fe06ebf68622724
    COMMENT 'A verdict without the permits, questions and deferrals that would follow from it.'
FUNCTION cmbs_store.verdict_json(p_verdict jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT d3ba95e8c9eb289feadb50f4c4d916a8
    COMMENT 'The three words of a verdict.'
FUNCTION cmbs_store.verdict_of(p_reasons cmbs_store.reason[], p_item_no integer) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 80899a956f531e1c9ed048f7836e2e47
    COMMENT 'What some reasons come to for one item, or for all.'
FUNCTION cmbs_store.verify_session(p_session_id uuid, p_known_universe bytea, p_known_policies bytea[], OUT p_rows bigint, OUT p_head_hash bytea, OUT p_seq bigint, OUT p_reason text, OUT p_policies bytea[]) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT caa5dd498d5950ae9474d2daab4abb79
    COMMENT 'Verify one session: chain, replay, stored state.'
FUNCTION cmbs_store.waived(p_given jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT fc3f16ed09e9cd95b8c9d13a0f722d5b
    COMMENT 'What people waived by approving: item number -> keys; null in verdicts of the first version.'
FUNCTION cmbs_store.webhook_in_force(p_tenant text) RETURNS cmbs_store.webhook
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f086496e64fc58c1dc2767499092d611
    COMMENT 'Who is told of questions of a tenant: its own webhook, or that of all.'
FUNCTION cmbs_store.whole_mask(p_session cmbs_store.session) RETURNS bytea
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT ec1eb452b53d5445afa3665ee5797cad
    COMMENT 'The survivor mask of a session, whichever way it is stored.'
FUNCTION cmbs_store.why_denied(p_entry cmbs_store.policy_entry, p_world jsonb, p_schemas jsonb) RETURNS text
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT da23f9e355f092d8cee8fc2ffcbe9b2d
    COMMENT 'Why a constraint that denies fires, for people.'
FUNCTION cmbs_store.why_gone(p_session cmbs_store.session, p_hypothesis_id text, OUT p_answer text, OUT p_seq bigint) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT f5c591d8208714ba5c79bd0944c8ccf6
    COMMENT 'Whether a hypothesis survives, and the event that eliminated it. Raises MB201, MB202.'
FUNCTION cmbs_store.with_dead_edges(p_session cmbs_store.session, p_ids text[]) RETURNS text[]
    LANGUAGE sql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 209729e5a6e6e5475abcb8df34f6aa66
    COMMENT 'Ids that are to be eliminated from a session, and the edges that lose an end by that.'
FUNCTION cmbs_store.with_offers(p_verdict jsonb, p_token cmbs_store.capability_token, p_session cmbs_store.session, p_settings jsonb, p_given jsonb, p_ground cmbs_store.ground) RETURNS jsonb
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0385411e63ec3bb2b0cc9084b12be840
    COMMENT 'A verdict with what follows from it for each item: permits, questions, deferrals, offers.'
FUNCTION cmbs_store.with_request_id(p_payload jsonb, p_request_id text) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 17d5d74f88d51b632d355f9982f36dea
    COMMENT 'A payload, with the request id if there is one.'
FUNCTION cmbs_store.without_obligation(p_session cmbs_store.session) RETURNS cmbs_store.session
    LANGUAGE plpgsql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 0d9dd60f4a940133545b22393730c551
    COMMENT 'A session with no obligation active.'
FUNCTION cmbs_store.world(p_session cmbs_store.session, p_policy_hash bytea, p_actor text, p_keys text[], OUT p_world jsonb, OUT p_reads jsonb) RETURNS record
    LANGUAGE plpgsql STABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 65bf9cc3e0bde56e864ed07b873c05c5
    COMMENT 'What the keys that a verdict reads stand for, as of an event.'
FUNCTION cmbs_store.world_of_call(p_world jsonb, p_item jsonb) RETURNS jsonb
    LANGUAGE sql IMMUTABLE OWNER cmbs_kernel EXECUTE cmbs_kernel TEXT 55910993e0fca61e17ce210c28118bab
    COMMENT 'What constraints read, with the arguments and artifacts of a call.'

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
-- revision 0010
