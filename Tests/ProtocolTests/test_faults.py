"""The short form of torture.py, and what each fault is answered with. Each server is the test's own."""
import contextlib
import http.client
import random
import signal
import time

import pytest

import torture
from client import Closed, Peer, Socket, agree, pump_all
from faults import FaultyServer
from ledger import GONE, Counters, Scene
from server import Layout

pytestmark = [pytest.mark.crash, pytest.mark.timeout(120)]

# How many calls a run of each workload makes, about: what the sample is drawn from.
KILLS = [("edits", "fdatasync", 12), ("edits", "pwrite64", 40), ("edits", "write", 10),
         ("boards", "fdatasync", 14), ("boards", "pwrite64", 60), ("snapshots", "fdatasync", 8),
         ("snapshots", "pwrite64", 300), ("stop", "fdatasync", 3), ("stop", "pwrite64", 12),
         ("stop", "ftruncate", 2), ("stop", torture.UNLINK, 2)]
STARTS = [("openat", 8), ("pwrite64", 6), ("fsync", 1), ("ftruncate", 2), (torture.UNLINK, 2)]
ERRORS = ["error=EIO", "error=ENOSPC", "error=EIO!", "error=ENOSPC!"]


@pytest.fixture
def faulty():
    server = FaultyServer().start()
    yield server
    server.remove()


@pytest.fixture
def board(faulty):
    return Layout(faulty, {"s": "ABC", "t": "XYZ"})


@contextlib.contextmanager
def tortured():
    seed, counters = time.time_ns(), Counters()
    print("seed", seed)
    rig = torture.Rig(seed, counters)
    try:
        yield rig
        print(counters)
        counters.assert_clean("seed", seed)
    finally:
        rig.close()


def test_CM18_O32_killed_at_a_system_call():
    """CM18, O-36: what was acknowledged is there, once, in order, wherever a kill -9 falls."""
    with tortured() as rig:
        for workload, calls, most in KILLS:
            rig.point(workload, calls, "signal=KILL", str(rig.random.randint(1, most)))
        for calls, most in STARTS:
            rig.start(calls, "signal=KILL", str(rig.random.randint(1, most)))
            rig.start(calls, "signal=KILL", str(rig.random.randint(1, most)), fresh=True)
        assert rig.counters["points"] >= 10 and rig.counters["acked"] > 50, rig.counters
        assert max(rig.counters.recover_ms) < 2000, rig.counters


def test_CM6_failed_at_a_system_call():
    """CM6, CM10: an error of the disk refuses edits or ends the server, and loses nothing."""
    with tortured() as rig:
        for workload, calls in [("edits", "fdatasync"), ("edits", "pwrite64"), ("boards", "pwrite64"),
                                ("snapshots", "fdatasync"), ("stop", "pwrite64"), ("stop", "ftruncate")]:
            for what in ERRORS:
                number = rig.random.randint(1, 5)
                rig.point(workload, calls, what.rstrip("!"), f"{number}+" if what.endswith("!") else str(number))
        assert rig.counters["points"] >= 8, rig.counters


@pytest.mark.parametrize("calls, error", [("fdatasync", "EIO"), ("fdatasync", "ENOSPC"), ("pwrite64", "EIO")])
def test_CM6_after_a_failed_sync_nothing_more_is_said(board, faulty, calls, error):
    """Not even a refusal: what the disk holds is known only by reading it again, by the next start."""
    p, w = board.join(), board.join("watcher")
    injection = faulty.inject("fdatasync,pwrite64", f"error={error}", "1+") if calls == "pwrite64" else (
        faulty.inject("fdatasync", f"error={error}", "1"))
    before = [len(x.events) for x in (p, w)]
    edit = p.message({"kind": "icon.move", "icons": [board["A"]], "to": {"at": "end"}})
    p.send(edit)
    assert faulty.process.wait(10) == 74
    for x, seen in zip((p, w), before):
        x.closed()
        told = [e["type"] for e in x.events[seen:] if e["type"] in ("commit", "result")]
        assert not told, told
    lines = injection.end()
    failed = [line for line in lines if f"-1 {error}" in line]
    assert len(failed) == 1 and not [line for line in lines[lines.index(failed[0]) + 1:]
                                     if "fdatasync" in line or "pwrite64" in line], "it tried again"
    assert "store.failed" in faulty.log()
    faulty.start()
    p, w = p.again(), w.again()
    if p.replica.welcome["lastSeq"] < edit["seq"]:
        p.send(edit)
    else:
        assert p.order["s"] == board.many("BCA")
    p.wait(lambda: p.order["s"] == board.many("BCA"), "the edit")
    agree(p, w)


