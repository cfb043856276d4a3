// swift-tools-version: 6.2
import PackageDescription

/// A made-up app, and the test suite that it has: people, mails, conflicts and the clock are simulated.
let package = Package(
    name: "boats",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "auth-core", path: "../../..")],
    targets: [
        .target(name: "Boats", dependencies: [.product(name: "AuthCore", package: "auth-core")]),
        .testTarget(
            name: "BoatsTests",
            dependencies: ["Boats", .product(name: "AuthCoreTesting", package: "auth-core")]
        ),
    ]
)
