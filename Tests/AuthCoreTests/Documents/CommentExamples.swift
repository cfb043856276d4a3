import AuthCore
import AuthCoreTesting
import Foundation
import XCTest

/// The examples in the comments of the sources, compiled; what stands in the README or an article is not repeated here.
enum CommentExamples {
    static func close(_ service: AuthService, accountOf email: String) async throws {
        guard let account = try await service.account(email: email) else { return }
        try await service.setDisabled(true, account: account.id)
        for event in try await service.events().events where event.account == account.id {
            print(event.at, event.kind, event.reasons)
        }
    }

    static func follow(
        _ service: AuthService,
        after position: IdentityEvent.Position?,
        _ handle: (IdentityEvent) async -> Void
    ) async throws {
        for await update in try await service.eventStream(after: position) {
            switch update {
            case .event(let event): await handle(event)
            case .missed(let end): print("the log no longer holds the events up to", end)
            }
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
        let id = try await user.multiFactor.sendPhoneCode(to: number)
        try await user.multiFactor.enroll(phoneVerificationID: id, code: await digits())
    }

    static func request(
        _ path: String,
        as user: User,
        get: (String, [String: String]) async throws -> Void
    ) async throws {
        try await get(path, ["Authorization": "Bearer " + user.idToken()])
    }

    static func signOut(_ refreshToken: String, on client: AuthClient) async throws {
        try await client.signOut(refreshToken: refreshToken)
    }

    static func tellWarnings(of service: AuthService) {
        for warning in service.warnings { print("AuthCore:", warning.rawValue) }
    }

    static func signUp(_ email: String, _ password: String, on client: AuthClient) async throws {
        let ann = try await client.signUp(email: email, password: password).user
        try await ann.sendEmailVerification()
    }

    static func signIn(afterPreviewOf credential: AuthCredential, on client: AuthClient) async throws -> User {
        let verified = try await client.verify(credential)
        let preview = try await client.previewSignIn(with: verified)
        print(preview.answer, preview.effects, preview.reasons)
        return try await client.signIn(with: verified).user
    }

    static func setPassword(
        of email: String,
        to password: String,
        openedLink: () async -> String,
        on client: AuthClient
    ) async throws {
        try await client.sendPasswordReset(to: email)
        let report = try await client.confirmPasswordReset(code: await openedLink(), newPassword: password)
        if !report.suspended.isEmpty { print("Sign in, and link again what is still yours.") }
    }

    static func signIn(byPhone number: String, digits: () async -> String, on client: AuthClient) async throws {
        let id = try await client.sendPhoneCode(to: number)
        try await client.signIn(with: .phone(verificationID: id, code: await digits()))
    }

    static func issueTokens(for credential: AuthCredential, on client: AuthClient) async throws -> (String, String) {
        let user = try await client.signIn(with: credential).user
        let tokens = try await user.issueTokens()
        return (tokens.idToken.token, tokens.refreshToken)
    }

    static func merge(_ old: AuthCredential, into new: AuthCredential, on client: AuthClient) async throws -> Merge.ID {
        let source = Merge.Side.verified(try await client.verify(old))
        let target = Merge.Side.verified(try await client.verify(new))
        let merged = try await client.merge(source, into: target)
        print(merged.plan, merged.isFinished)
        return merged.id
    }

    static func undo(_ id: Merge.ID, by credential: AuthCredential, on client: AuthClient) async throws {
        let side = Merge.Side.verified(try await client.verify(credential))
        let undone = try await client.undoMerge(id, verifiedBy: side)
        print(undone.plan, undone.isFinished)
    }

    static func merge(
        _ source: Merge.Side,
        into target: Merge.Side,
        digits: () async -> String,
        on client: AuthClient
    ) async throws -> Merge.Result {
        do {
            return try await client.merge(source, into: target)
        } catch {
            guard let challenge = error.secondFactor, error.reason == .sourceRequiresFactor else { throw error }
            let answered = Merge.Side.answering(challenge, .totp(await digits()))
            return try await client.merge(answered, into: target)
        }
    }

    static func recover(
        opening link: AuthCredential.EmailLink,
        older: AuthCredential?,
        on client: AuthClient
    ) async throws {
        switch try await client.recoverFromLostFactors(with: link, and: older) {
        case .removed: print("The factors are removed. Sign in and enroll new ones.")
        case .waiting(let time): print("Ask for another link after", time)
        }
    }

    static func rename(_ user: User, to name: String) async throws {
        try await user.updateProfile(displayName: .set(name), photoURL: .clear)
    }

    static func changeAddress(of user: User, to email: String, verifying again: AuthCredential) async throws {
        try await user.reauthenticate(with: again)
        try await user.sendEmailVerification(beforeUpdatingTo: email)
    }

    static func signOutElsewhere(_ user: User, from deviceName: String) async throws {
        for session in try await user.sessions() where session.deviceName == deviceName {
            try await user.revokeSession(session.id)
        }
    }

    static func makeRecoveryCodes(for user: User, show: ([String]) async -> Void) async throws {
        let codes = try await user.multiFactor.makeRecoveryCodes()
        await show(codes)
    }

    static func signIn(toAccount account: AccountID, of service: AuthService, on client: AuthClient) async throws {
        let token = try await service.makeCustomToken(for: account, authenticatedAt: Date())
        try await client.signIn(with: .customToken(token))
    }

    static func failures(_ service: AuthService, after last: Store.OperationID?) async throws -> Int {
        let failed = try await service.failedMessages(after: last, limit: 100)
        return failed.count
    }

    static func signIn(byLinkTo email: String, openedLink: () async -> String, on client: AuthClient) async throws {
        try await client.sendSignInLink(to: email)
        let link = AuthCredential.EmailLink(email: email, link: await openedLink())
        try await client.signIn(with: .emailLink(link))
    }

    static func signIn(
        with credential: AuthCredential,
        digits: () async -> String,
        on client: AuthClient
    ) async throws -> User {
        do {
            return try await client.signIn(with: credential).user
        } catch {
            guard let challenge = error.secondFactor else { throw error }
            return try await client.resolve(challenge, with: .totp(await digits())).user
        }
    }

    static func changePassword(of user: User, at email: String, from old: String, to new: String) async throws {
        try await user.reauthenticate(with: .password(email: email, password: old))
        try await user.updatePassword(to: new)
    }

    static func changeNumber(
        of user: User,
        to number: String,
        digits: () async -> String,
        on client: AuthClient
    ) async throws {
        let id = try await client.sendPhoneCode(to: number)
        try await user.updatePhoneNumber(with: .phone(verificationID: id, code: await digits()))
    }

    static func restoredAuth(_ service: AuthService, path: String, key: [UInt8]) async throws -> Auth {
        let place = try FileUserPersistence(path: path, key: key)
        let auth = Auth(service: service, persistence: place)
        try await auth.restore()
        return auth
    }

    static func run(over store: any IdentityStore, key: [UInt8]) async throws {
        let service = AuthService(AuthConfiguration(store: store, secretKey: key))
        try await service.run()
    }
}

// What follows stands in the comments of AuthCoreTesting.
extension CommentExamples {
    static func checkStore(at temporaryPath: @escaping @Sendable () -> String) async {
        // WritingAStore.md begins
        let suite = StoreConformance {
            let path = temporaryPath()
            return StoreSubject(open: { try await MyStore(path: path) })
        }
        let report = await suite.report()
        XCTAssertEqual(report.violations, [])
        // WritingAStore.md ends
    }

