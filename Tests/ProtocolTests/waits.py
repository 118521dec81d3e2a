"""What shows only after seconds of silence. All of it runs at once, beside the other tests."""
import concurrent.futures
import socket
import time

import frames
from client import PATIENCE, Closed, Peer, agree, listen, pump_all
from server import Layout

LONG = 75


def board_for(server):
    return Layout(server, {"s": "ABCDE", "t": "XYZ"})


def no_hello(server):
    """HS1: without a hello the connection is closed 4400 after 10 s."""
    board = board_for(server)
    start = time.monotonic()
    p = Peer(server, board.id, hello=False)
    code, _ = p.closed(timeout=20)
    took = time.monotonic() - start
    assert code == 4400, code
    assert 9 <= took <= 14, took


def keep_alive(server):
    """FR8: a quiet connection hears `[]`, and never 30 s of nothing."""
    p = board_for(server).join()
    for _ in range(2):
        start, count = time.monotonic(), p.socket.messages
        p.wait(lambda: p.socket.messages > count, "keep-alive", timeout=30)
        assert 10 <= time.monotonic() - start <= 25
    assert len(p.events) == 1


def two_quiet_clients(server):
    """O-55: nothing but keep-alive for a minute; then everything still works."""
    board = board_for(server)
    a, b = board.join("U1"), board.join("U2")
    listen(62, a, b)
    assert not a.socket.closed and not b.socket.closed
    a.move(board["A"], at="end")
    agree(a, b)


def expiry(server):
    """DR11: 30 s without a message end a drag `expired`; its late drop is a plain edit (DR9)."""
    board = board_for(server)
    a, w = board.join("U1"), board.join("watcher")
    drag, start = a.begin(board["A"]), time.monotonic()
    a.target(drag, {"section": "t", "at": "end"})
    ended = w.expect(type="drag.ended", timeout=45)
    took = time.monotonic() - start
    assert ended["outcome"] == "expired" and 28 <= took <= 40, (ended, took)
    mine = w.begin(board["A"])
    w.cancel(mine)
    answer = a.drop(drag)
    assert answer["type"] == "commit", answer
    agree(a, w)
    assert board.seen(w) == {"s": "BCDE", "t": "XYZA"}
    a.target(drag, {"section": "t", "at": "end"})
    assert a.expect(type="drag.denied", drag=drag)["reason"] == "no_drag"


def still_finger(server):
    """DR11: who repeats the target every 10 s is not expired."""
    board = board_for(server)
    a, w = board.join("U1"), board.join("watcher")
    drag = a.begin(board["A"])
    for _ in range(4):
        a.target(drag, {"section": "t", "at": "end"})
        listen(10, a, w)
    assert not w.heard(type="drag.ended")
    assert a.drop(drag)["type"] == "commit"
    agree(a, w)


def lost(server, how):
    board = board_for(server)
    p, w = board.join("Mia"), board.join("watcher")
    drag = p.begin(board["A"])
    p.target(drag, {"section": "t", "at": "end"}, t="x")
    w.expect(type="drag.target", t="x")
    getattr(p.socket, how)()
    start = time.monotonic()
    w.drag_number += 1
    w.send({"type": "drag.begin", "drag": w.drag_number, "icons": [board["A"]]})
    assert w.expect(type="drag.denied")["reason"] == "held"
    ended = w.expect(type="drag.ended", timeout=15)
    took = time.monotonic() - start
    assert ended["outcome"] == "disconnected" and 4 <= took <= 8, (ended, took)
    w.expect(type="peer.left", timeout=2)
    assert w.place(type="drag.ended") < w.place(type="peer.left")
    w.begin(board["A"])
    q = p.again()
    assert not [d for d in q.replica.welcome["drags"] if d["peer"] == q.me]
    joined = w.expect(type="peer.joined")
    assert "replaces" not in joined
    assert board.stored() == {"s": "ABCDE", "t": "XYZ"}
    agree(w, q)
    assert len(w.heard(type="peer.left")) == 1


def lost_by_reset(server):
    """PR3, O-16, O-23: RST, then 5 s of grace."""
    lost(server, "reset")


def lost_by_hanging_up(server):
    """PR3, O-23: FIN without a close frame, then 5 s of grace."""
    lost(server, "hang_up")


def drop_of_a_lost_drag(server):
    """DR9: the drag ended with its connection; its drop, sent late by the same client, is the plain
    edit it means."""
    board = board_for(server)
    p, w = board.join("Mia"), board.join("watcher")
    drag = p.begin(board["A"])
    p.socket.reset()
    w.expect(type="peer.left", timeout=15)
    q = p.again()
    q.drag_number = drag
    answer = q.drop(drag, target={"section": "t", "at": "end"})
    assert answer["type"] == "commit", answer
    agree(q, w)
    assert board.seen(w)["t"] == "XYZA"


