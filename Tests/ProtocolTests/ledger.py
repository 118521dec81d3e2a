"""What clients were told, held against what a server has after whatever happened to it.

Acknowledged means heard: a commit, a result, a status of HTTP. All of it has to be there afterwards,
once, in its order; what was sent and not answered may be there or not, and is sent again.
"""
import collections
import http.client

from client import Closed, Refused, agree, pump_all
from people import Person, decides
from replica import Replica
from server import Layout

GONE = (Closed, Refused, OSError, http.client.HTTPException)     # how clients see a server end
WRONG = ("lost", "duplicated", "reordered", "gap")


class Counters(dict):
    """Figures of a run; all of WRONG have to be 0."""

    def __init__(self):
        super().__init__({name: 0 for name in ("points", "acked", *WRONG, "unknown", "unknown_landed")})
        self.recover_ms = []
        self.words = []

    def recovered(self, seconds):
        self.recover_ms.append(1000 * seconds)

    def wrong(self, kind, *words):
        self[kind] += 1
        self.words.append(" ".join(str(w) for w in (kind + ":", *words))[:2000])

    def add(self, other):
        for name in self:
            self[name] += other[name]
        self.recover_ms += other.recover_ms
        self.words += other.words

    def __str__(self):
        worst = f"{max(self.recover_ms):.0f}" if self.recover_ms else "-"
        return ", ".join(f"{k} {v}" for k, v in self.items()) + f", recover_ms max {worst}"

    def assert_clean(self, *words):
        assert not any(self[k] for k in WRONG), "\n".join(
            [" ".join(map(str, words)), str(self), *self.words[:20]])


def bare(commit):
    """A commit as every client knows it."""
    return {**commit, "peer": None}


class Hand(Person):
    """A person whose every answer counts, on whichever connection it came."""

    def __init__(self, board, number, rnd):
        self.earlier = []
        super().__init__(board, number, rnd)

    def reconnect(self):
        old = self.peer
        super().reconnect()
        self.earlier.append(old)

    def burst(self, count):
        """So many moves in one write."""
        messages = [self.peer.message({"kind": "icon.move", "icons": [self.random.choice(self.icons())],
                                       "to": self.target()}) for _ in range(count)]
        self.sent.update({m["seq"]: m for m in messages})
        self.peer.send(*messages)

    def answered(self):
        """The seqs that were decided, as far as this person heard."""
        return {seq for p in (*self.earlier, self.peer) for seq, answers in p.replica.answers.items()
                for a in answers if decides(a)}

    def back(self, counters):
        """Comes back and sends again what isn't decided; each is then decided, once."""
        heard, old = self.answered(), self.peer
        unanswered = sorted(s for s in self.sent if s not in heard and s > max(heard, default=0))
        self.peer = p = old.again()
        self.earlier, self.drag = [], None
        last = p.replica.welcome["lastSeq"]
        for seq in heard:
            if seq > last:
                counters.wrong("lost", f"{self.peer.name}: the answer to {seq}; lastSeq is {last}")
        counters["unknown"] += len(unanswered)
        counters["unknown_landed"] += sum(seq <= last for seq in unanswered)
        if again := [self.sent[s] for s in sorted(self.sent) if s > last]:
            p.send(*again)
        p.wait(lambda: p.replica.last_decided >= p.seq, "answers to what was sent again")
        p.wait(lambda: all(p.replica.answers.get(m["seq"]) for m in again), "an answer to each")
        self.sent = {s: m for s, m in self.sent.items() if s > p.seq - 5}
        return len(heard)


