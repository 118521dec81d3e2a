internal import Glibc

/// HTTP: one request at a time per connection, whole requests up, whole answers down.
extension WebSocketTransport {
    /// Answers a request. Does nothing when its peer is gone or it was answered before.
    package func respond(_ id: RequestID, _ response: HTTPResponse) {
        guard let connection = awaiting(id) else { return }
        now = Clock.now()
        send(response, on: connection, keepingAlive: connection.keepsAlive && listener >= 0)
        advance(connection)
    }

    func httpAccepted(_ accepted: Sockets.Accepted) {
        let deadline = now + configuration.headerTimeout.nanoseconds
        http.insert { slot, generation in
            let connection = HTTPConnection(
                accepted, slot: slot, generation: generation, deadline: deadline)
            poller.add(accepted.descriptor, .reading, token: connection.token)
            return connection
        }
        watchDeadlines()
    }

    func httpReady(_ event: Poller.Event) {
        let slot = UInt32(truncatingIfNeeded: event.token)
        let generation = UInt32(truncatingIfNeeded: event.token >> 32)
        guard let connection = http[slot, generation] else { return }
        if event.isBroken && connection.state != .readingHead && connection.state != .readingBody {
            return drop(connection)
        }
        switch connection.state {
        case .writing: advance(connection)
        case .lingering: discardInput(of: connection)
        case .awaitingAnswer: break
        case .readingHead, .readingBody:
            switch connection.readMore() {
            case .nothing: break
            case .ended: inputEnded(connection)
            case .some:
                // The time for a head begins with its first byte.
                if connection.state == .readingHead && connection.input.isEmpty == false
                    && connection.scanned == 0
                {
                    let limit = now + configuration.headerTimeout.nanoseconds
                    connection.deadline = min(connection.deadline, limit)
                }
                advance(connection)
            }
        }
    }

    func httpTimedOut(_ connection: HTTPConnection) {
        switch connection.state {
        case .readingBody: refuse(connection, .problem(408))
        default: drop(connection)
        }
    }

    /// Goes as far as bytes and the kernel allow.
    private func advance(_ connection: HTTPConnection) {
        guard !connection.isAdvancing else { return }
        connection.isAdvancing = true
        var goesOn = true
        while goesOn {
            switch connection.state {
            case .readingHead: goesOn = advanceHead(connection)
            case .readingBody:
                goesOn = connection.takeBody()
                if goesOn { handOver(connection) }
            case .writing: goesOn = advanceOutput(connection)
            case .awaitingAnswer, .lingering: goesOn = false
            }
            if http[connection.slot, connection.generation] !== connection { return }
        }
        connection.isAdvancing = false
        updateInterest(of: connection)
    }

    /// True when there is more to do at once.
    private func advanceHead(_ connection: HTTPConnection) -> Bool {
        guard !connection.input.isEmpty else { return false }
        let parser = RequestParser(
            headBytesMax: configuration.headBytesMax,
            requestLineBytesMax: configuration.requestLineBytesMax)
        switch parser.parse(connection.input, scanned: connection.scanned) {
        case .incomplete:
            connection.scanned = connection.input.count
            return false
        case .refused(let status):
            refuse(connection, .problem(status))
            return true
        case .complete(let request, let consumed):
            connection.consume(consumed)
            connection.request = request
            connection.request.head.remoteAddress = connection.remoteAddress
            connection.keepsAlive = request.keepsAlive
            begin(connection)
            return true
        }
    }

