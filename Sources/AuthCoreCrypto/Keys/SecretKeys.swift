/// The secret keys of a service, from which it derives one key for each purpose; they are never printed.
package struct SecretKeys: Sendable {
    /// All keys, the current one first.
    private let keys: [[UInt8]]
    /// Whether the current key was given, rather than made for the lifetime of the process, and is long enough.
    package let isExplicit: Bool

    package init(_ current: [UInt8], former: [[UInt8]] = [], isExplicit: Bool = true) {
        // An empty key protects nothing; a variable that was not set looks like one.
        keys = [current.isEmpty ? randomBytes(32) : current] + former.filter { !$0.isEmpty }
        self.isExplicit = isExplicit && current.count >= 32
    }

    /// Returns the bytes of the derived keys of this purpose, the current one first.
    package func derived(_ purpose: String) -> [[UInt8]] {
        keys.map { HMACSHA256(key: $0).authenticate(Array(purpose.utf8)) }
    }

    /// Returns the derived keys of this purpose.
    package func ring(_ purpose: String) -> KeyRing { KeyRing(keys: derived(purpose).map { HMACSHA256(key: $0) }) }
}

extension SecretKeys: CustomStringConvertible, CustomReflectable {
    package var description: String { "SecretKeys" }
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
