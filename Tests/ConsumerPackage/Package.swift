// swift-tools-version: 6.2
import PackageDescription

/// What an app's package looks like that builds its unchanged client code on AuthCore.
///
/// SwiftPM's module aliases do not let a client write `import FirebaseAuth`, so two targets of one line each do it.
let package = Package(
    name: "consumer",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    dependencies: [.package(name: "auth-core", path: "../..")],
    targets: [
        .target(
            name: "FirebaseAuth",
            dependencies: [.product(name: "AuthCoreFirebase", package: "auth-core")]
        ),
        .target(
            name: "FirebaseCore",
            dependencies: [.product(name: "AuthCoreFirebaseApp", package: "auth-core")]
        ),
        .target(
            name: "Client",
            dependencies: ["FirebaseAuth", "FirebaseCore"],
            swiftSettings: [.swiftLanguageMode(.v5)]
        ),
        .target(
            name: "StrictClient",
            dependencies: ["FirebaseAuth", "FirebaseCore"],
            swiftSettings: [.swiftLanguageMode(.v6)]
        ),
        .executableTarget(name: "Console", dependencies: ["FirebaseAuth", "FirebaseCore"]),
        .testTarget(
            name: "ClientTests",
            dependencies: [
                "Client", "Console", "StrictClient", "FirebaseAuth", "FirebaseCore",
                .product(name: "AuthCore", package: "auth-core"),
                .product(name: "AuthCoreTesting", package: "auth-core"),
            ]
        ),
    ]
)
