"""What a power cut may leave of the data directory.

A server runs under strace, which writes down every change to a file and when it was made. A cut is a
moment. What a finished sync covered is there; each later write may be there or not, sector by sector
(512 bytes) and in any combination; a file's creation, renaming or removal that no sync of the directory
covered may be undone. From such an image a server has to start, and to have every commit that any
client had heard at that moment, each once, in its order.

Causes come before effects: a client hears after the server sent, the server sends after the sync
returned, and strace notes the return before it lets the server go on. So whatever was heard at a
moment had its sync noted before that moment, unless the server acknowledged too early.
"""
import os
import pathlib
import random
import re
import select
import shutil
import time

from client import PATIENCE, Peer
from faults import FaultyServer
from ledger import Counters, Hand, bare
from server import Layout

SECTOR = 512
CALLS = ("openat,pwrite64,write,ftruncate,fdatasync,fsync,?rename,?renameat,?renameat2,?unlink,?unlinkat")
LINE = re.compile(r"^(\d+) +(\d+\.\d+) (\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?.*?(?: <(\d+\.\d+)>)?$")
BEGUN = re.compile(r"^(\d+) +(\d+\.\d+) (.*) <unfinished \.\.\.>$")
RESUMED = re.compile(r"^(\d+) +(\d+\.\d+) <\.\.\. \w+ resumed>(.*)$")
TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
IGNORED = ("-shm",)                             # rebuilt by whoever opens it first


def plain(text):
    return bytes.fromhex(text.replace("\\x", ""))


class File:
    """What is surely on the disk of a file, and what may be."""

    def __init__(self, content=b""):
        self.sure, self.maybe = bytearray(content), []

    def sync(self):
        for change in self.maybe:
            apply(self.sure, change)
        self.maybe = []

    def torn(self, rnd):
        """One of the contents that a cut may leave."""
        content, share = bytearray(self.sure), rnd.choice([0, 1, rnd.random(), rnd.random()])
        for change in self.maybe:
            if change[0] == "cut":
                if rnd.random() < share:
                    apply(content, change)
                continue
            _, data, offset = change
            at = 0
            while at < len(data):
                end = min(len(data), at + SECTOR - (offset + at) % SECTOR)
                if rnd.random() < share:
                    apply(content, ("write", data[at:end], offset + at))
                at = end
        return bytes(content)


def apply(content, change):
    if change[0] == "cut":
        size = change[1]
        content[size:] = bytes(max(0, size - len(content)))
        return
    _, data, offset = change
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset:offset + len(data)] = data


class Disk:
    """The directory: which name leads to which file, surely and maybe."""

    def __init__(self, before, directory):
        """`before`: a copy of what was in `directory` when the trace began."""
        self.directory = str(directory)
        self.sure = {p.name: File(p.read_bytes()) for p in pathlib.Path(before).iterdir() if p.is_file()}
        self.now = dict(self.sure)
        self.changes = []                       # of names, since the directory was synced

    def name(self, path):
        return path[len(self.directory) + 1:] if path.startswith(self.directory + "/") else None

    def _change(self, name, file):
        self.changes.append((name, file))
        if file is None:
            self.now.pop(name, None)
        else:
            self.now[name] = file

    def do(self, call):
        """One call that succeeded."""
        paths, call, creates, data, number = call.paths, call.name, call.creates, call.data, call.number
        if call == "openat":
            if creates and self.name(paths[-1]) and self.name(paths[-1]) not in self.now:
                self._change(self.name(paths[-1]), File())
        elif call.startswith("rename"):
            old, new = self.name(paths[0]), self.name(paths[-1])
            if old in self.now:
                file = self.now[old]
                self._change(new, file)
                self._change(old, None)
        elif call.startswith("unlink"):
            if self.name(paths[-1]) in self.now:
                self._change(self.name(paths[-1]), None)
        elif call in ("fsync", "fdatasync") and paths[0] == self.directory:
            for name, file in self.changes:
                if file is None:
                    self.sure.pop(name, None)
                else:
                    self.sure[name] = file
            self.changes = []
        elif self.name(paths[0]) in self.now:
            file = self.now[self.name(paths[0])]
            if call in ("fsync", "fdatasync"):
                file.sync()
            else:
                file.maybe.append(("cut", number) if call == "ftruncate" else ("write", data, number))

    def image(self, rnd, directory):
        """Writes one of the directories that a cut may leave."""
        names = dict(self.sure)
        for name, file in self.changes[:rnd.randint(0, len(self.changes))]:
            if file is None:
                names.pop(name, None)
            else:
                names[name] = file
        for name, file in names.items():
            if not name.endswith(IGNORED):
                (pathlib.Path(directory) / name).write_bytes(file.torn(rnd))


