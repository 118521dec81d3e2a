"""No wrong frame: three people drag on a slow network, and every animation frame is accounted for."""
import json
import os
import pathlib
import random

import pytest

from boardpage import agree, lists
from drawn import Frame, Watcher

SEED = int(os.environ.get("PAGE_SEED", random.randrange(1_000_000)))
DRAGS = int(os.environ.get("PAGE_DRAGS", 500))
SLICE = 25
COLUMNS = 6
SCRIPT = "".join((pathlib.Path(__file__).parent / name).read_text() for name in ("recorder.js", "hand.js"))
def drain(one):
    return json.loads(one.page.evaluate("() => JSON.stringify(recorded.log.splice(0))"))


class Crowd:
    """Three people with a mouse each, and a fourth who edits without a page."""

    def __init__(self, layout, pages, rng):
        self.layout, self.pages, self.rng = layout, pages, rng
        self.made = 0
        self.cells = list(pages[0].cells().values())
        self.other = layout.join("Robot")

    def place(self):
        x, y = self.rng.choice(self.cells)
        return x + self.rng.uniform(-40, 40), y + self.rng.uniform(-30, 30)

    def presses(self, count):
        """The steps of presses, each of which is a drag when there is an icon. Some lift what was put down
        last, at once, so that a person has several undecided edits that depend on each other."""
        steps, last = [], None
        for _ in range(count):
            again = last and self.rng.random() < 0.4
            press = self.press(last if again else self.rng.choice(self.cells), self.rng.random() < 0.5)
            last = next(step[1:] for step in reversed(press) if step[0] == "up")
            steps += press
        return steps

    def press(self, start, is_quick):
        rng = self.rng
        steps = [["down", *start], ["move", *self.place()]]
        if is_quick:
            return [*steps, ["wait", 1], ["up", *self.place()], ["wait", 1]]
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            steps += [["wait", rng.choice([0, 1, 2, 3, 6])], ["move", *self.place()]]
        steps.append(["wait", rng.choice([0, 0, 1, 3, 8])])
        if rng.random() < 0.08:
            steps.append(["key", "Escape", False])
        steps += [["up", *self.place()], ["wait", rng.choice([0, 1, 3, 8])]]
        if rng.random() < 0.1:
            steps += [["key", "z", True], ["wait", rng.choice([0, 1, 5])]]
        return steps

    def at_once(self, count):
        """So many presses, all three people at the same time."""
        for number, one in enumerate(self.pages):
            steps = self.presses(len(range(number, count, 3)))
            one.page.evaluate("steps => { window.acting = act(steps).then(() => (acting = null)); }", steps)
        for one in self.pages:
            while one.page.evaluate("() => acting !== null"):
                self.other.pump(0.03)
                if self.rng.random() < 0.3:
                    self.meddle()

    def in_turns(self, count):
        """So many presses with the browser's own mouse, whose steps a driver can only take one by one."""
        left = [self.presses(len(range(number, count, 3))) for number in range(3)]
        while any(left):
            number = self.rng.choice([n for n in range(3) if left[n]])
            kind, *what = left[number].pop(0)
            page = self.pages[number].page
            if kind in ("down", "move", "up"):
                page.mouse.move(*what)
            if kind in ("down", "up"):
                getattr(page.mouse, kind)()
            if kind == "key":
                page.keyboard.press("Control+z" if what[1] else what[0])
            if self.rng.random() < 0.1:
                self.meddle()

    def meddle(self):
        """Somebody else's edit, which may hit what is held or was dropped a moment ago."""
        other, rng = self.other, self.rng
        other.pump()
        order = other.order
        kind = rng.random()
        everything = [i for icons in order.values() for i in icons]
        icon, section = rng.choice(everything), rng.choice(["home", "shelf", "four"])
        to = {"section": section, **rng.choice([
            {"at": "start"}, {"at": "end"}, {"index": rng.randint(0, len(order[section]))}])}
        if kind < 0.45:
            edit = {"kind": "icon.move", "icons": [icon], "to": to}
        elif kind < 0.75 and len(everything) > 26 or len(everything) > 34:
            edit = {"kind": "icon.remove", "icons": [icon]}
        elif kind < 0.9:
            self.made += 1
            edit = {"kind": "icon.add", "icon": self.layout.icon(f"N{self.made}"), "to": to}
        else:
            pinned = rng.choice([None, rng.randint(0, 6)])
            edit = {"kind": "icon.update", "icon": self.layout["P"], "set": {"pinnedAt": pinned}}
        other.edit(edit, wait=False)