def test_CM10_HT8_no_space_refuses_and_works_again(board, faulty):
    """O-33: `storage`, and everything else goes on; the server says so, and needs no restart."""
    p, w = board.join(), board.join("watcher")
    move = {"kind": "icon.move", "icons": [board["A"]], "to": {"at": "end"}}
    with faulty.inject("pwrite64", "error=ENOSPC"):
        for number in range(3):
            p.edit(move, seq=1, wait=False)
            assert p.answer(1, number)["reason"] == "storage"
        drag = w.begin(board["B"])
        w.target(drag, {"section": "t", "at": "end"}, t="live")
        p.expect(type="drag.target", t="live")
        w.cancel(drag)
        assert board.stored()["s"] == "ABC" and board.join("late").order["s"] == board.many("ABC")
        for refused in (faulty.request("POST", "/v1/boards", {}), faulty.put(board.id, faulty.board(board.id)),
                        faulty.request("DELETE", f"/v1/boards/{board.id}")):
            assert refused.status == 503, refused
        ready = faulty.get("/readyz")
        assert ready.status == 200 and b"no space" in ready.body, ready
        assert b"homeboard_store_writable 0" in faulty.get("/metrics").body
        assert "store.full" in faulty.log()
    p.edit(move, seq=1, wait=False)
    assert p.answer(1, 3)["type"] == "commit"
    p.seq = 1
    assert faulty.get("/readyz").body == b"ready\n"
    assert b"homeboard_store_writable 1" in faulty.get("/metrics").body
    agree(p, w)


def test_ER6_a_board_that_cannot_be_read_is_told_of_alone(board, faulty):
    """O-31: 4503 and 503 for the board, 200 for the others, and all is well once the disk is."""
    other = Layout(faulty, {"s": "D"})
    big = Layout(faulty, {"s": [f"i{n}" for n in range(200)]})      # more pages than are in memory by then
    faulty.terminate()
    faulty.start()
    watcher = other.join()
    with faulty.inject("pread64", "error=EIO"):
        assert faulty.get(f"/v1/boards/{big.id}").status == 503
        p = Peer(faulty, big.id, hello=False)
        p.send({"type": "hello", "client": p.client, "name": "x"})
        assert p.closed()[0] == 4503
        assert faulty.board(other.id)["id"] == other.id
        assert faulty.get("/readyz").status == 200 and "board.damaged" in faulty.log()
    assert len(faulty.board(big.id)["sections"][0]["icons"]) == 200 and board.stored()["s"] == "ABC"
    watcher.move(other["D"], section="s", at="start")
    agree(watcher)


@pytest.mark.parametrize("calls", ["fsync", "openat", torture.RENAME, "pwrite64"])
def test_a_first_start_on_a_failing_disk_says_so(calls):
    """Exit code 74, and the next start finds nothing half made."""
    server = FaultyServer()
    try:
        assert server.launch(server.injecting(calls, "error=EIO", "1+", "/dev/null")) is None
        assert server.process.returncode == 74 and server.data in server.log(), server.log()
        server.start()
        server.create("home", template="home")
    finally:
        server.remove()


def test_O38_a_second_server_names_the_first(board, faulty):
    """O-38: within 2 s, with exit code 74, and nothing is touched; after kill -9 nothing is in the way."""
    second = FaultyServer()
    own, second.data = second.data, faulty.data
    try:
        began = time.monotonic()
        assert second.launch() is None and second.process.returncode == 74
        assert time.monotonic() - began < 2
        assert f"process {faulty.process.pid}" in second.log() and faulty.data in second.log()
        p = board.join()
        p.move(board["A"], at="end")
        faulty.kill()
        assert second.launch() is not None, second.log()
        second.kill()
        faulty.start()
        assert board.stored()["s"] == "BCA"
    finally:
        second.data = own
        second.remove()


def test_CM6_a_disk_that_hangs_makes_edits_wait_and_is_told_of(board, faulty):
    """Boards are read, drags are live, nothing is acknowledged before the sync returns."""
    p, w = board.join(), board.join("watcher")
    with faulty.inject("fdatasync", "delay_enter=4000000", "1"):
        began = time.monotonic()
        p.move(board["A"], wait=False, at="end")
        drag = w.begin(board["B"])
        w.target(drag, {"section": "t", "at": "end"}, t="live")
        p.expect(type="drag.target", t="live")
        assert board.stored()["s"] == "ABC" and board.join("late").order["s"] == board.many("ABC")
        assert time.monotonic() - began < 2 and not p.replica.answers
        while b"slow" not in faulty.get("/readyz").body:
            assert time.monotonic() - began < 3.5, "nothing is said of the slow disk"
            p.pump(0.05)
        assert faulty.get("/readyz").status == 200 and not p.replica.answers
        told = faulty.get("/metrics").body.decode()
        assert "homeboard_store_pending 1" in told and "homeboard_store_silent_seconds 2" in told
        assert p.answer(p.seq)["type"] == "commit" and time.monotonic() - began >= 3.9
    assert "store.slow" in faulty.log() and "store.answered" in faulty.log()
    assert faulty.get("/readyz").body == b"ready\n"
    w.cancel(drag)
    agree(p, w)


# the orderly stop
def until(ready, what, seconds=10, tick=lambda: None):
    end = time.monotonic() + seconds
    while not ready():
        assert time.monotonic() < end, f"not {what} within {seconds} s"
        tick()


