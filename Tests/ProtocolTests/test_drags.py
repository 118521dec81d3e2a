"""DR: drags, leases, targets, outcomes."""
import pytest

from client import agree, fence, new_id


@pytest.fixture
def pair(abc):
    return abc, abc.join("U1"), abc.join("U2")


def denied(peer, *icons):
    """Begins and expects to be denied."""
    number = peer.begin(*icons, wait=False)
    return peer.expect(type="drag.denied", drag=number)


def test_DR1_a_whole_drag(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    assert b.expect(type="drag.began") == {
        "type": "drag.began", "peer": a.me, "drag": drag, "icons": [abc["A"]]}
    a.target(drag, {"section": "t", "after": abc["X"]}, point={"x": 0.25, "y": 0.5}, t="1")
    live = b.expect(type="drag.target")
    assert live == {"type": "drag.target", "peer": a.me, "drag": drag, "proposal": "move",
                    "target": {"section": "t", "index": 1}, "point": {"x": 0.25, "y": 0.5},
                    "t": "1"}
    assert a.expect(type="drag.target") == live
    answer = a.drop(drag)
    assert answer["type"] == "commit"
    for p in (a, b):
        ended = p.expect(type="drag.ended")
        assert ended == {"type": "drag.ended", "peer": a.me, "drag": drag, "outcome": "dropped",
                         "revision": answer["revision"]}
        assert p.place(type="commit") < p.place(type="drag.ended")
    assert abc.seen(b) == {"s": "BCDE", "t": "XAYZ"}
    agree(a, b)


def test_DR16_hovering_writes_nothing(pair):
    abc, a, b = pair
    drags = [(p, p.begin(abc[x])) for p, x in ((a, "A"), (b, "B"))]
    for i in range(50):
        for p, drag in drags:
            p.target(drag, {"section": "t", "index": i % 4}, t=f"{p.name} {i}")
    for p, drag in drags:
        for q in (a, b):
            q.expect(type="drag.target", t=f"{p.name} 49")
    assert abc.server.board(abc.id)["revision"] == abc.start
    for p, drag in drags:
        p.cancel(drag)
        p.expect(type="drag.ended", drag=drag, peer=p.me, outcome="cancelled")
    agree(a, b)


def test_O22_cancel_commits_nothing(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    a.target(drag, {"section": "t", "index": 0})
    a.cancel(drag)
    assert b.expect(type="drag.ended")["outcome"] == "cancelled"
    assert abc.stored() == {"s": "ABCDE", "t": "XYZ"}
    drag = b.begin(abc["A"])
    b.target(drag, {"section": "t", "index": 0})
    assert b.drop(drag)["type"] == "commit"


@pytest.mark.parametrize("target", [
    "here", 5, [], {"section": 5}, {"section": "t"}, {"section": "zz", "at": "end"},
    {"section": "t", "at": "middle"}, {"section": "t", "index": -1}, {"section": "t", "index": "1"},
    {"section": "t", "after": "X"}, {"section": "t", "at": "end", "pad": "x" * 60000}], ids=str)
def test_O22_a_bad_drop_does_not_wedge_the_connection(pair, target):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    answer = a.drop(drag, target=target)
    if "pad" in (target if isinstance(target, dict) else {}):
        assert answer["type"] == "commit"
    else:
        assert (answer["type"], answer["status"]) == ("result", "rejected"), answer
        assert b.expect(type="drag.ended", drag=drag)["outcome"] == "rejected"
        assert a.place(type="result") < a.place(type="drag.ended")
    drag = a.begin(abc["B"])
    a.target(drag, {"section": "t", "at": "start"})
    assert a.drop(drag)["type"] == "commit"
    agree(a, b)


def test_O22_commits_of_others_do_not_end_a_drag(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    a.target(drag, {"section": "s", "after": abc["C"], "before": abc["D"]})
    b.expect(type="drag.target")
    for i in range(5):
        b.move(abc["DE"[i % 2]], at="start")
        b.edit({"kind": "icon.update", "icon": abc["A"], "set": {"label": f"{i}"}})
    assert not b.heard(type="drag.ended")
    a.drop(drag)
    order = abc.seen(a)["s"]
    assert order.index("A") == order.index("C") + 1
    agree(a, b)


# begin
def test_DR2_held_with_its_holder(pair):
    abc, a, b = pair
    a.begin(abc["A"])
    b.expect(type="drag.began")
    answer = denied(b, abc["A"])
    assert answer["reason"] == "held" and answer["holder"]["client"] == a.client
    assert answer["holder"]["peer"] == a.me
    block = denied(b, abc["B"], abc["A"])
    assert block["reason"] == "held"
    b.begin(abc["B"])
    fence(a, b)
    assert len(a.heard(type="drag.began", peer=b.me)) == 1


def test_DR2_a_lease_blocks_no_edit(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    b.expect(type="drag.began")
    assert b.move(abc["A"], section="t", at="end")["type"] == "commit"
    a.target(drag, {"section": "s", "at": "end"})
    assert a.drop(drag)["type"] == "commit"
    assert abc.seen(a) == {"s": "BCDEA", "t": "XYZ"}
    agree(a, b)


def test_DR2_a_lease_ends_with_its_drag(pair):
    abc, a, b = pair
    for end in ("cancel", "drop", "begin"):
        drag = a.begin(abc["A"])
        b.expect(type="drag.began", drag=drag)
        assert denied(b, abc["A"])["reason"] == "held"
        if end == "cancel":
            a.cancel(drag)
        elif end == "drop":
            a.drop(drag, target={"section": "s", "at": "end"})
        else:
            a.begin(abc["B"])
        b.expect(type="drag.ended", drag=drag, peer=a.me)
        mine = b.begin(abc["A"])
        b.cancel(mine)
        a.expect(type="drag.ended", drag=mine, peer=b.me)


def test_DR15_what_cannot_be_lifted(layout):
    board = layout({"s": "ABC", "n": {"icons": "N", "lift": "none"},
                    "p": {"icons": "PQ", "lift": "copy"}}, pins={"s": {0: "A"}}, locked="B")
    a, b = board.join("U1"), board.join("U2")
    for icons, reason in (("A", "icon_pinned"), ("B", "icon_locked"), ("N", "section_locked"),
                          ("CB", "icon_locked"), ("CA", "icon_pinned")):
        assert denied(a, *board.many(icons))["reason"] == reason, icons
    assert denied(a, new_id())["reason"] == "external"
    assert denied(a, board["C"], board["P"])["reason"] == "invalid"
    a.begin(board["C"], board["C"], wait=False)
    assert a.expect(type="error")["code"] == "invalid"
    fence(a, b)
    assert not b.heard(type="drag.began") and not b.heard(type="drag.denied")
    a.begin(board["C"])


def test_DR15_update_and_end_after_a_refused_begin_are_harmless(layout):
    """The long-press list: begin on a gap, then changed, then ended."""
    board = layout({"s": "AB"}, locked="A")
    p = board.join()
    drag = p.begin(board["A"], wait=False)
    p.target(drag, {"section": "s", "at": "end"})
    answer = p.drop(drag)
    assert (answer["status"], answer["reason"]) == ("rejected", "icon_locked")
    denials = p.heard(type="drag.denied", drag=drag)
    assert [d["reason"] for d in denials][0] == "icon_locked"
    assert board.stored() == {"s": "AB"}
    assert p.begin(board["B"])


def test_DR9_a_drop_after_a_held_begin_is_rejected_held(pair):
    """O-18: a whole drag before hearing of the other's."""
    abc, a, b = pair
    mine = a.begin(abc["A"])
    number = b.begin(abc["A"], wait=False)
    b.target(number, {"section": "t", "index": 0})
    answer = b.drop(number)
    assert (answer["status"], answer["reason"]) == ("rejected", "held")
    a.target(mine, {"section": "s", "index": 2})
    assert a.drop(mine)["type"] == "commit"
    assert abc.seen(a)["s"] == "BCADE"
    agree(a, b)


def test_DR2_copies_are_not_leased(layout):
    board = layout({"s": "A", "p": {"icons": "PQ", "lift": "copy"}})
    a, b = board.join("U1"), board.join("U2")
    drags = [(x, x.begin(board["P"])) for x in (a, b)]
    for p, drag in drags:
        p.target(drag, {"section": "s", "at": "end"})
        live = p.expect(type="drag.target", peer=p.me)
        assert (live["proposal"], live["target"]["section"]) == ("copy", "s")
        assert p.drop(drag)["type"] == "commit"
    assert len(a.order["p"]) == 2 and len(agree(a, b)["s"]) == 3


def test_DR1_a_new_begin_ends_the_old_drag(pair):
    """O-18: begin, drop, begin, target, drop in one write."""
    abc, a, b = pair
    first = a.begin(abc["A"])
    second = a.begin(abc["B"])
    assert b.expect(type="drag.ended", drag=first)["outcome"] == "cancelled"
    a.cancel(second)
    base = a.revision
    a.drag_number += 2
    d3, d4 = a.drag_number - 1, a.drag_number
    a.send({"type": "drag.begin", "drag": d3, "icons": [abc["C"]]},
           {"type": "drag.drop", "drag": d3, "seq": 1, "base": base,
            "target": {"section": "t", "at": "end"}},
           {"type": "drag.begin", "drag": d4, "icons": [abc["D"]]},
           {"type": "drag.target", "drag": d4, "base": base, "target": {"section": "t", "at": "start"}},
           {"type": "drag.drop", "drag": d4, "seq": 2, "base": base})
    a.seq = 2
    assert a.answer(1)["type"] == a.answer(2)["type"] == "commit"
    for drag in (d3, d4):
        assert b.expect(type="drag.ended", drag=drag)["outcome"] == "dropped"
    assert abc.seen(a) == {"s": "ABE", "t": "DXYZC"}
    agree(a, b)


def test_DR10_the_same_icon_again_while_its_drop_is_deciding(pair):
    abc, a, b = pair
    base = a.revision
    a.drag_number = 2
    a.send({"type": "drag.begin", "drag": 1, "icons": [abc["A"]]},
           {"type": "drag.drop", "drag": 1, "seq": 1, "base": base,
            "target": {"section": "s", "at": "end"}},
           {"type": "drag.target", "drag": 1, "base": base, "target": {"section": "t", "at": "end"}},
           {"type": "drag.begin", "drag": 2, "icons": [abc["A"]]},
           {"type": "drag.drop", "drag": 2, "seq": 2, "base": base,
            "target": {"section": "t", "at": "end"}})
    a.seq = 2
    assert a.answer(1)["type"] == a.answer(2)["type"] == "commit"
    for p in (a, b):
        outcomes = [p.expect(type="drag.ended", drag=d)["outcome"] for d in (1, 2)]
        assert outcomes == ["dropped", "dropped"]
    assert abc.seen(a) == {"s": "BCDE", "t": "XYZA"}
    agree(a, b)


# targets
def test_DR4_O20_the_last_target_is_always_delivered(pair):
    abc, a, b = pair
    for way in ("last target", "place in the drop"):
        since = b.mark()
        drag = a.begin(abc["A"])
        a.send(*[{"type": "drag.target", "drag": drag, "base": a.revision, "t": f"{way} {i}",
                  "target": {"section": "t", "index": 1 if i == 199 else i % 4}}
                 for i in range(200)])
        live = b.expect(since, type="drag.target", t=f"{way} 199", timeout=2)
        assert live["target"] == {"section": "t", "index": 1}
        count = len(b.heard(since, type="drag.target", drag=drag))
        assert count <= 40, f"{count} of 200 targets sent in one write came through"
        more = {} if way == "last target" else {"target": {"section": "s", "at": "end"}}
        a.drop(drag, **more)
        b.expect(since, type="drag.ended", drag=drag)
        agree(a, b)
        assert abc.seen(b) == ({"s": "BCDE", "t": "XAYZ"} if way == "last target"
                               else {"s": "BCDEA", "t": "XYZ"})
        if way == "last target":
            a.edit({"kind": "undo"})


def test_DR13_O19_no_target_after_the_end(abc):
    """begin, 12 targets, drop as one TCP segment, again and again, one reader slow."""
    a, fast, slow = abc.join("U1"), abc.join("fast"), abc.join("slow", receive_buffer=4096)
    for i in range(60):                          # well below 1,000 targets a second (ER3)
        a.drag_number += 1
        a.seq += 1
        drag, base = a.drag_number, a.revision
        a.send({"type": "drag.begin", "drag": drag, "icons": [abc["ABCDE"[i % 5]]]},
               *[{"type": "drag.target", "drag": drag, "base": base,
                  "target": {"section": "st"[n % 2], "index": n % 3}} for n in range(12)],
               {"type": "drag.drop", "drag": drag, "seq": a.seq, "base": base})
        if i % 10 == 0:
            fast.pump(), a.pump()
    a.answer(a.seq)
    agree(a, fast, slow)
    for p in (a, fast, slow):
        assert len(p.heard(type="drag.began")) == len(p.heard(type="drag.ended")) == 60
        assert not p.replica.drags


def test_DR4_at_most_one_a_tick(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    start = b.mark()
    frames = b.socket.messages
    for burst in range(20):
        a.send(*[{"type": "drag.target", "drag": drag, "base": a.revision, "t": f"{burst}.{i}",
                  "target": {"section": "t", "index": i % 4}} for i in range(10)])
        b.expect(start, type="drag.target", t=f"{burst}.9")
    heard = b.heard(start, type="drag.target")
    assert len(heard) <= 60 and b.socket.messages - frames <= 60


def test_DR6_targets_are_resolved_again_after_commits(pair):
    abc, a, b = pair
    drag = a.begin(abc["E"])
    a.target(drag, {"section": "s", "after": abc["C"], "before": abc["D"]}, t="x")
    assert b.expect(type="drag.target", t="x")["target"]["index"] == 3
    since = b.mark()
    b.edit({"kind": "icon.remove", "icons": [abc["A"]]})
    assert b.expect(since, type="drag.target")["target"]["index"] == 2
    since = b.mark()
    b.move(abc["X"], section="s", at="start")
    assert b.expect(since, type="drag.target")["target"]["index"] == 3
    since = b.mark()
    b.move(abc["Z"], at="start")
    fence(a, b)
    assert not b.heard(since, type="drag.target")
    a.drop(drag)
    assert abc.seen(a)["s"] == "XBCED"
    agree(a, b)


def test_DR5_other_drags_are_not_counted(pair):
    abc, a, b = pair
    mine, theirs = a.begin(abc["A"]), b.begin(abc["B"])
    b.target(theirs, {"section": "t", "at": "start"}, t="b")
    a.expect(type="drag.target", t="b")
    a.target(mine, {"section": "t", "after": abc["X"]}, t="a")
    assert b.expect(type="drag.target", t="a")["target"] == {"section": "t", "index": 1}
    a.target(mine, {"section": "s", "after": abc["C"]}, t="c")
    assert b.expect(type="drag.target", t="c")["target"] == {"section": "s", "index": 2}


def test_DR7_points_are_clamped_and_t_passed_on(layout):
    for axis, expected in (("free", (1, 0)), ("horizontal", (1, None)), ("vertical", (None, 0))):
        board = layout({"s": "ABC"}, presentation={"axis": axis, "minimumPressMs": 300})
        a, b = board.join("U1"), board.join("U2")
        drag = a.begin(board["A"])
        a.target(drag, {"section": "s", "at": "end"}, point={"x": 7.5, "y": -3}, t="ü" * 32)
        live = b.expect(type="drag.target", t="ü" * 32)
        for key, value in zip("xy", expected):
            if value is not None:
                assert live["point"][key] == value, (axis, live)
        if axis == "free":
            a.target(drag, {"section": "s", "at": "start"}, point={"x": 0.125, "y": 0.75}, t="2")
            assert b.expect(type="drag.target", t="2")["point"] == {"x": 0.125, "y": 0.75}
        else:
            other = {"horizontal": "y", "vertical": "x"}[axis]
            a.target(drag, {"section": "s", "at": "start"}, point={"x": 0.2, "y": 0.2}, t="low")
            a.expect(type="drag.target", t="low")
            a.target(drag, {"section": "s", "at": "end"}, point={"x": 0.9, "y": 0.9}, t="high")
            low, high = (b.expect(type="drag.target", t=t) for t in ("low", "high")) \
                if b.expect(type="drag.target", t="high") else (None, None)
            if low:
                assert low["point"][other] == high["point"][other], "held to the axis"


def test_DR7_base_may_be_left_out(pair):
    abc, a, b = pair
    b.move(abc["B"], at="end")
    drag = a.begin(abc["A"])
    a.send({"type": "drag.target", "drag": drag, "target": {"section": "s", "index": 2}, "t": "x"})
    assert b.expect(type="drag.target", t="x")["target"] == {"section": "s", "index": 2}
    a.wait(lambda: a.revision == b.revision, "the commit")
    assert a.drop(drag)["type"] == "commit"
    assert abc.seen(a)["s"] == "CDAEB"
    agree(a, b)


# proposals
def test_BD7_proposals(layout):
    board = layout({"s": "ABC", "none": {"icons": "N", "drop": "none"},
                    "own": {"icons": "OR", "drop": "own"},
                    "full": {"icons": "FG", "capacity": 2},
                    "palette": {"icons": "PQ", "lift": "copy"}})
    a, b = board.join("U1"), board.join("U2")

    def ask(drag, target, **more):
        tag = new_id()[:8]
        a.target(drag, target, t=tag, **more)
        live = b.expect(type="drag.target", t=tag)
        return live["proposal"], live.get("reason"), live["target"] and live["target"]["section"]

    drag = a.begin(board["A"])
    assert ask(drag, None) == ("cancel", None, None)
    assert ask(drag, {"section": "s", "at": "end"}) == ("move", None, "s")
    assert ask(drag, {"section": "none", "at": "end"})[:2] == ("forbidden", "drop_forbidden")
    assert ask(drag, {"section": "own", "at": "end"})[:2] == ("forbidden", "drop_forbidden")
    assert ask(drag, {"section": "full", "at": "end"})[:2] == ("forbidden", "section_full")
    assert ask(drag, {"section": "palette", "at": "end"}, copy=True)[0] == "copy"
    assert ask(drag, {"section": "s", "at": "end"}, copy=True)[0] == "copy"
    drag = a.begin(board["O"])
    assert ask(drag, {"section": "own", "at": "end"}) == ("move", None, "own")
    drag = a.begin(board["F"])
    assert ask(drag, {"section": "full", "at": "end"}) == ("move", None, "full")
    drag = a.begin(board["P"])
    assert ask(drag, {"section": "s", "at": "end"}) == ("copy", None, "s")
    assert ask(drag, {"section": "palette", "at": "end"})[:2] == ("forbidden", "section_locked")
    assert ask(drag, {"section": "none", "at": "end"})[:2] == ("forbidden", "drop_forbidden")
    assert board.server.board(board.id)["revision"] == board.start


def test_BD8_a_forbidden_drop_is_rejected_with_the_proposals_reason(layout):
    board = layout({"s": "ABC", "none": {"icons": "N", "drop": "none"},
                    "full": {"icons": "FG", "capacity": 2},
                    "palette": {"icons": "PQ", "lift": "copy"}})
    a, b = board.join("U1"), board.join("U2")
    for icon, section, reason in (("A", "none", "drop_forbidden"), ("A", "full", "section_full"),
                                  ("P", "palette", "section_locked")):
        drag = a.begin(board[icon])
        a.target(drag, {"section": section, "at": "end"})
        answer = a.drop(drag)
        assert (answer["status"], answer["reason"]) == ("rejected", reason)
        assert b.expect(type="drag.ended", drag=drag)["outcome"] == "rejected"
        assert a.place(type="result", seq=answer["seq"]) < a.place(type="drag.ended", drag=drag)
    assert board.server.board(board.id)["revision"] == board.start


def test_BD7_a_drop_by_copy(layout):
    board = layout({"s": "ABC", "t": ""})
    a, b = board.join("U1"), board.join("U2")
    drag, twin = a.begin(board["A"]), new_id()
    answer = a.drop(drag, target={"section": "t", "at": "end"}, copy=True, newIDs=[twin])
    assert answer["edit"]["kind"] == "icon.add"
    assert agree(a, b) == {"s": board.many("ABC"), "t": [twin]}


def test_DR_rules_that_change_during_a_drag(pair):
    """DR11: locked or pinned under the finger ends the drag `forbidden`; the drop is then rejected."""
    abc, a, b = pair
    for values, reason in (({"locked": True}, "icon_locked"), ({"pinnedAt": 0}, "icon_pinned")):
        drag = a.begin(abc["A"])
        a.target(drag, {"section": "t", "at": "end"}, t=reason)
        b.expect(type="drag.target", t=reason)
        b.edit({"kind": "icon.update", "icon": abc["A"], "set": values})
        assert b.expect(type="drag.ended", drag=drag)["outcome"] == "forbidden"
        answer = a.drop(drag)
        assert (answer["status"], answer["reason"]) == ("rejected", reason)
        b.edit({"kind": "icon.update", "icon": abc["A"], "set": {k: None for k in values}})
    agree(a, b)


# drops
def test_DR8_a_drop_on_nothing_is_a_noop(pair):
    abc, a, b = pair
    for act in ("never", "null", "null in the drop"):
        drag = a.begin(abc["A"])
        if act == "null":
            a.target(drag, {"section": "t", "at": "end"})
            a.target(drag, None)
        if act == "null in the drop":
            a.target(drag, {"section": "t", "at": "end"})
        answer = a.drop(drag, **({"target": None} if act == "null in the drop" else {}))
        assert (answer["type"], answer["status"]) == ("result", "noop"), act
        assert b.expect(type="drag.ended", drag=drag)["outcome"] == "cancelled"
    assert abc.server.board(abc.id)["revision"] == abc.start


def test_DR8_the_last_target_keeps_its_own_base(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    a.target(drag, {"section": "s", "index": 2}, t="x")        # between C and D
    b.expect(type="drag.target", t="x")
    b.move(abc["B"], at="end")
    b.move(abc["C"], at="end")
    a.wait(lambda: a.revision == b.revision, "the commits")
    a.drop(drag)
    assert abc.seen(a)["s"] == "ADEBC"
    agree(a, b)


def test_DR9_drops_of_no_drag(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    a.target(drag, {"section": "t", "at": "end"})
    a.cancel(drag)
    for number in (drag, 77, 0):
        answer = a.drop(number, target={"section": "t", "at": "end"})
        assert answer["status"] == "rejected" and answer["reason"] in ("no_drag", "invalid"), answer
    assert a.drop(drag)["reason"] == "no_drag"
    assert abc.stored() == {"s": "ABCDE", "t": "XYZ"}
    agree(a, b)


def test_DR9_dropping_twice(pair):
    """O-18: the second drop of one drag is decided and moves nothing."""
    abc, a, b = pair
    drag = a.begin(abc["A"])
    a.target(drag, {"section": "t", "at": "end"})
    assert a.drop(drag)["type"] == "commit"
    again = a.drop(drag)
    assert again["type"] == "result" and again["status"] in ("rejected", "noop"), again
    assert abc.seen(a) == {"s": "BCDE", "t": "XYZA"}
    agree(a, b)


def test_DR14_targets_and_cancels_of_no_drag(pair):
    abc, a, b = pair
    a.target(5, {"section": "t", "at": "end"})
    assert a.expect(type="drag.denied", drag=5)["reason"] == "no_drag"
    a.cancel(6)
    assert a.expect(type="drag.denied", drag=6)["reason"] == "no_drag"
    drag = a.begin(abc["A"])
    a.cancel(drag)
    a.cancel(drag)
    assert a.expect(type="drag.denied", drag=drag)["reason"] == "no_drag"
    fence(a, b)
    assert not b.heard(type="drag.target") and not b.heard(type="drag.denied")


def test_DR14_one_peer_cannot_touch_anothers_drag(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    b.expect(type="drag.began")
    b.target(drag, {"section": "t", "at": "end"})
    assert b.expect(type="drag.denied")["reason"] == "no_drag"
    b.cancel(drag)
    fence(a, b)
    assert not a.heard(type="drag.ended")
    assert b.drop(drag)["reason"] == "no_drag"
    assert a.drop(drag, target={"section": "t", "at": "end"})["type"] == "commit"


def test_DR11_O21_its_icon_is_removed(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    a.target(drag, {"section": "t", "at": "end"})
    b.expect(type="drag.target")
    b.edit({"kind": "icon.remove", "icons": [abc["A"]]})
    for i in range(5):
        a.target(drag, {"section": "t", "index": i % 3})
    answer = a.drop(drag)
    assert (answer["status"], answer["reason"]) == ("rejected", "icon_gone")
    for p in (a, b):
        ended = p.expect(type="drag.ended", drag=drag)
        assert ended["outcome"] == "removed"
        assert p.place(type="drag.ended") < p.place(type="commit")
    again = a.begin(abc["B"])
    assert a.drop(again, target={"section": "t", "at": "end"})["type"] == "commit"
    assert abc.seen(a) == {"s": "CDE", "t": "XYZB"}
    agree(a, b)


def test_O21_its_anchor_is_removed(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    a.target(drag, {"section": "t", "after": abc["Y"]})
    b.expect(type="drag.target")
    b.edit({"kind": "icon.remove", "icons": [abc["Y"]]})
    assert a.drop(drag)["type"] == "commit"
    assert abc.seen(a)["t"] == "XAZ"
    agree(a, b)


def test_O12_its_target_section_is_removed(layout):
    board = layout({"s": "AB", "t": "", "r": "R"})
    a, b = board.join("U1"), board.join("U2")
    drag = a.begin(board["A"])
    a.target(drag, {"section": "t", "at": "end"}, t="x")
    b.expect(type="drag.target", t="x")
    b.edit({"kind": "section.remove", "section": "t"})
    answer = a.drop(drag)
    assert (answer["status"], answer["reason"]) == ("rejected", "section_gone")
    assert b.expect(type="drag.ended", drag=drag)["outcome"] in ("rejected", "forbidden")
    assert board.seen(a) == {"s": "AB", "r": "R"}
    drag = a.begin(board["B"])
    refused = b.edit({"kind": "section.remove", "section": "s"})
    assert refused["reason"] == "section_not_empty"
    assert a.drop(drag, target={"section": "r", "at": "end"})["type"] == "commit"
    agree(a, b)


def test_DR_a_block_is_dragged_as_one(pair):
    abc, a, b = pair
    drag = a.begin(*abc.many("DB"))
    assert b.expect(type="drag.began")["icons"] == abc.many("DB")
    a.target(drag, {"section": "t", "after": abc["X"]}, t="x")
    assert b.expect(type="drag.target", t="x")["target"] == {"section": "t", "index": 1}
    a.target(drag, {"section": "s", "after": abc["C"]}, t="y")
    assert b.expect(type="drag.target", t="y")["target"] == {"section": "s", "index": 2}
    commit = a.drop(drag)
    assert abc.seen(a)["s"] == "ACDBE" and commit["revision"] == abc.start + 1
    a.edit({"kind": "undo"})
    assert abc.seen(a)["s"] == "ABCDE"
    agree(a, b)


def test_DR_a_late_joiner_sees_live_drags(pair):
    abc, a, b = pair
    drag = a.begin(abc["A"])
    a.target(drag, {"section": "t", "at": "start"}, point={"x": 0.5, "y": 0.5}, t="x")
    b.expect(type="drag.target", t="x")
    late = abc.join("late")
    live = late.replica.welcome["drags"]
    assert len(live) == 1
    assert (live[0]["peer"], live[0]["drag"], live[0]["icons"]) == (a.me, drag, [abc["A"]])
    assert live[0]["target"] == {"section": "t", "index": 0} and live[0]["proposal"] == "move"
    a.cancel(drag)
    late.expect(type="drag.ended", drag=drag)


def test_O17_two_tabs_of_one_person(abc):
    """Two clients of one person are two peers; neither touches the other's drag."""
    t1, t2 = abc.join("Mia"), abc.join("Mia")
    d1 = t1.begin(abc["A"])
    t2.expect(type="drag.began", peer=t1.me)
    d2 = t2.begin(abc["B"])
    t2.cancel(d2)
    t1.expect(type="drag.ended", peer=t2.me, drag=d2)
    t2.close()
    t1.expect(type="peer.left", peer=t2.me)
    t1.target(d1, {"section": "t", "at": "end"})
    assert t1.drop(d1)["type"] == "commit"
    assert [e["drag"] for e in t1.heard(type="drag.ended", peer=t1.me)] in ([d1], [])
    t1.expect(type="drag.ended", peer=t1.me, drag=d1)
    agree(t1)


def test_DR1_drag_numbers_count_up(pair):
    abc, a, b = pair
    first = a.begin(abc["A"])
    a.cancel(first)
    a.expect(type="drag.ended")
    a.send({"type": "drag.begin", "drag": first, "icons": [abc["A"]]})
    answer = a.wait(lambda: a.heard(type="drag.denied") or a.heard(type="error"), "refusal")[0]
    assert answer.get("reason", answer.get("code")) == "invalid"
    agree(a, b)
