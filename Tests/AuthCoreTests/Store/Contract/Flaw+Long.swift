@testable import AuthCore

/// Flaws of narrow columns and of numbers that are cut.
extension Flaw {
    static let long: [String: [Flaw]] = [
        "values are kept however large": cutsMembers,
        "of unused sessions those end that were used longest ago, then those of the lowest IDs": [keepsIn32Bits],
    ]

    private static func cuts(_ name: String, _ cut: @escaping @Sendable (inout Account) -> Void) -> Flaw {
        .edits("keeps \(name)") { _, changes, after in
            for write in changes.accounts {
                guard var account = after.accounts[write.id] else { continue }
                cut(&account)
                after.accounts[write.id] = account
            }
        }
    }

    private static func cuts(_ name: String, ofSession cut: @escaping @Sendable (inout Session) -> Void) -> Flaw {
        .edits("keeps \(name)") { _, _, after in
            after.sessions = after.sessions.mapValues { session in
                var session = session
                cut(&session)
                return session
            }
        }
    }

    private static let cutsMembers: [Flaw] = [
        cuts("a thousand bytes of a password's hash") { account in
            account.methods = account.methods.map { method in
                var method = method
                if case .password(let hash) = method.kind {
                    method.kind = .password(
                        PasswordHash(tagged: String(decoding: hash.tagged.utf8.prefix(1000), as: UTF8.self))
                    )
                }
                return method
            }
        },
        cuts("forty devices") { $0.knownDevices = Array($0.knownDevices.prefix(40)) },
        cuts(
            "a thousand bytes of a refresh token",
            ofSession: { session in
                session.refreshHash = session.refreshHash.map { Array($0.prefix(1000)) }
            }
        ),
        .writes("keeps a thousand bytes of what a provider sealed") { changes in
            changes.records = changes.records.map { change in
                guard case .put(let record) = change, case .authorization(let visit) = record.content else {
                    return change
                }
                let cut = Store.Authorization(
                    intent: visit.intent,
                    provider: visit.provider,
                    redirectURI: visit.redirectURI,
                    sealed: Array(visit.sealed.prefix(1000))
                )
                return .put(record.with(content: .authorization(cut)))
            }
        },
    ]

    private static let keepsIn32Bits = Flaw.prepares("keeps a number of sessions in 32 bits") { changes, _ in
        changes.sessions = changes.sessions.map { change in
            guard case .endUnused(let account, let limit, let kept) = change else { return change }
            return .endUnused(account, keeping: Int(Int32(truncatingIfNeeded: limit)), besides: kept)
        }
    }
}
