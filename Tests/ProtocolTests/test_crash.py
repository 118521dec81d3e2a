"""CM18: kill -9, restart, resend. Each test has a server of its own."""
import os
import random
import threading
import time

import pytest

from client import PATIENCE, Closed, Peer, agree, fence, new_id, pump_all
from server import Layout, Server

pytestmark = pytest.mark.crash


@pytest.fixture
def board(own_server):
    return Layout(own_server, {"s": "ABCDEFGH", "t": "XYZ", "e": ""})


def test_CM18_everything_announced_is_there(board, own_server):
    p = board.join()
    p.move(board["A"], section="t", at="start")
    p.edit({"kind": "icon.add", "icon": board.icon("N"), "to": {"section": "s", "at": "start"}})
    p.edit({"kind": "icon.update", "icon": board["B"], "set": {"label": "é日本👩‍👩‍👧"}})
    p.edit({"kind": "section.remove", "section": "e"})
    p.edit({"kind": "icon.update", "icon": board["C"], "set": {"pinnedAt": 5}})
    before = p.replica.board
    own_server.restart()
    assert own_server.board(board.id) == before
    q = p.again()
    assert q.replica.welcome["recovered"] is True and q.replica.welcome["commits"] == []
    assert q.replica.welcome["lastSeq"] == 5
    agree(q)


def test_CM18_HS7_answers_survive(board, own_server):
    """O-26 with a kill between, three times in a row."""
    p = board.join()
    new = board.icon("N")
    first = {"kind": "icon.add", "icon": new, "to": {"section": "t", "at": "end"}}
    p.edit(first)
    p.move(board["A"], at="end")
    assert p.move(board["A"], at="end")["status"] == "noop"
    assert p.move(new_id(), at="end")["status"] == "rejected"
    for _ in range(3):
        own_server.restart()
        p = p.again()
        assert p.replica.welcome["lastSeq"] == 4
        for seq, decided in ((1, "applied"), (2, "applied"), (3, "noop"), (4, "rejected")):
            p.edit(first, seq=seq, wait=False)
            again = p.answer(seq)
            assert (again["status"], again["decided"]) == ("duplicate", decided)
        assert p.order["t"].count(new["id"]) == 1
    assert p.move(board["B"], at="end")["seq"] == 5
    agree(p)


def test_CM18_ghosts_and_undo_survive(board, own_server):
    """OR5: the restart changes no outcome."""
    a, b = board.join("U1"), board.join("U2")
    base = a.revision
    a.move(board["B"], section="t", at="end")
    a.edit({"kind": "icon.update", "icon": board["X"], "set": {"label": "mine"}})
    own_server.restart()
    a, b = a.again(), b.again()
    b.move(board["H"], base=base, after=board["B"], before=board["C"])
    assert board.seen(b)["s"] == "AHCDEFG"
    pump_all([a], lambda: a.revision == b.revision)
    a.edit({"kind": "undo"})
    a.edit({"kind": "undo"})
    assert board.seen(a)["s"] == "ABHCDEFG"
    own_server.restart()
    a, b = a.again(), b.again()
    assert a.edit({"kind": "redo"})["type"] == "commit"
    assert board.seen(a)["t"] == "XYZB"
    agree(a, b)


def test_CM18_no_drag_and_no_peer_survives(board, own_server):
    """O-16, O-23"""
    people = [board.join(f"U{i}") for i in range(4)]
    people[0].begin(board["A"])
    own_server.restart()
    q = people[3].again()
    assert [p["client"] for p in q.replica.welcome["peers"]] == [q.client]
    assert q.replica.welcome["drags"] == []
    mine = q.begin(board["A"])
    q.cancel(mine)
    entry = next(b for b in own_server.get("/v1/boards").json()["boards"] if b["id"] == board.id)
    assert entry["peers"] == 1


def test_CM18_boards_and_deletions_survive(board, own_server):
    other = own_server.create(template="home", title="Other")
    gone = own_server.create(template="grid")["id"]
    own_server.request("DELETE", f"/v1/boards/{gone}")
    own_server.put(board.id, own_server.board(board.id))
    before = own_server.board(board.id)
    own_server.restart()
    assert own_server.board(other["id"]) == other
    assert own_server.board(board.id) == before
    assert own_server.get(f"/v1/boards/{gone}").status == 404
    listed = {b["id"]: b["title"] for b in own_server.get("/v1/boards").json()["boards"]}
    assert listed[other["id"]] == "Other" and gone not in listed


def test_HT7_the_log_reaches_back_over_a_restart_or_says_410(board, own_server):
    p = board.join()
    for x in "ABC":
        p.move(board[x], at="end")
    own_server.restart()
    answer = own_server.get(f"/v1/boards/{board.id}/commits?since={board.start}")
    assert answer.status in (200, 410)
    if answer.status == 200:
        assert [c["revision"] for c in answer.json()["commits"]] == list(
            range(board.start + 1, p.revision + 1))


