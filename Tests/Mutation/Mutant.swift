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
        case swappedValue = "value swapped"
        case swappedArguments = "arguments swapped"
        case forgottenArgument = "argument forgotten"
        case emptiedResult = "result emptied"
        case reversedOrder = "order reversed"
    }

    let number: Int
    let kind: Kind
    let scope: Scope
    let place: Place
    /// Whether its line may not compile with it and keeps its other faults then.
    let isGuess: Bool

    /// How a list of survivors names it: by what is there, so that lines may move.
    var name: String { "\(place.file): \(kind.rawValue): \(place.text)" }
}

/// The place of a fault.
struct Place {
    /// The folder of `Sources` that holds the file.
    let module: String
    let file: String
    let line: Int
    /// The line as it is without the fault.
    let text: String
}
