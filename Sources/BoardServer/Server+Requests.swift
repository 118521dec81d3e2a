internal import BoardModel
internal import BoardWire
internal import Collaboration
internal import Foundation
package import WebSocketTransport

/// HTTP: boards, pages, health.
extension Server {
    package func requestGone(_ id: RequestID) {}

    package func request(_ id: RequestID, head: RequestHead, body: [UInt8]) {
        let route = Route(path: head.path)
        guard route != .badBoard, route != .unknown else {
            let what = route == .badBoard ? "ids are [a-z0-9][a-z0-9_-]{0,63}" : "nothing is here"
            transport.respond(id, Self.problem(404, "not found", what))
            return
        }
        guard route.methods.contains(head.method) else {
            var response = Self.problem(405, "method not allowed", "see Allow")
            response.headers.append(("Allow", route.methods.joined(separator: ", ")))
            transport.respond(id, response)
            return
        }
        guard origins.allows(origin: head.origin, host: head.host) else {
            transport.respond(
                id, Self.problem(403, "origin not allowed", "pages of this origin may not ask"))
            return
        }
        serve(route, id, head, body)
    }

    private func serve(_ route: Route, _ id: RequestID, _ head: RequestHead, _ body: [UInt8]) {
        switch route {
        case .start: page("/index.html", id, head)
        case .page: page("/board.html", id, head)
        case .asset(let path): page(path, id, head)
        case .health: transport.respond(id, Self.text(200, "ok\n"))
        case .ready:
            transport.respond(id, Self.text(isReady ? 200 : 503, readiness))
        case .metrics: transport.respond(id, Self.text(200, metrics.text(gauges: gauges)))
        case .live:
            var response = Self.problem(
                426, "upgrade required", "this path is a WebSocket; send Upgrade: websocket")
            response.headers.append(("Upgrade", "websocket"))
            transport.respond(id, response)
        case .boards where head.method == "POST": create(id, body)
        case .boards:
            turn { hub, _, effects in hub.list(RequestToken(id), into: &effects) }
        case .board(let board): serveBoard(board, id, head, body)
        case .edits(let board): edit(board, id, body)
        case .commits(let board): commits(of: board, id, head)
        case .points(let board): servePoints(of: board, id, head, body)
        case .point(let board, let point): ask(board, .deletePoint(point), id)
        case .restore(let board, let point): restore(point, of: board, id, body)
        case .badBoard, .unknown: return
        }
    }

    private func servePoints(
        of board: BoardID, _ id: RequestID, _ head: RequestHead, _ body: [UInt8]
    ) {
        guard head.method == "POST" else {
            ask(board, .points, id)
            return
        }
        do throws(MessageError) {
            ask(board, .makePoint(name: try decodePoint(body, limits: hub.limits)), id)
        } catch {
            refuse(id, error)
        }
    }

    private func restore(_ point: PointID, of board: BoardID, _ id: RequestID, _ body: [UInt8]) {
        do throws(MessageError) {
            let request = try decodeRestore(body, limits: hub.limits)
            ask(
                board,
                .restore(
                    point, client: request.client, seq: request.seq, base: request.base), id)
        } catch {
            refuse(id, error)
        }
    }

    private func ask(_ board: BoardID, _ request: BoardRequest, _ id: RequestID) {
        turn { hub, time, effects in
            hub.request(RequestToken(id), board: board, request, time: time, into: &effects)
        }
    }

    private func serveBoard(
        _ board: BoardID, _ id: RequestID, _ head: RequestHead, _ body: [UInt8]
    ) {
        switch head.method {
        case "PUT":
            do throws(MessageError) {
                let content = try decodeBoardBody(body, limits: hub.limits)
                ask(
                    board,
                    .put(
                        ifMatch: head.ifMatch, title: content.title,
                        presentation: content.presentation, sections: content.sections), id)
            } catch {
                refuse(id, error)
            }
        case "DELETE": ask(board, .delete, id)
        default: ask(board, .get, id)
        }
    }

    private func create(_ id: RequestID, _ body: [UInt8]) {
        let wanted: CreateRequest
        do throws(MessageError) {
            wanted = try decodeCreate(body, limits: hub.limits)
        } catch {
            refuse(id, error)
            return
        }
        do throws(BoardProblem) {
            let state = try makeState(
                id: wanted.id ?? hub.makeBoardID(), title: wanted.title,
                template: wanted.template ?? .empty)
            turn { hub, _, effects in hub.create(state, RequestToken(id), into: &effects) }
        } catch {
            transport.respond(id, Self.response(to: Hub.problem(error)))
        }
    }

