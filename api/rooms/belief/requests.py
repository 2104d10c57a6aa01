"""The bodies of requests that declare and eliminate."""

from typing import Annotated
from uuid import UUID

from msgspec import Raw, Struct, field

from cmbs.api.shell.request_shapes import FreeObject, Id, Message, Notes, shown


class UniverseFrom(Struct, forbid_unknown_fields=True, kw_only=True):
    """The incident of the causal graph whose nodes are the hypotheses."""

    tee_incident: Id
    edges: Annotated[bool, shown(description="Whether its edges are hypotheses as well.")] = False


class Declare(Struct, forbid_unknown_fields=True, kw_only=True):
    """`hypotheses` is left out where a registered space, or `universe_from`, says what they are."""

    session_id: UUID | None = None
    ontology: Annotated[Raw, shown(**{"$ref": "#/components/schemas/OntologyAsSent"})]
    hypotheses: Annotated[list[Id], shown(minItems=1)] | None = None
    universe_from: Annotated[Raw, shown(**{"$ref": "#/components/schemas/UniverseFrom"})] = field(
        default_factory=Raw
    )
    policy: Annotated[Raw, shown(**{"$ref": "#/components/schemas/PolicyAsSent"})] = field(
        default_factory=Raw
    )
    arbitration: Annotated[Raw, shown(**{"$ref": "#/components/schemas/Arbitration"})] = field(
        default_factory=Raw
    )
    metadata: FreeObject = field(default_factory=Raw)
    notes: Notes | None = None


class Eliminate(Message, kw_only=True):
    source_id: Id
    observation_id: Id
    eliminated: list[Id]
    justification: FreeObject = field(default_factory=Raw)
    notes: Notes | None = None


class EliminateBatch(Message, kw_only=True):
    messages: Annotated[
        Raw,
        shown(
            type="array",
            items={"$ref": "#/components/schemas/Eliminate"},
            minItems=1,
            maxItems=1000,
        ),
    ]
