#if PostgreSQL
internal import AuthCore
internal import AuthCoreSQL

/// The one statement of a commit, and how its answer is read.
struct CommitCall {
    let statement: String
    let parameters: [Parameter]
    private let arguments: CommitArguments
    /// The places of the arguments in the statement.
    private static let places = (1...CommitArguments.count).map { "$\($0)" }.joined(separator: ", ")

    init(_ changes: Store.ChangeSet, _ schema: Schema, _ coder: RowCoder) throws(PostgresError) {
        arguments = try CommitArguments(changes, coder)
        parameters = arguments.parameters
        statement = "SELECT * FROM \(schema).commit(\(Self.places))"
    }

    /// What the row says.
    func outcome(of rows: [Row]) throws(PostgresError) -> Store.CommitOutcome {
        guard let row = rows.first, let answer = row.text(0) else {
            throw PostgresError(.unexpected, "The database did not answer a commit.")
        }
        switch answer {
        case "committed": return .committed
        case "duplicate": return .duplicate
        default:
            let place = Int(clamping: row.number(1) ?? 0) - 1
            guard let violated = arguments.precondition(answer, at: place) else {
                throw PostgresError(.unexpected, "The database answered a commit with \(answer).")
            }
            return .violated(violated)
        }
    }
}
#endif
