#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Checks that the library's folders use each other in one direction only, by what the compiler noted of every file.
//
//     layers INDEX-STORE SOURCES [--lenient]
//
// With --lenient a use upwards and a folder that the order does not name are told and no failure.

let arguments = CommandLine.arguments.dropFirst()
let paths = Array(arguments.filter { !$0.hasPrefix("--") })
guard paths.count == 2 else {
    print("usage: layers INDEX-STORE SOURCES [--lenient]")
    exit(2)
}

do {
    let check = Check(try Index(at: paths[0]), sources: paths[1])
    for violation in check.violations.sorted(by: { ($0.file, $0.line, $0.text) < ($1.file, $1.line, $1.text) }) {
        print("\(violation.file):\(violation.line): \(violation.text)")
    }
    if !check.unknownFolders.isEmpty { print("no layer is:", check.unknownFolders.sorted().joined(separator: " ")) }
    let isLenient = arguments.contains("--lenient")
    let failures = check.violations.filter { !isLenient || $0.isImpure }
    let holds = failures.isEmpty && (isLenient || check.unknownFolders.isEmpty) && !check.files.isEmpty
    print("files \(check.files.count), violations \(check.violations.count)")
    exit(holds ? 0 : 1)
} catch {
    print(error.description)
    exit(2)
}
