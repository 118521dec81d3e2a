"""The start page: every board as a small live picture, and new ones from templates."""
import json

import pytest
from test_audit import AUDIT, WIDTHS

DOTS = """id => [...document.querySelectorAll(`[data-board="${id}"] [data-dot]`)].map((dot) => dot.dataset.dot)"""
# In the order in which they stand, line by line.
LINES = """id => [...document.querySelectorAll(`[data-board="${id}"] [data-dot]`)]
  .map((dot) => [dot.dataset.dot, ...dot.style.transform.match(/-?[\\d.]+/g).map(Number)])
  .sort(([, ax, ay], [, bx, by]) => ay - by || ax - bx).map(([icon]) => icon)"""


@pytest.fixture
def start(contexts):
    """Opens the start page, and sees afterwards that nothing was complained about."""
    complaints, pages = [], []

    def make(server, **options):
        context = contexts.take({"viewport": {"width": 390, "height": 844}, **options})
        page = context.new_page()
        page.may_lose_network = False
        page.on("console", lambda m: m.type == "error" and not page.may_lose_network
                and complaints.append(m.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(f"http://127.0.0.1:{server.port}/")
        pages.append(page)
        return page

    yield make
    for page in pages:
        page.close()
    contexts.give_back()
    assert not complaints


def drawn(page, server, board):
    """Waits until a card's picture is the board as the server has it, and returns its icons."""
    content = server.board(board)
    icons = [icon["id"] for section in content["sections"] for icon in section["icons"]]
    page.wait_for_function(f"([id, icons]) => JSON.stringify(({LINES})(id)) === icons",
                           arg=[board, json.dumps(icons, separators=(",", ":"))], timeout=10_000)
    return icons


def test_makes_one_of_each_template_and_goes_there(server, start):
    page = start(server)
    for template, icons in (("home", 24), ("grid", 4), ("channels", 34), ("row", 12)):
        page.goto(f"http://127.0.0.1:{server.port}/")
        page.locator("[data-testid=new-title]").fill(f"My {template}")
        page.locator(f"[data-testid=new-{template}]").click()
        page.wait_for_url("**/b/*")
        page.wait_for_function("n => document.querySelectorAll('[data-icon]').length === n", arg=icons)
        assert page.locator("#title").text_content() == f"My {template}"
        board = page.url.rpartition("/")[2]
        page.locator("[data-testid=back]").click()
        page.locator(f'[data-board="{board}"]', has_text=f"My {template}").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_reads_well_on_any_width(server, start, scheme):
    server.create(template="home", title="x" * 100)
    page = start(server, color_scheme=scheme)
    page.locator("[data-board]").first.wait_for()
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 740})
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{wide} px too wide at {width}"
    found = page.evaluate(AUDIT)
    assert not found["twice"] and not found["noWord"] and not found["points"], found


def test_a_picture_follows_the_board(own_server, start):
    board = own_server.create(template="home", title="Ours")["id"]
    page = start(own_server)
    icons = drawn(page, own_server, board)
    page.evaluate("""id => {
      window.first = document.querySelector(`[data-board="${id}"] [data-dot]`);
    }""", board)
    own_server.edit(board, {"kind": "icon.move", "icons": [icons[0]], "to": {"section": "dock", "at": "end"}})
    own_server.edit(board, {"kind": "icon.remove", "icons": [icons[9]]})
    assert drawn(page, own_server, board)[-1] == icons[0]
    # The same element went there, which is what lets it be seen on its way.
    assert page.evaluate("icon => window.first.isConnected && window.first.dataset.dot === icon", icons[0])
    card = page.locator(f'[data-board="{board}"]')
    assert "23 icons" in card.text_content()
    peer = own_server.join(board)
    page.locator(f'[data-board="{board}"][data-live]', has_text="1 person here").wait_for()
    peer.close()


