"""What commands read from the views, where no verb answers it."""

import argparse
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import JSONB

from cmbs.database import tables

Rows = sa.Select[Any]


def sessions(options: argparse.Namespace) -> Rows:
    """Sessions as `cmbs sessions` filters them, those that were declared last first."""
    view = tables.session.c
    state = sa.case(
        (view.terminated, "terminated"),
        (view.active_obligation_id.is_not(None), "stuck"),
        else_="open",
    )
    shown = (
        *(view.session_id, state.label("state"), view.n_survivors, view.n_hypotheses),
        *(view.active_obligation_id, view.audit_seq.label("n_events"), view.last_event_at),
        *(view.declared_at, view.hypothesis_space_id, view.tenant),
    )
    query = sa.select(*shown).order_by(view.declared_at.desc(), view.session_id.desc())
    if options.state:
        query = query.where(view.terminated == (options.state == "terminated"))
    if options.state in ("open", "stuck"):
        is_stuck = view.active_obligation_id.is_not(None)
        query = query.where(is_stuck if options.state == "stuck" else ~is_stuck)
    if options.space is not None:
        query = query.where(view.hypothesis_space_id == options.space)
    if options.tenant is not None:
        query = query.where(view.tenant == options.tenant)
    if options.since is not None:
        query = query.where(view.last_event_at >= datetime.now(UTC) - options.since)
    if options.before is not None:
        then = sa.select(view.declared_at).where(view.session_id == options.before)
        declared = sa.tuple_(view.declared_at, view.session_id)
        query = query.where(declared < sa.tuple_(then.scalar_subquery(), options.before))
    return query.limit(options.limit)


def mode_in_force(session: UUID) -> Rows:
    view = tables.session_mode.c
    return sa.select(view.mode).where(view.session_id == session, view.is_in_force)


def divergences(session: UUID, limit: int) -> Rows:
    view = tables.shadow_divergence
    newest = (view.c.seq.desc(), view.c.item_no)
    return sa.select(view).where(view.c.session_id == session).order_by(*newest).limit(limit)


def was_shadowed(session: UUID) -> Rows:
    """One proposal of the session of which a shadow was asked as well."""
    event = tables.audit_event.c
    return (
        sa.select(event.seq)
        .where(event.session_id == session, event.verb == "PROPOSE")
        .where(event.payload.has_key("shadow"))
        .limit(1)
    )


def has_shadow(session: UUID) -> Rows:
    """Whether a pack is asked beside the one in force."""
    event = tables.audit_event.c
    # The last message that put a pack in force says it.
    applied = sa.and_(event.verb == "POLICY_APPLY", event.payload["approved"].as_boolean())
    said = sa.func.coalesce(event.payload["arbitration"], event.payload, type_=JSONB)
    return (
        sa.select(said.has_key("shadow").label("has_shadow"))
        .where(event.session_id == session)
        .where(sa.or_(event.verb == "DECLARE_SESSION", applied))
        .order_by(event.seq.desc())
        .limit(1)
    )


def members(session: UUID) -> Rows:
    """The hypotheses of a session, not all of a universe that is too large to look through."""
    view = tables.universe_member.c
    return sa.select(view.hypothesis_id).where(view.session_id == session).limit(10_000)


def tenant_of(session: UUID) -> Rows:
    view = tables.session.c
    return sa.select(view.tenant).where(view.session_id == session)


def principals(name: str, tenant: str) -> Rows:
    """Those of this name that the tenant knows."""
    view = tables.principal.c
    return sa.select(view.name).where(view.name == name, view.tenant.in_([tenant, "*"]))


def undelivered_webhooks(limit: int) -> Rows:
    view = tables.webhook_message
    newest = (view.c.created_at.desc(), view.c.message_id)
    return sa.select(view).where(view.c.state != "delivered").order_by(*newest).limit(limit)


def undelivered_to_tee(limit: int) -> Rows:
    view = tables.tee_message
    oldest = (view.c.created_at, view.c.session_id, view.c.seq)
    return sa.select(view).where(view.c.state != "delivered").order_by(*oldest).limit(limit)


def sample_sessions(space: str) -> Rows:
    view = tables.session.c.hypothesis_space_id
    return sa.select(sa.func.count().label("n")).where(view.startswith(space))
