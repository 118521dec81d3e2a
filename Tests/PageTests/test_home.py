"""The `home` template by mouse, with two and three people at once."""
import pytest
from boardpage import agree, lists

EVERY_FRAME = """() => {
  window.seen = [];
  const look = () => {
    const cells = [...document.querySelectorAll('[data-icon]')]
      .map((icon) => icon.dataset.icon.slice(0, 4) + icon.dataset.cell).sort().join();
    if (seen.at(-1)?.cells === cells) seen.at(-1).frames += 1;
    else seen.push({ cells, frames: 1, revision: document.body.dataset.revision });
    requestAnimationFrame(look);
  };
  look();
}"""


@pytest.fixture
def home(server):
    return server.create(template="home", title="Family tablet")["id"]


@pytest.fixture
def two(server, home, join):
    return join(server, home, "Mia"), join(server, home, "Ben")


def test_a_drag_is_seen_before_its_drop_and_lands_in_the_gap_shown(server, home, two):
    """DR4 DR13 CM4: ring, name and gap first; then the same order for both."""
    mia, ben = two
    before = lists(server.board(home))["home"]
    icon, cells = before[2], mia.cells()
    mia.lift(icon).carry_to(cells, "home", 9)
    hand = ben.page.locator(f'[data-remote-drag="{mia.peer}"][data-held="{icon}"]')
    hand.wait_for()
    ben.sees_gap(mia.peer, "home", 9)
    assert hand.locator(".tag").text_content() == "Mia"
    ring = hand.evaluate("hand => getComputedStyle(hand.querySelector('.tile')).boxShadow")
    colour = hand.evaluate("""hand => {
      const probe = document.createElement('i');
      probe.style.color = hand.style.getPropertyValue('--peer');
      document.body.append(probe);
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    }""")
    assert colour in ring, f"no ring in Mia's colour {colour}: {ring}"
    # Nothing has happened yet: DR16, hovering never writes.
    assert lists(server.board(home))["home"] == before
    assert ben.order()["home"] == before and mia.order()["home"] == before
    mia.drop()
    wanted = [i for i in before if i != icon]
    wanted.insert(9, icon)
    assert agree(server, home, mia, ben)["home"] == wanted
    hand.wait_for(state="detached")
    assert ben.gap(mia.peer) is None


def test_a_click_without_a_drag_moves_nothing(server, home, two):
    mia, ben = two
    icon = mia.order()["home"][3]
    revision = mia.revision
    x, y = mia.middle(icon)
    mia.page.mouse.click(x, y)
    mia.page.mouse.move(x, y)
    mia.page.mouse.down()
    mia.page.mouse.move(x + 2, y + 2)           # less than a lift
    mia.page.mouse.up()
    mia.frames()
    assert mia.page.locator("[data-my-drag]").count() == 0
    assert mia.pending == 0 and server.board(home)["revision"] == revision
    assert ben.page.locator("[data-remote-drag]").count() == 0


@pytest.mark.parametrize("way", ["escape", "outside"])
def test_a_drag_that_is_cancelled_goes_back(server, home, two, way):
    """O-22 DR11: Escape, and letting go over nothing, change nothing for anyone."""
    mia, ben = two
    before, cells = server.board(home), mia.cells()
    icon = mia.order()["home"][5]
    mia.lift(icon).carry_to(cells, "home", 12)
    ben.sees_gap(mia.peer, "home", 12)
    if way == "escape":
        mia.page.keyboard.press("Escape")
        assert mia.page.locator("#live").text_content() == "Cancelled, back in its place"
        mia.page.mouse.up()
    else:
        mia.carry(40, 480)
        assert mia.gap() is None
        mia.page.locator("[data-my-drag].nowhere").wait_for()
        mia.drop()
    ben.page.locator("[data-remote-drag]").first.wait_for(state="detached")
    mia.at_rest()
    assert agree(server, home, mia, ben) == lists(before)
    assert server.board(home)["revision"] == before["revision"]
    # And the connection isn't wedged: the next drag works.
    mia.drag(icon, "home", 0)
    assert agree(server, home, mia, ben)["home"][0] == icon


