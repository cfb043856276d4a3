// swift-tools-version: 6.2
import PackageDescription

/// The sign-in routes of a server as plain functions, which any web framework can call.
let package = Package(
    name: "boats-server",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "auth-core", path: "../../..")],
    targets: [
        .target(name: "BoatsServer", dependencies: [.product(name: "AuthCore", package: "auth-core")]),
        .testTarget(
            name: "BoatsServerTests",
            dependencies: ["BoatsServer", .product(name: "AuthCoreTesting", package: "auth-core")]
        ),
    ]
)
