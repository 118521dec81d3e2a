"""Hard states in the middle of work: no network, a laptop asleep, restarts, two tabs, a slow server."""
import pytest
from boardpage import agree
from relay import Relay

# When the page first said that the connection is gone, and when it was.
WATCH = """() => {
  window.breaks = [];
  let gone = null;
  new MutationObserver(() => {
    const live = document.body.dataset.state === 'live';
    if (live) gone = null;
    else gone ??= performance.now();
  }).observe(document.body, { attributes: true, attributeFilter: ['data-state'] });
  new MutationObserver(() => {
    const status = document.getElementById('status');
    if (!status.hidden) breaks.push([status.textContent, gone && performance.now() - gone]);
  }).observe(document.getElementById('status'), { attributes: true, childList: true });
}"""
TWO_MINUTES_MS = 120_000


@pytest.fixture
def home(server):
    return server.create(template="home")["id"]


def status(one, words, timeout=10_000):
    one.until("words => document.querySelector('#status:not([hidden])')?.textContent === words",
              words, timeout)


def hand(one):
    return one.page.locator("[data-my-drag]")


def test_lost_in_mid_drag_the_icon_stays_under_the_finger(server, home, join, network):
    """O-16: said after a second, with the count; the drop is kept, and lands on return."""
    link = network(server)
    mia, ben = join(server, home, "Mia", link), join(server, home, "Ben")
    mia.may_lose_network = True
    order, cells = mia.order()["home"], mia.cells()
    mia.lift(order[0]).carry_to(cells, "home", 6)
    ben.sees_gap(mia.peer, "home", 6)
    mia.page.evaluate(WATCH)
    link.cut()
    status(mia, "Reconnecting - your changes are kept")
    [[_, after]] = mia.page.evaluate("() => breaks")
    assert after >= 950, f"a break of {after} ms was thought worth a word"
    # Still in the hand, still steered, gap and all.
    assert hand(mia).get_attribute("data-held") == order[0]
    mia.carry_to(cells, "home", 15)
    x, y = cells["home 15"]
    box = hand(mia).bounding_box()
    assert abs(box["x"] + box["width"] / 2 - x) < 40 and abs(box["y"] + box["width"] / 2 - y) < 40
    # The others see it lie in its place again when the grace is over.
    ben.page.locator("[data-remote-drag]").wait_for(state="detached", timeout=15_000)
    mia.drop()
    status(mia, "Reconnecting - your changes are kept (1)")
    shown = mia.order()["home"]
    assert shown.index(order[0]) == 15
    link.mend()
    mia.until("() => document.getElementById('status').hidden", timeout=30_000)
    assert agree(server, home, mia, ben)["home"] == shown


def test_undone_before_it_came_back(server, home, join, network):
    """Without a network: moved, taken back, moved: nothing is shown that isn't meant; the last stands."""
    link = network(server)
    mia, ben = join(server, home, "Mia", link), join(server, home, "Ben")
    mia.may_lose_network = True
    order, cells = mia.order()["home"], mia.cells()
    link.cut()
    status(mia, "Reconnecting - your changes are kept")
    mia.drag(order[0], "home", 8, cells)
    mia.page.keyboard.press("Control+z")
    mia.at_rest().drag(order[20], "home", 2, cells)
    status(mia, "Reconnecting - your changes are kept (3)")
    link.mend()
    now = agree(server, home, mia.settled(timeout=30_000), ben)["home"]
    assert [icon for icon in now if icon != order[20]] == [i for i in order if i != order[20]]
    assert now.index(order[20]) != 20


def sleep(one, link):
    """The lid is shut: nothing runs, and the server is soon told that this one is gone."""
    session = one.page.context.new_cdp_session(one.page)
    session.send("Page.setWebLifecycleState", {"state": "frozen"})
    link.lose_silently()
    return session


