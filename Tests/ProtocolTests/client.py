"""A client of the protocol for tests: it waits for what can be observed and never sleeps.

Written from docs/PROTOCOL.md; it shares no code with the server. Each connection keeps a Replica,
which checks every event as it comes.
"""
import base64
import copy
import hashlib
import json
import os
import re
import select
import socket
import struct
import threading
import time
import uuid

import frames
from replica import Replica, Violation, lists

PATIENCE = 15.0
TEXT = {"separators": (",", ":"), "ensure_ascii": False}


def new_id() -> str:
    return str(uuid.uuid4())


def encode(message) -> bytes:
    return message if isinstance(message, bytes) else json.dumps(message, **TEXT).encode()


class Closed(Exception):
    """The connection ended while something was awaited."""

    def __init__(self, code, reason):
        super().__init__(f"closed {code} {reason}")
        self.code, self.reason = code, reason


class Refused(Exception):
    """The upgrade was refused by HTTP."""

    def __init__(self, status, text):
        super().__init__(f"refused {status}")
        self.status, self.text = status, text


class Socket:
    """One WebSocket: text out, messages in, and every freedom to misbehave."""

    def __init__(self, port, path, subprotocol="homeboard.v1", origin=None, headers=(),
                 receive_buffer=None):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.parser = frames.Parser()
        self.closed = None
        self.pongs = []
        self.answer_pings = True
        self.messages = 0
        self.last_arrival = time.monotonic()
        self._upgrade(port, path, subprotocol, origin, headers)

    def _upgrade(self, port, path, subprotocol, origin, headers):
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket",
                 "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        if subprotocol:
            lines.append(f"Sec-WebSocket-Protocol: {subprotocol}")
        if origin is not None:
            lines.append(f"Origin: {origin}")
        lines += [f"{k}: {v}" for k, v in headers]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            data = self._receive_plain()
            if not data:
                break
            head += data
        head, _, rest = head.partition(b"\r\n\r\n")
        match = re.match(rb"HTTP/1\.[01] (\d+)", head)
        status = int(match[1]) if match else 0
        self.head = head.decode("latin-1")
        if status != 101:
            self.socket.close()
            raise Refused(status, self.head + "\n" + rest.decode("utf-8", "replace"))
        digest = hashlib.sha1((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").encode()).digest()
        accept = re.search(r"(?im)^sec-websocket-accept: *(\S+)", self.head)
        assert accept and accept[1] == base64.b64encode(digest).decode(), "wrong accept"
        self.socket.setblocking(False)
        self.early = rest

    def _receive_plain(self):
        try:
            return self.socket.recv(65536)
        except ConnectionError:
            return b""

    # out
    def send_raw(self, data: bytes, patience=PATIENCE):
        view, end = memoryview(data), time.monotonic() + patience
        while view and self.socket.fileno() >= 0:
            try:
                view = view[self.socket.send(view):]
            except BlockingIOError:
                assert time.monotonic() < end, "the server stopped reading"
                select.select([], [self.socket], [], 0.2)
            except (BrokenPipeError, ConnectionError):
                return

    def send_text(self, text):
        self.send_raw(frames.frame(frames.TEXT, encode(text)))

    def send_many(self, messages):
        """All in one TCP write."""
        self.send_raw(b"".join(frames.frame(frames.TEXT, encode(m)) for m in messages))

    def ping(self, payload=b""):
        self.send_raw(frames.frame(frames.PING, payload))

    def close(self, code=1000, reason=b""):
        """Starts a clean close."""
        payload = b"" if code is None else struct.pack("!H", code) + reason
        self.send_raw(frames.frame(frames.CLOSE, payload))

    def reset(self):
        """RST: the connection is lost without a word."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()
        self.closed = self.closed or (1006, "reset by the test")

    def hang_up(self):
        """FIN without a close frame."""
        self.socket.close()
        self.closed = self.closed or (1006, "hung up by the test")

    # in
    def read(self, timeout):
        """Messages that came within `timeout` seconds, at least one unless it passed or closed."""
        if self.closed:
            return []
        if self.early:
            data, self.early = self.early, b""
        else:
            ready, _, _ = select.select([self.socket], [], [], max(timeout, 0))
            if not ready:
                return []
            try:
                data = self.socket.recv(1 << 18)
            except BlockingIOError:
                return []
            except ConnectionError:
                data = b""
        if not data:
            self.closed = (1006, "end of stream")
            self.socket.close()
            return []
        self.last_arrival = time.monotonic()
        out = []
        for opcode, payload in self.parser.feed(data):
            if opcode == frames.TEXT:
                self.messages += 1
                assert len(payload) < 1 << 20, "FR4: a message of 1 MiB or more"
                out.append(payload)
            elif opcode == frames.PING:
                if self.answer_pings:
                    self.send_raw(frames.frame(frames.PONG, payload))
            elif opcode == frames.PONG:
                self.pongs.append(payload)
            elif opcode == frames.CLOSE:
                self._closed(payload)
                break
            else:
                raise Violation(f"FR2: opcode {opcode} from the server")
        return out

    def _closed(self, payload):
        code = struct.unpack("!H", payload[:2])[0] if len(payload) >= 2 else 1005
        assert len(payload) <= 125, "ER7: reason too long"
        self.closed = (code, payload[2:].decode("utf-8"))
        if code != 1005:
            assert code not in (1005, 1006, 1015), "ER7: reserved code"
        self.send_raw(frames.frame(frames.CLOSE, payload[:2]), patience=1)
        self.socket.close()


class Peer:
    """A person on a board: a Socket, a Replica, a sequence."""

    open_in_test = []

    def __init__(self, server, board, client=None, name="Test", hello=True, resume=None,
                 replica=None, seq=None, **socket_options):
        self.server, self.board_id = server, board
        self.client = client or new_id()
        self.name = name
        self.socket = Socket(server.port, f"/v1/boards/{board}/live", **socket_options)
        self.events, self.frames_of = [], []
        self.replica = Replica()
        self.replica.client = self.client.lower()
        if replica:
            self.replica.board = copy.deepcopy(replica.board)
            self.replica.revision = replica.revision
        if threading.current_thread() is threading.main_thread():
            Peer.open_in_test.append(self)
        self.drag_number = 0
        self.seq = seq
        if hello:
            self.hello(resume)

    # connection
    def hello(self, resume=None, **more):
        message = {"type": "hello", "client": self.client, "name": self.name, **more}
        if resume is not None:
            message["resume"] = resume
        self.send(message)
        return self.joined()

    def joined(self):
        welcome = self.wait(lambda: self.replica.welcome, "a welcome")
        if self.seq is None:
            self.seq = welcome["lastSeq"]
        mine = [d["drag"] for d in welcome["drags"] if d["peer"] == self.me]
        self.drag_number = max([self.drag_number, *mine])
        return welcome

    def again(self, resume=True, **options):
        """The same client on a new connection, told what this one had applied."""
        point = {"epoch": self.replica.epoch, "revision": self.replica.revision}
        other = Peer(self.server, self.board_id, client=self.client, name=self.name, hello=False,
                     replica=self.replica if resume else None, seq=self.seq, **options)
        other.replica.carried = self.replica.unanswered()
        other.hello(point if resume is True else resume or None)
        return other

    @property
    def me(self):
        return self.replica.me

    @property
    def revision(self):
        return self.replica.revision

    @property
    def order(self):
        """{section: [icon ids]} as this client sees it."""
        return lists(self.replica.board)

    def send(self, *messages):
        """All messages in one TCP write."""
        for m in messages:
            if isinstance(m, dict) and m.get("type") in ("edit", "drag.drop") and "seq" in m:
                self.replica.ask(m["seq"])
        self.socket.send_many(messages)

    def close(self, code=1000):
        """Closes cleanly and waits for the end."""
        self.socket.close(code)
        return self.closed()

    def closed(self, timeout=PATIENCE):
        """(code, reason), after everything that came before it was checked."""
        end = time.monotonic() + timeout
        while not self.socket.closed:
            assert time.monotonic() < end, f"not closed within {timeout} s"
            self.pump(end - time.monotonic())
        return self.socket.closed

    # hearing
    def pump(self, timeout=0.0):
        """Takes in what comes within `timeout`; returns how many events came."""
        count = 0
        for text in self.socket.read(timeout):
            array = json.loads(text)
            if not isinstance(array, list):
                raise Violation(f"FR3: not an array: {text[:200]!r}")
            for event in array:
                self.events.append(event)
                self.frames_of.append(self.socket.messages)
                count += 1
                try:
                    self.replica.take(event)
                except Violation as why:
                    recent = "\n  ".join(map(str, self.events[-8:]))
                    raise Violation(f"{self.name}: {why}\nlast events:\n  {recent}") from None
            self.replica.frame_done()
        return count

    def wait(self, ready, what="", timeout=PATIENCE):
        """Hears events until `ready()` is true; returns its value."""
        end = time.monotonic() + timeout
        while not (value := ready()):
            left = end - time.monotonic()
            if self.socket.closed:
                raise Closed(*self.socket.closed)
            if left <= 0:
                recent = "\n  ".join(map(str, self.events[-8:]))
                raise AssertionError(f"{self.name}: no {what} within {timeout} s; last:\n  {recent}")
            self.pump(left)
        return value

    def mark(self):
        """A place in what was heard; pass it as `since`."""
        self.pump()
        return len(self.events)

    def heard(self, since=0, **fields):
        """Events from `since` on with these fields (`type` may be given as `type=`)."""
        return [e for e in self.events[since:] if all(e.get(k) == v for k, v in fields.items())]

    def expect(self, since=0, timeout=PATIENCE, **fields):
        """The first such event from `since` on, awaited."""
        return self.wait(lambda: next(iter(self.heard(since, **fields)), None), fields, timeout)

    def place(self, **fields):
        """Where in the whole log the first such event is."""
        return next(i for i, e in enumerate(self.events)
                    if all(e.get(k) == v for k, v in fields.items()))

    # acting
    def edit(self, edit, base=None, seq=None, wait=True):
        """Sends an edit under the next seq; returns its answer."""
        message = self.message(edit, base, seq)
        self.send(message)
        return self.answer(message["seq"]) if wait else message["seq"]

    def message(self, edit, base=None, seq=None):
        if seq is None:
            self.seq += 1
            seq = self.seq
        base = self.revision if base is None else base
        return {"type": "edit", "seq": seq, "base": base, "edit": edit}

    def answer(self, seq, number=0, timeout=PATIENCE):
        """The `number`-th answer to `seq`, awaited."""
        answers = self.replica.answers
        return self.wait(lambda: len(answers.get(seq, [])) > number and answers[seq][number],
                         f"answer to seq {seq}", timeout)

    def move(self, icons, wait=True, base=None, **to):
        icons = [icons] if isinstance(icons, str) else list(icons)
        return self.edit({"kind": "icon.move", "icons": icons, "to": to}, base, wait=wait)

    def begin(self, *icons, wait=True):
        """Begins a drag; returns its number, after it began when `wait`."""
        self.drag_number += 1
        number = self.drag_number
        self.send({"type": "drag.begin", "drag": number, "icons": list(icons)})
        if wait:
            self.wait(lambda: (self.me, number) in self.replica.drags, "drag.began")
        return number

    def target(self, drag, target, base=None, **more):
        self.send({"type": "drag.target", "drag": drag,
                   "base": self.revision if base is None else base, "target": target, **more})

    def drop(self, drag, base=None, wait=True, seq=None, **more):
        """Drops; returns the answer when `wait`, else the seq."""
        if seq is None:
            self.seq += 1
            seq = self.seq
        message = {"type": "drag.drop", "drag": drag, "seq": seq, **more}
        message["base"] = self.revision if base is None else base
        self.send(message)
        return self.answer(seq) if wait else seq

    def cancel(self, drag):
        self.send({"type": "drag.cancel", "drag": drag})


def pump_all(peers, ready, what="", timeout=PATIENCE):
    """Hears on several connections until `ready()`."""
    end = time.monotonic() + timeout
    while not ready():
        left = end - time.monotonic()
        assert left > 0, f"no {what} within {timeout} s"
        alive = [p for p in peers if not p.socket.closed]
        if not alive:
            raise Closed(1006, "all closed")
        early = [p for p in alive if p.socket.early]
        ready_sockets, _, _ = select.select([p.socket.socket for p in alive], [], [],
                                            0 if early else min(left, 0.5))
        for p in alive:
            if p in early or p.socket.socket in ready_sockets:
                p.pump()


def fence(*peers):
    """Everything that happened before this call has reached all these peers when it returns.

    It renames the board over HTTP and waits until each of them saw the new title: commits, drags
    and peer events come in the order in which they happened.
    """
    server, board = peers[0].server, peers[0].board_id
    title = f"fence {new_id()[:8]}"
    answer = server.edit(board, {"kind": "board.update", "set": {"title": title}})
    assert answer["type"] == "commit", answer
    pump_all(peers, lambda: all(p.revision >= answer["revision"] for p in peers), "fence")
    return answer["revision"]


def agree(*peers):
    """All peers, the server's GET and each other show the same board (HC1, HC2)."""
    fence(*peers)
    board = peers[0].server.board(peers[0].board_id)
    for p in peers:
        pump_all([p], lambda: p.revision >= board["revision"], "the newest revision")
        assert normal(p.replica.board) == normal(board), f"{p.name} shows another board"
    return lists(board)


def normal(board):
    """The board without what says nothing: cleared fields, `locked: false`."""
    board = copy.deepcopy(board)
    for section in board["sections"]:
        section["icons"] = [{k: v for k, v in i.items() if v is not None and (k, v) != ("locked", False)}
                            for i in section["icons"]]
    return board


def listen(seconds, *peers):
    """Hears for so long, to show that something does not come."""
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0:
        for p in peers:
            p.pump(min(left, 0.2) / len(peers))
