@testable import AuthCore
import Foundation

/// Somebody who shows nothing names an address or a number.
extension Situations {
    var strangers: [Situation] { guesses + requests + claims + guests + naming + waiting }

    /// Somebody who has been to a provider or two.
    private var known: Account { ann.adding(method(google())).adding(method(facebook()), isCovered: false) }

    private var guesses: [Situation] {
        let shut = googled.enrolled().changing { $0.isDisabled = true }
        func guesses(
            _ name: String,
            _ account: Account,
            _ finding: PasswordProof.Finding,
            concealing concealment: Concealment
        ) -> Situation {
            Situation(name, Scene(account), by: .password, authentication: .nothing, concealing: concealment) { _ in
                SignInWithPassword(proof: PasswordProof(email: address, finding: finding))
            }
        }
        return [
            guesses(
                "guesses the password of who has none and is shut out",
                shut,
                .differs,
                concealing: .uniform(shut)
            ),
            guesses("guesses a password too often", known, .mustWait, concealing: .always(known)),
        ]
    }

    private var requests: [Situation] {
        func asks<O: AuthCore.Operation>(
            _ name: String,
            _ account: Account,
            by provider: ProviderID,
            concealing concealment: Concealment,
            holding link: Double? = nil,
            _ operation: O
        ) -> Situation {
            var scene = Scene(account)
            if let link { scene = scene.holding(.signInLink(address), for: link) }
            return Situation(name, scene, by: provider, authentication: .nothing, concealing: concealment) { _ in
                operation
            }
        }
        let secured = called(days: 10).enrolled()
        return [
            asks(
                "asks for a mailed link",
                ann,
                by: .emailLink,
                concealing: .always(ann),
                RequestSignInLink(email: address, code: mailed(), settings: nil)
            ),
            asks(
                "asks how an address signs in",
                known,
                by: .password,
                concealing: .uniform(known),
                FetchSignInMethods(email: address)
            ),
            asks(
                "has it mailed how an address signs in",
                known,
                by: .password,
                concealing: .always(known),
                MailSignInMethods(email: address, code: mailed(), settings: nil)
            ),
            asks(
                "asks for digits to a number where a factor is enrolled",
                secured,
                by: .phone,
                concealing: .uniform(secured),
                RequestPhoneCode(number: annsNumber, code: mailed())
            ),
            asks(
                "lost all factors and has a link that is over",
                ann.enrolled(),
                by: .password,
                concealing: .always(ann),
                holding: -60,
                RecoverFromLostFactors(mailbox: MailboxProof(email: address, record: code), other: nil)
            ),
        ]
    }

    /// An address that a provider was only told.
    private var claimed: ProviderAssertion {
        var assertion = ProviderAssertion(provider: .gitHub, subject: "stranger")
        assertion.email = address.text
        assertion.isEmailVerified = false
        return assertion
    }

    private var claims: [Situation] {
        func arrives(_ name: String, _ account: Account, concealing concealment: Concealment) -> Situation {
            Situation(name, Scene(account), by: .gitHub, concealing: concealment) {
                SignInFederated(proof: proof(claimed, under: $0))
            }
        }
        return [
            arrives(
                "GitHub that is unknown, its address only claimed and proven by another",
                ann,
                concealing: .claim(ann)
            ),
            arrives(
                "GitHub that is unknown, its address only claimed and shown by another",
                authentication,
                concealing: .always(authentication)
            ),
        ]
    }

    /// A seat that shows nothing but itself.
    private var guests: [Situation] {
        let guest = Account.person(2, at: nil).changing { $0.isAnonymous = true }
        let scene = Scene(guest, known).signedIn(by: .anonymous)
        let guess = Proof.password(passwordProof(known, isRight: false))
        func names<O: AuthCore.Operation>(
            _ name: String,
            by provider: ProviderID = .password,
            authentication shows: Shown = .nothing,
            concealing concealment: Concealment,
            _ operation: @escaping @Sendable (AuthPolicy) -> O
        ) -> Situation {
            Situation(name, scene, by: provider, authentication: shows, concealing: concealment, operation)
        }
        return [
            names("moves an anonymous account to an address that is another's", concealing: .uniform(known)) { _ in
                ChangeEmail(handle: scene.acting, email: address, recovery: mailed())
            },
            names(
                "links a password to an anonymous account, the address taken",
                authentication: Shown(login: .addition),
                concealing: .signUp(known)
            ) {
                LinkMethod(
                    handle: scene.acting,
                    method: .password(address, setting("correct horse", under: $0))
                )
            },
            names(
                "links GitHub to an anonymous account, its address only claimed and another's",
                by: .gitHub,
                authentication: Shown(login: .addition),
                concealing: .link(known)
            ) { LinkMethod(handle: scene.acting, method: .federated(proof(claimed, under: $0))) },
            names("shows another's password in an anonymous account, wrongly", concealing: .always(known)) { _ in
                Reauthenticate(handle: scene.acting, proof: guess)
            },
            names("merges an anonymous account into one whose password is guessed", concealing: .always(known)) {
                _ in
                BeginMerge(
                    source: .session(scene.acting),
                    target: side(guess, known),
                    moving: nil,
                    choices: [],
                    seeds: ResealedSeeds(),
                    hasHooks: false
                )
            },
        ]
    }

    /// A person with methods of their own, who names an address that is another's.
    private var naming: [Situation] {
        let person = Account.person(2, at: nil).adding(.phone(annsNumber))
        let scene = Scene(person, known).signedIn()
        return [
            Situation(
                "moves a person with a number to an address that is another's",
                scene,
                by: .password,
                authentication: .nothing,
                concealing: .signUp(known)
            ) { _ in ChangeEmail(handle: scene.acting, email: address, recovery: mailed()) },
            Situation(
                "links a password to a person with a number, the address another's",
                scene,
                by: .password,
                authentication: .nothing,
                concealing: .signUp(known)
            ) {
                LinkMethod(handle: scene.acting, method: .password(address, setting("correct horse", under: $0)))
            },
        ]
    }

    /// A seat whose account waits for a proof of its address.
    private var waiting: [Situation] {
        let waiting = Account.person(2, at: other).adding(password, isCovered: false).changing {
            ($0.isProvisional, $0.reservesEmail) = (true, false)
        }
        let scene = Scene(waiting, known).signedIn()
        return [
            Situation(
                "moves a provisional account to an address that is another's",
                scene,
                by: .password,
                authentication: .nothing,
                concealing: .always(known)
            ) { _ in ChangeEmail(handle: scene.acting, email: address, recovery: mailed()) },
            Situation(
                "asks to move a provisional account to an address that is another's",
                scene,
                by: .password,
                authentication: .nothing,
                concealing: .always(known)
            ) { _ in
                RequestEmailChange(handle: scene.acting, email: address, code: mailed(), settings: nil)
            },
        ]
    }
}
