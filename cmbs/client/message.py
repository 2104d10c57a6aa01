"""What the messages to a session share: how they are sent, and how they are held to their event."""

from collections.abc import Callable

from cmbs.client.chain import Claim, Head, Says
from cmbs.client.request import (
    Members,
    Proof,
    Request,
    T,
    message_headers,
    uuid_text,
)
from cmbs.kernel.answers import BeliefSnapshot, ExpectedHead, SessionId


def message(
    session_id: SessionId,
    path: str,
    body: bytes,
    read: Callable[[Members], T],
    claims: Callable[[Members], list[Claim]],
    *,
    request_id: str | None = None,
    expected_head: ExpectedHead = None,
    minimal: bool = False,
) -> Request[T]:
    chosen = uuid_text("session_id", session_id)

    def proof(answer: Members) -> Proof:
        return Proof([Head.of_snapshot(chosen, answer["snapshot"])], claims(answer), is_now=True)

    return Request(
        "POST",
        path,
        read,
        headers=message_headers(request_id, expected_head, minimal),
        body=body,
        session_id=chosen,
        proof=proof,
    )


def claim(says: Says) -> Callable[[Members], list[Claim]]:
    return lambda answer: [Claim(answer, says)]


def snapshot(answer: Members) -> BeliefSnapshot:
    return BeliefSnapshot.from_dict(answer["snapshot"])
