"""CM and BD: edits, answers, rules."""
import pytest

from client import agree, fence, new_id
from replica import lists


def icon(**more):
    return {"id": new_id(), "red": 1, "green": 0.5, "blue": 0, **more}


@pytest.fixture
def pair(abc):
    return abc, abc.join("U1"), abc.join("U2")


# the shape of answers
def test_CM4_a_commit_is_the_same_for_everyone(pair):
    abc, a, b = pair
    mine = a.move(abc["A"], after=abc["C"])
    assert set(mine) >= {"type", "revision", "peer", "client", "seq", "at", "edit"}
    assert (mine["peer"], mine["client"], mine["seq"]) == (a.me, a.client, 1)
    assert mine["edit"] == {"kind": "icon.move", "moves": [
        {"icon": abc["A"], "from": {"section": "s", "index": 0},
         "to": {"section": "s", "index": 2}}]}
    assert "undo" not in mine
    assert b.expect(type="commit") == mine
    agree(a, b)


def test_CM5_a_result_is_for_its_client_alone(pair):
    abc, a, b = pair
    result = a.move(new_id(), at="end")
    assert result == {"type": "result", "seq": 1, "status": "rejected", "revision": abc.start,
                      "reason": "icon_gone"}
    fence(a, b)
    assert not b.heard(type="result")


def test_CM12_O03_what_changes_nothing_is_a_noop(pair):
    abc, a, b = pair
    for to in ({"at": "start"}, {"index": 0}, {"before": abc["B"]}, {"after": abc["A"]},
               {"before": abc["A"]}):
        result = a.move(abc["A"], **to)
        assert (result["type"], result.get("status")) == ("result", "noop"), (to, result)
        assert result["revision"] == abc.start
    label = a.edit({"kind": "icon.update", "icon": abc["A"], "set": {"label": "A"}})
    assert label["status"] == "noop"
    assert a.edit({"kind": "board.update", "set": {}})["status"] == "noop"
    assert abc.server.board(abc.id)["revision"] == abc.start
    assert not b.heard(type="commit")


# ORD
def test_O02_end_index_and_indices_outside(layout):
    board = layout({"s": "ABC"})
    p = board.join()
    p.move(board["A"], at="end")
    assert board.seen(p) == {"s": "BCA"}
    p.move(board["A"], index=0)
    assert board.seen(p) == {"s": "ABC"}
    for index in (2, 3, 4, 2147483648):
        p.move(board["A"], index=index)
        assert board.seen(p) == {"s": "BCA"}, index
        p.move(board["A"], at="start")
    result = p.move(board["A"], index=-1)
    assert (result["status"], result["reason"]) == ("rejected", "invalid")
    assert "index" in result["field"]
    nowhere = p.edit({"kind": "icon.move", "icons": [board["A"]], "to": {}})
    assert (nowhere["status"], nowhere["reason"]) == ("rejected", "invalid")
    assert board.stored() == {"s": "ABC"}


def test_O04_an_empty_section_is_source_and_target(layout):
    board = layout({"p": "A", "q": ""})
    p, w = board.join(), board.join("watcher")
    p.move(board["A"], section="q", at="end")
    assert board.seen(p) == {"p": "", "q": "A"}
    p.move(board["A"], section="p", index=0)
    assert board.seen(p) == {"p": "A", "q": ""}
    for to, reason in (({"after": board["A"]}, "invalid"), ({"before": new_id()}, "invalid")):
        result = p.move(board["A"], section="q", **to)
        assert (result["status"], result.get("reason")) == ("rejected", reason), (to, result)
    p.move(board["A"], section="q", index=1)
    assert board.seen(p) == {"p": "", "q": "A"}
    assert agree(p, w) == {"p": [], "q": [board["A"]]}


def test_O04_the_only_icon_is_removed_under_a_hover(layout):
    board = layout({"p": "A", "q": "B"})
    p, w = board.join(), board.join("watcher")
    drag = p.begin(board["B"])
    p.target(drag, {"section": "p", "after": board["A"]})
    w.expect(type="drag.target", target={"section": "p", "index": 1})
    w.edit({"kind": "icon.remove", "icons": [board["A"]]})
    w.expect(type="drag.target", target={"section": "p", "index": 0})
    p.drop(drag)
    assert board.seen(p) == {"p": "B", "q": ""}
    agree(p, w)


