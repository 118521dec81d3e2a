"""The dock: a short row at the end of a board stays at the bottom of the screen, whatever is scrolled."""
import pytest
from boardpage import agree

DOCK = {"layout": {"kind": "row", "columns": 4}, "capacity": 4}
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
# Where every icon and every place of the dock is drawn, relative to the first place.
STANDS = """() => {
  const slots = [...document.querySelectorAll('.slots i')].map((slot) => slot.getBoundingClientRect());
  const icons = [...document.querySelectorAll('[data-cell^="dock "]')].map((icon) => icon.getBoundingClientRect());
  const at = ({ x, y }) => [Math.round(x - slots[0].x), Math.round(y - slots[0].y)];
  return { slots: slots.map(at), icons: icons.map(at) };
}"""
PANEL = """() => {
  const { top, bottom, left, right } = document.querySelector('.docked').getBoundingClientRect();
  const tools = document.querySelector('nav').getBoundingClientRect();
  return { top, bottom, left, right, tools: tools.top, height: innerHeight, width: innerWidth };
}"""


@pytest.fixture
def board(layout):
    """36 icons and a dock with two."""
    return layout({"home": LETTERS[:34], "dock": {**DOCK, "icons": LETTERS[34:]}})


def in_place(page):
    """The dock's icons stand exactly on its first places."""
    page.until(f"""() => {{
      const {{ slots, icons }} = ({STANDS})();
      const inOrder = icons.sort(([a, b], [c, d]) => b - d || a - c);
      return icons.length && JSON.stringify(inOrder) === JSON.stringify(slots.slice(0, icons.length));
    }}""")


@pytest.mark.parametrize("width,height", [(320, 568), (390, 844), (820, 1180), (1920, 1080)])
def test_stays_above_the_tools_while_the_page_scrolls(server, board, join, width, height):
    mia = join(server, board.id, "Mia", viewport={"width": width, "height": height})
    for _ in range(3):
        panel = mia.page.evaluate(PANEL)
        assert 0 < panel["tools"] - panel["bottom"] < 20, panel
        assert panel["left"] >= 0 and panel["right"] <= panel["width"], panel
        in_place(mia)
        mia.page.mouse.wheel(0, 300)
        mia.frames(4)
    mia.page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    last = mia.at_rest().icon(board[LETTERS[33]]).bounding_box()
    assert last["y"] + last["height"] <= mia.page.evaluate(PANEL)["top"], "the dock covers the end"


def test_takes_an_icon_from_a_scrolled_page_and_gives_one_back(server, board, join):
    mia = join(server, board.id, "Mia", viewport={"width": 390, "height": 700})
    ben = join(server, board.id, "Ben", viewport={"width": 960, "height": 900})
    mia.page.evaluate("() => scrollTo(0, 240)")
    mia.frames(4)
    cells = mia.cells()
    one, other = board[LETTERS[14]], board[LETTERS[34]]
    mia.lift(one).carry(cells["dock 1"][0] + 20, cells["dock 1"][1])
    assert mia.gap() == ("dock", 2)
    # Its gap is seen, on top of the panel and not under it; so it is by whoever looks on.
    for page, who in ((mia, "me"), (ben, mia.peer)):
        page.sees_gap(who, "dock", 2)
        in_place(page)
        assert page.page.evaluate("""who => {
          const gap = document.querySelector(`[data-gap="${who}"]`);
          const { x, y, width } = gap.getBoundingClientRect();
          return gap.contains(document.elementFromPoint(x + width / 2, y + width / 2));
        }""", str(who)), f"{page.name} can't see the gap in the dock"
    mia.drop()
    assert agree(server, board.id, mia, ben)["dock"] == [*board.many(LETTERS[34:]), one]
    in_place(mia)
    cells = mia.cells()
    mia.lift(other).carry_to(cells, "home", 9)
    ben.sees_gap(mia.peer, "home", 9)
    x, y = cells["home 9"]
    mia.until("""([x, y]) => {
      const gap = document.querySelector('[data-gap=me]');
      const box = gap.getBoundingClientRect();
      return Math.hypot(box.x + box.width / 2 - x, box.y + box.width / 2 - y) < 1
        && gap.contains(document.elementFromPoint(x, y));
    }""", [x, y])
    mia.drop()
    assert agree(server, board.id, mia, ben)["home"][9] == other


def test_a_full_dock_refuses_a_fifth_in_words(server, layout, join):
    board = layout({"home": "ABCDEF", "dock": {**DOCK, "icons": "WXYZ"}})
    mia = join(server, board.id, "Mia", viewport={"width": 390, "height": 844})
    cells = mia.cells()
    mia.lift(board["A"]).carry(*cells["dock 1"])
    assert mia.gap() is None
    mia.page.locator("[data-section=dock][data-over=forbidden]").wait_for()
    assert "full" in mia.page.locator("[data-my-drag] .tag").text_content()
    mia.drop()
    mia.toasted("full")
    assert agree(server, board.id, mia) == {"home": board.many("ABCDEF"), "dock": board.many("WXYZ")}
    # Within the dock they can still be rearranged.
    mia.at_rest().drag(board["W"], "dock", 3)
    assert agree(server, board.id, mia)["dock"] == board.many("XYZW")


