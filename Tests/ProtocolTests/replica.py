"""A board kept up by events alone, which objects to every event that the protocol doesn't allow."""
import copy
import re

PROPOSALS = {"move", "copy", "forbidden", "cancel"}
OUTCOMES = {"dropped", "rejected", "cancelled", "expired", "disconnected", "removed", "forbidden"}
REASONS = set("""icon_gone section_gone section_locked icon_locked icon_pinned section_full
section_not_empty drop_forbidden duplicate_id stale_base seq_gap superseded nothing_to_undo
nothing_to_redo no_drag held external read_only invalid limit storage""".split())
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
SLUG = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
UNDECIDED = {"seq_gap", "storage"}


class Violation(AssertionError):
    """An event that the protocol doesn't allow where it came."""


def check(condition, *words):
    if not condition:
        raise Violation(" ".join(str(w) for w in words))


def check_icon(icon):
    check(UUID.fullmatch(icon["id"]), "FR6: icon id", icon)
    for part in ("red", "green", "blue"):
        check(0 <= icon[part] <= 1, "BD1: colour out of range", icon)


def check_board(board):
    """BD1 and BD2."""
    check(SLUG.fullmatch(board["id"]), "board id", board["id"])
    check(isinstance(board["title"], str), "title")
    check(isinstance(board["revision"], int) and board["revision"] >= 0, "revision")
    check(isinstance(board["epoch"], str) and board["epoch"], "epoch")
    check(board["presentation"]["axis"] in ("free", "horizontal", "vertical"), "axis")
    check(isinstance(board["presentation"]["minimumPressMs"], int), "minimumPressMs")
    for section in board["sections"]:
        check(SLUG.fullmatch(section["id"]), "section id", section["id"])
        check(isinstance(section["title"], str), "section title")
        check(section["layout"]["kind"] in ("grid", "row"), "layout")
        check(isinstance(section["layout"]["columns"], int), "columns")
        check(section["lift"] in ("move", "copy", "none"), "lift")
        check(section["drop"] in ("any", "own", "none"), "drop")
        for icon in section["icons"]:
            check_icon(icon)
    check_unique(board)


def check_unique(board):
    ids = [s["id"] for s in board["sections"]]
    check(len(ids) == len(set(ids)), "a section is there twice", ids)
    icons = [i["id"] for s in board["sections"] for i in s["icons"]]
    check(len(icons) == len(set(icons)), "BD2: an icon is there twice")


def patch(thing, values):
    for key, value in values.items():
        if value is None:
            thing.pop(key, None)
        elif isinstance(value, dict) and isinstance(thing.get(key), dict):
            patch(thing[key], value)
        else:
            thing[key] = copy.deepcopy(value)


def lists(board):
    """{section: [icon ids]}"""
    return {s["id"]: [i["id"] for i in s["icons"]] for s in board["sections"]}


