// swift-tools-version: 6.3
import PackageDescription

/// What every Swift target is held to: see docs/STYLE.md.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "homeboard",
    products: [
        .executable(name: "homeboard", targets: ["homeboard"]),
        .library(name: "BoardModel", targets: ["BoardModel"]),
        .library(name: "BoardWire", targets: ["BoardWire"]),
    ],
    targets: [
        // 0: what a board is; the doors to C.
        .target(name: "BoardModel"),
        .systemLibrary(
            name: "CLibwebsockets", pkgConfig: "libwebsockets",
            providers: [.apt(["libwebsockets-dev", "libwebsockets-evlib-uv", "libcap-dev"])]),
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(
            name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

        // 1: what may be said; what the loop's callbacks need from C.
        .target(name: "BoardWire", dependencies: ["BoardModel"]),
        .target(name: "CLoopShims", dependencies: ["CLibwebsockets"]),

        // 2: who hears what; how a board survives; the sockets.
        .target(name: "Collaboration", dependencies: ["BoardModel", "BoardWire"]),
        .target(
            name: "BoardStore", dependencies: ["BoardModel", "BoardWire", "CSQLite", "COpenSSL"]),
        .target(name: "WebSocketTransport", dependencies: ["CLibwebsockets", "CLoopShims"]),

        // 3: the composition.
        .target(
            name: "BoardServer",
            dependencies: [
                "BoardModel", "BoardWire", "Collaboration", "BoardStore", "WebSocketTransport",
            ],
            resources: [.copy("Web")]),

        // A whole world of people, network, server and disk, out of one seed.
        .target(
            name: "Simulation",
            dependencies: ["BoardModel", "BoardWire", "Collaboration", "BoardStore"]),

        // 4: the programs.
        .executableTarget(name: "homeboard", dependencies: ["BoardServer"]),
        .executableTarget(name: "homeboard-sim", dependencies: ["Simulation"]),

        // The real model behind a pipe, for the tests of other implementations.
        .executableTarget(
            name: "board-oracle", dependencies: ["BoardModel", "BoardWire"],
            path: "Tests/Support/BoardOracle"),

        .testTarget(
            name: "BoardModelTests", dependencies: ["BoardModel"], resources: [.copy("Vectors")]),
        .testTarget(name: "BoardWireTests", dependencies: ["BoardModel", "BoardWire"]),
        .testTarget(
            name: "CollaborationTests", dependencies: ["BoardModel", "BoardWire", "Collaboration"]),
        .testTarget(
            name: "BoardStoreTests", dependencies: ["BoardModel", "BoardWire", "BoardStore"],
            resources: [.copy("Fixtures")]),
        .testTarget(name: "WebSocketTransportTests", dependencies: ["WebSocketTransport"]),
        .testTarget(
            name: "BoardServerTests",
            dependencies: [
                "BoardModel", "BoardWire", "Collaboration", "BoardStore", "BoardServer",
            ]),
        .testTarget(name: "SimulationTests", dependencies: ["Simulation"]),
        .testTarget(name: "SoundnessTests"),
    ],
    swiftLanguageModes: [.v6]
)

for target in package.targets where target.type != .system && target.name != "CLoopShims" {
    target.swiftSettings = strict
}
