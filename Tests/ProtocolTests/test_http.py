"""HT: boards over HTTP."""
import re
import socket

import pytest

from client import PATIENCE, agree, fence, lists, new_id
from replica import check_board

PROBLEM = "application/problem+json"


def is_problem(answer, status):
    assert answer.status == status, answer
    assert answer.headers["Content-Type"].split(";")[0] == PROBLEM, answer.headers
    body = answer.json()
    assert body["status"] == status and body["title"], body
    return body


def test_HT2_create_and_HT1_list(server):
    board = server.create(title="Küche 日本")
    check_board(board)
    assert board["title"] == "Küche 日本"
    answer = server.get("/v1/boards")
    assert answer.headers["Content-Type"].split(";")[0] == "application/json"
    entry = next(b for b in answer.json()["boards"] if b["id"] == board["id"])
    icons = sum(len(s["icons"]) for s in board["sections"])
    assert entry == {"id": board["id"], "title": "Küche 日本", "revision": board["revision"],
                     "icons": icons, "peers": 0}
    server.join(board["id"])
    entry = next(b for b in server.get("/v1/boards").json()["boards"] if b["id"] == board["id"])
    assert entry["peers"] == 1


def test_HT2_an_id_is_made_when_none_is_given(server):
    answer = server.request("POST", "/v1/boards", {})
    assert answer.status == 201, answer
    check_board(answer.json())
    assert server.board(answer.json()["id"])["epoch"] == answer.json()["epoch"]


def test_HT2_templates(server):
    grid = server.create(template="grid")
    assert [len(s["icons"]) for s in grid["sections"]] == [4]
    assert grid["sections"][0]["layout"] == {"kind": "grid", "columns": 2}
    home = server.create(template="home")
    assert [(s["id"], len(s["icons"])) for s in home["sections"]] == [("home", 24), ("dock", 0)]
    assert home["sections"][0]["layout"] == {"kind": "grid", "columns": 4}
    assert home["sections"][1]["layout"] == {"kind": "row", "columns": 4}
    assert home["sections"][1]["capacity"] == 4
    channels = server.create(template="channels")
    mine, recommended = channels["sections"]
    assert (len(mine["icons"]), len(recommended["icons"])) == (16, 18)
    assert (recommended["lift"], recommended["drop"]) == ("none", "none")
    assert mine["lift"] == "move" and any(ord(c) > 0x2E80 for i in mine["icons"] for c in i["label"])
    row = server.create(template="row")
    assert [len(s["icons"]) for s in row["sections"]] == [12]
    assert row["sections"][0]["layout"]["kind"] == "row"
    assert row["presentation"] == {"axis": "horizontal", "minimumPressMs": 300}
    empty = server.create(template="empty")
    assert not any(s["icons"] for s in empty["sections"])
    for board in (grid, home, channels, row, empty):
        check_board(board)
        assert server.board(board["id"]) == board


def test_HT2_409_when_the_id_is_taken(server):
    board = server.create()["id"]
    is_problem(server.request("POST", "/v1/boards", {"id": board}), 409)


@pytest.mark.parametrize("body", [
    b"", b"x", b"[]", {"id": "Team"}, {"id": "../x"}, {"id": ""}, {"id": "a" * 65}, {"id": 5},
    {"title": 5}, {"template": "nope"}, {"title": "x" * 5000}, b'{"title":"\\ud83d"}'], ids=str)
def test_HT2_bad_bodies_are_problems(server, body):
    before = server.get("/v1/boards").json()
    answer = server.request("POST", "/v1/boards", body)
    assert 400 <= answer.status < 500, answer
    is_problem(answer, answer.status)
    assert len(server.get("/v1/boards").json()["boards"]) == len(before["boards"])


def test_HT3_etag_is_epoch_and_revision(abc):
    answer = abc.server.get(f"/v1/boards/{abc.id}")
    board = answer.json()
    assert answer.headers["ETag"] == f'"{board["epoch"]}:{board["revision"]}"'
    assert answer.headers["Content-Type"].split(";")[0] == "application/json"
    abc.server.edit(abc.id, {"kind": "icon.remove", "icons": [abc["A"]]})
    after = abc.server.get(f"/v1/boards/{abc.id}")
    assert after.headers["ETag"] == f'"{board["epoch"]}:{board["revision"] + 1}"'


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
def test_HT9_unknown_board_is_404(server, method):
    board = {"title": "x", "sections": [], "presentation": {"axis": "free", "minimumPressMs": 300}}
    answer = server.request(method, "/v1/boards/no-such-board",
                            board if method == "PUT" else None, {"If-Match": '"x:1"'})
    is_problem(answer, 404)
    is_problem(server.get("/v1/boards/no-such-board/commits?since=0"), 404)
    is_problem(server.request("POST", "/v1/boards/no-such-board/edits", {
        "client": new_id(), "seq": 1, "base": 0, "edit": {"kind": "undo"}}), 404)


