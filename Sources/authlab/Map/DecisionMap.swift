/// What happens when something arrives at an account, by the rules themselves.
///
/// Every cell is the answer of a service in memory: nothing here states a rule.
struct DecisionMap: Sendable {
    let rows = Incoming.allCases
    let columns = MapColumn.all
    let policies: [NamedPolicy]
    private let cells: [Place: [MapCell]]

    private struct Place: Hashable {
        let row: Incoming
        let column: MapColumn
    }

    init(policies: [NamedPolicy] = [.standard, .firebase]) async throws {
        self.policies = policies
        var cells: [Place: [MapCell]] = [:]
        for row in rows {
            for column in columns {
                for named in policies {
                    let encounter = Encounter(incoming: row, state: column.state, policy: named.policy)
                    guard encounter.isPossible else { continue }
                    cells[Place(row: row, column: column), default: []].append(try await encounter.play())
                }
            }
        }
        self.cells = cells
    }

    /// The cells of one place, in the order of the policies; empty if the question makes no sense.
    subscript(row: Incoming, column: MapColumn) -> [MapCell] { cells[Place(row: row, column: column)] ?? [] }

    /// Whether the policies differ in what happens or why.
    func differs(_ row: Incoming, _ column: MapColumn) -> Bool { Set(self[row, column]).count > 1 }
}
