/// Keys that encrypt and authenticate bytes: the current one seals, and each of them can open.
///
/// The format is a version byte, a random nonce of 16 bytes, the encrypted bytes, and a tag of 32 bytes. Encryption
/// combines the bytes with HMAC-SHA-256 of nonce and counter; the tag is HMAC-SHA-256 of all that precedes it and of
/// the context. The two use different keys, both derived from the given key.
package struct SealingKeys: Sendable {
    /// The current keys, and then the former ones.
    private let keys: [Keys]

    private static let version: UInt8 = 1
    private static let nonceLength = 16
    private static let tagLength = 32

    /// Uses keys of 32 bytes, the current one first.
    package init(_ keys: [[UInt8]]) { self.keys = keys.map { Keys($0) } }

    /// Encrypts bytes and binds them to a context; sealing the same bytes twice gives different results.
    package func seal(_ plain: [UInt8], context: String) -> [UInt8] {
        let nonce = ArraySlice(randomBytes(Self.nonceLength))
        let encrypted = keys[0].combined(ArraySlice(plain), nonce: nonce)
        let tag = keys[0].tag(Self.message(nonce: nonce, context: context, encrypted: ArraySlice(encrypted)))
        return [Self.version] + nonce + encrypted + tag
    }

    /// Decrypts what was sealed under one of the keys in the same context; nil for anything else.
    package func open(_ sealed: [UInt8], context: String) -> [UInt8]? {
        guard let parts = Parts(sealed), let index = keyIndex(of: parts, context) else { return nil }
        return keys[index].combined(parts.encrypted, nonce: parts.nonce)
    }

    /// Returns whether the first key sealed this.
    package func isCurrent(_ sealed: [UInt8], context: String) -> Bool {
        Parts(sealed).map { keyIndex(of: $0, context) == 0 } ?? false
    }

    private struct Parts {
        let nonce: ArraySlice<UInt8>
        let encrypted: ArraySlice<UInt8>
        let tag: [UInt8]

        init?(_ sealed: [UInt8]) {
            guard sealed.count >= 1 + nonceLength + tagLength, sealed[0] == version else { return nil }
            nonce = sealed[1..<1 + nonceLength]
            encrypted = sealed[nonce.endIndex..<sealed.count - tagLength]
            tag = Array(sealed[encrypted.endIndex...])
        }
    }

    /// The index of the key that sealed this; nil if none did.
    private func keyIndex(of parts: Parts, _ context: String) -> Int? {
        let message = Self.message(nonce: parts.nonce, context: context, encrypted: parts.encrypted)
        return keys.firstIndex { equalInConstantTime($0.tag(message), parts.tag) }
    }

    /// The context's length precedes it: an attacker cannot move bytes between the context and the encrypted bytes.
    private static func message(nonce: ArraySlice<UInt8>, context: String, encrypted: ArraySlice<UInt8>) -> [UInt8] {
        let context = Array(context.utf8)
        var message: [UInt8] = [version]
        message += nonce
        message += bigEndianBytes(UInt64(context.count))
        message += context
        message += encrypted
        return message
    }
}

/// What is derived from one key: encryption and authentication never share one.
private struct Keys: Sendable {
    private let encryption: HMACSHA256
    private let authentication: HMACSHA256

    init(_ key: [UInt8]) {
        let derivation = HMACSHA256(key: key)
        encryption = HMACSHA256(key: derivation.authenticate(Array("AuthCore sealing 1: encryption".utf8)))
        authentication = HMACSHA256(key: derivation.authenticate(Array("AuthCore sealing 1: authentication".utf8)))
    }

    func tag(_ message: [UInt8]) -> [UInt8] { authentication.authenticate(message) }

    /// Encrypts or decrypts.
    func combined(_ bytes: ArraySlice<UInt8>, nonce: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var rest = bytes
        var counter: UInt64 = 0
        while !rest.isEmpty {
            let stream = encryption.authenticate(nonce + bigEndianBytes(counter))
            for (byte, mask) in zip(rest, stream) {
                result.append(byte ^ mask)
            }
            rest = rest.dropFirst(stream.count)
            counter += 1
        }
        return result
    }
}
