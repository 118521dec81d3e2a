"""Viewers and editors, and boards that close for good: what each sees, in words, and can still do."""
import pytest
from boardpage import agree
from relay import Relay

READ_ONLY = "You can look, but not change this"


@pytest.fixture
def home(server):
    return server.create(template="home")["id"]


def test_a_viewer_sees_everything_and_lifts_nothing(server, home, join):
    """Without a token: no tools, a refusal in words by every way of input, others' hands are seen."""
    relay = Relay("viewer")
    vera = join(server, home, "Vera", prepare=relay.prepare)
    ben = join(server, home, "Ben")
    assert vera.data("role") == "viewer"
    order, cells = vera.order()["home"], ben.cells()
    assert not vera.page.locator(".dock").is_visible()
    assert not vera.page.locator("[data-testid=add-section]").is_visible()
    vera.press(order[3])
    vera.toasted(READ_ONLY)
    vera.page.mouse.up()
    vera.icon(order[0]).focus()
    for key in ("Space", "Delete", "F2", "Control+z", "ContextMenu"):
        vera.page.evaluate("() => document.querySelector('#toast').removeAttribute('data-shown')")
        vera.page.keyboard.press(key)
        vera.toasted(READ_ONLY)
        vera.said(READ_ONLY)
        assert vera.page.locator("[data-my-drag]").count() == 0
        assert not vera.page.locator("[data-testid=editor]").is_visible()
    assert {message["type"] for message in relay.sent} == {"hello"}
    # Reading and walking go on, and so does everyone else.
    for key, index in (("ArrowRight", 1), ("ArrowDown", 5), ("End", 23)):
        vera.page.keyboard.press(key)
        vera.frames()
        assert vera.page.evaluate("() => document.activeElement.dataset.icon") == order[index]
    ben.lift(order[0]).carry_to(cells, "home", 9)
    vera.sees_gap(ben.peer, "home", 9)
    assert vera.page.locator("[data-remote-drag] .tag").text_content() == "Ben"
    ben.drop()
    vera.said("Ben moved Mail to position 10 of 24 in Home")
    assert agree(server, home, vera, ben)["home"].index(order[0]) == 9
    assert vera.pending == 0 and vera.order() == ben.order()


def test_an_editor_moves_but_owns_nothing(layout, join):
    """Moves and renames; lock, pin, sections and the board's name are the owner's."""
    board = layout({"s": "ABCD", "t": "XY"}, locked="D")
    server = board.server
    relay = Relay("editor")
    mia, ben = join(server, board.id, "Mia", prepare=relay.prepare), join(server, board.id, "Ben")
    mia.drag(board["A"], "s", 2)
    assert board.words(agree(server, board.id, mia, ben))["s"] == "BCAD"
    mia.at_rest().page.locator("[data-testid=edit]").click()
    for hidden in (".tools", "[data-testid=add-section]", "[data-testid=board-title]"):
        assert not mia.page.locator(hidden).first.is_visible(), f"an editor is offered {hidden}"
    assert mia.page.locator("#title").is_visible()
    assert mia.page.locator("h2").first.is_visible(), "the names of sections are gone"
    mia.icon(board["B"]).click()
    mia.page.locator("[data-testid=editor]").wait_for()
    for name in ("lock", "pin"):
        assert mia.page.locator(f"[data-testid={name}]").is_disabled()
    mia.page.locator("[data-testid=label]").fill("Bee")
    mia.page.locator("[data-testid=label]").press("Enter")
    mia.page.locator("[data-testid=close-editor]").click()
    agree(server, board.id, mia, ben)
    assert ben.words()["s"][0] == "Bee"
    mia.icon(board["D"]).focus()
    mia.page.keyboard.press("Delete")
    mia.toasted(READ_ONLY)
    assert mia.order() == ben.order()


CLOSINGS = {
    4400: ("don’t understand each other", "Reload"),
    4401: ("not signed in. Open your invitation link again", "All boards"),
    4403: ("no access to this board", "All boards"),
    4404: ("no such board", "All boards"),
    4409: ("goes on in another window", "Go on here"),
    4410: ("was deleted", "All boards"),
    4477: ("closed for good", "Reload"),
}


@pytest.mark.parametrize("code", CLOSINGS)
def test_a_final_closing_says_what_happened_and_what_to_do(server, home, join, code):
    """ER6: the board stays to look at; one control does what the words say."""
    relay = Relay()
    mia = join(server, home, "Mia", prepare=relay.prepare)
    order, cells, place = mia.order(), mia.cells(), mia.page.url
    words, label = CLOSINGS[code]
    mia.lift(order["home"][2]).carry_to(cells, "home", 7)
    relay.close(code)
    status = mia.page.locator("#status.final")
    status.wait_for()
    assert words in status.text_content()
    action = status.locator("[data-testid=closing-action]")
    assert action.text_content() == label
    # What was held is back, nothing can be lifted, nothing is queued that would never go.
    mia.page.locator("[data-my-drag]").wait_for(state="detached")
    mia.page.mouse.up()
    assert mia.order() == order and mia.pending == 0
    assert not mia.page.locator(".dock").is_visible()
    mia.at_rest().icon(order["home"][0]).focus()
    for key in ("Space", "Delete", "Control+z"):
        mia.page.keyboard.press(key)
        mia.toasted("This board is closed")
        mia.page.evaluate("() => document.querySelector('#toast').removeAttribute('data-shown')")
    assert mia.order() == order and mia.pending == 0
    assert len(relay.sockets) == 1, "it knocked again"
    if label == "All boards":
        action.click()
        mia.page.wait_for_url(f"http://127.0.0.1:{server.port}/")
    else:
        action.press("Enter")
        mia.until("() => !document.querySelector('#status.final')")
        mia.live()
        assert mia.page.url == place and len(relay.sockets) == 2


@pytest.mark.parametrize("code", [4401, 4403, 4404])
def test_a_board_that_never_opens_says_so(server, home, contexts, code):
    """No skeleton for ever: the same words, before any board was seen."""
    page = contexts.take({"viewport": {"width": 390, "height": 844}}).new_page()
    Relay(code=code).prepare(page)
    page.goto(f"http://127.0.0.1:{server.port}/b/{home}")
    page.locator("#status.final", has_text=CLOSINGS[code][0]).wait_for()
    assert not page.locator(".skeleton").count(), "it looks as if it were still loading"
    page.locator("[data-testid=closing-action]").click()
    page.wait_for_url(f"http://127.0.0.1:{server.port}/")
    contexts.give_back()
