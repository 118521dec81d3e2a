extension BoardState {
    /// What would become of a drop of `icons` on `target`, asked any number of times during a drag.
    ///
    /// Follows the rules of the commit to the letter, and has no effect. `nil` for `target` is a
    /// place outside every section; `base` is the revision on the sender's screen, `nil` for the
    /// newest. O(slots), no allocation but for long blocks and for indices without neighbours.
    public func propose(
        icons: [IconID], to target: Target?, copy: Bool, base: Int?, client: ClientID, role: Role
    ) -> Proposal {
        guard let target else { return Proposal(kind: .cancel) }
        let present = icons.filter { self.icons[$0] != nil }
        guard !present.isEmpty else { return Proposal(kind: .cancel, reason: .external) }
        let sender = Sender(base: base ?? revision, client: ledger.number(of: client))
        guard role != .viewer else {
            return forbidden(.readOnly, present, at: target, for: sender)
        }
        do throws(Refusal) {
            try check(base: sender.base)
            if copy || copiesOnDrop(present) {
                // An edit may copy what is locked or pinned, but a drag has to lift it first.
                try checkHold(present)
                var place = target
                place.section = section(meantBy: target, moving: present, for: sender)
                // Any unused identifiers will do; the server makes them when the drop comes.
                let plan = try planCopy(icons, as: unused(icons.count), to: place, for: sender)
                return Proposal(kind: .copy, position: position(of: plan))
            }
            let plan = try planMove(icons, to: target, for: sender)
            return Proposal(kind: .move, position: position(of: plan))
        } catch {
            return forbidden(error.reason, present, at: target, for: sender)
        }
    }

    /// Why a drag of `icons` cannot begin; `nil` when it can. O(slots).
    ///
    /// A block is refused whole. Members that are not on the board are left out, unless all are:
    /// `external` when none was ever seen here, else `icon_gone`.
    public func liftRefusal(icons: [IconID], role: Role) -> Reason? {
        guard !icons.isEmpty, !Block(icons).hasRepeats else { return .invalid }
        guard role != .viewer else { return .readOnly }
        let present = icons.filter { self.icons[$0] != nil }
        guard !present.isEmpty else {
            return icons.contains(where: wasHere) ? .iconGone : .external
        }
        var copies = 0
        for icon in present {
            guard let place = place(of: icon) else { continue }
            if let reason = hold(on: icon, at: place) { return reason }
            switch sections[place.section].lift {
            case .none: return .sectionLocked
            case .copy: copies += 1
            case .move: break
            }
        }
        return copies == 0 || copies == present.count ? nil : .invalid
    }

    /// Whether lifting this icon makes a copy of it: such a drag holds nothing against others.
    public func copiesOnLift(_ icon: IconID) -> Bool {
        guard icons[icon] != nil, let place = place(of: icon) else { return false }
        return sections[place.section].lift == .copy
    }

    /// Whether dropping these icons copies them, the client asking for it or not.
    public func copiesOnDrop(_ icons: [IconID]) -> Bool {
        let present = icons.filter { self.icons[$0] != nil }
        return !present.isEmpty && present.allSatisfy(copiesOnLift)
    }

    /// The section that a drag's target means: the one it names, else the one where the client saw
    /// the first icon. `nil` when it saw none of them.
    public func section(
        meantBy target: Target, moving icons: [IconID], base: Int?, client: ClientID
    ) -> SectionID? {
        let sender = Sender(base: base ?? revision, client: ledger.number(of: client))
        return section(
            meantBy: target, moving: icons.filter { self.icons[$0] != nil }, for: sender)
    }

    private func section(
        meantBy target: Target, moving icons: [IconID], for sender: Sender
    ) -> SectionID? {
        if let named = target.section { return named }
        guard let first = icons.first,
            let section = sectionSeen(of: first, by: sender) ?? place(of: first)?.section
        else { return nil }
        return sections[section].id
    }

    private func checkHold(_ icons: [IconID]) throws(Refusal) {
        for icon in icons {
            if let place = place(of: icon), let reason = hold(on: icon, at: place) {
                throw Refusal(reason)
            }
        }
    }

    private func wasHere(_ icon: IconID) -> Bool {
        sections.contains { $0.slots.contains { $0.icon == icon && $0.gone > oldest } }
    }

    private func forbidden(
        _ reason: Reason, _ icons: [IconID], at target: Target, for sender: Sender
    ) -> Proposal {
        Proposal(
            kind: .forbidden, reason: reason, position: position(icons, at: target, for: sender))
    }

    /// Where a drop would be, did no rule forbid it.
    private func position(
        _ icons: [IconID], at target: Target, for sender: Sender
    ) -> Position? {
        let section =
            target.section.map(sectionIndex)
            ?? icons.first.flatMap { sectionSeen(of: $0, by: sender) ?? place(of: $0)?.section }
        let block = Block(icons)
        guard let section, (try? check(base: sender.base)) != nil,
            let index = try? resolve(
                target, in: section, for: sender, moving: block, field: "edit.to")
        else { return nil }
        return position(in: section, at: index, without: block)
    }

    private func position(of plan: MovePlan) -> Position {
        position(in: plan.section, at: plan.index, without: plan.block)
    }

    private func position(of plan: CopyPlan) -> Position {
        position(in: plan.section, at: plan.index, without: Block([]))
    }

    /// The final index of what is put at `index` of the slots.
    private func position(in section: Int, at index: Int, without block: Block) -> Position {
        let state = sections[section]
        var flow = 0
        for slot in state.slots[..<index] where slot.isPresent && !block.contains(slot.icon) {
            flow += 1
        }
        var index = flow
        var cursor = PinCursor()
        for pin in state.pins where !block.contains(pin.icon) {
            if cursor.next(holding: pin.pin, count: .max) <= index { index += 1 }
        }
        return Position(section: state.id, index: index)
    }

    /// Identifiers that no icon here has.
    private func unused(_ count: Int) -> [IconID] {
        var low: UInt64 = 0
        return (0..<count).map { _ in
            repeat { low += 1 } while icons[IconID(high: 0, low: low)] != nil
            return IconID(high: 0, low: low)
        }
    }
}
