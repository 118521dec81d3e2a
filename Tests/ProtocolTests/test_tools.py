"""The operator's commands, beside a server that people use and without one."""
import json
import pathlib
import shutil
import subprocess

import pytest

from client import Peer, agree
from server import Layout, Server, binary


@pytest.fixture
def board(own_server):
    return Layout(own_server, {"s": "ABCDEFGH", "t": {"icons": "XYZ", "lift": "copy"}, "e": ""},
                  title="Küche 🍳", pins={"s": {"2": "C"}}, locked="X")


def homeboard(*arguments):
    return subprocess.run([str(binary()), *map(str, arguments)], capture_output=True, text=True)


def check(*arguments):
    answer = homeboard(*arguments)
    assert answer.returncode == 0, answer
    return answer.stdout


def server_on(data):
    server = Server()
    shutil.rmtree(server.data)
    server.data = str(data)
    return server.start()


def test_a_backup_under_load_is_one_moment_and_is_restored(board, own_server, tmp_path):
    """Ten backups while somebody edits; each is the board as of one revision."""
    p = board.join()
    boards = {}
    for number in range(10):
        file = tmp_path / f"backup-{number}"
        process = subprocess.Popen(
            [str(binary()), "backup", "--data", own_server.data, "--to", str(file)])
        while process.poll() is None:
            answer = p.move(board["ABDEFGH"[p.seq % 7]], at="end" if p.seq % 2 else "start")
            if answer["type"] == "commit":
                boards[p.revision] = json.loads(json.dumps(p.replica.board))
        assert process.returncode == 0
    before = p.revision
    restored = tmp_path / "restored"
    check("restore", "--from", tmp_path / "backup-5", "--data", restored)
    assert "0 boards damaged" in check("verify", "--deep", "--data", restored)
    server = server_on(restored)
    try:
        now = server.board(board.id)
        # One more revision: the beginning of the new history.
        assert now["sections"] == boards[now["revision"] - 1]["sections"]
        assert now["epoch"] != own_server.board(board.id)["epoch"]
        # A client that saw more than the backup has takes the new history for what it is.
        q = Peer(server, board.id, client=p.client, hello=False, replica=p.replica)
        q.hello({"epoch": p.replica.epoch, "revision": before})
        assert q.replica.welcome["recovered"] is False
        q.seq = q.replica.welcome["lastSeq"]
        assert q.move(board["A"], at="end")["type"] in ("commit", "result")
        agree(q)
    finally:
        server.remove()


def test_nothing_is_overwritten(board, own_server, tmp_path):
    file, folder = tmp_path / "backup", tmp_path / "boards"
    check("backup", "--data", own_server.data, "--to", file)
    content = file.read_bytes()
    for arguments in (["backup", "--data", own_server.data, "--to", file],
                      ["restore", "--from", file, "--data", own_server.data]):
        answer = homeboard(*arguments)
        assert answer.returncode == 74 and answer.stderr, answer
    assert file.read_bytes() == content
    check("export", "--data", own_server.data, "--to", folder)
    exported = (folder / f"{board.id}.json").read_bytes()
    assert homeboard("export", "--data", own_server.data, "--to", folder).returncode == 74
    assert (folder / f"{board.id}.json").read_bytes() == exported
    own_server.terminate()
    answer = homeboard("import", "--data", own_server.data, folder / f"{board.id}.json")
    assert answer.returncode == 74 and board.id in answer.stderr
    assert sorted(x.name for x in tmp_path.iterdir()) == ["backup", "boards"]
    own_server.start()


def test_damage_is_named(board, own_server, tmp_path):
    own_server.terminate()
    path = pathlib.Path(own_server.data) / "homeboard.sqlite3"
    bytes_ = bytearray(path.read_bytes())
    bytes_[bytes_.index(b"K\xc3\xbcche", bytes_.index(b'"sections"') - 4000)] ^= 1
    path.write_bytes(bytes_)
    for arguments in (["verify"], ["verify", "--deep"]):
        answer = homeboard(*arguments, "--data", own_server.data)
        assert answer.returncode == 65 and board.id in answer.stderr, answer
        assert path.read_bytes() == bytes_
    file = tmp_path / "backup"
    answer = homeboard("backup", "--data", own_server.data, "--to", file)
    assert answer.returncode == 65 and list(tmp_path.iterdir()) == []
    own_server.start()
    assert own_server.get(f"/v1/boards/{board.id}").status == 503
    assert f"board.damaged board={board.id}" in own_server.log()


def test_export_and_import_are_each_others_way_back(board, own_server, tmp_path):
    p = board.join()
    p.edit({"kind": "icon.update", "icon": board["A"],
            "set": {"label": "日本 👩‍👩‍👧", "symbol": "📷", "link": "https://example.org/"}})
    own_server.create("second", template="channels", title="频道")
    boards = {b: own_server.board(b) for b in (board.id, "second")}
    check("export", "--data", own_server.data, "--to", tmp_path / "out")
    assert json.loads(check("export", "--data", own_server.data, "--to", "-", "second")) == \
        boards["second"]
    files = sorted((tmp_path / "out").iterdir())
    assert [json.loads(f.read_text()) for f in files] == [boards[f.stem] for f in files]
    # While a server has the directory, it is the one to be asked.
    answer = homeboard("import", "--data", own_server.data, files[0])
    assert answer.returncode == 74 and str(own_server.process.pid) in answer.stderr
    check("import", "--data", tmp_path / "data", *files)
    server = server_on(tmp_path / "data")
    try:
        for name, then in boards.items():
            now = server.board(name)
            assert (now["sections"], now["title"]) == (then["sections"], then["title"])
            assert now["presentation"] == then["presentation"]
    finally:
        server.remove()


@pytest.mark.parametrize("content, named", [
    ("nonsense", ""), ("[]", ""), ('{"id":"x"}', "title"), ('{"title":"x","sections":[]}', "id"),
    ('{"id":"x","title":"x","sections":[{"id":"s","icons":[{"id":"7"}]}]}', "sections[0].icons[0]"),
])
def test_a_file_that_is_no_board_is_refused_by_field(tmp_path, content, named):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text('{"id":"good","title":"Good","sections":[]}')
    bad.write_text(content)
    answer = homeboard("import", "--data", tmp_path / "data", good, bad)
    assert answer.returncode == 65 and "bad.json" in answer.stderr and named in answer.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("arguments", [
    ["backup"], ["restore", "--data", "x"], ["export"], ["import"], ["verify", "more"],
    ["verify", "--from", "x"],
])
def test_a_command_line_that_is_wrong_says_so(arguments):
    answer = homeboard(*arguments)
    assert answer.returncode == 64 and answer.stderr