class Call:
    def __init__(self, begun, ended, name, arguments, result, paths):
        self.begun, self.ended, self.name, self.paths = begun, ended, name, paths
        self.creates = "O_CREAT" in arguments
        data = TEXT.search(arguments) if name in ("write", "pwrite64") else None
        self.data = plain(data[1])[:result] if data else b""
        # Only one file is written by `write`, once: that which tries whether it can be.
        self.number = int(arguments.rsplit(", ", 1)[1]) if name in ("pwrite64", "ftruncate") else 0


def calls(trace):
    """The calls of a trace by the time they began."""
    found, pending = [], {}
    for line in pathlib.Path(trace).read_text().splitlines():
        if match := BEGUN.match(line):
            pending[match[1]] = match
            continue
        began = ended = None
        if match := RESUMED.match(line):
            first = pending.pop(match[1])
            line, began, ended = f"{first[1]} {first[2]} {first[3]}{match[3]}", float(first[2]), float(match[2])
        match = LINE.match(line)
        if not match or int(match[5]) < 0:
            continue
        began = float(match[2])
        ended = max(ended or 0, began + float(match[7] or 0))
        name, arguments = match[3], match[4]
        if name in ("openat", "rename", "renameat", "renameat2", "unlink", "unlinkat"):
            paths = [plain(t).decode() for t in TEXT.findall(arguments)]
        else:
            paths = [plain(re.match(r"\d+<((?:\\x[0-9a-f]{2})*)>", arguments)[1]).decode()]
        found.append(Call(began, ended, name, arguments, int(match[5]), paths))
    # Calls still pending when the server was killed did not return, so nothing relies on them.
    return sorted(found, key=lambda c: c.begun)


def disk_at(before, directory, history, moment):
    """The disk at a moment: calls that began, and of the syncs those that returned."""
    disk = Disk(before, directory)
    for call in history:
        if call.begun > moment:
            break
        if call.name in ("fsync", "fdatasync") and call.ended > moment:
            continue
        disk.do(call)
    return disk


