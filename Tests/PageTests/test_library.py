"""The client library in a browser, without the page: what it holds, and edits that outlive it."""
import pathlib

import pytest
from test_network import once

TESTS = pathlib.Path(__file__).resolve().parents[1]
NO_PAGE = "/healthz"
JOIN = """async ({ board, options }) => {
  const { connect } = await import('/assets/homeboard.js');
  const { openStorage } = await import('/assets/indexed.js');
  const storage = options.tab ? undefined : openStorage();
  const client = connect(board, { name: 'Mia', storage, ...options });
  globalThis.client = client;
  await client.ready;
}"""
MOVE = """([icon, section]) => globalThis.client.edit(
  { kind: 'icon.move', icons: [icon], to: { section, at: 'start' } })"""
SETTLED = "() => globalThis.client.isLive && !globalThis.client.pending.length"


@pytest.fixture
def profile(browser, tmp_path):
    """Starts a browser with a folder of its own, which is the same after it was closed."""
    opened = []

    def start():
        context = browser.browser_type.launch_persistent_context(
            tmp_path / "profile", executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu"])
        opened.append(context)
        return context

    yield start
    for context in opened:
        context.close()


class Tab:
    """A document of the server's origin that runs nothing but the library."""

    def __init__(self, context, port, board, **options):
        self.page = context.new_page()
        self.page.goto(f"http://127.0.0.1:{port}{NO_PAGE}")
        self.page.evaluate(JOIN, {"board": board, "options": options})

    def until(self, expression):
        self.page.wait_for_function(expression, timeout=20_000)
        return self

    def live(self):
        return self.until("() => globalThis.client.isLive")

    def settled(self):
        return self.until(SETTLED)

    def lost(self):
        return self.until("() => globalThis.client.state === 'connecting'")

    def move(self, icon, section="a"):
        assert self.page.evaluate(MOVE, [icon, section])

    @property
    def client(self):
        return self.page.evaluate("() => globalThis.client.client")

    @property
    def pending(self):
        return self.page.evaluate("() => globalThis.client.pending.length")


@pytest.fixture
def board(server):
    return server.create(template="home")["id"]


def serve(page, name, path):
    """A file of the tests, as if the server had it."""
    kind = "text/javascript" if name.endswith("mjs") else "application/json"
    page.route(f"**/{name}", lambda route: route.fulfill(path=TESTS / path, content_type=kind))


def icons(server, board):
    return [icon["id"] for icon in server.board(board)["sections"][0]["icons"]]


def test_what_was_done_offline_outlives_the_browser_and_arrives_once(server, board, network, profile):
    """O-26: in the order in which it was done."""
    link = network(server)
    order = icons(server, board)
    first = profile()
    tab = Tab(first, link.port, board).live()
    client = tab.client
    link.cut()
    tab.lost()
    for icon in order[5:8]:
        tab.move(icon, "home")
    first.close()
    assert once(server, board) == []
    link.mend()
    second = profile()
    tab = Tab(second, link.port, board).settled()
    assert tab.client == client, "the same client goes on"
    assert [c["seq"] for c in once(server, board)] == [1, 2, 3]
    assert icons(server, board)[:3] == order[7:4:-1]
    second.close()
    third = Tab(profile(), link.port, board).settled()
    assert third.pending == 0 and len(once(server, board)) == 3


def test_an_answer_that_the_browser_did_not_live_to_hear_is_not_asked_for_twice(
        server, board, network, profile):
    """O-26: sent, decided, never heard of, and not sent again as something new."""
    link = network(server)
    order = icons(server, board)
    first = profile()
    tab = Tab(first, link.port, board).live()
    link.hold(up=False, down=True)
    tab.move(order[5], "home")
    watcher = Tab(first, server.port, board).live()
    watcher.until("() => globalThis.client.board.revision === 1")
    assert tab.pending == 1
    first.close()
    link.release()
    tab = Tab(profile(), link.port, board).settled()
    tab.move(order[6], "home")
    tab.settled()
    assert [c["seq"] for c in once(server, board)] == [1, 2]


def test_an_edit_is_on_the_disk_although_its_page_dies_in_the_same_moment(
        server, board, network, profile):
    link = network(server)
    order = icons(server, board)
    first = profile()
    tab = Tab(first, link.port, board).live()
    link.cut()
    tab.lost()
    tab.page.evaluate("""(icon) => {
      globalThis.client.edit({ kind: 'icon.move', icons: [icon], to: { section: 'home', at: 'start' } });
      location.replace('about:blank');
    }""", order[5])
    tab.page.wait_for_url("about:blank")
    first.close()
    link.mend()
    Tab(profile(), link.port, board).settled()
    assert len(once(server, board)) == 1 and icons(server, board)[0] == order[5]


def test_two_tabs_are_two_clients_and_what_both_left_arrives_through_one(
        server, board, network, profile):
    """O-17: neither tab sends, keeps or drops what the other has under way."""
    link = network(server)
    order = icons(server, board)
    first = profile()
    tabs = [Tab(first, link.port, board).live() for _ in range(2)]
    clients = [tab.client for tab in tabs]
    assert len(set(clients)) == 2
    link.cut()
    for tab, icon in zip(tabs, order[5:7]):
        tab.lost().move(icon, "home")
    first.close()
    link.mend()
    tab = Tab(profile(), link.port, board).settled()
    tab.until("() => globalThis.client.board.revision === 2")
    assert sorted((c["client"], c["seq"]) for c in once(server, board)) == sorted(
        (client, 1) for client in clients)
    tab.until("() => globalThis.client.peers.size === 1")
    assert tab.client in clients
    assert set(icons(server, board)[:2]) == set(order[5:7])


@pytest.mark.parametrize("tab", [False, True])
def test_a_reload_is_the_same_client_and_so_is_a_client_after_one_that_was_closed(
        server, board, profile, tab):
    options = {"tab": tab}
    context = profile()
    one = Tab(context, server.port, board, **options).live()
    client = one.client
    one.page.reload()
    one.page.evaluate(JOIN, {"board": board, "options": options})
    assert one.live().client == client
    one.page.evaluate("() => globalThis.client.close()")
    one.page.evaluate(JOIN, {"board": board, "options": options})
    assert one.live().client == client
    assert Tab(context, server.port, board, **options).live().client != client


def test_a_second_board_needs_no_second_client(server, board, profile):
    """Numbers count by board, so one id serves a tab here and a tab there."""
    context = profile()
    client = Tab(context, server.port, board).live().client
    other = server.create(template="grid")["id"]
    assert Tab(context, server.port, other).live().client == client


def test_every_case_of_ordering_ends_the_same_in_a_browser(server, contexts):
    """OR1: the same module and the same answers as in Node."""
    page = contexts.take({}).new_page()
    serve(page, "vectors.mjs", "BrowserTests/support/vectors.mjs")
    serve(page, "cases.json", "BoardModelTests/Vectors/ordering.json")
    serve(page, "answers.json", "BrowserTests/fixtures/ordering.json")
    page.goto(f"http://127.0.0.1:{server.port}{NO_PAGE}")
    told = page.evaluate("""async () => {
      const { playAll } = await import('/vectors.mjs');
      const { Replica } = await import('/assets/homeboard.js');
      const read = async (path) => (await fetch(path)).json();
      return playAll(await read('/cases.json'), await read('/answers.json'), Replica);
    }""")
    contexts.give_back()
    assert told["failures"] == [] and told["cases"] == 2 * 389


@pytest.mark.parametrize("indexed", [
    "undefined", "{ open() { throw new DOMException('no', 'SecurityError'); } }", "{ open: () => ({}) }"])
def test_without_a_usable_indexeddb_the_tab_keeps_its_edits(server, board, contexts, indexed):
    """Absent, forbidden, or never answering: said so, and as good as without it."""
    page = contexts.take({}).new_page()
    page.clock.install()
    page.add_init_script(f"Object.defineProperty(window, 'indexedDB', {{ value: {indexed} }})")
    page.goto(f"http://127.0.0.1:{server.port}{NO_PAGE}")
    page.evaluate("""async () => {
      const { openStorage } = await import('/assets/indexed.js');
      openStorage({ otherwise: null }).catch((error) => (globalThis.failure = error));
      openStorage().then((storage) => (globalThis.storage = storage));
    }""")
    page.clock.run_for(6_000)
    page.wait_for_function("() => globalThis.failure instanceof Error || globalThis.failure?.name")
    page.wait_for_function("() => globalThis.storage === sessionStorage")
    assert page.evaluate("() => globalThis.storage.isDurable") is None
    contexts.give_back()
