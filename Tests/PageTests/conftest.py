"""Fixtures: one browser and one server for all, a context of its own for every page."""
import pathlib
import sys

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ProtocolTests"))

from boardpage import BoardPage  # noqa: E402
from link import Link  # noqa: E402
from server import Layout, Server  # noqa: E402

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True,
         "is_mobile": True}


def pytest_addoption(parser):
    parser.addoption("--shots", metavar="DIR", help="write screenshots into this folder")


@pytest.fixture(scope="session")
def shots(request):
    """Where screenshots go, or None when nobody wants any."""
    folder = request.config.getoption("--shots")
    if folder:
        pathlib.Path(folder).mkdir(parents=True, exist_ok=True)
    return folder and pathlib.Path(folder)


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def shared_server():
    server = Server().start()
    yield server
    server.remove()


@pytest.fixture
def server(shared_server):
    if not shared_server.alive():
        shared_server.start()
    yield shared_server
    assert shared_server.alive(), f"the server ended:\n{shared_server.log()}"


@pytest.fixture
def own_server():
    """A server for one test, which may kill and restart it."""
    server = Server().start()
    yield server
    server.remove()


@pytest.fixture
def network():
    """Makes a link to a server; it ends with the test."""
    links = []

    def make(server, seed=0):
        links.append(Link(server.port, seed))
        return links[-1]

    yield make
    for link in links:
        link.close()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item):
    outcome = yield
    setattr(item, f"report_{outcome.get_result().when}", outcome.get_result())


@pytest.fixture
def join(browser, network, request, shots):
    """Opens a board in a browser context of its own, as somebody else each time.

    It asks for `network` so that links outlive the pages.
    """
    opened, contexts = [], []

    def make(server, board, name="Mia", link=None, clock=False, suffix="", **options):
        context = browser.new_context(**{
            "viewport": {"width": 1280, "height": 940}, "reduced_motion": "no-preference",
            **options})
        contexts.append(context)
        context.add_init_script(f"localStorage.getItem('homeboard:name') ?? "
                                f"localStorage.setItem('homeboard:name', {name!r})")
        page = context.new_page()
        if clock:
            page.clock.install()
        one = BoardPage(page, server, board, name, link.port if link else server.port)
        opened.append(one)
        return one.open(suffix)

    yield make
    failed = getattr(request.node, "report_call", None)
    if shots and failed and failed.failed:
        for number, one in enumerate(opened):
            if not one.page.is_closed():
                one.page.screenshot(path=shots / f"failed-{request.node.name}-{number}.png")
    for context in contexts:
        context.close()
    for one in opened:
        assert not one.complaints, f"{one.name}'s console: {one.complaints}"


@pytest.fixture
def phone():
    return PHONE


@pytest.fixture
def layout(server):
    """A board made for one test, with short names for its icons."""
    return lambda sections, **options: Layout(server, sections, **options)
