"""Stands between a page and the server's socket: passes everything on, but for what a test changes."""
import json


class Relay:
    """Give its `prepare` to `join`. `role` takes the place of the welcome's; `close` ends it."""

    def __init__(self, role=None, code=None):
        self.role, self.code = role, code
        self.sockets, self.sent = [], []
        self.is_silent = False          # what the page says goes no further

    def prepare(self, page):
        page.route_web_socket("**/live", self._opened)

    def _opened(self, socket):
        self.sockets.append(socket)
        if self.code:
            socket.close(code=self.code)
            return
        server = socket.connect_to_server()
        socket.on_message(lambda text: self._up(server, text))
        server.on_message(lambda text: self._down(socket, text))

    def _up(self, server, text):
        self.sent.append(json.loads(text))
        if not self.is_silent:
            server.send(text)

    def _down(self, socket, text):
        events = json.loads(text)
        for event in events:
            if self.role and event["type"] == "welcome":
                event["role"] = self.role
        socket.send(json.dumps(events))

    def close(self, code):
        """The server's last word to the page."""
        self.sockets[-1].close(code=code)

    def said(self, kind):
        return [message for message in self.sent if message["type"] == kind]
