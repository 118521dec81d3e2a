"""Collects what ran beside the other tests (waits.py), so that the seconds don't add up."""
import pytest

import waits


@pytest.mark.waits
@pytest.mark.timeout(150)
@pytest.mark.parametrize("scenario", [f.__name__ for f in waits.SCENARIOS])
def test_waits(waiting, scenario):
    waiting.result(scenario)
    assert waiting.server.alive(), waiting.server.log()
