import AuthCore

/// Clauses about every character that an address may have: text of a statement, of a pattern or of a path to others.
extension StoreClause {
    static let contacts = [
        StoreClause("an address may have every character that addresses have", everyCharacterCounts)
    ]

    /// Each would be another address, or none, to a store that takes some of its characters for more than themselves.
    private static let localParts = [
        "o'brien", "o''brien", "obrien", "a/b", "ab", "a*", "a?b", "a#b", "a|b", "a\u{60}b", "a&b", "a=b", "a!b", "a$b",
        "a^b", "a~b", "{a}", "a", "a+b", "a%2bb", "a%2fb", "%61", "a.b", "a_b", "a-b",
    ]

    private static func everyCharacterCounts(_ probe: inout StoreProbe) async throws {
        let mails = try localParts.map { try StoreScene.email("\($0)@example.com") }
        let accounts = try localParts.indices.map { try StoreScene.bareAccount("account\(10 + $0)", probe) }
        for (mail, account) in zip(mails, accounts) {
            try await probe.commit("the address \(mail)") { transaction in
                transaction.changes.accounts = [.create(account)]
                transaction.changes.keys = [KeyChange(.primaryEmail(mail), from: nil, to: account.id)]
                transaction.changes.references = [StoreScene.reference(to: mail, by: account)]
            }
        }
        for (mail, account) in zip(mails, accounts) {
            let (key, id) = (UniqueKey.primaryEmail(mail), account.id)
            probe.expect(try await probe.owner(of: key), is: id, "the owner of \(mail)")
            probe.expect(try await probe.referencing(of: mail), is: [id], "who references \(mail)")
            try await probe.refuse("a second claim to \(mail)", .owner(key)) {
                $0.changes.keys = [KeyChange(key, from: nil, to: "rival")]
            }
            let version = try await probe.referenceVersion(of: mail)
            try await probe.refer(to: mail, by: account, isReferenced: false)
            probe.expect(try await probe.referencing(of: mail), is: [], "who references \(mail) after the end")
            probe.expect(try await probe.referenceVersion(of: mail), is: 0, "the version of the empty list of \(mail)")
            try await probe.refer(to: mail, by: account)
            probe.expect(try await probe.referencing(of: mail), is: [id], "who references \(mail) again")
            try await probe.refuse("a change that read the list of \(mail) before", .references(mail)) {
                $0.changes.referenceReads = [Store.EmailReferenceRead(email: mail, version: version)]
                $0.event(.signedIn, id, by: .system)
            }
        }
        for (mail, account) in zip(mails, accounts) {
            let key = UniqueKey.primaryEmail(mail)
            try await probe.commit("the release of \(mail)") {
                $0.changes.keys = [KeyChange(key, from: account.id, to: nil)]
            }
            probe.expect(try await probe.owner(of: key), is: nil, "the owner of \(mail) after its release")
        }
    }
}
