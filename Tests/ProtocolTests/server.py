"""A real server on a port of its own, its log, and a little HTTP."""
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from client import PATIENCE, Peer, new_id

ROOT = pathlib.Path(__file__).resolve().parents[2]


def binary() -> pathlib.Path:
    named = os.environ.get("HOMEBOARD_BIN")
    places = [pathlib.Path(named)] if named else [
        ROOT / ".build/release/homeboard", ROOT / ".build/debug/homeboard"]
    for place in places:
        if place.is_file():
            return place
    raise FileNotFoundError(f"no server binary at {' or '.join(map(str, places))}")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Response:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"<{self.status} {self.body[:300]!r}>"


class Server:
    """`homeboard serve` with a data directory of its own."""

    def __init__(self, arguments=(), under=()):
        """`under`: a command that becomes the server, as strace -D does."""
        self.data = tempfile.mkdtemp(prefix="homeboard-test-")
        self.port = free_port()
        self.arguments, self.under = list(arguments), list(under)
        self.log_path = self.data + ".log"
        self.process = None
        self.writer, self.writer_seq = new_id(), {}

    # life
    def spawn(self, log, stdout):
        # HOMEBOARD_ names configure the server; ours are not meant for it.
        environment = {k: v for k, v in os.environ.items() if not k.startswith("HOMEBOARD_")}
        self.process = subprocess.Popen(
            [*self.under, str(binary()), "serve", "--port", str(self.port), "--data", self.data,
             *self.arguments],
            stdout=stdout, stderr=log, stdin=subprocess.DEVNULL, env=environment)

    def start(self):
        with open(self.log_path, "ab") as log:
            self.spawn(log, log)
        end = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return self
            except OSError:
                assert self.process.poll() is None, f"the server ended:\n{self.log()}"
                assert time.monotonic() < end, f"the server doesn't listen:\n{self.log()}"
                time.sleep(0.02)

    def kill(self):
        """kill -9"""
        self.process.kill()
        self.process.wait()

    def restart(self):
        if self.process.poll() is None:
            self.kill()
        return self.start()

    def terminate(self, timeout=15):
        """SIGTERM; returns the exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout)

    def alive(self):
        return self.process.poll() is None

    def log(self, bytes_=6000):
        with open(self.log_path, "rb") as log:
            return log.read()[-bytes_:].decode("utf-8", "replace")

    def remove(self):
        if self.process and self.alive():
            self.kill()
        shutil.rmtree(self.data, ignore_errors=True)
        pathlib.Path(self.log_path).unlink(missing_ok=True)

    # HTTP
    def request(self, method, path, body=None, headers=()):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        try:
            headers = dict(headers)
            if body is not None and not isinstance(body, (bytes, str)):
                body = json.dumps(body, separators=(",", ":")).encode()
                headers.setdefault("Content-Type", "application/json")
            connection.request(method, path, body=body, headers=headers)
            answer = connection.getresponse()
            return Response(answer.status, answer.headers, answer.read())
        finally:
            connection.close()

    def get(self, path, **options):
        return self.request("GET", path, **options)

    def board(self, board):
        answer = self.get(f"/v1/boards/{board}")
        assert answer.status == 200, answer
        return answer.json()

    def create(self, board=None, **fields):
        board = board or f"t-{new_id()[:13]}"
        answer = self.request("POST", "/v1/boards", {"id": board, **fields})
        assert answer.status == 201, answer
        return answer.json()

    def put(self, board, content, match=None):
        match = match or self.get(f"/v1/boards/{board}").headers["ETag"]
        return self.request("PUT", f"/v1/boards/{board}", content, {"If-Match": match})

    def edit(self, board, edit, client=None, seq=None, base=None):
        """An edit over HTTP, by default of a client that only this server object is."""
        if client is None:
            client, seq = self.writer, self.writer_seq.get(board, 0) + 1
            self.writer_seq[board] = seq
        if base is None:
            base = self.board(board)["revision"]
        answer = self.request("POST", f"/v1/boards/{board}/edits",
                              {"client": client, "seq": seq, "base": base, "edit": edit})
        assert answer.status == 200, answer
        return answer.json()

    def join(self, board, name="Test", **options):
        return Peer(self, board, name=name, **options)


class Layout:
    """A board made for one test: icons have short names, sections their rules."""

    def __init__(self, server, sections, title="A test", presentation=None, pins=None, locked=""):
        """`sections`: {"s": "ABC"} or {"s": {"icons": "ABC", "lift": "none", ...}}."""
        self.server, self.names, self.ids = server, {}, {}
        self.id = server.create(template="empty", title=title)["id"]
        content = {"id": self.id, "title": title, "revision": 0, "epoch": "ignored",
                   "presentation": presentation or {"axis": "free", "minimumPressMs": 300},
                   "sections": []}
        pinned = {x: int(i) for where in (pins or {}).values() for i, x in where.items()}
        for name, rules in sections.items():
            rules = rules if isinstance(rules, dict) else {"icons": rules}
            icons = [self.icon(x, pinnedAt=pinned.get(x), locked=True if x in locked else None)
                     for x in rules.get("icons", "")]
            content["sections"].append({
                "id": name, "title": name.upper(), "layout": {"kind": "grid", "columns": 4},
                "lift": "move", "drop": "any", **rules, "icons": icons})
        answer = server.put(self.id, content)
        assert answer.status == 200, answer
        self.start = answer.json()["revision"]

    def icon(self, name, **more):
        return {"id": self[name], "red": 0.25, "green": 0.5, "blue": 0.75, "label": name,
                **{k: v for k, v in more.items() if v is not None}}

    def __getitem__(self, name):
        """The identifier of a short name."""
        if name not in self.ids:
            self.ids[name] = new_id()
            self.names[self.ids[name]] = name
        return self.ids[name]

    def many(self, names):
        return [self[x] for x in names]

    def words(self, lists):
        """Lists of identifiers as short names, joined when all are one letter."""
        out = {}
        for section, icons in lists.items():
            names = [self.names.get(i, "?") for i in icons]
            out[section] = "".join(names) if all(len(n) == 1 for n in names) else names
        return out

    def join(self, name="Test", **options):
        return Peer(self.server, self.id, name=name, **options)

    def stored(self):
        """The lists the server tells over HTTP."""
        return self.words({s["id"]: [i["id"] for i in s["icons"]]
                           for s in self.server.board(self.id)["sections"]})

    def seen(self, peer):
        return self.words(peer.order)
