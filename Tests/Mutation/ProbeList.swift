internal import Foundation

/// The tests that a fault is shown to, as the Swift that lists them.
struct ProbeList {
    let source: String

    /// What takes long by design, needs a process of its own, or is of another build.
    private static let omittedClasses = [
        "MergeRacesTests", "PreHijackTests", "MutantTests", "KillTests", "PostgresKillTests", "ProcessTests",
        "PostgresProcessTests", "FullDiskTests", "TraitTests",
    ]
    private static let omittedMethods = ["testAFileThatCannotBeWrittenIsRefused"]

    init(of package: URL, tests: String, _ scope: Scope) throws {
        let folder = package.appending(path: "Tests/\(tests)")
        let files = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        var lines: [String] = []
        for file in files.sorted() where file.hasSuffix(".swift") {
            if scope.omittedTests.contains(where: { file.hasPrefix($0 + "/") }) { continue }
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            var (type, isOnMainActor, before) = ("", false, Substring())
            for line in text.split(separator: "\n") {
                defer { before = line }
                if let match = line.firstMatch(of: #/^(?:@MainActor )?(?:final class|extension) (\w+Tests)\b/#) {
                    type = String(match.1)
                    isOnMainActor = line.hasPrefix("@MainActor") || before == "@MainActor"
                } else if let match = line.firstMatch(of: #/^    func (test\w+)\(\)( async)?/#), !type.isEmpty {
                    if Self.omittedClasses.contains(type) || Self.omittedMethods.contains(String(match.1)) { continue }
                    let isMain = isOnMainActor || before == "    @MainActor"
                    let word = match.2 == nil && !isMain ? "probe" : "waitingProbe"
                    // A probe itself does not run on the main actor, to which its test goes. A test case is not
                    // Sendable, and only this one call uses it, hence `nonisolated(unsafe)` in what is written here.
                    let method =
                        isMain
                        ? "test in nonisolated(unsafe) let kept = test; return { try await kept.\(match.1)() }"
                        : "$0.\(match.1)"
                    lines.append("    list.append(\(word)(\(type).self, \"\(match.1)\") { \(method) })")
                }
            }
        }
        source =
            "func allProbes() -> [Probe] {\n    var list: [Probe] = []\n\(lines.joined(separator: "\n"))\n    return list\n}\n"
    }
}
