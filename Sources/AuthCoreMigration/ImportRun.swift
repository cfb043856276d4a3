import AuthCore

/// A running import: imports one entry after another and keeps the report.
struct ImportRun {
    let service: AuthService
    let options: ImportOptions
    let progress: (@Sendable (ImportProgress) -> Void)?
    let onUnverifiablePassword: (@Sendable (UnverifiablePassword) -> Void)?
    private(set) var report = ImportReport()

    init(
        _ service: AuthService,
        _ options: ImportOptions,
        progress: (@Sendable (ImportProgress) -> Void)?,
        onUnverifiablePassword: (@Sendable (UnverifiablePassword) -> Void)? = nil
    ) {
        self.service = service
        self.options = options
        self.progress = progress
        self.onUnverifiablePassword = onUnverifiablePassword
    }

    /// Returns whether to skip the next line, which then counts as finished.
    mutating func skips() -> Bool {
        guard report.lines + 1 < options.startAtLine else { return false }
        finishLine()
        return true
    }

    /// Imports the entry of a line, and returns whether to continue.
    mutating func take(_ entry: ImportEntry?) async throws(AuthError) -> Bool {
        let failures = report.failed
        switch entry {
        case .account(let imported): try await bring(imported)
        case .problem(let kind, let account): fail(kind, account)
        case nil: break
        }
        finishLine()
        return !options.stopsAtFirstProblem || report.failed == failures
    }

    /// Completes the report.
    mutating func finish(isComplete: Bool) -> ImportReport {
        report.isComplete = isComplete
        reportProgress()
        return report
    }

    /// Records that the file ended too early.
    mutating func noteIncompleteFile() { fail(.incompleteFile, nil) }

    func reportProgress() { progress?(ImportProgress(report)) }

    private mutating func bring(_ imported: ImportedAccount) async throws(AuthError) {
        let account = imported.account
        if let part = account.unsoundPart { return fail(.unsound(part), account.id) }
        if account.isOnlyProvisional { return fail(.provisional, account.id) }
        let password =
            imported.password
            ?? service.uncheckablePassword(of: account).map {
                UnverifiablePassword(account: account.id, hash: $0.tagged, salt: nil)
            }
        let outcome = try await service.bring(
            account,
            lastSignIn: imported.lastSignIn,
            trustedForJoin: options.trustedForJoin
        )
        switch outcome {
        case .created: report.created += 1
        case .existing: report.existing += 1
        case .conflict(let key, let owner): return fail(.conflict(key, owner: owner), account.id)
        }
        // Listed for existing accounts, too: a repeated import must not report less than the first one.
        for part in imported.leftOut { list(.leftOut(part), account.id) }
        if service.usesNumberTwice(account) { list(.leftOut("phoneNumber"), account.id) }
        if account.isProvisional { list(.leftOut("password"), account.id) }
        if let password { list(password) }
    }

    private mutating func fail(_ kind: ImportProblem.Kind, _ account: AccountID?) {
        report.failed += 1
        list(kind, account)
    }

    private mutating func list(_ kind: ImportProblem.Kind, _ account: AccountID?) {
        report.problemCount += 1
        guard report.problems.count < options.reportLimit else { return }
        report.problems.append(ImportProblem(line: report.lines + 1, account: account, kind: kind))
    }

    private mutating func list(_ password: UnverifiablePassword) {
        report.unverifiablePasswordCount += 1
        onUnverifiablePassword?(password)
        guard report.unverifiablePasswords.count < options.reportLimit else { return }
        report.unverifiablePasswords.append(password)
    }

    private mutating func finishLine() {
        report.lines += 1
        if report.lines % max(1, options.progressInterval) == 0 { reportProgress() }
    }
}

extension Account {
    /// Whether nothing but a provisional password signs in to the account.
    fileprivate var isOnlyProvisional: Bool {
        isProvisional && !acceptsCustomTokens && methods.allSatisfy { $0.kind.methodKind == .password }
    }
}

extension ImportRun {
    /// Returns the next element of the input; if reading fails, the error says how far the import came.
    func next<Iterator: AsyncIteratorProtocol>(
        of iterator: inout Iterator
    ) async throws(AuthError) -> Iterator.Element? {
        do {
            if Task.isCancelled { throw CancellationError() }
            let element = try await iterator.next(isolation: #isolation)
            // A stream that waits ends when its reader is canceled, as if there were no more.
            if element == nil, Task.isCancelled { throw CancellationError() }
            return element
        } catch is CancellationError {
            throw AuthError(.canceled, cause: CancellationError())
        } catch {
            throw AuthError(
                .internalError,
                message: "What is to be imported could not be read after line \(report.lines).",
                cause: error
            )
        }
    }
}
