@testable import AuthCore
import Foundation

/// The person in a session removes, replaces and changes.
extension Situations {
    var removals: [Situation] {
        let both = ann.adding(method(facebook()))
        let young = ann.adding(method(facebook()), days: 1)
        func unlinks(_ name: String, _ provider: ProviderID, _ scene: Scene) -> Situation {
            Situation(name, scene, by: provider, authentication: .nothing) { _ in
                Unlink(handle: scene.acting, provider: provider)
            }
        }
        let replacing = Scene(googled).signedIn(by: .federated)
        let calling = Scene(called(days: 10).adding(method(facebook()), days: 1)).signedIn(by: .federated)
            .holding(phoneCode(newNumber))
        return [
            unlinks("unlinks Facebook, signed in by it", .facebook, Scene(both).signedIn(by: .federated)),
            unlinks(
                "unlinks the password, signed in by a Facebook added yesterday",
                .password,
                Scene(young).signedIn(by: .federated)
            ),
            unlinks("unlinks the last method", .password, Scene(ann).signedIn()),
            Situation(
                "replaces Google by another Google",
                replacing,
                by: .google,
                authentication: Shown(login: .addition, proves: [.email(address)])
            ) {
                ReplaceMethod(handle: replacing.acting, old: .google, new: .federated(proof(google("new"), under: $0)))
            },
            Situation(
                "replaces the number, signed in by a Facebook added yesterday",
                calling,
                by: .phone,
                authentication: Shown(login: .addition, proves: [.phone(newNumber)])
            ) { _ in
                ReplaceMethod(
                    handle: calling.acting,
                    old: .phone,
                    new: .verified(.phone(PhoneProof(number: newNumber, record: code)))
                )
            },
        ]
    }

    var changes: [Situation] {
        let fresh = Scene(ann).signedIn()
        let both = Scene(ann.adding(method(facebook()))).signedIn().signedIn(by: .federated)
        let secured = Scene(ann.enrolled()).signedIn(minutes: 60)
        let owing = Scene(ann.enrolled()).signedIn()
        return [
            Situation("changes a verified address to an unverified one", fresh, by: .password, authentication: .nothing)
            {
                _ in
                ChangeEmail(handle: fresh.acting, email: other, recovery: mailed())
            },
            Situation(
                "sets a password of seven characters, signed in elsewhere too",
                both,
                by: .password,
                authentication: .nothing
            ) {
                ChangePassword(handle: both.acting, password: setting("seven77", under: $0))
            },
            Situation("reauthenticates with the password, with a second factor enrolled", secured, by: .password) { _ in
                Reauthenticate(handle: secured.acting, proof: .password(passwordProof(ann)))
            },
            Situation("deletes the account", fresh, by: .password, authentication: .nothing) { _ in
                DeleteAccount(handle: fresh.acting)
            },
            Situation(
                "deletes the account while the second factor is owed",
                owing,
                by: .password,
                authentication: .nothing
            ) { _ in
                DeleteAccount(handle: owing.acting)
            },
        ]
    }
}

/// Codes that were mailed, and asking for them.
extension Situations {
    var mailedCodes: [Situation] { [asksForReset] + resets + proofs + [recovers, contests] }

    private var asksForReset: Situation {
        var scene = Scene(ann)
        for number in 0..<5 {
            scene = scene.holding(
                .resetPassword(address),
                under: OneTimeRecordID(bits: 210 + UInt128(number)),
                of: ann.id,
                at: Scene.ago(minutes: Double(9 - number))
            )
        }
        return Situation(
            "requests a password reset, after five",
            scene,
            by: .password,
            authentication: .nothing,
            concealing: .uniform(ann, mailsPerson: true)
        ) { _ in RequestPasswordReset(email: address, code: mailed(), settings: nil) }
    }

    private var resets: [Situation] {
        func resets(_ name: String, _ account: Account) -> Situation {
            Situation(
                name,
                Scene(account).signedIn().holding(.resetPassword(address), of: account.id),
                by: .password,
                authentication: Shown(login: .nothing, proves: [.email(address)])
            ) { ResetPassword(code: code, password: setting("correct horse", under: $0)) }
        }
        let known = ann.adding(method(google())).adding(method(facebook()), days: 10)
            .adding(.phone(annsNumber), isCovered: false)
        return [
            resets(
                "resets the password beside Google, a Facebook added ten days ago and a number that is not covered",
                known
            ),
            resets("resets the password of an account that verified nothing", squatter),
        ]
    }

    /// Who signed up here and there, and opens what was mailed on the phone.
    private var proofs: [Situation] {
        let waiting = Scene(squatter).signedIn().signedIn()
        let moving = Scene(ann.adding(method(facebook()))).signedIn().signedIn(by: .federated)
        let provisional = squatter.changing { ($0.isProvisional, $0.reservesEmail) = (true, false) }
        let holder = Account.person(2, at: address).adding(password, isCovered: false)
        let between = Scene(provisional, holder).signedIn()
        func opens(_ name: String, _ scene: Scene, _ content: OneTimeRecord.Content, _ verified: EmailAddress)
            -> Situation
        {
            let acting = scene.acting
            return Situation(
                name,
                scene.holding(content, of: scene.acting.account),
                by: .password,
                authentication: Shown(login: .nothing, proves: [.email(verified)])
            ) { _ in ApplyEmailAction(code: code, handle: acting, recovery: mailed()) }
        }
        return [
            opens("verifies the address for the first time", waiting, .verifyEmail(address), address),
            opens("changes to an address that it verifies", moving, .changeEmail(from: address, to: other), other),
            opens(
                "verifies the address of a provisional account, which another account has unverified",
                between,
                .verifyEmail(address),
                address
            ),
        ]
    }

    private var recovers: Situation {
        let moved = ann.adding(method(facebook()), days: 1).changing { account in
            account.moveToUnverified(other, at: Scene.ago(days: 1))
            account.firstEmail = address
            account.reservations = [Account.Reservation(email: address, until: Scene.now + .days(1))]
        }
        let recovery = Store.EmailRecovery(
            restores: address,
            replaced: other,
            generation: 1,
            suspendsLaterMethods: true
        )
        return Situation(
            "recovers the address, after Facebook was linked",
            Scene(moved).signedIn().holding(.recoverEmail(recovery), of: moved.id),
            by: .password,
            authentication: Shown(login: .nothing, proves: [.email(address)])
        ) { _ in ApplyEmailAction(code: code, handle: nil, recovery: mailed()) }
    }

    private var contests: Situation {
        let changed = Account.person(at: address).verified().adding(method(facebook()), days: 1).enrolled(days: 1)
        let change = Store.ReversibleChange(
            methods: changed.methods.map(\.generation),
            factors: changed.factors.map(\.id),
            notifiedAddress: address
        )
        return Situation(
            "reports the only method and the second factor as unauthorized",
            Scene(changed).signedIn(by: .federated).holding(.changeReport(change), of: changed.id),
            by: .facebook,
            authentication: .nothing
        ) { _ in ReportUnauthorizedChange(code: code) }
    }
}
