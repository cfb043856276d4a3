#if PostgreSQL
internal import CPostgreSQL
#if canImport(Glibc)
internal import Glibc
#elseif canImport(Darwin)
internal import Darwin
#endif

/// An open connection of libpq, which is closed when the value ends.
@safe struct Link: ~Copyable {
    private let connection: OpaquePointer
    /// The names under which the server knows statements.
    private var prepared: [String: String] = [:]
    /// What has arrived of the answer to the last statement.
    private var partial = (rows: [Row](), failure: PostgresError?.none)
    /// The oldest major version of a server that has all that the schema uses.
    private static let oldestServer: Int32 = 14

    /// Connects; blocks the thread for as long as the connection string allows.
    init(_ settings: Settings) throws(PostgresError) {
        // libpq would take it for the name of a database, and the server would repeat it with the password.
        let schemes = ["postgres://", "postgresql://"]
        let isURL = settings.connection.contains("://") && !settings.connection.contains("=")
        if isURL, !schemes.contains(where: settings.connection.hasPrefix) {
            throw PostgresError(.invalidSettings, "A connection string that is a URL begins with postgres://.")
        }
        let values = Self.values(for: settings.connection) { unsafe getenv($0).map { unsafe String(cString: $0) } }
        let connection = unsafe try Self.connected(values)
        if unsafe PQserverVersion(connection) < Self.oldestServer * 10_000 {
            defer { unsafe PQfinish(connection) }
            throw unsafe Self.olderServer(connection)
        }
        unsafe PQsetNoticeReceiver(connection, { _, _ in }, nil)
        unsafe self.connection = unsafe connection
    }

    deinit { unsafe PQfinish(connection) }

    /// What libpq is told: later keywords win, so the connection string does over the defaults, and the encoding over
    /// both.
    ///
    /// A variable of the environment counts only for what is not given here; libpq refuses an empty one.
    static func values(
        for connection: String,
        environment: (_ variable: String) -> String?
    ) -> [(String, String)] {
        let isSet = environment("PGCONNECT_TIMEOUT").map { !$0.isEmpty } ?? false
        return (isSet ? [] : [("connect_timeout", "10")]) + [
            ("fallback_application_name", "AuthCore"), ("dbname", connection), ("client_encoding", "UTF8"),
        ]
    }

    /// Whether the server has closed the connection, as far as is known without asking it.
    var isLost: Bool {
        unsafe PQconsumeInput(connection) == 0 || PQstatus(connection) != CONNECTION_OK
    }

    /// What stops a statement on this connection.
    borrowing func stopRequests() -> StopRequests { unsafe StopRequests(PQgetCancel(connection)) }

    /// What can be polled for answers.
    var socket: Int32 { unsafe PQsocket(connection) }

    /// Runs a statement and waits for all of its answer; prepares it first if that is wanted and was not done.
    mutating func run(
        _ statement: String,
        _ parameters: [Parameter],
        isPrepared: Bool,
        until deadline: ContinuousClock.Instant,
        onPause: () -> Void = {},
        onDelay: () -> Void = {}
    ) throws(PostgresError) -> [Row] {
        if isPrepared, !hasPrepared(statement) {
            let types = parameters.map(\.kind.rawValue)
            let name = "statement \(prepared.count)"
            let isSent = unsafe PQsendPrepare(connection, name, statement, Int32(types.count), types)
            guard isSent == 1 else { throw lost }
            _ = try answer(until: deadline, onPause: onPause, onDelay: onDelay)
            prepared[statement] = name
        }
        if let error = send(statement, parameters) { throw error }
        return try answer(until: deadline, onPause: onPause, onDelay: onDelay)
    }

    /// Whether a statement was prepared on this connection.
    func hasPrepared(_ statement: String) -> Bool { prepared[statement] != nil }

