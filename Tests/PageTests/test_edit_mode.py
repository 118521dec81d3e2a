"""Adding, naming, colouring, removing; undo and redo; sections; labels are text."""
import pytest
from boardpage import agree, lists

XSS = "<img src=x onerror=alert(1)>"


@pytest.fixture
def home(server):
    return server.create(template="home")["id"]


@pytest.fixture
def two(server, home, join):
    mia, ben = join(server, home, "Mia"), join(server, home, "Ben")
    mia.page.locator("[data-testid=edit]").click()
    mia.until("() => document.body.hasAttribute('data-editing')")
    return mia, ben


def press(one, testid):
    one.page.locator(f"[data-testid={testid}]").click()
    one.frames()


def fill(one, testid, text):
    field = one.page.locator(f"[data-testid={testid}]")
    field.fill(text)
    field.press("Enter")


def icon_of(server, board, icon):
    return next(i for s in server.board(board)["sections"] for i in s["icons"] if i["id"] == icon)


def test_add_name_colour_and_remove_are_seen_by_the_other(server, home, two):
    mia, ben = two
    before = mia.order()["home"]
    press(mia, "add")
    mia.page.locator("[data-testid=editor]").wait_for()
    fill(mia, "label", "Chess")
    fill(mia, "symbol", "♞")
    now = agree(server, home, mia, ben)["home"]
    [icon] = set(now) - set(before)
    assert now == [*before, icon]
    assert ben.words()["home"][-1] == "Chess"
    assert ben.icon(icon).locator(".symbol").text_content() == "♞"
    mia.page.locator('[data-colour="#22c55e"]').click()
    agree(server, home, mia, ben)
    colour = "rgb(34, 197, 94)"
    ben.until("""([icon, wanted]) => getComputedStyle(document.querySelector(
      `[data-icon="${icon}"] .tile`)).backgroundColor === wanted""", [icon, colour])
    assert "green" in ben.icon(icon).get_attribute("aria-label"), "colour isn't said in words"
    press(mia, "remove")
    mia.toasted("Chess removed")
    assert agree(server, home, mia, ben)["home"] == before


def test_the_other_sees_who_is_editing(server, home, two, join):
    mia, ben = two
    ben.page.get_by_role("img", name="Mia, editing").wait_for()
    ida = join(server, home, "Ida")
    assert ida.page.get_by_role("img", name="Mia, editing").count() == 1
    press(mia, "edit")
    ben.page.get_by_role("img", name="Mia", exact=True).wait_for()


def test_rename_with_a_click(server, home, two):
    mia, ben = two
    icon = mia.order()["home"][4]
    mia.icon(icon).click()
    fill(mia, "label", "Termine 🗓 日历")
    agree(server, home, mia, ben)
    assert ben.words()["home"][4] == mia.words()["home"][4] == "Termine 🗓 日历"
    press(mia, "close-editor")
    mia.page.locator("[data-testid=editor]").wait_for(state="hidden")


def test_undo_and_redo_by_buttons(server, home, two):
    """O-77: my own last step, though Ben moved something since."""
    mia, ben = two
    before = mia.order()["home"]
    mia.icon(before[0]).click()
    press(mia, "remove")
    agree(server, home, mia, ben)
    ben.drag(before[5], "home", 10)
    without = agree(server, home, mia, ben)["home"]
    press(mia, "undo")
    mia.until("id => document.querySelector(`[data-icon='${id}']`)", before[0])
    assert agree(server, home, mia, ben)["home"] == [before[0], *without]
    press(mia, "redo")
    ben.page.locator(f'[data-icon="{before[0]}"]').wait_for(state="detached")
    assert agree(server, home, mia, ben)["home"] == without
    press(mia, "redo")
    mia.toasted("Nothing to redo")
    assert agree(server, home, mia, ben)["home"] == without


def test_a_label_is_text_never_markup(server, home, two):
    """O-46: shown as it was typed, wherever a label goes."""
    mia, ben = two
    dialogs = []
    for one in two:
        one.page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    icon = mia.order()["home"][0]
    mia.icon(icon).click()
    fill(mia, "label", XSS)
    fill(mia, "symbol", "<b>x</b>")
    agree(server, home, mia, ben)
    for one in two:
        assert one.words()["home"][0] == XSS
        assert one.icon(icon).locator(".symbol").text_content() == "<b>x</b>"
        assert one.page.locator("img, b").count() == 0
        assert one.icon(icon).get_attribute("aria-label").startswith(XSS)
    ben.said(XSS)                                        # "Mia changed ..."
    mia.page.locator("[data-testid=board-title]").fill(XSS)
    mia.page.keyboard.press("Enter")
    ben.until("text => document.querySelector('#title').textContent === text", XSS)
    ben.lift(icon)                                       # a hand is a copy of the icon
    mia.page.locator("[data-remote-drag]").wait_for()
    press(mia, "remove")
    mia.toasted(XSS)
    ben.drop()
    for one in two:
        one.settled()
        assert one.page.locator("img, b").count() == 0
    assert not dialogs


