"""No wrong frame: three people, 500 drags, a slow network, and somebody who writes in between."""
import os
import random

import pytest
from boardpage import agree, lists
from screen import RECORDER, Screen
from server import Layout

SEED = int(os.environ.get("PAGE_SEED", random.randrange(1_000_000)))
DRAGS = int(os.environ.get("PAGE_DRAGS", 500))
ROUND = 25
# Icons by where they are seen, to compare with the lists.
SEEN = """() => Object.fromEntries([...document.querySelectorAll('[data-section]')].map((section) => [
  section.dataset.section,
  [...section.querySelectorAll('[data-icon]')].map((icon) => [icon, icon.getBoundingClientRect()])
    .sort(([, a], [, b]) => Math.round(a.top - b.top) || a.left - b.left)
    .map(([icon]) => icon.dataset.icon)]))"""


def record(page):
    page.add_init_script(RECORDER)


class Outsider:
    """Moves, adds and removes over HTTP, and keeps about as many icons as there were."""

    def __init__(self, layout, rng):
        self.layout, self.server, self.rng, self.made = layout, layout.server, rng, 0

    def act(self):
        board = self.server.board(self.layout.id)
        places = {s["id"]: [i["id"] for i in s["icons"]] for s in board["sections"]}
        icons = [i for s in ("s", "t") for i in places[s]]
        icon, section = self.rng.choice(icons), self.rng.choice("st")
        kind = self.rng.choice(["move", "move", "add" if len(icons) < 26 else "remove", "colour"])
        if kind == "move":
            edit = {"kind": "icon.move", "icons": [icon], "to": {
                "section": section, "index": self.rng.randrange(6)}}
        elif kind == "add":
            self.made += 1
            edit = {"kind": "icon.add", "icon": self.layout.icon(f"new {self.made}"),
                    "to": {"section": section, "at": self.rng.choice(["start", "end"])}}
        elif kind == "remove":
            edit = {"kind": "icon.remove", "icons": [icon]}
        else:
            edit = {"kind": "icon.update", "icon": icon, "set": {"red": self.rng.random()}}
        self.server.edit(self.layout.id, edit)


class Hand:
    """One person's mouse and keys."""

    def __init__(self, one, places, rng):
        self.one, self.places, self.rng, self.holds = one, places, rng, False

    def _somewhere(self):
        x, y = self.rng.choice(self.places)
        return x + self.rng.uniform(-35, 35), y + self.rng.uniform(-35, 35)

    def lift(self):
        mouse = self.one.page.mouse
        mouse.move(*self.rng.choice(self.places))
        mouse.down()
        mouse.move(*self._somewhere(), steps=2)
        self.holds = True

    def carry(self):
        self.one.page.mouse.move(*self._somewhere(), steps=2)

    def let_go(self):
        if self.rng.random() < 0.1:
            self.one.page.keyboard.press("Escape")
        self.one.page.mouse.up()
        self.holds = False

    def remove(self):
        self.one.page.evaluate("""n => {
          const icons = document.querySelectorAll('[data-section="s"] [data-icon]');
          icons[n % icons.length].focus();
        }""", self.rng.randrange(100))
        self.one.page.keyboard.press("Delete")

    def act(self, may_lift):
        if not self.holds:
            if may_lift:
                self.lift()
                return 1
        elif self.rng.random() < 0.4:
            self.carry()
        else:
            self.let_go()
        return 0


@pytest.mark.timeout(600)
def test_no_wrong_frame(server, network, join):
    """O-75 HC1 HC2: every frame is the confirmed board, the own queue on it, and the live drags."""
    print(f"PAGE_SEED={SEED}")
    rng = random.Random(SEED)
    board = Layout(server, {
        "s": "ABCDEFGHIJKLMN",
        "t": {"icons": "PQRSTU", "capacity": 8},
        "p": {"icons": "YZ", "lift": "copy", "drop": "none"}}, pins={"s": {"3": "D"}}, locked="F")
    outsider = Outsider(board, rng)
    links = [network(server, SEED + n) for n in range(3)]
    pages = [join(server, board.id, name, link, prepare=record)
             for name, link in zip(("Mia", "Ben", "Ida"), links)]
    places = list(pages[0].cells().values())
    for link in links:
        link.slow(0.08, 0.2)
    hands = [Hand(one, places, rng) for one in pages]
    screens = [Screen(one.name) for one in pages]
    while sum(screen.drags for screen in screens) < DRAGS:
        lifted = 0
        while lifted < ROUND or any(hand.holds for hand in hands):
            hand = rng.choice(hands)
            lifted += hand.act(may_lift=lifted < ROUND)
            if rng.random() < 0.08:
                outsider.act()
            if rng.random() < 0.01 and not hand.holds:
                hand.remove()
        settled(server, board.id, pages, screens)
        undone = rng.choice(pages)
        undone.page.keyboard.press("Control+z" if rng.random() < 0.7 else "Control+Shift+z")
        settled(server, board.id, pages, screens)
    for screen in screens:
        print(f"{screen.name}: {screen.frames} frames, {screen.with_queue} with own edits on top, "
              f"{screen.with_drags} with gaps, {screen.drags} drags")
        assert screen.with_queue > screen.drags and screen.with_drags > screen.drags
    assert server.board(board.id)["revision"] > DRAGS / 3, "hardly anything was moved"


def settled(server, board, pages, screens):
    """All three screens show what the server has, and none has shown anything else on the way."""
    stored = agree(server, board, *pages)
    for one, screen in zip(pages, screens):
        one.at_rest()
        screen.replay(one.page.evaluate("() => recorded.splice(0)"))
        assert one.page.evaluate(SEEN) == stored, f"{one.name} sees icons elsewhere than it says"
        assert lists(screen.replica.board) == stored and not screen.queue