def test_two_people_over_one_slot_and_nothing_flips(server, home, two):
    """DR16: a hover is an overlay; two still hands leave a still board."""
    mia, ben = two
    order = mia.order()["home"]
    cells, theirs = mia.cells(), ben.cells()
    mia.lift(order[0]).carry_to(cells, "home", 10)
    ben.sees_gap(mia.peer, "home", 10)
    ben.lift(order[20]).carry(*theirs["home 10"])
    for one, other in ((mia, ben), (ben, mia)):
        one.page.locator(f'[data-remote-drag="{other.peer}"]').wait_for()
        one.until("who => document.querySelector(`[data-gap=\"${who}\"]`)", str(other.peer))
        one.frames(20)
        one.page.evaluate(EVERY_FRAME)
    for one in two:
        one.until("() => seen.reduce((sum, each) => sum + each.frames, 0) >= 45")
        seen = one.page.evaluate("() => seen")
        assert len(seen) == 1, f"{one.name} saw {len(seen)} boards while nobody moved"
    assert server.board(home)["revision"] == mia.revision
    mia.drop()
    ben.drop()
    now = agree(server, home, mia, ben)["home"]
    assert sorted(now) == sorted(order)
    assert abs(now.index(order[0]) - now.index(order[20])) == 1


def test_two_people_drag_different_icons_at_once(server, home, two):
    """O-18: two live drags, both seen by both, both land."""
    mia, ben = two
    order = mia.order()["home"]
    cells, theirs = mia.cells(), ben.cells()
    mia.lift(order[1])
    ben.lift(order[22])
    mia.carry(*cells["home 6"])
    ben.carry(*theirs["home 14"])
    for one, other in ((mia, ben), (ben, mia)):
        one.until("who => document.querySelector(`[data-gap=\"${who}\"]`)", str(other.peer))
        assert one.page.locator("[data-my-drag]").count() == 1
        assert one.page.locator("[data-remote-drag]").count() == 1
    ben.drop()
    mia.until("peer => !document.querySelector(`[data-remote-drag=\"${peer}\"]`)", ben.peer)
    assert mia.page.locator("[data-my-drag]").count() == 1, "Ben's drop took Mia's icon away"
    mia.frames()
    gap = mia.gap()
    mia.drop()
    now = agree(server, home, mia, ben)["home"]
    assert now.index(order[1]) == gap[1]
    assert sorted(now) == sorted(order) and now != order


def test_a_held_icon_is_refused_with_the_holders_name(server, home, two):
    """DR2: the lift is refused in words, and the holder's drag goes on."""
    mia, ben = two
    order, cells = mia.order()["home"], mia.cells()
    mia.lift(order[4]).carry_to(cells, "home", 8)
    ben.sees_gap(mia.peer, "home", 8)
    gap_before = ben.gap(mia.peer)
    x, y = ben.still().middle(order[4])         # where it is drawn for Ben: its gap
    ben.page.mouse.move(x, y)
    ben.page.mouse.down()
    ben.page.mouse.move(x + 20, y + 20, steps=3)
    ben.toasted("Mia is moving this")
    ben.said("Mia is moving this")
    assert ben.page.locator("[data-my-drag]").count() == 0
    ben.page.mouse.up()
    assert ben.gap(mia.peer) == gap_before
    mia.drop()
    assert agree(server, home, mia, ben)["home"].index(order[4]) == 8


def test_a_lift_that_races_another_is_refused_by_the_server(server, home, join, network):
    """DR2 O-18: both lift before hearing of the other; the later one is told and gives it back."""
    mia, link = join(server, home, "Mia"), network(server)
    ben = join(server, home, "Ben", link)
    order, cells = mia.order()["home"], mia.cells()
    link.hold(up=False)                         # Ben hears nothing
    mia.lift(order[4]).carry_to(cells, "home", 8)
    ben.lift(order[4]).carry(*ben_place(ben))
    link.release()
    ben.toasted("Mia is moving this")
    ben.page.locator("[data-my-drag]").wait_for(state="detached")
    ben.drop()
    mia.drop()
    now = agree(server, home, mia, ben)["home"]
    assert now.index(order[4]) == 8 and sorted(now) == sorted(order)


def ben_place(ben):
    return ben.middle(ben.order()["home"][15])