@pytest.mark.parametrize("path", ["/v1/boards/Team", "/v1/boards/..%2f..%2fetc%2fpasswd",
                                  "/v1/boards/.hidden", "/v1/nothing", "/v2/boards",
                                  "/v1/boards/a%00b", "/v1/boards/caf%C3%A9", "/%2e%2e/etc/passwd"])
def test_HT9_paths_that_are_not_served_are_404(server, path):
    assert server.get(path).status == 404


def test_HT4_put_replaces_the_board_and_closes_peers_1012(abc):
    p = abc.join()
    before = abc.server.board(abc.id)
    content = {**before, "title": "New", "epoch": "mine", "revision": 999,
               "presentation": {"axis": "vertical", "minimumPressMs": 250},
               "sections": before["sections"][:1]}
    answer = abc.server.put(abc.id, content)
    assert answer.status == 200, answer
    after = answer.json()
    assert after["revision"] == before["revision"] + 1
    assert after["epoch"] not in (before["epoch"], "mine")
    assert after["title"] == "New" and after["presentation"] == content["presentation"]
    assert after["sections"] == before["sections"][:1]
    assert p.closed()[0] == 1012
    q = p.again()
    assert q.replica.welcome["recovered"] is False
    assert q.replica.board == after == abc.server.board(abc.id)


def test_HT4_412_and_428(abc):
    board = abc.server.board(abc.id)
    path = f"/v1/boards/{abc.id}"
    is_problem(abc.server.request("PUT", path, board), 428)
    old = abc.server.get(path).headers["ETag"]
    abc.server.edit(abc.id, {"kind": "icon.remove", "icons": [abc["A"]]})
    is_problem(abc.server.request("PUT", path, board, {"If-Match": old}), 412)
    is_problem(abc.server.request("PUT", path, board, {"If-Match": '"other:1"'}), 412)
    assert abc.stored() == {"s": "BCDE", "t": "XYZ"}


def test_HT4_undo_is_forgotten_and_sequences_are_not(abc):
    p = abc.join()
    p.move(abc["A"], at="end")
    abc.server.put(abc.id, abc.server.board(abc.id))
    p.closed()
    q = p.again()
    assert q.edit({"kind": "undo"})["reason"] == "nothing_to_undo"
    q.send(q.message({"kind": "undo"}, seq=1))
    assert q.answer(1)["decided"] == "applied"


def test_HT4_drags_do_not_outlive_a_put(abc):
    p = abc.join()
    p.begin(abc["A"])
    abc.server.put(abc.id, abc.server.board(abc.id))
    p.closed()
    q = p.again()
    assert q.replica.welcome["drags"] == []
    q.begin(abc["A"])


@pytest.mark.parametrize("spoil", [
    lambda b: b["sections"][0]["icons"].append(dict(b["sections"][0]["icons"][0])),
    lambda b: b["sections"][1]["icons"].append(dict(b["sections"][0]["icons"][0])),
    lambda b: b["sections"][0].update(id=b["sections"][1]["id"]),
    lambda b: b["sections"][0].update(id="Bad Id"),
    lambda b: b["sections"][0]["icons"][0].update(red=1.5),
    lambda b: b["sections"][0]["icons"][0].update(red="1"),
    lambda b: b["sections"][0]["icons"][0].update(id="mail"),
    lambda b: b["sections"][0].update(lift="up"),
    lambda b: b.update(sections={}),
    lambda b: b["presentation"].update(axis="z"),
], ids=["icon twice", "icon in two sections", "section twice", "section id", "red 1.5", "red text",
        "icon id", "lift", "sections", "axis"])
def test_HT4_a_bad_board_is_refused_whole(abc, spoil):
    board = abc.server.board(abc.id)
    p = abc.join()
    before = abc.server.board(abc.id)
    spoil(board)
    answer = abc.server.put(abc.id, board)
    assert 400 <= answer.status < 500, answer
    is_problem(answer, answer.status)
    assert abc.server.board(abc.id) == before
    assert p.edit({"kind": "icon.remove", "icons": [abc["A"]]})["type"] == "commit"


def test_HT4_BD1_the_smallest_icon_is_complete(abc):
    board = abc.server.board(abc.id)
    icon = {"id": new_id().upper(), "red": 0, "green": 1, "blue": 0.5}
    board["sections"][1]["icons"] = [icon]
    answer = abc.server.put(abc.id, board)
    assert answer.status == 200, answer
    stored = answer.json()["sections"][1]["icons"][0]
    assert stored == {**icon, "id": icon["id"].lower()}


