public import AuthCore

extension AuthService {
    /// Imports accounts from lines of `exportAccounts`; nothing that exists already is overwritten.
    ///
    /// What the lines say was verified reserves addresses, but links nothing by itself unless the options vouch for it.
    /// A password that cannot be checked here, or only at an excessive cost, is not imported; the report lists its hash
    /// up to a limit, and `onUnverifiablePassword` receives all of them. A password that was left out stays out: set
    /// the service's hasher before the first import.
    ///
    /// Each account is a separate commit, and a line that fails does not stop the others. Only a store that fails,
    /// lines that cannot be read, and a canceled task end the import with an error; the same import can then be run
    /// again, and skips the accounts that exist.
    ///
    /// ```swift
    /// return try await new.importAccounts(file) { progress in print(progress.lines, "lines are done") }
    /// ```
    ///
    /// - Parameters:
    ///   - lines: The lines, in any format up to the current one.
    ///   - options: What the import trusts, and how far it goes.
    ///   - progress: Called while the import goes on.
    ///   - onUnverifiablePassword: Called with each password that is not imported.
    /// - Returns: What was imported, and what was not.
    /// - Throws: `canceled`, `internalError` if the lines cannot be read, or the store's error.
    public func importAccounts<Lines: AsyncSequence>(
        _ lines: Lines,
        options: ImportOptions = ImportOptions(),
        progress: (@Sendable (ImportProgress) -> Void)? = nil,
        onUnverifiablePassword: (@Sendable (UnverifiablePassword) -> Void)? = nil
    ) async throws(AuthError) -> ImportReport where Lines.Element == String {
        var run = ImportRun(self, options, progress: progress, onUnverifiablePassword: onUnverifiablePassword)
        var iterator = lines.makeAsyncIterator()
        do throws(AuthError) {
            while let line = try await run.next(of: &iterator) {
                if run.skips() { continue }
                // Some editors begin a file with a mark of its byte order.
                let line = line.first == "\u{FEFF}" ? String(line.dropFirst()) : line
                let isEmpty = line.utf8.allSatisfy { [0x20, 0x0D, 0x09].contains($0) }
                let entry = isEmpty ? nil : ImportEntry(line: line, for: self)
                if try await !run.take(entry) { return run.finish(isComplete: false) }
            }
        } catch {
            run.reportProgress()
            throw error
        }
        return run.finish(isComplete: true)
    }
}
