@testable import AuthCore
import AuthCoreTesting
import XCTest

/// One service, an attacker who was there first, and a victim who comes later.
final class PreHijackScene {
    /// How the attacker gets an account that carries the victim's address.
    enum Beginning {
        /// By saying so: signing up with a password, or naming the address once there is another sign-in method.
        case naming
        /// By signing up under an address of their own and moving to the victim's.
        case moving
        /// By an identity at a provider that does not check what it is told.
        case claiming
    }

    /// What the victim does.
    enum Coming: CaseIterable {
        /// Signs in with a provider that runs the mailbox, and starts fresh where there is a conflict.
        case federatedFresh
        /// The same, and answers a conflict by a code from the mailbox: "this is mine".
        case federatedClaim
        /// Finds the address taken and resets the password, or signs up where it is free.
        case reset
        /// Signs in with a mailed link, and resets the password where that is a conflict.
        case mailedLink
    }

    static let address = "ann@example.com"
    static let evilAddress = "eve@evil.example"
    static let evilNumber = "+15550006666"
    static let evilPassword = "eves own word"
    static let victimsPassword = "anns own word"

    let world: World
    let eve: Auth
    let ann: Auth
    private let work = SimulatedToken(hostedDomain: "example.com")
    private var hers: User?
    private var tokens: Session.Tokens?
    private var kept: [AuthCredential] = []
    private var conflict: Conflict?
    private let preparations: Set<Preparation>
    private let claim: SimulatedToken

    /// A scene in which the provider that checks nothing may call the address verified.
    init(_ policy: AuthPolicy, _ preparations: Set<Preparation>, isClaimVerified: Bool = false) {
        world = World(policy, providers: .simulated(and: ["oidc.example"]))
        eve = world.device("eve")
        ann = world.device("ann")
        self.preparations = preparations
        claim = SimulatedToken(address: isClaimVerified ? .verified : .unverified)
    }

    // MARK: The attacker prepares

    func prepare(_ beginning: Beginning) async throws {
        let user = try await begin(beginning)
        if preparations.contains(.factor) { _ = try? await user.multiFactor.startTOTP(issuer: "Eve") }
        if preparations.contains(.pendingChange) {
            try? await user.sendEmailVerification(beforeUpdatingTo: Self.evilAddress)
        }
        if preparations.contains(.unusedCodes) { try await hoard(user) }
        if preparations.contains(.refreshToken) { tokens = try await user.issueTokens() }
        if preparations.contains(.session) { hers = user }
    }

    private func begin(_ beginning: Beginning) async throws -> User {
        let user: User
        switch beginning {
        case .claiming:
            user = try await eve.signIn(with: claimed).user
            try await linkOthers(to: user)
        case .naming where preparations.contains(.password):
            user = try await eve.signUp(email: Self.address, password: Self.evilPassword).user
            try await linkOthers(to: user)
        case .moving where preparations.contains(.password):
            user = try await eve.signUp(email: Self.evilAddress, password: Self.evilPassword).user
            try await user.updateEmail(to: Self.address)
            try await linkOthers(to: user)
        case .naming, .moving:
            user = try await eve.signInAnonymously().user
            try await linkOthers(to: user)
            if case .moving = beginning { try await user.updateEmail(to: Self.evilAddress) }
            try await user.updateEmail(to: Self.address)
        }
        return user
    }

    private func linkOthers(to user: User) async throws {
        if preparations.contains(.otherIdentity) { try await user.link(with: world.credential(.gitHub, .eve)) }
        if preparations.contains(.phone) {
            try await user.link(with: world.digits(to: Self.evilNumber, from: eve))
        }
    }

    private var claimed: AuthCredential {
        .simulated("oidc.example", SimulatedPerson.eve.with(email: Self.address), saying: claim, at: world.clock.now)
    }

    private func hoard(_ user: User) async throws {
        try await user.sendEmailVerification()
        try await eve.sendPasswordReset(to: Self.address)
        try await eve.sendSignInLink(to: Self.address)
        kept.append(try await world.digits(to: Self.evilNumber, from: eve))
        let disguised = SimulatedPerson.eve.with(email: Self.address)
        do {
            try await eve.signIn(with: world.credential(.facebook, disguised))
        } catch {
            conflict = error.conflict
        }
    }

    // MARK: The victim comes

    func come(_ coming: Coming) async throws -> User {
        do {
            switch coming {
            case .federatedFresh, .federatedClaim:
                return try await ann.signIn(with: world.credential(.google, .ann, saying: work)).user
            case .mailedLink:
                return try await ann.signIn(with: link(to: Self.address, in: ann)).user
            case .reset:
                return try await reset()
            }
        } catch let error as AuthError {
            guard let conflict = error.conflict else { throw error }
            switch coming {
            case .federatedFresh: return try await ann.createSeparateAccount(from: conflict).user
            case .federatedClaim:
                let link = try await link(to: Self.address, in: ann)
                return try await ann.resolve(conflict, signingInWith: link).user
            case .mailedLink, .reset: return try await reset()
            }
        }
    }

