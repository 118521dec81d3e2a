"""The `row` template by touch and pen: press to lift, swipe to scroll, along one axis."""
import pytest
from boardpage import agree, lists
from fingers import Finger, Pen


@pytest.fixture
def row(server):
    return server.create(template="row")["id"]


@pytest.fixture
def two(server, row, join, phone):
    wide = {"width": 1280, "height": 700}
    return join(server, row, "Mia", **phone), join(server, row, "Ben", viewport=wide)


def scrolled(one):
    return one.page.evaluate("() => document.querySelector('[data-section=row] .list').scrollLeft")


def test_a_press_of_300_ms_lifts_and_a_drop_lands(server, row, two):
    mia, ben = two
    order, cells = mia.order()["row"], mia.cells()
    mia.page.evaluate("""() => {
      addEventListener('pointerdown', () => { window.pressed = performance.now(); }, true);
      new MutationObserver(() => {
        if (document.querySelector('[data-my-drag]')) window.lifted ??= performance.now();
      }).observe(document.getElementById('hands'), { childList: true });
    }""")
    finger = Finger(mia)
    finger.down(*cells["row 0"])
    mia.until("() => window.lifted")
    assert mia.page.evaluate("() => lifted - pressed") >= 290
    finger.move(cells["row 2"][0] + 20, cells["row 2"][1])
    mia.until("() => document.querySelector('[data-gap=me]')?.dataset.cell === 'row 2'")
    ben.sees_gap(mia.peer, "row", 2)
    assert lists(server.board(row))["row"] == order
    finger.up()
    assert agree(server, row, mia, ben)["row"] == order[1:3] + order[:1] + order[3:]


def test_a_short_swipe_scrolls_instead(server, row, two):
    mia, ben = two
    order, cells = mia.order()["row"], mia.cells()
    finger = Finger(mia)
    finger.down(*cells["row 3"])
    finger.move(cells["row 3"][0] - 200, cells["row 3"][1], steps=8)
    assert mia.page.locator("[data-my-drag]").count() == 0
    mia.until("() => document.querySelector('[data-section=row] .list').scrollLeft > 60")
    finger.up()
    assert mia.gap() is None
    assert ben.page.locator("[data-remote-drag]").count() == 0
    assert agree(server, row, mia, ben)["row"] == order


def test_the_hand_stays_in_the_row(server, row, two):
    """Axis and clamp: however far the finger goes, nothing sticks out; Ben sees it inside too."""
    mia, ben = two
    cells = mia.cells()
    box = mia.page.locator("[data-section=row]").bounding_box()
    size = mia.icon(mia.order()["row"][0]).bounding_box()["width"]
    icon = mia.order()["row"][1]
    finger = Finger(mia)
    finger.down(*cells["row 1"])
    mia.until("() => document.querySelector('[data-my-drag]')")
    home = mia.page.locator("[data-my-drag]").bounding_box()
    for x, y in ((200, 30), (200, 700), (2, 400), (388, 60), (-40, -40)):
        finger.move(x, y)
        hand = mia.page.locator("[data-my-drag]").bounding_box()
        assert abs(hand["y"] - home["y"]) < 2, f"lifted out of the row at {x}, {y}"
        assert box["x"] <= hand["x"] + 1 and hand["x"] + size <= box["x"] + box["width"] + 1
        points = ben.page.evaluate("() => homeboard.drags.map((drag) => drag.point)")
        assert all(p is None or (0 <= p["x"] <= 1 and p["y"] == 0.5) for p in points), points
    finger.move(*cells["row 0"])
    finger.up()
    now = agree(server, row, mia, ben)["row"]
    assert len(now) == 12 and icon in now


