"""Fixtures: one browser and one server for all, a context of its own for every page."""
import json
import pathlib
import sys

import pytest
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "ProtocolTests"))

from boardpage import BoardPage  # noqa: E402
from link import Link  # noqa: E402
from server import Layout  # noqa: E402
from serving import own_server, server, shared_server  # noqa: E402, F401

PHONE = {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "has_touch": True,
         "is_mobile": True}


def pytest_addoption(parser):
    parser.addoption("--shots", metavar="DIR", help="write screenshots into this folder")


def pytest_collection_modifyitems(config, items):
    """Pictures are taken when they are asked for."""
    if not config.getoption("--shots"):
        items[:] = [item for item in items if not item.name.startswith("test_pictures")]


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


NAMED = """if (!sessionStorage.getItem('test:named')) {
  sessionStorage.setItem('test:named', 'yes');
  localStorage.setItem('homeboard:name', NAME);
  if (CLIENT) sessionStorage.setItem('homeboard:client', CLIENT);
}"""


class Contexts:
    """Browser contexts, kept from test to test because each costs a while; pages are always new."""

    def __init__(self, browser):
        self.browser, self.free, self.taken = browser, {}, []

    def take(self, options):
        key = repr(sorted(options.items()))
        free = self.free.setdefault(key, [])
        context = free.pop() if free else self.browser.new_context(**options)
        self.taken.append((key, context))
        return context

    def give_back(self):
        for key, context in self.taken:
            for page in context.pages:
                page.close()
            self.free[key].append(context)
        self.taken = []


@pytest.fixture(scope="session")
def contexts(browser):
    return Contexts(browser)


@pytest.fixture
def join(contexts, network, request, shots):
    """Opens a board in a browser context of its own, as somebody else each time.

    It asks for `network` so that links outlive the pages.
    """
    opened = []

    def make(server, board, name="Mia", link=None, clock=False, client=None, suffix="",
             prepare=None, **options):
        context = contexts.take({"viewport": {"width": 960, "height": 940}, **options})
        page = context.new_page()
        page.add_init_script(NAMED.replace("NAME", json.dumps(name))
                             .replace("CLIENT", json.dumps(client)))
        if clock:
            page.clock.install()
        if prepare:
            prepare(page)
        one = BoardPage(page, server, board, name, link.port if link else server.port)
        opened.append(one)
        return one.open(suffix)

    yield make
    failed = getattr(request.node, "report_call", None)
    if shots and failed and failed.failed:
        for number, one in enumerate(opened):
            if not one.page.is_closed():
                one.page.screenshot(path=shots / f"failed-{request.node.name}-{number}.png")
    contexts.give_back()
    for one in opened:
        assert not one.complaints, f"{one.name}'s console: {one.complaints}"


@pytest.fixture
def phone():
    return PHONE


@pytest.fixture
def layout(server):
    """A board made for one test, with short names for its icons."""
    return lambda sections, **options: Layout(server, sections, **options)
