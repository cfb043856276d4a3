@testable import AuthCore
import Foundation

/// The person in a session adds a sign-in method, or answers a conflict.
extension Situations {
    private func links(
        _ name: String,
        _ scene: Scene,
        by provider: ProviderID,
        authentication shows: Shown = Shown(login: .addition),
        _ method: @escaping @Sendable (AuthPolicy) -> NewMethod
    ) -> Situation {
        Situation(name, scene, by: provider, authentication: shows) {
            LinkMethod(handle: scene.acting, method: method($0))
        }
    }

    var links: [Situation] {
        var anonymous = Account.person(at: nil)
        anonymous.isAnonymous = true
        let guest = Scene(anonymous).signedIn(by: .anonymous, minutes: 60)
        let confirmed = Shown(login: .addition, confirmed: address)
        let verified = Shown(login: .addition, proves: [.email(address)])
        let ben = Account.person(2, at: other).adding(password).verified()
        return [
            links("links Google to an anonymous account", guest, by: .google, authentication: verified) {
                .federated(proof(google(), under: $0))
            },
            links("links a password to an anonymous account", guest, by: .password) {
                .password(address, setting("correct horse", under: $0))
            },
            links("links Facebook", Scene(ann).signedIn(), by: .facebook, authentication: confirmed) {
                .federated(proof(facebook(), under: $0))
            },
            links(
                "links Facebook an hour after the login",
                Scene(ann).signedIn(minutes: 60),
                by: .facebook,
                authentication: confirmed
            ) {
                .federated(proof(facebook(), under: $0))
            },
            links(
                "links Google, whose address is another account's",
                Scene(ben, ann).signedIn(),
                by: .google,
                authentication: verified
            ) { .federated(proof(google(), under: $0)) },
            links(
                "links a number",
                Scene(ann).signedIn().holding(phoneCode(newNumber)),
                by: .phone,
                authentication: Shown(login: .addition, proves: [.phone(newNumber)])
            ) { _ in .verified(.phone(PhoneProof(number: newNumber, record: code))) },
            links(
                "links mailed links as a method",
                Scene(googled).signedIn(by: .federated).holding(.signInLink(address)),
                by: .emailLink,
                authentication: verified
            ) { _ in .mailbox(MailboxProof(email: address, record: code)) },
            links(
                "links Facebook, signed in by a method that is suspended now",
                Scene(ann.adding(method(google())).suspended(.password)).signedIn(),
                by: .facebook,
                authentication: confirmed
            ) { .federated(proof(facebook(), under: $0)) },
        ]
    }

    var conflicts: [Situation] { [answered, claimed, claimedFromOther, freshByIdentity, freshByNumber] }

    /// The identity that met a conflict with an account.
    private func pending(_ assertion: ProviderAssertion, with account: Account) -> OneTimeRecord.Content {
        .pendingIdentity(Store.PendingIdentity(assertion: assertion, target: account.id))
    }

    private func link(_ assertion: ProviderAssertion, with account: Account, under policy: AuthPolicy) -> PendingLink {
        let use = PendingUse(key: code)
        return PendingLink(
            key: code,
            proof: .federated(proof(assertion, under: policy, pending: use)),
            target: account.id
        )
    }

    private var answered: Situation {
        let ann = squatter.verified()
        return Situation(
            "resolves Google's conflict with the password",
            Scene(ann).holding(pending(google(), with: ann)),
            by: .google,
            authentication: Shown(proves: [.email(address)])
        ) {
            SignInAndLink(
                first: SignIn(proof: .password(passwordProof(ann))),
                pending: link(google(), with: ann, under: $0)
            )
        }
    }

    private func claim(_ name: String, _ account: Account, factor: FactorProof? = nil) -> Situation {
        let use = PendingUse(key: code)
        return Situation(
            name,
            Scene(account).holding(pending(google(), with: account)).holding(.signInLink(address), under: further),
            by: .google,
            authentication: Shown(proves: [.email(address)])
        ) {
            ClaimAndLink(
                proof: MailboxProof(email: address, record: further),
                incoming: proof(google(), under: $0, pending: use),
                pending: link(google(), with: account, under: $0)
            )
        }
    }

    private var claimed: Situation {
        claim(
            "claims by mail an account with Facebook and a password that is not covered",
            squatter.adding(method(facebook()), isCovered: false).verified()
        )
    }

    private var claimedFromOther: Situation {
        claim("claims by mail an account with another Google", ann.adding(method(google("former"))))
    }

    private var freshByIdentity: Situation {
        let owner = ann.adding(method(facebook()), isCovered: false)
        return Situation(
            "creates a separate account with Google, the old one keeping Facebook",
            Scene(owner).holding(pending(google(), with: owner)),
            by: .google,
            authentication: Shown(proves: [.email(address)])
        ) { CreateSeparateAccount(pending: link(google(), with: owner, under: $0), mailbox: nil) }
    }

    private var freshByNumber: Situation {
        let owner = Account.person(at: nil).adding(.phone(annsNumber)).changing {
            $0.note(.phone(annsNumber), .phoneCode, at: Scene.ago(days: 100))
        }
        return Situation(
            "creates a separate account with a number, the old one having nothing else",
            Scene(owner).holding(phoneCode(annsNumber)),
            by: .phone,
            authentication: Shown(proves: [.phone(annsNumber)])
        ) { _ in
            let proof = Proof.phone(PhoneProof(number: annsNumber, record: code))
            return CreateSeparateAccount(pending: PendingLink(key: code, proof: proof, target: owner.id), mailbox: nil)
        }
    }
}

extension NewMethod {
    /// What an identity adds.
    static func federated(_ proof: FederatedProof) -> NewMethod { .verified(.federated(proof)) }

    /// What a mailed link adds.
    static func mailbox(_ proof: MailboxProof) -> NewMethod { .verified(.mailbox(proof)) }
}
