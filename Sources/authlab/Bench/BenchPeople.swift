internal import AuthCore

/// The people of a bench.
///
/// They are computed from their numbers, so that only the stores use memory for them.
enum BenchPeople {
    static func email(_ person: Int) -> String { "person\(person)@gmail.com" }

    /// The identity that every account is made with; its issuer runs the mailbox.
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

    /// The second identity of every account.
    static func gitHub(_ person: Int) -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: .gitHub, subject: String(person))
        assertion.username = "person\(person)"
        return assertion
    }

    /// The identity that is linked and unlinked, and that causes a conflict.
    static func facebook(_ person: Int, isEmailVerified: Bool) -> ProviderAssertion {
        var assertion = ProviderAssertion(provider: .facebook, subject: subject(person, salt: 2))
        assertion.email = email(person)
        assertion.isEmailVerified = isEmailVerified
        return assertion
    }

    /// As long as the subjects of large providers.
    private static func subject(_ person: Int, salt: Int) -> String {
        let digits = String(person)
        return String(salt) + String(repeating: "0", count: max(0, 20 - digits.utf8.count)) + digits
    }
}
