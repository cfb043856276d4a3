/// The browser or app installation that requests come from, as one opaque text for a cookie or a keychain.
///
/// It is a random secret that the service makes: start without one, and keep what each answer hands out
/// (``AuthClient/device``, ``AuthResult/device``). A device becomes known to an account when a sign-in is complete or
/// a new password is set by mail, and gets a new secret then, so that a device that was planted in a browser before
/// never becomes known.
/// ``rawValue`` contains the current secret, to which codes and challenges are bound, and up to ten former ones, by
/// which accounts still know the device. What was bound to a former one before it was replaced can still be finished.
public struct DeviceID: Sendable, Hashable, Codable, RawRepresentable {
    /// The current secret, and the former ones, newest first.
    private(set) var secrets: [DeviceSecret]

    /// The most secrets of one device: the current one, and ten former ones.
    static let secretLimit = 11

    /// Reads a device that an answer of the service handed out; nil for any other text.
    public init?(rawValue: String) {
        guard rawValue.utf8.count <= 512 else { return nil }
        let parts = rawValue.split(separator: ".", omittingEmptySubsequences: false)
        let secrets = parts.compactMap { DeviceSecret(text: $0) }
        guard secrets.count == parts.count, secrets.count <= Self.secretLimit,
            secrets.first?.replacedAt == nil, secrets.dropFirst().allSatisfy({ $0.replacedAt != nil })
        else { return nil }
        self.secrets = secrets
    }

    /// Creates a device with a first secret of these bits.
    package init(bits: UInt128) { secrets = [DeviceSecret(id: DeviceSecret.ID(bits: bits))] }

    /// Returns the device with another secret, which replaces the current one now.
    func renewed(bits: UInt128, at now: Timestamp) -> DeviceID { DeviceID(bits: bits).keeping(self, at: now) }

    /// Returns the device with what another copy of it has besides, as former secrets.
    func keeping(_ copy: DeviceID, at now: Timestamp) -> DeviceID {
        let others = copy.secrets.filter { other in !secrets.contains { $0.id == other.id } }
        var device = self
        // What the copy still used is replaced only now.
        for index in secrets.indices where index > 0 && secrets[index].id == copy.secrets.first?.id {
            device.secrets[index].replacedAt = now
        }
        device.secrets.insert(
            contentsOf: others.map { DeviceSecret(id: $0.id, replacedAt: min($0.replacedAt ?? now, now)) },
            at: 1
        )
        device.secrets = Array(device.secrets.prefix(Self.secretLimit))
        return device
    }

    /// The text to keep in a cookie or a keychain; it is a secret of the device.
    public var rawValue: String { secrets.map(\.text).joined(separator: ".") }
}

extension DeviceID: Concealing {
    /// The type's name, without the secrets.
    public var description: String { "DeviceID" }
}

/// One secret of a device.
struct DeviceSecret: Sendable, Hashable {
    /// The secret bits.
    struct ID: RandomIdentifier {
        let words: IdentifierWords
    }

    let id: ID
    /// When it was replaced; nil for the current one.
    var replacedAt: Timestamp?
}

extension DeviceSecret {
    /// The 22 characters of the secret, then the time of its replacement.
    var text: String { id.text + (replacedAt.map { String($0.milliseconds, radix: 36) } ?? "") }

    init?(text: Substring) {
        guard let id = ID(String(text.prefix(22))) else { return nil }
        self.id = id
        let time = text.dropFirst(22)
        if time.isEmpty { return }
        guard let milliseconds = Int64(time, radix: 36) else { return nil }
        replacedAt = Timestamp(milliseconds: milliseconds)
    }
}

/// The hash of a device's secret, which is all that is stored of a device.
public struct DeviceKey: RandomIdentifier {
    /// The bits of the hash.
    public let words: IdentifierWords

    /// Creates the key with these bits.
    public init(words: IdentifierWords) { self.words = words }
}
