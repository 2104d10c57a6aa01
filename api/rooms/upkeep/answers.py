"""What the routes about what is due answer."""

from uuid import UUID

from cmbs.api.shell.answer_shapes import Count, Exact


class Swept(Exact, kw_only=True):
    """How many permits were released, and how many deferred proposals tried again."""

    session_id: UUID
    n_released: Count
    n_tried: Count
    audit_head_event_id: UUID
