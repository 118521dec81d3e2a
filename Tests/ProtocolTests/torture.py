#!/usr/bin/env python3
"""The real server under real faults, for long: prints figures, and ends with 1 when one is wrong.

    torture.py [--seed N] [--only kills,errors,power,crowd,boards] [--lanes 2] [--most N]

kills   kill -9 at the N-th call of each system call that touches the data, N from 1 until nothing is
        hit any more, in each of several workloads
errors  the same with EIO and ENOSPC, once and from then on
power   what a power cut may leave: see power.py
crowd   2,000 peers on 200 boards when the server is restarted: see crowd.py
boards  the start with 10,000 boards
"""
import argparse
import collections
import concurrent.futures
import random
import signal
import sys
import time
import traceback

import crowd
import power
from client import Peer
from faults import FaultyServer
from ledger import GONE, WRONG, Counters, Scene, Shelf

RENAME = "?rename,?renameat,?renameat2"
UNLINK = "?unlink,?unlinkat"
BUSY = ["fdatasync", "pwrite64", "write", "openat", "ftruncate", UNLINK]
ENDING = ["fdatasync", "pwrite64", "ftruncate", UNLINK, "write"]
STARTING = ["openat", "pwrite64", "write", "fsync", "fdatasync", "ftruncate", UNLINK]


class Rig:
    """A server with a crowded board and a shelf of others, to which one thing after another happens."""

    def __init__(self, seed, counters):
        self.seed, self.counters, self.random = seed, counters, random.Random(seed)
        self.server = FaultyServer()
        self.server.start()
        self.hits = collections.Counter()
        self.count = 0
        self.renew()

    def renew(self):
        """Boards that were edited for long are left: their icons grow many."""
        Peer.open_in_test.clear()
        self.count += 1
        self.scene = Scene(self.server, self.random)
        self.shelf = Shelf(self.server, self.random, f"shelf{self.count}")
        self.shelf.act()
        self.age = 0

    def close(self):
        self.server.remove()

    # workloads: each ends by itself, or with one of GONE when the server does
    def edits(self):
        for _ in range(12):
            for hand in self.scene.people:
                hand.act()
                if self.random.random() < 0.5:
                    self.scene.answers()
            self.scene.hear()
        self.scene.answers()

    def boards(self):
        for _ in range(8):
            for hand in self.scene.people:
                hand.act()
            self.shelf.act()
        self.scene.answers()

    def snapshots(self):
        """More entries than one snapshot lasts for, and more bytes than the log keeps for itself."""
        name = next(iter(self.shelf.may))
        icons = [{"id": f"{i:08x}-0000-4000-8000-000000000000", "red": 1, "green": 0.5, "blue": 0,
                  "link": f"https://x.example/{'y' * 600}"} for i in range(900)]
        for i in range(3):
            self.scene.people[i].burst(90)
            section = {"id": "all", "title": "All", "layout": {"kind": "grid", "columns": 8}, "lift": "move",
                       "drop": "any", "icons": icons}
            self.shelf.made += 1
            self.shelf.replace(name, f"{self.shelf.prefix} {self.shelf.made}", sections=[section])
            self.scene.answers()
        self.shelf.remove(name)

    def stop(self):
        for hand in self.scene.people:
            hand.act()
        self.server.process.send_signal(signal.SIGTERM)
        for p in self.scene.peers():
            p.closed()
        self.server.process.wait(20)

    # points
    def point(self, workload, calls, what, when):
        """Lets `what` happen at the `when`-th call; tells whether it did."""
        self.age += 1
        if self.age > 12 or workload == "snapshots" and self.age > 3:
            self.renew()
        # What wakes the loop after a sync is written to no file.
        injection = self.server.inject(calls, what, when, everywhere=calls == "write")
        try:
            getattr(self, workload)()
        except GONE:
            self.server.process.wait(20)
        lines = injection.end()
        code = self.server.process.poll()
        if what.startswith("signal"):
            hit = code == -9
            allowed = (-9,) if workload != "stop" else (-9, 0)
        else:
            hit = any("INJECTED" in line for line in lines)
            allowed = (74, 0) if workload == "stop" else (74,)
        assert code is None or code in allowed, f"ended with {code}:\n{self.server.log()}"
        self.after(hit, workload, calls)
        return hit

    def after(self, hit, workload, calls):
        if hit:
            self.counters["points"] += 1
            self.hits[workload, calls] += 1
        if not self.server.alive():
            took = self.server.launch()
            assert took is not None, f"does not start again:\n{self.server.log()}"
            self.counters.recovered(took)
        self.scene.settle(self.counters)
        self.shelf.settle(self.counters)
        if not self.shelf.may:
            self.shelf.act()

    def start(self, calls, what, when, fresh=False):
        """The same for a start: on what a kill left behind, or with nothing there yet."""
        if fresh:
            return self.first_start(calls, what, when)
        for hand in self.scene.people:
            hand.act()
        self.server.kill()
        hit = self.server.launch(self.server.injecting(calls, what, when, "/dev/null")) is None
        if not hit:
            self.server.kill()
        self.after(hit, "start", calls)
        return hit

    def first_start(self, calls, what, when):
        server = FaultyServer(["--create-board", "home"])
        try:
            hit = server.launch(server.injecting(calls, what, when, "/dev/null")) is None
            if server.alive():
                server.kill()
            took = server.launch()
            assert took is not None, f"does not start again:\n{server.log()}"
            assert server.get("/v1/boards/home").status == 200
        finally:
            server.remove()
        if hit:
            self.counters["points"] += 1
            self.counters.recovered(took)
            self.hits["first start", calls] += 1
        return hit


