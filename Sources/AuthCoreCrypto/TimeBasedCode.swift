/// One-time codes that an authenticator app derives from a shared secret and the time (RFC 6238 over RFC 4226).
///
/// HMAC-SHA-1, six digits and 30 seconds: what every authenticator app supports.
package struct TimeBasedCode: Sendable, Hashable {
    static let digits = 6
    static let period = 30

    package init() {}

    /// The number of whole periods at a time in seconds since 1970; 0 for earlier times.
    package func step(at seconds: Int64) -> UInt64 {
        UInt64(max(0, seconds)) / UInt64(Self.period)
    }

    /// The code of one step.
    package func code(forStep step: UInt64, secret: [UInt8]) -> String {
        let digest = HMACSHA1.authenticate(bigEndianBytes(step), key: secret)
        let offset = Int(digest[digest.count - 1] & 0x0f)
        var number = digest[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        var letters = [UInt8](repeating: 0, count: Self.digits)
        for index in letters.indices.reversed() {
            letters[index] = UInt8(ascii: "0") + UInt8(number % 10)
            number /= 10
        }
        return String(decoding: letters, as: UTF8.self)
    }

    /// The step of a code, within `drift` steps of a time and later than the last one used; nil if there is none.
    ///
    /// Every candidate is computed and compared in full. If a code belongs to two steps, the later one is returned,
    /// since after recording the earlier one, the same code could be used again.
    package func matchingStep(
        for code: String,
        secret: [UInt8],
        at seconds: Int64,
        drift: Int,
        after lastUsedStep: UInt64?
    ) -> UInt64? {
        let presented = Array(code.utf8)
        let digit = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !secret.isEmpty, presented.count == Self.digits, presented.allSatisfy(digit.contains) else {
            return nil
        }
        let now = step(at: seconds)
        let reach = UInt64(min(max(0, drift), Self.greatestDrift))
        let earliest = now - min(now, reach)
        let latest = now + min(.max - now, reach)
        var match: UInt64?
        for step in earliest...latest {
            let isEqual = equalInConstantTime(presented, Array(self.code(forStep: step, secret: secret).utf8))
            let isFresh = lastUsedStep.map { step > $0 } ?? true
            if isEqual, isFresh { match = step }
        }
        return match
    }

    /// Each additional step makes guessing easier, so an excessive setting is limited.
    private static let greatestDrift = 20
}