class Scene:
    """A board, a watcher and some people on it; `begin` a point, let things happen, then `settle`."""

    def __init__(self, server, rnd, people=3):
        self.server = server
        self.layout = Layout(server, {"s": "ABCDEF", "t": {"icons": "GHIJ", "capacity": 12}, "u": ""})
        self.watcher = self.layout.join("watcher")
        self.people = [Hand(self.layout, i, rnd) for i in range(people)]
        self.begin()

    def peers(self):
        return [self.watcher, *[h.peer for h in self.people]]

    def begin(self):
        self.base = self.server.board(self.layout.id)
        self.counted = {h: len(h.answered()) for h in self.people}

    def hear(self):
        for p in self.peers():
            p.pump()

    def commits(self):
        """{revision: commit} of the server since the point began."""
        answer = self.server.get(f"/v1/boards/{self.layout.id}/commits?since={self.base['revision']}")
        assert answer.status == 200, answer
        commits = [bare(c) for c in answer.json()["commits"]]
        return {c["revision"]: c for c in commits}, [c["revision"] for c in commits]

    def heard(self, counters):
        """{revision: commit} of everybody's connections since the point began."""
        heard, since = {}, self.base["revision"]
        earlier = [p for h in self.people for p in h.earlier]
        for p in (*self.peers(), *earlier):
            for told in p.heard(type="commit"):
                if told["revision"] > since and heard.setdefault(told["revision"], bare(told)) != bare(told):
                    counters.wrong("reordered", "two commits of one revision were told", told)
        return heard

    def settle(self, counters):
        """After a restart, or without one: everyone comes back, and everything is compared."""
        restarted = all(p.socket.closed for p in self.peers())
        for p in self.peers():
            try:
                p.closed() if restarted else p.pump()
            except GONE:
                pass
        heard = self.heard(counters)
        stored, order = self.commits()
        self._compare(stored, order, heard, counters)
        self.watcher = self.watcher.again()
        for hand in self.people:
            counters["acked"] += hand.back(counters) - self.counted[hand]
        agree(*self.peers())
        after, order = self.commits()
        self._compare(after, order, stored, counters)
        self._once(after, counters)
        replica = Replica()
        replica.board, replica.revision = self.base, self.base["revision"]
        for revision in order:
            replica.apply(after[revision]["edit"])
        now = self.server.board(self.layout.id)
        if [s["icons"] for s in replica.board["sections"]] != [s["icons"] for s in now["sections"]]:
            counters.wrong("gap", "the board isn't what its commits make of it", replica.board, now)
        self.begin()

    def _compare(self, stored, order, heard, counters):
        first = self.base["revision"] + 1
        if order != list(range(first, first + len(order))):
            counters.wrong("gap", "revisions", order)
        places = {(c["client"], c["seq"]): c["revision"] for c in stored.values()}
        for revision, commit in heard.items():
            if stored.get(revision) == commit:
                continue
            elsewhere = places.get((commit["client"], commit["seq"]))
            counters.wrong("reordered" if elsewhere else "lost", commit, "now at", elsewhere,
                           "and there is", stored.get(revision))

    @staticmethod
    def _once(stored, counters):
        seqs = collections.defaultdict(list)
        for revision in sorted(stored):
            seqs[stored[revision]["client"]].append(stored[revision]["seq"])
        for client, numbers in seqs.items():
            if len(set(numbers)) < len(numbers):
                counters.wrong("duplicated", client, numbers)
            if numbers != sorted(numbers):
                counters.wrong("reordered", client, numbers)

    def answers(self):
        """Waits for an answer to all that was asked on the connections there are."""
        def answered():
            return all(len(h.peer.replica.answers.get(seq, [])) >= count for h in self.people
                       for seq, count in h.peer.replica.asked.items())
        pump_all(self.peers(), answered, "answers")


class Shelf:
    """Boards made, replaced and removed over HTTP: what may be of each, as far as the answers tell.

    Of a board: None when it isn't there; all of it when that was told; its title when only asked for.
    """

    def __init__(self, server, rnd, prefix="shelf"):
        self.server, self.random, self.prefix = server, rnd, prefix
        self.may, self.made, self.acked = {}, 0, 0

    def act(self):
        rnd, here = self.random, [k for k, v in self.may.items() if v[0] is not None]
        kind = rnd.random()
        self.made += 1
        title = f"{self.prefix} {self.made}"
        if len(here) < 3 or (kind < 0.4 and len(here) < 12):
            self.create(f"{self.prefix}-{self.made}", title, rnd.choice(["home", "grid", "row", "empty"]))
        elif kind < 0.75:
            self.replace(rnd.choice(here), title)
        else:
            self.remove(rnd.choice(here))

    def create(self, name, title, template):
        self.may[name] = [None, title]
        self._done(name, self.server.request(
            "POST", "/v1/boards", {"id": name, "title": title, "template": template}), 201)

    def replace(self, name, title, **changes):
        board = self.may[name][0]
        self.may[name] = [board, title]
        self._done(name, self.server.put(
            name, {**board, "title": title, "sections": board["sections"][::-1], **changes}), 200)

    def remove(self, name):
        self.may[name] = [self.may[name][0], None]
        self._done(name, self.server.request("DELETE", f"/v1/boards/{name}"), 204)

    def _done(self, name, answer, status):
        if answer.status == 503:                # a full disk: nothing was changed
            self.may[name] = self.may[name][:1]
            return
        assert answer.status == status, answer
        self.may[name] = [answer.json() if answer.body else None]
        self.acked += 1

    def settle(self, counters):
        """Each board is what was told last, or what was asked for and not answered."""
        listed = {b["id"]: b["revision"] for b in self.server.get("/v1/boards").json()["boards"]}
        counters["acked"] += self.acked
        self.acked = 0
        for name, candidates in list(self.may.items()):
            answer = self.server.get(f"/v1/boards/{name}")
            assert answer.status in (200, 404), answer
            found = answer.json() if answer.status == 200 else None
            if len(candidates) > 1:
                counters["unknown"] += 1
                counters["unknown_landed"] += found != candidates[0]
            if not any(found == c or found and found["title"] == c for c in candidates):
                counters.wrong("lost", name, "is", found, "not one of", candidates)
            if listed.get(name) != (found and found["revision"]):
                counters.wrong("gap", name, "is listed at", listed.get(name), "and is", found)
            self.may[name] = [found]
        self.may = {k: v for k, v in self.may.items() if v[0] is not None}