def test_OR9_O07_a_block_keeps_the_order_given(layout):
    board = layout({"s": "ABCDEFG", "t": "XY"})
    p, w = board.join(), board.join("watcher")
    mine = p.move(board.many("EBD"), section="t", after=board["X"], before=board["Y"])
    assert mine["revision"] == board.start + 1
    assert board.seen(p) == {"s": "ACFG", "t": "XEBDY"}
    p.move(board.many("AG"), after=board["C"])
    assert board.seen(p) == {"s": "CAGF", "t": "XEBDY"}
    agree(p, w)


def test_O05_the_same_gap_again_and_again(layout):
    board = layout({"s": ["A", "X1", "X2", "B"]})
    p = board.join()
    sizes = []
    for i in range(300):
        p.move(board["X2"], after=board["A"], wait=False)
        p.move(board["X1"], after=board["A"], wait=False)
        if i in (10, 299):
            p.answer(p.seq)
            assert board.seen(p) == {"s": ["A", "X1", "X2", "B"]}
            sizes.append(len(str(p.events[-1])))
    assert max(sizes) <= min(sizes) + 10
    agree(p)


def test_O06_by_neighbour_in_a_filtered_view(layout):
    board = layout({"s": ["red1", "blue1", "red2", "blue2", "red3"]})
    p, w = board.join(), board.join("unfiltered")
    p.move(board["red3"], before=board["red2"])
    assert board.seen(p) == {"s": ["red1", "blue1", "red3", "red2", "blue2"]}
    fence(w)
    assert len([c for c in w.heard(type="commit") if c["edit"]["kind"] == "icon.move"]) == 1


# every kind of edit
def test_CM_icon_add(pair):
    abc, a, b = pair
    new = icon(label="N", symbol="✉️", link="https://example.org/")
    commit = a.edit({"kind": "icon.add", "icon": new, "to": {"section": "t", "index": 1}})
    assert commit["edit"] == {"kind": "icon.add",
                              "adds": [{"icon": new, "section": "t", "index": 1}]}
    again = b.edit({"kind": "icon.add", "icon": new, "to": {"section": "s", "at": "end"}})
    assert (again["status"], again["reason"]) == ("rejected", "duplicate_id")
    upper = b.edit({"kind": "icon.add", "icon": {**new, "id": new["id"].upper()},
                    "to": {"section": "s", "at": "end"}})
    assert upper["reason"] == "duplicate_id"
    nowhere = a.edit({"kind": "icon.add", "icon": icon(), "to": {"at": "end"}})
    assert (nowhere["reason"], "section" in nowhere["field"]) == ("invalid", True)
    gone = a.edit({"kind": "icon.add", "icon": icon(), "to": {"section": "zz", "at": "end"}})
    assert gone["reason"] == "section_gone"
    agree(a, b)


def test_CM_icon_add_without_id_gets_one(pair):
    abc, a, b = pair
    commit = a.edit({"kind": "icon.add", "icon": {"red": 0, "green": 0, "blue": 0},
                     "to": {"section": "s", "at": "start"}})
    made = commit["edit"]["adds"][0]["icon"]["id"]
    assert made == a.order["s"][0] and len(made) == 36
    agree(a, b)


def test_CM_icon_update_is_a_patch(pair):
    abc, a, b = pair
    a.edit({"kind": "icon.update", "icon": abc["A"], "set": {"symbol": "🏳️‍🌈", "red": 0.1}})
    a.edit({"kind": "icon.update", "icon": abc["A"], "set": {"label": None}})
    found = a.replica.find(abc["A"])[2]
    assert found == {"id": abc["A"], "red": 0.1, "green": 0.5, "blue": 0.75, "symbol": "🏳️‍🌈"}
    agree(a, b)


def test_CM_icon_update_cannot_clear_what_is_required(pair):
    abc, a, b = pair
    for values in ({"red": None}, {"id": new_id()}, {"red": 2}, {"label": 5}, {"locked": "yes"},
                   {"pinnedAt": -1}, {"pinnedAt": "0"}):
        result = a.edit({"kind": "icon.update", "icon": abc["A"], "set": values})
        if values.keys() == {"id"} and result.get("status") == "noop":
            continue                                    # an unknown field of a patch is ignored
        assert (result["type"], result["reason"]) == ("result", "invalid"), values
        assert next(iter(values)) in result["field"], result
    assert abc.server.board(abc.id)["revision"] == abc.start


