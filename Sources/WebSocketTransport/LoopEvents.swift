internal import Glibc

/// What the loop reports.
extension WebSocketTransport {
    /// Something in the epoll set is ready.
    func pollReady() {
        guard !isDown else { return }
        for event in poller.ready() {
            now = Clock.now()
            switch event.token {
            case Source.listener: acceptWaiting()
            case Source.timer: timerReady()
            case Source.waker:
                waker.acknowledge()
                delegate?.woken()
            default: httpReady(event)
            }
            if isDown { return }
        }
    }

    func stopSignalled() {
        now = Clock.now()
        delegate?.stopRequested()
    }

    /// Sets the timer to the earlier of the delegate's deadline and the next sweep.
    func armTimer() {
        guard !isDown else { return }
        switch (userDeadline, sweepAt) {
        case (let one?, let other?): timer.arm(at: min(one, other))
        case (let one, let other): timer.arm(at: one ?? other)
        }
    }

    /// Has deadlines looked at from now on; without any, the loop may sleep for good.
    func watchDeadlines() {
        guard sweepAt == nil else { return }
        sweepAt = now + sweepInterval
        armTimer()
    }

    private var sweepInterval: Int64 { 250_000_000 }

    private func timerReady() {
        timer.acknowledge()
        if let due = sweepAt, due <= now { sweep() }
        if let due = userDeadline, due <= now {
            userDeadline = nil
            delegate?.timerFired()
        }
        armTimer()
    }

    /// Looks at every deadline. Those of HTTP last seconds and those of WebSockets concern the few
    /// that are stuck or closing, so a list is enough.
    private func sweep() {
        sweepAt = nil
        for connection in http.elements where connection.deadline <= now {
            httpTimedOut(connection)
        }
        for id in watched { checkDeadline(of: id) }
        if isDown { return }
        if !isAccepting { resumeAccepting() }
        if http.count > 0 || !watched.isEmpty || !isAccepting { watchDeadlines() }
    }

    private func acceptWaiting() {
        // A few at a time: those who are connected come first.
        for _ in 0..<32 where listener >= 0 {
            guard http.count + webSockets.count < connectionsMax else { return pauseAccepting() }
            switch Sockets.accept(listener, kernelQueueBytes: configuration.kernelQueueBytes) {
            case .none: return
            case .exhausted: return pauseAccepting()
            case .accepted(let accepted): httpAccepted(accepted)
            }
        }
    }

    /// Leaves those who wait in the kernel's queue. Asking again would cost a whole core.
    private func pauseAccepting() {
        guard isAccepting, listener >= 0 else { return }
        isAccepting = false
        poller.remove(listener)
        watchDeadlines()
    }

    func resumeAccepting() {
        guard !isAccepting, listener >= 0, http.count + webSockets.count < connectionsMax else {
            return
        }
        isAccepting = true
        poller.add(listener, .reading, token: Source.listener)
    }
}
