"""A page of one board, as a person uses it, and what can be seen on it.

Everything here is read from the hooks that the page documents (Web/assets/page.js). Nothing sleeps:
a wait names what has to be seen, and ends when it is.
"""
import re

FRAMES = """n => new Promise((resolve) => {
  const step = () => (n-- > 0 ? requestAnimationFrame(step) : resolve());
  step();
})"""
ORDER = """() => Object.fromEntries([...document.querySelectorAll('[data-section]')].map((section) => [
  section.dataset.section,
  [...section.querySelectorAll('[data-icon]')].map((icon) => icon.dataset.icon)]))"""
GAP = """who => document.querySelector(`[data-gap="${who}"]`)?.dataset.cell ?? null"""
# Lost connections are told in the console by the browser itself.
NETWORK = re.compile(r"WebSocket connection to|net::ERR_|Failed to load resource")


def lists(board):
    """Sections and their icons in order, of a board as the server tells it."""
    return {s["id"]: [i["id"] for i in s["icons"]] for s in board["sections"]}


class BoardPage:
    def __init__(self, page, server, board, name, port):
        self.page, self.server, self.board, self.name = page, server, board, name
        self.port = port
        self.complaints = []
        self.may_lose_network = False
        page.on("console", lambda m: m.type == "error" and self._complain(m.text))
        page.on("pageerror", lambda error: self._complain(f"{error} {error.stack}"))

    def _complain(self, text):
        if not (self.may_lose_network and NETWORK.search(text)):
            self.complaints.append(text)

    def open(self, suffix=""):
        self.page.goto(f"http://127.0.0.1:{self.port}/b/{self.board}{suffix}")
        return self.live()

    # What can be waited for.
    def until(self, expression, arg=None, timeout=10_000):
        """Waits until an expression of the page's is true, and returns what it is."""
        return self.page.wait_for_function(expression, arg=arg, timeout=timeout).json_value()

    def live(self):
        self.until("""() => {
          const { state, revision, view, hands } = document.body.dataset;
          return state === 'live' && revision && document.querySelector('#board:not(.skeleton)')
            && (view === 'kiosk' || hands !== undefined);
        }""", timeout=20_000)
        return self

    def settled(self, revision=0, timeout=10_000):
        """Live, nothing of its own undecided, and at least at a revision."""
        self.until("""least => {
          const { state, pending, revision } = document.body.dataset;
          return state === 'live' && pending === '0' && Number(revision) >= least;
        }""", revision, timeout)
        self.frames()
        return self

    def frames(self, count=2):
        """Waits until the page has drawn."""
        self.page.evaluate(FRAMES, count)
        return self

    def at_rest(self):
        """Nothing is on its way: every icon has arrived in its cell, nothing is held."""
        self.until("() => !document.querySelector('#hands > *, .icon.leave, .icon.landing')")
        return self.still()

    def still(self):
        """Every icon has arrived in its cell; something may be held."""
        self.page.evaluate("""() => new Promise((resolve) => {
          let last = '';
          const step = () => {
            const now = [...document.querySelectorAll('[data-icon]')]
              .map((icon) => icon.style.transform + icon.dataset.cell).join();
            if (now === last) resolve();
            else {
              last = now;
              requestAnimationFrame(() => requestAnimationFrame(step));
            }
          };
          step();
        })""")
        return self

    # What is seen.
    def order(self):
        return self.page.evaluate(ORDER)

    def words(self):
        """Labels in order, by section."""
        return self.page.evaluate("""() => Object.fromEntries(
          [...document.querySelectorAll('[data-section]')].map((section) => [section.dataset.section,
            [...section.querySelectorAll('[data-icon] .label')].map((label) => label.textContent)]))""")

    def gap(self, who="me"):
        """The section and final index of a gap, or None."""
        cell = self.page.evaluate(GAP, str(who))
        section, _, index = (cell or "").rpartition(" ")
        return (section, int(index)) if cell else None

    def sees_gap(self, who, section, index, timeout=10_000):
        self.until("([who, cell]) => document.querySelector(`[data-gap=\"${who}\"]`)?.dataset.cell "
                   "=== cell", [str(who), f"{section} {index}"], timeout)

    def sees_order(self, wanted, timeout=10_000):
        """Waits for the lists of the sections that are named."""
        self.until(f"""wanted => {{
          const seen = ({ORDER})();
          return Object.entries(wanted).every(([id, icons]) => String(seen[id]) === String(icons));
        }}""", wanted, timeout)

    def icon(self, icon):
        return self.page.locator(f'[data-icon="{icon}"]')

    def named(self, label):
        """The id of the icon with a label."""
        return self.page.locator("[data-icon]", has=self.page.get_by_text(label, exact=True)) \
            .first.get_attribute("data-icon")

    @property
    def peer(self):
        """My number."""
        return int(self.page.locator("[data-me]").get_attribute("data-peer"))

    def data(self, name):
        return self.page.evaluate("name => document.body.dataset[name]", name)

    @property
    def revision(self):
        return int(self.data("revision"))

    @property
    def pending(self):
        return int(self.data("pending"))

    def said(self, text, timeout=10_000):
        """Waits for words in the live region."""
        self.until("text => document.getElementById('live').textContent.includes(text)", text,
                   timeout)

    def toasted(self, text, timeout=10_000):
        self.until("text => document.querySelector('#toast[data-shown]')?.textContent.includes(text)",
                   text, timeout)

    # Where things are.
    def cells(self):
        """The middle of every cell's tile: {"SECTION INDEX": (x, y)}. Asked when all is at rest."""
        self.at_rest()
        return {cell: tuple(place) for cell, place in self.page.evaluate("""() =>
          [...document.querySelectorAll('[data-cell]')].map((icon) => {
            const { left, top, width } = icon.getBoundingClientRect();
            return [icon.dataset.cell, [left + width / 2, top + width / 2]];
          })""")}

    def middle(self, icon):
        box = self.icon(icon).bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["width"] / 2

    # What a hand does.
    def press(self, icon):
        """Puts the mouse down on an icon and moves on, as for a lift."""
        x, y = self.middle(icon)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 12, y + 8, steps=3)
        return self.frames()

    def lift(self, icon, place=None):
        """Presses on an icon and moves far enough to lift it."""
        x, y = place or self.middle(icon)
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + 6, y + 3)
        self.until("() => document.querySelector('[data-my-drag]')")
        return self

    def carry(self, x, y, steps=2):
        self.page.mouse.move(x, y, steps=steps)
        return self.frames()

    def carry_to(self, cells, section, index):
        """Carries what is held until the gap is at a cell."""
        x, y = cells[f"{section} {index}"]
        side = self.page.evaluate("() => parseFloat(document.documentElement.style.getPropertyValue('--size'))") / 4
        for side in (side, -side, side):
            self.carry(x + side, y)
            if self.gap() == (section, index):
                return self
        raise AssertionError(f"{self.name} can't open a gap at {section} {index}: {self.gap()}")

    def add(self):
        """Adds an icon with the button, and leaves it as it comes."""
        self.page.locator("[data-testid=add]").click()
        editor = self.page.locator("[data-testid=editor]")
        editor.wait_for()
        self.page.keyboard.press("Escape")
        editor.wait_for(state="hidden")
        self.page.evaluate("() => scrollTo(0, 0)")
        return self.at_rest()

    def drop(self):
        self.page.mouse.up()
        return self.frames()

    def drag(self, icon, section, index, cells=None):
        """Lift, carry, drop; the gap shown last is where it has to land."""
        cells = cells or self.cells()
        self.lift(icon).carry_to(cells, section, index)
        return self.drop()


def agree(server, board, *pages):
    """Waits until every page has what the server has, and returns that."""
    while True:
        revision = server.board(board)["revision"]
        for page in pages:
            page.settled(revision)
        stored = server.board(board)
        if stored["revision"] == revision:
            break
    for page in pages:
        assert page.order() == lists(stored), f"{page.name} differs from the server"
    return lists(stored)
