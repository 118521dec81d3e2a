"""ER: what can't be read or done is refused whole, by name, and nothing else happens."""
import json
import re

import pytest

from client import Peer, agree, fence, new_id
from server import Layout

A, B, X = (f"0000000{i}-0000-4000-8000-00000000000a" for i in (1, 2, 3))
NOBODY = "00000009-0000-4000-8000-000000000009"


@pytest.fixture(scope="module")
def field_board(shared_server):
    board = Layout.__new__(Layout)
    Layout.__init__(board, shared_server, {"s": "", "t": ""})
    content = shared_server.board(board.id)
    icon = {"red": 0.5, "green": 0.5, "blue": 0.5}
    content["sections"][0]["icons"] = [{"id": A, **icon}, {"id": B, **icon}]
    content["sections"][1]["icons"] = [{"id": X, **icon}]
    assert shared_server.put(board.id, content).status == 200
    return board


def names(field, expected):
    """`field` names `expected`: the last part of the expected path is a part of it."""
    parts = re.split(r"[.\[\]/]+", field or "")
    return expected.split(".")[-1] in parts


def unchanged_and_alive(peer, before):
    answer = peer.edit({"kind": "icon.move", "icons": [NOBODY], "to": {"at": "end"}})
    assert answer["reason"] == "icon_gone", answer
    assert peer.server.board(peer.board_id) == before


