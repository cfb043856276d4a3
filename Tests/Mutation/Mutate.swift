internal import Foundation
internal import Synchronization

/// Puts small faults into the rules and sees whether the rules' tests notice.
///
///     mutate PACKAGE WORKSHOP [EVERY]
///
/// With EVERY only each so many-th fault is tried. The exit status is 0 if at least 95 % were noticed and every other one
/// is listed and explained in Survivors.txt.
@main
enum Mutate {
    static func main() throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.count >= 2, let root = arguments.first else {
            throw Failure("usage: mutate PACKAGE WORKSHOP [EVERY]")
        }
        let package = URL(filePath: root)
        let every = max(1, Int(arguments.dropFirst(2).first ?? "1") ?? 1)
        var workshop = try Workshop(copying: package, to: URL(filePath: Array(arguments)[1]))
        try workshop.build(from: package)
        let stages = try Stages(of: package)
        for stage in stages.all where try workshop.isNoticed(0, by: stage) {
            throw Failure("the tests fail without any fault")
        }
        let chosen = workshop.mutants.enumerated().filter { $0.offset % every == 0 }.map(\.element)
        let survivors = try survivors(among: chosen, in: workshop, stages: stages)
        let explained = try explanations(package)
        let unexplained = survivors.filter { !explained.contains($0.name) }
        for mutant in survivors {
            print(explained.contains(mutant.name) ? "explained:" : "SURVIVES:", "\(mutant.line)", mutant.name)
        }
        let share = Double(chosen.count - survivors.count) / Double(max(1, chosen.count)) * 100
        let percent = (share * 10).rounded() / 10
        print(
            "mutants \(chosen.count) of \(workshop.mutants.count), survivors \(survivors.count),",
            "unexplained \(unexplained.count), noticed \(percent) %"
        )
        exit(share >= 95 && unexplained.isEmpty ? 0 : 1)
    }

    /// Two at a time; what the quick tests do not notice is shown to the others.
    private static func survivors(among mutants: [Mutant], in workshop: Workshop, stages: Stages) throws -> [Mutant] {
        let next = Mutex(0)
        let survivors = Mutex<[Mutant]>([])
        let group = DispatchGroup()
        for _ in 1...2 {
            DispatchQueue.global().async(group: group) {
                while let mutant = next.withLock({ index -> Mutant? in
                    defer { index += 1 }
                    return index < mutants.count ? mutants[index] : nil
                }) {
                    let isNoticed = stages.all.contains { (try? workshop.isNoticed(mutant.number, by: $0)) ?? false }
                    if !isNoticed { survivors.withLock { $0.append(mutant) } }
                }
            }
        }
        group.wait()
        return survivors.withLock { $0 }.sorted { $0.number < $1.number }
    }

    /// The survivors that are known, a line each; a line that begins with a blank explains the one before.
    private static func explanations(_ package: URL) throws -> Set<String> {
        let text = try String(contentsOf: package.appending(path: "Tests/Mutation/Survivors.txt"), encoding: .utf8)
        return Set(text.split(separator: "\n").filter { !$0.hasPrefix(" ") && !$0.hasPrefix("#") }.map(String.init))
    }
}

/// The tests by which a fault may be noticed, the quickest first.
struct Stages {
    let all: [[String]]

    init(of package: URL) throws {
        let folder = package.appending(path: "Tests/AuthCoreTests")
        func classes(_ folders: [String]) throws -> [String] {
            var names: [String] = []
            for name in folders {
                let files =
                    FileManager.default.enumerator(atPath: folder.appending(path: name).path)?
                    .compactMap { $0 as? String } ?? []
                for file in files.sorted() where file.hasSuffix("Tests.swift") {
                    let source = try String(contentsOf: folder.appending(path: "\(name)/\(file)"), encoding: .utf8)
                    names += source.matches(of: #/final class (\w+Tests): /#).map { "AuthCoreTests.\($0.1)" }
                }
            }
            return names
        }
        // What takes longest finds little that the others do not.
        let slow = ["AuthCoreTests.MergeRacesTests", "AuthCoreTests.PreHijackTests"]
        all = try [
            ["Flows", "Standard", "Conflicts", "Previews", "Events", "Tokens", "Limits", "Merging"],
            ["Tables", "Everyday", "Administration"],
            ["Attacks", "Races", "BadInput"],
        ].map { try classes($0).filter { !slow.contains($0) } }
    }
}