    private func edit(_ board: BoardID, _ id: RequestID, _ body: [UInt8]) {
        var generator = SystemRandomNumberGenerator()
        do throws(MessageError) {
            let request = try decodeEditRequest(body, using: &generator, limits: hub.limits)
            let message = request.message
            ask(
                board,
                .edit(
                    client: request.client, seq: message.seq, base: message.base,
                    intent: .edit(message.edit)), id)
        } catch {
            guard let seq = error.seq, let client = error.client else {
                refuse(id, error)
                return
            }
            ask(
                board,
                .edit(
                    client: client, seq: seq, base: nil,
                    intent: .refused(.invalid, field: error.field)), id)
        }
    }

    private func commits(of board: BoardID, _ id: RequestID, _ head: RequestHead) {
        guard let since = Query.number("since", in: head.query), since >= 0 else {
            transport.respond(
                id, Self.problem(400, "invalid", "since is a revision, 0 or more", field: "since"))
            return
        }
        ask(board, .commits(since: since), id)
    }

    private func page(_ path: String, _ id: RequestID, _ head: RequestHead) {
        guard let asset = assets[path] else {
            transport.respond(id, Self.problem(404, "not found", "nothing is here"))
            return
        }
        let scripts = ["'self'", asset.inlineScript].compactMap(\.self).joined(separator: " ")
        var headers = Self.pageHeaders
        headers.append(("Content-Security-Policy", Self.pagePolicy + "; script-src \(scripts)"))
        headers.append(("ETag", asset.etag))
        guard head.ifNoneMatch != asset.etag else {
            transport.respond(id, HTTPResponse(status: 304, headers: headers, body: []))
            return
        }
        headers.append(("Content-Type", asset.contentType))
        transport.respond(id, HTTPResponse(status: 200, headers: headers, body: asset.body))
    }

    /// A line for whether it serves, and one for each thing that edits wait or fail for.
    private var readiness: String {
        (isReady ? "ready\n" : "not ready\n")
            + (isStoreWritable ? "" : "no space: edits are refused\n")
            + (patience.isOver ? "the store is slow: edits wait\n" : "")
    }

    private var gauges: [(name: String, value: Int)] {
        [
            ("homeboard_store_writable", isStoreWritable ? 1 : 0),
            ("homeboard_store_pending", patience.pending),
            (
                "homeboard_store_silent_seconds",
                Int(patience.silence(now: time.now).components.seconds)
            ),
            ("homeboard_connections", hub.sessionCount),
            ("homeboard_boards_loaded", hub.loadedCount),
            ("homeboard_uptime_seconds", Int(Date().timeIntervalSince(started))),
        ]
    }

    // MARK: - Responses

    /// Scripts, styles and sockets of this server only: a label can never become one.
    private static let pagePolicy =
        "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'; "
        + "form-action 'self'"
    private static let pageHeaders = [
        ("Cache-Control", "no-cache"), ("Referrer-Policy", "no-referrer"),
    ]

    private func refuse(_ id: RequestID, _ error: MessageError) {
        transport.respond(
            id, Self.problem(400, error.code.rawValue, error.message, field: error.field))
    }

    static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [
                ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
            ],
            body: Array(text.utf8))
    }

    static func problem(
        _ status: Int, _ title: String, _ detail: String, field: String? = nil
    ) -> HTTPResponse {
        let details = ProblemDetails(status: status, title: title, detail: detail, field: field)
        return HTTPResponse(
            status: status,
            headers: [
                ("Content-Type", ProblemDetails.contentType), ("Cache-Control", "no-store"),
            ],
            body: details.encoded)
    }

    static func response(to answer: Answer) -> HTTPResponse {
        let json = [("Content-Type", "application/json"), ("Cache-Control", "no-cache")]
        switch answer {
        case .board(let text, let etag, let created):
            return HTTPResponse(
                status: created ? 201 : 200, headers: json + [("ETag", etag)], body: text)
        case .created(let text): return HTTPResponse(status: 201, headers: json, body: text)
        case .json(let text): return HTTPResponse(status: 200, headers: json, body: text)
        case .noContent: return HTTPResponse(status: 204, headers: [], body: [])
        case .problem(let status, let title, let detail, let field):
            return problem(status, title, detail, field: field)
        }
    }
}
