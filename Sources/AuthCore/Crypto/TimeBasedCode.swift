/// One-time codes that an authenticator app derives from a shared secret and the time (RFC 6238 over RFC 4226).
package struct TimeBasedCode: Sendable, Hashable {
    /// The hash function of the HMAC, with its name in authenticator apps.
    package enum Algorithm: String, Sendable {
        case sha1 = "SHA1"
        case sha256 = "SHA256"
    }

    /// How long a code is.
    package enum Digits: Int, Sendable {
        case six = 6
        case eight = 8
    }

    let algorithm: Algorithm
    let digits: Digits
    let period: Int

    /// The defaults are what every authenticator app supports; a period below one second is raised to one.
    package init(algorithm: Algorithm = .sha1, digits: Digits = .six, period: Int = 30) {
        self.algorithm = algorithm
        self.digits = digits
        self.period = max(1, period)
    }

    /// The number of whole periods since 1970; 0 for earlier times.
    package func step(at time: Timestamp) -> UInt64 {
        UInt64(max(0, time.seconds)) / UInt64(period)
    }

    /// The code of one step.
    package func code(forStep step: UInt64, secret: [UInt8]) -> String {
        let message = bigEndianBytes(step)
        let digest =
            switch algorithm {
            case .sha1: HMACSHA1.authenticate(message, key: secret)
            case .sha256: HMACSHA256(key: secret).authenticate(message)
            }
        let offset = Int(digest[digest.count - 1] & 0x0f)
        var number = digest[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        var letters = [UInt8](repeating: 0, count: digits.rawValue)
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
        at time: Timestamp,
        drift: Int,
        after lastUsedStep: UInt64?
    ) -> UInt64? {
        let presented = Array(code.utf8)
        let digit = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard !secret.isEmpty, presented.count == digits.rawValue, presented.allSatisfy(digit.contains) else {
            return nil
        }
        let now = step(at: time)
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