def wake(one, session):
    session.send("Page.setWebLifecycleState", {"state": "active"})
    one.page.clock.fast_forward(TWO_MINUTES_MS)
    return one


def test_a_laptop_asleep_for_two_minutes(server, home, join, network):
    """On waking it is back at once, with all that was done by others, and by its owner before."""
    link = network(server)
    mia, ben = join(server, home, "Mia", link, clock=True), join(server, home, "Ben")
    mia.may_lose_network = True
    order, cells = mia.order()["home"], mia.cells()
    link.hold_sockets()
    mia.drag(order[5], "home", 0, cells)                # on its way when the lid is shut
    assert mia.pending == 1
    session = sleep(mia, link)
    ben.until("() => document.querySelectorAll('[data-peer]').length === 1", timeout=20_000)
    ben.drag(order[20], "home", 10)
    ben.at_rest().page.keyboard.press("Control+z")
    ben.settled().at_rest().drag(order[1], "home", 22)
    wake(mia, session)
    # Its clock runs with ours again: less than what a first retry may take, and some for the machine.
    mia.settled(timeout=3_000)
    now = agree(server, home, mia, ben)["home"]
    assert now[0] == order[5] and now.index(order[1]) == 22
    for one in (mia, ben):
        one.until("() => document.querySelectorAll('[data-peer]').length === 2")
    assert not mia.page.locator("#status").is_visible()


@pytest.mark.parametrize("meanwhile", ["nothing", "held", "removed"])
def test_asleep_with_an_icon_in_the_hand(server, home, join, network, meanwhile):
    """O-16 O-21: held on, when it still can be; else it ends, and the words say why."""
    link = network(server)
    mia, ben = join(server, home, "Mia", link, clock=True), join(server, home, "Ben")
    mia.may_lose_network = True
    order, cells, theirs = mia.order()["home"], mia.cells(), ben.cells()
    mia.lift(order[3]).carry_to(cells, "home", 9)
    ben.sees_gap(mia.peer, "home", 9)
    session = sleep(mia, link)
    ben.page.locator("[data-remote-drag]").wait_for(state="detached", timeout=20_000)
    if meanwhile == "held":
        ben.at_rest().lift(order[3]).carry_to(theirs, "home", 14)
    elif meanwhile == "removed":
        server.edit(home, {"kind": "icon.remove", "icons": [order[3]]})
    wake(mia, session)
    mia.live()
    if meanwhile == "nothing":
        ben.sees_gap(mia.peer, "home", 9)
        mia.carry_to(cells, "home", 12)
    else:
        words = {"held": "Ben is moving this", "removed": "Someone removed this icon"}[meanwhile]
        mia.toasted(words)
        hand(mia).wait_for(state="detached")
    mia.drop()
    if meanwhile == "held":
        ben.drop()
    now = agree(server, home, mia, ben)["home"]
    wanted = {"nothing": 12, "held": 14, "removed": None}[meanwhile]
    assert (now.index(order[3]) if order[3] in now else None) == wanted


def test_one_restart_after_another_is_nobodys_business(server, home, join):
    """O-70: four times 1012, idle, in mid-drag and with a queue: no word of it, and nothing lost."""
    relay = Relay()
    mia, ben = join(server, home, "Mia", prepare=relay.prepare), join(server, home, "Ben")
    order, cells = mia.order()["home"], mia.cells()
    mia.page.evaluate(WATCH)
    back = "n => document.body.dataset.state === 'live' && homeboard.restarts === n"
    mia.page.evaluate("() => { homeboard.restarts = 0; homeboard.on('welcome', () => homeboard.restarts++); }")

    def restart(count):
        relay.close(1012)
        mia.until(back, count)

    restart(1)
    mia.lift(order[0]).carry_to(cells, "home", 4)
    for count in (2, 3):
        restart(count)
        ben.sees_gap(mia.peer, "home", 4)
        assert hand(mia).count() == 1
    relay.is_silent = True                              # the drop is never answered here
    mia.drop()
    assert mia.pending == 1
    relay.is_silent = False
    restart(4)
    assert agree(server, home, mia, ben)["home"].index(order[0]) == 4
    long = [each for each in mia.page.evaluate("() => breaks") if each[1] < 950]
    assert not long, f"a short break was told: {long}"