def test_a_drop_is_shown_before_the_server_answers(server, home, join, network):
    """O-75: optimistic, and no wrong frame: the old order, then the new one, never back and forth."""
    link = network(server)
    mia, ben = join(server, home, "Mia", link), join(server, home, "Ben")
    order, cells = mia.order()["home"], mia.cells()
    mia.lift(order[0]).carry_to(cells, "home", 5)
    ben.sees_gap(mia.peer, "home", 5)
    link.hold()
    wanted = order[1:6] + order[:1] + order[6:]
    mia.page.evaluate(EVERY_FRAME)
    mia.drop()
    mia.sees_order({"home": wanted, "dock": []})
    assert mia.pending == 1
    assert lists(server.board(home))["home"] == order
    # After 400 ms without an answer the icon pulses.
    mia.page.locator(f'[data-icon="{order[0]}"].pending').wait_for()
    link.release()
    assert agree(server, home, mia, ben)["home"] == wanted
    mia.at_rest()
    assert mia.page.locator(".icon.pending").count() == 0
    seen = mia.page.evaluate("() => seen")
    assert len(seen) == 1, f"the icons stood in {len(seen)} ways after the drop: {seen}"


def test_the_last_target_arrives_and_nothing_comes_after_the_drop(server, home, two):
    """O-20 O-19 DR4 DR13: many moves, then a still hand; then a drop in the middle of moving."""
    mia, ben = two
    order, cells = mia.order()["home"], mia.cells()
    ben.page.evaluate("""() => {
      window.lifts = 0;
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes) lifts += addedNodes.length;
      }).observe(document.getElementById('hands'), { childList: true });
    }""")
    mia.lift(order[0])
    for index in (*range(1, 24), *range(22, 8, -1), 17):
        mia.page.mouse.move(*cells[f"home {index}"])
    mia.frames()
    ben.sees_gap(mia.peer, *mia.gap())
    for index in (3, 20, 6):
        mia.page.mouse.move(*cells[f"home {index}"])
    mia.drop()
    agree(server, home, mia, ben)
    ben.page.locator("[data-remote-drag]").wait_for(state="detached")
    ben.frames(20)
    assert ben.page.evaluate("() => lifts") == 1, "a finished drag came back"


def test_an_icon_that_vanishes_under_a_drag_ends_it(server, home, two):
    """O-21: told in words, nothing stuck, the next drag works."""
    mia, ben = two
    order, cells = mia.order()["home"], mia.cells()
    mia.lift(order[3]).carry_to(cells, "home", 7)
    server.edit(home, {"kind": "icon.remove", "icons": [order[3]]})
    mia.until("() => !document.querySelector('[data-my-drag]')")
    mia.drop()
    mia.drag(order[4], "home", 0)
    now = agree(server, home, mia, ben)["home"]
    assert now == [order[4], *order[:3], *order[5:]]


def test_others_moves_during_my_drag_keep_the_gaps_neighbours(server, home, two):
    """O-09 O-10: the gap keeps its neighbours, not its index, and so does the drop."""
    mia, ben = two
    order, cells = mia.order()["home"], mia.cells()
    mia.lift(order[0]).carry_to(cells, "home", 10)     # between order[10] and order[11]
    server.edit(home, {"kind": "icon.move", "icons": [order[20]],
                       "to": {"section": "home", "at": "start"}})
    mia.sees_gap("me", "home", 11)
    ben.sees_gap(mia.peer, "home", 11)
    mia.drop()
    now = agree(server, home, mia, ben)["home"]
    place = now.index(order[0])
    assert now[place - 1:place + 2] == [order[10], order[0], order[11]]


def test_every_icon_into_every_gap(layout, join):
    """O-01 O-03: by mouse; delete, then insert between the neighbours that were seen."""
    small = layout({"s": {"icons": "ABCDE", "layout": {"kind": "grid", "columns": 5}}})
    server = small.server
    mia, ben = join(server, small.id, "Mia"), join(server, small.id, "Ben")
    cells, now = mia.cells(), list("ABCDE")
    commits = 0
    for name in "ABCDE":
        for index in range(5):
            mia.lift(small[name], cells[f"s {now.index(name)}"]).carry_to(cells, "s", index)
            mia.drop()
            changed = [n for n in now if n != name]
            changed.insert(index, name)
            commits += changed != now
            now = changed
            assert mia.order() == {"s": small.many(now)}
    assert small.words(agree(server, small.id, mia, ben))["s"] == "".join(now)
    assert mia.revision == small.start + commits, "a drop in its own gap made a commit"