class Recording:
    """A server that runs from an image while people edit, and what was sent and heard when."""

    def __init__(self, image, board, rnd, acts):
        self.board, self.random = board, rnd
        self.server = FaultyServer()
        self.before, self.trace = self.server.data + ".before", self.server.data + ".trace"
        for copy in (self.server.data, self.before):
            shutil.copytree(image, copy, dirs_exist_ok=True)
        self.sent, self.heard, self.replaced = {}, [], []
        under = ["strace", "-D", "-f", "-qq", "-y", "-xx", "-ttt", "-T", "-s", "1000000", "-o", self.trace,
                 "-e", "signal=none", "-e", f"trace={CALLS}", *self.server.paths()]
        try:
            assert self.server.launch(under) is not None, self.server.log()
            self._act(acts)
            if acts > 4 and rnd.random() < 0.5: # an orderly stop copies the log into the database
                self.server.terminate()
            else:
                self.server.kill()
            # strace has written its last line when it lets go of the pipe it shares with the server.
            self.server.process.stdout.read()
            self.history = calls(self.trace)
        except BaseException:
            self.remove()
            raise
        finally:
            Peer.open_in_test.clear()

    def _hear(self, peers):
        for p in peers:
            before = len(p.events)
            p.pump()
            now = time.time()
            self.heard += [(now, p.client, e) for e in p.events[before:]]

    def _act(self, acts):
        if self.board is None:
            self.board = Layout(self.server, {"s": "ABCDEF", "t": "GHIJ", "u": ""}).id
            self.server.create("big", template="empty")
        hands = [Hand(Existing(self.server, self.board), i, self.random) for i in range(3)]
        peers = [h.peer for h in hands]
        self.heard += [(time.time(), p.client, e) for p in peers for e in p.events]
        for act in range(acts):
            for hand in hands:
                known = set(hand.sent)
                if self.random.random() < 0.8:
                    message = hand.peer.message(hand.edit())
                    hand.sent[message["seq"]] = message
                    hand.peer.send(message)
                else:
                    hand.burst(self.random.randint(2, 12))
                now = time.time()
                self.sent.update({(hand.peer.client, seq): (now, hand.sent[seq])
                                  for seq in set(hand.sent) - known})
            self._hear(peers)
            if acts > 4 and act % 4 == 1:
                self._replace()
        end = time.monotonic() + PATIENCE
        while any(p.replica.unanswered() for p in peers):
            assert time.monotonic() < end, "no answers"
            select.select([p.socket.socket for p in peers], [], [], 0.5)
            self._hear(peers)

    def _replace(self):
        """So much that the log is copied into the database now and then."""
        icons = [{"id": f"{i:08x}-0000-4000-8000-000000000000", "red": 1, "green": 0.5, "blue": 0,
                  "link": f"https://x.example/{self.random.randbytes(200).hex()}"} for i in range(700)]
        answer = self.server.put("big", {**self.server.board("big"), "sections": [
            {"id": "all", "title": "All", "layout": {"kind": "grid", "columns": 8}, "lift": "move",
             "drop": "any", "icons": icons}]})
        assert answer.status == 200, answer
        self.replaced.append((time.time(), answer.json()))

    def moment(self):
        """A moment to cut at: when something was just heard; when most is written and not synced;
        straight before or after any call."""
        rnd = self.random
        kind = rnd.random()
        if kind < 0.3:
            return rnd.choice(self.heard)[0]
        if kind < 0.7 and (syncs := [c for c in self.history if c.name == "fdatasync"]):
            return rnd.choice(syncs).begun + 1e-7
        call = rnd.choice(self.history)
        return call.begun - 1e-7 if kind < 0.85 else call.ended + 1e-7

    def cut(self, moment, directory, without=()):
        """`without`: calls that are taken not to have happened, to see that the check sees it."""
        history = [c for c in self.history if c.name not in without]
        disk_at(self.before, self.server.data, history, moment).image(self.random, directory)

    def remove(self):
        self.server.remove()
        shutil.rmtree(self.before, ignore_errors=True)
        pathlib.Path(self.trace).unlink(missing_ok=True)


class Existing:
    """A board that is there, as people join it."""

    def __init__(self, server, board):
        self.server, self.id = server, board

    def join(self, name):
        return Peer(self.server, self.id, name=name)