def test_both_tabs_of_one_person_drag_at_once(server, home, join):
    """O-17: each sees the other's hand; one that cancels, and closes, takes nothing from the other."""
    mia = join(server, home, "Mia")
    with mia.page.context.expect_page() as opened:
        mia.page.evaluate("() => { open(location.href); }")
    twin = type(mia)(opened.value, server, home, "Mia's twin", mia.port).live()
    twin.page.set_viewport_size({"width": 960, "height": 940})
    order, cells, theirs = mia.order()["home"], mia.cells(), twin.cells()
    mia.lift(order[0]).carry_to(cells, "home", 7)
    twin.sees_gap(mia.peer, "home", 7)
    assert twin.page.locator("[data-remote-drag] .tag").text_content() == "Mia"
    # The same icon isn't to be had twice, not even by the same person.
    twin.page.mouse.move(*twin.still().middle(order[0]))
    twin.page.mouse.down()
    twin.page.mouse.move(*theirs["home 12"], steps=3)
    twin.toasted("Mia is moving this")
    twin.page.mouse.up()
    twin.lift(order[20]).carry_to(theirs, "home", 16)
    mia.sees_gap(twin.peer, "home", 16)
    twin.page.keyboard.press("Escape")
    twin.page.mouse.up()
    mia.until("() => !document.querySelector('[data-remote-drag]')")
    twin.lift(order[21], theirs["home 21"]).carry_to(theirs, "home", 2)
    mia.sees_gap(twin.peer, "home", 2)
    twin.page.close()
    mia.until("() => !document.querySelector('[data-remote-drag]')")
    assert hand(mia).get_attribute("data-held") == order[0]
    mia.carry_to(cells, "home", 11)
    mia.drop()
    now = agree(server, home, mia)["home"]
    assert now == order[1:12] + order[:1] + order[12:]
    assert not twin.complaints


def test_a_slow_server_and_an_undo_before_its_answer(server, home, join, network):
    """A pulse after 400 ms, not before; what is taken back undecided ends where it began, once."""
    link = network(server)
    mia, ben = join(server, home, "Mia", link), join(server, home, "Ben")
    order, cells = mia.order()["home"], mia.cells()
    mia.page.evaluate("""icon => {
      window.at = {};
      document.addEventListener('pointerup', () => { at.drop = performance.now(); }, true);
      new MutationObserver(() => {
        const element = document.querySelector(`[data-icon="${icon}"]`);
        if (element.matches('.pending')) at.pulse ??= performance.now();
      }).observe(document.getElementById('board'), { subtree: true, attributeFilter: ['class'] });
    }""", order[0])
    link.hold()
    mia.drag(order[0], "home", 5, cells)
    moved = order[1:6] + order[:1] + order[6:]
    mia.until("() => at.pulse")
    assert mia.page.evaluate("() => at.pulse - at.drop") >= 390
    mia.page.keyboard.press("Control+z")
    mia.frames()
    assert mia.pending == 2 and mia.order()["home"] == moved, "shown before it can be known"
    mia.page.evaluate("""() => {
      window.orders = [];
      const look = () => {
        const now = [...document.querySelectorAll('[data-icon]')].map((icon) => icon.dataset.icon).join();
        if (orders.at(-1) !== now) orders.push(now);
        requestAnimationFrame(look);
      };
      look();
    }""")
    link.release()
    assert agree(server, home, mia, ben)["home"] == order
    assert mia.page.evaluate("() => orders") == [",".join(moved), ",".join(order)]
    assert mia.at_rest().page.locator(".icon.pending").count() == 0
