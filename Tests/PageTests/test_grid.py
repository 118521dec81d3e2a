"""The `grid` template: four colours in two columns; and rules that a lift or a drop meets."""
import pytest
from boardpage import agree, lists


@pytest.fixture
def grid(server):
    return server.create(template="grid")["id"]


def test_insert_never_swap(server, grid, join):
    """O-01: Red into Green's cell pushes the others up; nothing changes places with it."""
    mia, ben = join(server, grid, "Mia"), join(server, grid, "Ben")
    red, blue, green, brown = mia.order()["main"]
    assert mia.words()["main"] == ["Red", "Blue", "Green", "Brown"]
    cells = mia.cells()
    mia.drag(red, "main", 2, cells)
    assert agree(server, grid, mia, ben)["main"] == [blue, green, red, brown]
    mia.at_rest()
    mia.drag(brown, "main", 0, cells)
    assert agree(server, grid, mia, ben)["main"] == [brown, blue, green, red]


def test_two_columns_on_every_width(server, grid, join, phone):
    mia, ben = join(server, grid, "Mia"), join(server, grid, "Ben", **phone)
    for one in (mia, ben):
        cells = one.cells()
        assert cells["main 0"][1] == cells["main 1"][1] < cells["main 2"][1] == cells["main 3"][1]
        assert cells["main 0"][0] == cells["main 2"][0] < cells["main 1"][0] == cells["main 3"][0]


@pytest.mark.parametrize("kind", ["text/plain", "text/uri-list"])
def test_a_drag_from_elsewhere_changes_nothing(server, grid, join, kind):
    """`cancel`: what another program drags over the board is none of its icons."""
    mia, ben = join(server, grid, "Mia"), join(server, grid, "Ben")
    before, address = server.board(grid), mia.page.url
    cells = mia.cells()
    x, y = cells["main 1"]
    session = mia.page.context.new_cdp_session(mia.page)
    text = {"text/plain": before["sections"][0]["icons"][0]["id"],
            "text/uri-list": "https://example.org/"}[kind]
    data = {"items": [{"mimeType": kind, "data": text}], "dragOperationsMask": 1}
    for step in ("dragEnter", "dragOver", "drop"):
        session.send("Input.dispatchDragEvent",
                     {"type": step, "x": x, "y": y, "data": data})
        mia.frames()
        assert mia.gap() is None and mia.page.locator("[data-my-drag]").count() == 0
    assert mia.page.url == address
    assert agree(server, grid, mia, ben) == lists(before)
    assert server.board(grid)["revision"] == before["revision"]
    mia.drag(before["sections"][0]["icons"][0]["id"], "main", 3, cells)    # and a real one works
    agree(server, grid, mia, ben)
    assert server.board(grid)["revision"] == before["revision"] + 1


def test_locked_and_pinned_icons_are_not_lifted(layout, join):
    """BD4 BD5 DR15: refused in words, by shape too; pushed along, or holding its index."""
    board = layout({"s": "ABCDE"}, locked="A", pins={"s": {2: "C"}})
    server = board.server
    mia, ben = join(server, board.id, "Mia"), join(server, board.id, "Ben")
    for name, words, state in (("A", "This icon is locked", "locked"),
                               ("C", "This icon is pinned to its place", "pinned")):
        mia.press(board[name])
        mia.toasted(words)
        assert mia.page.locator("[data-my-drag]").count() == 0
        mia.page.mouse.up()
        assert mia.icon(board[name]).get_attribute("data-state") == state
        assert state in mia.icon(board[name]).get_attribute("aria-label")
    assert ben.page.locator("[data-remote-drag]").count() == 0
    assert server.board(board.id)["revision"] == board.start
    cells = mia.cells()
    mia.lift(board["E"]).carry(cells["s 0"][0] - 20, cells["s 0"][1])
    mia.drop()
    assert board.words(agree(server, board.id, mia, ben))["s"] == "EACBD"


def test_a_full_section_says_so_and_takes_nothing(layout, join):
    """BD7: `forbidden`, `section_full`: no gap, the reason in words, the icon goes back."""
    board = layout({"s": "ABC", "t": {"icons": "XY", "capacity": 2}})
    server = board.server
    mia, ben = join(server, board.id, "Mia"), join(server, board.id, "Ben")
    cells = mia.cells()
    mia.lift(board["A"]).carry(*cells["t 0"])
    mia.page.locator('[data-section="t"][data-over="forbidden"]').wait_for()
    assert mia.gap() is None
    assert mia.page.locator("[data-my-drag] .tag").text_content() == "This section is full"
    ben.page.locator(f'[data-remote-drag="{mia.peer}"].refused').wait_for()
    mia.drop()
    mia.toasted("This section is full")
    assert board.words(agree(server, board.id, mia, ben)) == {"s": "ABC", "t": "XY"}
    assert mia.revision == board.start


def test_out_of_a_palette_comes_a_copy(layout, join):
    """BD7 BD9 O-78: `lift: copy` leaves the original and brings a twin with an id of its own."""
    board = layout({"s": "ABC", "p": {"icons": "P", "lift": "copy", "drop": "none"}})
    server = board.server
    mia, ben = join(server, board.id, "Mia"), join(server, board.id, "Ben")
    cells = mia.cells()
    mia.lift(board["P"]).carry_to(cells, "s", 1)
    ben.sees_gap(mia.peer, "s", 1)
    assert ben.order()["p"] == [board["P"]]
    mia.drop()
    now = agree(server, board.id, mia, ben)
    assert now["p"] == [board["P"]] and len(now["s"]) == 4
    assert now["s"][1] not in board.names and mia.words()["s"] == ["A", "P", "B", "C"]


def test_into_an_empty_section_and_back(layout, join):
    """O-04 O-15 CM17: an empty section is shown, takes an icon, and gives it back."""
    board = layout({"s": "A", "t": ""})
    server = board.server
    mia, ben = join(server, board.id, "Mia"), join(server, board.id, "Ben")

    def over(section):
        box = mia.page.locator(f'[data-section="{section}"]').bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    for section in "ts":
        mia.at_rest().lift(board["A"]).carry(*over(section))
        ben.sees_gap(mia.peer, section, 0)
        mia.drop()
        now = board.words(agree(server, board.id, mia, ben))
        assert now == {"s": "", "t": "", section: "A"}


def test_a_section_removed_under_a_drag(layout, join):
    """O-12: the drag loses its target, not its icon."""
    board = layout({"s": "AB", "t": ""})
    server = board.server
    mia, ben = join(server, board.id, "Mia"), join(server, board.id, "Ben")
    box = mia.page.locator('[data-section="t"]').bounding_box()
    mia.lift(board["A"]).carry(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    ben.sees_gap(mia.peer, "t", 0)
    server.edit(board.id, {"kind": "section.remove", "section": "t"})
    mia.page.locator('[data-section="t"]').wait_for(state="detached")
    mia.drop()
    now = board.words(agree(server, board.id, mia, ben))
    assert sorted(now["s"]) == ["A", "B"] and list(now) == ["s"]
    ben.page.locator("[data-remote-drag]").first.wait_for(state="detached")
    mia.at_rest().drag(board["B"], "s", 0)
    agree(server, board.id, mia, ben)