def vanished(server):
    """O-16 (b), O-58: a peer that answers nothing, not even pings, is gone within a minute."""
    board = board_for(server)
    p, w = board.join("Mia"), board.join("watcher")
    p.begin(board["A"])
    start = time.monotonic()
    w.expect(type="drag.ended", timeout=60)
    w.expect(type="peer.left", timeout=10)
    assert time.monotonic() - start <= 60
    agree(w)


def reads_nothing(server):
    """ER6 4508, O-65: who reads nothing is closed; the others notice nothing."""
    board = Layout(server, {"s": [f"i{n}" for n in range(40)]})
    deaf = board.join("deaf", receive_buffer=2048)
    p, w = board.join("busy"), board.join("watcher")
    start, number, slowest = time.monotonic(), 0, 0.0
    while not w.heard(type="peer.left", peer=deaf.me):
        assert time.monotonic() - start < LONG - 10, "still there"
        for _ in range(20):
            number += 1
            p.edit({"kind": "icon.update", "icon": board[f"i{number % 40}"],
                    "set": {"label": f"{number} " + "x" * 90, "link": "https://x.example/" + "y" * 900}},
                   wait=False)
        asked = time.monotonic()
        p.answer(p.seq)
        slowest = max(slowest, time.monotonic() - asked)
        w.pump(0.05)
    assert slowest < 5, slowest
    code = deaf.socket.closed
    try:
        code = deaf.closed(timeout=5)
    except Closed as why:
        code = why.code, why.reason
    assert code[0] in (4508, 1006), code
    agree(p, w)


def catches_up(server):
    """O-65: a reader that pauses for a while gets every commit, newest drags only."""
    board = board_for(server)
    slow = board.join("slow", receive_buffer=2048)
    p = board.join("busy")
    drag = p.begin(board["X"])
    end, n = time.monotonic() + 12, 0
    while time.monotonic() < end:
        n += 1
        p.edit({"kind": "icon.update", "icon": board["ABCDE"[n % 5]],
                "set": {"label": f"{n}", "link": "https://x.example/" + "y" * 800}}, wait=False)
        p.target(drag, {"section": "s", "index": n % 5}, t=f"{n}")
        p.pump(0.01)
    p.answer(p.seq)
    p.expect(type="drag.target", t=f"{n}")
    key = (p.me, drag)
    slow.wait(lambda: slow.revision == p.revision and slow.replica.live_targets[key]["target"]
              == p.replica.live_targets[key]["target"], "the newest target")
    p.drop(drag)
    agree(p, slow)
    assert len(slow.heard(type="drag.target")) <= len(p.heard(type="drag.target"))


def half_a_request(server):
    """Slow senders: half a request head, or half a body, is not waited for longer than 20 s."""
    lines = [b"GET / HTTP/1.1\r\nHost: x\r\n", b"",
             b"POST /v1/boards HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{"]
    sockets = []
    for head in lines:
        s = socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE)
        s.sendall(head)
        s.settimeout(25)
        sockets.append(s)
    start = time.monotonic()
    for s in sockets:
        while s.recv(4096):
            pass
    assert time.monotonic() - start <= 22


def unfinished_message(server):
    """O-48: a message that is begun and never finished holds nothing up; pings are answered."""

    board = board_for(server)
    p, w = board.join(), board.join("watcher")
    p.socket.send_raw(frames.frame(frames.TEXT, b'{"type":', fin=False))
    for i in range(3):
        p.socket.ping(b"%d" % i)
        pump_all([p], lambda: p.socket.pongs and p.socket.pongs[-1] == b"%d" % i, "pong")
    w.move(board["A"], at="end")
    p.wait(lambda: p.revision == w.revision, "the commit")
    p.close()
    w.expect(type="peer.left", peer=p.me)
    agree(w)


def many_errors_but_slowly(server):
    """ER2: twenty errors in one minute, and more in the next, close nothing."""
    p = board_for(server).join()
    for _ in range(20):
        p.send({"type": "nonsense"})
    listen(61, p)
    for _ in range(20):
        p.send({"type": "nonsense"})
    p.wait(lambda: len(p.heard(type="error")) == 40, "40 errors")
    assert p.edit({"kind": "undo"})["reason"] == "nothing_to_undo"


SCENARIOS = [no_hello, keep_alive, two_quiet_clients, expiry, still_finger, lost_by_reset,
             lost_by_hanging_up, drop_of_a_lost_drag, vanished, reads_nothing, catches_up,
             half_a_request, unfinished_message, many_errors_but_slowly]


class Running:
    """All wanted scenarios at once, each on a thread and a board of its own."""

    def __init__(self, server, names):
        self.server = server
        self.pool = concurrent.futures.ThreadPoolExecutor(len(SCENARIOS))
        self.results = {f.__name__: self.pool.submit(f, server)
                        for f in SCENARIOS if f.__name__ in names}

    def result(self, name):
        return self.results[name].result(timeout=LONG + 60)
