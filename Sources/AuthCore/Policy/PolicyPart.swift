/// A part of a policy that can be kept in a file: an object with exactly the members that `knobs` lists.
///
/// A member that is unknown or missing is an error, because a misspelled name would otherwise weaken a policy
/// unnoticed.
protocol PolicyPart: Codable {
    init()

    static var knobs: [Knob<Self>] { get }
}

extension PolicyPart {
    /// Reads every member; throws at one that is unknown, missing or out of its range.
    public init(from decoder: any Decoder) throws {
        self.init()
        let members = try decoder.container(keyedBy: Knob<Self>.Name.self)
        let names = Self.knobs.map(\.name)
        if let unknown = members.allKeys.first(where: { !names.contains($0) }) {
            throw members.error(unknown, "a policy has no such member")
        }
        for knob in Self.knobs { try knob.read(&self, members) }
    }

    /// Writes every member.
    public func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Knob<Self>.Name.self)
        for knob in Self.knobs { try knob.write(self, &members) }
    }
}

/// One member of a part of a policy: durations are numbers of seconds, and null stands for nil.
struct Knob<Part>: Sendable {
    struct Name: CodingKey, Hashable {
        let stringValue: String

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }

        var intValue: Int? { nil }
    }

    let name: Name
    let read: @Sendable (inout Part, KeyedDecodingContainer<Name>) throws -> Void
    let write: @Sendable (Part, inout KeyedEncodingContainer<Name>) throws -> Void

    /// A member that is kept in another form.
    private init<Value: Sendable, Stored: Codable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<Part, Value> & Sendable,
        stored: @escaping @Sendable (Value) -> Stored,
        value: @escaping @Sendable (Stored) throws(PolicyFault) -> Value
    ) {
        let name = Name(stringValue: name)
        self.name = name
        read = { part, members in
            let stored = try members.decode(Stored.self, forKey: name)
            do throws(PolicyFault) { part[keyPath: path] = try value(stored) } catch {
                throw members.error(name, error.text)
            }
        }
        write = { try $1.encode(stored($0[keyPath: path]), forKey: name) }
    }

    init<Value: Codable & Sendable>(_ name: String, _ path: any WritableKeyPath<Part, Value> & Sendable) {
        self.init(name, path, stored: { $0 }, value: { $0 })
    }

    init<Number: PolicyNumber>(_ name: String, _ path: any WritableKeyPath<Part, Number> & Sendable) {
        self.init(name, path, stored: { $0.policyNumber }, value: Number.init(policy:))
    }

    init<Number: PolicyNumber>(_ name: String, _ path: any WritableKeyPath<Part, Number?> & Sendable) {
        self.init(
            name,
            path,
            stored: { $0?.policyNumber },
            value: { (stored) throws(PolicyFault) in
                if let stored { try Number(policy: stored) } else { nil }
            }
        )
    }

    /// A set, in the order of its texts.
    init<Value: Codable & Hashable & Sendable>(
        _ name: String,
        _ path: any WritableKeyPath<Part, Set<Value>> & Sendable
    ) {
        self.init(name, path, stored: { $0.sorted { "\($0)" < "\($1)" } }, value: { Set($0) })
    }
}

/// What a policy writes as one number: a count or a duration.
protocol PolicyNumber: Codable, Sendable {
    init(policy number: Double) throws(PolicyFault)
    var policyNumber: Double { get }
}

/// Why a member of a policy cannot have a value.
struct PolicyFault: Error {
    let text: String
}

extension Int: PolicyNumber {
    init(policy number: Double) throws(PolicyFault) {
        guard (0...1e15).contains(number), let count = Int(exactly: number) else {
            throw PolicyFault(text: "a count is a whole number, from zero to 1e15")
        }
        self = count
    }

    var policyNumber: Double { Double(Swift.max(0, Swift.min(Int64(self), 1_000_000_000_000_000))) }
}

extension Duration: PolicyNumber {
    init(policy seconds: Double) throws(PolicyFault) {
        guard (0...2e13).contains(seconds) else {
            throw PolicyFault(text: "a duration is a number of seconds, from zero to 2e13")
        }
        self = Int64(exactly: seconds).map { .seconds($0) } ?? .seconds(seconds)
    }

    var policyNumber: Double {
        let (seconds, attoseconds) = countable.components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

extension KeyedDecodingContainer {
    fileprivate func error(_ key: Key, _ text: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: "\(key.stringValue): \(text)")
    }
}