# messages without a readable seq: an error
EVIL = "\ud83d"
ERRORS = [
    ("nothing", b"", "malformed", None),
    ("text", b"hello", "malformed", None),
    ("half", b'{"type":"drag.cancel"', "malformed", None),
    ("two objects", b'{"type":"drag.cancel","drag":1}{}', "malformed", None),
    ("array", b'[{"type":"drag.cancel","drag":1}]', "malformed", None),
    ("string", b'"drag.cancel"', "malformed", None),
    ("null", b"null", "malformed", None),
    ("number", b"7", "malformed", None),
    ("single quotes", b"{'type':'drag.cancel','drag':1}", "malformed", None),
    ("trailing comma", b'{"type":"drag.cancel","drag":1,}', "malformed", None),
    ("comment", b'{"type":"drag.cancel",/* */"drag":1}', "malformed", None),
    ("NaN", b'{"type":"drag.cancel","drag":NaN}', None, None),
    ("leading zero", b'{"type":"drag.cancel","drag":01}', None, None),
    ("plus", b'{"type":"drag.cancel","drag":+1}', None, None),
    ("hex", b'{"type":"drag.cancel","drag":0x10}', None, None),
    ("raw line break", b'{"type":"drag.cancel","drag":1,"x":"a\nb"}', None, None),
    ("half a pair", b'{"type":"drag.cancel","drag":1,"x":"\\ud83d"}', None, None),
    ("swapped pair", b'{"type":"drag.cancel","drag":1,"x":"\\ude00\\ud83d"}', None, None),
    ("no type", {"drag": 1}, "invalid", "type"),
    ("type 5", {"type": 5}, "invalid", "type"),
    ("type null", {"type": None, "drag": 1}, "invalid", "type"),
    ("unknown type", {"type": "drag.fly", "drag": 1}, "unknown_type", None),
    ("empty type", {"type": ""}, "unknown_type", None),
    ("a server's type", {"type": "commit", "revision": 9}, "unknown_type", None),
    ("begin without drag", {"type": "drag.begin", "icons": [A]}, "invalid", "drag"),
    ("begin drag text", {"type": "drag.begin", "drag": "1", "icons": [A]}, "invalid", "drag"),
    ("begin drag 1.5", {"type": "drag.begin", "drag": 1.5, "icons": [A]}, "invalid", "drag"),
    ("begin drag huge", b'{"type":"drag.begin","drag":1e400,"icons":[]}', None, "drag"),
    ("begin without icons", {"type": "drag.begin", "drag": 1}, "invalid", "icons"),
    ("begin no icons", {"type": "drag.begin", "drag": 1, "icons": []}, "invalid", "icons"),
    ("begin icons text", {"type": "drag.begin", "drag": 1, "icons": A}, "invalid", "icons"),
    ("begin icon 5", {"type": "drag.begin", "drag": 1, "icons": [5]}, "invalid", "icons"),
    ("begin icon name", {"type": "drag.begin", "drag": 1, "icons": [A, "mail"]}, "invalid", "icons"),
    ("target without drag", {"type": "drag.target", "target": None}, "invalid", "drag"),
    ("target without target", {"type": "drag.target", "drag": 1, "base": 0}, "invalid", "target"),
    ("target text", {"type": "drag.target", "drag": 1, "target": "end"}, "invalid", "target"),
    ("target at", {"type": "drag.target", "drag": 1, "target": {"at": "middle"}}, "invalid", "at"),
    ("target section", {"type": "drag.target", "drag": 1, "target": {"section": 5, "at": "end"}},
     "invalid", "section"),
    ("target section form", {"type": "drag.target", "drag": 1,
                             "target": {"section": "No Such", "at": "end"}}, "invalid", "section"),
    ("target after", {"type": "drag.target", "drag": 1, "target": {"after": "x"}}, "invalid", "after"),
    ("target before", {"type": "drag.target", "drag": 1, "target": {"before": 1}},
     "invalid", "before"),
    ("target index text", {"type": "drag.target", "drag": 1, "target": {"index": "1"}},
     "invalid", "index"),
    ("target index 1.5", {"type": "drag.target", "drag": 1, "target": {"index": 1.5}},
     "invalid", "index"),
    ("target base text", {"type": "drag.target", "drag": 1, "base": "1", "target": None},
     "invalid", "base"),
    ("target point", {"type": "drag.target", "drag": 1, "target": None, "point": 5},
     "invalid", "point"),
    ("target point x", {"type": "drag.target", "drag": 1, "target": None,
                        "point": {"x": "1", "y": 0}}, "invalid", "x"),
    ("target copy", {"type": "drag.target", "drag": 1, "target": None, "copy": "yes"},
     "invalid", "copy"),
    ("target t", {"type": "drag.target", "drag": 1, "target": None, "t": 5}, "invalid", "t"),
    ("target t long", {"type": "drag.target", "drag": 1, "target": None, "t": "x" * 33},
     "invalid", "t"),
    ("cancel without drag", {"type": "drag.cancel"}, "invalid", "drag"),
    ("cancel drag null", {"type": "drag.cancel", "drag": None}, "invalid", "drag"),
    ("drop without seq", {"type": "drag.drop", "drag": 1, "base": 0}, "invalid", "seq"),
    ("drop seq text", {"type": "drag.drop", "drag": 1, "seq": "1", "base": 0}, "invalid", "seq"),
    ("edit without seq", {"type": "edit", "base": 0, "edit": {"kind": "undo"}}, "invalid", "seq"),
    ("edit seq text", {"type": "edit", "seq": "1", "base": 0, "edit": {"kind": "undo"}},
     "invalid", "seq"),
    ("edit seq null", {"type": "edit", "seq": None, "base": 0, "edit": {"kind": "undo"}},
     "invalid", "seq"),
    ("edit seq 1.5", {"type": "edit", "seq": 1.5, "base": 0, "edit": {"kind": "undo"}},
     "invalid", "seq"),
    ("edit seq true", {"type": "edit", "seq": True, "base": 0, "edit": {"kind": "undo"}},
     "invalid", "seq"),
    ("edit seq huge", b'{"type":"edit","seq":9223372036854775808,"base":0,"edit":{"kind":"undo"}}',
     "invalid", "seq"),
]


@pytest.mark.parametrize("message,code,field", [c[1:] for c in ERRORS], ids=[c[0] for c in ERRORS])
def test_ER1_ER4_errors_name_the_field(field_board, message, code, field):
    p, w = field_board.join(), field_board.join("watcher")
    before = p.server.board(p.board_id)
    since = w.mark()
    p.socket.send_text(message)
    error = p.expect(type="error", timeout=5)
    assert error["code"] in ((code,) if code else ("malformed", "invalid")), error
    if field and error["code"] == "invalid":
        assert names(error.get("field"), field), error
    unchanged_and_alive(p, before)
    fence(w)
    assert not [e for e in w.events[since:] if e["type"] != "commit"]
    assert len(p.heard(type="error")) == 1


