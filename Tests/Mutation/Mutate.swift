internal import Foundation

/// Puts small faults into the sources and sees whether the tests notice.
///
///     mutate PACKAGE WORKSHOP rules|around|sqlite|postgres [NUMBER [SEED]]
///
/// With NUMBER only each so many-th fault is tried; with SEED that many are drawn at random. The exit status is 0 if
/// enough were noticed (95 % of those in the rules, 92 % of the others), every other one in the rules is listed and
/// explained in Survivors.txt, and every line that is listed there is in the sources.
@main
enum Mutate {
    static func main() {
        do {
            exit(try run() ? 0 : 1)
        } catch {
            say("\(error)")
            exit(2)
        }
    }

    private static func run() throws -> Bool {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count >= 3, let scope = Scope(rawValue: arguments[2]) else {
            throw Failure("usage: mutate PACKAGE WORKSHOP rules|around|sqlite|postgres [NUMBER [SEED]]")
        }
        let package = URL(filePath: arguments[0])
        let number = max(1, Int(arguments.dropFirst(3).first ?? "1") ?? 1)
        let seed = arguments.dropFirst(4).first.flatMap { UInt64($0) }
        let began = Date()
        let explained = try explanations(package)
        let stale = try explained.filter { try !isInSources($0, of: package) }
        for name in stale.sorted() { say("STALE, not in the sources any more: \(name)") }
        var workshop = try Workshop(copying: package, to: URL(filePath: arguments[1]), scope)
        try workshop.build()
        say("built after \(seconds(since: began)) s, without \(workshop.excluded) faults that do not compile")
        let chosen = sample(of: workshop.mutants, number, seed)
        var survivors: [Int: String] = [:]
        var (unexplained, failing) = (0, 0)
        for target in scope.tests {
            let inspection = try Inspection(workshop, by: target)
            say("\(target): the tests ran without a fault, after \(seconds(since: began)) s")
            for test in inspection.failing { say("FAILS without a fault: \(test)") }
            failing += inspection.failing.count
            let modules = scope.modules.filter { $0.tests == target }.map(\.name)
            let part = chosen.filter { modules.contains($0.place.module) }
            survivors.merge(try inspection.survivors(among: part)) { $1 }
            for mutant in part {
                guard let how = survivors[mutant.number] else { continue }
                let isExplained = explained.contains(mutant.name)
                if !isExplained { unexplained += 1 }
                let word = isExplained ? "explained" : "SURVIVES, \(how)"
                say("\(word): \(mutant.number), line \(mutant.place.line): \(mutant.name)")
            }
        }
        let share = Double(chosen.count - survivors.count) / Double(max(1, chosen.count)) * 100
        say(
            "\(scope): mutants \(chosen.count) of \(workshop.mutants.count), survivors \(survivors.count), "
                + "unexplained \(unexplained), noticed \((share * 10).rounded() / 10) %, after \(seconds(since: began)) s"
        )
        return share >= scope.bar && failing == 0 && stale.isEmpty && (scope != .rules || unexplained == 0)
    }

    /// Each so many-th fault, or that many drawn at random, in their order.
    private static func sample(of mutants: [Mutant], _ number: Int, _ seed: UInt64?) -> [Mutant] {
        guard let seed else { return mutants.enumerated().filter { $0.offset % number == 0 }.map(\.element) }
        var numbers = RandomNumbers(seed: seed)
        return mutants.shuffled(using: &numbers).prefix(number).sorted { $0.number < $1.number }
    }

    /// Prints a line, which is seen at once even in a file.
    private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    private static func seconds(since date: Date) -> Int { Int(Date().timeIntervalSince(date)) }

    /// Whether the line of a fault is in the file that it names, by its path in its module.
    private static func isInSources(_ name: String, of package: URL) throws -> Bool {
        let parts = name.split(separator: ": ", maxSplits: 2).map(String.init)
        let sources = package.appending(path: "Sources")
        return try FileManager.default.subpathsOfDirectory(atPath: sources.path)
            .filter { path in path.drop { $0 != "/" }.dropFirst() == parts[0] }
            .contains { try String(contentsOf: sources.appending(path: $0), encoding: .utf8).contains(parts[2]) }
    }

    /// The survivors that are known, a line each; a line that begins with a blank explains the one before.
    private static func explanations(_ package: URL) throws -> Set<String> {
        let text = try String(contentsOf: package.appending(path: "Tests/Mutation/Survivors.txt"), encoding: .utf8)
        return Set(text.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("#") }.map(String.init))
    }
}

/// Random numbers that are the same for the same seed.
private struct RandomNumbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
