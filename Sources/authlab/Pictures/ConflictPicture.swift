internal import AuthCore
internal import AuthCoreTesting
internal import Foundation

extension Picture {
    /// A conflict and its three ways out, under the standard policy.
    static func conflict() async throws -> Picture {
        let first = try await Conflicted()
        let start = try await first.stage.box("account A", first.account)
        let bySigningIn = try await first.after { conflict, auth in
            try await auth.resolve(conflict, signingInWith: first.stage.credential(.google, .annAtGmail)).user
        }
        let second = try await Conflicted()
        let byMailbox = try await second.after { conflict, auth in
            let link = try await second.stage.openedLink(auth)
            return try await auth.resolve(conflict, signingInWith: .emailLink(link)).user
        }
        let third = try await Conflicted()
        let separately = try await third.after { conflict, auth in
            try await auth.createSeparateAccount(from: conflict, verifying: try await third.stage.openedLink(auth)).user
        }
        let reason = first.error.reason.map { "\($0)" } ?? ""
        let ways = [
            Panel(
                head: "1. Sign in as before",
                hue: .green,
                lines: [
                    Line(text: "resolve(conflict, signingInWith: google)"),
                    Line(text: "The identity is linked in the same step."),
                ],
                accounts: bySigningIn,
                isNext: false
            ),
            Panel(
                head: "2. “This is mine”",
                hue: .green,
                lines: [
                    Line(text: "resolve(conflict, signingInWith: mailedLink)"),
                    Line(text: "What the mailbox does not cover is suspended; a second factor is still asked."),
                ],
                accounts: byMailbox,
                isNext: false
            ),
            Panel(
                head: "3. A separate account",
                hue: .sky,
                lines: [
                    Line(text: "createSeparateAccount(from: conflict, …)"),
                    Line(text: "The verified address moves; account A keeps the rest."),
                ],
                accounts: separately,
                isNext: false
            ),
        ]
        return Picture(
            title: "A conflict and its three ways out",
            about: "GitHub confirmed the address once, but does not run the mailbox. Nothing is joined silently.",
            rows: [
                Row(
                    panels: [
                        Panel(head: "An account has the address", accounts: [start]),
                        Panel(
                            head: "GitHub signs in with it",
                            hue: .sky,
                            lines: [Line(text: "a new identity that states ann@gmail.com")]
                        ),
                        Panel(
                            head: "Conflict",
                            hue: .orange,
                            lines: [
                                Line(text: "\(first.error.code)"), Line(text: "because \(reason)"),
                                Line(
                                    text: "Nothing is written but the pending identity, for \(first.minutes) minutes."
                                ),
                            ]
                        ),
                    ]
                ),
                Row(title: "Then one of these", panels: ways),
            ]
        )
    }
}

/// Ann's account, and the conflict of a GitHub identity with it.
private struct Conflicted {
    let stage = Stage()
    let account: AccountID
    let error: AuthError
    let minutes: Int
    private let auth: Auth
    private let conflict: Conflict

    init() async throws {
        let ann = try await stage.app("old phone").signIn(with: stage.credential(.google, .annAtGmail)).user
        account = ann.account.id
        auth = stage.app("new phone")
        error = try await stage.isRefused("", as: .accountExistsWithDifferentCredential) { [stage, auth] in
            try await auth.signIn(with: stage.credential(.gitHub, .annAtGmail))
        }
        conflict = try stage.unwraps(error.conflict, "the error has a conflict")
        minutes = Int(conflict.expiresAt.timeIntervalSince(stage.clock.now) / 60)
    }

    /// The accounts after one way out.
    func after(_ resolve: (Conflict, Auth) async throws -> User) async throws -> [Picture.AccountBox] {
        let user = try await resolve(conflict, auth)
        var boxes = [try await stage.box("account A", account)]
        if user.account.id != account { boxes.append(try await stage.box("account B", user.account.id)) }
        return boxes
    }
}
