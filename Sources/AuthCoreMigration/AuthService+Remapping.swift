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
    /// The moves whose new key no assertion can have, such as an empty subject.
    public internal(set) var invalid: [SubjectMove] = []
    /// The moves whose account is being merged; repeat them when the merge has ended.
    public internal(set) var locked: [SubjectMove] = []
    /// The moves that were not tried, because their new key is the current key of another move.
    ///
    /// Make them in a later call, once no identity has that key any more: together, a repeated call or another order
    /// would move one person's identity twice.
    public internal(set) var dependent: [SubjectMove] = []
}

extension AuthService {
    /// Changes the keys of many identities, for example when a team changes its tenant at a provider.
    ///
    /// Each move is a separate commit, so the same call can be repeated after an interruption.
    ///
    /// - Parameter moves: The moves, in any order; none that depends on another is made.
    /// - Returns: How many moves were made, and which were not.
    /// - Throws: The error of the store. The moves until then are made.
    public func remapSubjects(_ moves: [SubjectMove]) async throws(AuthError) -> RemapReport {
        var report = RemapReport()
        let current = Set(moves.map(\.from))
        for move in moves {
            if current.contains(move.to) {
                report.dependent.append(move)
                continue
            }
            do throws(AuthError) {
                try await remap(from: move.from, to: move.to)
                report.moved += 1
            } catch {
                switch error.code {
                case .noSuchProvider: report.unknown.append(move)
                case .credentialAlreadyInUse: report.taken.append(move)
                case .invalidCredential: report.invalid.append(move)
                case .mergeInProgress: report.locked.append(move)
                default: throw error
                }
            }
        }
        return report
    }
}
