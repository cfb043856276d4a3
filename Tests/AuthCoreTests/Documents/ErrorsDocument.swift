import AuthCore
import Foundation

/// The article that lists every error code, made of what each of them says of itself.
///
/// Which of them are never thrown is the article's own word. It is checked by what the compiler notes of the modules:
/// see `.ci/layers`.
enum ErrorsDocument {
    private static let neverThrown = "## What AuthCore never throws"

    static func text(after article: String) -> String {
        let end = article.components(separatedBy: neverThrown).dropFirst().joined()
        let others = AuthErrorCode.all.filter { end.contains("| `\($0.name)` |") }
        let thrown = AuthErrorCode.all.filter { !others.contains($0) }
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

            \(neverThrown)

            These codes are there because their numbers are FirebaseAuth's. The product AuthCoreFirebase throws some of
            them.

            \(table(others))

            """
    }

    private static func table(_ codes: [AuthErrorCode]) -> String {
        let rows = codes.map { "| `\($0.name)` | \($0.rawValue) | \($0.explanation) |" }
        return "| code | number | what happened and what to do |\n|---|---|---|\n" + rows.joined(separator: "\n")
    }
}
