import AuthCore

/// Clauses about the lists of accounts that reference an address.
extension StoreClause {
    static let referenceLists = [
        StoreClause(
            "references of equally old accounts are found in the order of their IDs",
            equalReferencesAreOrdered
        ),
        StoreClause("a list of references has another version whenever it shows others", listsChangeTheirVersions),
        StoreClause("a list of references is not disturbed by that of another address", otherListsChangeNothing),
        StoreClause("a list that is emptied with its account has no earlier version again", emptiedListsMoveOn),
        StoreClause("one change may write one list of references many times", listsAreWrittenTogether),
        StoreClause("references behind the list are found when those before them end", hiddenReferencesAreFound),
        StoreClause("of many references none is lost behind the others", manyReferencesAreKept),
    ]

    /// Accounts that were created at once, and their references to an address, written in this order.
    private static func claim(
        _ mail: EmailAddress,
        by names: [String],
        _ probe: inout StoreProbe
    ) async throws -> [Account] {
        let accounts = try names.map { try StoreScene.bareAccount($0, probe) }
        for account in accounts {
            try await probe.commit("a claimant") { transaction in
                transaction.insert(account)
                transaction.changes.references = [StoreScene.reference(to: mail, by: account, .identity)]
            }
        }
        return accounts
    }

    private static func equalReferencesAreOrdered(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("wanted@example.com")
        // The order is that of the bytes; capital letters come first, and lengths and numbers do not count.
        let names = ["b", "Z", "a10", "a", "_", "a2", "~", "0", "B", "a1"]
        for strength in EmailReference.Strength.allCases {
            let accounts = strength == .identity ? try await claim(mail, by: names, &probe) : []
            for account in accounts.reversed() { try await probe.refer(to: mail, by: account, strength) }
            let found = try await probe.referencing(of: mail)
            let wanted = try names.map { try StoreScene.id($0) }.sorted().prefix(EmailReference.lookupLimit)
            probe.expect(found, is: Array(wanted), "the first of many references of one time")
        }
    }

    private static func hiddenReferencesAreFound(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("wanted@example.com")
        var left = try await claim(mail, by: (0..<40).map { "claimant\(10 + $0)" }, &probe)
        while !left.isEmpty {
            let first = Array(left.prefix(EmailReference.lookupLimit))
            let found = try await probe.referencing(of: mail)
            probe.expect(found, is: first.map(\.id), "the first of \(left.count) references")
            if found != first.map(\.id) { return }
            try await probe.commit("the end of the references that are found") {
                $0.changes.references = first.map { StoreScene.reference(to: mail, by: $0, isReferenced: false) }
            }
            left.removeFirst(first.count)
        }
        probe.expect(try await probe.referencing(of: mail), is: [], "the references after their end")
        try await referencesOfTheGoneCount(&probe)
    }

    private static func manyReferencesAreKept(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("wanted@example.com")
        let accounts = try (0..<300).map { try StoreScene.bareAccount("claimant\(100 + $0)", probe) }
        try await probe.commit("many references") { transaction in
            transaction.changes.accounts = accounts.map { .create($0) }
            transaction.changes.references = accounts.map { StoreScene.reference(to: mail, by: $0) }
        }
        for (start, end) in [(0, 150), (150, 295), (295, 300)] {
            let found = try await probe.referencing(of: mail)
            let wanted = accounts[start...].prefix(EmailReference.lookupLimit).map(\.id)
            probe.expect(found, is: wanted, "the first of the references after \(start) of them ended")
            try await probe.commit("the end of many references") {
                $0.changes.references = accounts[start..<end].map {
                    StoreScene.reference(to: mail, by: $0, isReferenced: false)
                }
            }
        }
        probe.expect(try await probe.referenceVersion(of: mail), is: 0, "the version of the list once all have ended")
    }

    /// A reference by an account that is not there takes its place in the list, and shows nothing.
    private static func referencesOfTheGoneCount(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("gone@example.com")
        let people = try (0..<9).map { try StoreScene.bareAccount("person\($0)", probe) }
        try await probe.commit("nine references, the first of an account that is not there") { transaction in
            transaction.changes.accounts = people.dropFirst().map { .create($0) }
            transaction.changes.references = people.map { StoreScene.reference(to: mail, by: $0) }
        }
        let found = try await probe.referencing(of: mail)
        probe.expect(
            found,
            is: people[1..<8].map(\.id),
            "the accounts that reference an address behind one that is gone"
        )
        try await probe.refer(to: mail, by: people[0], isReferenced: false)
        let rest = try await probe.referencing(of: mail)
        probe.expect(rest, is: people[1...].map(\.id), "the accounts once the reference before them ended")
    }

    private static func listsChangeTheirVersions(_ probe: inout StoreProbe) async throws {
        let mail = try StoreScene.email("wanted@example.com")
        let accounts = try await claim(mail, by: (0..<11).map { "claimant\(10 + $0)" }, &probe)
        var versions: [UInt64] = []
        let steps: [(String, Account, EmailReference.Strength, Bool)] = [
            ("one behind the list comes first", accounts[10], .confirmed, true),
            ("it falls behind the list again", accounts[10], .identity, true),
            ("the last one leaves the list", accounts[7], .own, false),
            ("one joins it again and displaces another", accounts[7], .identity, true),
            ("the first one becomes stronger and stays the first", accounts[0], .own, true),
            ("the first one becomes weaker and stays the first", accounts[0], .identity, true),
            ("the last one comes first", accounts[7], .own, true),
            ("it becomes the last one again", accounts[7], .identity, true),
        ]
        for (what, account, strength, isReferenced) in steps {
            let version = try await probe.referenceVersion(of: mail)
            probe.expect(!versions.contains(version), "a list has version \(version) a second time before \(what)")
            versions.append(version)
            try await probe.refer(to: mail, by: account, strength, isReferenced: isReferenced)
            try await probe.refuse("a change that read a list before \(what)", .references(mail)) {
                $0.changes.referenceReads = [Store.EmailReferenceRead(email: mail, version: version)]
                $0.event(.signedIn, account.id, by: .system)
            }
        }
    }