def test_CM3_O70_a_stop_ends_while_people_go_on_editing(faulty):
    """O-70: 60 people on 6 boards who never pause, a slow disk, a drag, one who reads nothing and one
    who says nothing: exit 0 within 10 s, 1012 for all, and what was told is there."""
    boards = [Layout(faulty, {"s": "ABCDEF"}) for _ in range(6)]
    people = [b.join(f"{i}") for i in range(10) for b in boards]
    deaf = boards[0].join("deaf", receive_buffer=2048)
    silent = Socket(faulty.port, f"/v1/boards/{boards[0].id}/live")
    people[0].begin(boards[0]["A"])
    with faulty.inject("fdatasync", "delay_enter=300000"):
        began, stopping = time.monotonic(), None
        while faulty.alive() and not all(p.socket.closed for p in people):
            assert time.monotonic() - began < 15, "it never stops"
            for i, p in enumerate(people[:30]):
                if not p.socket.closed:
                    p.move(boards[i % 6]["ABCDEF"[p.seq % 6]], wait=False, at="end")
            for p in people:
                p.pump(0 if stopping else 0.001)
            if not stopping and time.monotonic() - began > 0.5:
                stopping = time.monotonic()
                faulty.process.send_signal(signal.SIGTERM)
        assert faulty.process.wait(10) == 0
        took = time.monotonic() - stopping
    assert took < 10, took
    assert {p.closed()[0] for p in people} == {1012}
    deaf.socket.hang_up()
    silent.hang_up()
    faulty.start()
    for layout in boards:
        there = faulty.get(f"/v1/boards/{layout.id}/commits?since={layout.start}").json()["commits"]
        for told in (e for p in people if p.board_id == layout.id for e in p.heard(type="commit")):
            assert there[told["revision"] - layout.start - 1] == {**told, "peer": None}
    q = people[0].again()
    assert q.replica.welcome["drags"] == [] and len(q.replica.peers) == 1


def test_O70_a_stop_waits_ten_seconds_for_a_slow_reader_at_most(faulty):
    """A trickle is no reason to be killed by the supervisor."""
    board = Layout(faulty, {"s": [f"i{n}" for n in range(40)]})
    slow, p = board.join("slow", receive_buffer=2048), board.join()
    for n in range(1200):
        p.edit({"kind": "icon.update", "icon": board[f"i{n % 40}"],
                "set": {"label": f"{n}", "link": "https://x.example/" + "y" * 900}}, wait=False)
    p.answer(p.seq)
    began = time.monotonic()
    faulty.process.send_signal(signal.SIGTERM)
    assert p.closed()[0] == 1012

    def trickle():
        with contextlib.suppress(OSError):
            slow.socket.socket.recv(500)
        with contextlib.suppress(Exception):
            faulty.process.wait(0.1)

    until(lambda: not faulty.alive(), "stopped", 12, trickle)
    assert faulty.process.returncode == 0 and time.monotonic() - began < 10
    slow.socket.hang_up()
    faulty.start()
    assert faulty.board(board.id)["revision"] == p.revision


def test_a_second_signal_waits_for_no_disk(board, faulty):
    """Nothing that was confirmed is lost by it."""
    p = board.join()
    p.move(board["A"], at="end")
    injection = faulty.inject("fdatasync", "delay_enter=20000000", "1")
    p.move(board["B"], wait=False, at="end")
    faulty.process.send_signal(signal.SIGTERM)
    until(lambda: "server.stopping" in faulty.log(), "stopping", tick=lambda: p.pump(0.01))
    faulty.process.send_signal(signal.SIGTERM)
    until(lambda: "store.abandoned" in faulty.log(), "at an end", 3, tick=lambda: p.pump(0.01))
    injection.end(at_once=True)                 # else the tracer would keep what has ended
    assert faulty.process.wait(2) == 0
    assert p.replica.last_decided == 1
    faulty.start()
    p = p.again()
    assert p.order["s"][:2] in (board.many("BC"), board.many("CA"))
    agree(p)


def test_HT8_ER6_who_comes_while_it_stops(board, faulty):
    """No new connection; on those there are, 1012 and 503."""
    p = board.join()
    kept = [http.client.HTTPConnection("127.0.0.1", faulty.port, timeout=10) for _ in range(3)]
    for connection in kept:
        connection.request("GET", "/healthz")
        connection.getresponse().read()
    with faulty.inject("fdatasync", "delay_enter=1500000", "1"):
        p.move(board["A"], wait=False, at="end")
        faulty.process.send_signal(signal.SIGTERM)
        until(lambda: "server.stopping" in faulty.log(), "stopping", tick=lambda: p.pump(0.01))
        p.move(board["B"], wait=False, at="end")
        for connection, path in zip(kept, ["/readyz", f"/v1/boards/{board.id}", "/v1/boards"]):
            connection.request("GET", path)
            assert connection.getresponse().status == 503, path
        with pytest.raises(GONE):
            board.join("late")
        assert p.closed()[0] == 1012 and p.replica.last_decided == 1
        assert faulty.process.wait(10) == 0
    faulty.start()
    p = p.again()
    assert p.replica.welcome["recovered"] and p.replica.welcome["lastSeq"] == 1
    p.seq = 1
    p.move(board["B"], at="end")
    agree(p)
