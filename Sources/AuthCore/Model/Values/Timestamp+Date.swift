public import AuthCoreFoundation

extension Timestamp {
    /// Creates a timestamp from a date, to the nearest millisecond; not-a-number becomes the earliest moment.
    public init(_ date: Date) {
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        if let whole = Int64(exactly: milliseconds) {
            self.init(milliseconds: whole)
        } else {
            self = milliseconds > 0 ? .distantFuture : .distantPast
        }
    }

    /// The date of this moment.
    public var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
