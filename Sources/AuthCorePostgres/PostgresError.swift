/// Why a database could not do what the store asked; the cause of an `AuthError` of the store.
///
/// It contains what the server or libpq said, which can name hosts, databases and roles, and nothing secret.
#if !PostgreSQL
@available(*, unavailable, message: "turn on the trait PostgreSQL of auth-core to keep accounts in PostgreSQL")
#endif
public struct PostgresError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of failure it is.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The connection string or another setting cannot be used.
        case invalidSettings
        /// No connection could be made.
        case unreachable
        /// The server refused the role, the password or the database.
        case refused
        /// The server has no connection left, or the pool had none in time.
        case tooManyConnections
        /// The connection was lost.
        case connectionLost
        /// The statement or a lock took longer than the settings allow.
        case timedOut
        /// The task was canceled.
        case canceled
        /// The database stopped the transaction because of another one; trying again can help.
        case conflict
        /// The server does not write: it is a standby, or its disk is read-only.
        case readOnly
        /// The server has no space, memory or other resource left.
        case outOfResources
        /// The role may not do it.
        case notPermitted
        /// The server is older than any that this library works with.
        case olderServer
        /// The schema is missing or older than this library's; migrate it.
        case olderSchema
        /// A newer version of the library migrated the schema.
        case newerSchema
        /// A row cannot be read, or a value cannot be written.
        case damagedRecord
        /// Anything else.
        case unexpected
    }

    /// What kind of failure it is.
    public let kind: Kind
    /// The five characters of PostgreSQL's error code; nil if the server did not answer.
    public let sqlState: String?
    /// What the server or libpq said.
    public let message: String

    init(_ kind: Kind, sqlState: String? = nil, _ message: String) {
        self.kind = kind
        self.sqlState = sqlState
        self.message = message
    }

    /// The kind, the code of the server, and what it said.
    public var description: String {
        "\(kind.rawValue)\(sqlState.map { " (\($0))" } ?? ""): \(message)"
    }
}

#if PostgreSQL
extension PostgresError {
    /// The error that the server answered to a statement.
    init(sqlState: String, message: String) {
        let kind: Kind
        switch sqlState {
        case "57014", "55P03": kind = .timedOut
        case "40001", "40P01": kind = .conflict
        case "57P01", "57P02", "57P03", "57P05", "08P01": kind = .connectionLost
        case "25006": kind = .readOnly
        case "42501": kind = .notPermitted
        case "26000", "42P05": kind = .invalidSettings
        case "3F000", "42P01", "42883", "42703": kind = .olderSchema
        default:
            switch sqlState.prefix(2) {
            case "08": kind = .connectionLost
            case "28", "3D": kind = .refused
            case "53": kind = sqlState == "53300" ? .tooManyConnections : .outOfResources
            case "58": kind = .outOfResources
            case "XX": kind = .damagedRecord
            default: kind = .unexpected
            }
        }
        self.init(kind, sqlState: sqlState, message)
    }

    /// The error of an attempt to connect; libpq says only in words what it is, of which English ones are recognized.
    init(connecting message: String) {
        // What is in quotes is a name, such as that of the host.
        let parts = message.split(separator: "\"", omittingEmptySubsequences: false)
        let words = stride(from: 0, to: parts.count, by: 2).map { parts[$0] }.joined()
        let isFull = ["too many", "remaining connection slots", "no more connections"].contains(where: words.contains)
        let isRefused = ["authentication", "pg_hba.conf", "does not exist", "password"].contains(where: words.contains)
        // The connection string asks for a server that writes, and there is none.
        let isStandby = ["read-only", "hot standby"].contains(where: words.contains)
        self.init(isFull ? .tooManyConnections : isStandby ? .readOnly : isRefused ? .refused : .unreachable, message)
    }

    /// What is wrong and what to do, in a sentence or two.
    var explanation: String {
        switch kind {
        case .unreachable: "The database cannot be reached: \(message)."
        case .refused:
            "The server refused the connection; look at its reason, such as the role or password: \(message)."
        case .tooManyConnections:
            "No connection was free; raise the limit of the server, or of the options to at most 100: \(message)"
        case .connectionLost: "The connection to the database was lost: \(message)"
        case .timedOut: "The database did not answer in time: \(message)."
        case .conflict: "Other transactions kept stopping this one: \(message)."
        case .readOnly: "The server does not write; connect to the primary one."
        case .outOfResources: "The server has no space or memory left: \(message)."
        case .notPermitted: "The role may not do this: \(message)."
        case .olderSchema: "The schema is missing or older than this library; migrate it: \(message)"
        case .invalidSettings where sqlState != nil:
            """
            The connection has other prepared statements than this process made; if a pooler gives transactions any connection, \
            set the option isPooledByTransaction: \(message).
            """
        case .invalidSettings, .canceled, .olderServer, .newerSchema, .damagedRecord, .unexpected: message
        }
    }

    /// Whether the connection is of no more use: it was lost, or leads to a server that does not write, and a new one
    /// may lead to the server that was promoted in its place.
    var endsConnection: Bool { kind == .connectionLost || kind == .readOnly }

    /// Whether the same statement can succeed if it is sent again, on a new connection where this one is of no use.
    var isTemporary: Bool { kind == .conflict || endsConnection }
}
#endif
