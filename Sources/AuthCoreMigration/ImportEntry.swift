import AuthCore

/// The result of reading one line of an import, or one Firebase user.
enum ImportEntry: Sendable {
    case account(ImportedAccount)
    case problem(ImportProblem.Kind, AccountID?)

    /// Reads a line of JSON.
    init(line: String, for service: AuthService) {
        // Checked before the bytes are copied.
        guard line.utf8.count <= Store.RecordCoder.sizeLimit else {
            self = .problem(.unreadable, nil)
            return
        }
        do throws(Store.RecordError) {
            var account = try Store.RecordCoder().decode(Account.self, from: Array(line.utf8))
            account.releaseDisplayedEmail(in: service)
            self = .account(ImportedAccount(account))
        } catch {
            if case .newerFormat(let format) = error {
                self = .problem(.newerFormat(format), nil)
            } else {
                self = .problem(.unreadable, nil)
            }
        }
    }
}

/// An account in a file, with the data that is not part of an account.
struct ImportedAccount: Sendable {
    var account: Account
    var lastSignIn: Timestamp?
    /// The members of the file that the account cannot contain.
    var leftOut: [String] = []
    var password: UnverifiablePassword?

    init(_ account: Account) { self.account = account }
}

extension Account {
    /// Releases an address that an identity only displays: the service that exported it may have reserved every one.
    fileprivate mutating func releaseDisplayedEmail(in service: AuthService) {
        let isUsed = methods.contains { [.password, .emailLink].contains($0.kind.methodKind) }
        let isNamed = methods.contains { $0.identity?.email != nil && $0.identity?.email?.mailbox == email?.mailbox }
        let isDisplayed = isNamed && !service.isEmailVerified(self)
        let reserves = service.configuration.policy.addressReservation
        if reserves == .verifiedAddress, isDisplayed, !isUsed { reservesEmail = false }
    }
}