class Replica:
    """What one connection knows; `take(event)` raises Violation."""

    def __init__(self):
        self.board = None
        self.revision = self.epoch = self.me = self.client = None
        self.peers, self.drags = {}, {}
        self.ended = set()
        self.last_seq = self.last_decided = 0
        self.asked, self.answers = {}, {}
        self.carried = {}                       # asked on an earlier connection, not answered there
        self.welcome = None
        self.live_targets = {}
        self.welcomed_anew = 0

    # what the connection sent
    def ask(self, seq):
        if isinstance(seq, int) and not isinstance(seq, bool):
            self.asked[seq] = self.asked.get(seq, 0) + 1

    def unanswered(self):
        """{seq: how many answers are still owed}, earlier connections included."""
        seqs = {*self.asked, *self.carried}
        owed = {s: self.asked.get(s, 0) + self.carried.get(s, 0) - len(self.answers.get(s, []))
                for s in seqs}
        return {s: n for s, n in owed.items() if n > 0}

    # what it heard
    def take(self, event):
        kind = event["type"]
        check(self.welcome or kind in ("welcome", "error"), "HS4:", kind, "before the welcome")
        getattr(self, "_" + kind.replace(".", "_"), self._unknown)(event)

    def _unknown(self, event):
        check(False, "unknown event", event)

    def frame_done(self):
        """What holds after each whole array."""
        for peer, drag in self.drags:
            check(peer in self.peers, "PR: a drag of a peer that isn't here", peer, drag)

    def _welcome(self, e):
        if self.welcome:                        # HS16: too far behind, so told anew
            check(e["peer"] == self.me, "HS16: welcomed anew as somebody else")
            check(e["revision"] >= self.revision or e["epoch"] != self.epoch, "HS16: back in time")
            self.peers, self.drags, self.live_targets = {}, {}, {}
            self.welcomed_anew += 1
        check(e["role"] in ("viewer", "editor", "owner"), "role", e["role"])
        check(isinstance(e["recovered"], bool), "recovered")
        self.welcome, self.me, self.epoch = e, e["peer"], e["epoch"]
        if e["recovered"]:
            check("board" not in e and "commits" in e, "HS5: recovered with a board or no commits")
            check(self.board is not None, "HS6: recovered, though nothing was known")
            for commit in e["commits"]:
                check(commit["peer"] is None, "CM4: peer in welcome.commits", commit)
                self._commit(commit, replayed=True)
        else:
            check(not e.get("commits") and "board" in e, "HS6: board and commits")
            self.board = copy.deepcopy(e["board"])
            check_board(self.board)
            check(self.board["revision"] == e["revision"], "HS6: board of another revision")
            check(self.board["epoch"] == e["epoch"], "HS6: board of another epoch")
            self.revision = e["revision"]
        check(self.revision == e["revision"], "HS5: commits end at", self.revision, "not", e["revision"])
        self.last_seq = self.last_decided = e["lastSeq"]
        for peer in e["peers"]:
            self._add_peer(peer)
        check(self.me in self.peers, "HS9: peers lack myself")
        for d in e["drags"]:
            key = d["peer"], d["drag"]
            check(d["peer"] in self.peers, "a drag of nobody", d)
            check(key not in self.drags, "a drag twice", d)
            self.drags[key] = list(d["icons"])
            self._proposal(d)
            self.live_targets[key] = d
        check(set(e["limits"]) >= {"messageBytes", "icons", "labelCharacters", "labelBytes"}, "limits")

    def _add_peer(self, peer):
        check(set(peer) >= {"peer", "client", "name", "colour"}, "PR1: shape of", peer)
        check(UUID.fullmatch(peer["client"]), "FR6:", peer)
        check(re.fullmatch(r"#[0-9a-f]{6}", peer["colour"]), "HS10: colour", peer)
        check(peer["peer"] not in self.peers, "PR: a peer twice", peer)
        self.peers[peer["peer"]] = peer

    def _peer_joined(self, e):
        check(e["peer"]["peer"] != self.me, "PR1: my own joining")
        old = e.get("replaces")
        if old is not None:
            check(old in self.peers, "PR4: replaces an unknown peer", e)
            check(self.peers[old]["client"] == e["peer"]["client"], "PR4: of another client", e)
            del self.peers[old]
            for peer, drag in [k for k in self.drags if k[0] == old]:
                self.drags[e["peer"]["peer"], drag] = self.drags.pop((peer, drag))
        self._add_peer(e["peer"])

    def _peer_changed(self, e):
        number = e["peer"]["peer"]
        check(number in self.peers, "PR7: an unknown peer changed", e)
        check(self.peers[number] != e["peer"], "PR7: told though nothing changed", e)
        self.peers[number] = e["peer"]

    def _peer_left(self, e):
        check(e["peer"] in self.peers, "PR2: an unknown peer left, or twice", e)
        check(e["peer"] != self.me, "PR2: I left")
        check(not [k for k in self.drags if k[0] == e["peer"]], "PR2: left with a live drag", e)
        del self.peers[e["peer"]]

    def _drag_began(self, e):
        key = e["peer"], e["drag"]
        check(e["peer"] in self.peers, "DR: a drag of nobody", e)
        check(key not in self.drags and key not in self.ended, "DR1: began twice", e)
        check(e["icons"], "DR: a drag of nothing", e)
        here = {i["id"] for s in self.board["sections"] for i in s["icons"]}
        check(set(e["icons"]) <= here, "DR: a drag of what isn't on the board", e)
        self.drags[key] = list(e["icons"])

    def _proposal(self, e):
        target, proposal = e["target"], e["proposal"]
        check(proposal in PROPOSALS, "BD7: proposal", e)
        check((proposal == "forbidden") <= (e.get("reason") in REASONS), "BD7: forbidden why?", e)
        check(target is not None or proposal in ("cancel", "forbidden"), "BD7: null target", e)
        if target is not None:
            section = next((s for s in self.board["sections"] if s["id"] == target["section"]), None)
            check(section, "DR5: unknown section", e)
            mine = set(self.drags[e["peer"], e["drag"]])
            room = sum(1 for i in section["icons"] if i["id"] not in mine or proposal == "copy")
            check(0 <= target["index"] <= room, "DR5: index outside the list", e, room)
        if e.get("point"):
            check(0 <= e["point"]["x"] <= 1 and 0 <= e["point"]["y"] <= 1, "DR7: point", e)

    def _drag_target(self, e):
        key = e["peer"], e["drag"]
        check(key not in self.ended, "DR13: a target after the end", e)
        check(key in self.drags, "DR: a target of no drag", e)
        self._proposal(e)
        self.live_targets[key] = e

    def _drag_ended(self, e):
        key = e["peer"], e["drag"]
        check(key in self.drags, "DR11: ended twice or never begun", e)
        check(e["outcome"] in OUTCOMES, "DR11: outcome", e)
        check(("revision" in e) == (e["outcome"] == "dropped"), "DR11: revision of a drop only", e)
        if "revision" in e:
            check(e["revision"] <= self.revision, "DR12: ended before its commit", e, self.revision)
        del self.drags[key]
        self.live_targets.pop(key, None)
        self.ended.add(key)

    def _drag_denied(self, e):
        check(e["reason"] in REASONS, "DR15: reason", e)
        if e["reason"] == "held":
            check(e["holder"]["peer"] in self.peers, "DR2: holder", e)

    def _error(self, e):
        check(e["code"] in ("malformed", "unknown_type", "invalid"), "ER1: code", e)
        check(isinstance(e["message"], str) and e["message"], "ER1: message", e)

    def _result(self, e):
        check(e["status"] in ("noop", "rejected", "duplicate"), "CM5: status", e)
        check(e["revision"] <= self.revision, "CM8: result ahead of the commits", e, self.revision)
        check((e["status"] == "rejected") <= (e.get("reason") in REASONS), "CM15: reason", e)
        check(e.get("decided") in (None, "applied", "noop", "rejected"), "CM9: decided", e)
        if e.get("reason") == "seq_gap":
            check("lastSeq" in e, "CM10: lastSeq", e)
        decides = e["status"] != "duplicate" and e["seq"] > 0 and e.get("reason") not in UNDECIDED
        self._answer(e, decides)

    def _answer(self, e, decides):
        seq = e["seq"]
        got = self.answers.setdefault(seq, [])
        most = self.asked.get(seq, 0) + self.carried.get(seq, 0)
        check(len(got) < most, "CM3: an answer too many", e)
        got.append(e)
        if decides:
            check(seq > self.last_decided, "CM3: decided out of order", e, self.last_decided)
        if decides or e.get("status") == "duplicate":
            self.last_decided = max(self.last_decided, seq)

    def _commit(self, e, replayed=False):
        check(e["revision"] == self.revision + 1, "CM7: gap", self.revision, "then", e["revision"])
        check(isinstance(e["at"], int) and e["at"] > 1_600_000_000_000, "CM4: at", e)
        check(UUID.fullmatch(e["client"]), "FR6: client", e)
        self.apply(e["edit"])
        self.revision = self.board["revision"] = e["revision"]
        if not replayed and e["client"] == self.client:
            if e["peer"] == self.me:
                self._answer(e, decides=True)
            else:                               # over HTTP, or sent on an earlier connection
                self.last_decided = max(self.last_decided, e["seq"])

    # Changes
    def section(self, name):
        found = next((s for s in self.board["sections"] if s["id"] == name), None)
        check(found is not None, "CM16: unknown section", name)
        return found

    def _take_out(self, icon, place):
        icons = self.section(place["section"])["icons"]
        at = place["index"]
        check(0 <= at < len(icons) and icons[at]["id"] == icon, "CM16: not there", icon, place)
        return icons.pop(at)

    def _put_in(self, icon, place):
        icons = self.section(place["section"])["icons"]
        check(0 <= place["index"] <= len(icons), "CM16: no such index", place)
        icons.insert(place["index"], icon)

    def _moves(self, moves):
        for m in moves:
            self._put_in(self._take_out(m["icon"], m["from"]), m["to"])

    def find(self, icon):
        for section in self.board["sections"]:
            for i, known in enumerate(section["icons"]):
                if known["id"] == icon:
                    return section["id"], i, known
        return None

    def apply(self, change):
        kind, board = change["kind"], self.board
        if kind == "icon.move":
            check(change["moves"], "CM12: a commit that moves nothing")
            self._moves(change["moves"])
        elif kind == "icon.add":
            for a in change["adds"]:
                check_icon(a["icon"])
                check(not self.find(a["icon"]["id"]), "BD2: added twice", a)
                self._put_in(copy.deepcopy(a["icon"]), a)
            self._moves(change.get("moves", []))
        elif kind == "icon.remove":
            for r in change["removes"]:
                self._take_out(r["icon"], r)
            self._moves(change.get("moves", []))
        elif kind == "icon.update":
            place = self.find(change["icon"])
            check(place, "CM16: update of an unknown icon", change)
            patch(place[2], change["set"])
            self._moves(change.get("moves", []))
        elif kind == "section.add":
            check(0 <= change["index"] <= len(board["sections"]), "CM16: index", change)
            board["sections"].insert(change["index"], copy.deepcopy(change["section"]))
        elif kind == "section.update":
            patch(self.section(change["section"]), change["set"])
        elif kind == "section.move":
            check(board["sections"][change["from"]]["id"] == change["section"], "CM16: from", change)
            board["sections"].insert(change["to"], board["sections"].pop(change["from"]))
        elif kind == "section.remove":
            check(board["sections"][change["index"]]["id"] == change["section"], "CM16:", change)
            gone = board["sections"].pop(change["index"])
            check(not gone["icons"], "CM16: a section with icons was removed", change)
        elif kind == "board.update":
            patch(board, change["set"])
        elif kind == "board.restore":
            for key in ("title", "presentation", "sections"):
                board[key] = copy.deepcopy(change[key])
        else:
            check(False, "CM16: unknown change", change)
        check_unique(board)
