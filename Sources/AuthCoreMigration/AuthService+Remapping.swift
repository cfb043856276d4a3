public import AuthCore

/// A change of the key of one identity.
public struct SubjectMove: Sendable, Hashable, Codable {
    /// The current key.
    public let from: Identity.Key
    /// The new key.
    public let to: Identity.Key

    /// Creates a change from one key to another.
    public init(from: Identity.Key, to: Identity.Key) {
        self.from = from
        self.to = to
    }
}

/// The result of changing the keys of many identities.
public struct RemapReport: Sendable {
    /// The number of identities whose key was changed.
    public internal(set) var moved = 0
    /// The moves whose identity no account has; perhaps they were made before.
    public internal(set) var unknown: [SubjectMove] = []
    /// The moves whose new key an account has already.
    public internal(set) var taken: [SubjectMove] = []
}

extension AuthService {
    /// Changes the keys of many identities, for example when a team changes its tenant at a provider.
    ///
    /// Each move is a separate commit, so the same call can be repeated after an interruption.
    public func remapSubjects(_ moves: [SubjectMove]) async throws(AuthError) -> RemapReport {
        var report = RemapReport()
        for move in moves {
            do throws(AuthError) {
                try await remap(from: move.from, to: move.to)
                report.moved += 1
            } catch {
                switch error.code {
                case .noSuchProvider: report.unknown.append(move)
                case .credentialAlreadyInUse: report.taken.append(move)
                default: throw error
                }
            }
        }
        return report
    }
}
