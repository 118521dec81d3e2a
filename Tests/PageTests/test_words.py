"""What a screen reader is told, word by word, and where the focus is, while others work too."""
import itertools

import pytest
from boardpage import agree

ACTIVE = "() => document.activeElement?.dataset?.icon ?? null"
# Everything that the live region ever said since.
LISTEN = """() => {
  window.words = [];
  const live = document.getElementById('live');
  new MutationObserver(() => words.push([live.textContent, Date.now()])).observe(live, { childList: true });
}"""


@pytest.fixture
def home(server):
    return server.create(template="home")["id"]


def active(one):
    return one.page.evaluate(ACTIVE)


def told(one):
    """What was said since the last time this was asked."""
    return [text for text, _ in one.frames().page.evaluate("() => words.splice(0)")]


def follow(one, script, focus=None):
    """Presses keys one by one; after each the words are these, all of them, and the focus is kept."""
    for key, words in script:
        one.page.keyboard.press(key)
        assert told(one) == ([words] if words else []), f"after {key}"
        if focus:
            assert active(one) == focus, f"{key} lost the focus"


def test_every_word_of_a_walk_through_home(server, home, join):
    mia = join(server, home, "Mia")
    order = mia.order()["home"]
    mia.page.evaluate(LISTEN)
    mia.page.locator("[data-testid=invite]").focus()
    mia.page.keyboard.press("Tab")
    follow(mia, [
        ("Space", "Mail lifted, position 1 of 24 in Home"),
        ("ArrowLeft", None),                            # there is nothing before the first place
        ("ArrowUp", None),
        ("ArrowRight", "position 2"),
        ("ArrowDown", "position 6"),
        ("End", "position 24"),
        ("ArrowRight", None),
        ("ArrowUp", "position 20"),
        ("ArrowLeft", "position 19"),
        ("Home", "position 1"),
        ("Tab", None),                                  # a hand that holds something doesn't leave
        ("ArrowDown", "position 5"),
        ("Escape", "Cancelled, back in its place"),
        ("Space", "Mail lifted, position 1 of 24 in Home"),
        ("Space", "Back in its place"),
        ("Space", "Mail lifted, position 1 of 24 in Home"),
        ("ArrowRight", "position 2"),
        ("Enter", "Dropped, position 2 of 24 in Home"),
    ], order[0])
    assert agree(server, home, mia)["home"][:2] == [order[1], order[0]]
    follow(mia, [("Control+z", "Undone")], order[0])
    assert agree(server, home, mia)["home"] == order
    follow(mia, [("Control+Shift+Z", "Done again")], order[0])
    assert agree(server, home, mia)["home"][:2] == [order[1], order[0]]
    follow(mia, [("Delete", "Mail removed")], order[2])
    assert order[0] not in agree(server, home, mia)["home"]
    follow(mia, [("Control+z", "Undone")], order[2])
    assert agree(server, home, mia)["home"][:2] == [order[1], order[0]]


def test_every_word_of_a_walk_through_channels(server, join):
    board = server.create(template="channels")["id"]
    mia = join(server, board, "Mia")
    order = mia.order()
    mia.page.evaluate(LISTEN)
    mia.icon(order["mine"][5]).focus()
    follow(mia, [
        ("Space", "娱乐 lifted, position 6 of 16 in 我的频道"),
        ("ArrowDown", "position 10"),
        ("Control+ArrowDown", "Nothing can be dropped into this section"),
        ("Control+ArrowDown", None),
        ("Control+ArrowUp", "position 10 of 16 in 我的频道"),
        ("ArrowRight", "position 11"),
        ("Space", "Dropped, position 11 of 16 in 我的频道"),
        ("Space", "娱乐 lifted, position 11 of 16 in 我的频道"),
        ("Control+ArrowDown", "Nothing can be dropped into this section"),
        ("Space", "Nothing can be dropped into this section"),
    ], order["mine"][5])
    wanted = [i for i in order["mine"] if i != order["mine"][5]]
    wanted.insert(10, order["mine"][5])
    assert agree(server, board, mia) == {**order, "mine": wanted}
    mia.icon(order["recommended"][0]).focus()
    follow(mia, [("Space", "Icons stay where they are in this section")], order["recommended"][0])


@pytest.mark.parametrize("key", ["F2", "ContextMenu", "Shift+F10"])
def test_keys_that_open_the_editor(server, home, join, key):
    mia = join(server, home, "Mia")
    icon = mia.order()["home"][3]
    mia.icon(icon).focus()
    mia.page.keyboard.press(key)
    editor = mia.page.get_by_role("form", name="Icon")
    editor.wait_for()
    assert mia.page.evaluate("() => document.activeElement.name") == "label"
    mia.page.keyboard.press("Escape")
    editor.wait_for(state="hidden")
    assert active(mia) == icon


def test_by_keys_every_icon_reaches_both_ends(server, home, join):
    mia = join(server, home, "Mia")
    order = mia.order()["home"]
    for icon in order:
        mia.icon(icon).focus()
        for key, index in (("End", 23), ("Home", 0)):
            for each in ("Space", key, "Space"):
                mia.page.keyboard.press(each)
            mia.frames()
            assert mia.order()["home"].index(icon) == index and active(mia) == icon
    assert agree(server, home, mia)["home"] == order[::-1]


