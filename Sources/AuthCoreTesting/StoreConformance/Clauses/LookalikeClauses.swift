import AuthCore

/// Clauses about keys and IDs that look alike to a collation, an encoding or a short hash.
extension StoreClause {
    static let lookalikes = [
        StoreClause("keys that a collation or a short hash takes for one are two", keysOfEqualLooksAreTwo),
        StoreClause("an id is compared to its last letter, and no id begins another", idsAreWhole),
    ]

    private static func idsAreWhole(_ probe: inout StoreProbe) async throws {
        let long = String(repeating: "a", count: 127)
        // Those after the first ones are equal once what looks like an escape, a number or a pattern is read as one.
        let names = [
            long + "b", long + "c", "x", "x:y", "x#y", "x/y", "x-y", "x.y", "x_y", "x~y", "x%2Fy", "x%2fy", "x+y",
            "x%20y", "x&y", "x&amp;y", "x\\/y", "x\\y", "x\\\\y", "x'y", "x''y", "xy", "\"x\"", "x*", "x?", "[x]",
            "1000", "1e3",
            "1000.0", "+1000", "0x3e8",
        ]
        let accounts = try names.map { try StoreScene.bareAccount($0, probe) }
        let sessions = accounts.map { StoreScene.session(of: $0.id, &probe) }
        let codes = accounts.map { StoreScene.code(about: $0.id, &probe) }
        try await probe.commit("accounts") { transaction in
            transaction.changes.accounts = accounts.map { .create($0) }
            transaction.changes.sessions = sessions.map { .put($0) }
            transaction.changes.records = codes.map { .put($0) }
        }
        for (place, account) in accounts.enumerated() {
            try await probe.commit("the end of what \(account.id) has") { transaction in
                transaction.changes.sessions = [.endAll(account.id, except: nil)]
                transaction.changes.records = [.revokeAll(account.id, OneTimeRecord.Purpose.allCases)]
            }
            for (other, left) in accounts.enumerated() {
                let isLeft = other > place
                let found = try await probe.sessions(of: left.id)
                probe.expect(found, is: isLeft ? [sessions[other].id] : [], "the sessions of \(left.id)")
                let code = try await probe.record(codes[other].key)
                probe.expect(code, is: isLeft ? codes[other] : nil, "the record about \(left.id)")
            }
        }
    }

    /// Pairs of subjects that databases, encodings and hashes of 32 bits have taken for one.
    private static let similarTexts = [
        ("\u{1F600}", "\u{1F601}"), ("https://x.example", "x.example"), ("a%41", "aA"), ("a&amp;b", "a&b"),
        ("a\u{A0}b", "a b"), ("a  b", "a b"), ("a\r\nb", "a\nb"), ("a\u{200D}b", "ab"), ("\u{FEFF}ab", "ab"),
        ("a\u{FE0F}b", "ab"), ("a\u{AD}b", "ab"), ("ab\n", "ab"), ("ab\t", "ab"), ("a\u{1}b", "ab"),
        ("\u{0661}23", "123"), ("6BA7B810-9DAD-11D1-80B4-00C04FD430C8", "6ba7b8109dad11d180b400c04fd430c8"),
        ("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "6BA7B8109DAD11D180B400C04FD430C8"),
        // The same CRC-32, FNV-1a and hash of Java's strings.
        ("plumless", "buckeroo"), ("costarring", "liquid"), ("Aa", "BB"),
    ]

    /// The beginnings of two addresses at example.com that have one hash of 32 bits, from the seed 0 where it has one.
    ///
    /// A hash that is not in the list passes, and so does one of more than the address or the subject.
    private static let hashedAlike = [
        ("Adler-32", "bbaab", "acaba"), ("CRC-32", "zsanz2", "wadamt"), ("CRC-32C", "allxm5", "d30gsg"),
        ("djb2", "gary", "gc0y"), ("FNV-1a", "gvlpy", "yomzo"), ("Java's", "ann", "c0n"),
        ("MurmurHash3", "mnfia", "zfgys"), ("PostgreSQL's hashtext", "jrxmi", "vohmp"),
        ("xxHash32", "cii1de", "1e4y6v"),
    ]

    private static func keysOfEqualLooksAreTwo(_ probe: inout StoreProbe) async throws {
        let ann = try StoreScene.bareAccount("ann", probe)
        let ben = try StoreScene.bareAccount("ben", probe)
        try await probe.commit("two accounts") { $0.changes.accounts = [.create(ann), .create(ben)] }
        var pairs = similarTexts.flatMap { first, second in
            [
                (StoreScene.identity(first), StoreScene.identity(second)),
                (Identity.Key(issuer: first, subject: "s"), Identity.Key(issuer: second, subject: "s")),
            ]
        }.map { (UniqueKey.identity($0), UniqueKey.identity($1)) }
        // More digits than a number of 24 bits tells apart.
        for last in 1...3 {
            guard let first = PhoneNumber("+491510000000\(last)"), let second = PhoneNumber("+491510000000\(last + 1)")
            else { throw StoreScene.UnusableSample() }
            pairs.append((.phone(first), .phone(second)))
        }
        for (_, first, second) in hashedAlike {
            let (first, second) = (
                try StoreScene.email("\(first)@example.com"), try StoreScene.email("\(second)@example.com")
            )
            pairs.append((.primaryEmail(first), .primaryEmail(second)))
            pairs.append(
                (.identity(StoreScene.identity(first.text)), .identity(StoreScene.identity(second.text)))
            )
        }
        for (first, second) in pairs {
            try await probe.commit("a claim to \(first)") {
                $0.changes.keys = [KeyChange(first, from: nil, to: ann.id)]
            }
            probe.expect(try await probe.owner(of: second), is: nil, "the owner of \(second) beside \(first)")
            try await probe.commit("a claim to \(second) beside \(first)") {
                $0.changes.keys = [KeyChange(second, from: nil, to: ben.id)]
            }
            probe.expect(try await probe.owner(of: first), is: ann.id, "the owner of \(first) beside \(second)")
            try await probe.commit("the end of both") {
                $0.changes.keys = [KeyChange(first, from: ann.id, to: nil), KeyChange(second, from: ben.id, to: nil)]
            }
        }
    }
}
