"""Fixtures: one server for most tests, and servers of their own for those that kill them."""
import pytest

import waits
from client import Peer
from server import Layout, Server


@pytest.fixture(scope="session")
def shared_server():
    server = Server().start()
    yield server
    server.remove()


@pytest.fixture
def server(shared_server):
    """The server most tests share; HC3: it is alive after each of them."""
    if not shared_server.alive():
        shared_server.start()
    yield shared_server
    assert shared_server.alive(), f"the server ended:\n{shared_server.log()}"


@pytest.fixture
def own_server():
    """A server for one test, which may kill and restart it."""
    server = Server().start()
    yield server
    alive, log = server.alive(), server.log()
    server.remove()
    assert alive, f"the server ended:\n{log}"


@pytest.fixture(autouse=True)
def connections():
    """What a test left unread is checked too; then its connections go."""
    Peer.open_in_test.clear()
    yield
    try:
        for peer in Peer.open_in_test:
            peer.pump()
    finally:
        for peer in Peer.open_in_test:
            if not peer.socket.closed:
                peer.socket.close()             # a goodbye, so that no lease outlives the test
                peer.socket.hang_up()


@pytest.fixture
def layout(server):
    return lambda sections, **options: Layout(server, sections, **options)


@pytest.fixture
def abc(layout):
    """S = A B C D E, T = X Y Z."""
    return layout({"s": "ABCDE", "t": "XYZ"})


@pytest.fixture(scope="session", autouse=True)
def waiting(request):
    """What needs seconds of silence starts with the session and runs beside the other tests."""
    wanted = {i.callspec.params["scenario"] for i in request.session.items
              if i.get_closest_marker("waits") and "scenario" in getattr(i, "callspec").params}
    if not wanted:
        yield None
        return
    server = Server().start()
    running = waits.Running(server, wanted)
    yield running
    server.remove()


def pytest_collection_modifyitems(items):
    """Those that only collect what ran beside the others come last."""
    items.sort(key=lambda i: bool(i.get_closest_marker("waits")))
