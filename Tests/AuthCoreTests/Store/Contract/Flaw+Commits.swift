@testable import AuthCore

/// Flaws of how preconditions are looked at, and of how many rows a commit writes.
extension Flaw {
    static let commits: [String: [Flaw]] = [
        "every precondition is looked at, wherever it stands": looksAtSome,
        "of several preconditions that do not hold the first is answered": answersAnother,
        "a number that a change expects is that one, neither more nor less": comparesRoughly,
        "one change writes many rows of each kind": writesAHundred,
    ]

    private static let kinds: [(name: String, isOne: @Sendable (Store.Precondition) -> Bool)] = [
        ("creations", { if case .absent = $0 { true } else { false } }),
        ("versions", { if case .version = $0 { true } else { false } }),
        ("lists", { if case .references = $0 { true } else { false } }),
        ("keys", { if case .owner = $0 { true } else { false } }),
        ("records", { if case .record = $0 { true } else { false } }),
        ("sessions", { if case .session = $0 { true } else { false } }),
    ]

    private static let looksAtSome: [Flaw] = kinds.flatMap { name, isOne in
        [
            .judges("looks at the first of \(name) only") { checks, _ in
                let first = checks.firstIndex { isOne($0.precondition) }
                return checks.enumerated().first {
                    !$1.holds && (!isOne($1.precondition) || $0 == first)
                }?.element.precondition
            },
            .judges("looks at the last of \(name) only") { checks, _ in
                let last = checks.lastIndex { isOne($0.precondition) }
                return checks.enumerated().first {
                    !$1.holds && (!isOne($1.precondition) || $0 == last)
                }?.element.precondition
            },
            .judges("names the first of \(name) whichever fails") { checks, _ in
                guard let failed = checks.first(where: { !$0.holds })?.precondition else { return nil }
                return isOne(failed) ? checks.first { isOne($0.precondition) }?.precondition : failed
            },
        ]
    }

    private static let answersAnother: [Flaw] = [
        .judges("answers the last precondition that does not hold") { checks, _ in
            checks.last { !$0.holds }?.precondition
        },
        .judges("looks at sessions first") { checks, _ in
            let failed = checks.filter { !$0.holds }.map(\.precondition)
            return failed.first { if case .session = $0 { true } else { false } } ?? failed.first
        },
        .judges("looks at records before keys") { checks, _ in
            let failed = checks.filter { !$0.holds }.map(\.precondition)
            return failed.first { if case .record = $0 { true } else { false } } ?? failed.first
        },
        .judges("looks at the rule of keys last") { checks, _ in
            let failed = checks.filter { !$0.holds }.map(\.precondition)
            return failed.first { if case .keyRule = $0 { false } else { true } } ?? failed.first
        },
        .judges("looks at lists before versions") { checks, _ in
            let failed = checks.filter { !$0.holds }.map(\.precondition)
            return failed.first { if case .references = $0 { true } else { false } } ?? failed.first
        },
    ]

    /// Accepts what is expected wherever the comparison with what is stored says so.
    private static func compares(
        _ name: String,
        _ isRight: @escaping @Sendable (_ stored: UInt64, _ expected: UInt64) -> Bool
    ) -> [Flaw] {
        let stored = { @Sendable (tables: PlainTables, id: AccountID) in tables.accounts[id]?.version }
        let loosened = { @Sendable (stored: UInt64?, expected: UInt64) in
            guard let stored, isRight(stored, expected) else { return expected }
            return stored
        }
        return [
            .prepares("updates where \(name)") { changes, tables in
                changes.accounts = changes.accounts.map { write in
                    guard case .update(let account, let expected) = write else { return write }
                    return .update(account, expected: loosened(stored(tables, account.id), expected))
                }
            },
            .prepares("removes where \(name)") { changes, tables in
                changes.accounts = changes.accounts.map { write in
                    guard case .remove(let id, let expected) = write else { return write }
                    return .remove(id, expected: loosened(stored(tables, id), expected))
                }
            },
            .prepares("has read where \(name)") { changes, tables in
                changes.reads = changes.reads.map {
                    Store.AccountRead(id: $0.id, version: loosened(stored(tables, $0.id), $0.version))
                }
            },
            .prepares("knows a list where \(name)") { changes, tables in
                changes.referenceReads = changes.referenceReads.map {
                    .init(email: $0.email, version: loosened(tables.version(of: $0.email), $0.version))
                }
            },
            .prepares("exchanges where \(name)") { changes, tables in
                changes.sessions = changes.sessions.map { change in
                    guard case .update(let session, let count) = change else { return change }
                    let stored = tables.sessions[session.id].map { UInt64($0.refreshCount) }
                    return .update(session, refreshCount: UInt32(loosened(stored, UInt64(count))))
                }
            },
        ]
    }

    private static let comparesRoughly: [Flaw] =
        compares("no less is expected") { $0 <= $1 } + compares("no more is expected") { $0 >= $1 }
        + compares("nothing is expected") { $1 == 0 } + compares("the next is expected") { $1 == $0 + 1 }
        + compares("the low bits are equal") { UInt8(truncatingIfNeeded: $0) == UInt8(truncatingIfNeeded: $1) }

    private static func cuts(_ name: String, _ cut: @escaping @Sendable (inout ChangeSet) -> Void) -> Flaw {
        .writes("writes a hundred \(name) of a change", cut)
    }

    private static let writesAHundred: [Flaw] = [
        cuts("new accounts") { $0.accounts = Array($0.accounts.prefix(100)) },
        cuts("keys") { $0.keys = Array($0.keys.prefix(100)) },
        cuts("references") { $0.references = Array($0.references.prefix(100)) },
        cuts("records") { $0.records = Array($0.records.prefix(100)) },
        cuts("sessions") { $0.sessions = Array($0.sessions.prefix(100)) },
        cuts("sign-ins") { $0.signIns = Array($0.signIns.prefix(100)) },
        cuts("events") { $0.events = Array($0.events.prefix(100)) },
        cuts("messages") { $0.messages = Array($0.messages.prefix(100)) },
        .writes("shuffles the events of a large change") { changes in
            if changes.events.count > 256 { changes.events.swapAt(0, 256) }
        },
        .writes("ends a hundred sessions of a change") { changes in
            var left = 100
            changes.sessions.removeAll { change in
                guard case .end = change else { return false }
                left -= 1
                return left < 0
            }
        },
    ]
}
