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
                SignIn(proof: .password(PasswordProof(email: address, finding: finding)))
            }
        }
        return [
            guesses(
                "guesses the password of a disabled account that has none",
                shut,
                .differs,
                concealing: .uniform(shut)
            ),
            guesses(
                "guesses a password too often",
                known,
                .mustWait(.attemptsMustWait(until: nil)),
                concealing: .always(known)
            ),
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
                "requests a mailed link",
                ann,
                by: .emailLink,
                concealing: .always(ann),
                RequestSignInLink(email: address, code: mailed(), settings: nil)
            ),
            asks(
                "fetches the sign-in methods of an address",
                known,
                by: .password,
                concealing: .uniform(known),
                FetchSignInMethods(email: address)
            ),
            asks(
                "requests a mail that lists the sign-in methods of an address",
                known,
                by: .password,
                concealing: .always(known),
                MailSignInMethods(email: address, code: mailed(), settings: nil)
            ),
            asks(
                "requests a code for the number of an account with a second factor",
                secured,
                by: .phone,
                concealing: .uniform(secured),
                RequestPhoneCode(number: annsNumber, code: mailed())
            ),
            asks(
                "lost all factors and has an expired link",
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
        func presents(_ name: String, _ account: Account, concealing concealment: Concealment) -> Situation {
            Situation(name, Scene(account), by: .gitHub, concealing: concealment) {
                SignIn(proof: .federated(proof(claimed, under: $0)))
            }
        }
        return [
            presents(
                "unknown GitHub, its address only claimed and verified by another account",
                ann,
                concealing: .claim(ann)
            ),
            presents(
                "unknown GitHub, its address only claimed and displayed by another account",
                displaying,
                concealing: .always(displaying)
            ),
        ]
    }

    /// A device that shows nothing but itself.
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
            names("changes the address of an anonymous account to another account's", concealing: .uniform(known)) {
                _ in
                ChangeEmail(handle: scene.acting, email: address, recovery: mailed())
            },
            names(
                "links a password with a taken address to an anonymous account",
                authentication: Shown(login: .addition),
                concealing: .signUp(known)
            ) {
                LinkMethod(
                    handle: scene.acting,
                    method: .password(address, setting("correct horse", under: $0))
                )
            },
            names(
                "links GitHub to an anonymous account, its address only claimed and another account's",
                by: .gitHub,
                authentication: Shown(login: .addition),
                concealing: .link(known)
            ) { LinkMethod(handle: scene.acting, method: .federated(proof(claimed, under: $0))) },
            names(
                "reauthenticates an anonymous account with a wrong password of another account",
                concealing: .always(known)
            ) { _ in
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
                "changes the address of an account with a number to another account's",
                scene,
                by: .password,
                authentication: .nothing,
                concealing: .signUp(known)
            ) { _ in ChangeEmail(handle: scene.acting, email: address, recovery: mailed()) },
            Situation(
                "links a password with another account's address to an account with a number",
                scene,
                by: .password,
                authentication: .nothing,
                concealing: .signUp(known)
            ) {
                LinkMethod(handle: scene.acting, method: .password(address, setting("correct horse", under: $0)))
            },
        ]
    }

    /// A device whose account waits for a proof of its address.
    private var waiting: [Situation] {
        let waiting = Account.person(2, at: other).adding(password, isCovered: false).changing {
            ($0.isProvisional, $0.reservesEmail) = (true, false)
        }
        let scene = Scene(waiting, known).signedIn()
        return [
            Situation(
                "changes the address of a provisional account to another account's",
                scene,
                by: .password,
                authentication: .nothing,
                concealing: .always(known)
            ) { _ in ChangeEmail(handle: scene.acting, email: address, recovery: mailed()) },
            Situation(
                "requests a change of a provisional account's address to another account's",
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
