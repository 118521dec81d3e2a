"""Every animation frame of a page, held against what the page had been told and had asked.

Reads what recorder.js wrote down. A frame is right when it shows

- the confirmed lists at the last revision announced before it. The page draws in the frame after it
  has heard, and never shows less than it knows, so no older revision is allowed;
- with the person's whole queue on top, in order: what was sent and is undecided, then what waits for
  the answer to an undo, which is where a reload would find it. Each is done as lists.py says;
- then everybody else's live drags, in the order in which they began: the server's index counts in
  the confirmed list without that drag's icons, and means the two neighbours there, or itself where the
  person's own queue has taken both elsewhere. Whether there is a gap is the server's to say, by the
  proposal;
- then the person's own drag, which holds its icons whatever others do, between the two neighbours
  it was last held at. There is no gap where the lists without anybody's drag refuse it: what
  others hold over a section with one free place doesn't fill it.

What the person's own hand means goes out one frame after it is drawn. So the place of the own drag is
the one sent last or the one sent next; and when the hand lets go before that next frame, or a commit
takes a neighbour of the place away, one frame shows a place that nobody was told, which may be any
one gap.
"""
import copy
import json
import math

from lists import Lists
from replica import Replica

FLOW_MS = 200


class Own:
    """What this person holds."""

    def __init__(self, number, icons, source):
        self.number, self.icons, self.source = number, icons, source
        self.place = None


class Told:
    """What one page knows, by its log alone."""

    def __init__(self):
        self.replica, self.me, self.client = Replica(), None, None
        self.sent, self.stored = [], []
        self.drags, self.own, self.icons_of = {}, None, {}
        self.begun = self.drops = 0
        self.results = {}

    @property
    def revision(self):
        return self.replica.board["revision"]

    # Heard.
    def hear(self, event):
        handler = getattr(self, "_" + event["type"].replace(".", "_"), None)
        if handler:
            handler(event)

    def _welcome(self, event):
        assert "board" in event and not event["drags"], "the model has no resuming"
        self.replica.board = copy.deepcopy(event["board"])
        self.me = event["peer"]
        self.client = next(p["client"] for p in event["peers"] if p["peer"] == self.me)

    def _commit(self, event):
        assert event["revision"] == self.revision + 1
        self.replica.apply(event["edit"])
        self.replica.board["revision"] = event["revision"]
        if event["client"] == self.client:
            self._decided(event["seq"])

    def _result(self, event):
        assert event.get("reason") not in ("seq_gap", "storage", "stale_base"), event
        why = event.get("reason", event["status"])
        self.results[why] = self.results.get(why, 0) + 1
        self._decided(event["seq"])

    def _decided(self, seq):
        self.sent = [entry for entry in self.sent if entry[0] != seq]
        self.stored = [entry for entry in self.stored if entry["seq"] != seq]

    def _drag_began(self, event):
        if event["peer"] != self.me:
            self.drags[event["peer"], event["drag"]] = {**event, "target": None, "proposal": "cancel"}

    def _drag_target(self, event):
        drag = self.drags.get((event["peer"], event["drag"]))
        if drag:
            drag.update(target=event["target"], proposal=event["proposal"])

    def _drag_ended(self, event):
        if event["peer"] != self.me:
            del self.drags[event["peer"], event["drag"]]
        elif self.own and self.own.number == event["drag"] and event["outcome"] != "cancelled":
            assert event["outcome"] not in ("expired", "disconnected"), event
            self.own = None

    def _drag_denied(self, event):
        if self.own and self.own.number == event["drag"]:
            assert event["reason"] != "no_drag", event
            self.own = None

    # Asked.
    def say(self, message):
        kind = message["type"]
        if kind == "drag.begin":
            icons = self.icons_of[message["drag"]] = message["icons"]
            self.own = Own(message["drag"], icons, self.shown().section(icons[0]))
            self.begun += 1
        elif kind == "drag.target":
            if self.own and self.own.number == message["drag"]:
                self.own.place = message["target"]
        elif kind == "drag.cancel":
            self._let_go(message["drag"])
        elif kind == "drag.drop":
            edit = {"kind": "icon.copy" if message.get("copy") else "icon.move",
                    "icons": self.icons_of[message["drag"]], "to": message["target"],
                    "newIDs": message.get("newIDs", ())}
            self.sent.append((message["seq"], edit))
            self._let_go(message["drag"])
            self.drops += 1
        elif kind == "edit":
            self.sent.append((message["seq"], message["edit"]))

    def _let_go(self, number):
        if self.own and self.own.number == number:
            self.own = None

    def keep(self, stored):
        """The queue as a reload would find it. A drop is in it even before it may be sent."""
        self.stored = json.loads(stored)["queue"] if stored else []
        for entry in self.stored:
            if entry.get("drag"):
                self._let_go(entry["drag"])

    # To be seen.
    @property
    def queue(self):
        last = max((seq for seq, _ in self.sent), default=0)
        waiting = [e["edit"] for e in self.stored if not e["sent"] and e["seq"] > last]
        return [edit for _, edit in self.sent] + waiting

    def shown(self):
        lists = Lists.of(self.replica.board)
        for edit in self.queue:
            lists = lists.done(edit)
        return lists

    def laid(self, shown):
        """The lists with everybody else's drags, whose gaps are open, and what each holds."""
        confirmed, lists, gaps, held = Lists.of(self.replica.board), shown, {}, set()
        mine = self.own.icons if self.own else ()
        for (peer, number), drag in self.drags.items():
            icons = [i for i in drag["icons"] if lists.section(i) and i not in mine]
            held |= {(str(peer), i) for i in icons}
            target, copies = drag["target"], drag["proposal"] == "copy"
            if not icons or not target or drag["proposal"] not in ("move", "copy"):
                continue
            to = confirmed.beside(target["section"], target["index"], () if copies else icons)
            lists = self._lay(lists, str(peer), number, icons, to, copies, gaps)
        return lists, gaps, held

    def held(self, lists, gaps, place):
        """The same with the own drag on top, at a place."""
        own, gaps = self.own, dict(gaps)
        if not place:
            return lists, gaps
        copies = lists.rules[own.source]["lift"] == "copy" and place["section"] != own.source
        kind = "icon.copy" if copies else "icon.move"
        if self.shown().refused(kind, own.icons, place["section"]):
            return lists, gaps
        return self._lay(lists, "me", own.number, own.icons, place, copies, gaps), gaps

    @staticmethod
    def as_drawn(lists, gaps):
        """The order and the gaps, where a copy that isn't made yet is only known by who holds it."""
        def name(icon):
            return icon if not icon.startswith("gap:") else icon[:icon.index(":", 4)]

        return ({s: [name(i) for i in icons] for s, icons in lists.order.items()},
                {name(i): owner for i, owner in gaps.items()})

    @staticmethod
    def _lay(lists, owner, number, icons, to, copies, gaps):
        twins = [f"gap:{owner}:{number}:{n}" for n in range(len(icons))]
        gaps.update({i: owner for i in (twins if copies else icons)})
        return lists.laid("icon.copy" if copies else "icon.move", icons, to, twins)


