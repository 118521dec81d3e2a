"""The short version of load.py."""
import pytest

import load


@pytest.mark.load
def test_DR4_FR3_ten_drag_and_forty_watch(server, capsys):
    wrong = load.run(server, clients=50, dragging=10, hertz=60, seconds=5)
    print(capsys.readouterr().out)
    assert not wrong, wrong[:5]