# edits whose seq can be read: a result
def edit(kind, **fields):
    return {"kind": kind, **fields}


ICON = {"id": NOBODY, "red": 0, "green": 0, "blue": 0}
END = {"section": "s", "at": "end"}
NEW = {"id": "n", "title": "N", "layout": {"kind": "grid", "columns": 4}, "lift": "move",
       "drop": "any", "icons": []}
INVALID = [
    ("no edit", None, "edit"), ("edit text", "undo", "edit"), ("edit list", [], "edit"),
    ("no kind", {}, "kind"), ("kind 5", edit(5), "kind"), ("kind unknown", edit("icon.fly"), "kind"),
    ("move without icons", edit("icon.move", to=END), "icons"),
    ("move no icons", edit("icon.move", icons=[], to=END), "icons"),
    ("move icons text", edit("icon.move", icons=A, to=END), "icons"),
    ("move icon form", edit("icon.move", icons=["mail"], to=END), "icons"),
    ("move twice", edit("icon.move", icons=[A, A], to=END), "icons"),
    ("move twice in other case", edit("icon.move", icons=[A, A.upper()], to=END), "icons"),
    ("move without to", edit("icon.move", icons=[A]), "to"),
    ("move to null", edit("icon.move", icons=[A], to=None), "to"),
    ("move to text", edit("icon.move", icons=[A], to="end"), "to"),
    ("move at", edit("icon.move", icons=[A], to={"at": "top"}), "at"),
    ("move at 5", edit("icon.move", icons=[A], to={"at": 5}), "at"),
    ("move after", edit("icon.move", icons=[A], to={"after": "B"}), "after"),
    ("move before", edit("icon.move", icons=[A], to={"before": []}), "before"),
    ("move index", edit("icon.move", icons=[A], to={"index": "0"}), "index"),
    ("move index 0.5", edit("icon.move", icons=[A], to={"index": 0.5}), "index"),
    ("move index true", edit("icon.move", icons=[A], to={"index": True}), "index"),
    ("move index below", edit("icon.move", icons=[A], to={"index": -1}), "index"),
    ("move section", edit("icon.move", icons=[A], to={"section": "S !", "at": "end"}), "section"),
    ("add without icon", edit("icon.add", to=END), "icon"),
    ("add icon text", edit("icon.add", icon="x", to=END), "icon"),
    ("add id", edit("icon.add", icon={**ICON, "id": "x"}, to=END), "id"),
    ("add id 5", edit("icon.add", icon={**ICON, "id": 5}, to=END), "id"),
    ("add without red", edit("icon.add", icon={"id": NOBODY, "green": 0, "blue": 0}, to=END), "red"),
    ("add red text", edit("icon.add", icon={**ICON, "red": "1"}, to=END), "red"),
    ("add red true", edit("icon.add", icon={**ICON, "red": True}, to=END), "red"),
    ("add red null", edit("icon.add", icon={**ICON, "red": None}, to=END), "red"),
    ("add green 1.01", edit("icon.add", icon={**ICON, "green": 1.01}, to=END), "green"),
    ("add blue below", edit("icon.add", icon={**ICON, "blue": -0.01}, to=END), "blue"),
    ("add label 5", edit("icon.add", icon={**ICON, "label": 5}, to=END), "label"),
    ("add symbol list", edit("icon.add", icon={**ICON, "symbol": []}, to=END), "symbol"),
    ("add link 5", edit("icon.add", icon={**ICON, "link": 5}, to=END), "link"),
    ("add locked 1", edit("icon.add", icon={**ICON, "locked": 1}, to=END), "locked"),
    ("add pinned", edit("icon.add", icon={**ICON, "pinnedAt": "0"}, to=END), "pinnedAt"),
    ("add without to", edit("icon.add", icon=ICON), "to"),
    ("add without section", edit("icon.add", icon=ICON, to={"at": "end"}), "section"),
    ("copy without icons", edit("icon.copy", to=END), "icons"),
    ("copy newIDs text", edit("icon.copy", icons=[A], newIDs="x", to=END), "newIDs"),
    ("copy newIDs form", edit("icon.copy", icons=[A], newIDs=["x"], to=END), "newIDs"),
    ("copy newIDs twice", edit("icon.copy", icons=[A, B], newIDs=[NOBODY, NOBODY], to=END), "newIDs"),
    ("copy without section", edit("icon.copy", icons=[A], to={"at": "end"}), "section"),
    ("update without icon", edit("icon.update", set={"label": "x"}), "icon"),
    ("update icon form", edit("icon.update", icon="x", set={}), "icon"),
    ("update without set", edit("icon.update", icon=A), "set"),
    ("update set text", edit("icon.update", icon=A, set="x"), "set"),
    ("update red null", edit("icon.update", icon=A, set={"red": None}), "red"),
    ("update red 2", edit("icon.update", icon=A, set={"label": "x", "red": 2}), "red"),
    ("update label 5", edit("icon.update", icon=A, set={"label": 5}), "label"),
    ("update locked text", edit("icon.update", icon=A, set={"locked": "no"}), "locked"),
    ("update pin below", edit("icon.update", icon=A, set={"pinnedAt": -1}), "pinnedAt"),
    ("remove without icons", edit("icon.remove"), "icons"),
    ("remove no icons", edit("icon.remove", icons=[]), "icons"),
    ("remove icon form", edit("icon.remove", icons=[A, 5]), "icons"),
    ("section.add without section", edit("section.add"), "section"),
    ("section.add id", edit("section.add", section={**NEW, "id": "N"}), "id"),
    ("section.add title", edit("section.add", section={**NEW, "title": 5}), "title"),
    ("section.add lift", edit("section.add", section={**NEW, "lift": "up"}), "lift"),
    ("section.add drop", edit("section.add", section={**NEW, "drop": "all"}), "drop"),
    ("section.add kind", edit("section.add", section={**NEW, "layout": {"kind": "x", "columns": 4}}),
     "kind"),
    ("section.add columns", edit("section.add", section={
        **NEW, "layout": {"kind": "grid", "columns": 0}}), "columns"),
    ("section.add capacity", edit("section.add", section={**NEW, "capacity": -1}), "capacity"),
    ("section.add icons", edit("section.add", section={**NEW, "icons": [5]}), "icons"),
    ("section.add before", edit("section.add", section=NEW, before=5), "before"),
    ("section.update without section", edit("section.update", set={}), "section"),
    ("section.update without set", edit("section.update", section="s"), "set"),
    ("section.update title null", edit("section.update", section="s", set={"title": None}), "title"),
    ("section.update lift", edit("section.update", section="s", set={"lift": True}), "lift"),
    ("section.update capacity", edit("section.update", section="s", set={"capacity": "2"}),
     "capacity"),
    ("section.move without section", edit("section.move"), "section"),
    ("section.remove form", edit("section.remove", section="S"), "section"),
    ("board.update without set", edit("board.update"), "set"),
    ("board.update title", edit("board.update", set={"title": 5}), "title"),
    ("board.update title null", edit("board.update", set={"title": None}), "title"),
    ("board.update axis", edit("board.update", set={"presentation": {"axis": "z"}}), "axis"),
    ("board.update press", edit("board.update", set={"presentation": {"minimumPressMs": -1}}),
     "minimumPressMs"),
]


