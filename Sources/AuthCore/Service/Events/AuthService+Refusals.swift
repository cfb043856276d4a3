extension AuthService {
    /// Returns what this service refused, newest first; it keeps ``AuthConfiguration/keptRefusals`` of them in memory.
    ///
    /// - Parameter limit: How many refusals at most.
    /// - Returns: The refusals; none of an earlier process.
    public func refusals(limit: Int = 100) -> [AuditEntry] { refusalLog.newest(limit) }

    /// Returns a stream of what this service refuses from now on.
    ///
    /// A subscriber that falls behind by more than ``AuthConfiguration/keptRefusals`` receives how many it lost. The
    /// stream ends when the task that reads it is canceled, or with the service; each call makes a stream for one
    /// loop.
    public func refusalStream() -> some AsyncSequence<AuditEntry.Update, Never> & Sendable { refusalLog.subscribe() }

    /// Records a refusal, and returns it; a failure or a cancellation is not recorded.
    @discardableResult
    func audit(
        _ error: AuthError,
        of operation: String,
        _ context: RequestContext,
        account: AccountID? = nil,
        recipient: String? = nil
    ) -> AuthError {
        guard error.code.isRefusal else { return error }
        let mailbox = recipient.flatMap { EmailAddress($0) }.map { policy.keyRule.spelling(of: $0).text }
        refusalLog.record(
            AuditEntry(
                at: environment.now,
                operation: AuditEntry.Operation(named: operation),
                code: error.code,
                reason: error.reason,
                trail: error.trail,
                account: account,
                recipient: (mailbox ?? recipient).map { keyedHash([$0]) },
                device: context.device?.key,
                origin: context.origin.address?.bounded,
                deviceName: context.deviceName?.bounded
            )
        )
        return error
    }

    /// Records the refusal of a rule, and returns it.
    @discardableResult
    func audit<O: Operation>(_ refusal: Refusal, of operation: O, on snapshot: Snapshot, _ context: RequestContext)
        -> AuthError
    {
        audit(
            AuthError(refusal),
            of: "\(O.self)",
            context,
            account: snapshot.firstNamed { _ in true }?.id,
            recipient: snapshot.asked.lazy.compactMap(\.recipient).first
        )
    }

    /// Refuses texts that exceed the length limit, before anything is read.
    func checkBounds(
        of texts: [String?] = [],
        in operation: @autoclosure () -> String,
        _ context: RequestContext,
        account: AccountID? = nil
    ) throws(AuthError) {
        if context.isBounded, texts.allSatisfy({ $0?.isBounded ?? true }) { return }
        throw audit(AuthError(.textTooLong, reasons: [.textIsTooLong]), of: operation(), context, account: account)
    }

    /// Performs checks that come before the rules, and records a refusal.
    package func audited<Answer>(
        _ operation: String,
        _ context: RequestContext,
        account: AccountID? = nil,
        recipient: @autoclosure () -> String? = nil,
        _ check: () async throws(AuthError) -> Answer
    ) async throws(AuthError) -> Answer {
        do throws(AuthError) { return try await check() } catch {
            throw audit(error, of: operation, context, account: account, recipient: recipient())
        }
    }
}

extension Lookup {
    /// The address or number in the request.
    fileprivate var recipient: String? {
        switch self {
        case .owner(.primaryEmail(let email)): email.text
        case .owner(.phone(let number)): number.text
        default: nil
        }
    }
}

extension AuthCredential.Content {
    /// The address that was typed, if one was.
    var recipient: String? {
        switch self {
        case .password(let email, _), .emailLink(let email, _): EmailAddress(email)?.text
        default: nil
        }
    }
}
