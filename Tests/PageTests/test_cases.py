"""Cases of other people's bug reports that need several pages, a slow link, or a long absence."""
from boardpage import agree

# The order at every frame, and what the client library tells, in the order in which it does.
WRITE_DOWN = """() => {
  window.log = [];
  window.orders = [];
  homeboard.on('commit', ({ commit, mine }) => log.push(['commit', commit.revision, mine]));
  homeboard.on('ended', ({ revision = 0 }) => log.push(['ended', revision, homeboard.board.revision]));
  homeboard.on('error', (error) => log.push(['error', JSON.stringify(error)]));
  const look = () => {
    const now = [...document.querySelectorAll('[data-icon]')].map((icon) => icon.dataset.icon).join();
    if (orders.at(-1) !== now) orders.push(now);
    requestAnimationFrame(look);
  };
  look();
}"""


def orders(one):
    return [text.split(",") for text in one.page.evaluate("() => orders.splice(0)")]


def test_O29_deleted_without_a_network_stays_deleted(server, layout, join, network):
    """O-29: removed offline, recoloured and moved online; then moved by one who was away for long."""
    board = layout({"s": "ABCD", "t": "XY"})
    links = [network(server), network(server)]
    mia, ida = (join(server, board.id, name, link) for name, link in zip(("Mia", "Ida"), links))
    ben = join(server, board.id, "Ben")
    for one, link in zip((mia, ida), links):
        one.may_lose_network = True
        link.cut()
        one.page.locator("#status", has_text="Reconnecting").wait_for()
    mia.icon(board["A"]).focus()
    mia.page.keyboard.press("Delete")
    ida.icon(board["A"]).focus()
    for key in ("Space", "End", "Space"):
        ida.page.keyboard.press(key)
    assert mia.pending == 1 and ida.pending == 1
    server.edit(board.id, {"kind": "icon.update", "icon": board["A"],
                           "set": {"red": 0, "green": 1, "blue": 0}})
    ben.settled(board.start + 1).drag(board["A"], "t", 1)
    assert board.words(agree(server, board.id, ben)) == {"s": "BCD", "t": "XAY"}
    links[0].mend()
    mia.settled(board.start + 3, timeout=30_000)
    assert board.words(agree(server, board.id, mia, ben)) == {"s": "BCD", "t": "XY"}
    base = mia.revision
    for number in range(520):                           # more than the window of ghosts
        base = server.edit(board.id, {
            "kind": "icon.move", "icons": [board["X"]],
            "to": {"section": "t", "at": "start" if number % 2 else "end"}}, base=base)["revision"]
    ida.page.evaluate("() => { window.told = 0; homeboard.on('refused', ({ reason }) => { told = reason; }); }")
    links[1].mend()
    assert ida.until("() => window.told", timeout=30_000) == "icon_gone"
    ida.said("Someone removed this icon")
    assert board.words(agree(server, board.id, mia, ben, ida)) == {"s": "BCD", "t": "XY"}


def test_O75_nobody_sees_the_old_place_again(server, join, network):
    """O-75: a slow hand and a quick one drop at once; own commits are told apart, an end is no news."""
    board = server.create(template="home")["id"]
    link = network(server)
    mia, ben = join(server, board, "Mia", link), join(server, board, "Ben")
    ida = join(server, board, "Ida")
    cells, theirs = mia.cells(), ben.cells()
    link.slow(0.15)
    for one in (mia, ben, ida):
        one.page.evaluate(WRITE_DOWN)
    start = mia.revision
    for turn in range(3):
        order = mia.order()["home"]
        mine, other = order[turn], order[20 - turn]
        mia.lift(mine, cells[f"home {turn}"]).carry_to(cells, "home", 12)
        ben.lift(other, theirs[f"home {20 - turn}"])
        ben.carry(*theirs["home 3"])
        for one in (mia, ben, ida):
            orders(one)
        ben.drop()
        mia.drop()
        now = agree(server, board, mia, ben, ida)["home"]
        for one in (mia, ben, ida):
            for icon in (mine, other):
                # Which icon follows it tells its place, whatever else goes by.
                places = [seen[(seen + [None]).index(icon):][1:2] for seen in orders(one)]
                was = order[order.index(icon) + 1:][:1]
                moved = next((n for n, place in enumerate(places) if place != was), len(places))
                assert was not in places[moved:], f"{one.name} saw an icon jump back"
        assert sorted(now) == sorted(order)
        for one in (mia, ben, ida):
            one.at_rest()
    for one in (mia, ben, ida):
        log = one.page.evaluate("() => log")
        revisions = [entry[1] for entry in log if entry[0] == "commit"]
        assert revisions == list(range(start + 1, server.board(board)["revision"] + 1)), one.name
        assert all(seen >= revision for kind, revision, seen in log if kind == "ended"), \
            f"{one.name} heard of the end before the move"
        mine = sum(entry[2] for entry in log if entry[0] == "commit")
        assert mine == {"Mia": 3, "Ben": 3, "Ida": 0}[one.name]