@pytest.mark.parametrize("bad,field", [c[1:] for c in INVALID], ids=[c[0] for c in INVALID])
def test_ER4_CM15_invalid_edits_name_the_field(field_board, bad, field):
    p = field_board.join()
    before = p.server.board(p.board_id)
    message = p.message(bad)
    if bad is None:
        del message["edit"]
    p.send(message)
    answer = p.answer(1)
    assert (answer["type"], answer["status"], answer.get("reason")) == \
        ("result", "rejected", "invalid"), answer
    assert names(answer.get("field"), field), answer
    unchanged_and_alive(p, before)


BAD_DROPS = [
    ("no drag", {}, "drag"), ("drag text", {"drag": "1"}, "drag"),
    ("base text", {"drag": 1, "base": "0"}, "base"), ("base below", {"drag": 1, "base": -1}, "base"),
    ("target text", {"drag": 1, "target": "x"}, "target"),
    ("target at", {"drag": 1, "target": {"at": 1}}, "at"),
    ("copy text", {"drag": 1, "copy": "x", "target": END}, "copy"),
    ("newIDs text", {"drag": 1, "newIDs": "x", "target": END}, "newIDs"),
]


@pytest.mark.parametrize("fields,field", [c[1:] for c in BAD_DROPS], ids=[c[0] for c in BAD_DROPS])
def test_DR9_invalid_drops_name_the_field(field_board, fields, field):
    p = field_board.join()
    before = p.server.board(p.board_id)
    p.begin(A)
    p.seq = 1
    p.send({"type": "drag.drop", "seq": 1, "base": p.revision, **fields})
    answer = p.answer(1)
    assert (answer["status"], answer["reason"]) == ("rejected", "invalid"), answer
    assert names(answer.get("field"), field), answer
    unchanged_and_alive(p, before)
    p.begin(B)