    private static func emptiedListsMoveOn(_ probe: inout StoreProbe) async throws {
        let (ann, ben) = (try StoreScene.bareAccount("ann", probe), try StoreScene.bareAccount("ben", probe))
        let email = try StoreScene.email("shared@example.com")
        try await probe.commit("two accounts, one of which has the address") { transaction in
            transaction.changes.accounts = [.create(ann), .create(ben)]
            transaction.changes.references = [StoreScene.reference(to: email, by: ann)]
        }
        let before = try await probe.referenceVersion(of: email)
        try await probe.commit("the end of the account and of its reference") { transaction in
            transaction.changes.accounts = [.remove(ann.id, expected: ann.version)]
            transaction.changes.references = [StoreScene.reference(to: email, by: ann, isReferenced: false)]
        }
        try await probe.refer(to: email, by: ben)
        let after = try await probe.referenceVersion(of: email)
        probe.expect(after != before, "the list shows another account and has the version \(before) again")
    }

    private static func otherListsChangeNothing(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        // The third and the fourth differ from the first far behind its beginning only, on either side of the sign.
        let (name, domain) = (String(repeating: "a", count: 62), String(repeating: "b", count: 60))
        let mails = try [
            "\(name)1@\(domain)1.example", "second@example.com", "\(name)1@\(domain)2.example",
            "\(name)2@\(domain)1.example",
        ].map { try StoreScene.email($0) }
        for mail in mails { try await probe.refer(to: mail, by: scene.ann) }
        var reads: [Store.EmailReferenceRead] = []
        for mail in mails { reads.append(.init(email: mail, version: try await probe.referenceVersion(of: mail))) }
        try await probe.refer(to: mails[1], by: scene.ben)
        try await probe.refer(to: try StoreScene.email("fourth@example.com"), by: scene.ben)
        for mail in [mails[0], mails[2], mails[3]] {
            probe.expect(
                try await probe.referencing(of: mail),
                is: [scene.ann.id],
                "the accounts that reference \(mail)"
            )
        }
        try await probe.refer(to: mails[0], by: scene.ann, isReferenced: false)
        for mail in mails[2...] {
            probe.expect(try await probe.referencing(of: mail), is: [scene.ann.id], "a list when another one ends")
        }
        try await probe.refer(to: mails[0], by: scene.ann)
        reads[0] = .init(email: mails[0], version: try await probe.referenceVersion(of: mails[0]))
        let all = reads
        try await probe.commit("a change that read lists that did not change") {
            $0.changes.referenceReads = [all[0], all[2]]
            $0.event(.signedIn, scene.ann.id, by: .system)
        }
        try await probe.refuse("a change that read the list that changed", .references(mails[1])) {
            $0.changes.referenceReads = all
            $0.event(.signedIn, scene.ann.id, by: .system)
        }
    }

    private static func listsAreWrittenTogether(_ probe: inout StoreProbe) async throws {
        let scene = try await StoreScene.stage(in: &probe)
        let mail = try StoreScene.email("wanted@example.com")
        let accounts = try (0..<12).map { try StoreScene.bareAccount("claimant\(10 + $0)", probe) }
        try await probe.refer(to: mail, by: scene.ann)
        let before = try await probe.referenceVersion(of: mail)
        try await probe.commit("an exchange of one reference for another") { transaction in
            transaction.changes.references = [
                StoreScene.reference(to: mail, by: scene.ann, isReferenced: false),
                StoreScene.reference(to: mail, by: scene.ben),
            ]
        }
        probe.expect(
            try await probe.referencing(of: mail),
            is: [scene.ben.id],
            "who references an address that changed hands"
        )
        try await probe.commit("the end of a reference, and the same one anew") { transaction in
            transaction.changes.references = [
                StoreScene.reference(to: mail, by: scene.ben, isReferenced: false),
                StoreScene.reference(to: mail, by: scene.ben),
            ]
        }
        let kept = try await probe.referencing(of: mail)
        probe.expect(
            kept,
            is: [scene.ben.id],
            "who references an address after the last of two changes of one reference"
        )
        let after = try await probe.referenceVersion(of: mail)
        probe.expect(
            before != after && after != 0,
            "a list that shows another account has version \(after), after \(before)"
        )
        try await probe.commit("twelve references, and the end of one") { transaction in
            transaction.changes.accounts = accounts.map { .create($0) }
            transaction.changes.references = accounts.reversed().map { StoreScene.reference(to: mail, by: $0, .own) }
            transaction.changes.references.append(StoreScene.reference(to: mail, by: scene.ben, isReferenced: false))
        }
        let found = try await probe.referencing(of: mail)
        probe.expect(found, is: accounts.prefix(8).map(\.id), "the first of twelve references of one change")
        try await probe.commit("the end of twelve references") { transaction in
            transaction.changes.references = accounts.map {
                StoreScene.reference(to: mail, by: $0, isReferenced: false)
            }
        }
        probe.expect(try await probe.referenceVersion(of: mail), is: 0, "the version of a list that became empty")
        probe.expect(
            try await probe.referencing(of: mail),
            is: [],
            "the accounts that reference an address without references"
        )
    }
}