def record(page):
    page.add_init_script(SCRIPT)


def test_the_recorder_looks_last(layout, server, join):
    """What a frame's last callback draws is in the record of that frame, not of the next."""
    board = layout({"home": "AB"})
    one = join(server, board.id, prepare=record)
    frames = one.page.evaluate("""() => new Promise((resolve) => {
      requestAnimationFrame((now) => {
        document.querySelector('[data-icon]').dataset.cell = 'home 99';
        setTimeout(() => resolve(recorded.log.filter(([kind, time]) => kind === 'frame' && time === now)));
      });
    })""")
    assert len(frames) == 1 and "|home 99|" in frames[0][4]


@pytest.mark.timeout(1200)
def test_no_wrong_frame(layout, server, join, network):
    """O-09 O-15 O-18 HC1 HC2: 80 to 200 ms each way, and every frame shows what may be shown."""
    print(f"PAGE_SEED={SEED} PAGE_DRAGS={DRAGS}")
    rng = random.Random(SEED)
    grid = {"layout": {"kind": "grid", "columns": COLUMNS}}
    board = layout({"home": {"icons": "ABCDEPFGHIJK", **grid}, "shelf": {"icons": "LMNOQR", **grid},
                    "four": {"icons": "STU", "capacity": 4, **grid},
                    "tray": {"icons": "XYZ", "lift": "copy", "drop": "none", **grid}},
                   pins={"home": {"2": "P"}}, locked="D")
    links = [network(server, SEED + n) for n in range(3)]
    pages = [join(server, board.id, name, link, prepare=record, viewport={"width": 700, "height": 1100})
             for name, link in zip(("Mia", "Ben", "Ida"), links)]
    watchers = [Watcher(one.name, board.names, COLUMNS) for one in pages]
    crowd = Crowd(board, pages, rng)
    for one, watcher, link in zip(pages, watchers, links):
        watcher.take(drain(one))
        watcher.measure()
        link.slow(0.08, 0.2)
    slices = 0
    while (begun := min(DRAGS, sum(w.told.begun for w in watchers))) < DRAGS:
        slices += 1
        if slices % 8 == 2:
            crowd.in_turns(9)
        else:
            crowd.at_once(min(SLICE, DRAGS - begun))
        settle(server, board, pages, watchers)
    crowd.other.close()
    report(watchers)


def settle(server, board, pages, watchers):
    """Everything has been decided and has arrived: three screens and the server are one."""
    # Behind all that each has said, drags that were cancelled included.
    for one in pages:
        one.page.evaluate("title => homeboard.edit({ kind: 'board.update', set: { title } })",
                          f"{one.name} {one.revision}")
    now = agree(server, board.id, *pages)
    for one, watcher in zip(pages, watchers):
        one.at_rest()
        watcher.take(drain(one))
        assert not watcher.wrong, f"PAGE_SEED={SEED}, {len(watcher.wrong)} wrong:\n" + watcher.story()
        assert "no_drag" not in watcher.told.results, "a drop was lost"
        assert watcher.last.drawn(now) == now == lists(watcher.told.replica.board)
        assert not watcher.last.gaps() and not watcher.last.hands


def report(watchers):
    for watcher in watchers:
        told = watcher.told
        print(f"{watcher.name}: {watcher.frames} frames, {told.begun} drags, {told.drops} drops, "
              f"{told.results}, {watcher.untold} frames of places nobody was told")
