/// Keys of one purpose: the first makes new values, and all of them can verify existing ones.
package struct KeyRing: Sendable {
    /// All keys, the current one first.
    package let keys: [HMACSHA256]

    package init(keys: [HMACSHA256]) { self.keys = keys }

    /// The key of new values.
    package var current: HMACSHA256 { keys[0] }

    /// Returns the tag of the bytes under the current key.
    package func authenticate(_ bytes: [UInt8]) -> [UInt8] { current.authenticate(bytes) }

    /// Returns whether one of the keys made this tag of the bytes.
    package func isValid(_ tag: [UInt8], of bytes: [UInt8]) -> Bool {
        keys.contains { equalInConstantTime(tag, $0.authenticate(bytes)) }
    }
}

/// Tags that name their key, so that one of a lost key is not taken for a wrong one.
extension KeyRing {
    /// Returns the tag of the bytes under the current key, after the name of the key.
    package func namedTag(of bytes: [UInt8]) -> [UInt8] { current.name + current.authenticate(bytes) }

    /// Returns the tags of the bytes under all keys, each after the name of its key.
    package func namedTags(of bytes: [UInt8]) -> [[UInt8]] { keys.map { $0.name + $0.authenticate(bytes) } }

    /// Returns whether the ring has the key that a tag names.
    package func hasKey(of tag: [UInt8]) -> Bool { keys.contains { tag.starts(with: $0.name) } }
}

extension HMACSHA256 {
    /// Four bytes by which the key is recognized, and which tell nothing else of it.
    fileprivate var name: [UInt8] { Array(authenticate(Array("AuthCore key name".utf8)).prefix(4)) }
}
