public import BoardModel

/// What a client may say on its connection.
public enum ClientMessage: Hashable, Sendable {
    case hello(Hello)
    case dragBegin(drag: Int, icons: [IconID])
    case dragTarget(DragTarget)
    case dragDrop(DragDrop)
    case dragCancel(drag: Int)
    case edit(EditMessage)
    /// What the person is doing, for the others to see.
    case presence(isEditing: Bool)

    /// The `type` of a message.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case hello
        case dragBegin = "drag.begin"
        case dragTarget = "drag.target"
        case dragDrop = "drag.drop"
        case dragCancel = "drag.cancel"
        case edit
        case presence
    }

    public var kind: Kind {
        switch self {
        case .hello: .hello
        case .dragBegin: .dragBegin
        case .dragTarget: .dragTarget
        case .dragDrop: .dragDrop
        case .dragCancel: .dragCancel
        case .edit: .edit
        case .presence: .presence
        }
    }
}

/// The first message of a connection: who it is, and what it already has.
public struct Hello: Hashable, Sendable {
    /// Where a returning client stands.
    public struct Resume: Hashable, Sendable {
        public var epoch: String
        public var revision: Int

        public init(epoch: String, revision: Int) {
            self.epoch = epoch
            self.revision = revision
        }
    }

    public var client: ClientID
    /// As sent; see `cleanName(_:)`.
    public var name: String
    public var token: String?
    public var resume: Resume?

    public init(client: ClientID, name: String, token: String? = nil, resume: Resume? = nil) {
        self.client = client
        self.name = name
        self.token = token
        self.resume = resume
    }
}

/// A place inside a section, each coordinate 0...1 once it is clamped.
public struct Point: Hashable, Sendable {
    public var x: Double
    public var y: Double

    public init(x: Double, y: Double) {
        self.x = x
        self.y = y
    }
}

/// Where a live drag points now.
public struct DragTarget: Hashable, Sendable {
    public var drag: Int
    /// The revision the client saw; `nil` for the newest.
    public var base: Int?
    /// `nil` when the drag is over nothing.
    public var target: Target?
    /// Any finite numbers; the room clamps them.
    public var point: Point?
    /// The person asks for a copy.
    public var copy: Bool
    /// The wire's `t`: passed on unchanged, for clients that measure latency.
    public var tag: String?

    public init(
        drag: Int, base: Int? = nil, target: Target? = nil, point: Point? = nil,
        copy: Bool = false, tag: String? = nil
    ) {
        self.drag = drag
        self.base = base
        self.target = target
        self.point = point
        self.copy = copy
        self.tag = tag
    }
}

/// The end of a drag by letting go.
public struct DragDrop: Hashable, Sendable {
    public var drag: Int
    public var seq: Int
    /// The revision the client saw; `nil` for the newest.
    public var base: Int?
    public var target: DropTarget
    /// `nil` for what the last target said.
    public var copy: Bool?
    /// Identifiers for the copies, should it become one; may be fewer than there are icons.
    public var newIDs: [IconID]

    public init(
        drag: Int, seq: Int, base: Int? = nil, target: DropTarget = .last, copy: Bool? = nil,
        newIDs: [IconID] = []
    ) {
        self.drag = drag
        self.seq = seq
        self.base = base
        self.target = target
        self.copy = copy
        self.newIDs = newIDs
    }
}

/// What a drop says of its place.
public enum DropTarget: Hashable, Sendable {
    /// Left out: the last target that was sent, with that target's own base.
    case last
    /// `null`: dropped on nothing.
    case nothing
    case place(Target)
}

/// A numbered edit.
public struct EditMessage: Hashable, Sendable {
    public var seq: Int
    /// The revision the client saw; `nil` for the newest.
    public var base: Int?
    public var edit: Edit

    public init(seq: Int, base: Int? = nil, edit: Edit) {
        self.seq = seq
        self.base = base
        self.edit = edit
    }
}
