internal import AuthCore
internal import AuthCoreTesting

extension Picture {
    /// The life of a sign-in method, under the standard policy.
    static func methodLife() async throws -> Picture {
        let stage = Stage()
        let auth = stage.app()
        let ann = try await auth.signUp(email: "ann@gmail.com", password: "correct horse").user
        try await ann.sendEmailVerification()
        try await auth.applyActionCode(stage.mailedCode(to: "ann@gmail.com"))
        let id = ann.account.id
        var panels: [Panel] = []

        func note(_ head: String, _ hue: Theme.Hue, _ text: String) async throws {
            let tried = await stage.result(id) { () throws(AuthError) in
                let device = stage.app("another device \(panels.count)")
                return try await device.signIn(with: stage.credential(.gitHub, .annAtGmail)).user.account.id
            }
            let words = tried.isInside ? "✓ GitHub signs in" : "✗ GitHub \(tried.words)"
            panels.append(
                Panel(
                    head: head,
                    hue: hue,
                    lines: [Line(text: text), Line(text: words, hue: tried.isInside ? .green : .red)],
                    accounts: [try await stage.box("account", id)]
                )
            )
        }

        try await ann.link(with: stage.credential(.gitHub, .annAtGmail))
        try await note("added", .green, "user.link(with: gitHub)")
        try await auth.sendPasswordReset(to: "ann@gmail.com")
        try await auth.confirmPasswordReset(
            code: stage.mailedCode(to: "ann@gmail.com"),
            newPassword: "battery staple"
        )
        try await note("suspended", .orange, "Password reset: it is younger than thirty days.")
        let again = try await auth.signIn(with: .password(email: "ann@gmail.com", password: "battery staple")).user
        try await again.link(with: stage.credential(.gitHub, .annAtGmail))
        try await note("confirmed", .green, "The owner links it again from inside.")
        try await again.unlink(.gitHub)
        try await note(
            "removed",
            .red,
            "user.unlink(.gitHub): the owner is told, and GitHub never joins by itself again."
        )
        return Picture(
            title: "The life of a sign-in method",
            about: "Under the standard policy. The last usable method cannot be removed.",
            rows: [Row(panels: panels)]
        )
    }
}
