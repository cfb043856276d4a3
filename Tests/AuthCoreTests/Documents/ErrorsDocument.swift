import AuthCore
import Foundation

/// The article that lists every error code, made of what each of them says of itself.
enum ErrorsDocument {
    /// The modules that throw codes; AuthCoreFirebase throws some more.
    private static let modules = [
        "AuthCore", "AuthCoreMigration", "AuthCorePostgres", "AuthCoreProviders", "AuthCoreSQLite",
    ]

    static func text() throws -> String {
        let named = try membersNamed()
        let thrown = AuthErrorCode.all.filter { named.contains($0.name) }
        let others = AuthErrorCode.all.filter { !named.contains($0.name) }
        return """
            # Errors

            Every error code: its number, what happened, and what to do.

            ## Overview

            An ``AuthErrorCode`` is a stable number with a name. The sentence is the message of an ``AuthError`` that
            has no more exact one. It is for developers and logs: show people a text of your own for each code.
            `authlab explain NAME` prints the same sentence.

            Numbers below 19000 are those of FirebaseAuth, and AuthCore's own begin at 19000. ``AuthError/reason`` names
            the rule that refused: <doc:Reasons>.

            ## What AuthCore throws

            \(table(thrown))

            ## What AuthCore never throws

            These codes are there because their numbers are FirebaseAuth's. The product AuthCoreFirebase throws some of
            them.

            \(table(others))

            """
    }

    private static func table(_ codes: [AuthErrorCode]) -> String {
        let rows = codes.map { "| `\($0.name)` | \($0.rawValue) | \($0.explanation) |" }
        return "| code | number | what happened and what to do |\n|---|---|---|\n" + rows.joined(separator: "\n")
    }

    /// What the code of the modules names after a dot, a code among it where it is thrown.
    private static func membersNamed() throws -> Set<String> {
        var names: Set<String> = []
        for module in modules {
            let folder = "Sources/" + module
            let files = FileManager.default.enumerator(atPath: PackageFiles.root.appending(path: folder).path)
            let paths = files?.compactMap { $0 as? String } ?? []
            for path in paths where path.hasSuffix(".swift") {
                for line in try PackageFiles.lines("\(folder)/\(path)") {
                    if line.trimmingCharacters(in: .whitespaces).hasPrefix("//") { continue }
                    for word in line.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "." }) {
                        let members = word.split(separator: ".", omittingEmptySubsequences: false).dropFirst()
                        names.formUnion(members.map { String($0) })
                    }
                }
            }
        }
        return names
    }
}
