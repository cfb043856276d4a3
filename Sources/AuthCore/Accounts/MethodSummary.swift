/// A method as events and plans show it: everything that identifies it, and nothing secret.
public struct MethodSummary: Sendable {
    // In the order that leaves no gaps, and with what the account itself holds, since the log has many of them.

    /// When it was added.
    public let addedAt: Timestamp
    /// The identity or number; nil for a method that has no name of its own, and may hold a secret.
    private let named: Method.Kind?
    /// Which secret or subject it is.
    public let generation: UInt32
    /// What kind of method it is.
    public let kind: MethodKind
    /// Whether it was suspended.
    public let isSuspended: Bool

    package init(_ method: Method) {
        kind = method.kind.methodKind
        named = method.kind.isNamed ? method.kind : nil
        addedAt = method.addedAt
        generation = method.generation
        isSuspended = !method.isActive
    }
}

extension Method.Kind {
    /// Whether it says who somebody is, rather than what they know.
    fileprivate var isNamed: Bool {
        switch self {
        case .password, .emailLink: false
        case .phone, .federated: true
        }
    }
}

extension MethodSummary {
    /// The identity's key, for a federated method.
    public var identity: IdentityKey? {
        guard case .federated(let identity)? = named else { return nil }
        return identity.key
    }

    /// The provider under which it is listed.
    public var provider: ProviderID { named?.provider ?? .password }

    /// The number, for a phone method.
    public var phoneNumber: PhoneNumber? {
        guard case .phone(let number)? = named else { return nil }
        return number
    }
}

// Two summaries are equal if they say the same, whatever else their accounts hold.
extension MethodSummary: Hashable {
    /// Whether both say the same.
    public static func == (left: MethodSummary, right: MethodSummary) -> Bool {
        left.generation == right.generation && left.kind == right.kind && left.isSuspended == right.isSuspended
            && left.addedAt == right.addedAt && left.identity == right.identity && left.provider == right.provider
            && left.phoneNumber == right.phoneNumber
    }

    /// Feeds what identifies it to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(generation)
        hasher.combine(identity)
    }
}

// Written out, since a record has the names themselves.
extension MethodSummary: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, provider, identity, phoneNumber, addedAt, generation, isSuspended
    }

    /// Reads a summary field by field.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        kind = try fields.decode(MethodKind.self, forKey: .kind)
        let provider = try fields.decode(ProviderID.self, forKey: .provider)
        if let key = try fields.decodeIfPresent(IdentityKey.self, forKey: .identity) {
            named = .federated(Identity(key: key, provider: provider))
        } else {
            named = try fields.decodeIfPresent(PhoneNumber.self, forKey: .phoneNumber).map { .phone($0) }
        }
        addedAt = try fields.decode(Timestamp.self, forKey: .addedAt)
        generation = try fields.decode(UInt32.self, forKey: .generation)
        isSuspended = try fields.decode(Bool.self, forKey: .isSuspended)
    }

    /// Writes the summary field by field.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encode(kind, forKey: .kind)
        try fields.encode(provider, forKey: .provider)
        try fields.encodeIfPresent(identity, forKey: .identity)
        try fields.encodeIfPresent(phoneNumber, forKey: .phoneNumber)
        try fields.encode(addedAt, forKey: .addedAt)
        try fields.encode(generation, forKey: .generation)
        try fields.encode(isSuspended, forKey: .isSuspended)
    }
}

/// The methods of an account before and after a change, in one array.
package struct MethodsChange: Sendable, Hashable {
    private let summaries: [MethodSummary]
    private let countBefore: Int

    package init(before: [MethodSummary], after: [MethodSummary]) {
        summaries = before + after
        countBefore = before.count
    }

    package init(from old: [Method], to new: [Method]) {
        var summaries: [MethodSummary] = []
        summaries.reserveCapacity(old.count + new.count)
        for method in old { summaries.append(MethodSummary(method)) }
        for method in new { summaries.append(MethodSummary(method)) }
        self.summaries = summaries
        countBefore = old.count
    }

    var before: [MethodSummary] { Array(summaries[..<countBefore]) }

    var after: [MethodSummary] { Array(summaries[countBefore...]) }

    /// Whether both sides say the same.
    var isEmpty: Bool { summaries[..<countBefore] == summaries[countBefore...] }
}
