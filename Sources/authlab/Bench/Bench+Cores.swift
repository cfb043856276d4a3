internal import AuthCore
internal import Foundation

/// Measures how the throughput changes with more cores.
extension Bench {
    /// One task, two, four and so on, up to the number of cores.
    static var taskCounts: [Int] {
        let cores = max(2, ProcessInfo.processInfo.activeProcessorCount)
        return Array(sequence(first: 1) { $0 * 2 }.prefix { $0 < cores }) + [cores]
    }

    func signInsAtOnce(tasks: Int, seconds: Double) async throws -> CoreReport {
        var rates: [Double] = []
        var floors: [Double] = []
        let clock = ContinuousClock()
        let end = clock.now.advanced(by: .seconds(seconds))
        repeat {
            let lots = (0..<tasks).map { _ in draw(min(2000, people / 2)).map { verified(BenchPeople.google($0)) } }
            let total = Double(lots.reduce(0) { $0 + $1.count })
            let (users, time) = try await signIn(lots)
            try await signOut(users)
            rates.append(total / time * 1e9)
            let (sessions, bareTime) = await signInBare(lots)
            signOutBare(sessions)
            floors.append(total / bareTime * 1e9)
        } while clock.now < end || rates.count < 3
        return CoreReport(
            tasks: tasks,
            perSecond: Measurement.median(rates),
            floorPerSecond: Measurement.median(floors)
        )
    }

    private func signIn(_ lots: [[VerifiedCredential]]) async throws -> ([User], Double) {
        let client = client
        var users: [User] = []
        let time = try await elapsed {
            users = try await withThrowingTaskGroup(of: [User].self) { group in
                for lot in lots {
                    group.addTask {
                        var users: [User] = []
                        users.reserveCapacity(lot.count)
                        for credential in lot { users.append(try await client.signIn(with: credential).user) }
                        return users
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
        }
        return (users, time)
    }

    private func signInBare(_ lots: [[VerifiedCredential]]) async -> ([SessionID], Double) {
        let (bare, time) = (bare, clock)
        var sessions: [SessionID] = []
        let elapsed = await elapsed {
            sessions = await withTaskGroup(of: [SessionID].self) { group in
                for identities in lots.map({ $0.compactMap(\.identity) }) {
                    group.addTask {
                        var sessions: [SessionID] = []
                        sessions.reserveCapacity(identities.count)
                        for identity in identities {
                            let now = time.timestamp
                            let session = bare.locked { $0.signIn(identity, now) }
                            if let session { sessions.append(session) }
                        }
                        return sessions
                    }
                }
                return await group.reduce(into: []) { $0 += $1 }
            }
        }
        return (sessions, elapsed)
    }
}
