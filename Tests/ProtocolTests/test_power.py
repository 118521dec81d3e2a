"""The short form of the power cuts of power.py, of the crowd and of the many boards of crowd.py."""
import os
import random
import shutil
import signal
import time

import pytest

import crowd
import power
from ledger import Counters

pytestmark = [pytest.mark.crash, pytest.mark.timeout(120)]


def test_CM18_O32_the_power_fails():
    """O-32, O-34: whatever of the unsynced writes is there, all that anyone had heard is, once, in order."""
    seed = time.time_ns()
    print("seed", seed)
    counters = power.torture(seed, rounds=4, cuts=6)
    print(counters)
    counters.assert_clean("seed", seed)
    assert counters["points"] >= 15 and max(counters.recover_ms) < 2000, counters


def test_a_missing_sync_would_be_noticed(tmp_path):
    """The check can fail: as if the syncs of the files had not happened."""
    rnd = random.Random(1)
    recording = power.Recording(tmp_path, None, rnd, 4)
    try:
        lost, image = 0, tmp_path / "image"
        for _ in range(4):
            counters = Counters()
            os.mkdir(image)
            recording.cut(recording.heard[-1][0], image, without=("fdatasync",))
            power.verify(recording, recording.heard[-1][0], image, counters, {})
            lost += counters["lost"]
            shutil.rmtree(image)
        assert lost, "what was not synced was there all the same"
    finally:
        recording.remove()


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_HS5_CM9_a_crowd_is_back_after_a_restart(end):
    """HS5, CM9: edits in flight at the end are decided exactly once."""
    assert not crowd.restart(boards=20, peers=10, end=end)


def test_a_start_with_many_boards():
    assert not crowd.many_boards(1000)