def plan(whats):
    """(workload, calls, what, fresh) of everything that can be hit."""
    for what in whats:
        for workload, calls in (*[(w, c) for w in ("edits", "boards", "snapshots") for c in BUSY],
                                *[("stop", c) for c in ENDING]):
            yield workload, calls, what, False
        for calls in STARTING:
            yield "start", calls, what, False
        for calls in (*STARTING, RENAME):
            yield "start", calls, what, True


def lane(seed, jobs, most):
    """Goes through its jobs, each from the first call on until nothing is hit."""
    counters, rows = Counters(), collections.Counter()
    rig = Rig(seed, counters)
    try:
        for workload, calls, what, fresh in jobs:
            number = 1
            while number <= most:
                when = f"{number}+" if what.endswith("!") else str(number)
                doing = what.rstrip("!")
                try:
                    hit = (rig.start(calls, doing, when, fresh) if workload == "start"
                           else rig.point(workload, calls, doing, when))
                except Exception as why:
                    counters.wrong("gap", f"seed {seed} {workload} {calls} {what} {number}:",
                                   "".join(traceback.format_exception(why))[-1500:])
                    rig.close()
                    rig = Rig(seed, counters)
                    hit = True
                if not hit:
                    break
                # Each of the first, then fewer: a checkpoint alone writes hundreds of pages.
                number += 1 + number // 24 * rig.random.randint(1, 3)
        rows = rig.hits
    finally:
        rig.close()
    return counters, rows


def spread(seed, jobs, lanes, most):
    """The jobs in so many processes at once."""
    jobs = list(jobs)
    random.Random(seed).shuffle(jobs)
    total, rows = Counters(), collections.Counter()
    with concurrent.futures.ProcessPoolExecutor(lanes) as pool:
        for counters, hits in pool.map(lane, [f"{seed} {i}" for i in range(lanes)],
                                       [jobs[i::lanes] for i in range(lanes)], [most] * lanes):
            total.add(counters)
            rows.update(hits)
    for (workload, calls), count in sorted(rows.items()):
        print(f"  {workload:12} {calls:32} {count} points")
    return total


def cuts(seed, lanes):
    """Power cuts, in so many processes at once."""
    total = Counters()
    with concurrent.futures.ProcessPoolExecutor(lanes) as pool:
        for counters in pool.map(power.torture, [f"{seed} {i}" for i in range(lanes)], [30] * lanes, [6] * lanes):
            total.add(counters)
    return total


def report(name, counters, began):
    print(f"{name}: {counters} ({time.monotonic() - began:.0f} s)", flush=True)
    for words in counters.words[:20]:
        print("  " + words)
    return any(counters[k] for k in WRONG)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=time.time_ns())
    parser.add_argument("--only", default="kills,errors,power,crowd,boards")
    parser.add_argument("--lanes", type=int, default=2)
    parser.add_argument("--most", type=int, default=100_000, help="calls of a kind to try at most")
    options = parser.parse_args()
    only, seed = options.only.split(","), options.seed
    print("seed", seed, flush=True)
    failed, began = False, time.monotonic()
    if "kills" in only:
        failed |= report("kills", spread(seed, plan(["signal=KILL"]), options.lanes, options.most), began)
    began = time.monotonic()
    if "errors" in only:
        whats = ["error=EIO", "error=ENOSPC", "error=EIO!", "error=ENOSPC!"]
        jobs = [j for j in plan(whats) if j[1] not in ("write", "openat")]
        failed |= report("errors", spread(seed, jobs, options.lanes, min(options.most, 12)), began)
    began = time.monotonic()
    if "power" in only:
        failed |= report("power", cuts(seed, options.lanes), began)
    if "crowd" in only:
        failed |= bool(crowd.restart())
        failed |= bool(crowd.restart(end=signal.SIGKILL))
    if "boards" in only:
        failed |= bool(crowd.many_boards(10_000))
    sys.exit(failed)


if __name__ == "__main__":
    main()
