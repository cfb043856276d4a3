import Foundation

/// Which of the faults is active, and which have been passed; all that the sources of the copy know of them.
package enum Mutants {
    // Neither is guarded, since a lock at every condition would take longer than the rest: the active fault
    // changes only between tests, and of the passed places nothing is ever written but true while a test runs.

    /// The number of the active fault; 0 for none.
    nonisolated(unsafe) package static var active = Int(ProcessInfo.processInfo.environment["MUTANT"] ?? "") ?? 0

    /// How many faults there can be.
    package static let limit = 10_000

    /// Whether the place of each fault has been passed.
    nonisolated(unsafe) package static let passed = {
        let places = UnsafeMutableBufferPointer<Bool>.allocate(capacity: limit)
        places.initialize(repeating: false)
        return places
    }()

    /// Forgets what has been passed.
    package static func forget() { passed.update(repeating: false) }

    package static func isActive(_ number: Int) -> Bool {
        passed[number] = true
        return active == number
    }
}
