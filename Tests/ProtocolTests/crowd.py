#!/usr/bin/env python3
"""Many people on many boards while the server is restarted, and a start with many boards.

    crowd.py [--boards 200] [--peers 10] [--stored 10000]

The people are as light as they can be: no replica, but each knows its revision, its sequence and
what of it was decided, and comes back by itself as the protocol advises (at once after 1012, with
jitter; sends again what lastSeq doesn't cover). Prints figures, ends with 1 when one is wrong.
"""
import argparse
import base64
import collections
import concurrent.futures
import errno
import heapq
import http.client
import json
import os
import random
import resource
import select
import signal
import socket
import struct
import sys
import time

import frames
from client import new_id
from faults import FaultyServer


class Light:
    """One person of a crowd."""

    __slots__ = ("crowd", "board", "client", "socket", "parser", "state", "out", "head", "revision", "epoch",
                 "seq", "pending", "decided", "recovered", "attempt", "welcomed_at", "code", "gaps", "twice")

    def __init__(self, crowd, board):
        self.crowd, self.board, self.client = crowd, board, new_id()
        self.socket, self.state = None, "away"
        self.revision, self.epoch, self.seq = None, None, 0
        self.pending, self.decided = {}, {}     # seq -> message; seq -> what it became
        self.recovered, self.attempt, self.welcomed_at, self.code = None, 0, None, None
        self.gaps = self.twice = 0

    def connect(self):
        self.parser, self.head, self.out = frames.Parser(), b"", b""
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        result = self.socket.connect_ex(("127.0.0.1", self.crowd.port))
        if result not in (0, errno.EINPROGRESS):
            return self.lost(1006)
        self.state = "connecting"
        self.crowd.poll.register(self.socket.fileno(), select.EPOLLOUT)
        self.crowd.by_fd[self.socket.fileno()] = self

    def lost(self, code):
        """Comes back after a while of its own choice, as the client library does."""
        if self.socket and self.socket.fileno() >= 0:
            self.crowd.by_fd.pop(self.socket.fileno(), None)
            self.socket.close()
        self.state, self.code = "away", self.code if code == 1006 and self.code else code
        delay = self.crowd.random.random() * 0.25 * 2 ** min(self.attempt, 2)
        self.attempt += 1
        heapq.heappush(self.crowd.due, (time.monotonic() + delay, id(self), self))

    def ready(self, events):
        if self.state == "connecting":
            if self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR):
                return self.lost(1006)
            self.state = "upgrading"
            key = base64.b64encode(os.urandom(16)).decode()
            self.write(f"GET /v1/boards/{self.board}/live HTTP/1.1\r\nHost: 127.0.0.1:{self.crowd.port}\r\n"
                       "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                       f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Protocol: homeboard.v1\r\n\r\n".encode())
            return self.crowd.poll.modify(self.socket.fileno(), select.EPOLLIN)
        if events & select.EPOLLOUT:
            self.write(b"")
        if events & ~select.EPOLLOUT:
            self.read()

    def write(self, data):
        self.out += data
        try:
            self.out = self.out[self.socket.send(self.out):]
        except BlockingIOError:
            pass
        except OSError:
            return self.lost(1006)
        if self.out:
            self.crowd.poll.modify(self.socket.fileno(), select.EPOLLIN | select.EPOLLOUT)

    def say(self, message):
        self.write(frames.frame(frames.TEXT, json.dumps(message, separators=(",", ":")).encode()))

    def read(self):
        try:
            data = self.socket.recv(1 << 16)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            return self.lost(1006)
        if self.state == "upgrading":
            self.head += data
            if b"\r\n\r\n" not in self.head:
                return
            head, _, data = self.head.partition(b"\r\n\r\n")
            if not head.startswith(b"HTTP/1.1 101"):
                return self.lost(1013)
            self.state = "greeting"
            hello = {"type": "hello", "client": self.client, "name": "one of many"}
            if self.epoch:
                hello["resume"] = {"epoch": self.epoch, "revision": self.revision}
            self.say(hello)
        for opcode, payload in self.parser.feed(data):
            if opcode == frames.TEXT:
                for event in json.loads(payload):
                    self.take(event)
            elif opcode == frames.PING:
                self.write(frames.frame(frames.PONG, payload))
            elif opcode == frames.CLOSE:
                code = struct.unpack("!H", payload[:2])[0] if payload else 1005
                self.write(frames.frame(frames.CLOSE, payload[:2]))
                return self.lost(code)

    def take(self, event):
        kind = event["type"]
        if kind == "commit":
            self.commit(event)
        elif kind == "result":
            self.decide(event["seq"], event["status"])
        elif kind == "welcome":
            self.recovered = event["recovered"]
            if self.recovered:
                for commit in event["commits"]:
                    self.commit(commit)
                self.gaps += self.revision != event["revision"]
            self.revision, self.epoch = event["revision"], event["epoch"]
            last = event["lastSeq"]
            self.gaps += any(seq > last for seq in self.decided)    # an answer was forgotten
            for seq in [s for s in self.pending if s <= last]:
                self.decide(seq, "told by lastSeq")
            self.state, self.attempt = "welcomed", 0
            self.welcomed_at = time.monotonic()
            for seq in sorted(self.pending):
                self.say(self.pending[seq])

    def commit(self, event):
        self.gaps += event["revision"] != self.revision + 1
        self.revision = event["revision"]
        if event["client"] == self.client:
            self.decide(event["seq"], "applied")

    def decide(self, seq, how):
        self.twice += seq in self.decided and how != "told by lastSeq"
        self.decided[seq] = how
        self.pending.pop(seq, None)

    def edit(self, edit):
        self.seq += 1
        self.pending[self.seq] = {"type": "edit", "seq": self.seq, "base": self.revision, "edit": edit}
        if self.state == "welcomed":
            self.say(self.pending[self.seq])