def test_by_keys_every_icon_reaches_every_section(layout, join):
    """There, into an empty one as well, and back: each icon once, and the focus with it."""
    board = layout({"s": "ABC", "t": "", "u": "XY"})
    server = board.server
    mia = join(server, board.id, "Mia")
    for name in "ABCXY":
        mia.icon(board[name]).focus()
        home = next(s for s, icons in mia.order().items() if board[name] in icons)
        keys = {"s": "Control+ArrowUp", "u": "Control+ArrowDown"}
        for section in ("s", "t", "u", "t", "s", "u", home):
            here = next(s for s, icons in mia.order().items() if board[name] in icons)
            steps = "stu".index(section) - "stu".index(here)
            mia.page.keyboard.press("Space")
            for _ in range(abs(steps)):
                mia.page.keyboard.press(keys["u" if steps > 0 else "s"])
            mia.page.keyboard.press("Space")
            mia.frames()
            assert board[name] in mia.order()[section] and active(mia) == board[name]
    assert sorted(sum(agree(server, board.id, mia).values(), [])) == sorted(board.many("ABCXY"))


def test_the_focus_is_kept_while_others_work(server, home, join):
    """Others move, add and remove around a walk and a drag by keys; nothing slips away."""
    mia, ben = join(server, home, "Mia"), join(server, home, "Ben")
    order = mia.order()["home"]
    mine = order[4]
    mia.icon(mine).focus()

    def meanwhile(edit):
        answer = server.edit(home, edit)
        mia.settled(answer["revision"])
        assert active(mia) == mine

    def to(at):
        return {"section": "home", "at": at}

    meanwhile({"kind": "icon.move", "icons": [mine], "to": to("end")})
    meanwhile({"kind": "icon.remove", "icons": [order[0]]})
    meanwhile({"kind": "icon.move", "icons": [order[9]], "to": to("start")})
    mia.page.keyboard.press("Space")
    mia.page.keyboard.press("Home")
    ben.sees_gap(mia.peer, "home", 0)
    meanwhile({"kind": "icon.move", "icons": [order[10]], "to": to("start")})
    meanwhile({"kind": "icon.remove", "icons": [order[9]]})
    meanwhile({"kind": "icon.update", "icon": mine, "set": {"label": "Diary"}})
    meanwhile({"kind": "icon.add", "icon": {"red": 1, "green": 0, "blue": 0}, "to": to("end")})
    mia.page.keyboard.press("ArrowRight")
    shown = mia.frames().gap()
    mia.page.keyboard.press("Space")
    now = agree(server, home, mia, ben)["home"]
    assert now.index(mine) == shown[1] and active(mia) == mine


@pytest.mark.parametrize("which", ["first", "middle", "last", "held", "only"])
def test_the_focused_icon_is_removed_by_another(layout, join, which):
    """Focus goes to the neighbour, from which the walk goes on; what was held says why it ended."""
    board = layout({"s": "ABCD", "t": "X"})
    server = board.server
    mia = join(server, board.id, "Mia")
    name, after = {"first": "AB", "middle": "BC", "last": "DC", "held": "BC", "only": "XA"}[which]
    mia.icon(board[name]).focus()
    if which == "held":
        mia.page.keyboard.press("Space")
        mia.page.keyboard.press("ArrowRight")
    answer = server.edit(board.id, {"kind": "icon.remove", "icons": [board[name]]})
    mia.settled(answer["revision"])
    assert active(mia) == board[after]
    assert mia.icon(board[after]).get_attribute("tabindex") == "0"
    if which == "held":
        mia.toasted("Someone removed this icon")
        assert mia.page.locator("body.carrying").count() == 0
    mia.page.keyboard.press("Space")
    mia.page.keyboard.press("End")
    mia.page.keyboard.press("Space")
    assert agree(server, board.id, mia)["s"][-1] == board[after]


def test_the_icon_in_the_editor_is_removed_by_another(layout, join):
    """The editor closes, and who wrote in it stands on the neighbour."""
    board = layout({"s": "ABCD"})
    server = board.server
    mia = join(server, board.id, "Mia")
    mia.icon(board["B"]).focus()
    mia.page.keyboard.press("F2")
    mia.until("() => document.activeElement.name === 'label'")
    answer = server.edit(board.id, {"kind": "icon.remove", "icons": [board["B"]]})
    mia.settled(answer["revision"])
    assert not mia.page.get_by_role("form", name="Icon").is_visible()
    assert active(mia) == board["C"]


def test_others_are_told_politely(server, home, join):
    """At most one every two seconds, the first in full and the rest summed up, none left out."""
    mia = join(server, home, "Mia", clock=True)
    order = mia.order()["home"]
    mia.page.clock.pause_at(mia.page.evaluate("() => Date.now() / 1_000") + 1)
    mia.page.evaluate(LISTEN)

    turns = itertools.count()

    def others(count):
        for _ in range(count):
            answer = server.edit(home, {"kind": "icon.move", "icons": [order[5]], "to": {
                "section": "home", "at": "start" if next(turns) % 2 else "end"}})
            mia.page.evaluate("""least => new Promise((resolve) => {
              const look = () => homeboard.board.revision >= least && resolve();
              homeboard.on('change', look);
              look();
            })""", answer["revision"])

    start = mia.page.evaluate("() => Date.now()")
    others(4)
    assert mia.page.evaluate("() => words") == []
    mia.page.clock.run_for(2_000)
    others(1)
    mia.page.clock.run_for(1_900)
    others(1)
    mia.page.clock.run_for(100)
    others(1)
    mia.page.clock.run_for(2_000)
    said = mia.page.evaluate("() => words")
    times = [at - start for _, at in said]
    assert all(b - a >= 2_000 for a, b in zip(times, times[1:])), times
    where = {"first": "Someone moved Clock to position 1 of 24 in Home",
             "last": "Someone moved Clock to position 24 of 24 in Home"}
    assert said[0][0] in [f"{words}, and 3 more changes" for words in where.values()]
    assert said[1][0] in [f"{words}, and 1 more change" for words in where.values()]
    assert said[2][0] in where.values() and len(said) == 3
