"""A network between a page and the server that can be slow, silent, cut, and mended."""
import asyncio
import random
import socket
import threading


class Pipe:
    """One direction of one connection: bytes in, later the same bytes out."""

    def __init__(self, link, reader, writer):
        self.link, self.reader, self.writer = link, reader, writer
        self.queue = asyncio.Queue()

    async def run(self):
        await asyncio.gather(self._take(), self._give())

    async def _take(self):
        loop = asyncio.get_running_loop()
        due = 0.0
        while True:
            data = await self.reader.read(65536)
            # A later byte never overtakes an earlier one.
            due = max(due, loop.time() + self.link.delay())
            self.queue.put_nowait((due, data))
            if not data:
                return

    async def _give(self):
        loop = asyncio.get_running_loop()
        while True:
            due, data = await self.queue.get()
            if due > loop.time():
                await asyncio.sleep(due - loop.time())
            await self.link.flowing(self)
            if not data:
                self.writer.close()
                return
            self.writer.write(data)
            await self.writer.drain()


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
        self.open = asyncio.Event()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()
        self.port = self._do(self._listen())

    # What a test does to the network.
    def slow(self, low, high=None):
        """Each way takes between `low` and `high` seconds from now on."""
        self.latency = (low, low if high is None else high)

    def hold(self, up=True, down=True):
        """Nothing comes through, and nobody is told: what is sent waits here."""
        self._do(self._set(held_up=up, held_down=down))

    def release(self):
        """What waited arrives."""
        self._do(self._set(held_up=False, held_down=False))

    def cut(self):
        """Breaks every connection, loses what waited, and refuses new ones."""
        self._do(self._set(is_cut=True))
        self._do(self._break())

    def lose(self):
        """Breaks every connection and loses what waited; new ones are welcome."""
        self._do(self._break())

    def mend(self):
        self._do(self._set(is_cut=False, held_up=False, held_down=False))

    def close(self):
        self._do(self._stop())
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(10)
        self.loop.close()

    # Within the loop.
    def delay(self):
        low, high = self.latency
        return low if low == high else self.random.uniform(low, high)

    async def flowing(self, pipe):
        while self.held_up if pipe.is_up else self.held_down:
            self.open.clear()
            await self.open.wait()

    async def _set(self, **state):
        self.__dict__.update(state)
        self.open.set()

    async def _break(self):
        for task, writers in list(self.pairs):
            task.cancel()
            for writer in writers:
                writer.transport.abort()
        self.pairs.clear()

    async def _listen(self):
        self.listener = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self.listener.sockets[0].getsockname()[1]

    async def _accept(self, reader, writer):
        if self.is_cut:
            writer.transport.abort()
            return
        try:
            onward = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        for each in (writer, onward[1]):
            each.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        up, down = Pipe(self, reader, onward[1]), Pipe(self, onward[0], writer)
        up.is_up, down.is_up = True, False
        pair = (asyncio.current_task(), (writer, onward[1]))
        self.pairs.add(pair)
        try:
            await asyncio.gather(up.run(), down.run())
        except (OSError, asyncio.CancelledError):
            for each in pair[1]:
                each.transport.abort()
        finally:
            self.pairs.discard(pair)

    async def _stop(self):
        self.listener.close()
        await self._break()

    def _do(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(10)