def test_an_empty_dock_says_what_it_is_for(server, layout, join):
    board = layout({"home": "ABC", "dock": DOCK})
    mia = join(server, board.id, "Mia", viewport={"width": 320, "height": 568})
    empty = mia.page.locator("[data-section=dock] .empty")
    assert empty.text_content() == "Drag up to 4 icons here"
    box, panel = empty.bounding_box(), mia.page.evaluate(PANEL)
    assert box["y"] >= panel["top"] and box["y"] + box["height"] <= panel["bottom"]
    slot = mia.page.locator(".slots i").nth(2).bounding_box()
    mia.lift(board["B"]).carry(slot["x"] + 30, slot["y"] + 30)
    assert mia.gap() == ("dock", 0)
    mia.drop()
    assert agree(server, board.id, mia) == {"home": board.many("AC"), "dock": board.many("B")}
    in_place(mia)
    assert not empty.is_visible()


def test_by_keyboard_in_and_out(server, board, join):
    mia = join(server, board.id, "Mia", viewport={"width": 390, "height": 700})
    mia.page.evaluate("() => scrollTo(0, 300)")
    mia.frames(4)
    top = mia.page.evaluate("() => scrollY")
    mia.icon(board["N"]).focus()
    for key in ("Space", "Control+ArrowDown", "End"):
        mia.page.keyboard.press(key)
    mia.sees_gap("me", "dock", 2)
    assert mia.page.evaluate("() => scrollY") == top, "the page scrolled for what is always on the screen"
    mia.page.keyboard.press("Space")
    assert agree(server, board.id, mia)["dock"][2] == board["N"]
    for key in ("Space", "Control+ArrowUp", "Home"):
        mia.page.keyboard.press(key)
    mia.sees_gap("me", "home", 0)
    mia.until(f"""() => {{
      const {{ y, bottom }} = document.querySelector('[data-gap=me]').getBoundingClientRect();
      return y > 57 && bottom < ({PANEL})().top;
    }}""")
    mia.page.keyboard.press("Space")
    assert agree(server, board.id, mia)["home"][0] == board["N"]


def test_by_touch(server, board, join, phone):
    mia = join(server, board.id, "Mia", **phone)
    session = mia.page.context.new_cdp_session(mia.page)

    def touch(kind, *points):
        points = [{"x": x, "y": y, "id": 1} for x, y in points]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    cells = mia.cells()
    start, goal = mia.middle(board["E"]), cells["dock 0"]
    touch("touchStart", start)
    mia.page.locator("[data-my-drag]").wait_for()
    touch("touchMove", (goal[0] - 20, goal[1] - 20))
    touch("touchMove", (goal[0] - 22, goal[1]))
    mia.sees_gap("me", "dock", 0)
    touch("touchEnd")
    assert agree(server, board.id, mia)["dock"] == [board["E"], *board.many(LETTERS[34:])]


def test_eight_places_stand_in_two_lines_on_a_narrow_screen(server, layout, join):
    board = layout({"home": LETTERS[:20], "dock": {
        "layout": {"kind": "row", "columns": 8}, "capacity": 8, "icons": LETTERS[20:26]}})
    mia = join(server, board.id, "Mia", viewport={"width": 320, "height": 640})
    in_place(mia)
    slots = mia.page.evaluate(STANDS)["slots"]
    assert len({y for _, y in slots}) == 2 and len({x for x, _ in slots}) == 4
    wide = mia.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
    mia.drag(board[LETTERS[20]], "dock", 5)
    assert agree(server, board.id, mia)["dock"][5] == board[LETTERS[20]]


def test_a_row_that_is_not_last_or_has_many_places_is_no_dock(server, layout, join):
    board = layout({"top": {**DOCK, "icons": "AB"}, "home": "CDEF"})
    mia = join(server, board.id, "Mia")
    assert mia.page.locator(".docked").count() == 0
    server.edit(board.id, {"kind": "section.move", "section": "top"})
    mia.page.locator("[data-section=top].docked").wait_for()
    mia.at_rest()
    box, panel = mia.icon(board["A"]).bounding_box(), mia.page.evaluate(PANEL)
    assert panel["top"] < box["y"] and box["y"] + box["height"] < panel["bottom"]
    server.edit(board.id, {"kind": "section.update", "section": "top", "set": {"capacity": 9}})
    mia.until("() => !document.querySelector('.docked')")


def test_its_name_and_rules_are_within_reach_in_edit_mode(server, board, join):
    mia = join(server, board.id, "Mia", viewport={"width": 320, "height": 568})
    assert not mia.page.locator("[data-section=dock] .title").is_visible()
    mia.page.locator("[data-testid=edit]").click()
    field = mia.page.locator("[data-section=dock] .tools input")
    field.fill("Favourites")
    field.press("Enter")
    mia.settled(board.start + 1)
    assert [s["title"] for s in server.board(board.id)["sections"]] == ["HOME", "Favourites"]
    in_place(mia)
    wide = mia.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0
