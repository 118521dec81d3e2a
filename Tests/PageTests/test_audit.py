"""What everybody needs: names and roles, contrast, no sideways scrolling, no complaint in the console."""
import json
import math
import random

import pytest
from boardpage import agree
from contrast import too_faint

TEMPLATES = ("home", "grid", "channels", "row")
WIDTHS = (320, 390, 768, 1280)
INK = ".label, .title, .note, .symbol, .dock span, #title, .empty, .avatar"
AUDIT = """() => {
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  const icons = [...document.querySelectorAll('[data-icon]')];
  const named = (element) => (element.getAttribute('aria-label') || element.textContent
    || element.labels?.[0]?.textContent || '').trim();
  return {
    twice: ids.filter((id, n) => ids.indexOf(id) !== n),
    noRole: icons.filter((icon) => !icon.getAttribute('role')).length,
    noName: icons.filter((icon) => !icon.getAttribute('aria-label')?.trim()).length,
    noFocus: icons.filter((icon) => !icon.hasAttribute('tabindex')).length,
    noPlace: icons.filter((icon) => !icon.ariaPosInSet || !icon.ariaSetSize).length,
    stops: [...document.querySelectorAll('[data-section]:not(.bare)')].map((section) =>
      section.querySelectorAll('[data-icon][tabindex="0"]').length),
    lists: [...document.querySelectorAll('[role=listbox]')].map((l) => l.getAttribute('aria-label')),
    noWord: [...document.querySelectorAll('button, a, input')].filter((e) => !e.hidden && !named(e))
      .map((e) => e.outerHTML),
    language: document.documentElement.lang,
    points: [...document.querySelectorAll('[aria-describedby], [aria-labelledby]')].flatMap((e) =>
      `${e.getAttribute('aria-describedby') ?? ''} ${e.getAttribute('aria-labelledby') ?? ''}`
        .split(' ').filter((id) => id && !document.getElementById(id))),
  };
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_roles_and_contrast(server, join, scheme):
    board = server.create(template="home")["id"]
    mia = join(server, board, "Mia", color_scheme=scheme)
    for template in TEMPLATES:
        mia.board = server.create(template=template)["id"]
        mia.open()
        found = mia.page.evaluate(AUDIT)
        assert found.pop("language") == "en"
        assert set(found.pop("stops")) == {1}, f"{template}: not one tab stop for a section"
        assert all(found.pop("lists")), f"{template}: a section has no name"
        assert not any(found.values()), f"{template}: {found}"
        faint = too_faint(mia.page, INK)
        assert not faint, f"{template}, {scheme}: too little contrast: {faint}"


def test_what_a_screen_reader_finds(server, join):
    """By the browser's own names: sections are lists, icons their options, controls say what they do."""
    board = server.create(template="home")["id"]
    mia = join(server, board, "Mia")
    options = mia.page.get_by_role("listbox", name="Home").get_by_role("option")
    assert options.count() == 24
    for name in ("Mail", "Settings"):
        assert mia.page.get_by_role("option", name=name).count() == 1
    for name in ("Undo", "Redo", "Add", "Edit", "Copy the link to this board"):
        assert mia.page.get_by_role("button", name=name, exact=True).count() == 1
    assert mia.page.get_by_role("heading", name="Home", level=1).count() == 1
    for option in options.all()[:3]:
        option.focus()
        assert option.evaluate("option => option === document.activeElement")


def test_no_sideways_scrolling_on_any_width(server, join):
    boards = [server.create(template=template)["id"] for template in TEMPLATES]
    mia = join(server, boards[0], "Mia")
    for board in boards:
        mia.board = board
        mia.page.set_viewport_size({"width": WIDTHS[0], "height": 740})
        mia.open()
        for width in WIDTHS:
            mia.page.set_viewport_size({"width": width, "height": 740})
            for mode in ("plain", "editing", "editor"):
                if mode == "editing":
                    mia.page.locator("[data-testid=edit]").click()
                elif mode == "editor":
                    mia.page.locator("[data-icon]").first.click()
                    mia.page.locator("[data-testid=editor]").wait_for()
                mia.frames()
                wide = mia.page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
                assert wide <= 0, f"{mode} at {width}: {wide} px too wide"
            mia.page.keyboard.press("Escape")
            mia.page.locator("[data-testid=edit]").click()


def test_fingers_find_what_they_need(server, join, phone):
    """On a phone every icon and control is at least 32 by 32 px, and nothing is cut off."""
    board = server.create(template="home")["id"]
    mia = join(server, board, "Mia", **phone)
    small = mia.page.evaluate("""() => [...document.querySelectorAll('button, a, [data-icon]')]
      .filter((e) => e.getClientRects().length)
      .map((e) => [e.getAttribute('aria-label') ?? e.textContent, e.getBoundingClientRect()])
      .filter(([, box]) => box.width < 32 || box.height < 32 || box.left < 0
        || box.right > innerWidth).map(([name]) => name)""")
    assert not small


# The server chooses a colour by client: these two are easy to tell apart.
RED, TEAL = "00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"