class Crowd:
    """All of them, on one thread."""

    def __init__(self, port, boards, peers, seed):
        self.port, self.random = port, random.Random(seed)
        self.poll, self.by_fd, self.due = select.epoll(), {}, []
        self.people = [Light(self, board) for board in boards for _ in range(peers)]

    def run(self, ready, seconds, what):
        """Until `ready()`."""
        end = time.monotonic() + seconds
        while not ready():
            now = time.monotonic()
            assert now < end, f"not {what} within {seconds} s: {self.states()}"
            while self.due and self.due[0][0] <= now:
                heapq.heappop(self.due)[2].connect()
            wait = min(self.due[0][0] - now, 0.02) if self.due else 0.02
            for fd, events in self.poll.poll(max(wait, 0)):
                if person := self.by_fd.get(fd):
                    person.ready(events)

    def states(self):
        return dict(collections.Counter(p.state for p in self.people))

    def arrive(self):
        for i, person in enumerate(self.people):
            heapq.heappush(self.due, (time.monotonic() + i / 4000, i, person))
        self.run(self.all_here, 60, "all here")

    def all_here(self):
        return all(p.state == "welcomed" and p.welcomed_at for p in self.people)

    def close(self):
        for person in self.people:
            if person.socket:
                person.socket.close()
        self.poll.close()