def test_HT5_delete_ends_drags_and_closes_4410(abc):
    a, b = abc.join("a"), abc.join("b")
    drag = a.begin(abc["A"])
    b.expect(type="drag.began")
    assert abc.server.request("DELETE", f"/v1/boards/{abc.id}").status == 204
    for p in (a, b):
        assert p.closed()[0] == 4410
        ended = p.heard(type="drag.ended", peer=a.me, drag=drag)
        assert [e["outcome"] for e in ended] == ["removed"]
    is_problem(abc.server.get(f"/v1/boards/{abc.id}"), 404)
    assert abc.id not in [x["id"] for x in abc.server.get("/v1/boards").json()["boards"]]


def test_HT5_a_board_made_again_is_another_board(abc):
    epoch = abc.server.board(abc.id)["epoch"]
    p = abc.join()
    p.move(abc["A"], at="end")
    abc.server.request("DELETE", f"/v1/boards/{abc.id}")
    p.closed()
    assert abc.server.create(abc.id, template="empty")["epoch"] != epoch
    q = p.again()
    assert q.replica.welcome["recovered"] is False


def test_HT6_edits_over_http_share_the_sequence(abc):
    p = abc.join()
    p.move(abc["A"], at="end")
    edit = {"kind": "icon.move", "icons": [abc["B"]], "to": {"at": "end"}}
    answer = abc.server.edit(abc.id, edit, client=p.client, seq=2, base=p.revision)
    assert answer["type"] == "commit" and answer["peer"] is None and answer["seq"] == 2
    heard = p.expect(type="commit", seq=2)
    assert heard == answer
    p.seq = 2
    assert p.move(abc["C"], at="end")["seq"] == 3
    again = abc.server.edit(abc.id, edit, client=p.client, seq=2, base=0)
    assert (again["type"], again["status"], again["decided"]) == ("result", "duplicate", "applied")
    gap = abc.server.edit(abc.id, edit, client=p.client, seq=9, base=0)
    assert (gap["status"], gap["reason"], gap["lastSeq"]) == ("rejected", "seq_gap", 3)
    agree(p)


@pytest.mark.parametrize("body", [
    b"", b"{", b"[]", {"seq": 1, "base": 0, "edit": {"kind": "undo"}},
    {"client": "x", "seq": 1, "base": 0, "edit": {"kind": "undo"}},
    {"client": "CLIENT", "base": 0, "edit": {"kind": "undo"}},
    {"client": "CLIENT", "seq": "1", "base": 0, "edit": {"kind": "undo"}}], ids=str)
def test_HT6_an_edit_without_client_or_seq_is_a_problem(abc, body):
    if isinstance(body, dict) and body.get("client") == "CLIENT":
        body = {**body, "client": new_id()}
    answer = abc.server.request("POST", f"/v1/boards/{abc.id}/edits", body)
    assert 400 <= answer.status < 500, answer
    is_problem(answer, answer.status)


def test_HT6_an_invalid_edit_is_a_result_that_names_the_field(abc):
    answer = abc.server.edit(abc.id, {"kind": "icon.move", "icons": "A", "to": {"at": "end"}})
    assert (answer["status"], answer["reason"]) == ("rejected", "invalid")
    assert "icons" in answer["field"]


def test_HT7_commits_since(abc):
    p = abc.join()
    for x in "ABC":
        p.move(abc[x], at="end")
    path = f"/v1/boards/{abc.id}/commits?since="
    answer = abc.server.get(path + str(abc.start)).json()
    assert answer["epoch"] == p.replica.epoch
    mine = [{**e, "peer": None} for e in p.heard(type="commit")]
    assert answer["commits"] == mine
    assert abc.server.get(path + str(p.revision)).json()["commits"] == []
    assert len(abc.server.get(path + str(p.revision - 1)).json()["commits"]) == 1


def test_HT7_410_when_the_log_does_not_reach_back(abc):
    abc.server.edit(abc.id, {"kind": "icon.remove", "icons": [abc["A"]]})
    is_problem(abc.server.get(f"/v1/boards/{abc.id}/commits?since=0"), 410)


@pytest.mark.parametrize("since", ["x", "-1", "1.5", "", "99999999999999999999"])
def test_HT7_odd_points_are_problems(abc, since):
    answer = abc.server.get(f"/v1/boards/{abc.id}/commits?since={since}")
    assert 400 <= answer.status < 500, answer
    is_problem(answer, answer.status)


