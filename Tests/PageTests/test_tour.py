"""One tour through `home` and `channels` by mouse, finger, pen and keys; each drop is the gap shown."""
import pytest
from boardpage import agree, lists
from fingers import Finger, Pen

SCREENS = {"mouse": {}, "pen": {}, "keys": {}, "finger": None}
REFUSED = "Nothing can be dropped into this section"
FIXED = "Icons stay where they are in this section"


class Pointing:
    """A mouse, a pen or a finger: what is pressed is where it was pressed."""

    def __init__(self, one, device):
        self.one, self.device = one, device

    def lift(self, icon):
        self.cells = self.one.cells()
        x, y = self.one.middle(icon)
        self.device.down(x, y)
        if not isinstance(self.device, Finger):
            self.device.move(x + 6, y + 3)
        self.one.until("() => document.querySelector('[data-my-drag]')")

    def carry(self, section, index):
        x, y = self.cells[f"{section} {index}"]
        for side in (20, -20, 20):
            self.device.move(x + side, y)
            if self.one.gap() == (section, index):
                return

    def over(self, section):
        self.device.move(*self.cells[f"{section} 5"])

    def drop(self):
        self.device.up()

    def cancel(self):
        self.one.page.keyboard.press("Escape")
        self.device.up()

    def try_to_lift(self, icon):
        x, y = self.one.middle(icon)
        self.device.down(x, y)
        if not isinstance(self.device, Finger):
            self.device.move(x + 6, y + 3)
        self.one.toasted(FIXED)
        self.device.up()


class Mouse:
    def __init__(self, one):
        self.one, self.mouse = one, one.page.mouse

    def down(self, x, y):
        self.mouse.move(x, y)
        self.mouse.down()

    def move(self, x, y):
        self.mouse.move(x, y)
        self.one.frames()

    def up(self):
        self.mouse.up()
        self.one.frames()


class Keys:
    """Only keys: Tab or a click chose the icon before."""

    def __init__(self, one):
        self.one = one

    def _press(self, *keys):
        for key in keys:
            self.one.page.keyboard.press(key)
            self.one.frames()

    def lift(self, icon):
        self.icon = icon
        self.one.at_rest().icon(icon).focus()
        self._press("Space")
        assert self.one.page.locator("[data-my-drag].keyboard").count() == 1

    def carry(self, section, index):
        for _ in range(30):
            here, at = self.one.gap()
            if here != section:
                self._press("Control+ArrowUp" if section == "mine" else "Control+ArrowDown")
            elif at == index:
                return
            elif abs(index - at) >= 4:
                self._press("ArrowDown" if index > at else "ArrowUp")
            else:
                self._press("ArrowRight" if index > at else "ArrowLeft")
            assert self.focused() == self.icon, "focus left what is held"

    def over(self, section):
        self._press("Control+ArrowDown" if section == "recommended" else "Control+ArrowUp")

    def drop(self):
        self._press("Space")
        assert self.focused() == self.icon

    def cancel(self):
        self._press("Escape")
        assert self.focused() == self.icon

    def try_to_lift(self, icon):
        self.one.icon(icon).focus()
        self._press("Space")
        self.one.toasted(FIXED)
        assert self.focused() == icon

    def focused(self):
        return self.one.page.evaluate("() => document.activeElement.dataset.icon")


@pytest.fixture(params=SCREENS)
def way(request):
    return request.param


@pytest.fixture
def start(server, join, way, phone):
    def make(template):
        board = server.create(template=template)["id"]
        tall = {**phone, "viewport": {"width": 390, "height": 1240}}
        mia = join(server, board, "Mia", **(SCREENS[way] if way != "finger" else tall))
        hand = Keys(mia) if way == "keys" else Pointing(
            mia, {"mouse": Mouse, "pen": Pen, "finger": Finger}[way](mia))
        return board, mia, join(server, board, "Ben"), hand

    return make


def move(server, board, mia, ben, hand, section, start, index):
    """One drag; what the server has at the end is the gap that both saw."""
    order = mia.order()[section]
    icon = order[start]
    hand.lift(icon)
    hand.carry(section, index)
    assert mia.gap() == (section, index), "the gap can't be opened there"
    ben.sees_gap(mia.peer, section, index)
    assert lists(server.board(board))[section] == order, "written before the drop"
    hand.drop()
    rest = [other for other in order if other != icon]
    assert agree(server, board, mia, ben)[section] == rest[:index] + [icon] + rest[index:]