def test_O13_an_update_from_an_old_view_moves_nothing(pair):
    abc, a, b = pair
    for x in "ABC":
        b.move(abc[x], section="t", at="end")
    a.edit({"kind": "icon.update", "icon": abc["A"], "set": {"label": "renamed"}}, base=abc.start)
    assert abc.seen(a) == {"s": "DE", "t": "XYZABC"}
    assert a.replica.find(abc["A"])[2]["label"] == "renamed"
    agree(a, b)


def test_CM_icon_remove(pair):
    abc, a, b = pair
    commit = a.edit({"kind": "icon.remove", "icons": abc.many("BD")})
    assert commit["edit"]["kind"] == "icon.remove" and len(commit["edit"]["removes"]) == 2
    assert abc.seen(a)["s"] == "ACE"
    part = a.edit({"kind": "icon.remove", "icons": abc.many("BA")})
    assert part["type"] == "commit" and abc.seen(a)["s"] == "CE"
    assert a.edit({"kind": "icon.remove", "icons": abc.many("BD")})["reason"] == "icon_gone"
    agree(a, b)


@pytest.mark.parametrize("edit", [
    {"kind": "icon.move", "icons": ["A"], "to": {"at": "end"}},
    {"kind": "icon.update", "icon": "A", "set": {"label": "back"}},
    {"kind": "icon.copy", "icons": ["A"], "to": {"section": "t", "at": "end"}},
    {"kind": "icon.remove", "icons": ["A"]}], ids=lambda e: e["kind"])
def test_OR7_O11_nothing_brings_a_removed_icon_back(pair, edit):
    abc, a, b = pair
    base = abc.start
    a.edit({"kind": "icon.remove", "icons": [abc["A"]]})
    edit = {k: [abc["A"]] if v == ["A"] else abc["A"] if v == "A" else v for k, v in edit.items()}
    result = b.edit(edit, base=base)
    assert (result["status"], result["reason"]) == ("rejected", "icon_gone")
    b.drag_number += 1
    b.send({"type": "drag.begin", "drag": b.drag_number, "icons": [abc["A"]]})
    assert b.expect(type="drag.denied", drag=b.drag_number)["reason"] == "icon_gone"
    assert abc["A"] not in agree(a, b)["s"]


def test_OR6_O09_two_people_move_one_icon(pair):
    abc, a, b = pair
    w = abc.join("watcher")
    for i in range(20):
        base = min(a.revision, b.revision)
        first, second = (a, b) if i % 2 else (b, a)
        s1 = first.move(abc["A"], wait=False, base=base, section="t", after=abc["X"])
        s2 = second.move(abc["A"], wait=False, base=base, section="s", at="end")
        first.answer(s1), second.answer(s2)
        places = agree(a, b, w)
        assert sum(abc["A"] in icons for icons in places.values()) == 1
    assert all(len(x) == 1 for p in (a, b) for x in p.replica.answers.values())


def test_O14_two_adds_at_the_end(pair):
    abc, a, b = pair
    w = abc.join("watcher")
    for _ in range(10):
        base, x, y = min(a.revision, b.revision), icon(), icon()
        s1 = a.edit({"kind": "icon.add", "icon": x, "to": {"section": "t", "at": "end"}}, base,
                    wait=False)
        s2 = b.edit({"kind": "icon.add", "icon": y, "to": {"section": "t", "at": "end"}}, base,
                    wait=False)
        assert a.answer(s1)["type"] == b.answer(s2)["type"] == "commit"
        assert set(agree(a, b, w)["t"][-2:]) == {x["id"], y["id"]}


