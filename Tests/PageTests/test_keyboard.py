"""The whole board without a pointer, and what a screen reader hears."""
import pytest
from boardpage import agree

ACTIVE = "() => document.activeElement?.dataset?.icon ?? null"


@pytest.fixture
def home(server):
    return server.create(template="home")["id"]


@pytest.fixture
def two(server, home, join):
    return join(server, home, "Mia"), join(server, home, "Ben")


def active(one):
    return one.page.evaluate(ACTIVE)


def press(one, *keys):
    for key in keys:
        one.page.keyboard.press(key)
    one.frames()


def test_arrows_walk_the_grid_from_one_tab_stop(two):
    mia, _ = two
    order = mia.order()["home"]
    mia.page.locator("[data-testid=invite]").focus()
    press(mia, "Tab")
    assert active(mia) == order[0]
    for key, index in (("ArrowRight", 1), ("ArrowDown", 5), ("ArrowLeft", 4), ("ArrowUp", 0),
                       ("End", 23), ("ArrowRight", 23), ("Home", 0), ("ArrowLeft", 0)):
        press(mia, key)
        assert active(mia) == order[index], f"{key} went to {order.index(active(mia))}"
    press(mia, "ArrowDown", "Tab")
    assert active(mia) is None, "a section has more than one tab stop"
    press(mia, "Shift+Tab")
    assert active(mia) == order[4], "the tab stop has forgotten where it was"


def test_a_move_by_keyboard_in_home(server, home, two):
    """Space, arrows, Space; each step in words; Ben sees it live before the drop."""
    mia, ben = two
    order = mia.order()["home"]
    mia.icon(order[2]).focus()
    press(mia, "Space")
    assert mia.page.locator("#live").text_content() == "Photos lifted, position 3 of 24 in Home"
    press(mia, "ArrowRight")
    assert mia.page.locator("#live").text_content() == "position 4"
    press(mia, "ArrowDown")
    assert mia.page.locator("#live").text_content() == "position 8"
    assert mia.gap() == ("home", 7)
    ben.sees_gap(mia.peer, "home", 7)
    assert ben.page.locator(f'[data-remote-drag="{mia.peer}"] .tag').text_content() == "Mia"
    press(mia, "Space")
    assert mia.page.locator("#live").text_content() == "Dropped, position 8 of 24 in Home"
    assert agree(server, home, mia, ben)["home"] == order[:2] + order[3:8] + [order[2]] + order[8:]
    assert active(mia) == order[2], "focus left the icon that was moved"
    ben.said("Mia moved Photos to position 8 of 24 in Home")


def test_escape_puts_it_back(server, home, two):
    mia, ben = two
    order, revision = mia.order(), mia.revision
    mia.icon(order["home"][0]).focus()
    press(mia, "Space", "End")
    ben.sees_gap(mia.peer, "home", 23)
    press(mia, "Escape")
    assert mia.page.locator("#live").text_content() == "Cancelled, back in its place"
    ben.page.locator("[data-remote-drag]").wait_for(state="detached")
    assert agree(server, home, mia, ben) == order
    assert server.board(home)["revision"] == revision and active(mia) == order["home"][0]


def test_delete_and_undo(server, home, two):
    """O-11: gone for both, offered back in words, and back where it was."""
    mia, ben = two
    order = mia.order()
    mia.icon(order["home"][6]).focus()
    press(mia, "Delete")
    mia.toasted("Weather removed")
    assert agree(server, home, mia, ben)["home"] == order["home"][:6] + order["home"][7:]
    assert active(mia) == order["home"][7], "focus fell off the board"
    mia.page.locator("[data-testid=toast-action]").click()
    mia.sees_order(order)
    assert agree(server, home, mia, ben) == order


def test_f2_renames(server, home, two):
    mia, ben = two
    icon = mia.order()["home"][0]
    mia.icon(icon).focus()
    press(mia, "F2")
    field = mia.page.locator("[data-testid=label]")
    assert field.evaluate("field => field === document.activeElement")
    assert field.input_value() == "Mail"
    mia.page.keyboard.type("Post")
    press(mia, "Enter", "Escape")
    assert active(mia) == icon, "focus didn't come back to the icon"
    agree(server, home, mia, ben)
    assert ben.words()["home"][0] == "Post"
    ben.said("Mia changed Post")


def test_focus_stays_with_the_icon_when_others_move_it(server, home, two):
    mia, ben = two
    order = mia.order()["home"]
    mia.icon(order[3]).focus()
    ben.drag(order[3], "home", 20)
    agree(server, home, mia, ben)
    assert active(mia) == order[3]
    ben.at_rest().drag(order[0], "home", 22)
    agree(server, home, mia, ben)
    assert active(mia) == order[3]
    press(mia, "ArrowRight")
    now = mia.order()["home"]
    assert active(mia) == now[now.index(order[3]) + 1]


def test_by_keyboard_in_channels(server, join):
    """Within mine it moves; into recommended it is refused with the reason; nothing to lift there."""
    board = server.create(template="channels")["id"]
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    before = mia.order()
    mia.icon(before["mine"][0]).focus()
    press(mia, "Space")
    assert mia.page.locator("#live").text_content() == "推荐 lifted, position 1 of 16 in 我的频道"
    press(mia, "ArrowRight", "Control+ArrowDown")
    reason = "Nothing can be dropped into this section"
    assert mia.page.locator("#live").text_content() == reason
    assert mia.page.locator('[data-section=recommended][data-over="forbidden"]').count() == 1
    press(mia, "Space")
    mia.toasted(reason)
    assert agree(server, board, mia, ben) == before
    press(mia, "Space", "ArrowDown", "Enter")
    now = agree(server, board, mia, ben)
    assert now["mine"].index(before["mine"][0]) == 4
    assert now["recommended"] == before["recommended"]
    mia.at_rest().icon(before["recommended"][2]).focus()
    press(mia, "Space")
    mia.toasted("Icons stay where they are in this section")
    assert mia.page.locator("[data-my-drag]").count() == 0


def test_across_sections_with_control(layout, join):
    """O-15: one move, from one section to the other; equal for both pages."""
    board = layout({"s": "ABC", "t": "XYZ"})
    server = board.server
    mia, ben = join(server, board.id, "Mia"), join(server, board.id, "Ben")
    mia.icon(board["B"]).focus()
    press(mia, "Space", "Control+ArrowDown")
    assert mia.page.locator("#live").text_content() == "position 2 of 4 in T"
    ben.sees_gap(mia.peer, "t", 1)
    press(mia, "Space")
    assert board.words(agree(server, board.id, mia, ben)) == {"s": "AC", "t": "XBYZ"}
    assert active(mia) == board["B"]
    press(mia, "Control+ArrowUp")
    assert active(mia) in board.many("AC")


def test_undo_and_redo_by_keys(server, home, two):
    """O-77: Ctrl+Z, Ctrl+Shift+Z and Ctrl+Y, each seen by Ben."""
    mia, ben = two
    before = mia.order()["home"]
    mia.icon(before[0]).focus()
    press(mia, "Space", "ArrowRight", "ArrowRight", "Space")
    moved = agree(server, home, mia, ben)["home"]
    assert moved.index(before[0]) == 2
    for key, wanted in (("Control+z", before), ("Control+Shift+Z", moved),
                        ("Control+z", before), ("Control+y", moved)):
        press(mia, key)
        mia.sees_order({"home": wanted, "dock": []})
        assert agree(server, home, mia, ben)["home"] == wanted