def test_O76_a_strict_replica_in_the_middle_of_a_drag(server, layout, join, network):
    """O-76: thirty moves over three sections, a new one that is filled at once, a break: all add up."""
    board = layout({"s": "ABCDEFGH", "t": "IJKLMNOP", "u": "QRST"})
    link = network(server)
    mia, ben = join(server, board.id, "Mia", link), join(server, board.id, "Ben")
    mia.may_lose_network = True
    cells = mia.cells()
    for one in (mia, ben):
        one.page.evaluate(WRITE_DOWN)
    mia.lift(board["A"]).carry_to(cells, "t", 2)
    ben.sees_gap(mia.peer, "t", 2)
    for number in range(30):
        name = "BCDEFGHIJKLMNOPQRST"[number * 7 % 19]
        server.edit(board.id, {"kind": "icon.move", "icons": [board[name]], "to": {
            "section": "stu"[number % 3], "at": "start" if number % 2 else "end"}})
        if number == 10:
            server.edit(board.id, {"kind": "section.add", "section": {
                "id": "v", "title": "V", "layout": {"kind": "grid", "columns": 4}, "lift": "move",
                "drop": "any", "icons": []}, "before": "s"})
            server.edit(board.id, {"kind": "icon.move", "icons": board.many("QT"),
                                   "to": {"section": "v", "at": "start"}})
        if number == 20:
            link.lose()
            server.edit(board.id, {"kind": "section.update", "section": "u", "set": {"title": "New"}})
    last = server.board(board.id)["revision"]
    mia.settled(last, timeout=30_000)
    assert mia.page.locator("[data-my-drag]").get_attribute("data-held") == board["A"]
    shown = mia.gap()
    mia.drop()
    now = agree(server, board.id, mia, ben)
    assert now[shown[0]][shown[1]] == board["A"], "not where the gap was shown"
    for one in (mia, ben):
        log = one.page.evaluate("() => log")
        assert not [entry for entry in log if entry[0] == "error"], "a replica went astray"
        revisions = [entry[1] for entry in log if entry[0] == "commit"]
        assert len(set(revisions)) == len(revisions), "a commit was applied twice"


def test_HT10_a_restored_board_is_shown_to_everyone(server, layout, join):
    """Also to whoever has something in the air, or is gone from the board by it."""
    board = layout({"s": "ABCD", "t": "XY"})
    mia, ben = join(server, board.id, "Mia"), join(server, board.id, "Ben")
    before = server.board(board.id)["sections"]
    point = server.request("POST", f"/v1/boards/{board.id}/points", {"name": "Before"}).json()
    ben.drag(board["A"], "t", 1)
    server.edit(board.id, {"kind": "icon.add", "icon": board.icon("N"),
                           "to": {"section": "s", "at": "end"}})
    pages = (mia, ben)
    for one in pages:
        one.settled(board.start + 2)
    assert board.words(agree(server, board.id, *pages)) == {"s": "BCDN", "t": "XAY"}
    answer = server.request("POST", f"/v1/boards/{board.id}/points/{point['id']}/restore", {})
    assert answer.status == 200
    for one in pages:
        one.settled(board.start + 3)
    assert board.words(agree(server, board.id, *pages)) == {"s": "ABCD", "t": "XY"}
    assert server.board(board.id)["sections"] == before
