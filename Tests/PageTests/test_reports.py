"""Clients of other boards that gave up: a board as long as can be, and one turned over in mid-drag."""
import pytest
from boardpage import agree

# What the page ever showed since: icons seen twice, or missing.
STRICT = """() => {
  const here = () => [...document.querySelectorAll('[data-section] [data-icon]')].map((i) => i.dataset.icon);
  const known = here();
  window.faults = [];
  window.states = 0;
  const look = () => {
    states += 1;
    const now = here();
    const twice = now.filter((icon, n) => now.indexOf(icon) !== n);
    const lost = known.filter((icon) => !now.includes(icon));
    if (twice.length || lost.length) faults.push({ twice, lost });
  };
  new MutationObserver(look).observe(document.getElementById('board'), { childList: true, subtree: true });
}"""


class Heard:
    """How long every message is that a page's sockets bring it, by socket."""

    def __init__(self):
        self.sockets = []

    def prepare(self, page):
        page.on("websocket", self._opened)

    def _opened(self, socket):
        lengths = []
        self.sockets.append(lengths)
        socket.on("framereceived", lambda text: lengths.append(len(text.encode())))


def test_the_longest_board_comes_in_one_frame(server, join):
    """O-74: below the megabyte that apps take; shown, not asked for over and over."""
    board = server.create(template="empty")["id"]
    content = server.board(board)
    icon = {"red": 0.5, "green": 0.5, "blue": 0.5, "label": "n" * 60}

    def filled(count):
        link = "https://example.org/" + "p" * 1_000
        return {**content, "sections": [{
            "id": "s", "title": "S", "layout": {"kind": "grid", "columns": 8}, "lift": "move",
            "drop": "any", "icons": [{"id": f"00000000-0000-4000-8000-{n:012}", **icon,
                                      "link": link} for n in range(count)]}]}

    # As many as it takes, found by halves.
    least, most = 0, 1_200
    while most - least > 1:
        middle = (least + most) // 2
        if server.put(board, filled(middle)).status == 200:
            least = middle
        else:
            most = middle
    assert server.put(board, filled(least)).status == 200
    heard = Heard()
    mia = join(server, board, "Mia", prepare=heard.prepare)
    mia.until("n => document.querySelectorAll('[data-icon]').length === n", least)
    assert len(heard.sockets) == 1, "it came back for more"
    assert 800_000 < max(heard.sockets[0]) < 1_048_576


@pytest.mark.parametrize("breaks", [False, True])
def test_the_board_is_turned_over_under_a_hand(layout, join, network, breaks):
    """O-76: moves, a section gone, another filled, a resync: each icon is in one place all the time."""
    board = layout({"s": "ABCDE", "t": "FGHIJ", "u": "KLMNO"})
    server = board.server
    link = network(server)
    mia, ben = join(server, board.id, "Mia", link), join(server, board.id, "Ben")
    mia.may_lose_network = True
    for one in (mia, ben):
        one.page.evaluate(STRICT)
    cells = mia.cells()
    mia.lift(board["A"]).carry_to(cells, "t", 2)
    ben.sees_gap(mia.peer, "t", 2)

    def edit(kind, **more):
        return server.edit(board.id, {"kind": kind, **more})["revision"]

    if breaks:
        link.hold(up=False)
    for n, name in enumerate("KLMNOFGHIJ" * 3):
        edit("icon.move", icons=[board[name]], to={"section": "stu"[n % 3], "at": "start"})
    names = "ABCDEFGHIJKLMNO"
    edit("icon.move", icons=board.many(names), to={"section": "t", "at": "end"})
    edit("section.remove", section="s")
    edit("icon.update", icon=board["A"], set={"label": "Anew"})
    edit("section.add", section={
        "id": "v", "title": "V", "layout": {"kind": "grid", "columns": 4}, "lift": "move",
        "drop": "any", "icons": []})
    last = edit("icon.move", icons=board.many("BC"), to={"section": "v", "at": "end"})
    if breaks:
        link.lose()
    for one in (mia, ben):
        one.until("least => Number(document.body.dataset.revision) >= least", last, timeout=30_000)
    # Still in the hand, under its new name, and it lands in a section that wasn't there at the lift.
    assert mia.page.locator("[data-my-drag]").get_attribute("data-held") == board["A"]
    mia.until("() => document.body.dataset.state === 'live'")
    # By the list, which stands: the icons are still on their way.
    box = mia.page.locator("[data-section=v] .list").bounding_box()
    size = mia.icon(board["B"]).bounding_box()["width"]
    cells = {"v 1": (box["x"] + size * 1.5 + 10, box["y"] + size / 2)}
    mia.carry_to(cells, "v", 1)
    ben.sees_gap(mia.peer, "v", 1)
    mia.drop()
    now = board.words(agree(server, board.id, mia, ben))
    assert now["v"] == "BAC" and now["t"] == names.replace("A", "").replace("BC", "")
    assert "s" not in now and mia.words()["v"] == ["B", "Anew", "C"]
    for one in (mia, ben):
        assert one.page.evaluate("() => states"), f"{one.name} was not looked at"
        assert one.page.evaluate("() => faults") == [], one.name
