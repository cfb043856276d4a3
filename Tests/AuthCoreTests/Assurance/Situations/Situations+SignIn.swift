@testable import AuthCore
import AuthCoreTesting
import Foundation

/// A person presents an identity.
extension Situations {
    var federatedSignIns: [Situation] { knownIdentities + unknownIdentities }

    private func presents(
        _ name: String,
        _ scene: Scene,
        _ assertion: ProviderAssertion,
        factor: FactorProof? = nil
    ) -> Situation {
        var shows = Shown(factor: factor?.use)
        let email = assertion.email.map { EmailAddress(normalized: $0) }
        if assertion.hostedDomain == nil {
            shows.confirmed = email
        } else {
            shows.proves = email.map { [.email($0)] } ?? []
        }
        return Situation(name, scene, by: assertion.provider, authentication: shows) {
            SignIn(proof: .federated(proof(assertion, under: $0)), factor: factor)
        }
    }

    private var knownIdentities: [Situation] {
        let known = ann.adding(method(google()))
        let secured = known.enrolled()
        return [
            presents("known Google", Scene(known), google()),
            presents("known Google that is suspended", Scene(known.suspended(.google)), google()),
            presents(
                "known Google, with the second factor",
                Scene(secured).holding(challenge(secured, .federated(google(), pending: nil)), of: secured.id),
                google(),
                factor: factorProof(secured, answering: code)
            ),
            presents("known Google that has another address now", Scene(known), google("ann", other)),
        ]
    }

    private var unknownIdentities: [Situation] {
        let facebooked = Account.person(at: address).adding(method(facebook()), isCovered: false)
        return [
            presents("unknown Google, its address free", Scene(), google()),
            presents("unknown Facebook, its address free", Scene(), facebook()),
            presents("unknown Google, its address verified and all methods covered", Scene(ann), google()),
            presents(
                "unknown Google, its address verified by a disabled account",
                Scene(ann.changing { $0.isDisabled = true }),
                google()
            ),
            presents(
                "unknown Google, its address verified outside the session of the password",
                Scene(Account.person(at: address).adding(password, isCovered: false).verified()),
                google()
            ),
            presents(
                "unknown Google, its address verified two years ago",
                Scene(Account.person(at: address).adding(password).verified(days: 730)),
                google()
            ),
            presents("unknown Google, its address that of an account that verified nothing", Scene(squatter), google()),
            presents("unknown Google, its address that of a Facebook that is not covered", Scene(facebooked), google()),
            presents(
                "unknown Google, its address verified by an account with a second factor",
                Scene(ann.enrolled()),
                google()
            ),
            presents(
                "unknown Google, its address that of an account with another Google",
                Scene(ann.adding(method(google("former")))),
                google()
            ),
            presents(
                "unknown Google, its address that of an account from which Google was removed",
                Scene(ann.changing { $0.blockedIssuers = [ExactText("https://accounts.google.com")] }),
                google()
            ),
            presents("unknown Facebook, its address verified and all methods covered", Scene(ann), facebook()),
            presents(
                "unknown Facebook, its address displayed by another account",
                Scene(displaying),
                facebook().changing { $0.subject = "other" }
            ),
        ]
    }
}

extension ProviderAssertion {
    fileprivate func changing(_ change: (inout ProviderAssertion) -> Void) -> ProviderAssertion {
        var assertion = self
        change(&assertion)
        return assertion
    }
}

/// Somebody signs in with something else, or signs up.
extension Situations {
    var otherSignIns: [Situation] { passwords + mailboxes + phones + [customToken] }

    private var passwords: [Situation] {
        func presents(_ name: String, _ account: Account, _ proof: @escaping @Sendable (AuthPolicy) -> PasswordProof)
            -> Situation
        {
            Situation(name, Scene(account), by: .password) { SignIn(proof: .password(proof($0))) }
        }
        let leaving = ann.changing { $0.deletedUntil = Scene.now + .days(1) }
        return [
            // Eight wrong ones came before; who has to wait is not even compared.
            presents("right password, after eight wrong ones", ann) { policy in
                guard let limits = policy.limits else { return passwordProof(ann) }
                let take = Store.Take(
                    AttemptKey(purpose: .password, hash: 1),
                    limits.waits(after: limits.passwords),
                    isSettled: true
                )
                var record = AttemptRecord()
                for _ in 0..<8 { record.take(take, at: Scene.now) }
                let isFree = record.answer(take.allowance, at: Scene.now) == .taken
                return isFree
                    ? passwordProof(ann)
                    : PasswordProof(email: address, finding: .mustWait(.attemptsMustWait(until: nil)))
            },
            Situation("wrong password", Scene(ann), by: .password, concealing: .uniform(ann)) { _ in
                SignIn(proof: .password(passwordProof(ann, isRight: false)))
            },
            presents("right password of an account that waits for its deletion", leaving) { _ in
                passwordProof(leaving)
            },
        ]
    }

    private var mailboxes: [Situation] {
        func presents(_ name: String, _ scene: Scene) -> Situation {
            Situation(
                name,
                scene.holding(.signInLink(address)),
                by: .emailLink,
                authentication: Shown(proves: [.email(address)])
            ) { _ in SignIn(proof: .mailbox(MailboxProof(email: address, record: code))) }
        }
        return [
            presents("mailed link, its address verified and all methods covered", Scene(ann)),
            presents("mailed link, its address that of an account that verified nothing", Scene(squatter)),
            presents(
                "mailed link as a linked method, its address not verified",
                Scene(squatter.adding(.emailLink).changing { $0.wasEverVerified = true })
            ),
        ]
    }

    private var phones: [Situation] {
        func presents(_ name: String, _ account: Account) -> Situation {
            Situation(
                name,
                Scene(account).holding(phoneCode(annsNumber)),
                by: .phone,
                authentication: Shown(proves: [.phone(annsNumber)])
            ) { _ in SignIn(proof: .phone(PhoneProof(number: annsNumber, record: code))) }
        }
        return [
            presents("known number, verified a hundred days ago, beside a password", called(days: 100)),
            presents("known number of an account with a second factor", called(days: 10).enrolled()),
        ]
    }

    /// Ann with her number, verified so long ago.
    func called(days: Double) -> Account {
        ann.adding(.phone(annsNumber)).changing {
            $0.note(.phone(annsNumber), .phoneCode, at: Scene.ago(days: days))
        }
    }

    private var customToken: Situation {
        let known = ann.changing { $0.acceptsCustomTokens = true }
        let seen = Scene.ago(minutes: 60)
        let proof = CustomTokenProof(account: known.id, claims: [:], authenticatedAt: seen)
        return Situation(
            "custom token that states a login an hour ago",
            Scene(known),
            by: .custom,
            authentication: Shown(login: .token(seen))
        ) { _ in SignIn(proof: .customToken(proof)) }
    }

    var signUps: [Situation] {
        func signUp(_ name: String, _ scene: Scene, concealing concealment: Concealment? = nil) -> Situation {
            Situation(name, scene, by: .password, concealing: concealment) {
                SignUp(email: address, password: setting("correct horse", under: $0))
            }
        }
        let earlier = squatter.changing { ($0.isProvisional, $0.reservesEmail) = (true, false) }
        let again = Scene(earlier).holding(
            .provisionalSignUp,
            under: .provisional(address, DeviceID(named: "phone").key),
            of: earlier.id
        )
        return [
            signUp("sign-up with a free address", Scene()),
            signUp("sign-up with a taken address", Scene(ann), concealing: .signUp(ann)),
            signUp("sign-up on a device on which the address was signed up before and not verified", again),
        ]
    }
}
