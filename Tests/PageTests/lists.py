"""What an edit or a drag does to the lists on one screen: a model of its own.

Written from docs/PROTOCOL.md and the rules below; it shares no code with the page.

- A section's list is its flow, with every pinned icon put in at the index it holds, or at the end
  of a shorter list.
- A target means a gap between two icons of the flow: straight after `after` where that stands now,
  else straight before `before`, else `index` in the list without the icons that move, else the end.
  A pinned neighbour means: after the nearest flowing icon on its left.
- An edit that the rules of the sections refuse, as the lists stand, changes nothing; nor do undo and
  redo, which nobody can foresee.
"""


class Lists:
    """The lists of all sections at one moment. Changes make new ones."""

    def __init__(self, order, icons, rules):
        self.order, self.icons, self.rules = order, icons, rules

    @classmethod
    def of(cls, board):
        """Of a board as the protocol has it."""
        return cls({s["id"]: [i["id"] for i in s["icons"]] for s in board["sections"]},
                   {i["id"]: i for s in board["sections"] for i in s["icons"]},
                   {s["id"]: s for s in board["sections"]})

    def section(self, icon):
        return next((s for s, icons in self.order.items() if icon in icons), None)

    def pin(self, icon):
        return self.icons[icon].get("pinnedAt")

    def flow(self, section, moving=()):
        return [i for i in self.order[section] if self.pin(i) is None and i not in moving]

    def seen(self, section, flow):
        """The visible list that a flow makes."""
        out = list(flow)
        pins = [i for i in self.order[section] if self.pin(i) is not None]
        for icon in sorted(pins, key=self.pin):
            out.insert(min(self.pin(icon), len(out)), icon)
        return out

    def slot(self, section, to, moving):
        """How many icons of the flow stand left of the gap that a target means."""
        flow = self.flow(section, moving)
        if to.get("at"):
            return 0 if to["at"] == "start" else len(flow)
        seen = self.seen(section, flow)
        for side in ("after", "before"):
            icon = to.get(side)
            if icon in flow:
                return flow.index(icon) + (side == "after")
            if icon in seen:
                return self._flowing(seen[:seen.index(icon)])
        return len(flow) if to.get("index") is None else self._flowing(seen[:to["index"]])

    def _flowing(self, icons):
        return sum(self.pin(i) is None for i in icons)

    def refused(self, kind, icons, section):
        """Whether the rules refuse to move or copy icons into a section, as the lists stand."""
        sources = [self.section(i) for i in icons]
        rule = self.rules.get(section)
        if not sources or rule is None:
            return True
        for icon, source in zip(icons, sources):
            lift = self.rules[source]["lift"]
            if lift == "none":
                return True
            if kind == "icon.move":
                if lift == "copy" or self.icons[icon].get("locked") or self.pin(icon) is not None:
                    return True
            elif lift != "copy" or source == section:
                return True
        strangers = sum(source != section for source in sources)
        if rule["drop"] == "none" or (rule["drop"] == "own" and strangers):
            return True
        room = rule.get("capacity", float("inf")) - len(self.order[section])
        return strangers > room

    def put(self, kind, icons, to, new_ids=()):
        """The lists with icons moved or copied to a target, where the rules allow it."""
        here = [i for i in icons if self.section(i)]
        section = to.get("section") or (here and self.section(here[0]))
        return self if self.refused(kind, here, section) else self.laid(kind, icons, to, new_ids)

    def laid(self, kind, icons, to, new_ids=()):
        """The same, whatever the rules say."""
        here = [i for i in icons if self.section(i)]
        section = to.get("section") or self.section(here[0])
        known, order = dict(self.icons), dict(self.order)
        if kind == "icon.copy":
            moving, block = (), []
            for icon, twin in zip(icons, new_ids):
                if icon in here:
                    known[twin] = {**self.icons[icon], "id": twin, "locked": None, "pinnedAt": None}
                    block.append(twin)
        else:
            moving, block = set(here), here
            for source in {self.section(i) for i in here}:
                order[source] = self.seen(source, self.flow(source, moving))
        flow = self.flow(section, moving)
        slot = self.slot(section, to, moving)
        order[section] = self.seen(section, flow[:slot] + block + flow[slot:])
        return Lists(order, known, self.rules)

    def take_out(self, icons):
        order = {}
        for section, list_ in self.order.items():
            kept = Lists({section: [i for i in list_ if i not in icons]}, self.icons, self.rules)
            order[section] = kept.seen(section, kept.flow(section))
        return Lists(order, self.icons, self.rules)

    def add(self, icon, to):
        section = to["section"]
        rule = self.rules[section]
        if self.section(icon["id"]) or rule["drop"] != "any" \
                or len(self.order[section]) >= rule.get("capacity", float("inf")):
            return self
        flow, slot = self.flow(section), self.slot(section, to, ())
        new = Lists(dict(self.order), {**self.icons, icon["id"]: icon}, self.rules)
        new.order[section] = new.seen(section, flow[:slot] + [icon["id"]] + flow[slot:])
        return new

    def done(self, edit):
        """The lists with one undecided edit of this person's done."""
        kind = edit["kind"]
        if kind in ("icon.move", "icon.copy"):
            return self.put(kind, edit["icons"], edit["to"], edit.get("newIDs", ()))
        if kind == "icon.remove":
            return self.take_out(set(edit["icons"]))
        if kind == "icon.add":
            return self.add(edit["icon"], edit["to"])
        assert kind in ("undo", "redo", "board.update"), f"the model has no {kind}"
        return self

    def beside(self, section, index, moving):
        """The target beside two neighbours that a final index means; None for an unknown section.

        The index stays with it, for lists in which both neighbours are elsewhere.
        """
        if section not in self.order:
            return None
        flow = self.flow(section, moving)
        seen = self.seen(section, flow)
        slot = self._flowing(seen[:index])
        target = self.between(section, flow, slot)
        return target if "at" in target else {**target, "index": seen.index(flow[slot])}

    @staticmethod
    def between(section, flow, slot):
        if slot <= 0:
            return {"section": section, "at": "start"}
        if slot >= len(flow):
            return {"section": section, "at": "end"}
        return {"section": section, "after": flow[slot - 1], "before": flow[slot]}

    def gaps(self, moving):
        """Every target there is."""
        for section in self.order:
            flow = self.flow(section, moving)
            for slot in range(len(flow) + 1):
                yield self.between(section, flow, slot)
