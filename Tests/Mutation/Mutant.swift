/// One small fault in a rule, which some test should notice.
struct Mutant {
    enum Kind: String {
        case flippedCondition = "condition flipped"
        case droppedStatement = "statement dropped"
        case swappedReason = "reason swapped"
    }

    let number: Int
    let kind: Kind
    let file: String
    let line: Int
    /// The line as it is without the fault.
    let text: String

    /// How a list of survivors names it: by what is there, so that lines may move.
    var name: String { "\(file): \(kind.rawValue): \(text)" }
}
