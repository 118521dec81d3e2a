internal import BoardModel
internal import BoardWire

/// Live drags: ephemeral, leased, never written.
extension Room {
    func begin(
        drag number: Int, icons: [IconID], by participant: Participant, _ session: Session,
        time: EventTime, into effects: inout [Effect]
    ) -> ErrorEvent? {
        guard number > participant.dragHighest else {
            return ErrorEvent(
                code: .invalid, message: "drag numbers count up", field: "drag", drag: number)
        }
        participant.dragHighest = number
        participant.lapsed[number] = nil
        endDrag(of: participant, .cancelled)
        if let refusal = refusal(of: icons, by: participant) {
            participant.remember(denied: refusal.reason, drag: number)
            tell(
                .dragDenied(drag: number, reason: refusal.reason, holder: refusal.holder),
                to: session)
            return nil
        }
        let present = icons.filter { announced.icon($0) != nil }
        participant.drag = Drag(number: number, icons: present, now: time.now)
        effects.append(.count(.drag))
        tell(.dragBegan(peer: participant.number, drag: number, icons: present))
        return nil
    }

    func target(
        _ message: DragTarget, by participant: Participant, _ session: Session, time: EventTime
    ) -> ErrorEvent? {
        guard let drag = participant.drag, drag.number == message.drag else {
            // Its drop is being decided: a late target is no fault, and says nothing any more.
            if !participant.deciding.contains(where: { $0.number == message.drag }) {
                tell(.dragDenied(drag: message.drag, reason: .noDrag, holder: nil), to: session)
            }
            return nil
        }
        if let field = unreadableField(base: message.base, target: message.target) {
            return ErrorEvent(
                code: .invalid, message: "out of range", field: field, drag: message.drag)
        }
        drag.take(
            message, base: message.base ?? announced.revision,
            point: message.point.map { clamp($0) }, now: time.now)
        needsFlush = true
        return nil
    }

    func cancel(drag number: Int, by participant: Participant, _ session: Session) {
        guard let drag = participant.drag, drag.number == number else {
            tell(.dragDenied(drag: number, reason: .noDrag, holder: nil), to: session)
            return
        }
        endDrag(of: participant, .cancelled)
    }

    /// Ends a live drag for a cause that isn't its drop, and tells everyone.
    func endDrag(of participant: Participant, _ outcome: DragOutcome) {
        guard let drag = participant.drag else { return }
        participant.drag = nil
        if outcome != .cancelled { participant.remember(lapsed: drag) }
        tell(
            .dragEnded(
                peer: participant.number, drag: drag.number, outcome: outcome, revision: nil))
    }

    /// Ends the drags of which no icon is left: every one was removed, or was gone `before`.
    ///
    /// Asked for each commit, not for a batch: one may remove an icon and the next bring it back.
    func endDrags(of removed: Set<IconID>, before: BoardState) {
        for participant in participants {
            guard let drag = participant.drag,
                drag.icons.contains(where: { removed.contains($0) }),
                drag.icons.allSatisfy({ removed.contains($0) || before.icon($0) == nil })
            else { continue }
            endDrag(of: participant, .removed)
        }
    }

    /// After a commit that changed a rule was told, the drags it forbids end. So do those whose
    /// icon someone held first: two may hold what is copied, until it is brought elsewhere.
    func endForbiddenDrags() {
        var held: Set<IconID> = []
        for (participant, drag) in liveDrags() {
            let isHeld = drag.icons.contains {
                held.contains($0) && !announced.copiesOnLift($0)
            }
            let refusal = announced.liftRefusal(icons: drag.icons, role: participant.role)
            guard !isHeld, refusal == nil else {
                endDrag(of: participant, .forbidden)
                continue
            }
            held.formUnion(drag.icons)
        }
    }

    /// In the order of their begin.
    private func liveDrags() -> [(Participant, Drag)] {
        participants.compactMap { participant in participant.drag.map { (participant, $0) } }
            .sorted { $0.1.begun < $1.1.begun }
    }

    /// Why icons may not be lifted, and who holds them if that is why.
    private func refusal(
        of icons: [IconID], by participant: Participant
    ) -> (reason: Reason, holder: Peer?)? {
        if let reason = announced.liftRefusal(icons: icons, role: participant.role) {
            return (reason, nil)
        }
        for other in participants where other !== participant {
            let held = ([other.drag].compactMap(\.self) + other.deciding).flatMap(\.icons)
            let isHeld = icons.contains { held.contains($0) && !announced.copiesOnLift($0) }
            if isHeld { return (.held, other.peer) }
        }
        return nil
    }

    /// The field of a target that no client can have meant, if there is one.
    private func unreadableField(base: Int?, target: Target?) -> String? {
        if let base, base < 0 || base > announced.revision { return "base" }
        if let index = target?.index, index < 0 { return "target.index" }
        return nil
    }

    /// Into the section, and on to its board's axis.
    private func clamp(_ point: Point) -> Point {
        let x = min(max(point.x, 0), 1)
        let y = min(max(point.y, 0), 1)
        switch announced.presentation.axis {
        case .free: return Point(x: x, y: y)
        case .horizontal: return Point(x: x, y: 0.5)
        case .vertical: return Point(x: 0.5, y: y)
        }
    }
}
