import AuthCore

/// The result of reading one line of an import, or one Firebase user.
enum ImportEntry: Sendable {
    case account(ImportedAccount)
    case problem(ImportProblem.Kind, AccountID?)

    /// Reads a line of JSON.
    init(line: String) {
        // Checked before the bytes are copied.
        guard line.utf8.count <= Store.RecordCoder.sizeLimit else {
            self = .problem(.unreadable, nil)
            return
        }
        do throws(Store.RecordError) {
            self = .account(ImportedAccount(try Store.RecordCoder().decode(Account.self, from: Array(line.utf8))))
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