def test_CM_icon_copy(pair):
    abc, a, b = pair
    new = [new_id(), new_id()]
    commit = a.edit({"kind": "icon.copy", "icons": abc.many("BA"), "newIDs": new,
                     "to": {"section": "t", "after": abc["X"]}})
    assert commit["edit"]["kind"] == "icon.add" and len(commit["edit"]["adds"]) == 2
    assert a.order["t"] == [abc["X"], *new, abc["Y"], abc["Z"]]
    assert a.replica.find(new[0])[2]["label"] == "B"
    made = a.edit({"kind": "icon.copy", "icons": [abc["A"]], "to": {"section": "t", "at": "end"}})
    assert made["edit"]["adds"][0]["icon"]["id"] not in abc.names
    twice = a.edit({"kind": "icon.copy", "icons": abc.many("A"), "newIDs": new[:1],
                    "to": {"section": "t", "at": "end"}})
    assert twice["reason"] == "duplicate_id"
    uneven = a.edit({"kind": "icon.copy", "icons": abc.many("AB"), "newIDs": [new_id()] * 2,
                     "to": {"section": "t", "at": "end"}})
    assert uneven["reason"] in ("invalid", "duplicate_id")
    agree(a, b)


def test_BD9_a_copy_is_neither_locked_nor_pinned(layout):
    board = layout({"s": "ABC"}, pins={"s": {0: "A"}}, locked="B")
    p = board.join()
    for x in "AB":
        copy = p.edit({"kind": "icon.copy", "icons": [board[x]], "to": {"section": "s", "at": "end"}})
        made = copy["edit"]["adds"][0]["icon"]
        assert not made.get("locked") and "pinnedAt" not in made
    agree(p)


def test_CM_sections(pair):
    abc, a, b = pair
    new = {"id": "n", "title": "New", "layout": {"kind": "row", "columns": 3}, "lift": "move",
           "drop": "any", "icons": []}
    commit = a.edit({"kind": "section.add", "section": new, "before": "t"})
    assert commit["edit"] == {"kind": "section.add", "section": new, "index": 1}
    assert a.edit({"kind": "section.add", "section": new})["reason"] == "duplicate_id"
    a.edit({"kind": "section.update", "section": "n", "set": {"title": "Neu", "capacity": 2}})
    a.edit({"kind": "section.update", "section": "n", "set": {"capacity": None, "lift": "copy"}})
    a.edit({"kind": "section.update", "section": "n", "set": {"layout": {"kind": "grid", "columns": 5}}})
    assert a.replica.section("n") == {**new, "title": "Neu", "lift": "copy",
                                      "layout": {"kind": "grid", "columns": 5}}
    moved = a.edit({"kind": "section.move", "section": "n"})
    assert moved["edit"] == {"kind": "section.move", "section": "n", "from": 1, "to": 2}
    a.edit({"kind": "section.move", "section": "n", "before": "s"})
    assert [s["id"] for s in a.replica.board["sections"]] == ["n", "s", "t"]
    assert a.edit({"kind": "section.move", "section": "n", "before": "s"})["status"] == "noop"
    assert a.edit({"kind": "section.remove", "section": "s"})["reason"] == "section_not_empty"
    removed = a.edit({"kind": "section.remove", "section": "n"})
    assert removed["edit"] == {"kind": "section.remove", "section": "n", "index": 0}
    for edit in ({"kind": "section.remove", "section": "n"},
                 {"kind": "section.move", "section": "n"},
                 {"kind": "section.move", "section": "s", "before": "n"},
                 {"kind": "section.update", "section": "n", "set": {"title": "x"}}):
        assert a.edit(edit)["reason"] == "section_gone", edit
    agree(a, b)


def test_CM_board_update(pair):
    abc, a, b = pair
    a.edit({"kind": "board.update", "set": {
        "title": "T", "presentation": {"axis": "vertical", "minimumPressMs": 500}}})
    assert a.replica.board["title"] == "T"
    assert a.replica.board["presentation"] == {"axis": "vertical", "minimumPressMs": 500}
    agree(a, b)


# rules
def test_BD6_drop_none_own_and_capacity(layout):
    board = layout({"s": "ABC", "none": {"icons": "N", "drop": "none"},
                    "own": {"icons": "OP", "drop": "own"},
                    "full": {"icons": "FG", "capacity": 2}})
    p = board.join()
    for section, reason in (("none", "drop_forbidden"), ("own", "drop_forbidden"),
                            ("full", "section_full")):
        for edit in ({"kind": "icon.move", "icons": [board["A"]]},
                     {"kind": "icon.add", "icon": icon()},
                     {"kind": "icon.copy", "icons": [board["A"]]}):
            result = p.edit({**edit, "to": {"section": section, "at": "end"}})
            assert (result["status"], result["reason"]) == ("rejected", reason), (edit, section)
    assert p.move(board["O"], at="end")["type"] == "commit"
    assert p.move(board["F"], at="end")["type"] == "commit"
    assert p.move(board["N"], section="s", at="end")["type"] == "commit"
    assert board.seen(p) == {"s": "ABCN", "none": "", "own": "PO", "full": "GF"}
    agree(p)