    static func checkAttemptStore(at temporaryPath: @escaping @Sendable () -> String) async {
        let suite = AttemptStoreConformance {
            let path = temporaryPath()
            return AttemptStoreSubject(open: { try await MyAttemptStore(path: path) })
        }
        let report = await suite.report()
        XCTAssertEqual(report.violations, [])
    }

    static func failAfterwards() -> AuthService {
        // The first commit is written and reports a failure.
        let store = FaultyStore()
        store.script(.commit, .failsAfterwards(), .succeeds)
        return AuthService(AuthConfiguration(store: store))
    }

    static func signIn(_ auth: Auth, byMailIn outbox: Message.Outbox) async throws {
        try await auth.sendSignInLink(to: "ann@example.com")
        try await auth.signIn(with: .emailLink(outbox.signInLink(to: "ann@example.com")))
    }

    static func enrollApp(of user: User, _ clock: ManualClock) async throws {
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Boats")
        let app = try AuthenticatorApp(enrollment, clock: clock)
        try await user.multiFactor.enroll(enrollment, code: app.nextCode())
    }
}

/// A store of the reader's, as far as an example needs one.
private typealias MyStore = InMemoryIdentityStore

extension InMemoryIdentityStore {
    fileprivate convenience init(path: String) async throws {
        try Task.checkCancellation()
        self.init()
    }
}

/// An attempt store of the reader's, as far as an example needs one.
private typealias MyAttemptStore = InMemoryAttemptStore

extension InMemoryAttemptStore {
    fileprivate convenience init(path: String) async throws {
        try Task.checkCancellation()
        self.init()
    }
}

actor KeptInMemory: UserPersistence {
    private var saved: Auth.Persisted?

    func load() async throws -> Auth.Persisted? { saved }
    func save(_ record: Auth.Persisted) async throws { saved = record }
}
