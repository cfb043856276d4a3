import AuthCoreCrypto

/// Keys of one purpose: the first makes new values, and all of them can verify existing ones.
struct KeyRing: Sendable {
    /// All keys, the current one first.
    let keys: [HMACSHA256]

    /// The key of new values.
    var current: HMACSHA256 { keys[0] }

    /// Returns the tag of the bytes under the current key.
    func authenticate(_ bytes: [UInt8]) -> [UInt8] { current.authenticate(bytes) }

    /// Returns whether one of the keys made this tag of the bytes.
    func isValid(_ tag: [UInt8], of bytes: [UInt8]) -> Bool {
        keys.contains { equalInConstantTime(tag, $0.authenticate(bytes)) }
    }
}

/// Tags that name their key, so that one of a lost key is not taken for a wrong one.
extension KeyRing {
    /// Returns the tag of the bytes under the current key, after the name of the key.
    func namedTag(of bytes: [UInt8]) -> [UInt8] { current.name + current.authenticate(bytes) }

    /// Returns the tags of the bytes under all keys, each after the name of its key.
    func namedTags(of bytes: [UInt8]) -> [[UInt8]] { keys.map { $0.name + $0.authenticate(bytes) } }

    /// Returns whether the ring has the key that a tag names.
    func hasKey(of tag: [UInt8]) -> Bool { keys.contains { tag.starts(with: $0.name) } }
}

extension HMACSHA256 {
    /// Four bytes by which the key is recognized, and which tell nothing else of it.
    fileprivate var name: [UInt8] { Array(authenticate(Array("AuthCore key name".utf8)).prefix(4)) }
}

/// The secret keys of a service, from which it derives one key for each purpose; they are never printed.
struct SecretKeys: Sendable, Concealing {
    /// All keys, the current one first.
    private let keys: [[UInt8]]
    /// Whether the current key was given, rather than made for the lifetime of the process, and is long enough.
    let isExplicit: Bool

    /// How many bytes a key has at least.
    private static let length = 32

    init(_ current: [UInt8], former: [[UInt8]] = [], isExplicit: Bool = true) {
        // A former key that is too short is left out: no durable store was ever used with one, so nothing that is still
        // stored was sealed by it.
        keys = [current.isEmpty ? randomBytes(32) : current] + former.filter { $0.count >= Self.length }
        self.isExplicit = isExplicit && current.count >= Self.length
    }

    /// Returns the bytes of the derived keys of this purpose, the current one first.
    func derived(_ purpose: String) -> [[UInt8]] { keys.map { HMACSHA256(key: $0).authenticate(Array(purpose.utf8)) } }

    /// Returns the derived keys of this purpose.
    func ring(_ purpose: String) -> KeyRing { KeyRing(keys: derived(purpose).map { HMACSHA256(key: $0) }) }

    var description: String { "SecretKeys" }
}
