/// One small fault, which some test should notice.
struct Mutant {
    enum Kind: String {
        case flippedCondition = "condition flipped"
        case droppedStatement = "statement dropped"
        case swappedReason = "reason swapped"
        case movedBoundary = "boundary moved"
        case swappedOperator = "operator swapped"
        case swappedCode = "code swapped"
        case changedNumber = "number changed"
        case changedText = "text changed"
        case swappedFunction = "function swapped"
        case swappedMember = "member swapped"
        case omittedElement = "element left out"
    }

    let number: Int
    let kind: Kind
    let scope: Scope
    /// The folder of `Sources` that holds the file.
    let module: String
    let file: String
    let line: Int
    /// The line as it is without the fault.
    let text: String

    /// How a list of survivors names it: by what is there, so that lines may move.
    var name: String { "\(file): \(kind.rawValue): \(text)" }
}
