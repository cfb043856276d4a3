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

    static func signIn(_ auth: Auth, idToken: String, nonce: String, fullName: String?) async throws {
        try await auth.signIn(with: .apple(idToken: idToken, nonce: nonce, fullName: fullName))
        try await auth.signIn(with: .oauth("oidc.example", idToken: idToken, nonce: nonce))
    }

    static func replaceGoogle(of user: User, by token: (String) async throws -> String) async throws {
        let nonce = try await user.nonce(for: .link)
        try await user.replace(.google, with: .google(idToken: token(nonce), nonce: nonce))
    }

    static func changePassword(of user: User, email: String, from old: String, to new: String) async throws {
        try await user.reauthenticate(with: .password(email: email, password: old))
        try await user.updatePassword(to: new)
    }

    static func resolve(_ conflict: Conflict, with credential: AuthCredential, on client: AuthClient) async throws {
        let result = try await client.resolve(conflict, signingInWith: credential)
        print(result.user.providerData.map(\.provider))
    }

    static func separate(
        _ conflict: Conflict,
        email: String,
        openedLink: () async -> String,
        on auth: Auth
    ) async throws {
        try await auth.sendSignInLink(to: email)
        let link = AuthCredential.EmailLink(email: email, link: await openedLink())
        try await auth.createSeparateAccount(from: conflict, verifying: link)
    }

    static func merge(_ old: AuthCredential, into new: AuthCredential, on auth: Auth) async throws -> Merge.ID {
        let source = Merge.Side.verified(try await auth.verify(old))
        let target = Merge.Side.verified(try await auth.verify(new))
        print(try await auth.previewMerge(source, into: target))
        let merged = try await auth.merge(source, into: target)
        print(merged.plan)
        return merged.id
    }

    static func undo(_ id: Merge.ID, by credential: AuthCredential, on auth: Auth) async throws {
        let side = Merge.Side.verified(try await auth.verify(credential))
        let undone = try await auth.undoMerge(id, verifiedBy: side)
        print(undone.plan)
    }

    static func enroll(_ number: String, of user: User, digits: () async -> String) async throws {
        let id = try await user.multiFactor.sendCode(to: number)
        try await user.multiFactor.enroll(phoneVerificationID: id, code: await digits())
    }

    static func request(
        _ path: String,
        as user: User,
        get: (String, [String: String]) async throws -> Void
    ) async throws {
        try await get(path, ["Authorization": "Bearer " + user.idToken()])
    }

    static func isHealthy(_ service: AuthService) -> Bool {
        for warning in service.warnings { print("AuthCore:", warning.rawValue) }
        return service.warnings.isEmpty
    }
}
