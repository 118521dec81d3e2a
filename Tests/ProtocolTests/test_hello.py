"""HS: hello, welcome, resume."""
import json

import pytest

from client import Closed, Peer, Refused, Socket, agree, fence, new_id
from server import Layout


def raw(server, board, message=None):
    """A connection whose first message is `message`."""
    peer = Peer(server, board, hello=False)
    if message is not None:
        peer.send(message)
    return peer


def test_HS4_welcome_has_its_whole_shape(abc):
    p = abc.join("Mia")
    w = p.replica.welcome
    assert set(w) >= {"type", "peer", "role", "epoch", "revision", "lastSeq", "recovered", "board",
                      "peers", "drags", "limits"}
    assert p.frames_of[0] == 1 and p.events[0]["type"] == "welcome"
    assert w["revision"] == abc.start and w["lastSeq"] == 0 and w["drags"] == []
    assert w["limits"]["messageBytes"] == 65536
    assert abc.seen(p) == {"s": "ABCDE", "t": "XYZ"}


def test_HS9_HS14_welcome_tells_who_is_here_and_everyone_is_owner(abc):
    a, b = abc.join("Mia"), abc.join("Bo")
    assert a.replica.welcome["role"] == b.replica.welcome["role"] == "owner"
    names = {x["client"]: x["name"] for x in b.replica.welcome["peers"]}
    assert names == {a.client: "Mia", b.client: "Bo"}
    a.expect(type="peer.joined")


@pytest.mark.parametrize("message", [
    b"", b"x", b"[]", b"null", b'"hello"', b"{}", b'{"type":"hello"',
    {"type": "edit", "seq": 1, "base": 0, "edit": {"kind": "undo"}},
    {"type": "drag.begin", "drag": 1, "icons": []},
    {"type": "hallo", "client": new_id(), "name": "x"},
    {"type": "hello", "name": "x"},
    {"type": "hello", "client": "mia", "name": "x"},
    {"type": "hello", "client": 7, "name": "x"},
    {"type": "hello", "client": new_id()},
    {"type": "hello", "client": new_id(), "name": 5},
    {"type": "hello", "client": new_id(), "name": None},
], ids=["nothing", "text", "array", "null", "string", "no type", "half", "edit", "drag", "hallo",
        "no client", "client mia", "client 7", "no name", "name 5", "name null"])
def test_HS1_HS3_bad_hello_closes_4400(abc, message):
    before = abc.stored()
    p = raw(abc.server, abc.id, message)
    assert p.closed()[0] == 4400
    assert abc.stored() == before


def test_HS1_an_edit_before_the_hello_is_not_applied(abc):
    """O-61"""
    watcher = abc.join("watcher")
    client = new_id()
    p = raw(abc.server, abc.id)
    p.send({"type": "edit", "seq": 1, "base": abc.start,
            "edit": {"kind": "icon.remove", "icons": [abc["A"]]}},
           {"type": "hello", "client": client, "name": "late"})
    assert p.closed()[0] == 4400
    fence(watcher)
    assert abc.seen(watcher) == {"s": "ABCDE", "t": "XYZ"}
    assert not watcher.heard(type="peer.joined")


def test_HS1_edits_sent_with_the_hello_are_applied_after_the_welcome(abc):
    """O-61: one TCP segment with the hello and many moves."""
    p = raw(abc.server, abc.id)
    edits = [{"type": "edit", "seq": i + 1, "base": abc.start,
              "edit": {"kind": "icon.move", "icons": [abc["ABCDE"[i % 5]]], "to": {"at": "end"}}}
             for i in range(100)]
    p.send({"type": "hello", "client": p.client, "name": "eager"}, *edits)
    p.joined()
    assert p.answer(100)["type"] in ("commit", "result")
    assert p.events[0]["type"] == "welcome"
    assert all(len(a) == 1 for a in p.replica.answers.values()) and len(p.replica.answers) == 100
    agree(p)


def test_HS2_a_second_hello_is_an_error_and_the_connection_lives(abc):
    p = abc.join()
    p.send({"type": "hello", "client": new_id(), "name": "again"})
    assert p.expect(type="error")["code"] == "invalid"
    assert p.edit({"kind": "icon.remove", "icons": [abc["A"]]})["type"] == "commit"


def test_HS10_colour_is_the_same_after_a_reconnect(abc):
    p = abc.join()
    colour = p.replica.peers[p.me]["colour"]
    p.close()
    q = abc.join(client=p.client)
    assert q.replica.peers[q.me]["colour"] == colour


@pytest.mark.parametrize("name,shown", [
    ("Mia", "Mia"), ("x" * 200, "x" * 64), ("é" * 80, "é" * 64), ("日本" * 40, "日本" * 32)],
    ids=["short", "x", "accent", "kanji"])
def test_HS11_names_are_cut_to_64_characters(abc, name, shown):
    p = abc.join(name=name)
    assert p.replica.peers[p.me]["name"] == shown