@pytest.mark.parametrize("base", ["1", 1.5, None, True, [], 1 << 63], ids=str)
def test_CM2_a_base_that_is_no_number(field_board, base):
    p = field_board.join()
    before = p.server.board(p.board_id)
    p.send({"type": "edit", "seq": 1, "base": base, "edit": {"kind": "icon.remove", "icons": [A]}})
    p.seq = 1
    answer = p.answer(1)
    if base is None and answer["type"] == "commit":
        pytest.fail("base null was taken for the newest")
    assert (answer["status"], answer["reason"]) == ("rejected", "invalid")
    assert names(answer["field"], "base")
    unchanged_and_alive(p, before)


# O-40: numbers
NUMBERS = ["NaN", "Infinity", "-Infinity", '"NaN"', "1e400", "-1e400", "1e-400", "5e-324", "-0",
           "-0.0", "1.0000000000000001", "3.0", "1e3", "3.5", "01", "+1", ".5", "1.", "0x10", "true",
           '"1"', "null", "[]", "9007199254740993", "9223372036854775808", "1147e02864",
           "1" * 60000, "0." + "3" * 60000]


def raw_answer(p, text):
    """Sends raw text as seq 1; the answer or the error."""
    p.replica.ask(1)
    p.seq = 1
    p.socket.send_text(text)
    return p.wait(lambda: p.replica.answers.get(1, p.heard(type="error")), "answer")[0]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda n: n[:24])
@pytest.mark.parametrize("place", ["red", "index", "seq", "base"])
def test_O40_numbers(layout, number, place):
    board = layout({"s": "ABC"})
    p, w = board.join(), board.join("watcher")
    move = '{"kind":"icon.move","icons":["%s"],"to":{"index":%s}}' % (
        board["A"], number if place == "index" else 2)
    update = '{"kind":"icon.update","icon":"%s","set":{"red":%s}}' % (board["A"], number)
    text = '{"type":"edit","seq":%s,"base":%s,"edit":%s}' % (
        number if place == "seq" else 1, number if place == "base" else p.revision,
        update if place == "red" else move)
    if place == "seq":
        p.replica.asked = {i: 1 for i in (-1, 0, 1, 3, 16, 1000, 9007199254740993)}
        p.socket.send_text(text)
        p.wait(lambda: p.heard(type="error") or p.heard(type="result") or p.heard(type="commit"),
               "answer")
        p.seq = p.replica.last_decided
    else:
        raw_answer(p, text.encode())
        if not p.replica.answers:
            p.seq = 0
    assert p.edit({"kind": "icon.remove", "icons": [board["B"]]})["type"] == "commit"
    agree(p, w)
    red = p.replica.find(board["A"])[2]["red"]
    assert 0 <= red <= 1 and not str(red).startswith("-")


