"""cmbs.revision"""

import pytest

from cmbs.database.calls import call
from cmbs.deploy import migrate
from tests.support.beliefs import Connection


@pytest.mark.cold
def test_the_revision_of_this_version(tx: Connection) -> None:
    assert call(tx, "revision") == migrate.head()
