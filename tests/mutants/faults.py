"""All faults."""

from tests.mutants import (
    belief,
    capability,
    client,
    clock,
    files,
    gates,
    http,
    identity,
    library,
    log,
    permit,
    policy,
    tee,
    verdict,
    watching,
)
from tests.mutants.fault import Fault

FAULTS: list[Fault] = [
    fault
    for module in (
        belief,
        gates,
        log,
        identity,
        policy,
        permit,
        clock,
        capability,
        tee,
        verdict,
        http,
        client,
        library,
        files,
        watching,
    )
    for fault in module.FAULTS
]
