internal import AuthCore
internal import AuthCoreTesting
internal import Synchronization

/// Replays against AuthCore's own API.
final class AuthCoreFace: ReplayFace {
    private let service: AuthService
    private let outbox = Message.Outbox()
    private let clock = ManualClock()
    private let state = Mutex(State())

    private struct State {
        var devices: [String: Auth] = [:]
        var users: [String: User] = [:]
        var challenges: [String: SecondFactor.Challenge] = [:]
        var accounts: [String: AccountID] = [:]
    }

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

    func isEmailVerified(_ account: Account) -> Bool { service.isEmailVerified(account) }

    func advanceClock() { clock.advance(by: .seconds(10)) }

    func name(_ account: AccountID, _ name: String) { state.withLock { $0.accounts[name] = account } }

    private func device(_ name: String) -> Auth {
        state.withLock { state in
            if let device = state.devices[name] { return device }
            let device = Auth(service: service, device: DeviceID(named: name))
            state.devices[name] = device
            return device
        }
    }

    func perform(_ step: Trace.Step) async -> ReplayOutcome {
        do throws(AuthError) {
            return try await outcome(of: step)
        } catch {
            if let challenge = error.secondFactor {
                state.withLock { $0.challenges[step["session"]] = challenge }
            }
            return .failed(error)
        }
    }

    private func outcome(of step: Trace.Step) async throws(AuthError) -> ReplayOutcome {
        let device = device(step["session"])
        switch step.operation {
        case "createUser":
            return signedIn(try await device.signUp(email: step["email"], password: step["password"]), step)
        case "signInAnonymously":
            return signedIn(try await device.signInAnonymously(), step)
        case "signInWithPassword", "signInWithIdP", "signInWithPhone", "signInWithEmailLink":
            return signedIn(try await device.signIn(with: try await credential(of: step, device)), step)
        case "resolveSecondFactor":
            return signedIn(try await resolve(step, device), step)
        case "fetchSignInMethods":
            let methods = try await device.fetchSignInMethods(forEmail: step["email"])
            return ReplayOutcome(methods: methods.map { $0 == .emailLink ? "emailLink" : $0.rawValue })
        case "resetPassword":
            return try await resetPassword(step, device)
        case "setDisabled":
            guard let id = state.withLock({ $0.accounts[step["user"]] }) else {
                return ReplayOutcome(error: "noSuchUser")
            }
            try await service.setDisabled(step.arguments["disabled"]?.boolValue ?? false, account: id)
            return .done
        default:
            guard let user = state.withLock({ $0.users[step["session"]] }) else {
                return ReplayOutcome(error: "nullUser")
            }
            return try await outcome(of: step, by: user, device)
        }
    }

    private func outcome(of step: Trace.Step, by user: User, _ device: Auth) async throws(AuthError) -> ReplayOutcome {
        switch step.operation {
        case "linkIdP", "linkPassword", "linkPhone", "linkEmailLink":
            _ = try await user.link(with: try await credential(of: step, device))
        case "unlink":
            _ = try await user.unlink(ProviderID(step["provider"]))
        case "updateEmail":
            try await user.updateEmail(to: step["newEmail"])
        case "updatePassword":
            try await user.updatePassword(to: step["newPassword"])
        case "updateProfile":
            try await user.updateProfile(displayName: .set(step["displayName"]))
        case "verifyEmail":
            try await user.sendEmailVerification()
            try await device.applyActionCode(newestCode(.verifyEmail))
        case "verifyBeforeUpdateEmail":
            try await user.sendEmailVerification(beforeUpdatingTo: step["newEmail"])
            try await device.applyActionCode(newestCode(.changeEmail))
        case "delete":
            try await user.delete()
            return .done
        case "enrollPhoneFactor":
            try await enroll(step, user)
            return .done
        case "unenrollPhoneFactor":
            try await unenroll(step, user)
            return .done
        default:
            return ReplayOutcome(error: "unknown operation \(step.operation)")
        }
        return ReplayOutcome(account: user.account.id)
    }

    private func signedIn(_ result: AuthResult, _ step: Trace.Step) -> ReplayOutcome {
        state.withLock { $0.users[step["session"]] = result.user }
        return ReplayOutcome(account: result.user.account.id, isNewUser: result.isNewUser)
    }

    private func newestCode(_ kind: Message.Kind) -> String {
        outbox.messages.last { $0.kind == kind }?.link ?? ""
    }

    private func credential(of step: Trace.Step, _ device: Auth) async throws(AuthError) -> AuthCredential {
        switch step.operation {
        case "signInWithIdP", "linkIdP":
            return .recorded(step.arguments["credential"] ?? .null)
        case "signInWithPhone", "linkPhone":
            let id = try await device.sendPhoneCode(to: step["phoneNumber"])
            return .phone(verificationID: id, code: outbox.messages.last?.code ?? "")
        case "signInWithEmailLink", "linkEmailLink":
            try await device.sendSignInLink(to: step["email"])
            return .emailLink(email: step["email"], link: newestCode(.signInLink))
        default:
            return .password(email: step["email"], password: step["password"])
        }
    }

    private func resetPassword(_ step: Trace.Step, _ device: Auth) async throws(AuthError) -> ReplayOutcome {
        let before = outbox.messages.count
        try await device.sendPasswordReset(to: step["email"])
        guard outbox.messages.count > before else { return .done }
        try await device.confirmPasswordReset(code: newestCode(.resetPassword), newPassword: step["newPassword"])
        return .done
    }

    private func enroll(_ step: Trace.Step, _ user: User) async throws(AuthError) {
        let id = try await user.multiFactor.sendPhoneCode(to: step["phoneNumber"])
        let code = outbox.messages.last?.code ?? ""
        try await user.multiFactor.enroll(phoneVerificationID: id, code: code, displayName: step["displayName"])
    }

    private func unenroll(_ step: Trace.Step, _ user: User) async throws(AuthError) {
        // A factor is removed by its ID. A number that is not a factor of the account stands for an ID that does not
        // exist.
        let account = try? await service.account(user.account.id)
        let factor = account?.factors.first { $0.phoneNumber?.text == step["phoneNumber"] }
        try await user.multiFactor.unenroll(factor?.id ?? SecondFactor.ID(bits: 0))
    }

    private func resolve(_ step: Trace.Step, _ device: Auth) async throws(AuthError) -> AuthResult {
        guard let challenge = state.withLock({ $0.challenges[step["session"]] }) else {
            throw AuthError(.missingMultiFactorSession)
        }
        let suffix = step["phoneNumber"].suffix(4)
        guard let hint = challenge.hints.first(where: { $0.maskedPhoneNumber?.hasSuffix(suffix) ?? false }) else {
            throw AuthError(.multiFactorInfoNotFound)
        }
        let id = try await device.sendPhoneCode(for: challenge, factor: hint.id)
        let code = outbox.messages.last?.code ?? ""
        return try await device.resolve(challenge, with: .phone(verificationID: id, code: code))
    }
}
