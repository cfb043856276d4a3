import AuthCore
import AuthCoreTesting
import Foundation

@testable import StoreInvariants

/// The races of the rules' tests, which several processes run at once on one database for the same people.
///
/// Each begins with what the others have left, so that nothing can be said of its outcome but that the invariants hold.
enum SharedRaces {
    private static let programs = (RaceProgram.accounts + RaceProgram.sessions).filter { $0.policy.lastMethod == .kept }
    private static let people = ["ann", "ben", "new"].compactMap { EmailAddress("\($0)@example.com") }

    /// As the standard policy, but that who is deleted is gone at once.
    private static let policy = {
        var policy = AuthPolicy.standard
        policy.deletionGrace = nil
        return policy
    }()

    /// Goes on until the process ends; a race that has been run is told by its number.
    static func run(on store: some IdentityStore, as name: String) async {
        var generator = SeededGenerator(seed: name.utf8.reduce(11) { $0 &* 31 &+ UInt64($1) })
        while true {
            let number = Int.random(in: 0..<programs.count, using: &generator)
            // Not with the random numbers of a manual environment, since all processes would draw the same.
            let clock = ManualClock(Date())
            let environment = AuthEnvironment(clock: { clock.now })
            let stage = RaceStage(policy, Schedule(), on: store, clock, environment)
            do {
                for person in people {
                    for account in try await store.load([.referencing(person)]).accounts(referencing: person) {
                        try await stage.service.deleteAccount(account.id)
                    }
                }
                let acts = try await programs[number].stage(stage).acts
                await withTaskGroup(of: Void.self) { group in
                    for act in acts { group.addTask { try? await act() } }
                }
                StoreProcess.report("race \(number)")
            } catch {
                // Another process was there first, or the server was away; most races need somebody who is new.
                StoreProcess.report("failed to begin a race")
                try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<100, using: &generator)))
            }
        }
    }
}