def test_HT2_a_new_board_over_a_limit_names_it(server):
    """CM13: the same answer as everywhere, not a guess."""
    answer = server.request("POST", "/v1/boards", {"title": "x" * 5000})
    assert answer.status == 413, answer
    is_problem(answer, 413)
    assert answer.json()["title"] == "limit" and answer.json()["field"] == "title"


def test_HT8_health_and_metrics(server):
    assert server.get("/healthz").status == 200
    assert server.get("/readyz").status == 200
    metrics = server.get("/metrics")
    assert metrics.status == 200 and metrics.headers["Content-Type"].startswith("text/plain")
    text = metrics.body.decode()
    names = set(re.findall(r"(?m)^# TYPE (\w+) (?:counter|gauge|histogram|summary)$", text))
    assert names and all(n.startswith(("homeboard_", "process_")) for n in names), names
    for line in text.splitlines():
        assert line.startswith("#") or re.fullmatch(
            r'\w+(\{[^}]*\})? (-?[0-9.eE+-]+|NaN|[+-]Inf)', line), line


def test_HT8_the_web_client(server):
    for path in ("/", "/b/some-board"):
        page = server.get(path)
        assert page.status == 200 and page.headers["Content-Type"].startswith("text/html")
        assert page.headers["X-Content-Type-Options"] == "nosniff"


def test_HT9_plain_get_of_the_socket_path_is_answered(abc):
    answer = abc.server.get(f"/v1/boards/{abc.id}/live")
    assert answer.status in (400, 404, 426), answer


@pytest.mark.parametrize("method", ["PATCH", "DELETE", "PUT", "OPTIONS"])
def test_HT9_methods_that_are_not_served(server, method):
    assert server.request(method, "/v1/boards").status in (404, 405)


def test_HT9_head_of_a_board_has_no_body(abc):
    answer = abc.server.request("HEAD", f"/v1/boards/{abc.id}")
    assert answer.status in (200, 405) and answer.body == b""


def test_HT9_a_body_too_large_is_refused(abc):
    board = abc.server.board(abc.id)
    board["more"] = "x" * (3 << 20)
    try:
        answer = abc.server.put(abc.id, board)
        assert answer.status in (400, 413), answer
    except OSError:
        pass                                    # closed while we were still sending
    assert abc.stored() == {"s": "ABCDE", "t": "XYZ"}


def test_CM13_a_put_beyond_the_limits_is_refused(abc):
    board = abc.server.board(abc.id)
    board["sections"][0]["icons"] = [
        {"id": new_id(), "red": 0, "green": 0, "blue": 0} for _ in range(2001)]
    answer = abc.server.put(abc.id, board)
    assert 400 <= answer.status < 500, answer
    is_problem(answer, answer.status)
    assert abc.stored() == {"s": "ABCDE", "t": "XYZ"}


def test_CM13_a_board_of_2000_icons_is_served_whole(layout):
    big = layout({"s": {"icons": [f"i{n}" for n in range(2000)]}})
    p, q = big.join("p"), big.join("q")
    p.move(big["i1999"], at="start")
    agree(p, q)


def test_HT3_two_requests_on_one_connection(abc):
    with socket.create_connection(("127.0.0.1", abc.server.port), timeout=PATIENCE) as s:
        for _ in range(2):
            s.sendall(f"GET /v1/boards/{abc.id} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
            head, body = b"", b""
            while b"\r\n\r\n" not in head:
                data = s.recv(1)
                assert data or head, "closed without an answer"
                head += data
            length = int(re.search(rb"(?i)content-length: *(\d+)", head)[1])
            while len(body) < length:
                body += s.recv(length - len(body))
            assert head.startswith(b"HTTP/1.1 200")
            if b"connection: close" in head.lower():
                break


def test_HT6_http_edits_reach_peers_in_order(abc):
    p = abc.join()
    for x in "ABCDE":
        abc.server.edit(abc.id, {"kind": "icon.move", "icons": [abc[x]],
                                 "to": {"section": "t", "at": "end"}})
    fence(p)
    assert abc.words(lists(p.replica.board)) == {"s": "", "t": "XYZABCDE"}


def test_FR7_pages_of_other_origins_may_not_write(abc):
    """O-59: what a browser page of another site could send without asking first."""
    answer = abc.server.request(
        "POST", f"/v1/boards/{abc.id}/edits",
        {"client": new_id(), "seq": 1, "base": abc.start,
         "edit": {"kind": "icon.remove", "icons": [abc["A"]]}},
        {"Origin": "https://evil.example", "Content-Type": "text/plain"})
    assert answer.status == 403, answer
    assert abc.stored() == {"s": "ABCDE", "t": "XYZ"}
