"""What people set for their eyes: less motion, forced colours, a zoom of 400 %."""
import pytest
from boardpage import agree

# Every place an icon or a hand was drawn at, by frame.
TRAILS = """() => {
  window.trails = new Map();
  window.fades = 0;
  const { animate } = Element.prototype;
  Element.prototype.animate = function (frames, ...rest) {
    fades += 'opacity' in frames;
    return animate.call(this, frames, ...rest);
  };
  const look = () => {
    for (const icon of document.querySelectorAll('.icon')) {
      const places = trails.get(icon) ?? trails.set(icon, []).get(icon);
      if (places.at(-1) !== icon.style.transform) places.push(icon.style.transform);
    }
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.fixture
def home(server):
    return server.create(template="home")["id"]


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_less_motion(server, home, join, motion):
    """Nothing flies: from one cell into another without a step between, and it fades in there."""
    mia, ben = join(server, home, "Mia", reduced_motion=motion), join(server, home, "Ben")
    order = mia.order()["home"]
    mia.at_rest().page.evaluate(TRAILS)
    server.edit(home, {"kind": "icon.move", "icons": [order[0]],
                       "to": {"section": "home", "after": order[7]}})
    agree(server, home, mia, ben)
    mia.at_rest()
    steps = mia.page.evaluate("() => Math.max(...[...trails.values()].map((places) => places.length))")
    assert (steps <= 2) == (motion == "reduce"), f"an icon was drawn in {steps} places"
    assert (mia.page.evaluate("() => fades") > 0) == (motion == "reduce")
    slow = mia.page.evaluate("""() => document.getAnimations().map((each) => each.effect.getTiming())
      .filter(({ duration, iterations }) => iterations === Infinity || duration > 200).length""")
    assert slow == 0 or motion == "no-preference"
    mia.page.locator(f'[data-icon="{order[5]}"]').focus()
    mia.page.keyboard.press("Space")
    mia.page.keyboard.press("ArrowDown")
    mia.page.keyboard.press("Space")
    assert agree(server, home, mia, ben)["home"] == mia.order()["home"]


def style(one, selector, *names):
    return one.page.locator(selector).first.evaluate(
        "(element, names) => names.map((name) => getComputedStyle(element)[name])", list(names))


def test_forced_colours(server, home, join, shots):
    """Shadows and grounds are gone: what they say is said by lines; an icon's colour is its content."""
    mia = join(server, home, "Mia", forced_colors="active")
    ben = join(server, home, "Ben")
    order, cells, theirs = mia.order()["home"], mia.cells(), ben.cells()
    icon = server.board(home)["sections"][0]["icons"][0]
    rgb = ", ".join(str(int(icon[part] * 255 + 0.5)) for part in ("red", "green", "blue"))
    assert style(mia, f'[data-icon="{order[0]}"] .tile', "backgroundColor") == [f"rgb({rgb})"]
    for pane in (".section", ".dock"):
        assert style(mia, pane, "borderTopStyle") == ["solid"], f"{pane} has no edge"
    ben.lift(order[20]).carry_to(theirs, "home", 16)
    mia.sees_gap(ben.peer, "home", 16)
    mia.lift(order[0]).carry_to(cells, "home", 6)
    assert mia.page.locator('[data-gap="me"]').evaluate(
        "icon => getComputedStyle(icon, '::before').borderTopStyle") == "dashed"
    for hand in ("[data-my-drag] .tile", "[data-remote-drag] .tile"):
        assert style(mia, hand, "outlineStyle") == ["solid"], f"{hand} isn't told from the rest"
    if shots:
        mia.page.screenshot(path=shots / "forced-colours.png")
    assert style(mia, "[data-over=open]", "outlineStyle") == ["solid"]
    mia.drop()
    ben.drop()
    mia.at_rest().page.locator("[data-testid=edit]").click()
    mia.icon(order[3]).click()
    mia.page.locator("[data-testid=editor]").wait_for()
    assert style(mia, f'[data-icon="{order[3]}"] .tile', "outlineStyle") == ["solid"]
    pressed, other = (style(mia, f"[data-testid={name}]", "backgroundColor", "color")
                      for name in ("edit", "add"))
    assert pressed != other, "a pressed button looks like any other"


@pytest.fixture
def zoomed(join, server):
    """A window of 1280 by 1024 at 400 %."""
    return lambda board: join(server, board, "Mia", viewport={"width": 320, "height": 256})


def test_at_400_percent_the_whole_board_is_walked(server, home, zoomed):
    """Nothing sideways; what has the focus is seen whole, between the bar and the tools."""
    mia = zoomed(home)
    order = mia.order()["home"]
    mia.icon(order[0]).focus()
    for key in ("ArrowDown",) * 5 + ("End", "ArrowUp", "ArrowUp", "Home"):
        mia.page.keyboard.press(key)
        mia.at_rest()
        covered = mia.page.evaluate("""() => {
          const tile = document.activeElement.querySelector('.tile').getBoundingClientRect();
          return [[4, 4], [tile.width - 4, tile.height - 4]].some(([x, y]) =>
            !document.elementFromPoint(tile.left + x, tile.top + y)?.closest('[data-icon]'));
        }""")
        assert not covered, f"after {key} something lies over the focused icon"
    mia.page.keyboard.press("Space")
    mia.page.keyboard.press("End")
    mia.page.keyboard.press("Space")
    assert agree(server, home, mia)["home"][-1] == order[0]
    assert mia.page.evaluate("() => document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("template", ["home", "channels"])
def test_at_400_percent_every_control_can_be_used(server, zoomed, template):
    """In edit mode and in the editor each control can be scrolled to, and is what a click there hits."""
    mia = zoomed(server.create(template=template)["id"])
    mia.page.locator("[data-testid=edit]").click()
    mia.at_rest()

    def check(within):
        for control in mia.page.locator(f"{within} :is(button, input, a)").all():
            if not control.is_visible() or control.is_disabled():
                continue
            control.evaluate("element => element.scrollIntoView({ block: 'center' })")
            mia.frames()
            hit = control.evaluate("""element => {
              const { left, top, width, height } = element.getBoundingClientRect();
              const [x, y] = [left + width / 2, top + height / 2];
              return x > 0 && x < innerWidth && y > 0 && y < innerHeight
                && element.contains(document.elementFromPoint(x, y));
            }""")
            assert hit, f"out of reach: {control.evaluate('element => element.outerHTML')}"

    check("body")
    mia.page.locator("[data-icon]").first.focus()
    mia.page.keyboard.press("F2")
    mia.page.locator("[data-testid=editor]").wait_for()
    check("[data-testid=editor]")
    assert mia.page.evaluate("() => document.documentElement.scrollWidth") <= 320
