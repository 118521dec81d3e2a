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
