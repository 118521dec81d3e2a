"""Lost networks and servers: shown, edits kept, sent once, and everything caught up by itself."""
import re
import threading

import pytest
from boardpage import BoardPage, agree, lists


def commits(server, board, since=0):
    answer = server.get(f"/v1/boards/{board}/commits?since={since}").json()
    return answer["commits"]


def once(server, board, since=0):
    """HC4: nobody's edit was applied twice. Returns the commits."""
    all_ = commits(server, board, since)
    keys = [(c["client"], c["seq"]) for c in all_]
    assert len(keys) == len(set(keys)), "an edit was applied twice"
    return all_


def rename(one, icon, label):
    one.icon(icon).focus()
    one.page.keyboard.press("F2")
    field = one.page.locator("[data-testid=label]")
    field.fill(label)
    field.press("Enter")
    one.page.keyboard.press("Escape")


def status(one, pattern, timeout=10_000):
    one.until("""pattern => {
      const status = document.getElementById('status');
      return !status.hidden && new RegExp(pattern).test(status.textContent);
    }""", pattern, timeout)


def well_again(one):
    one.until("() => document.getElementById('status').hidden", timeout=30_000)


def test_a_cut_network_is_shown_and_what_was_done_meanwhile_is_sent(server, join, network):
    """HS5 O-26: three edits kept and counted, sent after the return, none doubled."""
    board = server.create(template="home")["id"]
    link = network(server)
    mia, ben = join(server, board, "Mia", link), join(server, board, "Ben")
    mia.may_lose_network = True
    order, cells = mia.order()["home"], mia.cells()
    start = mia.revision
    link.cut()
    status(mia, "^Reconnecting - your changes are kept$")
    mia.drag(order[0], "home", 5, cells)
    rename(mia, order[10], "Offline")
    mia.at_rest().drag(order[20], "home", 0, cells)
    status(mia, r"^Reconnecting - your changes are kept \(3\)$")
    shown = mia.order()["home"]
    # Ben knows nothing of it, and goes on.
    assert ben.order()["home"] == order
    ben.drag(order[22], "home", 23)
    ben.settled()
    link.mend()
    well_again(mia)
    now = agree(server, board, mia, ben)["home"]
    assert [i for i in now if i != order[22]] == [i for i in shown if i != order[22]]
    assert now[-1] == order[22]
    assert ben.words()["home"][now.index(order[10])] == "Offline"
    assert len(once(server, board, start)) == 4


def test_a_network_that_is_only_silent(server, join, network):
    """FR8: 30 s without a word is a lost connection; what was done is kept (the clock is turned)."""
    board = server.create(template="home")["id"]
    link = network(server)
    mia, ben = join(server, board, "Mia", link, clock=True), join(server, board, "Ben")
    mia.may_lose_network = True
    order, cells, start = mia.order()["home"], mia.cells(), mia.revision
    link.hold_sockets()
    mia.drag(order[1], "home", 8, cells)
    assert mia.pending == 1 and mia.data("state") == "live"
    link.cut_new()
    mia.page.clock.fast_forward(31_000)
    mia.until("() => document.body.dataset.state === 'connecting'")
    mia.page.clock.fast_forward(1_100)
    status(mia, r"kept \(1\)")
    assert ben.order()["home"] == order
    link.mend()
    mia.page.clock.fast_forward(20_000)
    well_again(mia)
    now = agree(server, board, mia, ben)["home"]
    assert now.index(order[1]) == 8
    link.lose()                        # what was held for so long never arrives
    agree(server, board, mia, ben)
    assert len(once(server, board, start)) == 1


def test_an_answer_that_was_lost_three_times_in_a_row(server, join, network):
    """O-26: committed, the answer lost, said again: one icon, one move."""
    board = server.create(template="home")["id"]
    link = network(server)
    mia, ben = join(server, board, "Mia", link), join(server, board, "Ben")
    mia.may_lose_network = True
    order, cells, start = mia.order()["home"], mia.cells(), mia.revision
    for index in range(3):
        link.hold_sockets(up=False)
        mia.add().drag(order[index], "home", 12, cells)
        ben.settled(start + 2 * (index + 1))
        assert mia.pending == 2
        link.lose()
        mia.settled(start + 2 * (index + 1), timeout=30_000)
        mia.at_rest()
    now = agree(server, board, mia, ben)["home"]
    assert len(now) == 27 and len(set(now)) == 27
    assert len(once(server, board, start)) == 6


