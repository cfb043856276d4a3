public import AuthCore

extension AuthService {
    /// Brings in accounts from lines that `exportAccounts` gave; nothing that is there already is overwritten.
    ///
    /// Each account is a commit of its own, and a line that brings none does not stop the others. Only a store that fails,
    /// lines that cannot be read on, and a cancelled task end the import with an error; the same import can then be run
    /// again, and passes over what is there.
    public func importAccounts<Lines: AsyncSequence>(
        _ lines: Lines,
        options: ImportOptions = ImportOptions(),
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws(AuthError) -> ImportReport where Lines.Element == String {
        var run = ImportRun(self, options, progress: progress)
        var iterator = lines.makeAsyncIterator()
        do throws(AuthError) {
            while let line = try await run.next(of: &iterator) {
                if run.skips() { continue }
                let isEmpty = line.utf8.allSatisfy { $0 == 0x20 || $0 == 0x0D }
                if try await !run.take(isEmpty ? nil : ImportEntry(line: line)) { return run.finish(isComplete: false) }
            }
        } catch {
            run.tellProgress()
            throw error
        }
        return run.finish(isComplete: true)
    }
}
