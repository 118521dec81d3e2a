"""How fast the page is: 500 icons and ten people who drag at 60 Hz. Prints figures; no test.

    make measure [SECONDS=20]

A browser without a screen draws in software, on the same processors as the server and the ten people.
The share of late frames therefore says as much about the machine as about the page; "script" is the
page's own part of each frame: all its frame callbacks together.
"""
import math
import os
import pathlib
import select
import statistics
import sys
import time

from playwright.sync_api import sync_playwright

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "ProtocolTests"))

from client import Peer  # noqa: E402
from server import Layout, Server  # noqa: E402

SECONDS = float(os.environ.get("SECONDS", 20))
ICONS, PEOPLE, RATE, LOADS = 500, 10, 60, 10
COLUMNS = 20
WATCH = """
window.recordsTimes = true;
window.longTasks = [];
new PerformanceObserver((list) => list.getEntries().forEach(({ startTime, duration }) =>
  longTasks.push([startTime, duration]))).observe({ type: 'longtask', buffered: true });
(() => {
  const look = () => {
    if (document.querySelector('#board:not(.skeleton) [data-icon]')) console.log(`first board ${performance.now()}`);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})();
"""
SCRIPTS = """() => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
  .map(({ name, decodedBodySize }) => {
    const path = new URL(name).pathname;
    return [path, decodedBodySize, document.querySelector(`[href="${path}"], [src="${path}"]`) !== null];
  })"""
LIVE = "() => document.body.dataset.hands !== undefined"


def share(values, limit):
    return f"{100 * sum(v > limit for v in values) / len(values):.1f} %"


def spread(values):
    """p50, p95, p99, worst"""
    ranked = sorted(values)
    return [ranked[min(len(ranked) - 1, math.ceil(len(ranked) * p) - 1)] for p in (.5, .95, .99, 1)]


class Measure:
    def __init__(self, server, browser):
        self.server, self.browser = server, browser
        names = [f"i{n}" for n in range(ICONS)]
        self.board = Layout(server, {"home": {"icons": names, "layout": {
            "kind": "grid", "columns": COLUMNS}}}, title="Measured")
        self.icons = self.board.many(names)

    def page(self, board):
        page = self.browser.new_page(viewport={"width": 1800, "height": 1000})
        page.add_init_script(WATCH + (HERE / "recorder.js").read_text())
        # Nothing is asked of the page until it has told: the asking is script, too.
        with page.expect_console_message(lambda said: said.text.startswith("first board")) as told:
            page.goto(f"http://127.0.0.1:{self.server.port}/b/{board}", wait_until="commit")
        page.wait_for_function(LIVE)
        return page, float(told.value.text.split()[-1])

    def first_board(self, board):
        times = []
        for _ in range(LOADS):
            page, first = self.page(board)
            times.append(first)
            page.close()
        print(f"  {statistics.median(times):8.0f} ms   median of {LOADS}, worst {max(times):.0f} ms")

    def drag(self, page):
        """Ten people draw circles over the board."""
        people = [Peer(self.server, self.board.id, name=f"P{n}") for n in range(PEOPLE)]
        drags = [one.begin(self.icons[n * 40]) for n, one in enumerate(people)]
        page.evaluate("() => { recorded.frames.script.length = 0; longTasks.length = 0; }")
        started, sent = time.monotonic(), 0
        while (now := time.monotonic() - started) < SECONDS:
            for n, (one, drag) in enumerate(zip(people, drags)):
                turn = now * (0.6 + n / 20) + n
                across, down = 0.5 + 0.4 * math.cos(turn), 0.5 + 0.45 * math.sin(turn)
                index = int(down * (ICONS / COLUMNS - 1)) * COLUMNS + int(across * COLUMNS)
                one.target(drag, {"section": "home", "index": index}, point={"x": across, "y": down})
                sent += 1
            # Reads what the server says, unlooked at, until the next frame of the sixty is due.
            due = started + sent / PEOPLE / RATE
            while (left := due - time.monotonic()) > 0:
                for ready in select.select([one.socket.socket for one in people], [], [], left)[0]:
                    ready.recv(1 << 20)
        rate = sent / PEOPLE / (time.monotonic() - started)
        seen = page.evaluate("() => [recorded.frames.script, longTasks]")
        for one, drag in zip(people, drags):
            one.send({"type": "drag.cancel", "drag": drag})
            one.socket.hang_up()
        return rate, seen

    def frames(self, page):
        rate, (frames, tasks) = self.drag(page)
        times = [frame[0] for frame in frames]
        gaps = [after - before for before, after in zip(times, times[1:])]
        print(f"  {len(frames)} frames in {SECONDS:.0f} s, targets sent at {rate:.0f} Hz by each of {PEOPLE}")
        print(f"  {'':22}{'p50':>8}{'p95':>8}{'p99':>8}{'worst':>8}{'> 17 ms':>10}{'> 34 ms':>10}")
        for what, values in (("from frame to frame", gaps), ("script in a frame", [f[1] for f in frames])):
            cells = "".join(f"{value:8.1f}" for value in spread(values))
            print(f"  {what:22}{cells}{share(values, 17):>10}{share(values, 34):>10}")
        longest = max((task[1] for task in tasks), default=0)
        print(f"  {len(tasks)} tasks over 50 ms" + (f", the longest {longest:.0f} ms" if tasks else ""))

    def scripts(self, board):
        """By request: what the document names, for the first board; and what comes later."""
        page, _ = self.page(board)
        page.get_by_test_id("edit").click()
        page.locator("[data-icon]").first.click()
        page.get_by_test_id("editor").wait_for()
        scripts = page.evaluate(SCRIPTS)
        for path, size, named in scripts:
            print(f"  {size:8} {path}{'' if named else '   later'}")
        print(f"  {sum(size for _, size, named in scripts if named):8} until the first board")
        print(f"  {sum(size for _, size, _ in scripts):8} after everything has been used")
        page.close()


def main():
    server = Server().start()
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path="/usr/bin/chromium", args=["--no-sandbox", "--disable-gpu"])
            measure = Measure(server, browser)
            small = server.create(template="home", title="Small")["id"]
            for board, size in ((small, 24), (measure.board.id, ICONS)):
                print(f"\nfirst board, {size} icons, from the start of the navigation:")
                measure.first_board(board)
            print(f"\n{ICONS} icons, {PEOPLE} remote drags:")
            page, _ = measure.page(measure.board.id)
            measure.frames(page)
            page.close()
            print("\nbytes of script:")
            measure.scripts(small)
            browser.close()
    finally:
        server.remove()


if __name__ == "__main__":
    main()
