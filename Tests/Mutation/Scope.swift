/// The part of the sources that gets faults.
enum Scope: String, CaseIterable {
    case rules
    case around

    /// How many of a hundred faults must be noticed.
    var bar: Double { self == .rules ? 95 : 92 }

    /// The modules that get faults; each has tests of the same name.
    var modules: [String] { self == .rules ? ["AuthCore"] : ["AuthCore", "AuthCoreFirebase"] }

    /// Whether a file of a module gets faults.
    func includes(_ file: String, of module: String) -> Bool {
        guard file.hasSuffix(".swift") else { return false }
        if module == "AuthCoreFirebase" { return self == .around }
        let folder = String(file.prefix { $0 != "/" })
        return switch self {
        case .rules: ["Policy", "Proof", "Decision", "UseCases"].contains(folder) && !file.contains("/Reason")
        case .around: ["Service", "Client", "InMemory", "Credentials", "Crypto", "Store"].contains(folder)
        }
    }

    /// What is not shown to these tests: what is about other things, what takes long, and what compares recorded text.
    var omittedTests: [String] {
        switch self {
        case .rules:
            [
                "Assurance/BadInput", "Assurance/Model", "Assurance/Races", "Crypto/Digests", "Crypto/Passwords",
                "Documents", "InMemory", "Store",
            ]
        case .around: ["Assurance/Model", "Assurance/Situations", "Assurance/Tables", "Documents"]
        }
    }
}
