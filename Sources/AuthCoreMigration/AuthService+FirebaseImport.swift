public import AuthCore

extension AuthService {
    /// Imports the users of Firebase's `auth:export` JSON, a file in pieces of any size; nothing is overwritten.
    ///
    /// It works like `importAccounts`: a user who exists already is not changed, and a user who cannot be imported does
    /// not stop the others, unless the options say so. The library cannot check Firebase's passwords: the accounts are
    /// created without one, unless ``ImportOptions/passwordHash`` converts it. The report lists the hashes of the
    /// others up to a limit; `onUnverifiablePassword` receives all of them.
    ///
    /// - Parameters:
    ///   - pieces: The file's bytes.
    ///   - options: What the import trusts, and how far it goes.
    ///   - onUnverifiablePassword: Called with each password that is not imported.
    ///   - progress: Called while the import goes on.
    /// - Returns: What was imported, and what was not.
    /// - Throws: `canceled`, `internalError` if the pieces cannot be read, or the store's error.
    public func importFirebaseExport<Pieces: AsyncSequence>(
        _ pieces: Pieces,
        options: ImportOptions = ImportOptions(),
        onUnverifiablePassword: (@Sendable (UnverifiablePassword) -> Void)? = nil,
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws(AuthError) -> ImportReport where Pieces.Element: Sequence<UInt8> {
        var run = ImportRun(self, options, progress: progress, onUnverifiablePassword: onUnverifiablePassword)
        var export = FirebaseExport()
        var iterator = pieces.makeAsyncIterator()
        do throws(AuthError) {
            while let piece = try await run.next(of: &iterator) {
                var bytes = ArraySlice(piece)
                while let user = export.nextUser(in: &bytes) {
                    if run.skips() { continue }
                    let entry = FirebaseReading.entry(user, options: options, into: self)
                    if try await !run.take(entry) { return run.finish(isComplete: false) }
                }
            }
        } catch {
            run.reportProgress()
            throw error
        }
        if !export.isComplete { run.noteIncompleteFile() }
        return run.finish(isComplete: export.isComplete)
    }

    /// Imports the users of Firebase's `auth:export` JSON, the whole file at once.
    ///
    /// ```swift
    /// var options = ImportOptions()
    /// options.issuers["oidc.example"] = "https://login.example.com"
    /// let report = try await service.importFirebaseExport(
    ///     file,
    ///     options: options,
    ///     onUnverifiablePassword: { password in print("sets a new password by mail:", password.account) }
    /// )
    /// for problem in report.problems { print(problem.line, problem.kind) }
    /// return report
    /// ```
    ///
    /// - Parameters:
    ///   - file: The file's bytes.
    ///   - options: What the import trusts, and how far it goes.
    ///   - onUnverifiablePassword: Called with each password that is not imported.
    ///   - progress: Called while the import goes on.
    /// - Returns: What was imported, and what was not.
    /// - Throws: `canceled`, or the store's error.
    public func importFirebaseExport(
        _ file: [UInt8],
        options: ImportOptions = ImportOptions(),
        onUnverifiablePassword: (@Sendable (UnverifiablePassword) -> Void)? = nil,
        progress: (@Sendable (ImportProgress) -> Void)? = nil
    ) async throws(AuthError) -> ImportReport {
        let whole = AsyncStream<[UInt8]> { pieces in
            pieces.yield(file)
            pieces.finish()
        }
        return try await importFirebaseExport(
            whole,
            options: options,
            onUnverifiablePassword: onUnverifiablePassword,
            progress: progress
        )
    }
}
