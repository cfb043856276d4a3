/// The table of reasons: each name, and a sentence that explains it.
///
/// It is text, so that each row can be read in one place; it is parsed once, on first use.
struct ReasonTable {
    static let shared = ReasonTable()

    let reasons: [Reason]
    private let explanations: [Reason: String]

    subscript(reason: Reason) -> String? { explanations[reason] }

    private init() {
        let rows = ReasonTexts.rows.split(separator: "\n").map { $0.split(separator: " ") }
        reasons = rows.map { Reason(rawValue: String($0[0].dropLast())) }
        let sentences = rows.map { $0.dropFirst().joined(separator: " ") }
        explanations = Dictionary(uniqueKeysWithValues: zip(reasons, sentences))
    }
}