def test_lock_and_pin_hold_for_the_other(server, home, two):
    """BD4 BD5: told by shape, and kept when somebody drags."""
    mia, ben = two
    order = mia.order()["home"]
    mia.icon(order[1]).click()
    press(mia, "lock")
    mia.icon(order[2]).click()
    press(mia, "pin")
    press(mia, "close-editor")
    agree(server, home, mia, ben)
    assert icon_of(server, home, order[1])["locked"] is True
    assert icon_of(server, home, order[2])["pinnedAt"] == 2
    for icon, words in ((order[1], "This icon is locked"),
                        (order[2], "This icon is pinned to its place")):
        ben.press(icon)
        ben.toasted(words)
        ben.page.mouse.up()
    ben.drag(order[0], "home", 5)
    now = agree(server, home, mia, ben)["home"]
    assert now[2] == order[2] and now[:2] == [order[1], order[3]]


def test_duplicate_makes_a_twin(server, home, two):
    """O-78: a new id; what happens to one doesn't happen to the other."""
    mia, ben = two
    icon = mia.order()["home"][0]
    mia.icon(icon).click()
    press(mia, "copy")
    now = agree(server, home, mia, ben)["home"]
    assert now[0] == icon and len(now) == 25 and len(set(now)) == 25
    fill(mia, "label", "First")
    agree(server, home, mia, ben)
    assert ben.words()["home"][:2] == ["First", "Mail"]


def test_sections_are_added_named_moved_and_removed(server, home, two):
    """O-04 O-12: the whole life of a section, as Ben sees it; a drop into it works meanwhile."""
    mia, ben = two
    order = mia.order()["home"]
    press(mia, "add-section")
    agree(server, home, mia, ben)
    [new] = [s for s in ben.order() if s not in ("home", "dock")]
    assert list(ben.order()) == ["home", new, "dock"], "the dock stays the last"
    name = mia.page.locator(f'[data-section="{new}"] input.rename')
    name.fill("Games")
    name.press("Enter")
    agree(server, home, mia, ben)
    assert ben.page.locator(f'[data-section="{new}"] h2').text_content() == "Games"
    mia.page.locator(f'[data-section="{new}"] [data-testid=move-section-up]').click()
    agree(server, home, mia, ben)
    assert list(ben.order()) == [new, "home", "dock"]
    box = ben.at_rest().page.locator(f'[data-section="{new}"] .list').bounding_box()
    ben.lift(order[0]).carry(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mia.sees_gap(ben.peer, new, 0)
    ben.drop()
    assert agree(server, home, mia, ben) == {
        new: [order[0]], "home": order[1:], "dock": []}
    remove = mia.page.locator(f'[data-section="{new}"] [data-testid=remove-section]')
    assert remove.is_disabled(), "a section with icons can't be removed"
    ben.page.keyboard.press("Control+z")
    agree(server, home, mia, ben)
    remove.click()
    assert agree(server, home, mia, ben) == {"home": order, "dock": []}
    # What is drawn is still where it can be hit.
    ben.at_rest().drag(order[23], "home", 0)
    assert agree(server, home, mia, ben)["home"] == [order[23], *order[:23]]


def test_an_idle_page_overwrites_nothing(server, home, join, network):
    """O-13: who hasn't heard of fifteen moves renames an icon: the name, and nothing else."""
    link = network(server)
    mia, ben = join(server, home, "Mia", link), join(server, home, "Ben")
    order = mia.order()["home"]
    link.hold(up=False)
    for index in range(15):
        server.edit(home, {"kind": "icon.move", "icons": [order[index]],
                           "to": {"section": "home", "at": "end"}})
    wanted = lists(server.board(home))["home"]
    mia.icon(order[0]).focus()
    mia.page.keyboard.press("F2")
    fill(mia, "label", "Post")
    ben.until("id => document.querySelector(`[data-icon='${id}'] .label`).textContent === 'Post'",
              order[0])
    link.release()
    assert agree(server, home, mia, ben)["home"] == wanted
    assert icon_of(server, home, order[0])["label"] == "Post"


def test_a_removed_icon_never_comes_back(server, home, join, network):
    """O-11: Mia drags what Ben has just removed: told in words, gone for both."""
    link = network(server)
    mia, ben = join(server, home, "Mia", link), join(server, home, "Ben")
    order = mia.order()["home"]
    link.hold(up=False)
    ben.icon(order[2]).focus()
    ben.page.keyboard.press("Delete")
    ben.settled()
    mia.drag(order[2], "home", 9)
    assert mia.order()["home"].index(order[2]) == 9     # hopeful, until told
    link.release()
    mia.toasted("Someone removed this icon")
    assert agree(server, home, mia, ben)["home"] == [i for i in order if i != order[2]]
