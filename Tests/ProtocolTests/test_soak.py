"""Several people do everything at once over real sockets; in the end all see the same board."""
import random
import time

import pytest

from client import agree, normal, pump_all
from people import Person
from replica import lists
from server import Layout


@pytest.mark.parametrize("people", [3, 6])
def test_soak_everyone_ends_with_the_same_board(server, people):
    """HC1 to HC5 after some thousand random acts; the replicas check every event on the way."""
    seed = time.time_ns()
    print("seed", seed)
    rnd = random.Random(seed)
    board = Layout(server, {"s": "ABCDEF", "t": {"icons": "GHIJ", "capacity": 12}, "u": ""})
    watcher = board.join("watcher")
    crowd = [Person(board, i, random.Random(f"{seed} {i}")) for i in range(people)]
    end = time.monotonic() + 8
    acts = 0
    while time.monotonic() < end:
        for person in rnd.sample(crowd, rnd.randint(1, people)):
            person.act()
            acts += 1
        if rnd.random() < 0.7:
            peers = [x.peer for x in crowd] + [watcher]
            for p in rnd.sample(peers, rnd.randint(1, len(peers))):
                p.pump(0.001)
        pending = [x for x in crowd if x.peer.seq - x.peer.replica.last_decided > 30]
        for person in pending:
            person.peer.wait(lambda: person.peer.seq == person.peer.replica.last_decided, "answers")
    peers = [x.peer for x in crowd]
    for x in crowd:
        if x.drag:
            x.peer.cancel(x.drag)
    pump_all(peers, lambda: all(p.seq == p.replica.last_decided for p in peers),
             f"answers, seed {seed}")
    agree(watcher, *peers)
    pump_all([watcher], lambda: not watcher.replica.drags, "the ends of all drags")
    late = board.join("late")
    assert late.replica.welcome["drags"] == []
    for p in peers:
        for seq, count in p.replica.asked.items():
            pump_all([p], lambda: len(p.replica.answers.get(seq, [])) >= count, f"answer to {seq}")
    print(f"{acts} acts, {watcher.revision} revisions, {len(watcher.events)} events")


@pytest.mark.parametrize("round_", range(3))
def test_CM16_each_change_alone_leads_to_the_servers_board(server, round_):
    """Random edits of all kinds, pins among them, one at a time; the board is compared after each."""
    seed = time.time_ns()
    print("seed", seed)
    board = Layout(server, {"s": "ABCDEF", "t": {"icons": "GHIJ", "capacity": 12}, "u": ""})
    person = Person(board, 0, random.Random(seed))
    other = Person(board, 1, random.Random(seed + 1))
    for step in range(150):
        who = person if step % 3 else other
        edit = who.edit()
        before = lists(who.peer.replica.board)
        answer = who.peer.edit(edit)
        stored = server.board(board.id)
        for p in (person.peer, other.peer):
            pump_all([p], lambda: p.revision >= stored["revision"], "the commit")
            assert normal(p.replica.board) == normal(stored), (
                f"seed {seed} step {step}: {edit} on {before}: {answer}")
