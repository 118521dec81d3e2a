/// Why a transport could not be started.
package struct TransportError: Error, CustomStringConvertible, Sendable {
    package enum Reason: Sendable, Equatable {
        /// The address is not a numeric one.
        case badAddress
        /// Listening failed, with the system's error number.
        case cannotListen(errno: Int32)
        /// libwebsockets found no libuv event library.
        case eventLibraryMissing
        /// Something else in the system or in libwebsockets refused.
        case system
    }

    package let reason: Reason
    package let description: String

    init(_ reason: Reason, _ description: String) {
        self.reason = reason
        self.description = description
    }
}
