"""The fixtures that serve, for every suite that drives the real server."""
import pytest

from server import Server


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
