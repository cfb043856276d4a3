/// How much the process grew while these people were added, first to the service and then to the floor.
struct Growth {
    /// The number of people whose events fill the logs of both sides.
    static let fillsLogs = Bench.eventLimit / 2

    let people: Range<Int>
    /// In bytes; nil if the system does not report the size.
    let service: Int?
    let bare: Int?

    /// The sizes are those before, after the service's accounts, and after the floor's.
    init(from first: Int, to end: Int, sizes: [Int?]) {
        people = first..<end
        let known = sizes.compactMap { $0 }
        service = known.count == 3 ? known[1] - known[0] : nil
        bare = known.count == 3 ? known[2] - known[1] : nil
    }

    /// Whether the logs were full before, so that they did not grow.
    var areLogsFull: Bool { people.lowerBound >= Self.fillsLogs }
}

extension [Growth] {
    /// The bytes of one account; nil if there are none, or if the system does not report the size.
    func bytesPerAccount(_ side: KeyPath<Growth, Int?>) -> Double? {
        let sizes = compactMap { $0[keyPath: side] }
        let accounts = reduce(0) { $0 + $1.people.count }
        return sizes.count == count && accounts > 0 ? Double(sizes.reduce(0, +)) / Double(accounts) : nil
    }
}
