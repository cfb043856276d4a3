import AuthCore

/// Clauses about counts that outlast the times which their allowance names.
extension AttemptClause {
    static let times = [
        AttemptClause(name: "a count is halved in its halving time, and not forgotten", check: halvesCounts),
        AttemptClause(
            name: "consecutive failures count together however far apart they are",
            check: countsFailuresFarApart
        ),
    ]

    private static func halvesCounts(_ probe: inout AttemptProbe) async throws {
        let start = probe.now
        let allowance = Store.Allowance.waits(
            free: 8,
            first: .seconds(300),
            longest: .seconds(300),
            halving: .seconds(1000)
        )
        let takes = (0..<2 as Range<UInt64>).map { Store.Take(.init(purpose: .password, hash: $0), allowance) }
        for take in takes {
            for _ in 0..<8 { try await fail(take, &probe) }
        }
        for (take, halvings, left) in [(takes[0], 1, 4), (takes[1], 3, 1)] {
            // A second more than the halvings, which changes no whole number.
            probe.now = start + .seconds(Double(1000 * halvings + 1))
            for _ in left..<8 { try await fail(take, &probe) }
            try await probe.expect(
                [take],
                give: [refused(probe, in: 300)],
                "a key with \(left) of 8 failures left, and \(8 - left) more"
            )
        }
    }

    private static func countsFailuresFarApart(_ probe: inout AttemptProbe) async throws {
        // A little longer than the pause, and longer than a year.
        for (hash, seconds) in [(1, 100), (2, 400 * 86_400)] as [(UInt64, Double)] {
            let take = Store.Take(.init(purpose: .number, hash: hash), .consecutive(2, then: .seconds(60)))
            try await fail(take, &probe)
            probe.now = probe.now + .seconds(seconds)
            try await fail(take, &probe)
            try await probe.expect([take], give: [refused(probe, in: 60)], "two failures that are \(seconds) s apart")
        }
    }
}
