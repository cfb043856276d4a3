extension AuthService {
    /// Does what a server must do from time to time, until its task is cancelled.
    ///
    /// It resumes merges that stopped, and then, again and again, sends the messages that are due, publishes the events
    /// of other servers, and sweeps. A failing store does not end it; the next pass tries again.
    ///
    /// - Parameter interval: The time between two passes; every twelfth pass sweeps.
    /// - Throws: ``AuthErrorCode/missingSecretKey`` at once, if the store is durable and the service has no secret key.
    public func run(every interval: Duration = .seconds(5)) async throws(AuthError) {
        try requireSecretKey()
        _ = try? await resumeMerges()
        var passes = 0
        var swept: AccountID?
        while !Task.isCancelled {
            _ = try? await deliverPendingMessages()
            try? await drainEvents()
            if passes % 12 == 0, let report = try? await sweep(after: swept) { swept = report.lastAccount }
            passes += 1
            try? await Task.sleep(for: interval)
        }
    }
}
