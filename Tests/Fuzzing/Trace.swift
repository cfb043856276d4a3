internal import AuthCore

/// One recording: what was done with a few accounts, the results, and what was stored afterwards.
struct Trace: Sendable {
    let name: String
    let accountsPerEmail: AuthPolicy.AccountsPerEmail
    /// Whether email enumeration protection is on; nil if the recording does not say.
    let isProtected: Bool?
    let steps: [Step]

    /// One operation.
    struct Step: Sendable {
        let operation: String
        let arguments: ClaimValue
        let expectation: [String: ClaimValue]
        let changes: [String: ClaimValue]

        /// A text argument; empty if the step has no argument of this name.
        subscript(name: String) -> String { arguments[name]?.stringValue ?? "" }
    }

    /// Why a line is not a trace.
    struct Malformed: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads one line of a trace file.
    init(line: some StringProtocol) throws(Malformed) {
        guard let value = ClaimValue(json: Array(line.utf8), sizeLimit: 1 << 24), let name = value["name"]?.stringValue
        else { throw Malformed(description: "not a JSON object with a name") }
        guard let config = value["config"], let steps = value["steps"]?.arrayValue else {
            throw Malformed(description: "\(name): no config or no steps")
        }
        self.name = name
        accountsPerEmail = config["oneAccountPerEmail"]?.boolValue ?? true ? .one : .multiple
        isProtected = config["emailEnumerationProtection"]?.boolValue
        var read: [Step] = []
        for (index, step) in steps.enumerated() {
            guard let operation = step["op"]?.stringValue, let expectation = step["expect"]?.objectValue else {
                throw Malformed(description: "\(name), step \(index + 1): no op or no expect")
            }
            read.append(
                Step(
                    operation: operation,
                    arguments: step,
                    expectation: expectation,
                    changes: step["changes"]?.objectValue ?? [:]
                )
            )
        }
        self.steps = read
    }
}
