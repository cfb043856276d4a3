@testable import AuthCore
import Foundation
import XCTest

/// All situations, and the people and proofs that they are made of.
struct Situations {
    let annsNumber: PhoneNumber
    let newNumber: PhoneNumber
    let address = EmailAddress(normalized: "ann@example.com")
    let other = EmailAddress(normalized: "ann@example.org")
    let code = OneTimeRecordID(bits: 200)
    let further = OneTimeRecordID(bits: 201)

    init() throws {
        annsNumber = try XCTUnwrap(PhoneNumber("+4915112345678"))
        newNumber = try XCTUnwrap(PhoneNumber("+4915187654321"))
    }

    var all: [Situation] {
        federatedSignIns + otherSignIns + signUps + links + conflicts + removals + mailedCodes + changes + factors
            + merges + others + strangers
    }

    // MARK: People

    /// What hangs on a password.
    let password = SignInMethod.Kind.password(PasswordHash(tagged: "$old"))
    let newHash = PasswordHash(tagged: "$new")

    /// Ann with a password and a verified address, all of it a hundred days old and covered.
    var ann: Account {
        Account.person(at: address).adding(password).verified().changing { $0.displayName = "Annie" }
    }

    /// Ann with nothing but a Google that runs her mailbox.
    var googled: Account {
        Account.person(at: address).adding(method(google())).changing { account in
            let source = Evidence.Source.provider(proof(google(), under: .pinned).identity.key, .authoritative)
            account.note(.email(address), source, at: Scene.ago(days: 100))
        }
    }

    /// A person who typed Ann's address and verified nothing.
    var squatter: Account { Account.person(at: address).adding(password, isCovered: false) }

    /// Somebody whose Facebook once confirmed Ann's address, which is for show.
    var displaying: Account {
        Account.person(at: address).adding(method(facebook()), isCovered: false).changing { account in
            account.reservesEmail = false
            let source = Evidence.Source.provider(proof(facebook(), under: .pinned).identity.key, .confirmed)
            account.note(.email(address), source, at: Scene.ago(days: 100))
        }
    }

    // MARK: Identities

    /// An organization's Google, which runs the mailboxes of its domain.
    func google(_ subject: String = "ann", _ email: EmailAddress? = nil) -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: .google, issuer: "https://accounts.google.com", subject: subject)
        assertion.email = (email ?? address).text
        assertion.isEmailVerified = true
        assertion.hostedDomain = (email ?? address).domain
        assertion.displayName = "Ann"
        return assertion
    }

    /// Facebook, which confirms addresses and runs none.
    func facebook(_ email: EmailAddress? = nil) -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: .facebook, subject: "ann")
        assertion.email = (email ?? address).text
        assertion.isEmailVerified = true
        assertion.displayName = "Ann F"
        return assertion
    }

    func proof(_ assertion: ProviderAssertion, under policy: AuthPolicy, pending: PendingUse? = nil) -> FederatedProof {
        let email = assertion.email.map { EmailAddress(normalized: $0) }
        let identity = Identity(
            key: Identity.Key(issuer: assertion.issuer, subject: assertion.subject),
            provider: assertion.provider,
            email: email,
            assurance: email.map { policy.assurance(of: assertion, about: $0) } ?? .claimed,
            displayName: assertion.displayName
        )
        return FederatedProof(identity: identity, assertion: assertion, pending: pending)
    }

    /// The method that an identity is, as an account has it that linked it under the standard policy.
    func method(_ assertion: ProviderAssertion) -> SignInMethod.Kind {
        .federated(proof(assertion, under: .pinned).identity)
    }

    // MARK: Proofs

    func passwordProof(_ account: Account, isRight: Bool = true) -> PasswordProof {
        PasswordProof(
            email: account.email ?? address,
            finding: isRight
                ? .matches(account.id, generation: account.passwordMethod?.generation ?? 0, rehashed: nil) : .differs
        )
    }

    /// A password that is set, if the rule accepts it.
    func setting(_ password: Secret, under policy: AuthPolicy) -> Result<PasswordHash, Refusal> {
        policy.passwordRule.refusal(of: password).map { .failure($0) } ?? .success(newHash)
    }

    /// The app that shows codes, and the challenge that it answers.
    func factorProof(_ account: Account, answering challenge: OneTimeRecordID) -> FactorProof {
        FactorProof(
            use: shownFactor,
            account: account.id,
            sessionGeneration: account.sessionGeneration,
            consumes: [challenge],
            step: 7
        )
    }

    let shownFactor = SecondFactor.Use(factor: SecondFactor.ID(bits: 300), kind: .totp, at: Scene.now)

    /// What a challenge of a sign-in keeps.
    func challenge(_ account: Account, _ stored: Store.StoredProof) -> OneTimeRecord.Content {
        .factorChallenge(Store.FactorChallenge(purpose: .signIn, proof: stored, verifiedAt: Scene.now, completes: nil))
    }

    func mailed(_ number: UInt128 = 250) -> IssuedCode {
        IssuedCode(key: OneTimeRecordID(bits: number), message: OperationID(bits: number), text: "code")
    }

    /// A code that was sent to a number and is right.
    func phoneCode(_ number: PhoneNumber) -> OneTimeRecord.Content {
        .phoneCode(Store.PhoneCode(number: number, hash: [1], use: .method))
    }
}
