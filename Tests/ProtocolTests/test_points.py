"""Restore points over HTTP: HT10."""
import sqlite3
import subprocess

import pytest

from client import agree, fence, new_id, pump_all
from server import Layout, binary


@pytest.fixture
def board(own_server):
    return Layout(own_server, {"s": "ABCDEF", "t": {"icons": "XY", "capacity": 4}, "e": ""},
                  title="Küche 🍳", pins={"s": {"2": "C"}})


def path(board, *parts):
    return "/".join([f"/v1/boards/{board.id}/points", *parts])


def make(server, board, name=None):
    answer = server.request("POST", path(board), {} if name is None else {"name": name})
    assert answer.status == 201, answer
    return answer.json()


def restore(server, board, point, **body):
    answer = server.request("POST", path(board, point["id"], "restore"), body)
    assert answer.status == 200, answer
    return answer.json()


def listed(server, board):
    return server.get(path(board)).json()["points"]


def content(server, board):
    return {k: server.board(board.id)[k] for k in ("title", "presentation", "sections")}


def test_HT10_there_and_back_while_people_edit_and_drag(board, own_server):
    p, q = board.join("Mia"), board.join("Ben")
    before = content(own_server, board)
    point = make(own_server, board, "Before the party")
    assert point["name"] == "Before the party" and point["revision"] == p.revision
    assert point["icons"] == 8
    p.move(board["A"], section="e", at="end")
    q.edit({"kind": "icon.update", "icon": board["B"], "set": {"label": "other"}})
    q.edit({"kind": "icon.add", "icon": board.icon("N"), "to": {"section": "e", "at": "end"}})
    p.edit({"kind": "board.update", "set": {"title": "Party"}})
    fence(p, q)
    q.begin(board["D"])
    then = content(own_server, board)
    commit = restore(own_server, board, point)
    assert commit["edit"]["kind"] == "board.restore" and commit["revision"] == p.revision + 1
    assert content(own_server, board) == before
    agree(p, q)
    # Kept by itself: taken back by restoring that.
    automatic, named = listed(own_server, board)
    assert automatic["automatic"] and named["id"] == point["id"]
    restore(own_server, board, automatic)
    assert content(own_server, board) == then
    agree(p, q)
    assert len(listed(own_server, board)) == 3
    # The history goes on: the same epoch, and a numbered edit each.
    log = own_server.get(f"/v1/boards/{board.id}/commits?since={board.start}").json()
    assert [c["edit"]["kind"] for c in log["commits"]].count("board.restore") == 2


def test_HT10_survives_a_kill(board, own_server):
    p = board.join()
    point = make(own_server, board, "日本 👩‍👩‍👧")
    p.move(board["A"], at="end")
    commit = restore(own_server, board, point)
    pump_all([p], lambda: p.revision == commit["revision"])
    now, points = content(own_server, board), listed(own_server, board)
    own_server.restart()
    assert content(own_server, board) == now and listed(own_server, board) == points
    q = p.again()
    assert q.replica.welcome["recovered"] is True
    agree(q)
    restore(own_server, board, points[0])
    assert content(own_server, board) != now
    own_server.restart()
    agree(q.again())


def test_HT10_whoever_was_away_comes_back_over_it(board, own_server):
    p, q = board.join("Mia"), board.join("Ben")
    point = make(own_server, board)
    p.move(board["A"], section="e", at="end")
    pump_all([q], lambda: q.revision == p.revision)
    base = q.revision
    q.socket.reset()
    restore(own_server, board, point)
    back = q.again()
    # An edit from before names a neighbour, and lands beside where that stands now.
    back.move(board["F"], base=base, after=board["A"])
    assert board.seen(back)["s"].startswith("AF")
    pump_all([p], lambda: p.revision == back.revision)
    agree(p, back)


def test_HT10_under_a_clients_own_number(board, own_server):
    p = board.join()
    point = make(own_server, board)
    p.move(board["A"], at="end")
    client = new_id()
    first = restore(own_server, board, point, client=client, seq=1, base=p.revision)
    assert (first["type"], first["client"], first["seq"]) == ("commit", client, 1)
    again = restore(own_server, board, point, client=client, seq=1)
    assert (again["status"], again["decided"]) == ("duplicate", "applied")
    assert restore(own_server, board, point, client=client, seq=9)["reason"] == "seq_gap"
    assert restore(own_server, board, point)["status"] == "noop"


def test_HT10_points_are_deleted(board, own_server):
    point = make(own_server, board, "Gone")
    assert own_server.request("DELETE", path(board, point["id"])).status == 204
    assert listed(own_server, board) == []
    assert own_server.request("DELETE", path(board, point["id"])).status == 404
    answer = own_server.request("POST", path(board, point["id"], "restore"), {})
    assert answer.status == 404 and "point" in answer.json()["title"]
    assert own_server.get("/v1/boards/nowhere/points").status == 404
    assert own_server.request("PUT", path(board), {}).status == 405


@pytest.mark.parametrize("body, field", [
    ({"name": 7}, "name"), ({"name": "x" * 2000}, "name"), ([], None), (b"{", None),
])
def test_HT10_a_bad_point_is_refused_by_field(board, own_server, body, field):
    answer = own_server.request("POST", path(board), body)
    assert answer.status == 400 and answer.json().get("field") == field
    assert listed(own_server, board) == []


@pytest.mark.parametrize("body, field", [
    ({"client": "x", "seq": 1}, "client"), ({"seq": 1}, "client"),
    ({"client": "9d1f8a52-3c64-4b0e-8f5d-7a2e61c4b903"}, "seq"), ({"base": -1}, "base"),
])
def test_HT10_a_bad_restore_changes_nothing(board, own_server, body, field):
    p = board.join()
    point = make(own_server, board)
    p.move(board["A"], at="end")
    before = content(own_server, board)
    answer = own_server.request("POST", path(board, point["id"], "restore"), body)
    assert answer.status == 400 and answer.json()["field"] == field
    assert content(own_server, board) == before


def test_HT10_a_damaged_point_is_reported_and_not_restored(board, own_server):
    p = board.join()
    point = make(own_server, board, "Broken")
    p.move(board["A"], at="end")
    before = content(own_server, board)
    own_server.kill()
    database = sqlite3.connect(own_server.data + "/homeboard.sqlite3")
    database.execute("UPDATE points SET content = CAST(replace(content, 'Küche', 'Kuche') AS BLOB)")
    database.commit()
    database.close()
    verify = subprocess.run([str(binary()), "verify", "--data", own_server.data],
                            capture_output=True, text=True)
    assert verify.returncode == 65 and board.id in verify.stderr
    own_server.start()
    answer = own_server.request("POST", path(board, point["id"], "restore"), {})
    assert answer.status == 503
    assert content(own_server, board) == before
    assert f"board.damaged board={board.id}" in own_server.log()