    /// Begins to send a statement; the error if the connection is lost.
    borrowing func send(_ statement: String, _ parameters: [Parameter]) -> PostgresError? {
        let count = Int32(parameters.count)
        let types = parameters.map(\.kind.rawValue)
        let lengths = parameters.map { Int32(clamping: $0.bytes?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: parameters.count)
        var all: [UInt8] = []
        for parameter in parameters { all += parameter.bytes ?? [] }
        // One byte more, so that an empty last value has an address too.
        all.append(0)
        let (connection, name) = unsafe (connection, prepared[statement])
        let isBegun = unsafe all.withUnsafeBytes { buffer in
            var (values, start): ([UnsafePointer<CChar>?], Int) = unsafe ([], 0)
            for parameter in parameters {
                let address = unsafe buffer.baseAddress.map { unsafe ($0 + start).assumingMemoryBound(to: CChar.self) }
                unsafe values.append(parameter.bytes == nil ? nil : address)
                start += parameter.bytes?.count ?? 0
            }
            if let name {
                return unsafe PQsendQueryPrepared(connection, name, count, values, lengths, formats, 1) == 1
            }
            return unsafe PQsendQueryParams(connection, statement, count, types, values, lengths, formats, 1) == 1
        }
        return isBegun ? nil : lost
    }

    /// Runs statements without parameters, which may be several in one text.
    mutating func run(text: String, until deadline: ContinuousClock.Instant) throws(PostgresError) {
        guard unsafe PQsendQuery(connection, text) == 1 else { throw lost }
        _ = try answer(until: deadline)
    }

    /// Sends more of what is to be sent, and returns whether that was all of it; nil if the connection is lost.
    borrowing func flush() -> Bool? {
        let left = unsafe PQflush(connection)
        return left < 0 ? nil : left == 0
    }

    /// Waits for all of the answer to what was sent.
    ///
    /// While it is not complete, `onPause` is called every moment, and `onDelay` when it is late; some time later the
    /// connection is given up.
    mutating func answer(
        until deadline: ContinuousClock.Instant,
        onPause: () -> Void = {},
        onDelay: () -> Void = {}
    ) throws(PostgresError) -> [Row] {
        var delay = Delay(deadline)
        while true {
            guard let isSent = flush() else { throw partial.failure ?? lost }
            Self.wait(for: socket, toWrite: !isSent)
            // Even if there is nothing to read: a library for TLS may still hold what it has read.
            if let answer = receive() { return try answer.get() }
            onPause()
            try delay.check(onDelay)
        }
    }

    /// Takes what the server has sent, without waiting; the answer if it is complete.
    mutating func receive() -> Result<[Row], PostgresError>? {
        if unsafe PQconsumeInput(connection) == 0 { return .failure(partial.failure ?? lost) }
        while unsafe PQisBusy(connection) == 0 {
            guard let result = unsafe PQgetResult(connection) else {
                defer { partial = ([], nil) }
                if let failure = partial.failure { return .failure(failure) }
                return .success(partial.rows)
            }
            defer { unsafe PQclear(result) }
            switch unsafe PQresultStatus(result) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: partial.rows = unsafe [Row](result)
            default: partial.failure = unsafe partial.failure ?? PostgresError(result) ?? lost
            }
        }
        return nil
    }

