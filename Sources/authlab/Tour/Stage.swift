internal import AuthCoreCrypto
internal import AuthCore
internal import AuthCoreTesting

/// Where a scene runs: a service with simulated providers, and the lines that report what happens.
///
/// Time moves only when a scene moves it, and randomness comes from a seed, so every run is the same.
final class Stage {
    let clock = ManualClock()
    let outbox = Message.Outbox()
    let service: AuthService
    private(set) var lines: [Narration] = []
    private(set) var failures = 0

    let policy: AuthPolicy

    init(_ policy: AuthPolicy = .standard, providers: AuthProviders = .simulated, store: LabStore = .memory) {
        self.policy = policy
        var configuration = AuthConfiguration(
            policy: policy,
            providers: providers,
            passwordHasher: CheapPasswordHasher(),
            messageSender: outbox,
            environment: .manual(clock)
        )
        store.use(in: &configuration)
        service = AuthService(configuration)
    }

    /// An app on a device with this name.
    func app(_ deviceName: String = "Ann's phone") -> Auth {
        Auth(service: service, device: DeviceID(named: deviceName), deviceName: deviceName)
    }

    /// The credential that the simulated provider gives an app for this person now.
    func credential(_ provider: ProviderID, _ person: SimulatedPerson) -> AuthCredential {
        .simulated(provider, person, at: clock.now)
    }

    /// What a wrong password is answered with.
    var wrongPassword: AuthErrorCode { policy.disclosure == .detailed ? .wrongPassword : .invalidCredential }

    /// Enrolls an authenticator app.
    func enrollAuthenticator(of user: User) async throws(AuthError) {
        let enrollment = try await user.multiFactor.startTOTP(issuer: "Lake Boats")
        try await user.multiFactor.enroll(enrollment, code: digits(of: enrollment))
    }

    /// What the authenticator app shows now.
    func digits(of enrollment: MultiFactor.TOTPEnrollment) -> String {
        let code = TimeBasedCode()
        return code.code(
            forStep: code.step(at: clock.timestamp.seconds),
            secret: Base32.decode(enrollment.sharedSecret) ?? []
        )
    }

    /// The code of the newest message to an address or number.
    func mailedCode(to recipient: String) -> String { outbox.last(to: recipient)?.code ?? "" }

    /// How many accounts there are.
    func accountCount() async -> Int? { try? await service.accounts().count }

    /// The link of the newest email to an address.
    func mailedLink(to address: String) -> String { outbox.last(to: address)?.link ?? "" }
}

// MARK: Telling

extension Stage {
    /// Reports what happens between two calls.
    func tells(_ text: String) {
        tell(.pause)
        tell(.aside(text))
    }

    /// Reports a statement, and notes whether it is true.
    func checks(_ statement: String, _ isTrue: Bool) {
        if isTrue { tell(.fact(statement)) } else { fails(statement) }
    }

    func fails(_ statement: String) {
        failures += 1
        tell(.failure(statement))
    }

    /// Ends the report.
    ///
    /// A call without a line of its own succeeded.
    func finishes() { tell(.pause) }

    private func tell(_ line: Narration) {
        if case .call? = lines.last {
            switch line {
            case .call, .pause: lines.append(.fact("done"))
            case .title, .aside, .fact, .refusal, .state, .failure: break
            }
        }
        lines.append(line)
    }
}

// MARK: Acting

extension Stage {
    // A closure loses the type of the error that it throws, so the type is checked as well.

    /// Makes a call that must succeed.
    @discardableResult
    func calls<Value>(_ code: String, _ act: () async throws -> Value) async throws(SceneStopped) -> Value {
        tell(.call(code))
        do {
            return try await act()
        } catch {
            fails("the call succeeds (\(error))")
            throw SceneStopped()
        }
    }

    /// Makes a call that must be refused with this error.
    @discardableResult
    func isRefused<Value>(
        _ code: String,
        as expected: AuthErrorCode,
        _ act: () async throws -> Value
    ) async throws(SceneStopped) -> AuthError {
        tell(.call(code))
        do {
            _ = try await act()
        } catch let error as AuthError {
            if error.code != expected { fails("the error is \(expected), not \(error.code)") }
            let reasons = (error.trail + [error.reason].compactMap(\.self)).map(\.rawValue).joined(separator: ", ")
            tell(.refusal("\(error.code) (\(error.code.rawValue))" + (reasons.isEmpty ? "" : ", because \(reasons)")))
            return error
        } catch {
            fails("the error is an AuthError, not \(error)")
            throw SceneStopped()
        }
        fails("the call is refused with \(expected)")
        throw SceneStopped()
    }

    /// Unwraps a value that must exist.
    func unwraps<Value>(_ value: Value?, _ statement: String) throws(SceneStopped) -> Value {
        guard let value else {
            fails(statement)
            throw SceneStopped()
        }
        return value
    }

    /// Reports what the user's store contains about the user's account.
    func shows(_ user: User) async throws(SceneStopped) {
        do {
            let service = user.client.service
            let account = try await service.account(user.account.id)
            for (label, value) in AccountPicture(account, isVerified: service.isEmailVerified(account)).rows {
                tell(.state(label, value))
            }
        } catch {
            fails("the account can be read (\(error))")
            throw SceneStopped()
        }
    }
}

/// The people of the tour: their mailboxes are at Gmail, which Google runs.
extension SimulatedPerson {
    static let annAtGmail = SimulatedPerson(name: "Ann Archer", email: "ann@gmail.com")
    static let benAtGmail = SimulatedPerson(name: "Ben Baker", email: "ben@gmail.com")
    static let eveAtGmail = SimulatedPerson(name: "Eve Ellis", email: "eve@gmail.com")
}
