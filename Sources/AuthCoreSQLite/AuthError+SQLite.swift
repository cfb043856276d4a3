#if SQLite
internal import AuthCore
internal import AuthCoreSQL
internal import CSQLite

/// The errors of this store: each says what is wrong and what to do, and has what SQLite reported as its cause.
extension AuthError {
    /// The error for a database that cannot be opened.
    init(opening path: String, failure: any Error) {
        self.init(file: "The database \(path) cannot be opened.", failure)
    }

    /// The error for a copy that cannot be written.
    init(copyingTo path: String, failure: any Error) {
        self.init(file: "The copy \(path) cannot be written.", failure)
    }

    private init(file problem: String, _ failure: any Error) {
        let message: String? =
            switch failure {
            case let newer as NewerSchema: newer.description
            case UnusableFile.foreign: "The file belongs to another program; choose another path."
            case UnusableFile.readOnly:
                "The file can be read and not written; check the owner of the file and its folder."
            case UnusableFile.withoutLog(let mode):
                "The file system does not support a write-ahead log (the journal mode is \(mode)); use a local disk."
            case UnusableFile.olderSchema(let version):
                "The schema has version \(version) and was not to be migrated; run SQLiteStore.schema(after: \(version))."
            case UnusableFile.inMemory: "A database in memory has no copies."
            case UnusableFile.isItself: "A copy cannot replace the database itself."
            case UnusableFile.olderLibrary(let version): "SQLite is \(version), and 3.37 or later is needed."
            default: (failure as? SQLiteError)?.explanation
            }
        let text = message ?? "\(failure)"
        self.init(.storeUnavailable, message: "\(problem) \(text)", cause: failure)
    }

    /// The error for a failure after which nothing was changed, unless it says that this is not known.
    init(reading failure: any Error) {
        switch failure {
        case let error as AuthError: self = error
        case let failure as NothingWritten: self.init(reading: failure.cause)
        case let unknown as OutcomeUnknown:
            let reason = (unknown.cause as? SQLiteError)?.explanation ?? "\(unknown.cause)"
            let rest = "The change was being committed, and may be made or not."
            self.init(.outcomeUnknown, message: "\(reason) \(rest)", cause: unknown.cause)
        case is CancellationError: self.init(.canceled, cause: failure)
        case let error as SQLiteError:
            self.init(.storeUnavailable, message: "\(error.explanation) Nothing was changed.", cause: error)
        case is NewerSchema: self.init(.storeUnavailable, message: "\(failure) Nothing was changed.", cause: failure)
        case Store.RecordError.unrepresentable:
            let message = "A value of the change cannot be written. Nothing was changed."
            self.init(.storeUnavailable, message: message, cause: failure)
        default:
            self.init(
                .storeUnavailable,
                message: "A record of the database cannot be read. Nothing was changed.",
                cause: failure
            )
        }
    }
}

extension SQLiteError {
    /// What is wrong and what to do, in a sentence.
    fileprivate var explanation: String {
        switch primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED: "Another process kept the database locked; try again."
        case SQLITE_FULL: "The disk is full, or the database has reached its largest size."
        case SQLITE_READONLY: "The database can be read and not written; check the owner of the file and its folder."
        case SQLITE_CORRUPT: "The database is damaged; restore the newest backup."
        case SQLITE_NOTADB:
            "The file is no database of SQLite: choose another path, or restore the newest backup if it was one."
        case SQLITE_CANTOPEN: "The file cannot be opened; check the path and the owner of the folder."
        case SQLITE_IOERR: "The disk reported a failure."
        case SQLITE_PERM, SQLITE_AUTH: "The process may not use the file."
        case SQLITE_NOMEM: "The process is out of memory."
        case SQLITE_TOOBIG: "A record is larger than SQLite can store."
        default: "SQLite reported: \(message)."
        }
    }
}
#endif
