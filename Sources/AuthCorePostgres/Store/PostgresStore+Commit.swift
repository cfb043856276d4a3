#if PostgreSQL
public import AuthCore
internal import AuthCoreSQL

extension PostgresStore {
    /// Writes the whole change if all its preconditions hold, and nothing otherwise.
    public func commit(_ changes: Store.ChangeSet) async throws -> Store.CommitOutcome {
        let arguments = try CommitArguments(changes, coder)
        let parameters = arguments.parameters
        let places = (1...parameters.count).map { "$\($0)" }.joined(separator: ", ")
        let statement = Statement("commit", "SELECT * FROM \(schema.name).commit(\(places))")
        let rows: [Rows.Row]
        do throws(PostgresError) {
            rows = try await send(statement, parameters)
        } catch {
            // Whether the last try was written is known to no one before the connection works again.
            throw AuthError(error, ofCommit: true)
        }
        guard let row = rows.first, let answer = row.text(0) else {
            throw AuthError(PostgresError(.unexpected, "The database did not answer a commit."))
        }
        return try outcome(answer, at: Int(clamping: row.number(1) ?? 0) - 1, arguments)
    }

    private func outcome(
        _ answer: String,
        at place: Int,
        _ arguments: CommitArguments
    ) throws(AuthError) -> Store.CommitOutcome {
        switch answer {
        case "committed": return .committed
        case "duplicate": return .duplicate
        default:
            guard let violated = arguments.precondition(answer, at: place) else {
                throw AuthError(PostgresError(.unexpected, "The database answered a commit with \(answer)."))
            }
            return .violated(violated)
        }
    }
}

extension AuthError {
    /// The error of a commit: if the connection was lost, it is not known whether the change was written.
    fileprivate init(_ error: PostgresError, ofCommit: Bool) {
        if error.kind == .connectionLost {
            self.init(.outcomeUnknown, cause: error)
        } else {
            self.init(error)
        }
    }
}
#endif
