internal import Foundation

/// Puts small faults into the rules and sees whether the rules' tests notice.
///
///     mutate PACKAGE WORKSHOP [EVERY]
///
/// With EVERY only each so many-th fault is tried. The exit status is 0 if at least 95 % were noticed and every other one
/// is listed and explained in Survivors.txt.
@main
enum Mutate {
    static func main() {
        do {
            exit(try run() ? 0 : 1)
        } catch {
            print(error)
            exit(2)
        }
    }

    private static func run() throws -> Bool {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2, let root = arguments.first else {
            throw Failure("usage: mutate PACKAGE WORKSHOP [EVERY]")
        }
        let package = URL(filePath: root)
        let every = max(1, Int(arguments.dropFirst(2).first ?? "1") ?? 1)
        let began = Date()
        var workshop = try Workshop(copying: package, to: URL(filePath: Array(arguments)[1]))
        try workshop.build()
        print("built after \(seconds(since: began)) s")
        let inspection = try Inspection(workshop)
        print("all tests pass without a fault after \(seconds(since: began)) s")
        let chosen = workshop.mutants.enumerated().filter { $0.offset % every == 0 }.map(\.element)
        let survivors = try inspection.survivors(among: chosen)
        let explained = try explanations(package)
        var unexplained = 0
        for mutant in chosen {
            guard let how = survivors[mutant.number] else { continue }
            let isExplained = explained.contains(mutant.name)
            if !isExplained { unexplained += 1 }
            print(isExplained ? "explained:" : "SURVIVES, \(how): \(mutant.number), line \(mutant.line):", mutant.name)
        }
        let share = Double(chosen.count - survivors.count) / Double(max(1, chosen.count)) * 100
        print(
            "mutants \(chosen.count) of \(workshop.mutants.count), survivors \(survivors.count),",
            "unexplained \(unexplained), noticed \((share * 10).rounded() / 10) %, after \(seconds(since: began)) s"
        )
        return share >= 95 && unexplained == 0
    }

    private static func seconds(since date: Date) -> Int { Int(Date().timeIntervalSince(date)) }

    /// The survivors that are known, a line each; a line that begins with a blank explains the one before.
    private static func explanations(_ package: URL) throws -> Set<String> {
        let text = try String(contentsOf: package.appending(path: "Tests/Mutation/Survivors.txt"), encoding: .utf8)
        return Set(text.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("#") }.map(String.init))
    }
}