class Writer:
    """Sends edits without waiting, remembers them, and sends the undecided again after a crash."""

    def __init__(self, board, number, seed):
        self.board, self.random = board, random.Random(f"{seed} {number}")
        self.sent = {}
        self.peer = board.join(f"writer {number}")

    def act(self):
        p = self.peer
        icons = [i for v in p.order.values() for i in v]
        to = {"section": self.random.choice("st"), "at": self.random.choice(["start", "end"])}
        edit = {"kind": "icon.move", "icons": [self.random.choice(icons)], "to": to}
        message = p.message(edit)
        self.sent[message["seq"]] = message
        p.send(message)

    def back(self):
        """HS7: after a crash every edit is decided or sent again under its own seq."""
        old = self.peer
        self.peer = p = old.again()
        last = p.replica.welcome["lastSeq"]
        heard = [seq for seq, answers in old.replica.answers.items() if answers]
        assert last >= max(heard, default=0), "an announced answer was forgotten"
        again = [self.sent[s] for s in sorted(self.sent) if s > last]
        if again:
            p.send(*again)
            p.answer(again[-1]["seq"])


@pytest.mark.parametrize("round_", range(4))
def test_CM18_O32_killed_at_a_random_moment(own_server, round_):
    seed = time.time_ns()
    print("seed", seed)
    rnd = random.Random(seed)
    board = Layout(own_server, {"s": "ABCDEFGH", "t": "XYZ"})
    watcher = board.join("watcher")
    writers = [Writer(board, i, seed) for i in range(3)]
    for crash in range(2):
        timer = threading.Timer(0.05 + rnd.random() * 0.6, own_server.process.kill)
        timer.start()
        try:
            while True:
                for w in writers:
                    w.act()
                pump_all([watcher], lambda: watcher.pump(0.003) or True)
                for w in writers:
                    w.peer.pump()
                if all(w.peer.socket.closed for w in writers) and watcher.socket.closed:
                    break
        except Closed:
            pass
        timer.join()
        own_server.process.wait()
        for p in (watcher, *[w.peer for w in writers]):
            try:
                p.closed()
            except Closed:
                pass
        heard = {c["revision"]: c for p in (watcher, *[w.peer for w in writers])
                 for c in p.heard(type="commit")}
        own_server.start()
        stored = own_server.board(board.id)
        assert stored["revision"] >= max(heard, default=0), f"seed {seed}: announced commits lost"
        log = own_server.get(f"/v1/boards/{board.id}/commits?since={board.start}")
        if log.status == 200:
            log = {c["revision"]: c for c in log.json()["commits"]}
            for revision, commit in heard.items():
                assert log[revision] == {**commit, "peer": None}, f"seed {seed}"
        watcher = watcher.again()
        for w in writers:
            w.back()
        agree(watcher, *[w.peer for w in writers])
        for w in writers:
            assert w.peer.seq == w.peer.replica.last_decided


def test_SIGTERM_closes_1012_and_keeps_everything(board, own_server):
    """O-70: an orderly stop."""
    people = [board.join(f"U{i}") for i in range(5)]
    deaf = board.join("deaf", receive_buffer=2048)
    people[0].begin(board["A"])
    people[1].move(board["B"], at="end")
    before = people[1].replica.board
    start = time.monotonic()
    assert own_server.terminate() == 0
    assert time.monotonic() - start < 10
    for p in people:
        assert p.closed()[0] == 1012
    deaf.socket.hang_up()
    own_server.start()
    assert own_server.board(board.id) == before
    q = people[1].again()
    assert q.replica.welcome["recovered"] is True
    agree(q)


def test_no_descriptor_is_closed_twice(tmp_path):
    """The second time, its number may belong to a board's file."""
    trace, lines = tmp_path / "trace", []
    os.mkfifo(trace)
    reader = threading.Thread(target=lambda: lines.extend(trace.read_text().splitlines()))
    reader.start()
    server = Server(under=["strace", "-D", "-f", "-qq", "-e", "trace=close", "-o", trace]).start()
    try:
        board = Layout(server, {"s": "AB"})
        people = [board.join(f"U{i}") for i in range(3)]
        people[0].move(board["A"], at="end")
        people[1].socket.hang_up()
        assert server.terminate() == 0
    finally:
        server.remove()
        reader.join(PATIENCE)
    assert any(line.endswith("= 0") for line in lines)
    assert not [line for line in lines if "EBADF" in line]


def test_SIGINT_stops_too(own_server):
    own_server.process.send_signal(2)
    assert own_server.process.wait(15) == 0
    own_server.start()


def test_the_data_directory_has_one_server(own_server):
    """O-38: a second server on the same directory refuses to start."""
    second = Server()
    first_data, second.data = second.data, own_server.data
    try:
        with pytest.raises(AssertionError):
            second.start()
        assert second.process.poll() not in (None, 0)
    finally:
        second.data = first_data
        second.remove()
    assert own_server.get("/healthz").status == 200


def test_CM18_a_kill_right_after_the_answer(board, own_server):
    """CM6: the answer is durable the moment it is heard."""
    p = board.join()
    for i in range(8):
        answer = p.move(board["ABCDEFGH"[i]], section="t" if i % 2 else "s", at="end")
        own_server.kill()
        if answer["type"] == "result":
            assert answer["status"] == "noop"
        own_server.start()
        p = p.again()
        assert p.revision >= answer["revision"] and p.replica.welcome["lastSeq"] == i + 1
    agree(p)


def test_a_crowd_returns_after_a_restart(board, own_server):
    people = [board.join(f"U{i}") for i in range(60)]
    fence(*people)
    own_server.restart()
    back = [Peer(own_server, board.id, client=p.client, hello=False, replica=p.replica, seq=p.seq)
            for p in people]
    for q, p in zip(back, people):
        q.send({"type": "hello", "client": q.client, "name": q.name,
                "resume": {"epoch": p.replica.epoch, "revision": p.revision}})
    for q in back:
        assert q.joined()["recovered"] is True
    agree(*back)