class Frame:
    """What one frame showed, read from the recorder's lines."""

    def __init__(self, entry, last):
        _, self.time, revision, pending, icons, hands, lists = entry
        self.revision, self.pending = int(revision), int(pending)
        self.icons = self._icons(icons) if icons is not None else last.icons
        self.hands = hands if hands is not None else last.hands
        self.lists = lists if lists is not None else last.lists

    @staticmethod
    def _icons(lines):
        out = []
        for line in filter(None, lines.split("\n")):
            icon, parent, cell, gap, place = line.split("|")
            icon = icon or f"gap:{gap}"                  # the cell of a copy has no icon yet
            section, _, index = cell.rpartition(" ")
            x, y = (float(p.strip().removesuffix("px")) for p in place.split(","))
            out.append((icon, parent, section, int(index), gap, x, y))
        return out

    def drawn(self, sections):
        """The icons of every section by their cells; a cell that is empty or taken twice is told."""
        order = {s: {} for s in sections}
        for icon, _, section, index, *_ in self.icons:
            order[section].setdefault(index, []).append(icon)
        return {s: [cells[n][0] if len(cells.get(n, ())) == 1 else f"{n}: {cells.get(n)}"
                    for n in range(max(cells, default=-1) + 1)] for s, cells in order.items()}

    def written(self, sections):
        """The icons as the document has them, for a screen reader."""
        return {s: [i for i, parent, *_ in self.icons if parent == s and not i.startswith("gap:")]
                for s in sections}

    def gaps(self):
        return {icon: gap for icon, _, _, _, gap, _, _ in self.icons if gap}


