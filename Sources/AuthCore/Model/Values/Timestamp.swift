/// A moment in whole milliseconds, as stores save it.
///
/// It lies within a hundred million days of the start of 1970 in UTC, the range of dates in other languages. Arithmetic
/// stops at these limits instead of failing, so a lifetime can be arbitrarily long.
public struct Timestamp: Hashable, Sendable {
    /// Milliseconds since the start of 1970 in UTC.
    public let milliseconds: Int64

    /// The moment this many milliseconds after the start of 1970 in UTC, or the nearest limit.
    public init(milliseconds: Int64) { self.milliseconds = min(max(milliseconds, -Self.limit), Self.limit) }

    private static let limit: Int64 = 8_640_000_000_000_000

    /// The earliest moment.
    public static let distantPast = Timestamp(milliseconds: -limit)
    /// The latest moment.
    public static let distantFuture = Timestamp(milliseconds: limit)

    /// The moment this many seconds after the start of 1970 in UTC, or the nearest limit.
    public init(seconds: Int64) {
        let (milliseconds, isTooFar) = seconds.multipliedReportingOverflow(by: 1000)
        self.init(milliseconds: isTooFar ? (seconds < 0 ? .min : .max) : milliseconds)
    }

    /// Whole seconds since the start of 1970 in UTC, rounded down.
    public var seconds: Int64 { (milliseconds - (milliseconds % 1000 + 1000) % 1000) / 1000 }
}

extension Timestamp: Comparable {
    /// Whether the first moment is earlier.
    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }
}

extension Timestamp {
    /// Makes it a moment that is not later than this one.
    mutating func limit(to latest: Timestamp) { self = min(self, latest) }

    /// The moment later by this duration, to the nearest millisecond.
    public static func + (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds + duration.wholeMilliseconds)
    }

    /// The moment earlier by this duration, to the nearest millisecond.
    public static func - (moment: Timestamp, duration: Duration) -> Timestamp {
        Timestamp(milliseconds: moment.milliseconds - duration.wholeMilliseconds)
    }

    /// The duration between two moments; negative if the first is earlier.
    public static func - (later: Timestamp, earlier: Timestamp) -> Duration {
        .milliseconds(later.milliseconds - earlier.milliseconds)
    }
}

extension Duration {
    /// The nearest number of milliseconds, at most the duration between the limits of a timestamp.
    fileprivate var wholeMilliseconds: Int64 {
        // Not by the components, which cost two divisions: a link adds ten durations to a time.
        let (whole, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000)
        let nearest = whole + Int128(Int64(rest) / 500_000_000_000_000)
        return Int64(min(max(nearest, -17_280_000_000_000_000), 17_280_000_000_000_000))
    }

    /// The duration, at most that between the limits of a timestamp: the components of a much longer one do not fit.
    var countable: Duration {
        let longest = Duration.seconds(2 * 8_640_000_000_000 as Int64)
        return min(max(self, .zero - longest), longest)
    }
}

extension Timestamp: Codable {
    /// Reads milliseconds, and refuses values beyond the limits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let milliseconds = try container.decode(Int64.self)
        self.init(milliseconds: milliseconds)
        guard self.milliseconds == milliseconds else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "Too far from now")
        }
    }

    /// Writes milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}