def test_O40_accepted_numbers_survive_a_restart(own_server):
    board = Layout(own_server, {"s": "ABC"})
    p = board.join()
    for number in ("5e-324", "-0", "-0.0", "1.0000000000000001", "0.1", "1", "1e-400",
                   "0.30000000000000004"):
        seq = p.seq + 1
        p.replica.ask(seq)
        errors = len(p.heard(type="error"))
        p.socket.send_text(('{"type":"edit","seq":%d,"base":%d,"edit":{"kind":"icon.update","icon":"%s",'
                            '"set":{"red":%s}}}' % (seq, p.revision, board["A"], number)).encode())
        p.wait(lambda: p.replica.answers.get(seq) or len(p.heard(type="error")) > errors, "answer")
        p.seq = p.replica.last_decided
        before = p.replica.find(board["A"])[2]
        own_server.restart()
        p = p.again()
        assert p.replica.find(board["A"])[2] == before
        assert own_server.board(board.id)["sections"][0]["icons"][0] == before


# O-41: half of a surrogate pair
@pytest.mark.parametrize("text,good", [
    ('"x\\ud83d"', None), ('"\\ude00x"', None), ('"\\ude00\\ud83d"', None), ('"\\ud83d\\u0041"', None),
    ('"\\uD83D\\uDE00"', "😀"), ('"\\ud83d\\ud83d\\ude00"', None)])
def test_O41_half_a_surrogate_pair(abc, text, good):
    p, w = abc.join(), abc.join("watcher")
    answer = raw_answer(p, ('{"type":"edit","seq":1,"base":%d,"edit":{"kind":"icon.update","icon":"%s",'
                            '"set":{"label":%s}}}' % (p.revision, abc["A"], text)).encode())
    label = p.replica.find(abc["A"])[2]["label"]
    if good:
        assert answer["type"] == "commit" and label == good
    else:
        assert answer["type"] in ("error", "result") and label == "A"
        if answer["type"] == "error":
            p.seq = 0
    assert p.move(abc["B"], at="end")["type"] == "commit"
    agree(p, w)


# O-42: the same key twice
@pytest.mark.parametrize("text", [
    '{"type":"edit","seq":1,"base":%d,"edit":{"kind":"icon.remove","icons":["A"],"icons":["B"]}}',
    '{"type":"edit","seq":1,"base":%d,"edit":{"kind":"icon.remove","icons":["A"],"\\u0069cons":["B"]}}',
    '{"type":"edit","type":"drag.cancel","drag":1,"seq":1,"base":%d,"edit":{"kind":"undo"}}',
    '{"type":"edit","seq":1,"seq":2,"base":%d,"edit":{"kind":"icon.remove","icons":["A"]}}'])
def test_O42_the_same_key_twice_is_refused(abc, text):
    p, w = abc.join(), abc.join("watcher")
    text = (text % p.revision).replace('"A"', f'"{abc["A"]}"').replace('"B"', f'"{abc["B"]}"')
    p.replica.ask(2)
    answer = raw_answer(p, text.encode())
    assert answer["type"] == "error" or answer.get("reason") == "invalid", answer
    assert abc.stored() == {"s": "ABCDE", "t": "XYZ"}
    p.seq = p.replica.last_decided
    assert p.move(abc["B"], at="end")["type"] == "commit"
    agree(p, w)


# O-43: deep nesting
@pytest.mark.parametrize("depth", [10, 511, 512, 513, 5000, 30000])
@pytest.mark.parametrize("shape", ["[]", "{}", "["])
@pytest.mark.parametrize("where", ["whole", "label", "extra"])
def test_O43_deep_nesting(abc, depth, shape, where):
    open_, close = {"[]": ("[", "]"), "{}": ('{"a":', "}"), "[": ("[", "")}[shape]
    core = "1" if shape == "{}" else ""
    depth = min(depth, 10000) if shape == "{}" else depth
    deep = open_ * depth + core + close * depth
    p = abc.join()
    text = {"whole": deep,
            "label": '{"type":"edit","seq":1,"base":0,"edit":{"kind":"icon.update","icon":"%s",'
                     '"set":{"label":%s}}}' % (abc["A"], deep),
            "extra": '{"type":"edit","seq":1,"base":%d,"edit":{"kind":"icon.move","icons":["%s"],'
                     '"to":{"at":"end"}},"x":%s}' % (p.revision, abc["A"], deep)}[where]
    answer = raw_answer(p, text.encode())
    if where != "extra":
        assert answer["type"] == "error" or answer["reason"] == "invalid"
        assert abc.stored() == {"s": "ABCDE", "t": "XYZ"}
    p.seq = p.replica.last_decided
    assert p.move(abc["B"], at="end")["type"] == "commit"
    agree(p)