def test_BD6_lift_none_and_copy(layout):
    board = layout({"s": "ABC", "none": {"icons": "N", "lift": "none"},
                    "palette": {"icons": "PQ", "lift": "copy"}})
    p = board.join()
    assert p.move(board["N"], section="s", at="end")["reason"] == "section_locked"
    assert p.move(board["P"], section="s", at="end")["reason"] == "section_locked"
    assert p.move(board["P"], at="end")["reason"] == "section_locked"
    copy = {"kind": "icon.copy", "to": {"section": "s", "at": "end"}}
    assert p.edit({**copy, "icons": [board["N"]]})["reason"] == "section_locked"
    assert p.edit({**copy, "icons": [board["P"]]})["type"] == "commit"
    assert len(p.order["s"]) == 4 and len(p.order["palette"]) == 2
    agree(p)


def test_BD4_locked_icons_are_pushed_along(layout):
    board = layout({"s": "ABC"}, locked="B")
    p = board.join()
    assert p.move(board["B"], at="end")["reason"] == "icon_locked"
    p.move(board["A"], at="end")
    assert board.seen(p) == {"s": "BCA"}
    assert p.move(board.many("CB"), at="end")["reason"] == "icon_locked"
    p.edit({"kind": "icon.update", "icon": board["B"], "set": {"locked": None}})
    p.move(board["B"], at="end")
    assert board.seen(p) == {"s": "CAB"}
    agree(p)


def test_BD5_OR12_pins_hold_their_index(layout):
    board = layout({"s": "ABCDE"})
    p, w = board.join(), board.join("watcher")
    p.edit({"kind": "icon.update", "icon": board["B"], "set": {"pinnedAt": 3}})
    assert board.seen(p) == {"s": "ACDBE"}
    assert p.move(board["B"], at="end")["reason"] == "icon_pinned"
    p.move(board["A"], at="end")
    assert board.seen(p) == {"s": "CDEBA"}
    p.edit({"kind": "icon.remove", "icons": board.many("CD")})
    assert board.seen(p) == {"s": "EAB"}
    p.edit({"kind": "icon.add", "icon": board.icon("F"), "to": {"section": "s", "at": "start"}})
    p.edit({"kind": "icon.add", "icon": board.icon("G"), "to": {"section": "s", "at": "end"}})
    assert board.seen(p) == {"s": "FEABG"}
    p.edit({"kind": "icon.update", "icon": board["B"], "set": {"pinnedAt": None}})
    assert board.seen(p) == {"s": "FEABG"}
    p.move(board["B"], at="start")
    assert board.seen(p) == {"s": "BFEAG"}
    agree(p, w)


# sequence
def test_CM9_a_repeat_is_a_duplicate_whatever_it_says(pair):
    """O-26"""
    abc, a, b = pair
    a.move(abc["A"], at="end")
    a.move(abc["A"], at="end")
    a.move(new_id(), at="end")
    for seq, decided in ((1, "applied"), (2, "noop"), (3, "rejected")):
        for edit in ({"kind": "icon.move", "icons": [abc["A"]], "to": {"at": "end"}},
                     {"kind": "icon.remove", "icons": [abc["B"]]}, {"kind": "nonsense"}):
            number = len(a.replica.answers[seq])
            a.edit(edit, seq=seq, wait=False)
            again = a.answer(seq, number)
            assert (again["type"], again["status"]) == ("result", "duplicate")
            assert again["decided"] == decided
    assert a.move(abc["B"], at="end")["seq"] == 4
    agree(a, b)


def test_CM9_a_repeat_of_what_is_pending_comes_after_it(pair):
    abc, a, b = pair
    message = a.message({"kind": "icon.move", "icons": [abc["A"]], "to": {"at": "end"}})
    a.send(message, message, message)
    first, second, third = (a.answer(1, n) for n in range(3))
    assert first["type"] == "commit"
    assert second["status"] == third["status"] == "duplicate" and second["decided"] == "applied"
    agree(a, b)


