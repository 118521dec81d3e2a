"""Who is here: coming, going, coming back, and several tabs of one person."""
import pytest
from boardpage import agree
from playwright.sync_api import Error

HERE = """() => [...document.querySelectorAll('[data-peer]')]
  .map((face) => face.title.replace(/ \\(you\\).*/, '')).sort().join()"""


@pytest.fixture
def board(server):
    return server.create(template="grid")["id"]


def sees(one, *names, timeout=10_000):
    one.until(f"wanted => ({HERE})() === wanted", ",".join(sorted(names)), timeout)


def test_people_come_and_go(server, board, join):
    """PR1 PR2: told at once, marked as oneself, in one colour on every page."""
    mia = join(server, board, "Mia Lind")
    sees(mia, "Mia Lind")
    ben = join(server, board, "Ben")
    ida = join(server, board, "Ida")
    for one in (mia, ben, ida):
        sees(one, "Ben", "Ida", "Mia Lind")
        assert one.page.locator("[data-me]").count() == 1
        assert one.name in one.page.locator("[data-me]").get_attribute("aria-label")
    colours = [one.page.locator(f'[data-peer="{mia.peer}"]').evaluate(
        "face => getComputedStyle(face).backgroundColor") for one in (mia, ben, ida)]
    assert len(set(colours)) == 1
    assert mia.page.locator("[data-me]").text_content() == "ML"
    ida.page.close()
    for one in (mia, ben):
        sees(one, "Ben", "Mia Lind")
    ben.page.close()
    sees(mia, "Mia Lind")


def test_three_tabs_of_one_person_close_one_by_one(server, board, join):
    """O-25 O-17 PR6: each tab is a peer; the last one that goes is the end of the person."""
    mia = join(server, board, "Mia")
    other = server.create(template="grid")["id"]
    ida = join(server, other, "Ida")
    first = join(server, board, "Ben")
    tabs = [first]
    for suffix in ("", ""):
        page = first.page.context.new_page()
        tabs.append(type(first)(page, server, board, "Ben", first.port).open(suffix))
    elsewhere = type(first)(first.page.context.new_page(), server, other, "Ben", first.port).open()
    sees(mia, "Ben", "Ben", "Ben", "Mia")
    sees(ida, "Ben", "Ida")
    tabs[1].page.close()
    sees(mia, "Ben", "Ben", "Mia")
    # One goes without a goodbye: O-23, PR3 - some seconds of grace, then it is gone as well.
    with pytest.raises(Error):
        tabs[2].page.goto("chrome://crash")
    sees(mia, "Ben", "Mia", timeout=20_000)
    tabs[0].page.close()
    sees(mia, "Mia")
    sees(ida, "Ben", "Ida")
    assert not elsewhere.complaints


def test_a_drag_goes_with_its_tab(server, board, join):
    """O-16: the icon lies in its old place again and can be lifted by others."""
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    order, cells = mia.order()["main"], mia.cells()
    ben.lift(order[0]).carry_to(cells, "main", 3)
    mia.sees_gap(ben.peer, "main", 3)
    ben.page.close()
    mia.page.locator("[data-remote-drag]").wait_for(state="detached")
    sees(mia, "Mia")
    mia.at_rest().drag(order[0], "main", 1, cells)
    assert agree(server, board, mia)["main"] == [order[1], order[0], *order[2:]]


def test_back_within_the_grace_nobody_has_left(server, board, join, network):
    """PR3 PR4 O-24: a broken socket that is replaced in time: Ben never sees Mia go."""
    link = network(server)
    mia, ben = join(server, board, "Mia", link), join(server, board, "Ben")
    mia.may_lose_network = True
    sees(ben, "Ben", "Mia")
    order, cells = mia.order()["main"], mia.cells()
    mia.lift(order[0]).carry_to(cells, "main", 3)
    ben.sees_gap(mia.peer, "main", 3)
    ben.page.evaluate("""() => {
      window.gone = [];
      new MutationObserver(() => {
        const titles = [...document.querySelectorAll('[data-peer]')].map((face) => face.title);
        if (!titles.includes('Mia')) gone.push(titles.join());
      }).observe(document.getElementById('people'), { childList: true });
    }""")
    was = mia.peer
    link.lose()
    mia.until("was => Number(document.querySelector('[data-me]')?.dataset.peer) !== was "
              "&& document.body.dataset.state === 'live'", was, timeout=20_000)
    ben.sees_gap(mia.peer, "main", 3)
    mia.drop()
    assert agree(server, board, mia, ben)["main"].index(order[0]) == 3
    assert ben.page.evaluate("() => gone") == [], "Mia was gone for a moment"
    sees(ben, "Ben", "Mia")


def test_only_those_who_came_back_are_here_after_a_restart(own_server, join):
    """O-23: after kill -9 the list holds only those who rejoined."""
    server = own_server
    board = server.create(template="grid")["id"]
    mia, ben, ida = (join(server, board, name) for name in ("Mia", "Ben", "Ida"))
    for one in (mia, ben, ida):
        sees(one, "Ben", "Ida", "Mia")
        one.may_lose_network = True
    server.kill()
    ida.page.close()
    server.start()
    for one in (mia, ben):
        one.settled(timeout=30_000)
        sees(one, "Ben", "Mia")


def test_a_new_name_is_seen_by_the_others(server, board, join):
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    mia.page.locator("[data-me]").click()
    field = mia.page.locator("[data-testid=my-name]")
    field.fill("Mia the Great")
    field.press("Enter")
    sees(ben, "Ben", "Mia the Great")
    mia.page.reload()
    mia.live()
    sees(ben, "Ben", "Mia the Great")
