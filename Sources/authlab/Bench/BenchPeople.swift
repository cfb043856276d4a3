internal import AuthCore

/// The people of a bench, made up from their numbers, so that nothing but the stores holds them.
enum BenchPeople {
    static func email(_ person: Int) -> String { "person\(person)@gmail.com" }

    /// The identity that every account begins with; its issuer runs the mailbox.
    static func google(_ person: Int) -> ProviderAssertion {
        var assertion = ProviderAssertion(
            provider: .google,
            issuer: "https://accounts.google.com",
            subject: subject(person, salt: 1)
        )
        assertion.email = email(person)
        assertion.isEmailVerified = true
        assertion.displayName = "Person \(person)"
        return assertion
    }

    /// The identity that every account has beside it.
    static func gitHub(_ person: Int) -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: .gitHub, subject: String(person))
        assertion.username = "person\(person)"
        return assertion
    }

    /// The identity that is linked, unlinked, and met with a conflict.
    static func facebook(_ person: Int, isEmailVerified: Bool) -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: .facebook, subject: subject(person, salt: 2))
        assertion.email = email(person)
        assertion.isEmailVerified = isEmailVerified
        return assertion
    }

    /// As long as the subjects of the large providers.
    private static func subject(_ person: Int, salt: Int) -> String {
        let digits = String(person)
        return String(salt) + String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits
    }
}
