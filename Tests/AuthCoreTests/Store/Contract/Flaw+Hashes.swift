@testable import AuthCore
import AuthCoreTesting

/// Stores that keep a hash of 32 bits of a key, and never look at the key itself.
extension Flaw {
    static let hashes: [String: [Flaw]] = [
        "keys that a collation or a short hash takes for one are two": [
            hashes("subjects") { key in
                guard case .identity(let identity) = key else { return key }
                let subject = String(murmurHash3(Array(identity.subject.text.utf8)))
                return .identity(Identity.Key(issuer: identity.issuer.text, subject: subject))
            },
            hashes("addresses") { key in
                guard case .primaryEmail(let email) = key else { return key }
                let hash = murmurHash3(Array(email.text.utf8))
                return EmailAddress("\(hash)@example.com").map { .primaryEmail($0) } ?? key
            },
        ]
    ]

    private static func hashes(_ what: String, _ hash: @escaping @Sendable (UniqueKey) -> UniqueKey) -> Flaw {
        let hashed = { @Sendable (reference: Lookup.Reference) -> Lookup.Reference in
            if case .owner(let key) = reference { .owner(hash(key)) } else { reference }
        }
        let short = { @Sendable (lookup: Lookup) -> Lookup in
            switch lookup {
            case .owner(let key): .owner(hash(key))
            case .sessions(let reference): .sessions(of: hashed(reference))
            case .records(let reference, let purpose): .records(of: hashed(reference), purpose)
            default: lookup
            }
        }
        return .wraps("keeps of \(what) a hash of 32 bits") { store in
            store.onLoad = { lookups, whole in
                let seen = try await whole.load(Lookups(lookups.map(short)))
                return Snapshot(lookups) { seen.answer(to: short($0)) }
            }
            store.onCommit = { changes, whole in
                var shortened = changes
                shortened.keys = changes.keys.map { KeyChange(hash($0.key), from: $0.expected, to: $0.owner) }
                let outcome = try await whole.commit(shortened)
                guard case .violated(.owner(let key)) = outcome else { return outcome }
                return .violated(.owner(changes.keys.first { hash($0.key) == key }?.key ?? key))
            }
        }
    }

    /// MurmurHash3 of 32 bits, from the seed 0.
    private static func murmurHash3(_ bytes: [UInt8]) -> UInt32 {
        func mixed(_ bytes: ArraySlice<UInt8>) -> UInt32 {
            let word = bytes.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) } &* 0xCC9E_2D51
            return (word << 15 | word >> 17) &* 0x1B87_3593
        }
        var (hash, rest) = (UInt32(0), bytes[...])
        while rest.count >= 4 {
            hash ^= mixed(rest.prefix(4))
            hash = (hash << 13 | hash >> 19) &* 5 &+ 0xE654_6B64
            rest = rest.dropFirst(4)
        }
        hash ^= mixed(rest) ^ UInt32(bytes.count)
        hash = (hash ^ hash >> 16) &* 0x85EB_CA6B
        hash = (hash ^ hash >> 13) &* 0xC2B2_AE35
        return hash ^ hash >> 16
    }
}
