/// The table of error codes, one row per code: its number, its name, and what happened and what to do.
///
/// It is text, so that each row can be read in one place, and is parsed once, on first use.
struct AuthErrorTable {
    struct Row {
        let code: AuthErrorCode
        let name: String
        let explanation: String
    }

    static let shared = AuthErrorTable()

    let codes: [AuthErrorCode]
    private let rows: [AuthErrorCode: Row]
    private let codesByName: [String: AuthErrorCode]

    subscript(code: AuthErrorCode) -> Row? {
        rows[code]
    }

    func code(named name: String) -> AuthErrorCode? {
        // Longer than any name, so hashing it is unnecessary, whatever its size.
        guard name.utf8.count <= 64 else { return nil }
        return codesByName[name]
    }

    private init() {
        // By bytes, since finding the characters of a text takes ten times as long.
        let rows = ErrorTexts.rows.utf8.split(separator: UInt8(ascii: "\n")).compactMap { line -> Row? in
            let words = line.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
            guard words.count > 2, let rawValue = Int(words[0]) else { return nil }
            return Row(
                code: AuthErrorCode(rawValue: rawValue),
                name: String(words[1].dropLast()),
                explanation: words.dropFirst(2).joined(separator: " ")
            )
        }
        codes = rows.map(\.code)
        self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.code, $0) })
        codesByName = Dictionary(uniqueKeysWithValues: rows.map { ($0.name, $0.code) })
    }
}
