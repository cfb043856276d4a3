/// Measures one operation and its floor alternately, so that other work on the machine affects both.
struct Measurement {
    /// The nanoseconds that one batch of operations took.
    typealias Batch = () async throws -> Double

    let name: String
    let operations: Int
    /// The part of one operation that is only hashing, in nanoseconds.
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

    /// The median; 0 if there are no values.
    static func median(_ values: [Double]) -> Double {
        values.isEmpty ? 0 : values.sorted()[values.count / 2]
    }
}

/// How many nanoseconds the work took by the wall clock.
///
/// The clock's own `measure` is not used. It moves asynchronous work to another thread than the one that prepared it,
/// so the work would start with a cold cache and release memory that another thread had allocated. The floor is not
/// asynchronous and would not have this cost.
func elapsed(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    let time = start.duration(to: .now)
    return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
}

/// The same for synchronous work.
func elapsed(_ work: () throws -> Void) rethrows -> Double {
    let time = try ContinuousClock().measure(work)
    return Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9
}
