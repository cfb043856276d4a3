@testable import AuthCore

/// An account without a service around it, and what tests give it.
protocol PlainAccount {}

extension PlainAccount {
    var noon: Timestamp { Timestamp(seconds: 1_800_000_000) }
    var later: Timestamp { noon + .seconds(60) }
    var ann: EmailAddress { EmailAddress.ascii("ann@example.com") }
    var number: PhoneNumber? { PhoneNumber("+15550001234") }
    var gitHub: Identity { Identity(key: Identity.Key(issuer: "github.com", subject: "7"), provider: .gitHub) }

    func account() -> Account { Account(id: "ann", createdAt: noon) }
}