def make_boards(server, names, at_once=16):
    """Many, as fast as HTTP makes them."""
    def make(part):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        for name in part:
            connection.request("POST", "/v1/boards", json.dumps({"id": name, "template": "home"}),
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            answer.read()
            assert answer.status == 201, answer.status
        connection.close()

    with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
        list(pool.map(make, [names[i::at_once] for i in range(at_once)]))


def allow_descriptors(count):
    """So many sockets here, and in the server, which inherits it."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        assert hard >= count, f"this needs {count} open files at once; the hard limit is {hard}"
        resource.setrlimit(resource.RLIMIT_NOFILE, (count, hard))


def restart(boards=200, peers=10, edits=3, end=signal.SIGTERM, seed=None, say=print):
    """An end with edits in flight, and a start at once. Returns what was wrong."""
    seed = seed or time.time_ns()
    allow_descriptors(boards * peers + 200)
    server = FaultyServer().start()
    crowd = None
    try:
        names = [f"crowd-{i}" for i in range(boards)]
        make_boards(server, names)
        icons = {name: [i["id"] for s in server.board(name)["sections"] for i in s["icons"]] for name in names}
        starts = {name: server.board(name)["revision"] for name in names}
        crowd = Crowd(server.port, names, peers, seed)
        began = time.monotonic()
        crowd.arrive()
        arrived = time.monotonic() - began
        def burst(word):
            for n, person in enumerate(crowd.people):
                if n % peers < 3:
                    person.edit({"kind": "icon.update", "icon": icons[person.board][n % peers],
                                 "set": {"label": f"{n} {word}"}})
        for round_ in range(edits):
            burst(round_)
        flying = sum(len(p.pending) for p in crowd.people)
        for person in crowd.people:
            person.welcomed_at = person.code = None
        began = time.monotonic()
        server.process.send_signal(end)
        burst("after the signal")
        crowd.run(lambda: not server.alive(), 15, "stopped")
        stopped = time.monotonic()
        code = server.process.returncode
        unanswered = sum(len(p.pending) for p in crowd.people)
        server.spawn_quietly()
        crowd.run(crowd.all_here, 60, "all back")
        back = max(p.welcomed_at for p in crowd.people)
        crowd.run(lambda: not any(p.pending for p in crowd.people), 60, "all decided")
        decided = time.monotonic()
        wrong = []
        if code != (0 if end == signal.SIGTERM else -end):
            wrong.append(f"the stop ended with {code}")
        codes = collections.Counter(p.code for p in crowd.people)
        if end == signal.SIGTERM and set(codes) != {1012}:
            wrong.append(f"close codes {dict(codes)}")
        if not all(p.recovered for p in crowd.people):
            wrong.append(f"{sum(not p.recovered for p in crowd.people)} were not recovered")
        for what in ("gaps", "twice"):
            if count := sum(getattr(p, what) for p in crowd.people):
                wrong.append(f"{count} {what}")
        wrong += lost_or_doubled(server, names, starts, crowd.people)
        if back - began > 5:
            wrong.append(f"{back - began:.2f} s until all were back")
        say(f"crowd: {boards} boards, {len(crowd.people)} peers, seed {seed}: here within {arrived:.2f} s; "
            f"{flying} edits in flight at {end.name}, {unanswered} of these and later ones without an answer at "
            f"the end; stopped after {stopped - began:.2f} s; all back after {back - began:.2f} s from the "
            f"signal, {back - stopped:.2f} s from the start; all edits decided after {decided - began:.2f} s; "
            f"wrong: {wrong or 0}")
        return wrong
    finally:
        if crowd:
            crowd.close()
        server.remove()


def lost_or_doubled(server, names, starts, people):
    """Each edit that was decided as applied is in the log of its board, once, and each number is used."""
    wrong, by_board = [], collections.defaultdict(list)
    for person in people:
        by_board[person.board].append(person)
    for name in names:
        commits = server.get(f"/v1/boards/{name}/commits?since={starts[name]}").json()["commits"]
        seqs = collections.Counter((c["client"], c["seq"]) for c in commits)
        if [c["revision"] for c in commits] != list(range(starts[name] + 1, starts[name] + 1 + len(commits))):
            wrong.append(f"{name}: a gap in the revisions")
        wrong += [f"{name}: {key} is there {count} times" for key, count in seqs.items() if count > 1]
        for person in by_board[name]:
            wrong += [f"{name}: lost {seq} of {person.client}" for seq, how in person.decided.items()
                      if how != "noop" and (person.client, seq) not in seqs]
    return wrong


def many_boards(count, say=print):
    """The time from the start to the first `ready` and the first welcome, with so many boards."""
    server, wrong = FaultyServer(), []
    if os.path.isdir("/dev/shm"):               # to make them fast; they are started from the disk
        os.rmdir(server.data)
        server.data = f"/dev/shm/{os.path.basename(server.data)}"
    disk = FaultyServer()
    try:
        server.start()
        began = time.monotonic()
        make_boards(server, [f"many-{i}" for i in range(count)])
        made = time.monotonic() - began
        for how in ("stopped", "killed"):
            if how == "stopped":
                assert server.terminate() == 0
            else:
                server.kill()
            os.rmdir(disk.data)
            os.system(f"cp -r {server.data} {disk.data}")
            begun = time.monotonic()
            ready = disk.launch()
            person = disk.join(f"many-{count // 2}")
            welcome = time.monotonic() - begun
            size = sum(e.stat().st_size for e in os.scandir(disk.data)) >> 20
            assert person.replica.board["revision"] >= 0
            listed = time.monotonic()
            boards = len(disk.get("/v1/boards").json()["boards"])
            listed = time.monotonic() - listed
            if boards != count or max(ready, welcome) > 2:
                wrong.append(f"{how}: {boards} boards, {welcome:.2f} s")
            say(f"boards: {boards} boards ({size} MiB, made in {made:.1f} s), server {how}: ready after "
                f"{1000 * ready:.0f} ms, first welcome after {1000 * welcome:.0f} ms, listed in "
                f"{1000 * listed:.0f} ms; wrong: {wrong or 0}")
            person.socket.hang_up()
            disk.kill()
            disk.remove()
            if how == "stopped":
                disk = FaultyServer()
                server.launch()
                make_boards(server, [f"more-{i}" for i in range(50)])
                count += 50
        return wrong
    finally:
        server.remove()
        disk.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=200)
    parser.add_argument("--peers", type=int, default=10)
    parser.add_argument("--stored", type=int, default=10_000)
    options = parser.parse_args()
    wrong = restart(options.boards, options.peers)
    wrong += restart(options.boards, options.peers, end=signal.SIGKILL)
    wrong += many_boards(options.stored)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
