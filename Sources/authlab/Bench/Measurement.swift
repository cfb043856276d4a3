/// Measures one operation and its floor in turns, so that whatever else the machine does meets both.
struct Measurement {
    /// The nanoseconds that one batch of operations took.
    typealias Batch = () async throws -> Double

    let name: String
    let operations: Int
    /// What of one operation is hashing alone, in nanoseconds.
    var hashing = 0.0
    let batch: Batch
    let floor: Batch

    /// Warms up, then takes the median of short rounds until the time is over.
    func run(seconds: Double) async throws -> OperationReport {
        _ = try await batch()
        _ = try await floor()
        var times: [Double] = []
        var floors: [Double] = []
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(seconds))
        repeat {
            times.append(try await batch() / Double(operations))
            floors.append(try await floor() / Double(operations))
        } while clock.now < end || times.count < 3
        let time = Self.median(times)
        let bare = Self.median(floors)
        return OperationReport(
            name: name,
            nanoseconds: time,
            floor: bare,
            ratio: Self.median(zip(times, floors).map { $0 / $1 }),
            hashing: hashing,
            ratioWithoutHashing: Self.median(zip(times, floors).map { ($0 - hashing) / $1 }),
            rounds: times.count
        )
    }

    /// The value in the middle; 0 of nothing.
    static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }
}

/// The nanoseconds by the wall clock that the work took.
///
/// Not by the clock's own `measure`, which takes asynchronous work to another thread than the one that prepared it: the
/// work would begin with a cold cache and give back what another thread had allocated, and the floor, which is not
/// asynchronous, would not.
func elapsed(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    let time = start.duration(to: .now)
    return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
}

/// The same for work that waits for nothing.
func elapsed(_ work: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(work)
    return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
}
