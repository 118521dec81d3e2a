"""A disk that is really full: a small file system of its own, and a file that takes what is left."""
import contextlib
import os
import pathlib
import random
import shutil
import subprocess
import tempfile
import time

import pytest

from client import agree
from faults import FaultyServer
from ledger import bare
from server import Layout

pytestmark = [pytest.mark.crash, pytest.mark.timeout(60)]


class SmallDisk:
    def __init__(self, kibibytes=3072):
        self.path = tempfile.mkdtemp(prefix="homeboard-disk-")
        self.ballast = pathlib.Path(self.path) / "ballast"
        self.error = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kibibytes}k", "tmpfs", self.path],
                                    capture_output=True, text=True).stderr

    def fill(self, but=0):
        with open(self.ballast, "ab", buffering=0) as file:
            for size in (65536, 4096, 512, 1):
                with contextlib.suppress(OSError):
                    while True:
                        file.write(b"x" * size)
        if but:
            os.truncate(self.ballast, self.ballast.stat().st_size - but)

    def free(self):
        self.ballast.unlink()

    def remove(self):
        subprocess.run(["umount", "-l", self.path], capture_output=True)
        shutil.rmtree(self.path, ignore_errors=True)


@pytest.fixture
def disk():
    disk = SmallDisk()
    if disk.error:
        disk.remove()
        message = f"a small file system can't be mounted here ({disk.error.strip()}): run this as root"
        # Root that may not mount is a machine that doesn't test what it should.
        pytest.skip(message) if os.geteuid() else pytest.fail(message)
    yield disk
    disk.remove()


@pytest.fixture
def server(disk):
    server = FaultyServer()
    os.rmdir(server.data)
    server.data = f"{disk.path}/data"
    yield server.start()
    server.remove()


class Writer:
    """Edits of all sizes, each sent again under its number until it is decided."""

    def __init__(self, board, rnd):
        self.board, self.random, self.peer, self.refused = board, rnd, board.join(), 0
        self.heard = {}

    def edits(self, count, together=1):
        """Whether all were decided."""
        p = self.peer
        for _ in range(count):
            self.random_edit()
        p.wait(lambda: all(len(p.replica.answers.get(s, [])) >= n for s, n in p.replica.asked.items()), "answers")
        self.heard.update({e["revision"]: bare(e) for e in p.heard(type="commit")})
        self.refused += p.seq - p.replica.last_decided
        whole, p.seq = p.seq == p.replica.last_decided, p.replica.last_decided
        return whole

    def random_edit(self):
        self.peer.edit({"kind": "icon.update", "icon": self.board[f"i{self.random.randrange(40)}"],
                        "set": {"label": f"{self.random.random()}",
                                "link": "https://x.example/" + "y" * self.random.choice([1, 300, 900])}}, wait=False)

    def check(self):
        """After whatever happened: what was heard is there, in its place."""
        self.peer = self.peer.again()
        server, start = self.board.server, self.board.start
        there = server.get(f"/v1/boards/{self.board.id}/commits?since={start}").json()["commits"]
        assert [c["revision"] for c in there] == list(range(start + 1, start + 1 + len(there)))
        for revision, commit in self.heard.items():
            assert bare(there[revision - start - 1]) == commit
        assert len({(c["client"], c["seq"]) for c in there}) == len(there)
        assert self.peer.replica.welcome["lastSeq"] == self.peer.seq


@pytest.fixture
def writer(server):
    seed = time.time_ns()
    print("seed", seed)
    return Writer(Layout(server, {"s": [f"i{n}" for n in range(40)]}), random.Random(seed))


def test_CM10_O33_a_full_disk_refuses_reads_and_recovers(disk, server, writer):
    """O-33: full, freed, full again, killed or not: no restart is needed, and nothing told is lost."""
    other = Layout(server, {"s": "ABC"})
    server.restart()
    writer.peer = writer.peer.again()
    for how in ("free", "kill", "free", "kill, then free", "free"):
        disk.fill(but=writer.random.choice([0, 100, 5000]))
        for _ in range(30):
            writer.edits(writer.random.choice([1, 1, 2, 6]))
        assert writer.refused, "the disk isn't full"
        writer.refused = 0
        assert server.board(other.id)["title"] and other.join().order["s"] == other.many("ABC")
        ready = server.get("/readyz")
        assert ready.status == 200 and b"no space" in ready.body, ready
        assert server.request("POST", "/v1/boards", {"template": "home"}).status == 503
        if how != "free":
            server.kill()
            if how.endswith("free"):
                disk.free()
            assert server.launch() is not None, server.log()
            writer.check()
        if disk.ballast.exists():
            disk.free()
        assert writer.edits(10)
        assert server.get("/readyz").body == b"ready\n"
        agree(writer.peer)
        writer.check()


def test_O33_O70_a_stop_on_a_full_disk_ends(disk, server, writer):
    """Within 10 s; the log has what the snapshots would have had."""
    writer.edits(30)
    disk.fill()
    writer.edits(5)
    began = time.monotonic()
    server.process.send_signal(15)
    writer.peer.closed()
    assert server.process.wait(10) == 0 and time.monotonic() - began < 10
    disk.free()
    server.start()
    writer.check()
    assert writer.edits(5)


def test_O33_a_start_on_a_full_disk_serves_or_says_why(disk, server, writer):
    """After a kill it reads what is there; after an orderly stop it lacks the room for SQLite's index,
    ends with 74 and names the file; with space it starts."""
    writer.edits(10)
    server.kill()
    disk.fill()
    assert server.launch() is not None, server.log()
    writer.check()
    writer.edits(3)
    assert writer.refused == 3
    disk.free()
    assert writer.edits(3)
    writer.check()
    assert server.terminate() == 0
    disk.fill()
    assert server.launch() is None and server.process.returncode == 74
    assert "no space" in server.log() and server.data in server.log(), server.log()
    disk.free()
    server.start()
    writer.check()
