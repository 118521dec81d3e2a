"""OR: the ordering vectors and the arithmetic of gaps, over the wire."""
import json

import pytest

from client import agree, new_id, pump_all
from server import ROOT, Layout

CASES = json.loads((ROOT / "Tests/BoardModelTests/Vectors/ordering.json").read_text())
ON_THE_WIRE = [c for c in CASES if "window" not in c]
NAMED = [c for c in ON_THE_WIRE if not c["name"].startswith("random")]
RANDOM = [c for c in ON_THE_WIRE if c["name"].startswith("random")]


def laid_out(server, case):
    return Layout(server, {s["id"]: {k: v for k, v in s.items() if k != "id"}
                           for s in case["sections"]},
                  title=case["name"], pins=case.get("pins"))


def edit_on(board, edit):
    """An edit of the vectors with real identifiers."""
    out = dict(edit)
    for key in ("icons", "newIDs"):
        if key in out:
            out[key] = board.many(out[key])
    if edit["kind"] == "icon.add":
        out["icon"] = board.icon(edit["icon"])
    if "to" in out:
        out["to"] = {k: board[v] if k in ("after", "before") else v for k, v in out["to"].items()}
    return out


def base_on(board, base):
    return base + board.start if base >= 0 else base


def outcome(board, answer):
    """An answer in the words of the vectors."""
    revision = answer["revision"] - board.start
    if answer["type"] == "commit":
        return ["applied", revision]
    extra = answer.get("reason") or answer.get("decided")
    return [answer["status"], revision] + ([extra] if extra else [])


def final(board):
    stored = board.server.board(board.id)
    return {s["id"]: [board.names[i["id"]] for i in s["icons"]] for s in stored["sections"]}


def play_over_http(server, case):
    board, clients, results = laid_out(server, case), {}, []
    for e in case["edits"]:
        client = clients.setdefault(e["client"], new_id())
        answer = server.edit(board.id, edit_on(board, e["edit"]), client, e["seq"],
                             base_on(board, e["base"]))
        results.append(outcome(board, answer))
    return board, results


@pytest.mark.parametrize("part", range(10))
def test_OR_random_vectors_over_http(server, part):
    """OR1 to OR13: 300 random cases, edits by POST, a watcher kept up by Changes."""
    wrong = []
    for case in RANDOM[part::10]:
        board, results = play_over_http(server, case)
        got = results, final(board)
        if got != (case["results"], case["final"]):
            wrong.append((case["name"], got, case["results"], case["final"]))
    assert not wrong, f"{len(wrong)} differ, the first: {wrong[0]}"


@pytest.mark.parametrize("case", NAMED, ids=lambda c: c["name"])
def test_OR_named_vectors_over_sockets(server, case):
    """OR1 to OR13: each client on a socket of its own, answers awaited in order of arrival."""
    board = laid_out(server, case)
    people = {}
    for e in case["edits"]:
        if e["client"] not in people:
            people[e["client"]] = board.join(e["client"])
    watcher, results = board.join("watcher"), []
    for e in case["edits"]:
        p = people[e["client"]]
        heard = len(p.replica.answers.get(e["seq"], []))
        p.send({"type": "edit", "seq": e["seq"], "base": base_on(board, e["base"]),
                "edit": edit_on(board, e["edit"])})
        results.append(outcome(board, p.answer(e["seq"], heard)))
    assert results == case["results"]
    assert final(board) == case["final"]
    head = server.board(board.id)["revision"]
    everyone = [*people.values(), watcher]
    pump_all(everyone, lambda: all(p.revision == head for p in everyone), "the head")
    for p in everyone:
        seen = {k: [board.names[i] for i in v] for k, v in p.order.items()}
        assert seen == case["final"], p.name


# O-01: every icon into every gap
def place_in_gap(order, x, gap, way):
    """(target, order afterwards) of dropping x into the gap before order[gap]."""
    rest = [i for i in order if i != x]
    at = gap if gap <= order.index(x) else gap - 1
    left = {"after": rest[at - 1]} if at > 0 else {"at": "start"}
    right = {"before": rest[at]} if at < len(rest) else {"at": "end"}
    target = {"after": left, "before": right, "index": {"index": at}}[way]
    return target, rest[:at] + [x] + rest[at:]


