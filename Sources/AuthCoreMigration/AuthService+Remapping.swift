public import AuthCore

/// One identity that gets another name at its provider.
public struct SubjectMove: Sendable, Hashable, Codable {
    /// The name it has.
    public let from: IdentityKey
    /// The name it gets.
    public let to: IdentityKey

    /// A move from one name to another.
    public init(from: IdentityKey, to: IdentityKey) {
        self.from = from
        self.to = to
    }
}

/// What became of a bulk of moves.
public struct RemapReport: Sendable {
    /// How many identities were moved.
    public internal(set) var moved = 0
    /// The moves whose identity nobody has; moved already, perhaps.
    public internal(set) var unknown: [SubjectMove] = []
    /// The moves whose new name somebody has.
    public internal(set) var taken: [SubjectMove] = []
}

extension AuthService {
    /// Gives identities other names at their providers, in bulk: a team that changes its tenant, say.
    ///
    /// Each move is a commit of its own, so the same bulk can be run again after an interruption.
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
