internal import AuthCore

/// What single calls wait for, and what a year of traffic leaves behind: `authlab bench --scale`.
struct ScaleReport: Sendable, Codable {
    /// One figure: what was measured, and how much.
    struct Line: Sendable, Codable {
        let name: String
        let value: Double
        let unit: String
    }

    let accounts: Int
    var lines: [Line] = []

    /// The report as a table.
    var table: String {
        let rows = lines.map { "  \($0.name): \(($0.value * 10).rounded() / 10) \($0.unit)" }
        return (["\(accounts) accounts, each with two identities and one session"] + rows).joined(separator: "\n")
    }

    mutating func add(_ name: String, _ times: [Double]) {
        let times = times.sorted()
        lines.append(Line(name: name + ", median", value: times[times.count / 2] / 1000, unit: "µs"))
        lines.append(Line(name: name + ", 999 of 1000", value: times[times.count * 999 / 1000] / 1000, unit: "µs"))
    }
}

extension Bench {
    /// Measures single calls in a store of this size: beside a sweep, at an address that strangers claim, paging, and
    /// ending sessions.
    func measureScale(accounts: Int) async throws -> ScaleReport {
        try await populate(accounts)
        var report = ScaleReport(accounts: people)
        let signIns = min(20_000, 10 * people)
        progress.begins("measuring known sign-ins")
        report.add("known sign-in", try await signInTimes(signIns))
        let records = people / 2
        progress.begins("making \(records) expired records")
        try await addExpiredRecords(records)
        progress.begins("measuring known sign-ins beside a sweep")
        let service = service
        let sweep = Task {
            let start = ContinuousClock.now
            while try await !service.sweep().isComplete {}
            return start.duration(to: .now)
        }
        report.add("known sign-in beside a sweep of \(records) records", try await signInTimes(signIns))
        progress.begins("waiting for the end of the sweep")
        let duration = try await sweep.value
        report.lines.append(ScaleReport.Line(name: "the sweep", value: duration / .milliseconds(1), unit: "ms"))
        progress.begins("measuring first sign-ins")
        report.add("first sign-in, address of no one", try await claimTimes("owner0@example.com", claimants: 0))
        let claimants = min(10_000, people)
        progress.begins("measuring first sign-ins with an address that \(claimants) claim")
        report.add(
            "first sign-in, address that \(claimants) claim",
            try await claimTimes("owner1@example.com", claimants: claimants)
        )
        progress.begins("measuring pages of accounts")
        report.add("page of 100 accounts, with new accounts between pages", try await pageTimes())
        let most = AuthPolicy.firebase.sessions.perAccount ?? 0
        progress.begins("measuring the end of \(most) sessions")
        report.add("ending the \(most) sessions of an account", try await endTimes(sessions: most))
        return report
    }

    private func signInTimes(_ count: Int) async throws -> [Double] {
        var times: [Double] = []
        for number in 0..<count {
            let credential = verified(BenchPeople.google(number * 7919 % people))
            times.append(try await elapsed { _ = try await client.signIn(with: credential) })
        }
        return times
    }

    private func addExpiredRecords(_ count: Int) async throws {
        for first in stride(from: 0, to: count, by: 500) {
            let operation = service.environment.newOperationID()
            var changes = ChangeSet(operation: operation, at: clock.timestamp)
            changes.records = (first..<min(first + 500, count)).map { _ in
                .put(
                    OneTimeRecord(
                        key: OneTimeRecordID(bits: service.environment.randomBits()),
                        account: nil,
                        createdAt: clock.timestamp,
                        expiresAt: clock.timestamp,
                        content: .usedAssertion
                    )
                )
            }
            _ = try await service.store.commit(changes)
        }
    }

    /// Ending all sessions of accounts that have so many.
    private func endTimes(sessions count: Int) async throws -> [Double] {
        var times: [Double] = []
        for _ in 0..<min(100, people) {
            let account = AccountID(bits: service.environment.randomBits())
            var begins = ChangeSet(operation: service.environment.newOperationID(), at: clock.timestamp)
            begins.sessions = (0..<count).map { _ in
                .put(
                    Session(
                        id: SessionID(bits: service.environment.randomBits()),
                        account: account,
                        sessionGeneration: 0,
                        basis: .anonymous,
                        at: clock.timestamp,
                        device: nil,
                        origin: nil,
                        deviceName: nil
                    )
                )
            }
            _ = try await service.store.commit(begins)
            var ends = ChangeSet(operation: service.environment.newOperationID(), at: clock.timestamp)
            ends.sessions = [.endAll(account, except: nil)]
            times.append(try await elapsed { _ = try await service.store.commit(ends) })
        }
        return times
    }

    /// First sign-ins of identities that have this address, after so many others.
    private func claimTimes(_ email: String, claimants: Int) async throws -> [Double] {
        func claim(_ number: Int) -> VerifiedCredential {
            var assertion = ProviderAssertion(provider: .gitHub, subject: "\(email)-\(number)")
            assertion.email = email
            return verified(assertion)
        }
        for number in 0..<claimants { _ = try await client.signIn(with: claim(number)) }
        var times: [Double] = []
        for number in claimants..<claimants + min(1000, people) {
            let credential = claim(number)
            times.append(try await elapsed { _ = try await client.signIn(with: credential) })
        }
        return times
    }

    private func pageTimes() async throws -> [Double] {
        var times: [Double] = []
        var last: AccountID?
        while times.count < 10_000 {
            if times.count % 10 == 0 { _ = try await client.signInAnonymously() }
            var page: [Account] = []
            times.append(try await elapsed { page = try await service.accounts(after: last, limit: 100) })
            guard let end = page.last else { break }
            last = end.id
        }
        return times
    }
}

extension Bench {
    /// Lives through a year of traffic in a small store, and reports the resident size at the end of each quarter.
    ///
    /// Every day people sign in, link and unlink, meet conflicts and leave guests behind, and the service sweeps.
    func measureYear(accounts: Int, days: Int = 364) async throws -> ScaleReport {
        try await populate(min(1000, accounts))
        var report = ScaleReport(accounts: people)
        for day in 1...days {
            progress.begins("living through day \(day) of \(days)")
            clock.advance(seconds: 86_400)
            for person in draw(people / 20) {
                let user = try await client.signIn(with: verified(BenchPeople.google(person))).user
                try await user.link(with: verified(BenchPeople.facebook(person, isEmailVerified: false)))
                try await user.unlink(.facebook)
                _ = try? await client.signIn(with: verified(BenchPeople.facebook(person, isEmailVerified: true)))
                _ = try await client.signInAnonymously()
            }
            while try await !service.sweep().isComplete {}
            if day % (days / 4) == 0, let size = residentSize() {
                let megabytes = Double(size) / 1_048_576
                report.lines.append(ScaleReport.Line(name: "resident after day \(day)", value: megabytes, unit: "MiB"))
            }
        }
        return report
    }
}