@pytest.mark.parametrize("way", ["after", "before", "index"])
def test_O01_OR2_every_icon_into_every_gap_as_an_edit(abc, way):
    p, w = abc.join(), abc.join("watcher")
    start = p.order["s"]
    for x in start:
        for gap in range(6):
            target, expected = place_in_gap(start, x, gap, way)
            answer = p.move(x, **target)
            assert p.order["s"] == expected, (abc.names[x], gap)
            if expected == start:
                assert answer["type"] == "result" and answer["status"] == "noop"
            else:
                assert p.edit({"kind": "undo"})["type"] == "commit"
    assert agree(p, w)["s"] == start


@pytest.mark.parametrize("way", ["after", "before", "index"])
def test_O01_DR5_every_icon_into_every_gap_as_a_drag(abc, way):
    p, w = abc.join(), abc.join("watcher")
    start = p.order["s"]
    for x in start:
        for gap in range(6):
            target, expected = place_in_gap(start, x, gap, way)
            since, tag = w.mark(), f"{abc.names[x]}{gap}"
            drag = p.begin(x)
            p.target(drag, target, t=tag)
            live = w.expect(since, type="drag.target", t=tag)
            assert live["target"] == {"section": "s", "index": expected.index(x)}
            assert live["proposal"] == "move"
            answer = p.drop(drag)
            ended = w.expect(since, type="drag.ended", drag=drag)
            assert p.order["s"] == w.order["s"] == expected, tag
            if expected == start:
                assert answer["status"] == "noop" and ended["outcome"] == "cancelled"
            else:
                assert ended["outcome"] == "dropped" and ended["revision"] == answer["revision"]
                p.edit({"kind": "undo"})
                w.wait(lambda: w.revision == p.revision, "the undo")
    assert agree(p, w)["s"] == start


def test_OR2_O10_neighbours_that_moved(layout):
    for first in (0, 1):
        board = layout({"s": "01234"})
        a, b = board.join("U1"), board.join("U2")
        base = board.start
        acts = [lambda: a.move(board["2"], after=board["0"], base=base),
                lambda: b.move(board["0"], after=board["4"], base=base)]
        acts[first]()
        acts[1 - first]()
        agree(a, b)
        assert board.seen(a) == {"s": "21340"}          # the gap it was dropped in, either way


def test_OR5_an_index_older_than_the_window_is_stale(layout):
    board = layout({"s": "ABCDEF"})
    p, old = board.join("busy"), board.join("old")
    p.move(board["B"], at="end")
    for i in range(520):
        p.move(board["AC"[i % 2]], at="start", wait=False)
        if i % 100 == 0:
            p.pump()
    p.answer(p.seq)
    for to, reason in (({"index": 1}, "stale_base"), ({"after": new_id()}, "stale_base")):
        result = old.move(board["F"], base=board.start, **to)
        assert (result["status"], result["reason"]) == ("rejected", reason), to
    assert old.move(board["F"], base=board.start, at="end")["type"] in ("commit", "result")
    assert old.move(board["F"], base=board.start, after=board["D"])["type"] in ("commit", "result")
    agree(p, old)


def test_OR5_an_anchor_inside_the_window_is_a_ghost(layout):
    board = layout({"s": "ABCDEF"})
    p, old = board.join("busy"), board.join("old")
    base = board.start
    p.move(board["B"], at="end")
    for i in range(400):
        p.move(board["EF"[i % 2]], at="end", wait=False)
    p.answer(p.seq)
    old.move(board["D"], base=base, after=board["B"], before=board["C"])
    assert board.seen(old)["s"].startswith("ADC")
    agree(p, old)


def test_OR4_a_section_left_out_is_where_the_sender_saw_the_icon(abc):
    a, b = abc.join("U1"), abc.join("U2")
    b.move(abc["A"], section="t", at="end")
    a.move(abc["A"], base=abc.start, after=abc["B"])
    assert abc.seen(a) == {"s": "BACDE", "t": "XYZ"}
    agree(a, b)


def test_OR13_a_put_forgets_ghosts(abc):
    a = abc.join("U1")
    a.move(abc["B"], at="end")
    abc.server.put(abc.id, abc.server.board(abc.id))
    a.closed()
    q = a.again()
    result = q.move(abc["E"], base=abc.start, index=0)
    assert result["type"] == "commit" or result["reason"] == "stale_base"
    agree(q)
