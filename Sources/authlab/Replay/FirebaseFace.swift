internal import AuthCore
internal import AuthCoreFirebase
internal import AuthCoreTesting
internal import Foundation
internal import Synchronization

/// Replays against the FirebaseAuth-shaped API, so that both give the same answers.
///
/// An actor, because FirebaseAuth's classes are not `Sendable`.
actor FirebaseFace: ReplayFace {
    private let service: AuthService
    private let outbox = Message.Outbox()
    private let clock = ManualClock()
    private let names = Mutex<[String: AccountID]>([:])
    private var devices: [String: AuthCoreFirebase.Auth] = [:]
    private var users: [String: AuthCoreFirebase.User] = [:]
    private var resolvers: [String: MultiFactorResolver] = [:]

    init(policy: AuthPolicy, store: LabStore = .memory) {
        var configuration = AuthConfiguration(
            policy: policy,
            providers: .recorded,
            passwordHasher: CheapPasswordHasher(),
            messageSender: outbox,
            environment: .manual(clock, seed: ReplaySeeds.next())
        )
        store.use(in: &configuration)
        service = AuthService(configuration)
    }

    func accounts() async -> [Account] {
        let all = try? await service.accounts(limit: .max)
        return (all ?? []).sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
    }

    nonisolated func isEmailVerified(_ account: Account) -> Bool { service.isEmailVerified(account) }

    nonisolated func advanceClock() { clock.advance(by: .seconds(10)) }

    nonisolated func name(_ account: AccountID, _ name: String) { names.withLock { $0[name] = account } }

    func perform(_ step: Trace.Step) async -> ReplayOutcome {
        do {
            return try await outcome(of: step)
        } catch let error as NSError {
            if let resolver = error.userInfo[AuthErrorUserInfoMultiFactorResolverKey] as? MultiFactorResolver {
                resolvers[step["session"]] = resolver
            }
            guard error.domain == AuthErrorDomain else { return ReplayOutcome(error: error.domain) }
            return ReplayOutcome(
                error: AuthCore.AuthErrorCode(rawValue: error.code).name,
                email: error.userInfo[AuthErrorUserInfoEmailKey] as? String
            )
        }
    }

    private func device(_ name: String) -> AuthCoreFirebase.Auth {
        if let device = devices[name] { return device }
        let device = AuthCoreFirebase.Auth(service: service, device: DeviceID(named: name))
        devices[name] = device
        return device
    }

    private func outcome(of step: Trace.Step) async throws -> ReplayOutcome {
        let device = device(step["session"])
        switch step.operation {
        case "createUser":
            return signedIn(try await device.createUser(withEmail: step["email"], password: step["password"]), step)
        case "signInAnonymously":
            // The original's client would keep an anonymous user where the recording made another one.
            if device.currentUser?.isAnonymous ?? false { try device.signOut() }
            return signedIn(try await device.signInAnonymously(), step)
        case "signInWithPassword", "signInWithIdP", "signInWithPhone", "signInWithEmailLink":
            return signedIn(try await device.signIn(with: try await credential(of: step, device)), step)
        case "resolveSecondFactor":
            return signedIn(try await resolve(step), step)
        case "fetchSignInMethods":
            return ReplayOutcome(methods: try await methods(of: step["email"], device))
        case "resetPassword":
            return try await resetPassword(step, device)
        case "setDisabled":
            guard let id = names.withLock({ $0[step["user"]] }) else { return ReplayOutcome(error: "noSuchUser") }
            try await service.setDisabled(step.arguments["disabled"]?.boolValue ?? false, account: id)
            return .done
        default:
            guard let user = users[step["session"]] else { return ReplayOutcome(error: "nullUser") }
            return try await outcome(of: step, by: user, device)
        }
    }

    private func outcome(
        of step: Trace.Step,
        by user: AuthCoreFirebase.User,
        _ device: AuthCoreFirebase.Auth
    ) async throws -> ReplayOutcome {
        switch step.operation {
        case "linkIdP", "linkPassword", "linkPhone", "linkEmailLink":
            try await user.link(with: try await credential(of: step, device))
        case "unlink":
            _ = try await user.unlink(fromProvider: step["provider"])
        case "updateEmail":
            try await updateEmail(of: user, to: step["newEmail"])
        case "updatePassword":
            try await user.updatePassword(to: step["newPassword"])
        case "updateProfile":
            let request = user.createProfileChangeRequest()
            request.displayName = step["displayName"]
            try await request.commitChanges()
        case "verifyEmail":
            try await user.sendEmailVerification()
            try await device.applyActionCode(newestCode(.verifyEmail))
        case "verifyBeforeUpdateEmail":
            try await user.sendEmailVerification(beforeUpdatingEmail: step["newEmail"])
            try await device.applyActionCode(newestCode(.changeEmail))
        case "delete":
            try await user.delete()
            return .done
        case "enrollPhoneFactor":
            try await enroll(step, user, device)
            return .done
        case "unenrollPhoneFactor":
            try await unenroll(step, user)
            return .done
        default:
            return ReplayOutcome(error: "unknown operation \(step.operation)")
        }
        return ReplayOutcome(account: AccountID(user.uid))
    }

    private func signedIn(_ result: AuthDataResult, _ step: Trace.Step) -> ReplayOutcome {
        users[step["session"]] = result.user
        // A completed challenge has no additional information, and its account is never new.
        return ReplayOutcome(
            account: AccountID(result.user.uid),
            isNewUser: result.additionalUserInfo?.isNewUser ?? false
        )
    }

    private func methods(of email: String, _ device: AuthCoreFirebase.Auth) async throws -> [String] {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[String], any Error>) in
            (device as any MethodListing).fetchSignInMethods(forEmail: email) { methods, error in
                if let error {
                    continuation.resume(throwing: error)
                } else {
                    continuation.resume(returning: methods ?? [])
                }
            }
        }
    }

    private func updateEmail(of user: AuthCoreFirebase.User, to email: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            (user as any EmailUpdating).updateEmail(to: email) { error in
                if let error { continuation.resume(throwing: error) } else { continuation.resume() }
            }
        }
    }

    private func newestCode(_ kind: Message.Kind) -> String {
        outbox.messages.last { $0.kind == kind }?.link ?? ""
    }

    private func credential(
        of step: Trace.Step,
        _ device: AuthCoreFirebase.Auth
    ) async throws -> AuthCoreFirebase.AuthCredential {
        switch step.operation {
        case "signInWithIdP", "linkIdP":
            let answer = step.arguments["credential"] ?? .null
            return OAuthProvider.credential(
                providerID: .custom(answer["provider"]?.stringValue ?? ""),
                idToken: String(decoding: answer.json(), as: UTF8.self)
            )
        case "signInWithPhone", "linkPhone":
            let provider = PhoneAuthProvider.provider(auth: device)
            let id = try await provider.verifyPhoneNumber(step["phoneNumber"])
            return provider.credential(
                withVerificationID: id,
                verificationCode: outbox.messages.last?.code ?? ""
            )
        case "signInWithEmailLink", "linkEmailLink":
            let settings = ActionCodeSettings()
            settings.handleCodeInApp = true
            try await device.sendSignInLink(toEmail: step["email"], actionCodeSettings: settings)
            return EmailAuthProvider.credential(withEmail: step["email"], link: newestCode(.signInLink))
        default:
            return EmailAuthProvider.credential(withEmail: step["email"], password: step["password"])
        }
    }

    private func resetPassword(_ step: Trace.Step, _ device: AuthCoreFirebase.Auth) async throws -> ReplayOutcome {
        let before = outbox.messages.count
        try await device.sendPasswordReset(withEmail: step["email"])
        guard outbox.messages.count > before else { return .done }
        try await device.confirmPasswordReset(withCode: newestCode(.resetPassword), newPassword: step["newPassword"])
        return .done
    }

    private func enroll(
        _ step: Trace.Step,
        _ user: AuthCoreFirebase.User,
        _ device: AuthCoreFirebase.Auth
    ) async throws {
        let session = try await user.multiFactor.session()
        let provider = PhoneAuthProvider.provider(auth: device)
        let id = try await provider.verifyPhoneNumber(step["phoneNumber"], multiFactorSession: session)
        let credential = provider.credential(
            withVerificationID: id,
            verificationCode: outbox.messages.last?.code ?? ""
        )
        try await user.multiFactor.enroll(
            with: PhoneMultiFactorGenerator.assertion(with: credential),
            displayName: step["displayName"]
        )
    }

    private func unenroll(_ step: Trace.Step, _ user: AuthCoreFirebase.User) async throws {
        // A factor is removed by its ID. A number that is not a factor of the account stands for an ID that does not
        // exist.
        let account = try? await service.account(AccountID(user.uid) ?? "nobody")
        let factor = account?.factors.first { $0.phoneNumber?.text == step["phoneNumber"] }
        try await user.multiFactor.unenroll(withFactorUID: factor?.id.text ?? "none")
    }

    private func resolve(_ step: Trace.Step) async throws -> AuthDataResult {
        guard let resolver = resolvers[step["session"]] else {
            throw NSError(
                domain: AuthErrorDomain,
                code: AuthCoreFirebase.AuthErrorCode.missingMultiFactorSession.rawValue
            )
        }
        let suffix = step["phoneNumber"].suffix(4)
        let hints = resolver.hints.compactMap { $0 as? PhoneMultiFactorInfo }
        guard let hint = hints.first(where: { $0.phoneNumber.hasSuffix(suffix) }) else {
            throw NSError(
                domain: AuthErrorDomain,
                code: AuthCoreFirebase.AuthErrorCode.multiFactorInfoNotFound.rawValue
            )
        }
        let provider = PhoneAuthProvider.provider(auth: resolver.auth)
        let id = try await provider.verifyPhoneNumber(with: hint, multiFactorSession: resolver.session)
        let credential = provider.credential(
            withVerificationID: id,
            verificationCode: outbox.messages.last?.code ?? ""
        )
        return try await resolver.resolveSignIn(with: PhoneMultiFactorGenerator.assertion(with: credential))
    }
}

/// Calls the deprecated method that changes an address, as the recording does, so that only this line has a warning.
private protocol EmailUpdating {
    func updateEmail(to email: String, completion: (((any Error)?) -> Void)?)
}

extension AuthCoreFirebase.User: EmailUpdating {}

/// Calls the deprecated method that lists sign-in methods, for the same reason.
private protocol MethodListing {
    func fetchSignInMethods(forEmail email: String, completion: (([String]?, (any Error)?) -> Void)?)
}

extension AuthCoreFirebase.Auth: MethodListing {}
