"""What a page has to show in every frame, computed from what it said and heard: no code of the page's.

The recorder runs in the page before its scripts and writes one list: messages in the order in which
the page handled or sent them, and after each animation frame what is drawn. Frames are recorded by
the very callback that runs the page's own, after the last of them, so nothing of a frame is missed.
"""
import json

from replica import Replica, lists

RECORDER = """(() => {
  const log = (window.recorded = []);
  const Socket = window.WebSocket;
  window.WebSocket = class extends Socket {
    constructor(...options) {
      super(...options);
      // Registered first, so it runs first; the page handles the message in the same task.
      this.addEventListener('message', ({ data }) => log.push(['in', data]));
    }
    send(text) {
      log.push(['out', text]);
      super.send(text);
    }
  };
  const nextFrame = window.requestAnimationFrame.bind(window);
  let waiting = [];
  window.requestAnimationFrame = (callback) => waiting.push(callback);
  const drawn = () => {
    const sections = {};
    const gaps = {};
    for (const { dataset } of document.querySelectorAll('.icon[data-cell]:not(.leave)')) {
      const [section, index] = dataset.cell.split(' ');
      const name = dataset.icon ?? `twin of ${dataset.gap}`;
      const cells = (sections[section] ??= {});
      (cells[index] ??= []).push(name);
      if (dataset.gap) gaps[name] = dataset.gap;
    }
    const { icons, place } = window.homeboard?.drag ?? {};
    return JSON.stringify({ sections, gaps, held: icons && { icons, place } });
  };
  let last = '';
  let length = 0;
  const turn = (now) => {
    const callbacks = waiting;
    waiting = [];
    for (const callback of callbacks) callback(now);
    const text = drawn();
    if (text !== last || log.length !== length) log.push(['frame', (last = text)]);
    length = log.length;
    window.frames_drawn = (window.frames_drawn ?? 0) + 1;
    nextFrame(turn);
  };
  nextFrame(turn);
})();"""


class WrongFrame(AssertionError):
    """A frame that shows what was never so."""


class Rules:
    """A board to put things on: lists by section, and what the sections and icons allow."""

    def __init__(self, board):
        self.lists = lists(board)
        self.sections = {s["id"]: s for s in board["sections"]}
        self.icons = {i["id"]: i for s in board["sections"] for i in s["icons"]}

    def where(self, icon):
        return next((s for s, icons in self.lists.items() if icon in icons), None)

    def pin(self, icon):
        return self.icons.get(icon, {}).get("pinnedAt")

    def flow(self, icons):
        return [i for i in icons if self.pin(i) is None]

    def pinned(self, flow, pins):
        """Rule 6 of the ordering: each pin at its index, or at the end of a shorter list."""
        out, last = list(flow), -1
        for icon in sorted(pins, key=self.pin):
            last = max(min(self.pin(icon), len(out)), last + 1)
            out.insert(last, icon)
        return out

    def without(self, section, moving):
        rest = [i for i in self.lists[section] if i not in moving]
        return self.pinned(self.flow(rest), [i for i in rest if self.pin(i) is not None])

    def slot(self, section, to, moving):
        """How many flowing icons stand before the place that a target means."""
        rest = self.without(section, moving)
        if to.get("at") == "start":
            return 0
        for anchor, beyond in ((to.get("after"), 1), (to.get("before"), 0)):
            if anchor in rest:
                return len(self.flow(rest[:rest.index(anchor) + beyond]))
        if to.get("at") == "end" or to.get("index") is None:
            return len(self.flow(rest))
        return len(self.flow(rest[:to["index"]]))

    def refuses(self, icons, section, copying):
        rules = self.sections[section]
        foreign = [i for i in icons if self.where(i) != section]
        for icon in icons:
            lift = self.sections[self.where(icon)]["lift"]
            if lift == "none" or (lift == "copy" and not copying):
                return True
            if not copying and (self.icons[icon].get("locked") or self.pin(icon) is not None):
                return True
        if rules["drop"] == "none" or (rules["drop"] == "own" and foreign):
            return True
        coming, most = len(icons if copying else foreign), rules.get("capacity")
        return bool(coming and most is not None and len(self.lists[section]) + coming > most)

    def allows(self, icons, to, copying):
        icons = [i for i in icons if self.where(i)]
        section = to.get("section") or (icons and self.where(icons[0]))
        return bool(icons) and section in self.lists and not self.refuses(icons, section, copying)

    def put(self, icons, to, twins=None):
        """Moves icons, or puts twins of them."""
        icons = [i for i in icons if self.where(i)]
        section = to.get("section") or self.where(icons[0])
        moving = () if twins else icons
        slot = self.slot(section, to, moving)
        rest = self.without(section, moving)
        for other, known in self.lists.items():
            if set(known) & set(moving):
                self.lists[other] = self.without(other, moving)
        flow = self.flow(rest)
        flow[slot:slot] = twins or icons
        self.lists[section] = self.pinned(flow, [i for i in rest if self.pin(i) is not None])

    def remove(self, icons):
        for section in self.lists:
            self.lists[section] = self.without(section, icons)

    def neighbours(self, section, index, moving):
        """A final index as the target that means it."""
        rest = self.without(section, moving)
        flow, slot = self.flow(rest), len(self.flow(rest[:index]))
        if slot == 0 or slot == len(flow):
            return {"section": section, "at": "start" if slot == 0 else "end"}
        return {"section": section, "after": flow[slot - 1], "before": flow[slot]}