def test_a_cancelled_touch_puts_it_back(server, row, two):
    """O-22: everything but an end cancels; none committed, and the next press works."""
    mia, ben = two
    order, cells = mia.order()["row"], mia.cells()
    revision = mia.revision
    finger = Finger(mia)
    finger.down(*cells["row 0"])
    mia.until("() => document.querySelector('[data-my-drag]')")
    finger.move(cells["row 2"][0] + 20, cells["row 2"][1])
    ben.sees_gap(mia.peer, "row", 2)
    finger.cancel()
    mia.page.locator("[data-my-drag]").wait_for(state="detached")
    ben.page.locator("[data-remote-drag]").wait_for(state="detached")
    assert agree(server, row, mia, ben)["row"] == order
    assert server.board(row)["revision"] == revision
    finger.down(*cells["row 0"])
    mia.until("() => document.querySelector('[data-my-drag]')")
    finger.move(cells["row 2"][0] + 20, cells["row 2"][1])
    finger.up()
    assert agree(server, row, mia, ben)["row"].index(order[0]) == 2


def test_begin_on_a_gap_is_harmless(server, row, two):
    """A press beside the icons, a move and an end: nothing begins, nothing happens."""
    mia, ben = two
    revision = mia.revision
    box = mia.page.locator("[data-section=row]").bounding_box()
    finger = Finger(mia)
    finger.down(box["x"] + 120, box["y"] + 8)
    mia.frames(30)
    finger.move(box["x"] + 200, box["y"] + 60)
    finger.up()
    assert mia.page.locator("[data-my-drag]").count() == 0
    assert ben.page.locator("[data-remote-drag]").count() == 0
    assert server.board(row)["revision"] == revision


def test_equal_labels_are_different_icons(server, row, two):
    """Both ends of the row can be reached, though the hand is held inside it (O-02)."""
    mia, ben = two
    order, cells = mia.order()["row"], ben.cells()
    assert mia.words()["row"][0] == mia.words()["row"][11] == "One"
    ben.drag(order[11], "row", 0, cells)
    assert agree(server, row, mia, ben)["row"] == [order[11], *order[:11]]
    ben.at_rest().drag(order[0], "row", 11, cells)
    assert agree(server, row, mia, ben)["row"] == [order[11], *order[1:11], order[0]]


def test_a_second_finger_adds_to_the_block(server, join, phone):
    """Two icons in one hand, dropped as a block in the order they were taken."""
    board = server.create(template="home")["id"]
    mia, ben = join(server, board, "Mia", **phone), join(server, board, "Ben")
    order, cells = mia.order()["home"], mia.cells()
    finger = Finger(mia)
    finger.down(*cells["home 0"])
    mia.until("() => document.querySelector('[data-my-drag]')")
    finger.down(*cells["home 6"], number=1)
    mia.until("() => document.querySelectorAll('[data-my-drag]').length === 2")
    finger.up(number=1)
    ben.until("() => document.querySelectorAll('[data-remote-drag]').length === 2")
    finger.move(*cells["home 8"])
    finger.up()
    now = agree(server, board, mia, ben)["home"]
    at = now.index(order[0])
    assert now[at + 1] == order[6] and at > 4
    assert [i for i in now if i not in (order[0], order[6])] == \
        [i for i in order if i not in (order[0], order[6])]


def test_a_pen_drags_like_a_mouse(server, row, two):
    mia, ben = two
    order, cells = ben.order()["row"], ben.cells()
    pen = Pen(ben)
    ben.page.evaluate("() => addEventListener('pointerdown', (e) => { window.kind = e.pointerType; })")
    x, y = cells["row 4"]
    pen.down(x, y)
    pen.move(x - 8, y)
    ben.until("() => document.querySelector('[data-my-drag]')")
    assert ben.page.evaluate("() => window.kind") == "pen"
    pen.move(cells["row 1"][0] - 20, y)
    ben.until("() => document.querySelector('[data-gap=me]')?.dataset.cell === 'row 1'")
    mia.sees_gap(ben.peer, "row", 1)
    pen.up()
    assert agree(server, row, mia, ben)["row"].index(order[4]) == 1
