public import Foundation

/// A point in time, to the nanosecond.
public final class Timestamp: NSObject, NSCopying, Codable, Sendable {
    /// The seconds since 1970.
    public let seconds: Int64
    /// The nanoseconds after that second.
    public let nanoseconds: Int32

    /// A point in time.
    public init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// A point in time, to the microsecond or so that a date has.
    public convenience init(date: Date) {
        let whole = date.timeIntervalSince1970.rounded(.down)
        let rest = (date.timeIntervalSince1970 - whole) * 1_000_000_000
        self.init(seconds: Int64(whole), nanoseconds: Int32(min(rest, 999_999_999)))
    }

    /// The time now.
    public convenience override init() { self.init(date: Date()) }

    /// The date.
    public func dateValue() -> Date {
        Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
    }

    /// Whether this is before, at or after the other.
    public func compare(_ other: Timestamp) -> ComparisonResult {
        let (own, others) = ((seconds, nanoseconds), (other.seconds, other.nanoseconds))
        return own < others ? .orderedAscending : own == others ? .orderedSame : .orderedDescending
    }

    /// Whether both are the same point in time.
    public override func isEqual(_ object: Any?) -> Bool {
        (object as? Timestamp).map { compare($0) == .orderedSame } ?? false
    }

    /// A hash of both numbers.
    public override var hash: Int {
        var hasher = Hasher()
        hasher.combine(seconds)
        hasher.combine(nanoseconds)
        return hasher.finalize()
    }

    /// Itself: it is immutable.
    public func copy(with zone: NSZone? = nil) -> Any { self }
}
