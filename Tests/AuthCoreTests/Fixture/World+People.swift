@testable import AuthCore
import AuthCoreTesting
import XCTest

/// The people of the tests, and what they present.
extension World {
    static let password = "correct horse"
    static let annsPassword = AuthCredential.password(email: "ann@example.com", password: password)

    /// Google's word about an address whose mailbox it runs.
    var work: SimulatedToken { SimulatedToken(hostedDomain: "example.com") }

    /// A credential of a made-up person at a provider, minted now.
    func credential(
        _ provider: ProviderID,
        _ person: SimulatedPerson = .ann,
        saying token: SimulatedToken = SimulatedToken()
    ) -> AuthCredential {
        .simulated(provider, person, saying: token, at: clock.now)
    }

    func google(_ person: SimulatedPerson = .ann, _ content: SimulatedToken = SimulatedToken()) -> AuthCredential {
        .simulated(.google, person, saying: content, at: clock.now)
    }

    func gitHub(_ person: SimulatedPerson = .ann) -> AuthCredential { .simulated(.gitHub, person, at: clock.now) }

    func facebook(_ person: SimulatedPerson = .ann) -> AuthCredential { .simulated(.facebook, person, at: clock.now) }

    /// The code of the newest message to this address or number.
    func newestCode(to recipient: String) throws -> String { try XCTUnwrap(outbox.last(to: recipient)?.code) }

    /// A phone credential whose digits are right.
    func digits(to number: String, from auth: Auth? = nil) async throws -> AuthCredential {
        let id = try await (auth ?? device()).sendPhoneCode(to: number)
        return .phone(verificationID: id, code: try newestCode(to: number))
    }

    /// A mailed link that is right.
    func mailedLink(to email: String, from auth: Auth) async throws -> AuthCredential {
        try await auth.sendSignInLink(to: email)
        return .emailLink(email: email, link: try XCTUnwrap(outbox.last(to: email, .signInLink)?.link))
    }

    /// Signs in on this device with a link that is mailed to the address.
    func signInByMail(_ address: String, _ device: String) async throws -> User {
        let auth = self.device(device)
        return try await auth.signIn(with: mailedLink(to: address, from: auth)).user
    }

    /// The code of the newest message.
    var newestCode: String { outbox.messages.last?.code ?? "" }

    /// Ann with a password, her address not verified.
    @discardableResult
    func signUpAnn(_ auth: Auth? = nil) async throws -> User {
        try await (auth ?? device()).signUp(email: "ann@example.com", password: Self.password).user
    }

    /// Ann with a password, her address verified by a link that she opened where she is signed in.
    @discardableResult
    func signUpVerifiedAnn(_ auth: Auth? = nil) async throws -> User {
        let ann = try await signUpAnn(auth)
        try await verifyAddress(of: ann)
        return ann
    }

    func verifyAddress(of user: User) async throws {
        try await user.sendEmailVerification()
        let code = try newestCode(to: try XCTUnwrap(user.email))
        try await service.client(RequestContext(device: "mail")).applyActionCode(code, openedIn: user.handle)
        try await user.reload()
    }

    /// An account with a password and a verified address, and perhaps more.
    @discardableResult
    func signUp(
        _ email: String,
        linking credentials: AuthCredential...,
        in auth: Auth? = nil
    ) async throws -> User {
        let user = try await (auth ?? device("laptop of \(email)")).signUp(email: email, password: Self.password).user
        try await user.sendEmailVerification()
        try await service.client().applyActionCode(
            try XCTUnwrap(outbox.last(to: email)?.code),
            openedIn: user.handle
        )
        for credential in credentials { try await user.link(with: credential) }
        try await user.reload()
        return user
    }

    /// An account made by a provider alone.
    @discardableResult
    func signIn(_ provider: ProviderID, _ person: SimulatedPerson = .ann) async throws -> User {
        try await device("laptop of \(person.name)").signIn(with: credential(provider, person)).user
    }

    /// A signed-in person with a verified address.
    func verifiedUser(_ email: String = "ann@example.com", in device: Auth) async throws -> User {
        try await signUp(email, in: device)
    }

    func account(_ user: User) async throws -> Account { try await service.account(user.account.id) }

    func providers(_ user: User) async throws -> [ProviderID] { try await account(user).providerData.map(\.provider) }

    func eventKinds() async throws -> [IdentityEvent.Kind] { try await service.events(limit: .max).events.map(\.kind) }

    /// Brings in this many accounts that never verified their address.
    func bringUnverifiedAccounts(_ count: Int) async throws {
        for number in 0..<count {
            var account = Account(id: try XCTUnwrap(AccountID("a\(number)")), createdAt: clock.timestamp)
            account.email = EmailAddress("a\(number)@example.com")
            account.reservesEmail = true
            _ = account.add(.emailLink, at: account.createdAt)
            _ = try await service.bring(account, lastSignIn: nil, trustedForJoin: false)
        }
    }
}
