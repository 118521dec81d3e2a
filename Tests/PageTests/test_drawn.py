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
RECORDER = (pathlib.Path(__file__).parent / "recorder.js").read_text()
def drain(one):
    return json.loads(one.page.evaluate("() => JSON.stringify(recorded.log.splice(0))"))


class Crowd:
    """Three people with a mouse each, and a fourth who edits without a page."""

    def __init__(self, layout, pages, rng):
        self.layout, self.pages, self.rng = layout, pages, rng
        self.held, self.made, self.fresh = set(), 0, []
        self.cells = list(pages[0].cells().values())
        self.other = layout.join("Robot")

    def place(self):
        x, y = self.rng.choice(self.cells)
        return x + self.rng.uniform(-40, 40), y + self.rng.uniform(-30, 30)

    def drags(self, count):
        """So many presses, each of which is a drag when there is an icon; then all let go."""
        pressed = 0
        while pressed < count or self.held:
            one = self.rng.choice(self.pages)
            if one in self.held:
                self.go_on(one)
            elif pressed < count:
                pressed += self.start(one)
            if self.rng.random() < 0.12:
                self.meddle()

    def start(self, one):
        mouse = one.page.mouse
        if self.rng.random() < 0.08:
            one.page.keyboard.press("Control+z")
            return 0
        x, y = self.rng.choice(self.cells)
        mouse.move(x, y)
        mouse.down()
        mouse.move(*self.place())
        self.held.add(one)
        return 1

    def go_on(self, one):
        kind = self.rng.random()
        if kind < 0.55:
            one.page.mouse.move(*self.place())
            return
        if kind < 0.6:
            one.page.keyboard.press("Escape")
        one.page.mouse.up()
        self.held.discard(one)

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


@pytest.mark.timeout(600)
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
    pages = [join(server, board.id, name, link, script=RECORDER, viewport={"width": 700, "height": 1100})
             for name, link in zip(("Mia", "Ben", "Ida"), links)]
    watchers = [Watcher(one.name, COLUMNS) for one in pages]
    crowd = Crowd(board, pages, rng)
    for one, watcher, link in zip(pages, watchers, links):
        watcher.take(drain(one))
        watcher.measure()
        link.slow(0.08, 0.2)
    while (begun := min(DRAGS, sum(w.told.begun for w in watchers))) < DRAGS:
        crowd.drags(min(SLICE, DRAGS - begun))
        settle(server, board, pages, watchers)
    crowd.other.close()
    report(watchers)


def settle(server, board, pages, watchers):
    """Everything has been decided and has arrived: three screens and the server are one."""
    now = agree(server, board.id, *pages)
    for one, watcher in zip(pages, watchers):
        one.at_rest()
        watcher.take(drain(one))
        assert not watcher.wrong, f"PAGE_SEED={SEED}, {len(watcher.wrong)} wrong:\n" + watcher.wrong[0]
        assert watcher.last.drawn(now) == now == lists(watcher.told.replica.board)
        assert not watcher.last.gaps() and not watcher.last.hands


def report(watchers):
    for watcher in watchers:
        told = watcher.told
        print(f"{watcher.name}: {watcher.frames} frames, {told.begun} drags, {told.drops} drops, "
              f"{told.results} , {watcher.untold} frames of places nobody was told")
