"""The views of the kernel as SQLAlchemy Core tables, for reads whose shape varies."""

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

metadata = sa.MetaData(schema="cmbs")

session = sa.Table(
    "session",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("declared_at", sa.DateTime(timezone=True)),
    sa.Column("hypothesis_space_id", sa.Text),
    sa.Column("universe_digest", sa.Text),
    sa.Column("n_hypotheses", sa.Integer),
    sa.Column("n_survivors", sa.Integer),
    sa.Column("terminated", sa.Boolean),
    sa.Column("audit_seq", sa.BigInteger),
    sa.Column("audit_head_event_id", sa.Uuid),
    sa.Column("audit_head_hash", sa.Text),
    sa.Column("policy_as_sent", sa.JSON),
    sa.Column("tenant", sa.Text),
    sa.Column("active_obligation_id", sa.Text),
    sa.Column("last_event_at", sa.DateTime(timezone=True)),
)

universe_member = sa.Table(
    "universe_member",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("hypothesis_id", sa.Text, primary_key=True),
)

audit_event = sa.Table(
    "audit_event",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True),
    sa.Column("event_id", sa.Uuid),
    sa.Column("verb", sa.Text),
    sa.Column("payload", JSONB),
    sa.Column("event_hash", sa.Text),
    sa.Column("record", sa.Text),
)

arbitration_content = sa.Table(
    "arbitration_content",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("content_hash", sa.Text, primary_key=True),
    sa.Column("content", sa.Text),
)

session_mode = sa.Table(
    "session_mode",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True),
    sa.Column("mode", sa.Text),
    sa.Column("is_in_force", sa.Boolean),
)

decision = sa.Table(
    "decision",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True),
    sa.Column("event_id", sa.Uuid),
)

permit = sa.Table(
    "permit",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("permit_id", sa.Uuid, primary_key=True),
    sa.Column("seq", sa.BigInteger),
)

interrupt = sa.Table(
    "interrupt",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("interrupt_id", sa.Uuid, primary_key=True),
    sa.Column("seq", sa.BigInteger),
)

chain_head = sa.Table(
    "chain_head",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("audit_head_at", sa.DateTime(timezone=True)),
)

identity_event = sa.Table(
    "identity_event",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True),
    sa.Column("ts", sa.DateTime(timezone=True)),
)

principal = sa.Table(
    "principal",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("is_enabled", sa.Boolean),
)

api_token = sa.Table(
    "api_token",
    metadata,
    sa.Column("token_id", sa.Uuid, primary_key=True),
    sa.Column("tenant", sa.Text),
    sa.Column("name", sa.Text),
    sa.Column("created_at", sa.DateTime(timezone=True)),
    sa.Column("expires_at", sa.DateTime(timezone=True)),
    sa.Column("revoked_at", sa.DateTime(timezone=True)),
)

shadow_divergence = sa.Table(
    "shadow_divergence",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True),
    sa.Column("item_no", sa.Integer, primary_key=True),
    sa.Column("ts", sa.DateTime(timezone=True)),
    sa.Column("actor", sa.Text),
    sa.Column("tool_id", sa.Text),
    sa.Column("pack", sa.Text),
    sa.Column("version", sa.Integer),
    sa.Column("decision", sa.Text),
    sa.Column("disposition", sa.Text),
    sa.Column("reason_code", sa.Text),
    sa.Column("shadow_pack", sa.Text),
    sa.Column("shadow_version", sa.Integer),
    sa.Column("shadow_decision", sa.Text),
    sa.Column("shadow_disposition", sa.Text),
    sa.Column("shadow_reason_code", sa.Text),
    sa.Column("effective", sa.Boolean),
)

webhook_message = sa.Table(
    "webhook_message",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("message_id", sa.Uuid, primary_key=True),
    sa.Column("event", sa.Text),
    sa.Column("interrupt_id", sa.Uuid),
    sa.Column("created_at", sa.DateTime(timezone=True)),
    sa.Column("state", sa.Text),
    sa.Column("n_attempts", sa.Integer),
    sa.Column("next_at", sa.DateTime(timezone=True)),
    sa.Column("last_error", sa.Text),
)

graph_node = sa.Table(
    "graph_node",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("node_id", sa.Text, primary_key=True),
    sa.Column("type", sa.Text),
    sa.Column("label", sa.Text),
    sa.Column("hypothetical", sa.Boolean),
    sa.Column("provenance", sa.JSON),
    sa.Column("version", sa.BigInteger),
)

graph_edge = sa.Table(
    "graph_edge",
    metadata,
    sa.Column("tenant", sa.Text, primary_key=True),
    sa.Column("source", sa.Text, primary_key=True),
    sa.Column("target", sa.Text, primary_key=True),
    sa.Column("type", sa.Text, primary_key=True),
    sa.Column("provenance", sa.JSON),
    sa.Column("version", sa.BigInteger),
)

incident = sa.Table(
    "incident",
    metadata,
    sa.Column("incident_id", sa.Text, primary_key=True),
    sa.Column("tenant", sa.Text),
)

incident_tombstone = sa.Table(
    "incident_tombstone",
    metadata,
    sa.Column("incident_id", sa.Text, primary_key=True),
    sa.Column("kind", sa.Text, primary_key=True),
    sa.Column("id", sa.Text, primary_key=True),
    sa.Column("source_id", sa.Text),
    sa.Column("trigger", sa.Text),
    sa.Column("occurred_at", sa.DateTime(timezone=True)),
    sa.Column("recorded_at", sa.DateTime(timezone=True)),
    sa.Column("actor", sa.Text),
)

tee_message = sa.Table(
    "tee_message",
    metadata,
    sa.Column("session_id", sa.Uuid, primary_key=True),
    sa.Column("seq", sa.BigInteger, primary_key=True),
    sa.Column("created_at", sa.DateTime(timezone=True)),
    sa.Column("state", sa.Text),
    sa.Column("n_attempts", sa.Integer),
    sa.Column("next_at", sa.DateTime(timezone=True)),
    sa.Column("last_error", sa.Text),
    sa.Column("delivered_at", sa.DateTime(timezone=True)),
)