def photograph(page, folder, name):
    """A plain sky: the painted one makes a picture five times as large."""
    if folder:
        sky = "#0d1220" if page.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches") else "#e6ecf8"
        page.evaluate("sky => document.documentElement.style.setProperty('background', sky)", sky)
        page.screenshot(path=folder / f"{name}.png")


def filled(server, template, title):
    """A board of pleasant colours; three icons of `home` are in its dock."""
    board = server.create(template=template, title=title)["id"]
    # The icons of `grid` are named for the colours that they have.
    if template != "grid":
        colour_in(server, board)
    if template == "home":
        icons = [icon["id"] for icon in server.board(board)["sections"][0]["icons"][9:12]]
        server.edit(board, {"kind": "icon.move", "icons": icons, "to": {"section": "dock", "at": "end"}})
    return board


def test_pictures(server, join, shots, phone):
    """Two people mid-drag on `home`, a forbidden drop on `channels`, a phone: each as it is seen."""
    board = filled(server, "home", "Family tablet")
    mia = join(server, board, "Mia", client=RED, viewport={"width": 440, "height": 860})
    ben = join(server, board, "Ben", client=TEAL)
    order, cells, theirs = mia.order()["home"], mia.cells(), ben.cells()
    ben.lift(order[14]).carry(theirs["home 9"][0] + 20, theirs["home 9"][1] + 8)
    mia.lift(order[1]).carry(cells["home 18"][0] + 24, cells["home 18"][1] - 12)
    mia.page.locator(f'[data-remote-drag="{ben.peer}"] .tag', has_text="Ben").wait_for()
    mia.sees_gap("me", *mia.gap())
    mia.frames(30)
    photograph(mia.page, shots, "home")
    assert mia.page.locator("[data-gap]").count() == 2
    mia.drop()
    ben.drop()
    agree(server, board, mia, ben)

    channels = filled(server, "channels", "频道")
    one = join(server, channels, "Mia", client=RED, viewport={"width": 750, "height": 500})
    other = join(server, channels, "Ben", client=TEAL)
    cells, theirs = one.cells(), other.cells()
    other.lift(other.named("体育")).carry(theirs["mine 5"][0] + 18, theirs["mine 5"][1] + 6)
    one.lift(one.named("热点")).carry(*cells["recommended 9"])
    one.page.locator("[data-my-drag].refused").wait_for()
    one.page.locator(f'[data-remote-drag="{other.peer}"]').wait_for()
    one.frames(30)
    photograph(one.page, shots, "channels")
    one.drop()
    other.drop()

    mia.page.close()
    ben.page.close()
    small = join(server, board, "Ida", client=TEAL, **{**phone, "device_scale_factor": 1})
    sam = join(server, board, "Sam", client=RED)
    theirs = sam.cells()
    sam.lift(sam.order()["home"][7]).carry(theirs["home 13"][0] + 20, theirs["home 13"][1])
    small.page.locator(f'[data-remote-drag="{sam.peer}"]').wait_for()
    small.frames(30)
    photograph(small.page, shots, "phone")
    sam.drop()


def test_pictures_of_places(own_server, join, shots):
    """Each template, the start page and a wall, on the screens they are for."""
    boards = {template: filled(own_server, template, title) for template, title in
              (("home", "Family tablet"), ("channels", "频道"), ("row", "Row"), ("grid", "Four colours"))}
    for name, path, width, height, scheme in (
            ("dock-dark", "home", 390, 844, "dark"), ("narrow", "home", 320, 640, "light"),
            ("row", "row", 760, 300, "light"), ("grid", "grid", 390, 700, "light"),
            ("channels-dark", "channels", 390, 640, "dark"), ("wall", "home?view=kiosk", 1280, 720, "dark"),
            ("start", "", 900, 640, "light"), ("start-dark", "", 320, 640, "dark")):
        template, _, query = path.partition("?")
        one = join(own_server, boards.get(template, boards["home"]), "Mia", client=RED, suffix=f"?{query}",
                   viewport={"width": width, "height": height}, color_scheme=scheme)
        if path:
            one.at_rest()
        else:
            one.page.goto(f"http://127.0.0.1:{own_server.port}/")
            one.until("() => document.querySelectorAll('[data-revision]').length === 4")
            one.page.evaluate("() => Promise.all(document.getAnimations().map((one) => one.finished))")
        photograph(one.page, shots, name)
        one.page.close()


def colour_in(server, board):
    """Random colours are for tests; pictures get the same pleasant ones each time."""
    rng = random.Random(4)
    content = server.board(board)
    for section in content["sections"]:
        for number, icon in enumerate(section["icons"]):
            hue = (number * 0.381966 + rng.random() * 0.04) % 1
            parts = [0.5 + 0.34 * math.cos(2 * math.pi * (hue - third)) for third in (0, 1/3, 2/3)]
            icon.update(zip(("red", "green", "blue"), [round(p, 2) for p in parts]))
    answer = server.put(board, json.loads(json.dumps(content)))
    assert answer.status == 200, answer
