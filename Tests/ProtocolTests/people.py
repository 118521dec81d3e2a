"""A person who does everything at once, by chance, on the board as it was last confirmed."""
from client import new_id
from replica import UNDECIDED


def decides(answer):
    """Whether its number is spent."""
    return answer["type"] == "commit" or answer.get("reason") not in UNDECIDED


class Person:
    """Random acts on the confirmed board; loses the network now and then."""

    def __init__(self, board, number, rnd):
        self.board, self.random, self.number = board, rnd, number
        self.peer = board.join(f"person {number}")
        self.sent, self.drag = {}, None

    def icons(self):
        return [i for v in self.peer.order.values() for i in v]

    def target(self):
        rnd = self.random
        section = rnd.choice([s["id"] for s in self.peer.replica.board["sections"]])
        icons = self.peer.order[section]
        kind = rnd.random()
        if not icons or kind < 0.3:
            return {"section": section, "at": rnd.choice(["start", "end"])}
        at = rnd.randrange(len(icons))
        if kind < 0.75:
            out = {"section": section, "after": icons[at]}
            if at + 1 < len(icons):
                out["before"] = icons[at + 1]
            return out
        return {"section": section, "index": rnd.randint(0, len(icons) + 1)}

    def edit(self):
        rnd, icons = self.random, self.icons()
        kind = rnd.random()
        if not icons or kind < 0.12:
            return {"kind": "icon.add", "to": self.target(),
                    "icon": {"id": new_id(), "red": rnd.random(), "green": 0.5, "blue": 0}}
        some = rnd.sample(icons, min(len(icons), rnd.choice([1, 1, 1, 2, 3])))
        if kind < 0.55:
            return {"kind": "icon.move", "icons": some, "to": self.target()}
        if kind < 0.62:
            return {"kind": "icon.copy", "icons": some, "to": self.target()}
        if kind < 0.70:
            return {"kind": "icon.remove", "icons": some}
        if kind < 0.80:
            return {"kind": "icon.update", "icon": some[0], "set": rnd.choice([
                {"label": f"{rnd.random()}"}, {"label": None}, {"red": rnd.random()},
                {"locked": rnd.choice([True, None])}, {"pinnedAt": rnd.choice([0, 2, 5, None])}])}
        if kind < 0.92:
            return {"kind": rnd.choice(["undo", "undo", "redo"])}
        return rnd.choice([
            {"kind": "section.move", "section": "t"},
            {"kind": "section.move", "section": "t", "before": "s"},
            {"kind": "section.update", "section": rnd.choice("stu"),
             "set": {"capacity": rnd.choice([None, 5, 50])}},
            {"kind": "section.remove", "section": "u"},
            {"kind": "section.add", "section": {
                "id": "u", "title": "U", "layout": {"kind": "row", "columns": 3}, "lift": "move",
                "drop": "any", "icons": []}}])

    def act(self):
        p, rnd = self.peer, self.random
        kind = rnd.random()
        if kind < 0.45:
            message = p.message(self.edit())
            self.sent[message["seq"]] = message
            p.send(message)
        elif kind < 0.5 and self.sent:
            repeat = rnd.choice(list(self.sent.values()))
            p.send(repeat)
        elif kind < 0.6 and self.icons():
            self.drag = p.begin(*rnd.sample(self.icons(), 1), wait=False)
        elif kind < 0.85 and self.drag:
            p.target(self.drag, rnd.choice([self.target(), self.target(), None]))
        elif kind < 0.95 and self.drag:
            if rnd.random() < 0.7:
                seq = p.drop(self.drag, wait=False,
                             **({"target": self.target()} if rnd.random() < 0.5 else {}))
                self.sent[seq] = {"type": "edit", "seq": seq, "base": p.revision,
                                  "edit": {"kind": "undo"}}      # what a repeat says doesn't matter
            else:
                p.cancel(self.drag)
            self.drag = None
        elif kind > 0.985:
            self.reconnect()

    def reconnect(self):
        old = self.peer
        self.random.choice([old.socket.reset, old.socket.hang_up, old.close])()
        self.peer = p = old.again(resume=self.random.random() < 0.8)
        last = p.replica.welcome["lastSeq"]
        assert last >= max((s for s, a in old.replica.answers.items() if any(map(decides, a))), default=0)
        self.drag = next((d["drag"] for d in p.replica.welcome["drags"] if d["peer"] == p.me), None)
        again = [self.sent[s] for s in sorted(self.sent) if s > last]
        p.send(*again)