def test_home(server, start):
    """Along a row, across rows, to the end, to the first place, back to its own, and cancelled."""
    board, mia, ben, hand = start("home")
    for begin, index in ((0, 2), (1, 9), (14, 5), (3, 23), (23, 0), (22, 23), (6, 4)):
        move(server, board, mia, ben, hand, "home", begin, index)
    order, revision = mia.order(), mia.revision
    hand.lift(order["home"][5])
    hand.carry("home", 12)
    ben.sees_gap(mia.peer, "home", 12)
    hand.cancel()
    ben.page.locator("[data-remote-drag]").wait_for(state="detached")
    hand.lift(order["home"][9])
    hand.carry("home", 11)
    hand.carry("home", 9)
    hand.drop()
    assert agree(server, board, mia, ben) == order
    assert server.board(board)["revision"] == revision, "a cancel, or a drop at home, was written"


def test_channels(server, start):
    """Mine in order; recommended takes nothing, and gives nothing, and both say so."""
    board, mia, ben, hand = start("channels")
    for begin, index in ((0, 15), (15, 0), (3, 10), (8, 6)):
        move(server, board, mia, ben, hand, "mine", begin, index)
    order, revision = mia.order(), mia.revision
    icon = order["mine"][4]
    hand.lift(icon)
    hand.over("recommended")
    mia.page.locator('[data-section=recommended][data-over="forbidden"]').wait_for()
    mia.said(REFUSED)
    assert mia.gap() is None and mia.page.locator("[data-my-drag] .tag").text_content() == REFUSED
    ben.page.locator(f'[data-remote-drag="{mia.peer}"].refused').wait_for()
    hand.drop()
    mia.toasted(REFUSED)
    mia.page.locator("[data-my-drag]").wait_for(state="detached")
    hand.try_to_lift(order["recommended"][2])
    assert mia.page.locator("[data-my-drag]").count() == 0
    assert agree(server, board, mia, ben) == order
    assert server.board(board)["revision"] == revision
    # Over the forbidden section and back again: it still lands.
    hand.lift(icon)
    hand.over("recommended")
    mia.page.locator("[data-my-drag].refused").wait_for()
    hand.over("mine")
    hand.carry("mine", 1)
    assert mia.gap() == ("mine", 1)
    hand.drop()
    assert agree(server, board, mia, ben)["mine"][1] == icon


@pytest.fixture
def small(server, join, phone):
    """A phone on which the board is longer than the screen."""
    board = server.create(template="channels")["id"]
    return board, join(server, board, "Mia", **{**phone, "viewport": {"width": 390, "height": 560}})


def test_a_finger_that_moves_before_the_lift_scrolls(server, small):
    board, mia = small
    order, revision = mia.order(), mia.revision
    finger = Finger(mia)
    x, y = mia.middle(order["mine"][9])
    finger.down(x, y)
    finger.move(x, y - 160, steps=8)
    mia.until("() => scrollY > 60")
    # The finger rests now for longer than a press takes, and still holds nothing.
    mia.frames(30)
    assert mia.page.locator("[data-my-drag]").count() == 0 and mia.gap() is None
    finger.up()
    assert mia.order() == order and server.board(board)["revision"] == revision


def test_a_finger_at_the_edge_scrolls_with_what_it_holds(server, small, join):
    """Down to the end and up again; the gap goes with the finger, and what is dropped is there."""
    board, mia = small
    ben = join(server, board, "Ben")
    icon = mia.order()["mine"][0]
    finger = Finger(mia)
    finger.down(*mia.middle(icon))
    mia.until("() => document.querySelector('[data-my-drag]')")
    finger.move(190, 545)
    end = mia.page.evaluate("() => document.body.offsetHeight - innerHeight")
    mia.until("end => scrollY >= end - 1", end)
    mia.frames(30)
    assert mia.page.evaluate("() => scrollY") <= end + 1, "it scrolls on, beyond the board"
    finger.move(190, 250)
    mia.page.locator('[data-over="forbidden"]').wait_for()
    finger.move(190, 15)
    mia.until("() => scrollY === 0")
    box = mia.page.locator('[data-section="mine"] .list').bounding_box()
    finger.move(box["x"] + box["width"] - 20, box["y"] + 150)
    mia.until("() => document.querySelector('[data-gap=me]')")
    shown = mia.frames().gap()
    ben.sees_gap(mia.peer, *shown)
    finger.up()
    assert agree(server, board, mia, ben)["mine"].index(icon) == shown[1] > 3