def test_O43_deep_nesting_before_the_hello(abc):
    p = Peer(abc.server, abc.id, hello=False)
    p.socket.send_text(b"[" * 60000)
    assert p.closed()[0] == 4400


# O-45: ids in either case
def test_O45_FR6_ids_in_either_case_are_one(abc):
    p, w = abc.join(), abc.join("watcher")
    new = "a1b2c3d4-0000-4000-8000-00000000abcd"
    p.edit({"kind": "icon.add", "icon": {"id": new.upper(), "red": 0, "green": 0, "blue": 0},
            "to": {"section": "s", "at": "end"}})
    assert p.order["s"][-1] == new
    p.move(new.upper(), after=abc["A"].upper())
    assert p.order["s"][1] == new
    again = p.edit({"kind": "icon.add", "icon": {"id": new, "red": 0, "green": 0, "blue": 0},
                    "to": {"section": "s", "at": "end"}})
    assert again["reason"] == "duplicate_id"
    drag = p.begin(new.upper())
    assert w.expect(type="drag.began")["icons"] == [new]
    p.cancel(drag)
    agree(p, w)


@pytest.mark.parametrize("section", ["café", "cafe\u0301", "Team", "a.b", "", "../x", "a" * 65, " "])
def test_O45_section_ids_are_of_a_small_alphabet(abc, section):
    p = abc.join()
    answer = p.edit({"kind": "section.add", "section": {**NEW, "id": section}})
    assert answer["reason"] == "invalid" and names(answer["field"], "id")


# rates
def test_ER2_more_than_twenty_errors_a_minute_close_4529(abc):
    p, w = abc.join(), abc.join("watcher")
    for i in range(20):
        p.send({"type": "nonsense"})
    p.wait(lambda: len(p.heard(type="error")) == 20, "20 errors")
    assert p.move(abc["A"], at="end")["type"] == "commit"
    p.send({"type": "nonsense"})
    assert p.closed()[0] == 4529
    w.expect(type="peer.left", peer=p.me)
    agree(w)


def test_ER3_targets_never_count_as_errors(abc):
    p = abc.join()
    for i in range(60):
        p.target(7, {"section": "t", "at": "end"})
    p.wait(lambda: len(p.heard(type="drag.denied")) == 60, "60 denials")
    assert p.move(abc["A"], at="end")["type"] == "commit"


def test_ER1_rejected_edits_never_count_as_errors(abc):
    p = abc.join()
    for i in range(60):
        p.edit({"kind": "nonsense"}, wait=False)
    p.answer(60)
    assert p.move(abc["A"], at="end")["type"] == "commit"


def test_CM11_edits_are_not_dropped_for_their_rate(abc):
    p, w = abc.join(), abc.join("watcher")
    for i in range(3000):
        p.move(abc["ABCDE"[i % 5]], at="end", wait=False)
        if i % 50 == 0:
            p.pump()
    p.answer(3000, timeout=60)
    assert len(p.replica.answers) == 3000
    agree(p, w)


def test_ER3_a_flood_of_targets_harms_nobody(abc):
    """O-67: far more than 1,000 a second; the flooder may be closed 4529, nobody else."""
    p, w, other = abc.join(), abc.join("watcher"), abc.join("other")
    drag = p.begin(abc["A"])
    target = json.dumps({"type": "drag.target", "drag": drag, "target": {"section": "t", "index": 1}})
    for _ in range(20):
        p.send(*[target.encode()] * 250)
        w.pump(), other.pump()
    assert other.move(abc["B"], at="end")["type"] == "commit"
    if p.socket.closed:
        assert p.socket.closed[0] == 4529
    agree(w, other)
