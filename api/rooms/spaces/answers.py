"""What the routes about hypothesis spaces answer."""

from cmbs.api.shell.answer_shapes import Count, Exact, Hex, Timestamp


class RegisteredSpace(Exact, kw_only=True):
    hypothesis_space_id: str
    hypothesis_version: str
    n_hypotheses: Count
    universe_digest: Hex
    duplicate: bool


class Space(Exact, kw_only=True):
    hypothesis_space_id: str
    hypothesis_version: str
    n_hypotheses: Count
    universe_digest: Hex
    registered_at: Timestamp
    registered_by: str
    hypotheses: list[str]
