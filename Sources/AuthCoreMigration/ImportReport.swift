public import AuthCore

/// The result of an import.
public struct ImportReport: Sendable {
    /// The number of lines that were read or skipped, including empty ones; in Firebase's file, of users.
    public internal(set) var lines = 0
    /// The number of accounts that were created.
    public internal(set) var created = 0
    /// The number of accounts that existed already, or had existed and were deleted; they were not changed.
    public internal(set) var existing = 0
    /// The number of lines whose account could not be imported.
    public internal(set) var failed = 0
    /// The number of problems, listed or not.
    public internal(set) var problemCount = 0
    /// The first problems.
    public internal(set) var problems: [ImportProblem] = []
    /// The number of accounts that lost a password because it cannot be verified here at a reasonable cost.
    public internal(set) var unverifiablePasswordCount = 0
    /// The first of those passwords.
    public internal(set) var unverifiablePasswords: [UnverifiablePassword] = []
    /// Whether the import reached the end; it does unless it had to stop at a problem.
    public internal(set) var isComplete = false
}

/// The progress of an import.
public struct ImportProgress: Sendable, Hashable {
    /// The number of finished lines; an interrupted import continues at the next line.
    public let lines: Int
    /// The number of accounts that were created.
    public let created: Int
    /// The number of accounts that existed already.
    public let existing: Int
    /// The number of problems.
    public let problems: Int

    init(_ report: ImportReport) {
        lines = report.lines
        created = report.created
        existing = report.existing
        problems = report.problemCount
    }
}

/// A line, or a part of it, that was not imported.
public struct ImportProblem: Sendable, Hashable {
    /// The kinds of problems.
    public enum Kind: Sendable, Hashable {
        /// The line is not an account's record.
        case unreadable
        /// A newer version of the library wrote the line, in this format.
        case newerFormat(Int)
        /// This part of the account contradicts the rest.
        case unsound(String)
        /// The account has only a password, whose address was not verified yet.
        ///
        /// It is valid on one device only, and only in the service of the sign-up; the person signs up again.
        case provisional
        /// Another account has a key that must be unique.
        case conflict(Store.UniqueKey, owner: AccountID)
        /// The account was imported without this part of the file.
        case leftOut(String)
        /// The file ends too early, or is not an export.
        case incompleteFile
    }

    /// The line, counted from 1; in Firebase's file, the user.
    public let line: Int
    /// The account, if it is known.
    public let account: AccountID?
    /// The kind of problem.
    public let kind: Kind
}
