internal import BoardWire

/// How many restore points a board may have.
package enum PointLimits {
    /// Made by people; whoever wants another has to delete one.
    package static let named = 100
    /// Made by the server; the oldest goes.
    package static let automatic = 20

    /// Which automatic points are too many, out of all from the oldest on.
    static func surplus(of points: [RestorePoint]) -> [PointID] {
        points.filter(\.isAutomatic).map(\.id).dropLast(automatic)
    }
}