def test_kill_nine_in_between(own_server, join):
    """CM18 O-26: killed and started again: every committed move in place, nothing lost or doubled."""
    server = own_server
    board = server.create(template="home")["id"]
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    for one in (mia, ben):
        one.may_lose_network = True
    order, cells, start = mia.order()["home"], mia.cells(), mia.revision
    mia.drag(order[0], "home", 6, cells)
    ben.drag(order[23], "home", 2, cells)
    before = agree(server, board, mia, ben)["home"]
    server.kill()
    for one in (mia, ben):
        status(one, "^Reconnecting")
    mia.at_rest().drag(before[4], "home", 0, cells)
    ben.at_rest().drag(before[20], "home", 23, cells)
    status(ben, r"\(1\)")
    server.start()
    for one in (mia, ben):
        well_again(one)
    now = agree(server, board, mia, ben)["home"]
    moved = (before[4], before[20])
    assert [i for i in now if i not in moved] == [i for i in before if i not in moved]
    assert now[0] == before[4] and now[-1] == before[20]
    assert len(once(server, board, start)) == 4
    server.restart()                   # HC1: and once more, from the files alone
    assert lists(server.board(board))["home"] == now


def test_killed_with_answers_on_the_way(own_server, join, network):
    """CM6 CM18: what Ben was told survives; what Mia did is there once, answered or not."""
    server = own_server
    board = server.create(template="home")["id"]
    link = network(server)
    mia, ben = join(server, board, "Mia", link), join(server, board, "Ben")
    for one in (mia, ben):
        one.may_lose_network = True
    order, cells, start = mia.order()["home"], mia.cells(), mia.revision
    for step in range(3):
        link.hold_sockets(up=False)
        mia.drag(order[step], "home", 15, cells)
        ben.settled(start + step + 1)
        told = ben.order()["home"]
        server.kill()
        link.lose()
        server.start()
        assert lists(server.board(board))["home"] == told, "what was announced is gone"
        for one in (mia, ben):
            one.settled(start + step + 1, timeout=30_000)
        mia.at_rest()
    assert agree(server, board, mia, ben)["home"] == told
    assert len(once(server, board, start)) == 3


def test_a_drag_goes_on_over_a_restart(own_server, join):
    """O-16 HS12: the hand still holds its icon when the server is back, and Ben sees it again."""
    server = own_server
    board = server.create(template="home")["id"]
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    for one in (mia, ben):
        one.may_lose_network = True
    order, cells = mia.order()["home"], mia.cells()
    mia.lift(order[0]).carry_to(cells, "home", 9)
    ben.sees_gap(mia.peer, "home", 9)
    server.kill()
    ben.page.locator("[data-remote-drag]").wait_for(state="detached")
    assert mia.page.locator("[data-my-drag]").count() == 1
    server.start()
    mia.live()
    ben.live()
    ben.page.locator(f'[data-remote-drag="{mia.peer}"][data-held="{order[0]}"]').wait_for()
    mia.carry_to(cells, "home", 13)
    ben.sees_gap(mia.peer, "home", 13)
    mia.drop()
    assert agree(server, board, mia, ben)["home"].index(order[0]) == 13


def test_an_orderly_restart(own_server, join):
    """O-70 ER6: SIGTERM closes 1012; pages come back at once, with what was done meanwhile."""
    server = own_server
    board = server.create(template="channels")["id"]
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    for one in (mia, ben):
        one.may_lose_network = True
    icon, cells = mia.named("社会"), mia.cells()
    assert server.terminate() == 0
    for one in (mia, ben):
        one.until("() => document.body.dataset.state === 'connecting'")
        assert one.page.evaluate("() => homeboard.closing.code") in (1012, 1006)
    mia.drag(icon, "mine", 0, cells)
    server.start()
    for one in (mia, ben):
        well_again(one)
    assert agree(server, board, mia, ben)["mine"][0] == icon


