"""The view that only shows: a board on a wall."""
import pytest
from boardpage import agree

OUT = """() => [...document.querySelectorAll('[data-icon], .docked')].map((e) => e.getBoundingClientRect())
  .filter(({ left, right, top, bottom }) => left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
  .length"""
SEEN = """() => [...document.querySelectorAll('button, a, input, nav, form, #toast, #people')]
  .filter((e) => e.checkVisibility({ visibilityProperty: true }) && e.getClientRects().length)
  .map((e) => e.id || e.outerHTML)"""


def wall(join, server, board, width=1920, height=1080, suffix="?view=kiosk", **options):
    viewport = {"width": width, "height": height}
    return join(server, board, "Mia", suffix=suffix, viewport=viewport, **options)


@pytest.mark.parametrize("width,height", [(1920, 1080), (3840, 2160), (390, 844), (960, 540)])
@pytest.mark.parametrize("template", ["home", "channels"])
def test_the_whole_board_as_large_as_the_screen_allows(server, join, template, width, height):
    board = server.create(template=template)["id"]
    page = wall(join, server, board, width, height).at_rest().page
    assert page.evaluate(OUT) == 0
    assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0
    # The board takes most of one of the two directions.
    used = page.evaluate("""() => {
      const boxes = [...document.querySelectorAll('.section')].map((e) => e.getBoundingClientRect());
      const span = (from, to) => Math.max(...boxes.map((b) => b[to])) - Math.min(...boxes.map((b) => b[from]));
      return Math.max(span('left', 'right') / innerWidth, span('top', 'bottom') / innerHeight);
    }""")
    assert used > 0.8, f"only {used:.0%} of the screen is used"


def test_nothing_to_press_to_reach_or_to_lift(server, join):
    board = server.create(template="home")["id"]
    mia = wall(join, server, board)
    assert mia.page.evaluate(SEEN) == []
    assert mia.page.evaluate("() => [...document.querySelectorAll('[tabindex=\"0\"]')].length") == 0
    mia.page.keyboard.press("Tab")
    assert mia.page.evaluate("() => document.activeElement === document.body")
    x, y = mia.middle(mia.order()["home"][3])
    mia.page.mouse.move(x, y)
    mia.page.mouse.down()
    mia.page.mouse.move(x + 80, y + 200, steps=4)
    mia.page.mouse.up()
    mia.page.mouse.click(x, y, button="right")
    mia.frames(4)
    assert mia.page.locator("[data-my-drag], #editor:visible").count() == 0
    assert server.board(board)["revision"] == mia.revision
    # A screen reader still finds the board.
    assert mia.page.get_by_role("listbox", name="Home").get_by_role("option").count() == 24


def test_the_pointer_hides_when_it_rests(server, join):
    board = server.create(template="grid")["id"]
    mia = wall(join, server, board, clock=True)
    cursor = "() => getComputedStyle(document.querySelector('.icon')).cursor"
    mia.page.mouse.move(300, 300)
    assert mia.page.evaluate(cursor) != "none"
    mia.page.clock.run_for(3_100)
    assert mia.page.evaluate(cursor) == "none"
    mia.page.mouse.move(310, 300)
    mia.until(f"() => ({cursor})() !== 'none'")


def test_shows_what_others_do_and_is_called_kiosk(server, join):
    board = server.create(template="home")["id"]
    mia, ben = wall(join, server, board), join(server, board, "Ben")
    assert ben.page.locator("[data-peer][title^=Kiosk]").count() == 1
    order, cells = ben.order()["home"], ben.cells()
    ben.lift(order[2]).carry_to(cells, "home", 9)
    mia.sees_gap(ben.peer, "home", 9)
    assert mia.page.locator(f'[data-remote-drag="{ben.peer}"] .tag').text_content() == "Ben"
    ben.drop()
    agree(server, board, mia, ben)
    named = wall(join, server, board, suffix="?view=kiosk&name=Hall")
    ben.page.locator("[data-peer][title^=Hall]").wait_for()
    # The person's own name, in this browser, is still theirs.
    assert named.page.evaluate("() => localStorage.getItem('homeboard:name')") == "Mia"


def test_comes_back_after_a_restart_and_says_so_only_while_lost(own_server, join):
    board = own_server.create(template="home")["id"]
    mia = wall(join, own_server, board)
    mia.may_lose_network = True
    assert not mia.page.locator("#status").is_visible()
    own_server.kill()
    mia.page.locator("#status", has_text="Reconnecting").wait_for()
    own_server.start()
    icon = own_server.board(board)["sections"][0]["icons"][5]["id"]
    own_server.edit(board, {"kind": "icon.move", "icons": [icon], "to": {"section": "dock", "at": "end"}})
    mia.until("icon => document.querySelector(`[data-section=dock] [data-icon=\"${icon}\"]`)", icon, 20_000)
    mia.page.locator("#status").wait_for(state="hidden")
    assert mia.at_rest().page.evaluate(OUT) == 0
