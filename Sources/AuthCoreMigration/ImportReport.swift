public import AuthCore

/// What an import did.
public struct ImportReport: Sendable {
    /// How many lines were read or skipped, empty ones included; in Firebase's file, users.
    public internal(set) var lines = 0
    /// How many accounts were made.
    public internal(set) var created = 0
    /// How many accounts were there already, or had been there and were deleted; they stayed as they are.
    public internal(set) var alreadyThere = 0
    /// How many lines brought no account although they were to.
    public internal(set) var failed = 0
    /// How many problems there were, listed or not.
    public internal(set) var problemCount = 0
    /// The first problems.
    public internal(set) var problems: [ImportProblem] = []
    /// How many accounts lost a password because it cannot be verified here.
    public internal(set) var unverifiablePasswordCount = 0
    /// The first of those passwords.
    public internal(set) var unverifiablePasswords: [UnverifiablePassword] = []
    /// Whether the import went to the end, as it does unless it was to stop at a problem.
    public internal(set) var isComplete = false
}

/// How far an import is.
public struct ImportProgress: Sendable, Hashable {
    /// How many lines are done; an import that was interrupted starts again at the one after them.
    public let lines: Int
    /// How many accounts were made.
    public let created: Int
    /// How many accounts were there already.
    public let alreadyThere: Int
    /// How many problems there were.
    public let problems: Int

    init(_ report: ImportReport) {
        lines = report.lines
        created = report.created
        alreadyThere = report.alreadyThere
        problems = report.problemCount
    }
}

/// Something that did not come in.
public struct ImportProblem: Sendable, Hashable {
    /// What is wrong.
    public enum Kind: Sendable, Hashable {
        /// The line is not the record of an account.
        case unreadable
        /// A newer version of the library wrote the line, in this format.
        case newerFormat(Int)
        /// This part of the account contradicts the rest.
        case unsound(String)
        /// Another account has something that only one can have.
        case conflict(Store.UniqueKey, owner: AccountID)
        /// The account is there, without this part of what the file says.
        case leftOut(String)
        /// The file ends too early, or is not an export.
        case incompleteFile
    }

    /// The line, counted from 1; in Firebase's file, the user.
    public let line: Int
    /// The account, as far as it is known.
    public let account: AccountID?
    /// What is wrong.
    public let kind: Kind
}
