/// A moment or none.
struct OptionalMoment: Sendable, Hashable {
    let date: Timestamp?

    init(_ date: Timestamp?) { self.date = date }
}
