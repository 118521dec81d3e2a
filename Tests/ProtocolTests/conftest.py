"""Fixtures: one server for most tests, and servers of their own for those that kill them."""
import pytest

import waits
from client import Peer
from server import Layout, Server
from serving import own_server, server, shared_server  # noqa: F401


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
