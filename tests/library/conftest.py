import pytest

from cmbs.belief_server import BeliefServer
from tests.library.kit import declared, ticking


@pytest.fixture
def server() -> BeliefServer:
    return BeliefServer(clock=ticking())


@pytest.fixture
def session_id(server: BeliefServer) -> str:
    return declared(server)