def test_HS11_names_are_cleaned(abc):
    p = abc.join(name="a\nb\u0000c\u001b[31m\u0085d")
    name = p.replica.peers[p.me]["name"]
    assert not [c for c in name if ord(c) < 32 or 0x7F <= ord(c) < 0xA0], repr(name)
    assert name.startswith("a") and name.endswith("d")


def test_HS11_a_family_emoji_is_not_cut_inside(abc):
    family = "👨‍👩‍👧‍👦"
    p = abc.join(name=family * 70)
    name = p.replica.peers[p.me]["name"]
    assert name and name.replace(family, "") == ""


def test_FR6_a_client_is_the_same_in_either_case(abc):
    """O-45"""
    p = abc.join()
    p.move(abc["A"], at="end")
    p.close()
    q = abc.join(client=p.client.upper())
    assert q.replica.peers[q.me]["client"] == p.client
    assert q.replica.welcome["lastSeq"] == 1


def test_HS15_unknown_board_closes_4404(server):
    p = raw(server, "no-such-board")
    p.send({"type": "hello", "client": new_id(), "name": "x"})
    assert p.closed()[0] == 4404


@pytest.mark.parametrize("path", [
    "/v1/boards/Team/live", "/v1/boards/-x/live", "/v1/boards/a.b/live", "/v1/boards/%2e%2e/live",
    "/v1/boards/" + "a" * 65 + "/live", "/v1/boards//live", "/v2/boards/a/live", "/live",
    "/v1/boards/a/lives", "/v1/boards/caf%C3%A9/live", "/v1/boards/a%00/live"])
def test_FR7_wrong_paths_are_404(server, path):
    with pytest.raises(Refused) as why:
        Socket(server.port, path)
    assert why.value.status == 404


@pytest.mark.parametrize("origin", [
    "https://evil.example", "http://127.0.0.1.evil.example", "null", "http://localhost.evil.example",
    "http://127.0.0.1:{other}", "http://127.0.0.1:{port}.evil.example"])
def test_FR7_foreign_origins_are_403(abc, origin):
    """O-59"""
    port = abc.server.port
    with pytest.raises(Refused) as why:
        abc.join(origin=origin.format(port=port, other=port + 1))
    assert why.value.status == 403


def test_FR7_the_same_origin_and_none_are_fine(abc):
    abc.join(origin=f"http://127.0.0.1:{abc.server.port}")
    abc.join()


@pytest.mark.parametrize("subprotocol", [None, "homeboard.v2", "chat"])
def test_FR7_without_the_subprotocol_4400(abc, subprotocol):
    p = Peer(abc.server, abc.id, hello=False, subprotocol=subprotocol)
    p.send({"type": "hello", "client": p.client, "name": "x"})
    assert p.closed()[0] == 4400


def test_FR1_the_subprotocol_is_chosen_among_several(abc):
    p = abc.join(subprotocol="chat, homeboard.v1")
    assert "sec-websocket-protocol: homeboard.v1" in p.socket.head.lower()


def test_FR5_unknown_fields_are_ignored(abc):
    p = Peer(abc.server, abc.id, hello=False)
    p.hello(more={"x": [1, {"y": None}]}, other=1.5)
    p.send({**p.message({"kind": "icon.move", "icons": [abc["A"]], "to": {"at": "end", "z": 1}}),
            "extra": {"deep": [[]]}})
    assert p.answer(1)["type"] == "commit"


# resume: O-28
@pytest.fixture
def history(layout):
    """A board with 20 commits by one client after its start."""
    board = layout({"s": "ABCDEFGHIJKLMNOPQRSTUVWX"})
    p = board.join("writer")
    for i in range(20):
        p.move(board["ABCDE"[i % 5]], at="end")
    p.close()
    return board, p


def resumed(board, epoch, revision, known=None):
    q = Peer(board.server, board.id, hello=False, replica=known)
    return q, q.hello({"epoch": epoch, "revision": revision})


def test_HS5_resume_gives_every_commit_after(history):
    board, p = history
    head, epoch = p.revision, p.replica.epoch
    for behind in (0, 1, 2, 5, 10):
        q = Peer(board.server, board.id, hello=False)
        q.replica.board, q.replica.revision = {"sections": []}, head - behind
        q.replica.apply = lambda change: None
        w = q.hello({"epoch": epoch, "revision": head - behind})
        if behind <= 5:
            assert w["recovered"] is True, f"{behind} behind"
        if w["recovered"]:
            assert [c["revision"] for c in w["commits"]] == list(range(head - behind + 1, head + 1))
            assert all(c["peer"] is None and c["client"] == p.client for c in w["commits"])
        q.close()


def test_HS5_a_resumed_client_shows_the_same_board(history):
    board, _ = history
    p, other = board.join("away"), board.join("other")
    p.close()
    for x in "CBA":
        other.move(board[x], at="start")
    q = p.again()
    assert q.replica.welcome["recovered"] is True
    assert len(q.replica.welcome["commits"]) == 3
    agree(q, other)