def test_CM9_the_last_32_decisions_are_remembered(pair):
    abc, a, _ = pair
    for i in range(40):
        a.move(abc["ABCDE"[i % 5]], at="end", wait=False)
    a.answer(40)
    for seq in range(9, 41):
        a.edit({"kind": "undo"}, seq=seq, wait=False)
        assert a.answer(seq, 1)["decided"] == "applied", seq
    a.edit({"kind": "undo"}, seq=1, wait=False)
    assert a.answer(1, 1)["status"] == "duplicate"


def test_CM10_a_gap_is_not_decided(pair):
    abc, a, b = pair
    a.move(abc["A"], at="end")
    for seq in (3, 4, 1000):
        result = a.edit({"kind": "undo"}, seq=seq)
        assert (result["status"], result["reason"]) == ("rejected", "seq_gap")
        assert result["lastSeq"] == 1
    for seq in (0, -1, -1000):
        result = a.edit({"kind": "undo"}, seq=seq)
        assert (result["status"], result["reason"]) == ("rejected", "invalid"), result
        assert result["seq"] == seq and "seq" in result["field"]
    assert a.move(abc["B"], at="end")["seq"] == 2
    agree(a, b)


def test_CM3_answers_come_in_order_of_seq(pair):
    """O-54: 200 edits of all sorts in one TCP segment."""
    abc, a, b = pair
    messages = []
    for i in range(200):
        edit = ({"kind": "icon.move", "icons": [abc["ABCDE"[i % 5]]], "to": {"at": "end"}},
                {"kind": "icon.move", "icons": [new_id()], "to": {"at": "end"}},
                {"kind": "icon.update", "icon": abc["A"], "set": {"label": f"{i}"}},
                {"kind": "icon.move", "icons": [abc["X"]], "to": {"at": "start"}})[i % 4]
        messages.append(a.message(edit))
    a.send(*messages)
    a.answer(200)
    order = [e["seq"] for e in a.events
             if e["type"] == "result" or e["type"] == "commit" and e["client"] == a.client]
    assert order == list(range(1, 201))
    agree(a, b)


@pytest.mark.parametrize("base", [-1, "+1", "+1000"])
def test_CM2_a_base_that_never_was_is_invalid(pair, base):
    abc, a, _ = pair
    value = abc.start + int(base) if isinstance(base, str) else base
    result = a.move(abc["A"], at="end", base=value)
    assert (result["status"], result["reason"], result["field"]) == ("rejected", "invalid", "base")


def test_CM8_results_follow_the_commits_they_know_of(pair):
    """The replica checks it on each result; this makes many of them race."""
    abc, a, b = pair
    for i in range(50):
        b.move(abc["ABCDE"[i % 5]], at="end", wait=False)
        a.move(new_id(), at="end", wait=False)
    a.answer(50), b.answer(50)
    agree(a, b)


def test_CM17_O15_moves_between_sections_are_whole(abc):
    """A strict watcher checks each event; 600 moves by three clients."""
    people = [abc.join(f"U{i}") for i in range(3)]
    watcher = abc.join("watcher")
    for i in range(200):
        for j, p in enumerate(people):
            p.move(abc["ABCDEXYZ"[(i * 3 + j * 5) % 8]], section="st"[(i + j) % 2],
                   index=(i * 7 + j) % 4, wait=False, base=p.revision)
        if i % 20 == 0:
            for p in (*people, watcher):
                p.pump()
    for p in people:
        p.answer(200)
    agree(*people, watcher)


# undo
def test_OR10_undo_goes_home_and_says_so(pair):
    abc, a, b = pair
    a.move(abc["B"], section="t", at="end")
    commit = a.edit({"kind": "undo"})
    assert commit["undo"] is True and commit["edit"]["kind"] == "icon.move"
    assert abc.seen(a)["s"] == "ABCDE"
    assert a.edit({"kind": "undo"})["reason"] == "nothing_to_undo"
    assert a.edit({"kind": "redo"})["type"] == "commit"
    assert abc.seen(a) == {"s": "ACDE", "t": "XYZB"}
    assert a.edit({"kind": "redo"})["reason"] == "nothing_to_redo"
    assert b.edit({"kind": "undo"})["reason"] == "nothing_to_undo"
    agree(a, b)