class Screen:
    """One page's log, replayed."""

    def __init__(self, name):
        self.name, self.replica = name, Replica()
        self.queue, self.begun = {}, {}
        self.frames = self.drags = self.with_queue = self.with_drags = 0
        self.recent = []

    def replay(self, log):
        for kind, text in log:
            self.recent = [*self.recent[-29:], f"{kind} {text[:400]}"]
            what = json.loads(text)
            if kind == "in":
                for event in what:
                    self._hear(event)
            elif kind == "out":
                self._say(what)
            elif self.replica.welcome and what["sections"]:
                self._check(what)

    def _say(self, message):
        kind = message["type"]
        if kind == "hello":
            self.replica.client = message["client"]
        elif kind == "drag.begin":
            self.begun[message["drag"]] = message["icons"]
            self.drags += 1
        elif kind == "edit":
            self.queue[message["seq"]] = message["edit"]
        elif kind == "drag.drop":
            copying = {"newIDs": message["newIDs"]} if message.get("copy") else {}
            self.queue[message["seq"]] = {
                "kind": "icon.copy" if copying else "icon.move", **copying,
                "icons": self.begun[message["drag"]], "to": message["target"]}
        if "seq" in message:
            self.replica.ask(message["seq"])

    def _hear(self, event):
        self.replica.take(event)
        mine = event["type"] == "commit" and event["client"] == self.replica.client
        if mine or event["type"] == "result":
            assert event.get("reason") not in ("seq_gap", "storage"), event
            self.queue.pop(event["seq"], None)

    def expected(self, held):
        """The confirmed board, then the own queue, others' drags as they began, and the own drag."""
        confirmed = Rules(self.replica.board)
        shown, gaps = Rules(self.replica.board), {}
        for edit in self.queue.values():
            if edit["kind"] == "icon.remove":
                shown.remove(edit["icons"])
            elif edit["kind"] in ("icon.move", "icon.copy"):
                if not shown.allows(edit["icons"], edit["to"], "newIDs" in edit):
                    continue
                shown.put(edit["icons"], edit["to"], edit.get("newIDs"))
                for icon, twin in zip(edit["icons"], edit.get("newIDs", [])):
                    if icon in shown.icons:
                        shown.icons[twin] = {**shown.icons[icon], "pinnedAt": None, "locked": None}
        mine, goes = held["icons"] if held else [], False
        if held and held["place"] and shown.where(mine[0]):
            # What others only hold over a section doesn't fill it.
            source, section = shown.where(mine[0]), held["place"]["section"]
            copying = shown.sections[source]["lift"] == "copy" and source != section
            twins = ["twin of me"] * len(mine) if copying else None
            goes = shown.allows(mine, held["place"], copying)
        for (peer, drag), icons in self.replica.drags.items():
            told = self.replica.live_targets.get((peer, drag))
            if peer == self.replica.me or not told or told["proposal"] not in ("move", "copy"):
                continue
            icons = [i for i in icons if shown.where(i) and i not in mine]
            section = told["target"]["section"]
            if not icons or section not in confirmed.lists:
                continue
            theirs = [f"twin of {peer}"] * len(icons) if told["proposal"] == "copy" else None
            to = confirmed.neighbours(section, told["target"]["index"], () if theirs else icons)
            shown.put(icons, to, theirs)
            gaps.update(dict.fromkeys(theirs or icons, str(peer)))
        if goes:
            shown.put(mine, held["place"], twins)
            gaps.update(dict.fromkeys(twins or mine, "me"))
        return {s: icons for s, icons in shown.lists.items() if icons}, gaps

    def _check(self, frame):
        self.frames += 1
        self.with_queue += bool(self.queue)
        self.with_drags += bool(frame["gaps"])
        drawn = {}
        for section, cells in frame["sections"].items():
            for index, icons in cells.items():
                if len(icons) > 1 or int(index) >= len(cells):
                    self._wrong(f"cell {section} {index} has {icons} of {len(cells)}", frame)
            drawn[section] = [cells[str(n)][0] for n in range(len(cells))]
        lists_, gaps = self.expected(frame.get("held"))
        if drawn != lists_ or frame["gaps"] != gaps:
            self._wrong("", frame, drawn, lists_, gaps)

    def _wrong(self, words, frame, drawn=None, wanted=None, gaps=None):
        recent = "\n".join(self.recent)
        raise WrongFrame(
            f"{self.name}, frame {self.frames}, revision {self.replica.revision}: {words}\n"
            f"drawn    {drawn}\nexpected {wanted}\ngaps     {frame['gaps']}\nexpected {gaps}\n"
            f"held {frame.get('held')}\nqueue {self.queue}\ndrags {self.replica.drags}\n{recent}")