class Watcher:
    """Holds the frames of one page against its log, slice by slice."""

    def __init__(self, name, names, columns):
        self.names, self.name, self.told, self.last, self.columns = names, name, Told(), None, columns
        self.frames = self.untold = 0
        self.lines, self.wrong, self.places = [], [], {}
        self.cell = None

    def measure(self):
        """How far apart cells are, from a screen at rest."""
        places = {(section, index): (x, y) for _, _, section, index, _, x, y in self.last.icons}
        first = self.last.icons[0][2]
        self.cell = places[first, 1][0], places[first, self.columns][1]

    def take(self, log):
        """A slice of the log. It has to end when the person holds nothing."""
        following = self._following(log)
        self.lines = []
        for number, entry in enumerate(log):
            kind = entry[0]
            if kind == "frame":
                self._check(entry, following[number])
            elif kind == "queue":
                self.told.keep(entry[1])
            elif kind == "in":
                for event in json.loads(entry[1]):
                    self.told.hear(event)
            else:
                self.told.say(json.loads(entry[1]))
            self.lines.append(entry if kind != "frame" else entry[:4])

    def _following(self, log):
        """For every frame: the place that is sent before the next frame, or "untold" when the drag ends
        before that without a word about a place, or a commit comes between."""
        marks, number = {}, None
        for at, (kind, *rest) in enumerate(log):
            if kind == "out":
                message = json.loads(rest[0])
                what, mine = message["type"], message.get("drag") == number is not None
                if what == "drag.begin":
                    number = message["drag"]
                elif what == "drag.target" and mine:
                    marks[at] = ("place", message["target"])
                elif what in ("drag.drop", "drag.cancel") and mine:
                    marks[at], number = ("untold",), None
            elif kind != "frame" and number is not None and self._ends(kind, rest[0], number):
                marks[at], number = ("untold",), None
        out, coming = {}, None
        for at in range(len(log) - 1, -1, -1):
            if log[at][0] == "frame":
                out[at], coming = coming, None
            elif coming and log[at][0] == "in" and '"type":"commit"' in log[at][1]:
                coming = ("untold",)
            coming = marks.get(at, coming)
        return out

    def _ends(self, kind, text, number):
        if kind == "queue":
            return text and any(e.get("drag") == number for e in json.loads(text)["queue"])
        return any(e.get("drag") == number and (
            e["type"] == "drag.denied" or e["type"] == "drag.ended" and e["peer"] == self.told.me)
            for e in json.loads(text))

    def _check(self, entry, following):
        frame = self.last = Frame(entry, self.last)
        self.frames += 1
        told = self.told
        sections = [s["id"] for s in told.replica.board["sections"]]
        shown = told.shown()
        drawn, gaps = frame.drawn(sections), frame.gaps()
        if self.cell:
            self._check_places(frame)
        lists, others, held = told.laid(shown)
        if told.own:
            held |= {("me", i) for i in told.own.icons if shown.section(i)}
        checks = [("the revision", told.revision, frame.revision),
                  ("undecided edits", len(told.queue), frame.pending),
                  ("the order in the document", shown.order, frame.written(sections)),
                  ("who holds what", "\n".join(sorted(" ".join(h) for h in held)), frame.hands)]
        for what, wanted, found in checks:
            if wanted != found:
                self._complain(what, wanted, found)
        if self._is_one_of(lists, others, drawn, gaps, following):
            return
        wanted = told.held(lists, others, told.own.place) if told.own else (lists, others)
        self._complain("the lists as drawn, and the gaps", told.as_drawn(*wanted), (drawn, gaps))

    def _is_one_of(self, lists, others, drawn, gaps, following):
        def fits(place):
            return told.as_drawn(*told.held(lists, others, place)) == (drawn, gaps)

        told, own = self.told, self.told.own
        if not own:
            return told.as_drawn(lists, others) == (drawn, gaps)
        if fits(own.place):
            return True
        if following and following[0] == "place":
            return fits(following[1])
        if following and any(fits(place) for place in lists.gaps(own.icons)):
            self.untold += 1
            return True
        return False

    def _check_places(self, frame):
        """Icons are where their cells are, or on the straight way there, nearer with every frame.

        An icon sets out anew when it gets another cell or its list begins elsewhere, even where the
        one makes up for the other.
        """
        origins = {section: (x, y) for section, x, y in frame.lists}
        now = {}
        for icon, parent, section, index, _, x, y in frame.icons:
            cell = index % self.columns * self.cell[0], index // self.columns * self.cell[1]
            goal = tuple(o + c for o, c in zip(origins[section], cell))
            place = origins[parent][0] + x, origins[parent][1] + y
            far = math.dist(goal, place)
            before = self.places.get(icon)
            cause = section, index, parent, origins[section], origins[parent]
            since = before[1] if before and before[0] == cause else frame.time
            now[icon] = cause, since, far
            if far > 0.5 and frame.time - since >= FLOW_MS:
                self._complain(f"{icon} after {frame.time - since:.0f} ms", goal, place)
            elif since < frame.time and far > before[2] + 0.3:
                self._complain(f"{icon} goes away from its cell", goal, place)
        self.places = now

    def _complain(self, what, wanted, found):
        self.wrong.append((len(self.lines), self.frames, what, wanted, found))

    def story(self, number=0):
        """A wrong frame in words, with short names for icons: what it showed, and how it came."""
        line, frame, what, wanted, found = self.wrong[number]
        around = self.lines[max(0, line - 30):line + 10]
        around.insert(min(30, line), f"frame {frame}:")
        text = "\n  ".join([f"{self.name}, frame {frame}, {what}", f"wanted {wanted}",
                            f"found  {found}", "the log before and after it:", *map(str, around)])
        for icon, name in self.names.items():
            text = text.replace(icon, name)
        return text