    /// A head is complete.
    private func begin(_ connection: HTTPConnection) {
        let request = connection.request
        switch UpgradeHandshake.verdict(on: request) {
        case .refused(let response): return refuse(connection, response)
        case .webSocket(let key):
            switch delegate?.decideUpgrade(request.head) ?? .refuse(.problem(503)) {
            case .accept: return upgrade(connection, key: key)
            case .refuse(let response): return refuse(connection, response)
            }
        case .none: break
        }
        guard let length = request.contentLength, length > 0 else { return handOver(connection) }
        guard length <= configuration.requestBodyBytesMax else {
            return refuse(connection, .problem(413))
        }
        connection.state = .readingBody
        connection.deadline = now + configuration.bodyTimeout.nanoseconds
        if request.expectation != nil && connection.input.isEmpty {
            // A few bytes on a socket that has nothing queued: they fit.
            connection.enqueue(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
            _ = connection.flush()
        }
    }

    /// A request is complete.
    private func handOver(_ connection: HTTPConnection) {
        nextRequestGeneration = nextRequestGeneration == .max ? 1 : nextRequestGeneration + 1
        connection.requestGeneration = nextRequestGeneration
        connection.state = .awaitingAnswer
        connection.deadline = .max
        updateInterest(of: connection)
        let body = connection.body
        connection.body = []
        let id = RequestID(slot: connection.slot, generation: connection.requestGeneration)
        guard let delegate else { return refuse(connection, .problem(503)) }
        pending[id] = connection
        delegate.request(id, head: connection.request.head, body: body)
    }

    private func awaiting(_ id: RequestID) -> HTTPConnection? {
        pending.removeValue(forKey: id)
    }

    /// Answers and hangs up; for what is wrong before a request is one.
    private func refuse(_ connection: HTTPConnection, _ response: HTTPResponse) {
        send(response, on: connection, keepingAlive: false)
        advance(connection)
    }

    private func send(
        _ response: HTTPResponse, on connection: HTTPConnection, keepingAlive: Bool
    ) {
        connection.keepsAlive = keepingAlive && !connection.inputEnded
        let head = response.encodedHead(closing: !connection.keepsAlive)
        let isBodiless =
            connection.request.head.method == "HEAD" || response.status == 204
            || response.status == 304
        connection.enqueue(head, isBodiless ? [] : response.body)
        connection.state = .writing
        connection.deadline = now + configuration.stallTimeout.nanoseconds
        watchDeadlines()
    }

    private func advanceOutput(_ connection: HTTPConnection) -> Bool {
        switch connection.flush() {
        case .broken:
            drop(connection)
            return false
        case .waiting:
            connection.deadline = now + configuration.stallTimeout.nanoseconds
            return false
        case .done:
            if connection.keepsAlive {
                connection.reset()
                connection.deadline = now + configuration.keepAliveTimeout.nanoseconds
                return true
            }
            return linger(connection)
        }
    }

    /// Shuts our side and waits a little for the peer to shut its own: to close with unread input
    /// would reset the connection, and the reset may overtake the answer.
    private func linger(_ connection: HTTPConnection) -> Bool {
        shutdown(connection.descriptor, Int32(SHUT_WR))
        connection.state = .lingering
        connection.input = []
        connection.deadline = now + 2_000_000_000
        return false
    }

    private func discardInput(of connection: HTTPConnection) {
        if connection.readMore() == .ended { drop(connection) }
    }

    /// The peer has shut its side: an answer that is under way is still wanted.
    private func inputEnded(_ connection: HTTPConnection) {
        connection.inputEnded = true
        drop(connection)
    }

    func drop(_ connection: HTTPConnection) {
        guard forget(connection) else { return }
        Sockets.close(connection.descriptor)
        if connection.state == .awaitingAnswer {
            let id = RequestID(slot: connection.slot, generation: connection.requestGeneration)
            if pending.removeValue(forKey: id) != nil { delegate?.requestGone(id) }
        }
        resumeAccepting()
    }

    /// Takes a connection out of the tables without closing its socket.
    func forget(_ connection: HTTPConnection) -> Bool {
        guard
            http.remove(slot: connection.slot, generation: connection.generation) != nil
        else { return false }
        poller.remove(connection.descriptor)
        return true
    }

    private func updateInterest(of connection: HTTPConnection) {
        let interest: Poller.Interest =
            switch connection.state {
            case .readingHead, .readingBody, .lingering: .reading
            case .writing: .writing
            // Nothing: a reset is reported all the same, and what comes early stays in the kernel.
            case .awaitingAnswer: []
            }
        guard interest != connection.interest else { return }
        connection.interest = interest
        poller.change(connection.descriptor, interest, token: connection.token)
    }
}