    /// Waits until a socket can be read or written, but not longer than a connection pauses.
    static func wait(for socket: Int32, toWrite: Bool = false) {
        var one = pollfd(fd: socket, events: Int16(toWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
        unsafe poll(&one, 1, Int32(clamping: Connection.pause.wholeMilliseconds))
    }

    private var lost: PostgresError { unsafe PostgresError(.connectionLost, Self.message(of: connection)) }

    /// Connects, and finds out what a failure means.
    private static func connected(_ values: [(String, String)]) throws(PostgresError) -> OpaquePointer {
        do throws(PostgresError) { return unsafe try attempt(values) } catch {
            // What libpq says of a connection string that it cannot read may quote the password, whatever its words.
            if !isReadable(values) { throw PostgresError(.invalidSettings, error.message.withoutQuotation) }
            // Asking a server that did not answer would take as long again.
            if error.kind != .unreachable || error.message.contains("timeout expired") { throw error }
            switch unsafe withCStrings(values, { unsafe PQpingParams($0, $1, 1) }) {
            case PQPING_NO_ATTEMPT: throw PostgresError(.invalidSettings, error.message.withoutQuotation)
            case PQPING_OK: break
            default: throw error
            }
        }
        // The server lets others in: it was started only now, or it refuses in a language other than English.
        do throws(PostgresError) { return unsafe try attempt(values) } catch {
            throw error.kind == .unreachable ? PostgresError(.refused, error.message) : error
        }
    }

    /// Whether libpq can read the connection string; a text without options is the name of a database.
    private static func isReadable(_ values: [(String, String)]) -> Bool {
        guard let text = values.first(where: { $0.0 == "dbname" })?.1, text.contains("=") || text.contains("://") else {
            return true
        }
        guard let options = unsafe PQconninfoParse(text, nil) else { return false }
        unsafe PQconninfoFree(options)
        return true
    }

    private static func attempt(_ values: [(String, String)]) throws(PostgresError) -> OpaquePointer {
        guard let connection = unsafe withCStrings(values, { unsafe PQconnectdbParams($0, $1, 1) }) else {
            throw PostgresError(.outOfResources, "libpq has no memory left.")
        }
        guard unsafe PQstatus(connection) == CONNECTION_OK, unsafe PQsetnonblocking(connection, 1) == 0 else {
            defer { unsafe PQfinish(connection) }
            throw unsafe PostgresError(connecting: message(of: connection))
        }
        return unsafe connection
    }

    private static func olderServer(_ connection: OpaquePointer) -> PostgresError {
        let reported = unsafe PQparameterStatus(connection, "server_version").map { unsafe String(cString: $0) }
        let version = reported?.split(separator: " ").first ?? "an older version"
        return PostgresError(
            .olderServer,
            "The server runs PostgreSQL \(version), and this library needs version \(oldestServer) or later."
        )
    }

    private static func message(of connection: OpaquePointer) -> String {
        unsafe PQerrorMessage(connection).map { unsafe String(cString: $0).trimmed } ?? ""
    }

    /// Calls the body with the keywords and their values as C strings, and a null pointer after each of them.
    private static func withCStrings<Value>(
        _ pairs: [(keyword: String, value: String)],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
    ) -> Value {
        let lists = unsafe [pairs.map(\.keyword), pairs.map(\.value)].map { texts in
            unsafe texts.map { unsafe UnsafePointer(strdup($0)) } + [nil]
        }
        defer { unsafe lists.joined().forEach { unsafe free(UnsafeMutableRawPointer(mutating: $0)) } }
        return unsafe body(lists[0], lists[1])
    }
}

extension [Row] {
    fileprivate init(_ result: OpaquePointer) {
        let (count, columns) = unsafe (PQntuples(result), PQnfields(result))
        self = (0..<count).map { row in
            (0..<columns).map { column -> [UInt8]? in
                if unsafe PQgetisnull(result, row, column) == 1 { return nil }
                guard let value = unsafe PQgetvalue(result, row, column) else { return nil }
                let bytes = unsafe UnsafeRawBufferPointer(start: value, count: Int(PQgetlength(result, row, column)))
                return unsafe [UInt8](bytes)
            }
        }
    }
}

extension PostgresError {
    fileprivate init?(_ result: OpaquePointer) {
        let field = { (field: Int32) in
            unsafe PQresultErrorField(result, field).map { unsafe String(cString: $0) }
        }
        // The codes of the fields for the state and the message, which C has as character constants.
        // A server that stops in the middle of a commit may have written it, whatever the reason.
        if field(Int32(UInt8(ascii: "V"))) == "PANIC" {
            self.init(.connectionLost, sqlState: field(Int32(UInt8(ascii: "C"))), field(Int32(UInt8(ascii: "M"))) ?? "")
            return
        }
        guard let state = field(Int32(UInt8(ascii: "C"))) else { return nil }
        self.init(sqlState: state, message: field(Int32(UInt8(ascii: "M"))) ?? "")
    }
}

extension String {
    /// The message up to what it quotes: of a connection string that cannot be read, that may be the password.
    fileprivate var withoutQuotation: String {
        let beginning = prefix { !"\"'«»‹›“”„‘’‚「『".contains($0) }
        let rest = beginning.endIndex < endIndex ? "…" : ""
        return "The connection string cannot be used: \(beginning)\(rest)"
    }

    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text).replacing("\n", with: " ")
    }
}
#endif
