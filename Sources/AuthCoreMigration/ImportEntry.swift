import AuthCore

/// What one line of an import, or one user of Firebase's, turned out to be.
enum ImportEntry: Sendable {
    case account(ImportedAccount)
    case problem(ImportProblem.Kind, AccountID?)

    /// What a line of JSON says.
    init(line: String) {
        // Asked before the bytes are copied.
        guard line.utf8.count <= RecordCoder.sizeLimit else {
            self = .problem(.unreadable, nil)
            return
        }
        do throws(RecordError) {
            self = .account(ImportedAccount(try RecordCoder().decode(Account.self, from: Array(line.utf8))))
        } catch {
            if case .newerFormat(let format) = error {
                self = .problem(.newerFormat(format), nil)
            } else {
                self = .problem(.unreadable, nil)
            }
        }
    }
}

/// An account as a file has it, with what is no part of an account.
struct ImportedAccount: Sendable {
    var account: Account
    var lastSignIn: Timestamp?
    /// What the file says and the account does not hold.
    var leftOut: [String] = []
    var password: UnverifiablePassword?

    init(_ account: Account) { self.account = account }
}
