// swift-tools-version: 6.2
import PackageDescription

/// One list for every target, so that no module can be laxer than another.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableUpcomingFeature("InferIsolatedConformances"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "auth-core",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "AuthCore", targets: ["AuthCore"]),
        .library(name: "AuthCoreMigration", targets: ["AuthCoreMigration"]),
        .library(name: "AuthCorePostgres", targets: ["AuthCorePostgres"]),
        .library(name: "AuthCoreProviders", targets: ["AuthCoreProviders"]),
        .library(name: "AuthCoreSQLite", targets: ["AuthCoreSQLite"]),
        .library(name: "AuthCoreTesting", targets: ["AuthCoreTesting"]),
        .library(name: "AuthCoreFirebase", targets: ["AuthCoreFirebase"]),
        .library(name: "AuthCoreFirebaseApp", targets: ["AuthCoreFirebaseApp"]),
        .executable(name: "authlab", targets: ["authlab"]),
    ],
    traits: [
        .trait(name: "OpenSSL", description: "Verifies providers' signatures with the system's libcrypto on Linux."),
        .trait(name: "PostgreSQL", description: "Keeps accounts in a PostgreSQL database, with the system's libpq."),
        .trait(name: "SQLite", description: "Keeps accounts in a file, with the system's SQLite."),
    ],
    targets: [
        .systemLibrary(name: "CCrypt", path: "Sources/System/CCrypt"),
        .systemLibrary(name: "COpenSSL", path: "Sources/System/COpenSSL"),
        .systemLibrary(name: "CPostgreSQL", path: "Sources/System/CPostgreSQL"),
        .target(name: "CSHA256", path: "Sources/System/CSHA256", publicHeadersPath: "."),
        .systemLibrary(name: "CSQLite", path: "Sources/System/CSQLite"),
        .target(
            name: "AuthCoreCrypto",
            dependencies: [
                "AuthCoreFoundation", "CSHA256", .target(name: "CCrypt", condition: .when(platforms: [.linux])),
            ],
            swiftSettings: strict
        ),
        .target(name: "AuthCoreClaims", dependencies: ["AuthCoreCrypto"], swiftSettings: strict),
        .target(name: "AuthCoreFoundation", swiftSettings: strict),
        .target(name: "AuthCoreTexts", dependencies: ["AuthCoreFoundation"], swiftSettings: strict),
        .target(
            name: "AuthCore",
            dependencies: ["AuthCoreClaims", "AuthCoreCrypto", "AuthCoreFoundation", "AuthCoreTexts"],
            swiftSettings: strict
        ),
        .target(
            name: "AuthCoreMigration",
            dependencies: ["AuthCore", "AuthCoreCrypto", "AuthCoreFoundation"],
            swiftSettings: strict
        ),
        .target(
            name: "AuthCoreProviders",
            dependencies: [
                "AuthCore", "AuthCoreCrypto", "AuthCoreFoundation",
                .target(name: "COpenSSL", condition: .when(platforms: [.linux], traits: ["OpenSSL"])),
            ],
            swiftSettings: strict
        ),
        .target(name: "AuthCoreSQL", dependencies: ["AuthCore", "AuthCoreFoundation"], swiftSettings: strict),
        .target(
            name: "AuthCorePostgres",
            dependencies: [
                "AuthCore", "AuthCoreCrypto", "AuthCoreSQL",
                .target(name: "CPostgreSQL", condition: .when(traits: ["PostgreSQL"])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AuthCoreSQLite",
            dependencies: [
                "AuthCore", "AuthCoreSQL", .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AuthCoreTesting",
            dependencies: ["AuthCore", "AuthCoreCrypto", "AuthCoreFoundation"],
            swiftSettings: strict
        ),
        .target(name: "AuthCoreFirebaseApp", swiftSettings: strict),
        .target(
            name: "AuthCoreFirebase",
            dependencies: ["AuthCore", "AuthCoreCrypto", "AuthCoreFirebaseApp"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "authlab",
            dependencies: [
                "AuthCore", "AuthCoreCrypto", "AuthCoreFirebase", "AuthCoreFoundation", "AuthCorePostgres",
                "AuthCoreSQL", "AuthCoreSQLite", "AuthCoreTesting",
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "AuthCoreCryptoTests", dependencies: ["AuthCoreCrypto", "CSHA256"], swiftSettings: strict),
        .testTarget(
            name: "AuthCoreMigrationTests",
            dependencies: ["AuthCore", "AuthCoreCrypto", "AuthCoreMigration", "AuthCoreTesting"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AuthCoreProvidersTests",
            dependencies: [
                "AuthCore", "AuthCoreCrypto", "AuthCoreFirebase", "AuthCoreFirebaseApp", "AuthCoreProviders",
                "AuthCoreTesting",
                .target(name: "COpenSSL", condition: .when(platforms: [.linux], traits: ["OpenSSL"])),
            ],
            swiftSettings: strict
        ),
        .testTarget(name: "AuthCoreSQLTests", dependencies: ["AuthCore", "AuthCoreSQL"], swiftSettings: strict),
        .testTarget(
            name: "AuthCorePostgresTests",
            dependencies: [
                "AuthCore", "AuthCoreMigration", "AuthCorePostgres", "AuthCoreSQL", "AuthCoreTesting",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AuthCoreSQLiteTests",
            dependencies: [
                "AuthCore", "AuthCoreMigration", "AuthCoreSQL", "AuthCoreSQLite", "AuthCoreTesting",
                .target(name: "CSQLite", condition: .when(traits: ["SQLite"])),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AuthCoreTests",
            dependencies: [
                "AuthCore", "AuthCoreClaims", "AuthCoreCrypto", "AuthCoreMigration", "AuthCoreTesting", "AuthCoreTexts",
            ],
            exclude: ["Assurance/Tables/Golden"],
            resources: [.copy("Store/Records/Fixtures")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AuthCoreFirebaseTests",
            dependencies: [
                "AuthCoreFirebase", "AuthCoreFirebaseApp", "AuthCore", "AuthCoreCrypto", "AuthCoreProviders",
                "AuthCoreTesting",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "authlabTests",
            dependencies: ["authlab", "AuthCore", "AuthCoreTesting"],
            resources: [.copy("Traces")],
            swiftSettings: strict
        ),
    ]
)

// The fuzzer's entry points are built on demand only: the fuzzer brings a `main` of its own.
if Context.environment["AUTHCORE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: ["AuthCore", "AuthCoreClaims", "AuthCoreMigration", "AuthCoreProviders", "AuthCoreTesting"],
            path: "Tests/Fuzzing",
            exclude: ["Corpus"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]
        )
    )
}

// The check of the rules' tests is built on demand too.
if Context.environment["AUTHCORE_MUTATION"] != nil {
    package.targets.append(
        .executableTarget(
            name: "mutate",
            path: "Tests/Mutation",
            exclude: ["Inside", "Survivors.txt"],
            swiftSettings: [.swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault")]
        )
    )
}

// The tests of verifiers and stores need traits, and so a build of their own; this makes it a small one.
if Context.environment["AUTHCORE_TRAITS"] != nil {
    let unneeded: Set = [
        "AuthCoreTests", "AuthCoreCryptoTests", "AuthCoreMigrationTests",
        "AuthCoreFirebaseTests", "authlabTests",
    ]
    package.targets.removeAll { unneeded.contains($0.name) }
    package.products = []
    // A process that the stores' tests start and kill.
    package.targets.append(
        .executableTarget(
            name: "storeprocess",
            dependencies: ["AuthCore", "AuthCorePostgres", "AuthCoreSQLite", "AuthCoreTesting", "StoreInvariants"],
            path: "Tests/StoreProcess",
            swiftSettings: strict
        )
    )
    // What must hold of any store, what races on it, and stores that break it, which the tests of the rules have.
    package.targets.append(
        .target(
            name: "StoreInvariants",
            dependencies: ["AuthCore", "AuthCoreCrypto", "AuthCoreTesting"],
            path: "Tests/AuthCoreTests",
            exclude: ["Assurance/Tables/Golden", "Store/Records/Fixtures"],
            sources: [
                "Assurance/Races/Invariants.swift", "Assurance/Races/Invariants+Accounts.swift",
                "Assurance/Races/RaceProgram.swift", "Assurance/Races/RacePrograms+Accounts.swift",
                "Assurance/Races/RacePrograms+Sessions.swift", "Assurance/Races/Schedule.swift",
                "Assurance/Races/StoreView.swift", "Fixture/AuthService+Client.swift", "Fixture/Expectations.swift",
                "Fixture/ForwardingStore.swift", "Fixture/IdentityEvent+Number.swift", "Fixture/InTime.swift",
                "Fixture/LimitedTestCase.swift", "Store/Contract/FlawedStore.swift",
                "Store/Contract/ReadableViews.swift",
            ],
            swiftSettings: strict
        )
    )
    for target in package.targets where ["AuthCorePostgresTests", "AuthCoreSQLiteTests"].contains(target.name) {
        target.dependencies.append("StoreInvariants")
    }
}
