internal import AuthCore
internal import AuthCoreTesting
internal import Foundation

extension Picture {
    /// Two accounts before a merge, after it, and after it was undone, under the standard policy.
    static func merge() async throws -> Picture {
        let stage = Stage()
        let auth = stage.app()
        let source = try await stage.app("old phone").signIn(with: stage.credential(.gitHub, .annAtGmail)).user.account
            .id
        let target = try await auth.signUp(email: "ann@work.example", password: "correct horse").user
        try await target.sendEmailVerification()
        try await auth.applyActionCode(stage.mailedCode(to: "ann@work.example"))

        func boxes() async throws -> [AccountBox] {
            [try await stage.box("account A", source), try await stage.box("account B", target.account.id)]
        }
        func gitHub() async throws -> Merge.Side {
            .verified(try await auth.verify(stage.credential(.gitHub, .annAtGmail)))
        }

        let before = try await boxes()
        let word = AuthCredential.password(email: "ann@work.example", password: "correct horse")
        let merged = try await auth.merge(try await gitHub(), into: .verified(try await auth.verify(word)))
        let after = try await boxes()
        let days = merged.undoableUntil.map { Int($0.timeIntervalSince(stage.clock.now) / 86400) } ?? 0
        try await auth.undoMerge(merged.id, verifiedBy: try await gitHub())
        let undone = try await boxes()
        return Picture(
            title: "A merge: before, after, undone",
            about: "Under the standard policy. Nothing is merged by a session alone, and no account ID is used again.",
            rows: [
                Row(
                    panels: [
                        Panel(
                            head: "Before",
                            lines: [Line(text: "Ann shows a credential of each account, just now.")],
                            accounts: before
                        ),
                        Panel(
                            head: "After merge(A, into: B)",
                            hue: .green,
                            lines: [Line(text: "It can be undone for \(days) days.")],
                            accounts: after
                        ),
                        Panel(
                            head: "After undoMerge",
                            hue: .sky,
                            lines: [
                                Line(text: "A method from before the merge asks for it; what is unchanged returns.")
                            ],
                            accounts: undone
                        ),
                    ]
                )
            ]
        )
    }
}
