"""The life of the process: nothing that a socket or a pipe does ends it."""
import random
import time

import pytest

from client import Peer, agree, pump_all
from server import Layout, Server

pytestmark = pytest.mark.crash


def test_O71_a_write_to_a_socket_that_was_reset(own_server):
    """RST while a board is busy: in a broadcast, in the welcome, in the close handshake."""
    seed = time.time_ns()
    print("seed", seed)
    rnd = random.Random(seed)
    board = Layout(own_server, {"s": "ABCDEFGH"})
    watcher, mover = board.join("watcher"), board.join("mover")
    victims = []
    for number in range(150):
        victim = Peer(own_server, board.id, name=f"V{number}", hello=False)
        stage = rnd.randrange(4)
        if stage:
            victim.send({"type": "hello", "client": victim.client, "name": victim.name})
        if stage > 1:
            victim.joined()
            victims.append(victim.me)
        if stage == 3:
            victim.socket.close()
        mover.move(board[rnd.choice("ABCDEFGH")], wait=False, at=rnd.choice(["start", "end"]))
        victim.socket.reset()

    def left():
        return [e["peer"] for e in watcher.heard(type="peer.left")]

    pump_all([watcher, mover], lambda: set(victims) <= set(left()), "all of them to leave")
    assert len(left()) == len(set(left())), f"seed {seed}"
    assert set(watcher.replica.peers) == {watcher.me, mover.me}
    assert mover.move(board["A"], at="end")["seq"] == mover.seq
    agree(watcher, mover)
    # SIGPIPE, number 13, is ignored.
    status = open(f"/proc/{own_server.process.pid}/status").read()
    ignored = int(status.split("SigIgn:")[1].split()[0], 16)
    assert ignored & 1 << 12


def test_O71_a_log_that_nobody_reads_any_more():
    server = Server(under=["bash", "-c", 'exec "$@" > >(true) 2>&1', "log"])
    try:
        server.start()
        board = Layout(server, {"s": "AB"})
        p = board.join()
        p.move(board["A"], at="end")
        assert server.terminate() == 0
        server.under = []
        server.start()
        assert board.seen(p.again())["s"] == "BA"
    finally:
        server.remove()