def test_a_reload_keeps_the_board(server, join):
    board = server.create(template="grid")["id"]
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    client = mia.page.evaluate("() => homeboard.client")
    mia.drag(mia.order()["main"][0], "main", 3)
    before = agree(server, board, mia, ben)
    mia.page.reload()
    mia.live()
    assert agree(server, board, mia, ben) == before
    assert mia.page.evaluate("() => homeboard.client") == client
    ben.until("() => document.querySelectorAll('[data-peer]').length === 2")


@pytest.mark.parametrize("way", ["reload", "away and back"])
def test_edits_outlive_the_page(server, join, network, way):
    """Undecided edits are kept where a reload finds them, and sent once."""
    board = server.create(template="home")["id"]
    link = network(server)
    mia, ben = join(server, board, "Mia", link), join(server, board, "Ben")
    mia.may_lose_network = True
    order, cells, start = mia.order()["home"], mia.cells(), mia.revision
    link.hold_sockets()
    mia.drag(order[0], "home", 7, cells)
    mia.add()
    assert mia.pending == 2
    if way == "reload":
        mia.page.reload()
    else:
        mia.page.goto(f"http://127.0.0.1:{mia.port}/")
        mia.page.goto(f"http://127.0.0.1:{mia.port}/b/{board}")
    mia.live()
    now = agree(server, board, mia, ben)["home"]
    assert now.index(order[0]) == 7 and len(now) == 25
    link.lose()
    mia.settled()
    agree(server, board, mia, ben)
    assert len(once(server, board, start)) == 2


def test_a_duplicated_tab_is_a_client_of_its_own(server, join, network):
    """HS13: a copy of the session storage doesn't throw the first tab out, nor repeat its edits."""
    board = server.create(template="home")["id"]
    link = network(server)
    mia = join(server, board, "Mia", link)
    mia.may_lose_network = True
    order, cells, start = mia.order()["home"], mia.cells(), mia.revision
    link.hold_sockets()
    mia.drag(order[0], "home", 4, cells)
    with mia.page.context.expect_page() as opened:
        mia.page.evaluate("() => { open(location.href); }")
    twin = type(mia)(opened.value, server, board, "Mia's twin", mia.port)
    twin.live()
    stored = twin.page.evaluate("() => Object.keys(sessionStorage).length")
    assert stored > 0
    assert twin.page.evaluate("() => homeboard.client") != \
        mia.page.evaluate("() => homeboard.client")
    assert twin.pending == 0 and twin.revision == start
    link.release()
    now = agree(server, board, mia, twin)["home"]
    assert now.index(order[0]) == 4 and len(once(server, board, start)) == 1
    for one in (mia, twin):
        one.until("() => document.querySelectorAll('[data-peer]').length === 2")
    twin.at_rest().drag(order[5], "home", 0)
    agree(server, board, mia, twin)
    assert not twin.complaints


def test_a_deleted_board_says_so_and_stays(server, join):
    """ER6: 4410 is final: said in words, the icons still there to look at, no knocking."""
    board = server.create(template="home")["id"]
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    order = mia.order()
    mia.lift(order["home"][0])
    assert server.request("DELETE", f"/v1/boards/{board}").status == 204
    for one in (mia, ben):
        status(one, "This board was deleted")
        assert one.data("state") == "closed"
        assert one.order() == order
        assert one.page.evaluate("() => homeboard.closing.code") == 4410
    mia.page.locator("[data-my-drag]").wait_for(state="detached")
    mia.drop()
    assert mia.order() == order


def test_a_board_that_never_was(server, browser):
    """HS15: said in words instead of a page that waits for ever."""
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.port}/b/nowhere")
    page.locator("#status", has_text="There is no such board").wait_for()
    assert page.evaluate("() => document.body.dataset.state") == "closed"
    context.close()


def test_a_replaced_board_is_shown_anew(server, join):
    """HT4 HS6: PUT closes 1012; every page comes back with the new board, in a new epoch."""
    board = server.create(template="grid")["id"]
    mia, ben = join(server, board, "Mia"), join(server, board, "Ben")
    for one in (mia, ben):
        one.may_lose_network = True
    content = server.board(board)
    content["title"] = "Replaced"
    content["sections"][0]["icons"].reverse()
    content["sections"].append({**content["sections"][0], "id": "more", "title": "More",
                                "icons": []})
    answer = server.put(board, content)
    assert answer.status == 200, answer
    wanted = lists(answer.json())
    for one in (mia, ben):
        one.sees_order(wanted, 20_000)
        one.until("() => document.getElementById('title').textContent === 'Replaced'")
    assert agree(server, board, mia, ben) == wanted
    mia.at_rest().drag(wanted["main"][0], "main", 3)
    agree(server, board, mia, ben)


