internal import AuthCore
internal import AuthCoreTesting

/// One cell of the decision map, played on a service of its own with simulated providers.
struct Encounter: Sendable {
    static let email = "ann@icloud.com"
    private static let password = "correct horse"
    /// A provider that states addresses and runs no mailbox.
    private static let other: ProviderID = "oidc.example"
    private static let person = SimulatedPerson(name: "Ann Archer", email: email)
    private static let linked = SimulatedPerson(name: "Ann at GitHub", email: nil)
    private static let earlier = SimulatedPerson(name: "Ann, earlier", email: email)

    let incoming: Incoming
    let state: AccountState?
    let policy: AuthPolicy

    /// Whether the question makes sense.
    var isPossible: Bool { impossibility == nil }

    /// Why the question makes no sense; nil if it makes sense.
    var impossibility: String? {
        guard let state else {
            switch incoming {
            case .knownIdentity: return "a known identity belongs to an account: describe it as account"
            case .password: return "a password belongs to an account: describe it as account"
            default: return nil
            }
        }
        if incoming == .password, state.address == .displayed {
            return "an account that displays an address has no password"
        }
        if state.sameProvider != .nothing, !incoming.isNewIdentity {
            let identities = Incoming.allCases.filter(\.isNewIdentity).map(\.rawValue)
            return "sameProvider is about a new identity: \(identities.joined(separator: ", "))"
        }
        if state.hasSecondFactor, state.address != .verified { return "a second factor needs a verified address" }
        return nil
    }

    /// Prepares the account by what a person would do, and returns what signing in would do then.
    func play() async throws -> MapCell {
        let stage = try await prepared()
        let device = stage.app("another device")
        do throws(AuthError) {
            let proof = try await device.verify(try await credential(on: stage, by: device))
            return MapCell(try await device.previewSignIn(with: proof))
        } catch {
            return MapCell(error)
        }
    }

    /// A service with the account.
    func prepared() async throws -> Stage {
        let stage = Stage(policy, providers: .simulated(and: [Self.other]))
        if let state { try await prepare(state, on: stage, by: earlierService(on: stage)) }
        return stage
    }

    /// A service of the same store, under which the account can be made.
    ///
    /// An account may be older than what the policy now says of new passwords, providers, factors, nonces and codes.
    private func earlierService(on stage: Stage) -> AuthService {
        var configuration = stage.service.configuration
        configuration.policy.passwordRule = AuthPolicy.PasswordRule(minimumLength: 0)
        configuration.policy.disabledProviders = []
        configuration.policy.factorLimit = nil
        configuration.policy.linkNonce = .never
        configuration.policy.lifetimes = AuthPolicy.Lifetimes()
        return AuthService(configuration)
    }

    /// What the person presents on a device.
    func credential(on stage: Stage, by device: Auth) async throws(AuthError) -> AuthCredential {
        switch incoming {
        case .mailedLink:
            try await device.sendSignInLink(to: Self.email)
            return .emailLink(email: Self.email, link: stage.mailedLink(to: Self.email))
        case .password: return .password(email: Self.email, password: Self.password)
        case .knownIdentity: return identity(Self.linked.with(email: Self.email), on: stage)
        case .authoritative, .flagged, .confirmed, .claimed: return identity(Self.person, on: stage)
        case .noAddress: return identity(Self.person.with(email: nil), on: stage)
        }
    }

    /// The provider that the row is about, and what it says of the address.
    private var provider: (ProviderID, SimulatedToken) {
        switch incoming {
        case .authoritative: (.apple, SimulatedToken())
        case .confirmed: (.facebook, SimulatedToken())
        case .claimed: (Self.other, SimulatedToken(address: .unverified))
        case .knownIdentity, .flagged, .noAddress, .mailedLink, .password:
            (Self.other, SimulatedToken(address: .verified))
        }
    }

    private func identity(_ person: SimulatedPerson, on stage: Stage) -> AuthCredential {
        .simulated(provider.0, person, saying: provider.1, at: stage.clock.now)
    }

    private func prepare(_ state: AccountState, on stage: Stage, by service: AuthService) async throws {
        let auth = Auth(service: service, device: "Ann's phone")
        let user: User
        if state.address == .displayed {
            user = try await auth.signIn(with: stage.credential(.facebook, Self.earlier)).user
        } else {
            user = try await auth.signUp(email: Self.email, password: Self.password).user
        }
        if state.address == .verified {
            try await user.sendEmailVerification()
            let opener = state.isCovered ? auth : Auth(service: service, device: "Ann's mail")
            try await opener.applyActionCode(stage.mailedCode(to: Self.email))
        }
        if state.hasOtherMethod { try await user.link(with: stage.credential(.gitHub, Self.linked)) }
        if incoming == .knownIdentity { try await user.link(with: identity(Self.linked, on: stage)) }
        if state.sameProvider != .nothing {
            try await user.link(with: identity(Self.earlier.with(email: nil), on: stage))
            if state.sameProvider == .removedIdentity { try await user.unlink(provider.0) }
        }
        if state.hasSecondFactor { try await stage.enrollAuthenticator(of: user) }
        stage.clock.advance(by: .seconds(Double(state.verifiedDaysAgo) * 86400))
        if state.isDisabled { _ = try await stage.service.setDisabled(true, account: user.account.id) }
    }
}
