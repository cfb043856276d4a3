import AuthCore

/// An import on its way: takes one entry after the other and keeps the report.
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

    /// Whether the next line is to be read; it counts as done, if it is not.
    mutating func skips() -> Bool {
        guard report.lines + 1 < options.startAtLine else { return false }
        finishLine()
        return true
    }

    /// Writes what a line brings, and tells whether to go on.
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

    /// Closes the report.
    mutating func finish(isComplete: Bool) -> ImportReport {
        report.isComplete = isComplete
        tellProgress()
        return report
    }

    /// Notes that the file went no further than what was read.
    mutating func noteIncompleteFile() { fail(.incompleteFile, nil) }

    func tellProgress() { progress?(ImportProgress(report)) }

    private mutating func bring(_ imported: ImportedAccount) async throws(AuthError) {
        let account = imported.account
        let outcome = try await service.bring(
            account,
            lastSignIn: imported.lastSignIn,
            trustedForJoin: options.trustedForJoin
        )
        switch outcome {
        case .created: report.created += 1
        case .alreadyThere: report.alreadyThere += 1
        case .conflict(let key, let owner): return fail(.conflict(key, owner: owner), account.id)
        case .unsound(let part): return fail(.unsound(part), account.id)
        }
        // Told of accounts that were there, too: an import that is run again must not know less than the first.
        for part in imported.leftOut { list(.leftOut(part), account.id) }
        if let password = imported.password { list(password) }
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
        if report.lines % max(1, options.progressInterval) == 0 { tellProgress() }
    }
}

extension ImportRun {
    /// The next element of what is imported; an import that cannot read on says how far it came.
    func next<Iterator: AsyncIteratorProtocol>(
        of iterator: inout Iterator
    ) async throws(AuthError) -> Iterator.Element? {
        do {
            if Task.isCancelled { throw CancellationError() }
            return try await iterator.next(isolation: #isolation)
        } catch is CancellationError {
            throw AuthError(.cancelled, cause: CancellationError())
        } catch {
            throw AuthError(
                .internalError,
                message: "What is to be imported could not be read after line \(report.lines).",
                cause: error
            )
        }
    }
}