def verify(recording, moment, image, counters, past):
    """Starts a server on an image and holds it against what was heard by that moment.

    `past`: {revision: commit} of the image that the recording began with. Returns the commits that
    are there now, or None when there is no board yet, or trouble.
    """
    told = {e["revision"]: bare(e) for when, _, e in recording.heard
            if when <= moment and e["type"] == "commit"}
    welcomed = [e["revision"] for when, _, e in recording.heard if when <= moment and e["type"] == "welcome"]
    truth = {**past, **{e["revision"]: bare(e) for _, _, e in recording.heard if e["type"] == "commit"}}
    since = max(1, max(past, default=1) - 200)
    server = FaultyServer()
    shutil.copytree(image, server.data, dirs_exist_ok=True)
    try:
        took = server.launch()
        if took is None:
            counters.wrong("lost", "does not start:", server.log())
            return None
        counters.recovered(took)
        counters["points"] += 1
        replaced = [board for when, board in recording.replaced if when <= moment]
        if replaced:
            counters["acked"] += 1
            now = server.get("/v1/boards/big")
            if now.status != 200 or now.json()["revision"] < replaced[-1]["revision"]:
                counters.wrong("lost", "a replacement", replaced[-1]["revision"], now)
        answer = server.get(f"/v1/boards/{recording.board}/commits?since={since}")
        if answer.status != 200:
            if welcomed or past:
                counters.wrong("lost", "the board is", answer)
            return None
        commits = [bare(c) for c in answer.json()["commits"]]
        stored = {c["revision"]: c for c in commits}
        counters["acked"] += len(told)
        for revision, commit in {**past, **told}.items():
            if revision > since and stored.get(revision) != commit:
                counters.wrong("lost", commit, "is", stored.get(revision))
        for revision, commit in stored.items():
            if truth.get(revision, commit) != commit:
                counters.wrong("reordered", commit, "was", truth[revision])
        if [c["revision"] for c in commits] != list(range(since + 1, since + 1 + len(commits))):
            counters.wrong("gap", [c["revision"] for c in commits])
        if since + len(commits) < max(welcomed, default=0):
            counters.wrong("lost", f"revision {max(welcomed)} of a welcome, of {since + len(commits)}")
        again(server, recording, moment, counters, since)
        return stored
    finally:
        Peer.open_in_test.clear()
        server.remove()


def again(server, recording, moment, counters, since):
    """Clients come back and send what they had no answer to at that moment: each is decided once."""
    for client in sorted({client for client, _ in recording.sent}):
        answered = {e["seq"] for when, who, e in recording.heard if when <= moment and who == client
                    and e.get("client", client) == client and e["type"] in ("commit", "result")}
        sent = {seq: message for (who, seq), (when, message) in recording.sent.items()
                if who == client and when <= moment}
        p = Peer(server, recording.board, client=client, name="back")
        last = p.replica.welcome["lastSeq"]
        if last < max(answered, default=0):
            counters.wrong("lost", f"the answer to {max(answered)}; lastSeq is {last}")
        counters["unknown"] += len(set(sent) - answered)
        counters["unknown_landed"] += sum(s <= last for s in set(sent) - answered)
        for seq in sorted(s for s in sent if s > last):
            p.send({**sent[seq], "base": min(sent[seq]["base"], p.revision)})
            p.answer(seq)
        p.close()
    commits = server.get(f"/v1/boards/{recording.board}/commits?since={since}").json()["commits"]
    seqs = [(c["client"], c["seq"]) for c in commits]
    if len(seqs) != len(set(seqs)):
        counters.wrong("duplicated", sorted(s for s in set(seqs) if seqs.count(s) > 1))


def torture(seed, rounds, cuts):
    """`rounds` power cuts in a row, each one of `cuts` that were possible; life goes on from it."""
    rnd, counters = random.Random(f"power {seed}"), Counters()
    fresh = FaultyServer()
    image, board, past = fresh.data, None, {}
    try:
        for _ in range(rounds):
            # After a few acts the log is not copied back: the next cut tears it behind what the last left.
            recording = Recording(image, board, rnd, rnd.choice([2, 3, 4, 12]))
            try:
                for _ in range(cuts):
                    shutil.rmtree(image)
                    os.mkdir(image)
                    moment = recording.moment()
                    recording.cut(moment, image)
                    stored = verify(recording, moment, image, counters, past)
                    if counters.words:
                        counters.words.append(f"power seed {seed}")
                        return counters
                if stored:
                    board, past = recording.board, stored
                else:                           # cut before there was a board
                    shutil.rmtree(image)
                    os.mkdir(image)
                    board, past = None, {}
            finally:
                recording.remove()
    finally:
        fresh.remove()
    return counters
