#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A date or none, in the eight bytes of a date; an optional one takes nine, and rounds up to sixteen.
struct OptionalMoment: Sendable {
    /// Seconds since the reference date; not a number for none.
    private let seconds: Double

    init(_ date: Date?) { seconds = date?.timeIntervalSinceReferenceDate ?? .nan }

    var date: Date? { seconds.isNaN ? nil : Date(timeIntervalSinceReferenceDate: seconds) }
}

// By their dates, since what is not a number equals nothing, not even itself.
extension OptionalMoment: Hashable {
    static func == (left: OptionalMoment, right: OptionalMoment) -> Bool { left.date == right.date }

    func hash(into hasher: inout Hasher) { hasher.combine(date) }
}
