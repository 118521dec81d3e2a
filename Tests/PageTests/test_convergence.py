"""Three people, sixty random drags, a slow network: in the end one board."""
import os
import random

from boardpage import agree, lists

SEED = int(os.environ.get("PAGE_SEED", random.randrange(1_000_000)))
WATCH = """wanted => {
  window.wrong = [];
  const look = () => {
    const ids = [...document.querySelectorAll('[data-icon]')].map((icon) => icon.dataset.icon);
    if (ids.length !== wanted || new Set(ids).size !== wanted) wrong.push(ids.length);
    requestAnimationFrame(look);
  };
  look();
}"""


def test_convergence(own_server, join, network):
    """O-09 O-15 O-18 HC1 HC2: 80 to 200 ms each way, drags that overlap, two sections."""
    print(f"PAGE_SEED={SEED}")
    server, rng = own_server, random.Random(SEED)
    board = server.create(template="home", title="Convergence")["id"]
    server.edit(board, {"kind": "section.add", "section": {
        "id": "shelf", "title": "Shelf", "layout": {"kind": "grid", "columns": 4}, "lift": "move",
        "drop": "any", "icons": []}})
    stored = lists(server.board(board))
    for icon in stored["home"][16:]:
        server.edit(board, {"kind": "icon.move", "icons": [icon],
                            "to": {"section": "shelf", "at": "end"}})
    links = [network(server, SEED + n) for n in range(3)]
    pages = [join(server, board, name, link) for name, link in zip(("Mia", "Ben", "Ida"), links)]
    cells = pages[0].cells()
    for one, link in zip(pages, links):
        assert one.cells() == cells
        one.page.evaluate(WATCH, 24)
        link.slow(0.08, 0.2)
    places = list(cells.values())
    held, drags = set(), 0
    while drags < 60 or held:
        one = rng.choice(pages)
        mouse = one.page.mouse
        if one not in held:
            if drags < 60:
                mouse.move(*rng.choice(places))
                mouse.down()
                x, y = rng.choice(places)
                mouse.move(x + rng.uniform(-35, 35), y + rng.uniform(-35, 35), steps=2)
                held.add(one)
                drags += 1
        elif rng.random() < 0.4:
            x, y = rng.choice(places)
            mouse.move(x + rng.uniform(-35, 35), y + rng.uniform(-35, 35), steps=2)
        else:
            if rng.random() < 0.1:
                one.page.keyboard.press("Escape")
            mouse.up()
            held.discard(one)
    now = agree(server, board, *pages)
    assert sorted(i for s in now.values() for i in s) == \
        sorted(i for s in stored.values() for i in s)
    assert server.board(board)["revision"] > 30, "hardly anything was moved"
    for one in pages:
        assert one.page.evaluate("() => wrong") == [], "an icon was seen twice, or not at all"
        one.at_rest()
        assert one.page.locator("[data-gap]").count() == 0
        one.may_lose_network = True
    server.restart()
    assert lists(server.board(board)) == now
    agree(server, board, *pages)