def test_OR11_undo_of_an_update_gives_back_what_is_still_mine(pair):
    abc, a, b = pair
    a.edit({"kind": "icon.update", "icon": abc["A"], "set": {"label": "mine", "red": 1}})
    b.edit({"kind": "icon.update", "icon": abc["A"], "set": {"label": "theirs"}})
    a.edit({"kind": "undo"})
    found = a.replica.find(abc["A"])[2]
    assert (found["label"], found["red"]) == ("theirs", 0.25)
    agree(a, b)


def test_OR11_a_hundred_steps(pair):
    abc, a, b = pair
    for i in range(103):
        a.move(abc["A"], at="end" if i % 2 == 0 else "start", wait=False)
    a.answer(103)
    for _ in range(101):
        a.edit({"kind": "undo"}, wait=False)
    assert a.answer(203)["type"] == "commit"
    assert a.answer(204)["reason"] == "nothing_to_undo"
    agree(a, b)


def test_OR10_an_undone_removal_is_the_whole_icon(pair):
    abc, a, b = pair
    before = a.replica.find(abc["B"])[2]
    a.edit({"kind": "icon.remove", "icons": [abc["B"]]})
    a.edit({"kind": "undo"})
    assert a.replica.find(abc["B"]) == ("s", 1, before)
    agree(a, b)


# limits
def test_CM13_labels_have_two_limits(pair):
    """O-44"""
    abc, a, b = pair
    limits = a.replica.welcome["limits"]
    many = limits["labelCharacters"]
    family = "👨‍👩‍👧‍👦"
    cases = [("a" * many, True), ("a" * (many + 1), False), ("e" + "\u0301" * 2000, False),
             (family * many, False), ("a" * (many - 1) + "🏳️‍🌈", True), ("", True), (" ", True),
             ("🇩🇪" * (limits["labelBytes"] // 8), True)]
    for label, fine in cases:
        answer = a.edit({"kind": "icon.update", "icon": abc["A"], "set": {"label": label}})
        if fine:
            assert answer["type"] == "commit", (label, answer)
            assert a.replica.find(abc["A"])[2].get("label", "") == label    # an empty one is none
        else:
            assert answer["reason"] in ("limit", "invalid"), (label[:20], answer)
            assert "label" in answer.get("field", "label")
    agree(a, b)


def test_CM13_the_2001st_icon_is_limit(layout):
    board = layout({"s": [f"i{n}" for n in range(2000)]})
    p = board.join()
    result = p.edit({"kind": "icon.add", "icon": icon(), "to": {"section": "s", "at": "end"}})
    assert (result["status"], result["reason"]) == ("rejected", "limit")


def test_CM13_a_snapshot_over_900_KiB_is_limit(layout):
    board = layout({"s": [f"i{n}" for n in range(1000)]})
    p = board.join()
    text = {"label": "ü" * 100, "link": "https://example.org/" + "a" * 900}
    refused = 0
    for n in range(1000):
        p.edit({"kind": "icon.update", "icon": board[f"i{n}"], "set": text}, wait=False)
        p.pump()
    for seq in range(1, 1001):
        answer = p.answer(seq)
        if answer["type"] == "result":
            assert (answer["status"], answer["reason"]) == ("rejected", "limit"), answer
            refused += 1
    assert 0 < refused < 1000
    agree(p)
    q = board.join()
    assert lists(q.replica.board) == lists(p.replica.board)


@pytest.mark.parametrize("label", [
    "a\nb", "a\r\nb", "\u2028", "\u0000", "\u001b[31m", "\u0085",
    "</script><img src=x onerror=alert(1)>", '{"t":"remove"}\n{"t":"remove"}', '"', "\\" * 64,
    "日本語", "e\u0301", "\u200b", "a" + "\u200d" * 60, "1️⃣", "각"], ids=ascii)
def test_O46_text_is_kept_as_it_is_or_refused(pair, label):
    abc, a, b = pair
    answer = a.edit({"kind": "icon.update", "icon": abc["A"], "set": {"label": label}})
    if answer["type"] == "commit":
        assert a.replica.find(abc["A"])[2]["label"] == label
        assert agree(a, b)
    else:
        assert answer["reason"] == "invalid" and "label" in answer["field"]