def test_boards_come_and_go_without_a_reload(own_server, start):
    page = start(own_server)
    page.locator("#none").wait_for()
    assert "No boards yet" in page.locator("#none").text_content()
    board = own_server.create(template="grid", title="Fresh")["id"]
    other = own_server.create(template="row", title="Other")["id"]
    link = page.get_by_role("link", name="Fresh")
    link.wait_for()
    drawn(page, own_server, board)
    assert not page.locator("#none").is_visible()
    assert page.get_by_role("list").get_by_role("link").count() == 2
    link.focus()
    own_server.request("DELETE", f"/v1/boards/{other}")
    page.locator(f'[data-board="{other}"]').wait_for(state="detached")
    assert page.evaluate("() => document.activeElement.dataset.board") == board, "focus was lost"
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/b/{board}")


def test_says_when_the_server_is_away_and_when_a_board_is_not_made(own_server, start):
    board = own_server.create(template="grid")["id"]
    page = start(own_server)
    drawn(page, own_server, board)
    page.may_lose_network = True
    page.route("**/v1/boards", lambda route: route.fulfill(
        status=507, content_type="application/problem+json", body='{"title":"The disk is full"}')
        if route.request.method == "POST" else route.fallback())
    page.locator("[data-testid=new-grid]").click()
    page.locator("[data-testid=problem]", has_text="The disk is full").wait_for()
    own_server.kill()
    page.locator("#lost").wait_for()
    assert page.locator(f'[data-board="{board}"]').is_visible()
    own_server.start()
    page.locator("#lost").wait_for(state="hidden")
    # The list is back, and what went wrong with the board is still said.
    assert page.locator("[data-testid=problem]").is_visible()


def test_two_hundred_boards_cost_what_can_be_seen(own_server, start):
    for number in range(200):
        own_server.create(f"b-{number:03}", template="grid", title=f"Board {number}")
    fetched = []
    page = start(own_server)
    page.locator("[data-board]").nth(199).wait_for(state="attached")
    page.goto("about:blank")
    page.on("request", lambda request: fetched.append(request.url.rpartition("/v1/boards")[2]))
    page.goto(f"http://127.0.0.1:{own_server.port}/")
    page.locator("[data-board] [data-dot]").first.wait_for(state="attached")
    with page.expect_response(lambda response: response.url.endswith("/v1/boards")):
        pass
    pictures = [one for one in fetched if one.startswith("/")]
    assert 0 < len(pictures) < 30, f"{len(pictures)} boards fetched"
    assert len(pictures) == len(set(pictures)), "a board was fetched again although it hadn't changed"
    # The last one is drawn once it is scrolled to.
    last = page.locator("[data-board]").nth(199)
    last.scroll_into_view_if_needed()
    last.locator("[data-dot]").first.wait_for(state="attached")


def test_nobody_looks_and_nothing_is_asked(server, start):
    server.create(template="grid")
    page = start(server)
    page.goto("about:blank")
    asked = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/v1/boards")[1]))
    page.clock.install()
    page.add_init_script("""Object.defineProperty(document, 'visibilityState', {
      get: () => window.looks ?? 'hidden',
    });""")
    page.goto(f"http://127.0.0.1:{server.port}/")
    page.clock.run_for(20_000)
    assert not any(asked), "asked for boards while nobody looks"
    page.evaluate("""() => {
      window.looks = 'visible';
      document.dispatchEvent(new Event('visibilitychange'));
    }""")
    page.locator("[data-board]").first.wait_for()
    with page.expect_response(lambda response: response.url.endswith("/v1/boards")):
        page.clock.run_for(2_100)


def test_a_board_made_anew_while_nobody_looked_gets_a_new_picture(own_server, start):
    """It may have the title, the revision and the count of the one before, but none of its icons."""
    board = own_server.create("same", template="grid", title="Same")["id"]
    page = start(own_server)
    before = drawn(page, own_server, board)
    look = """state => {
      Object.defineProperty(document, 'visibilityState', { get: () => state, configurable: true });
      document.dispatchEvent(new Event('visibilitychange'));
    }"""
    page.evaluate(look, "hidden")
    own_server.request("DELETE", f"/v1/boards/{board}")
    own_server.create("same", template="grid", title="Same")
    page.evaluate(look, "visible")
    assert not set(drawn(page, own_server, board)) & set(before)
