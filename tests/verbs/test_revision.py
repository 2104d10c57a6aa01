"""cmbs.revision"""

import pytest

from cmbs import migrate
from cmbs.calls import call
from tests.beliefs import Connection


@pytest.mark.cold
def test_the_revision_of_this_version(tx: Connection) -> None:
    assert call(tx, "revision") == migrate.head()