def test_a_board_replaced_while_away(server, join, network):
    """O-28 HS6: another epoch is no place to resume from; the queue finds its neighbours again."""
    board = server.create(template="home")["id"]
    link = network(server)
    mia, ben = join(server, board, "Mia", link), join(server, board, "Ben")
    for one in (mia, ben):
        one.may_lose_network = True
    order, cells = mia.order()["home"], mia.cells()
    link.cut()
    status(mia, "^Reconnecting")
    mia.drag(order[0], "home", 10, cells)               # between order[10] and order[11]
    content = server.board(board)
    content["sections"][0]["icons"].reverse()
    assert server.put(board, content).status == 200
    link.mend()
    well_again(mia)
    now = agree(server, board, mia, ben)["home"]
    assert [i for i in now if i != order[0]] == list(reversed(order[1:]))
    at = now.index(order[0])
    assert now[at - 1] == order[10] or now[at + 1] == order[11]


def test_what_could_not_be_loaded_is_loaded_with_the_next_change(server, contexts):
    """The server went between the first board and the hands: no reload is needed."""
    board = server.create(template="home")["id"]
    page = contexts.take({"viewport": {"width": 960, "height": 940}}).new_page()
    page.route("**/assets/hands.bundle.js", lambda route: route.abort(), times=1)
    mia = BoardPage(page, server, board, "Mia", server.port)
    with page.expect_event("requestfailed", lambda request: "hands.bundle.js" in request.url):
        page.goto(f"http://127.0.0.1:{server.port}/b/{board}")
    mia.until("() => document.body.dataset.state === 'live'")
    server.edit(board, {"kind": "board.update", "set": {"title": "Another"}})
    mia.live().lift(mia.order()["home"][0])
    mia.page.mouse.up()
    contexts.give_back()


def test_who_joins_while_others_write_misses_nothing(server, join):
    """O-27 O-30: between the board and the first event falls no change."""
    board = server.create(template="home")["id"]
    icons = lists(server.board(board))["home"]
    stop, errors = threading.Event(), []

    def write():
        try:
            count = 0
            while not stop.is_set():
                server.edit(board, {"kind": "icon.move", "icons": [icons[count % 24]],
                                    "to": {"section": "home", "at": "start"}})
                count += 1
        except Exception as error:      # told in the test's own thread
            errors.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        pages = [join(server, board, name) for name in ("Mia", "Ben", "Ida")]
        for one in pages:
            one.page.reload()
            one.live()
    finally:
        stop.set()
        writer.join()
    assert not errors, errors
    now = agree(server, board, *pages)["home"]
    assert sorted(now) == sorted(icons)


def test_the_network_comes_and_goes(server, join, network):
    """RCN: twelve breaks during drags; at the end all agree, and every drop is there once."""
    board = server.create(template="home")["id"]
    link = network(server, seed=7)
    mia, ben = join(server, board, "Mia", link), join(server, board, "Ben")
    mia.may_lose_network = True
    order, cells, start = mia.order()["home"], mia.cells(), mia.revision
    drops = 0
    for step in range(12):
        icon = mia.order()["home"][(step * 5) % 20]
        mia.lift(icon, cells[f"home {(step * 5) % 20}"]).carry(*cells[f"home {(step * 7 + 3) % 24}"])
        if step % 3 == 0:
            link.lose()
        shown = mia.gap()
        before = mia.order()["home"].index(icon)
        mia.drop()
        drops += shown is not None and shown[1] != before
        if step % 3 == 1:
            link.lose()
        if step % 4 == 3:
            ben.at_rest().drag(ben.order()["home"][2], "home", 21)
            drops += 1
    mia.settled(timeout=30_000)
    now = agree(server, board, mia, ben)["home"]
    assert sorted(now) == sorted(order)
    assert len(once(server, board, start)) == drops
    assert re.fullmatch("connecting|live", mia.data("state"))
