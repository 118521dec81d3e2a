"""A network between a page and the server that can be slow, silent, cut, and mended."""
import asyncio
import random
import socket
import threading


class Pipe:
    """One direction of one connection: bytes in, later the same bytes out."""

    def __init__(self, link, pair, is_up, reader, writer):
        self.link, self.pair, self.is_up = link, pair, is_up
        self.reader, self.writer = reader, writer
        self.queue = asyncio.Queue()

    async def take(self):
        loop = asyncio.get_running_loop()
        due = 0.0
        while True:
            data = await self.reader.read(65536)
            if self.is_up and b"Upgrade: websocket" in data:
                self.pair.is_socket = True
            # A later byte never overtakes an earlier one.
            due = max(due, loop.time() + self.link.delay())
            self.queue.put_nowait((due, data))
            if not data:
                return

    async def give(self):
        loop = asyncio.get_running_loop()
        while True:
            due, data = await self.queue.get()
            if due > loop.time():
                await asyncio.sleep(due - loop.time())
            while self.pair.held_up if self.is_up else self.pair.held_down:
                self.link.change.clear()
                await self.link.change.wait()
            if not data:
                self.writer.close()
                return
            self.writer.write(data)
            await self.writer.drain()


class Pair:
    """Both directions of one connection."""

    def __init__(self, link, reader, writer, onward):
        self.writers = (writer, onward[1])
        self.task = asyncio.current_task()
        self.is_socket = False
        self.held_up, self.held_down = link.held_up, link.held_down
        self.up = Pipe(link, self, True, reader, onward[1])
        self.down = Pipe(link, self, False, onward[0], writer)
        for each in self.writers:
            each.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    async def run(self):
        try:
            async with asyncio.TaskGroup() as group:
                for pipe in (self.up, self.down):
                    group.create_task(pipe.take())
                    group.create_task(pipe.give())
        except (ExceptionGroup, asyncio.CancelledError):
            self.abort()

    def abort(self):
        for each in self.writers:
            each.transport.abort()


class Link:
    """Listens on a port of its own and passes everything on to the server's port."""

    def __init__(self, port, seed=0):
        self.target = port
        self.random = random.Random(seed)
        self.latency = (0.0, 0.0)
        self.is_cut = False
        self.held_up = self.held_down = False
        self.pairs = set()
        self.loop = asyncio.new_event_loop()
        self.change = asyncio.Event()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.port = self._do(self._listen())

    # What a test does to the network.
    def slow(self, low, high=None):
        """Each way takes between `low` and `high` seconds from now on."""
        self.latency = (low, low if high is None else high)

    def hold(self, up=True, down=True):
        """Nothing comes through, and nobody is told: what is sent waits here."""
        self._do(self._hold(up, down, False))

    def hold_sockets(self, up=True, down=True):
        """The same for the WebSockets there are; pages load, and new sockets work."""
        self._do(self._hold(up, down, True))

    def release(self):
        """What waited arrives."""
        self._do(self._hold(False, False, False))

    def cut(self):
        """Breaks every connection, loses what waited, and refuses new ones."""
        self.is_cut = True
        self._do(self._break())

    def cut_new(self):
        """Refuses new connections; those there are stay as they are."""
        self.is_cut = True

    def lose(self):
        """Breaks every connection and loses what waited; new ones are welcome."""
        self.held_up = self.held_down = False
        self._do(self._break())

    def lose_silently(self):
        """The server loses every WebSocket there is, and no page hears of it: a laptop asleep."""
        self._do(self._lose_silently())

    def mend(self):
        self.is_cut = False

    def close(self):
        self._do(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    # Within the loop.
    def delay(self):
        low, high = self.latency
        return low if low == high else self.random.uniform(low, high)

    async def _hold(self, up, down, sockets):
        if not sockets:
            self.held_up, self.held_down = up, down
        for pair in self.pairs:
            if pair.is_socket or not sockets:
                pair.held_up, pair.held_down = up, down
        self.change.set()

    async def _break(self):
        for pair in list(self.pairs):
            pair.abort()
            pair.task.cancel()

    async def _lose_silently(self):
        await self._hold(True, True, True)
        for pair in self.pairs:
            if pair.is_socket:
                pair.writers[1].transport.abort()

    async def _listen(self):
        self.listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self.listener.sockets[0].getsockname()[1]

    async def _accept(self, reader, writer):
        try:
            if self.is_cut:
                raise OSError("cut")
            onward = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        pair = Pair(self, reader, writer, onward)
        self.pairs.add(pair)
        try:
            await pair.run()
        finally:
            self.pairs.discard(pair)

    async def _stop(self):
        self.listener.close()
        tasks = [pair.task for pair in self.pairs]
        await self._break()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(10)
