"""What axe-core finds, in every state of the page, light and dark, on a phone and on a desk."""
import pathlib

import axe_playwright_python
import pytest
from contrast import too_faint

SCRIPT = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
PLACES = {"desk": {}, "phone": None}
RUN = """() => axe.run(document, { resultTypes: ['violations', 'incomplete'] }).then((result) => {
  const told = (found) => found.map(({ id, nodes }) => ({
    id, where: nodes.map((n) => n.target[0]),
    why: nodes.map((n) => n.any.concat(n.all, n.none).map((c) => c.message).join('; ')),
  }));
  return { violations: told(result.violations), incomplete: told(result.incomplete),
    passes: result.passes.length };
})"""
@pytest.fixture(params=["light", "dark"])
def scheme(request):
    return request.param


@pytest.fixture(params=PLACES)
def device(request, phone):
    return PLACES[request.param] or ({} if request.param == "desk" else phone)


def check(page, state):
    # Half of a fade has half of its contrast.
    page.evaluate("""() => Promise.all(document.getAnimations()
      .filter((animation) => animation.effect.getTiming().iterations !== Infinity)
      .map((animation) => animation.finished.catch(() => {})))""")
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(SCRIPT)
    found = page.evaluate(RUN)
    assert found["passes"] > 10, f"{state}: axe looked at nothing"
    assert not found["violations"], f"{state}: {found['violations']}"
    # Axe can't tell a colour through gradients and blurs; our own reckoning decides those.
    for each in found["incomplete"]:
        assert each["id"] == "color-contrast", f"{state}, undecided: {each}"
        faint = too_faint(page, ", ".join(each["where"]))
        assert not faint, f"{state}: too little contrast: {faint}"


def test_the_start_page(server, contexts, scheme, device):
    server.create(template="grid", title="Four colours")
    page = contexts.take({**device, "color_scheme": scheme}).new_page()
    page.goto(f"http://127.0.0.1:{server.port}/")
    page.locator("[data-board] .picture").first.wait_for()
    check(page, "start")
    contexts.give_back()


@pytest.mark.parametrize("template", ["home", "grid", "channels", "row", "empty"])
def test_each_template(server, join, scheme, device, template):
    """Plain, in edit mode, with the editor open."""
    board = server.create(template=template)["id"]
    mia = join(server, board, "Mia", color_scheme=scheme, **device)
    mia.at_rest()
    check(mia.page, "plain")
    mia.page.locator("[data-testid=edit]").click()
    mia.frames()
    check(mia.page, "edit mode")
    if template == "empty":
        mia.page.locator("[data-testid=add-section]").click()
        mia.page.locator("[data-section]").wait_for()
        mia.page.locator("[data-testid=add]").click()
    else:
        mia.page.locator("[data-icon]").first.click()
    mia.page.locator("[data-testid=editor]").wait_for()
    mia.frames()
    check(mia.page, "editor")


def test_in_the_middle_of_drags(server, join, scheme, device):
    """By mouse, by keyboard, somebody else's, and the words after a forbidden drop."""
    board = server.create(template="channels")["id"]
    mia = join(server, board, "Mia", color_scheme=scheme, **device)
    ben = join(server, board, "Ben")
    cells, theirs, order = mia.cells(), ben.cells(), mia.order()["mine"]
    ben.lift(order[9]).carry_to(theirs, "mine", 2)
    mia.sees_gap(ben.peer, "mine", 2)
    mia.lift(order[12]).carry_to(cells, "mine", 5)
    check(mia.page, "mid-drag by mouse")
    mia.page.keyboard.press("Escape")
    mia.page.mouse.up()
    mia.icon(order[0]).focus()
    for key in ("Space", "ArrowRight"):
        mia.page.keyboard.press(key)
    mia.frames()
    check(mia.page, "mid-drag by keyboard")
    mia.page.keyboard.press("Control+ArrowDown")
    mia.page.locator("[data-my-drag].refused").wait_for()
    check(mia.page, "over a forbidden section")
    mia.page.keyboard.press("Space")
    mia.toasted("Nothing can be dropped")
    check(mia.page, "toast")
    mia.page.keyboard.press("Delete")
    mia.page.locator("[data-testid=toast-action]:visible").wait_for()
    check(mia.page, "toast with undo")
    ben.drop()


def test_without_a_connection_and_for_good(server, join, network, scheme, device):
    board = server.create(template="home")["id"]
    link = network(server)
    mia = join(server, board, "Mia", link, color_scheme=scheme, **device)
    mia.may_lose_network = True
    link.cut()
    mia.page.locator("#status", has_text="Reconnecting").wait_for()
    check(mia.page, "reconnecting")
    link.mend()
    mia.page.locator("#status").wait_for(state="hidden", timeout=30_000)
    assert server.request("DELETE", f"/v1/boards/{board}").status == 204
    mia.page.locator("#status.final").wait_for()
    check(mia.page, "deleted")


def test_a_wall(server, join, scheme):
    board = server.create(template="home")["id"]
    wall = join(server, board, "Wall", suffix="?view=kiosk", color_scheme=scheme,
                viewport={"width": 1920, "height": 1080})
    wall.at_rest()
    check(wall.page, "kiosk")
