"""A real server to which things happen: killed at a system call, failed by it, kept waiting in it."""
import os
import pathlib
import select
import signal
import subprocess
import tempfile
import time

from server import Server

FILES = ["homeboard.sqlite3", "homeboard.sqlite3-wal", "homeboard.sqlite3-shm",
         "homeboard.sqlite3.new", "homeboard.sqlite3.new-journal", "homeboard.lock",
         "homeboard.write-test", ""]


def line_of(stream, seconds, marker=b""):
    """Reads up to a line that holds `marker`; what was read, should the stream end before."""
    text, end = b"", time.monotonic() + seconds
    while not text.endswith(b"\n") or marker not in text:
        left = end - time.monotonic()
        assert left > 0, f"nothing said within {seconds} s: {text!r}"
        if select.select([stream], [], [], left)[0]:
            data = os.read(stream.fileno(), 4096)
            if not data:
                break
            text += data
    return text.decode("utf-8", "replace")


class FaultyServer(Server):
    """Starts without polling, and measures it; may start under a fault."""

    def launch(self, under=()):
        """Starts; returns the seconds until it was ready, or None when it ended before."""
        began = time.monotonic()
        self.under = list(under)
        with open(self.log_path, "ab") as log:
            self.spawn(log, subprocess.PIPE)
        if "Homeboard is at" not in line_of(self.process.stdout, 30):
            self.process.wait(10)
            return None
        if under:
            return time.monotonic() - began
        answer = self.get("/readyz")
        assert answer.status == 200, answer
        return time.monotonic() - began

    def spawn_quietly(self):
        """Starts, and waits for nothing."""
        self.under = []
        with open(self.log_path, "ab") as log:
            self.spawn(log, subprocess.DEVNULL)

    def start(self):
        assert self.launch() is not None, f"the server ended:\n{self.log()}"
        return self

    def remove(self):
        super().remove()
        if self.process and self.process.stdout:
            self.process.stdout.close()

    def paths(self):
        """What strace needs to look at the data directory alone."""
        return [x for name in FILES for x in ("-P", str(pathlib.Path(self.data) / name).rstrip("/"))]

    def injecting(self, calls, what, when, trace):
        """The command under which a start meets a fault."""
        return ["strace", "-D", "-f", "-qq", "-o", str(trace), *fault(calls, what, when), *self.paths()]

    def inject(self, calls, what, when="1+", everywhere=False):
        return Injection(self, calls, what, when, everywhere)


def fault(calls, what, when):
    return ["-e", "signal=none", "-e", f"trace={calls}", "-e", f"inject={calls}:{what}:when={when}"]


class Injection:
    """A fault for a running server, until `end`: `what` happens at the `when`-th call of `calls`.

    Each thread counts for itself; only the store's touches the data directory.
    """

    def __init__(self, server, calls, what, when="1+", everywhere=False):
        descriptor, self.path = tempfile.mkstemp(prefix="homeboard-strace-")
        os.close(descriptor)
        self.process = subprocess.Popen(
            ["strace", "-f", "-o", self.path, "-p", str(server.process.pid), *fault(calls, what, when),
             *([] if everywhere else server.paths())],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL)
        said = line_of(self.process.stderr, 20, b"attached")
        assert "attached" in said, f"strace can't attach, which these tests need (ptrace): {said}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    def end(self, at_once=False):
        """Lets the server go, if it is still there; returns the lines of the trace.

        `at_once`: without waiting for a delay that is under way.
        """
        if self.path is None:
            return []
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL if at_once else signal.SIGINT)
        self.process.wait(20)
        self.process.stderr.close()
        lines = pathlib.Path(self.path).read_text(errors="replace").splitlines()
        os.unlink(self.path)
        self.path = None
        return lines
