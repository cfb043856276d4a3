#if PostgreSQL
/// When an answer is late: the server is asked to stop first, and if it does not answer even then, the connection is
/// given up.
struct Delay {
    private var deadline: ContinuousClock.Instant
    private var isAsked = false

    init(_ deadline: ContinuousClock.Instant) { self.deadline = deadline }

    /// Asks to stop, or gives up, if the deadline has passed.
    mutating func check(_ askToStop: () -> Void) throws(PostgresError) {
        if deadline > .now { return }
        if isAsked { throw PostgresError(.connectionLost, "The server did not answer in time.") }
        isAsked = true
        askToStop()
        deadline = deadline.advanced(by: .seconds(2))
    }
}
#endif
