// swift-tools-version: 6.2
import PackageDescription

/// The model of an app's account screen, without a user interface.
let package = Package(
    name: "boats-app",
    platforms: [.macOS(.v15), .iOS(.v18)],
    dependencies: [.package(name: "auth-core", path: "../../..")],
    targets: [
        .target(name: "BoatsApp", dependencies: [.product(name: "AuthCore", package: "auth-core")]),
        .testTarget(
            name: "BoatsAppTests",
            dependencies: ["BoatsApp", .product(name: "AuthCoreTesting", package: "auth-core")]
        ),
    ]
)
