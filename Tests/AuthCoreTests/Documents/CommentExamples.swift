import AuthCore
import AuthCoreTesting

/// The examples in the comments of the sources, compiled; what stands in the README or an article is not repeated here.
enum CommentExamples {
    static func close(_ service: AuthService, accountOf email: String) async throws {
        guard let account = try await service.account(email: email) else { return }
        try await service.setDisabled(true, account: account.id)
        for event in try await service.events().events where event.account == account.id {
            print(event.at, event.kind, event.reasons)
        }
    }

    static func signIn(
        _ service: AuthService,
        with credential: AuthCredential,
        cookie: String?,
        address: String
    ) async throws -> String {
        let device = cookie.flatMap(DeviceID.init)
        let client = service.client(for: device, origin: .address(address), deviceName: "Safari on a Mac")
        let result = try await client.signIn(with: credential)
        print(result.user.uid, result.isNewUser)
        return result.device.rawValue
    }

    static func link(_ credential: AuthCredential, to user: User) async throws {
        do {
            try await user.link(with: credential)
        } catch {
            guard error.code == .requiresRecentLogin else { throw error }
            print("Please sign in again first.")
        }
    }

    static func enrollApp(of user: User, digits: (String) -> String) async throws {
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        try await user.multiFactor.enroll(enrollment, code: digits(enrollment.provisioningURI))
    }

    static func answer(_ conflict: Conflict, on auth: Auth, password: String?, link: AuthCredential.EmailLink)
        async throws
    {
        if let password, let email = conflict.email {
            try await auth.resolve(conflict, signingInWith: .password(email: email, password: password))
        } else {
            try await auth.createSeparateAccount(from: conflict, verifying: link)
        }
    }

    static func configuration(_ store: any IdentityStore, key: [UInt8]) -> AuthConfiguration {
        var configuration = AuthConfiguration(store: store, secretKey: key)
        configuration.issuer = "https://accounts.example.com"
        configuration.actionURL = "https://example.com/action"
        configuration.policy.recency.interval = .seconds(600)
        return configuration
    }

    static func serve(_ service: AuthService, _ requests: @Sendable @escaping () async -> Void) async throws {
        try await withThrowingTaskGroup { group in
            group.addTask { try await service.run { failure in print("upkeep:", failure) } }
            group.addTask { await requests() }
            try await group.next()
            group.cancelAll()
        }
    }

    static func signIn(_ auth: Auth, token: String, email: String, password: String) async throws {
        try await auth.signIn(with: .gitHub(accessToken: token))
        try await auth.signIn(with: .password(email: email, password: password))
    }

    static func refuseOtherApps() throws {
        throw VerificationFailure(.wrongAudience, "The claim aud must be one of this app's client IDs.")
    }

    static func signIn(by token: (String) async throws -> String, on client: AuthClient) async throws {
        let nonce = try await client.nonce(for: .signIn)
        try await client.signIn(with: .google(idToken: token(nonce), nonce: nonce))
    }

    static func link(_ token: (String) async throws -> String, to user: User) async throws {
        let nonce = try await user.nonce(for: .link)
        try await user.link(with: .google(idToken: token(nonce), nonce: nonce))
    }

    static func isHealthy(_ service: AuthService) -> Bool {
        for warning in service.warnings { print("AuthCore:", warning.rawValue) }
        return service.warnings.isEmpty
    }
}
