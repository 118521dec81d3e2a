"""Where one icon is drawn, frame by frame, on its way and when it has arrived."""
import pytest

from boardpage import agree

# Until an icon's cell is where it was two frames ago.
RESTS = """id => new Promise((resolve) => {
  let before = '';
  const look = () => {
    const now = document.querySelector(`[data-icon="${id}"]`).style.transform;
    if (now === before) resolve();
    before = now;
    requestAnimationFrame(() => requestAnimationFrame(look));
  };
  look();
})"""

# Writes down what each frame has shown, which is what stands when the next one begins: the order by
# cells, where one icon's own cell is drawn, and where what I hold is drawn.
WATCH = """id => {
  window.seen = [];
  const own = document.querySelector(`[data-icon="${id}"]`);
  const look = () => {
    const cells = [...document.querySelectorAll('[data-icon]')].sort((a, b) =>
      a.dataset.cell.split(' ')[1] - b.dataset.cell.split(' ')[1]);
    const { left, top } = own.getBoundingClientRect();
    seen.push({
      order: cells.map((icon) => icon.querySelector('.label').textContent).join(''),
      cell: own.dataset.cell, left, top,
      hand: document.querySelector('[data-my-drag]')?.style.transform ?? null,
    });
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}"""


def changes(values):
    """Without repeats in a row."""
    values = list(values)
    return [value for n, value in enumerate(values) if not n or value != values[n - 1]]


def test_a_drop_placed_elsewhere_moves_there_once(layout, server, join, network):
    """O-14: somebody added at the end first; the icon goes one cell on, and by no other way."""
    board, link = layout({"home": {"icons": "ABCDE", "layout": {"kind": "grid", "columns": 8}}}), network(server)
    one = join(server, board.id, link=link)
    cells = one.cells()
    link.hold_sockets()
    one.drag(board["A"], "home", 4, cells).at_rest()
    before = one.cells()
    one.page.evaluate(WATCH, board["A"])
    added = server.edit(board.id, {"kind": "icon.add", "icon": board.icon("N"),
                                   "to": {"section": "home", "at": "end"}})
    link.release()
    one.settled(added["revision"] + 1).at_rest()
    seen = one.page.evaluate("() => seen")
    assert changes(s["cell"] for s in seen) == ["home 4", "home 5"]
    lefts = [s["left"] for s in seen]
    assert lefts == sorted(lefts), "it went to and fro"
    step = cells["home 1"][0] - cells["home 0"][0]
    assert (lefts[-1] - lefts[0], before["home 4"]) == (pytest.approx(step, abs=1), cells["home 4"])
    assert board.words(agree(server, board.id, one)) == {"home": "BCDENA"}


def test_an_agreed_drop_is_not_seen(layout, server, join, network):
    """The commit that agrees with what is drawn moves nothing, in no frame."""
    board, link = layout({"home": "ABCDE"}), network(server)
    one = join(server, board.id, link=link)
    cells = one.cells()
    link.hold_sockets()
    one.drag(board["A"], "home", 3, cells).at_rest()
    one.page.evaluate(WATCH, board["A"])
    link.release()
    one.settled(board.start + 1).at_rest()
    assert len(changes(one.page.evaluate("() => seen"))) == 1


def test_nothing_jumps_under_a_still_hand(layout, server, join):
    """My gap keeps its neighbours whatever others do on both sides of it, stays with the one that stays,
    and my hand doesn't move."""
    board = layout({"home": {"icons": "ABCDEFGH", "layout": {"kind": "grid", "columns": 8}}})
    one = join(server, board.id)
    cells = one.cells()
    one.lift(board["H"]).carry_to(cells, "home", 4)
    one.page.evaluate(RESTS, board["H"])
    one.page.evaluate(WATCH, board["H"])
    to_end = {"section": "home", "at": "end"}
    for edit in ({"kind": "icon.move", "icons": [board["A"]], "to": to_end},
                 {"kind": "icon.remove", "icons": [board["B"]]},
                 {"kind": "icon.move", "icons": [board["G"]], "to": {"section": "home", "at": "start"}},
                 {"kind": "icon.move", "icons": [board["F"]], "to": {"section": "home", "at": "start"}},
                 {"kind": "icon.move", "icons": [board["D"]], "to": to_end},
                 {"kind": "icon.move", "icons": [board["E"]], "to": to_end}):
        one.settled(server.edit(board.id, edit)["revision"])
    seen = one.page.evaluate("() => seen")
    orders = changes(s["order"] for s in seen)
    assert orders == ["ABCDHEFG", "BCDHEFGA", "CDHEFGA", "GCDHEFA", "FGCDHEA",
                      "FGCHEAD", "FGCHADE"]
    assert len({s["hand"] for s in seen}) == 1
    one.drop()
    assert board.words(agree(server, board.id, one)) == {"home": "FGCHADE"}


def test_a_drop_into_another_section_stays_in_its_gap(layout, server, join):
    """DR12: an icon that rests in its gap for a while is still there when it has been dropped."""
    board = layout({"home": "ABCD", "shelf": "EFGH"})
    one = join(server, board.id)
    cells = one.cells()
    one.lift(board["A"]).carry_to(cells, "shelf", 1)
    one.page.evaluate(RESTS, board["A"])
    one.drop()
    agree(server, board.id, one)
    assert one.cells()["shelf 1"] == pytest.approx(cells["shelf 1"], abs=1)


def test_gaps_fill_no_place(layout, server, join):
    """DR5: others over the last free place of a section take it from nobody's gap."""
    board = layout({"home": "ABCD", "four": {"icons": "EFG", "capacity": 4}})
    one = join(server, board.id)
    cells = one.cells()
    opened = "who => document.querySelector(`[data-gap='${who}']`)?.dataset.cell.startsWith('four')"
    for name, icon in (("Ben", "B"), ("Ida", "C")):
        other = board.join(name)
        other.target(other.begin(board[icon]), {"section": "four", "at": "start"})
        one.until(opened, str(other.me))
    one.lift(board["A"]).carry(*cells["four 2"])
    one.until(opened, "me")
    assert one.page.locator("[data-gap]").count() == 3
    one.drop()
    assert "A" in board.words(agree(server, board.id, one))["four"]


def test_a_section_fills_up_under_a_still_hand(layout, server, join):
    """BD7: the gap shuts and says why; when there is room again it opens, and takes the drop."""
    board = layout({"home": "ABCD", "four": {"icons": "EFG", "capacity": 4}})
    one = join(server, board.id)
    cells = one.cells()
    one.lift(board["A"]).carry_to(cells, "four", 1)
    filled = server.edit(board.id, {"kind": "icon.move", "icons": [board["B"]],
                                    "to": {"section": "four", "at": "end"}})
    one.settled(filled["revision"])
    assert one.gap() is None
    assert one.page.locator("[data-my-drag].refused").count() == 1
    server.edit(board.id, {"kind": "icon.remove", "icons": [board["B"]]})
    one.sees_gap("me", "four", 1)
    assert one.page.locator("[data-my-drag].refused").count() == 0
    one.drop()
    assert board.words(agree(server, board.id, one)) == {"home": "CD", "four": "EAFG"}