    private func reset() async throws -> User {
        let known = world.outbox.messages.count
        try await ann.sendPasswordReset(to: Self.address)
        guard world.outbox.messages.count > known else {
            return try await ann.signUp(email: Self.address, password: Self.victimsPassword).user
        }
        try await ann.confirmPasswordReset(code: world.newestCode, newPassword: Self.victimsPassword)
        return try await ann.signIn(with: .password(email: Self.address, password: Self.victimsPassword)).user
    }

    private func link(to email: String, in auth: Auth) async throws -> AuthCredential {
        try await auth.sendSignInLink(to: email)
        return .emailLink(email: email, link: try XCTUnwrap(world.outbox.last(to: email, .signInLink)?.link))
    }

    // MARK: The attacker tries everything

    /// What the attacker reached of the victim's account, by name; empty if nothing.
    func breaches(of victim: User) async throws -> [String] {
        let before = try await world.service.account(victim.account.id)
        var breaches: [String] = []
        for (name, attempt) in attempts() {
            if let reached = try? await attempt(), reached == victim.uid { breaches.append(name) }
        }
        let after = try await world.service.account(victim.account.id)
        if before != after { breaches.append("the account is another: \(before) \(after)") }
        if (try? await victim.reload()) == nil { breaches.append("the victim's session is over") }
        return breaches
    }

    private typealias Attempt = () async throws -> String?

    private func attempts() -> [(String, Attempt)] {
        var attempts: [(String, Attempt)] = []
        let (service, eve, world) = (world.service, eve, world)
        for email in [Self.address, Self.evilAddress] {
            attempts.append(
                (
                    "password",
                    { try await eve.signIn(with: .password(email: email, password: Self.evilPassword)).user.uid }
                )
            )
        }
        if let hers { attempts += sessionAttempts(hers) }
        if let tokens {
            attempts.append(
                (
                    "refresh token",
                    {
                        try await service.client().user(
                            forIDToken: service.client().refresh(tokens.refreshToken).idToken.token
                        ).uid
                    }
                )
            )
            attempts.append(("ID token", { try await service.client().user(forIDToken: tokens.idToken.token).uid }))
        }
        attempts.append(("identity", { try await eve.signIn(with: world.credential(.gitHub, .eve)).user.uid }))
        attempts.append(("claimed identity", { [claimed] in try await eve.signIn(with: claimed).user.uid }))
        attempts.append(
            ("phone", { try await eve.signIn(with: world.digits(to: Self.evilNumber, from: eve)).user.uid })
        )
        for credential in kept { attempts.append(("kept code", { try await eve.signIn(with: credential).user.uid })) }
        if let conflict {
            attempts.append(("kept conflict", { try await eve.createSeparateAccount(from: conflict).user.uid }))
            attempts.append(
                (
                    "kept conflict with a password",
                    {
                        let word = AuthCredential.password(email: Self.address, password: Self.evilPassword)
                        return try await eve.resolve(conflict, signingInWith: word).user.uid
                    }
                )
            )
        }
        return attempts + mailAttempts()
    }

    private func sessionAttempts(_ hers: User) -> [(String, Attempt)] {
        [
            (
                "session",
                {
                    try await hers.reload()
                    return hers.uid
                }
            ),
            (
                "profile",
                {
                    try await hers.updateProfile(displayName: .set("Eve"))
                    return hers.uid
                }
            ),
            (
                "link",
                { [world] in
                    try await hers.link(with: world.credential(.twitter, .eve))
                    return hers.uid
                }
            ),
            (
                "delete",
                {
                    try await hers.delete()
                    return hers.uid
                }
            ),
        ]
    }

    /// Every code that was ever mailed to the attacker, and the new ones that can be asked for.
    private func mailAttempts() -> [(String, Attempt)] {
        let (eve, world) = (eve, world)
        func codes() -> [Message] { world.outbox.messages.filter { "\($0.recipient)".contains(Self.evilAddress) } }
        return [
            (
                "mailed codes",
                {
                    for message in codes() {
                        _ = try? await eve.applyActionCode(message.code)
                        _ = try? await eve.reportUnauthorizedChange(code: message.code)
                    }
                    return nil
                }
            ),
            (
                "reset by the evil mailbox",
                {
                    try await eve.sendPasswordReset(to: Self.evilAddress)
                    for message in codes() {
                        _ = try? await eve.confirmPasswordReset(code: message.code, newPassword: "one more word")
                    }
                    return try await eve.signIn(
                        with: .password(email: Self.evilAddress, password: "one more word")
                    ).user.uid
                }
            ),
            (
                "link to the evil mailbox",
                { [self] in try await eve.signIn(with: link(to: Self.evilAddress, in: eve)).user.uid }
            ),
        ]
    }
}