@pytest.mark.parametrize("shift,epoch", [(1, None), (1000, None), (0, "other"), (-3, "other")])
def test_HS6_a_foreign_point_gives_the_whole_board(history, shift, epoch):
    board, p = history
    _, w = resumed(board, epoch or p.replica.epoch, p.revision + shift)
    assert w["recovered"] is False and "commits" not in w
    assert w["board"]["revision"] == w["revision"] == p.revision


@pytest.mark.parametrize("resume", [
    {"epoch": "E", "revision": -1}, {"epoch": "E", "revision": "12"},
    {"epoch": "E", "revision": 1.5}, {"epoch": 5, "revision": 1}, {"epoch": "E"}, {"revision": 1},
    {"epoch": "E", "revision": 9007199254740993}, {"epoch": "E", "revision": 1 << 63},
    {"epoch": "E", "revision": 18446744073709551616}, {"epoch": "E", "revision": 1e15}, "E", [], 7],
    ids=lambda r: str(r)[-30:])
def test_HS6_an_odd_point_is_refused_or_gives_the_whole_board(history, resume):
    """O-28, O-47: never half, never a hang."""
    board, p = history
    text = json.loads(json.dumps(resume).replace('"E"', json.dumps(p.replica.epoch)))
    q = Peer(board.server, board.id, hello=False)
    try:
        w = q.hello(text)
        assert w["recovered"] is False and w["board"]["revision"] == p.revision
    except Closed as why:
        assert why.code == 4400


def test_HS6_a_put_makes_a_new_epoch(history):
    board, p = history
    content = board.server.board(board.id)
    assert board.server.put(board.id, content).status == 200
    _, w = resumed(board, p.replica.epoch, p.revision)
    assert w["recovered"] is False and w["epoch"] != p.replica.epoch
    assert w["revision"] == p.revision + 1


def test_HS6_commits_longer_than_the_board_give_the_board(history):
    board, p = history
    epoch, start = p.replica.epoch, p.revision
    q = board.join("busy")
    for i in range(200):
        q.edit({"kind": "icon.move", "icons": [board["ABCDE"[i % 5]]], "to": {"at": "end"}},
               wait=False)
    q.answer(q.seq)
    _, w = resumed(board, epoch, start)
    assert w["recovered"] is False and "commits" not in w


def test_HS7_last_seq_counts_every_decision(abc):
    p = abc.join()
    p.move(abc["A"], at="end")
    assert p.move(abc["A"], at="end")["status"] == "noop"
    assert p.move(new_id(), at="end")["status"] == "rejected"
    p.close()
    assert abc.join(client=p.client).replica.welcome["lastSeq"] == 3


def test_HS7_last_seq_survives_a_put(abc):
    p = abc.join()
    p.move(abc["A"], at="end")
    abc.server.put(abc.id, abc.server.board(abc.id))
    assert p.closed()[0] == 1012
    q = p.again()
    assert q.replica.welcome["lastSeq"] == 1 and q.replica.welcome["recovered"] is False
    assert q.move(abc["B"], at="end")["type"] == "commit"


def test_HS13_the_same_client_again_closes_the_first_4409(abc):
    first, watcher = abc.join("one"), abc.join("watcher")
    second = first.again()
    assert first.closed()[0] == 4409
    joined = watcher.expect(type="peer.joined", replaces=first.me)
    assert joined["peer"]["peer"] == second.me
    fence(watcher, second)
    assert not watcher.heard(type="peer.left")


def test_HS8_board_and_welcome_agree_with_get(abc):
    p = abc.join()
    for x in "ABC":
        p.move(abc[x], at="end")
    board = abc.server.board(abc.id)
    assert board == p.replica.board
    q = abc.join()
    assert q.replica.welcome["board"] == board


def test_HS4_many_join_an_unloaded_board_at_once(own_server):
    """O-30: each gets the whole board."""
    board = Layout(own_server, {"s": [f"i{n}" for n in range(60)]})
    own_server.restart()
    peers = [Peer(own_server, board.id, hello=False) for _ in range(30)]
    for p in peers:
        p.send({"type": "hello", "client": p.client, "name": "crowd"})
    leaver = peers.pop(0)
    leaver.socket.reset()
    for i, p in enumerate(peers):
        p.joined()
        assert len(p.replica.board["sections"][0]["icons"]) == 60
        p.move(board[f"i{i}"], at="end", wait=False)
    for p in peers:
        assert p.answer(1)["type"] in ("commit", "result")
    agree(*peers)


def test_HS4_a_change_never_falls_between_snapshot_and_subscription(abc):
    """O-27: joiners come and go while somebody writes; each replica has no hole."""
    writer = abc.join("writer")
    for i in range(60):
        writer.move(abc["ABCDE"[i % 5]], at="end", wait=False)
        p = abc.join(f"guest {i}")
        p.move(abc["XYZ"[i % 3]], at="end", wait=False)
        p.wait(lambda: p.replica.answers.get(1), "answer")
        if i % 10 == 9:
            agree(p)
        p.close() if i % 2 else p.socket.reset()
        writer.pump()
    writer.answer(writer.seq)
    agree(writer)
