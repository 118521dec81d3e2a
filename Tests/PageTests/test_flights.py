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
