"""Fingers and pens, as the browser gets them from a screen."""


class Finger:
    """One or several fingers on a page's screen."""

    def __init__(self, one):
        self.one = one
        self.session = one.page.context.new_cdp_session(one.page)
        self.points = {}

    def _send(self, kind):
        points = [{"x": x, "y": y, "id": number} for number, (x, y) in self.points.items()]
        self.session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def down(self, x, y, number=0):
        self.points[number] = (x, y)
        self._send("touchStart")

    def move(self, x, y, steps=3, number=0):
        fromx, fromy = self.points[number]
        for step in range(1, steps + 1):
            self.points[number] = (fromx + (x - fromx) * step / steps,
                                   fromy + (y - fromy) * step / steps)
            self._send("touchMove")
        self.one.frames()

    def up(self, number=0):
        del self.points[number]
        self._send("touchMove" if self.points else "touchEnd")
        self.one.frames()

    def cancel(self):
        self.points.clear()
        self._send("touchCancel")
        self.one.frames()


class Pen:
    """A pen on a page's screen."""

    def __init__(self, one):
        self.one = one
        self.session = one.page.context.new_cdp_session(one.page)
        self.place = None

    def _send(self, kind, buttons=1):
        x, y = self.place
        self.session.send("Input.dispatchMouseEvent", {
            "type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1,
            "pointerType": "pen"})

    def down(self, x, y):
        self.place = (x, y)
        self._send("mousePressed")

    def move(self, x, y):
        self.place = (x, y)
        self._send("mouseMoved")
        self.one.frames()

    def up(self):
        self._send("mouseReleased", 0)
        self.one.frames()
