internal import Synchronization

extension Mutex where Value: Sendable {
    /// Changes a value that holds objects of the app.
    ///
    /// What the change removes is released after the lock, since the app's code that then runs, such as a `deinit`, may
    /// need the same lock.
    func change<Outcome: Sendable>(_ work: (inout Value) -> Outcome) -> Outcome {
        let (outcome, before) = withLock { value in
            let before = value
            return (work(&value), before)
        }
        return withExtendedLifetime(before) { outcome }
    }
}
