#!/usr/bin/env python3
"""Many people on one board: 50 clients, 10 of them dragging at 60 Hz for 60 s.

    load.py [--clients 50] [--dragging 10] [--hertz 60] [--seconds 60] [--port N]

Starts a server of its own unless --port names one. Ends with 1 when a client ends with another
board, a commit is missing, a drag's last target did not arrive, or a client gets more than one
frame a tick. Prints what it measured.
"""
import argparse
import collections
import select
import sys
import time

from client import fence, normal
from server import Layout, Server

TICK = 0.004            # the shortest tick, in seconds
PAUSE = 0.15            # how long a finger rests before it drops, so that the last target is due


class Dragger:
    """One person who lifts, wanders for a second, rests, drops, and begins again."""

    def __init__(self, peer, icon, hertz):
        self.peer, self.icon, self.step = peer, icon, 1 / hertz
        self.drag = self.rest_until = None
        self.count, self.sent, self.last = 0, 0, {}
        self.due = time.monotonic()

    def act(self, now, finish):
        p = self.peer
        if self.drag is None:
            if finish:
                return
            self.drag = p.begin(self.icon, wait=False)
            self.count = 0
        elif self.rest_until:
            if now < self.rest_until:
                return
            p.drop(self.drag, wait=False)
            self.drag = self.rest_until = None
            self.due = now + self.step
            return
        section = p.replica.board["sections"][self.count // 7 % 2]
        others = [i["id"] for i in section["icons"] if i["id"] != self.icon]
        where = others[self.count * 5 % len(others)]
        self.last[self.drag] = self.count
        p.send({"type": "drag.target", "drag": self.drag, "base": p.revision,
                "t": f"{self.count}:{now:.6f}",
                "target": {"section": section["id"], "after": where},
                "point": {"x": self.count % 60 / 60, "y": 0.5}})
        self.count += 1
        self.sent += 1
        self.due += self.step
        if self.count >= 60 or finish:
            self.rest_until = now + PAUSE


def run(server, clients=50, dragging=10, hertz=60, seconds=60.0, say=print):
    """Returns a list of what went wrong, empty when all is well."""
    layout = Layout(server, {"s": [f"s{i}" for i in range(24)], "t": [f"t{i}" for i in range(24)]})
    peers = [layout.join(f"client {i}") for i in range(clients)]
    fence(*peers)
    draggers = [Dragger(peers[i], layout[f"s{i}"], hertz) for i in range(dragging)]
    first = {p.name: len(p.events) for p in peers}
    frames_before = {p.name: p.socket.messages for p in peers}
    clumps = collections.Counter()
    latencies, wrong = [], []
    poll, by_fd = select.poll(), {}
    for p in peers:
        poll.register(p.socket.socket, select.POLLIN)
        by_fd[p.socket.socket.fileno()] = p
    windows = {p.name: (0.0, 0) for p in peers}
    start = now = time.monotonic()
    end = start + seconds
    while True:
        now = time.monotonic()
        finish = now >= end
        for d in draggers:
            while d.due <= now and (d.drag is not None or not finish):
                d.act(now, finish)
                if d.rest_until:
                    d.due = d.rest_until + 0.0001 if now < d.rest_until else d.due
                    break
        if finish and all(d.drag is None for d in draggers):
            break
        wait = max(0.0, min(d.due for d in draggers) - time.monotonic())
        for fd, _ in poll.poll(min(wait, 0.02) * 1000):
            p = by_fd[fd]
            before, seen = p.socket.messages, len(p.events)
            p.pump()
            heard = time.monotonic()
            since, count = windows[p.name]
            if heard - since >= TICK:
                clumps[count] += count > 0
                since, count = heard, 0
            windows[p.name] = since, count + p.socket.messages - before
            for e in p.events[seen:]:
                if e["type"] == "drag.target" and "t" in e:
                    latencies.append(heard - float(e["t"].split(":")[1]))
    took = time.monotonic() - start
    fence(*peers)

    # every client ends with the same board, and no commit is missing
    stored = server.board(layout.id)
    for p in peers:
        if normal(p.replica.board) != normal(stored):
            wrong.append(f"{p.name} ends with another board")
        revisions = [e["revision"] for e in p.events if e["type"] == "commit"]
        if revisions != list(range(revisions[0], stored["revision"] + 1)):
            wrong.append(f"{p.name} misses a commit")
    # each drag's last target was the last one every client heard
    for p in peers:
        heard = {}
        for e in p.events[first[p.name]:]:
            if e["type"] == "drag.target" and "t" in e:
                heard[e["peer"], e["drag"]] = int(e["t"].split(":")[0])
        for d in draggers:
            for drag, sent in d.last.items():
                got = heard.get((d.peer.me, drag))
                if got != sent:
                    wrong.append(f"{p.name}: drag {drag} of {d.peer.name}: {got} instead of {sent}")
        if p.replica.drags:
            wrong.append(f"{p.name} still shows drags")
    # one frame a client and tick
    frames = {p.name: p.socket.messages - frames_before[p.name] for p in peers}
    commits = stored["revision"] - layout.start
    ticks = took / TICK
    for p in peers:
        own = sum(1 for a in p.replica.answers.values() for _ in a)
        if frames[p.name] > ticks + own + 10:
            wrong.append(f"{p.name} got {frames[p.name]} frames in {ticks:.0f} ticks")
    ended = sum(1 for e in peers[0].events if e["type"] == "drag.ended")
    targets = sum(d.sent for d in draggers)
    events = sum(len(p.events) - first[p.name] for p in peers)
    latencies.sort()

    def at(share):
        return latencies[min(len(latencies) - 1, int(len(latencies) * share))] * 1000

    total = sum(frames.values())
    say(f"clients {clients}, dragging {dragging} at {hertz} Hz, {took:.1f} s")
    say(f"targets sent {targets}, drags ended {ended}, commits {commits}")
    say(f"frames {total} ({total / clients / took:.0f} a client and second, the most "
        f"{max(frames.values())}; ticks of 4 ms {ticks:.0f}), events {events} "
        f"({events / max(total, 1):.2f} a frame)")
    say(f"target seen after (this program included): median {at(0.5):.2f} ms, "
        f"p95 {at(0.95):.2f} ms, p99 {at(0.99):.2f} ms, worst {at(1):.2f} ms")
    say("frames taken in within 4 ms by one client: "
        + ", ".join(f"{k}: {v}" for k, v in sorted(clumps.items())[:6]))
    say(f"wrong: {len(wrong)}" + "".join(f"\n  {w}" for w in wrong[:20]))
    for p in peers:
        p.socket.hang_up()
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clients", type=int, default=50)
    parser.add_argument("--dragging", type=int, default=10)
    parser.add_argument("--hertz", type=float, default=60)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--port", type=int)
    options = parser.parse_args()
    server = Server()
    if options.port:
        server.port = options.port
    else:
        server.start()
    try:
        wrong = run(server, options.clients, options.dragging, options.hertz, options.seconds)
    finally:
        if server.process:
            server.remove()
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
