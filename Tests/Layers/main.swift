import Foundation

// Checks that the library's folders use each other in one direction only, by what the compiler noted of every file.
//
//     layers INDEX-STORE SOURCES [ARTICLE] [--lenient]
//     layers --codes INDEX-STORE SOURCES ARTICLE
//
// The steps of the article must be functions that are where it says, each called by one before it. With --lenient a use
// upwards, a folder that the order does not name and a wrong step are told and no failure.
//
// With --codes the article lists the error codes that the modules name.

let arguments = CommandLine.arguments.dropFirst()
let isLenient = arguments.contains("--lenient")
let paths = Array(arguments.filter { !$0.hasPrefix("--") })
guard (2...3).contains(paths.count) else {
    print("usage: layers INDEX-STORE SOURCES [ARTICLE] [--lenient] | layers --codes INDEX-STORE SOURCES ARTICLE")
    exit(2)
}

do {
    if arguments.contains("--codes"), paths.count == 3 {
        let file = URL(filePath: paths[2])
        let article = try String(contentsOf: file, encoding: .utf8)
        let codes = ErrorCodes(article, try Index(at: paths[0]), sources: paths[1])
        for mistake in codes.mistakes { print("\(file.lastPathComponent): \(mistake)") }
        print("codes \(codes.count), mistakes \(codes.mistakes.count)")
        exit(codes.mistakes.isEmpty && codes.count > 0 ? 0 : 1)
    }
    let check = Check(try Index(at: paths[0]), sources: paths[1])
    for violation in check.violations.sorted(by: { ($0.file, $0.line, $0.text) < ($1.file, $1.line, $1.text) }) {
        print("\(violation.file):\(violation.line): \(violation.text)")
    }
    if !check.unknownFolders.isEmpty { print("no layer is:", check.unknownFolders.sorted().joined(separator: " ")) }
    print("files \(check.files.count), violations \(check.violations.count)")
    let failures = check.violations.filter { !isLenient || $0.isImpure }
    var holds = failures.isEmpty && (isLenient || check.unknownFolders.isEmpty) && !check.files.isEmpty
    if paths.count == 3 {
        let file = URL(filePath: paths[2])
        let article = try String(contentsOf: file, encoding: .utf8)
        let walkthrough = Walkthrough(article, check.files, sources: check.sources)
        for mistake in walkthrough.mistakes { print("\(file.lastPathComponent): \(mistake)") }
        print("steps \(walkthrough.count), mistakes \(walkthrough.mistakes.count)")
        holds = holds && (isLenient || walkthrough.mistakes.isEmpty) && walkthrough.count > 0
    }
    exit(holds ? 0 : 1)
} catch {
    print(error)
    exit(2)
}
