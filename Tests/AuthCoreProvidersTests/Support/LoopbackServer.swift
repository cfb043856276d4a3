import Foundation
import Synchronization
import XCTest

/// A small HTTP server on this computer, for what a scripted transport cannot show.
///
/// It answers one request per connection with exactly the bytes that the test chooses, lies included.
final class LoopbackServer: Sendable {
    /// What was asked.
    struct Request: Sendable {
        var method = ""
        var target = ""
        var headers: [String: String] = [:]
        var body = ""

        var path: String { String(target.prefix { $0 != "?" }) }

        /// The fields of the query, or of a form.
        var fields: [String: String] {
            let text = method == "GET" ? String(target.drop { $0 != "?" }.dropFirst()) : body
            let items = URLComponents(string: "?" + text.replacing("+", with: "%20"))?.queryItems ?? []
            return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
        }
    }

    /// What is answered.
    enum Answer: Sendable {
        case bytes(String)
        /// Bytes, and then silence until the other side gives up, which is told to the function.
        case stall(String, onEnd: @Sendable () -> Void = {})

        static func json(_ text: String, status: Int = 200, headers: [String] = []) -> Answer {
            let lines = [
                "HTTP/1.1 \(status) X", "Content-Type: application/json", "Content-Length: \(text.utf8.count)",
            ]
            return .bytes((lines + headers + ["Connection: close", "", text]).joined(separator: "\r\n"))
        }

        static func redirect(_ location: String) -> Answer {
            .bytes("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
    }

    let port: UInt16
    private let listener: Int32
    private let journal = Journal()

    private final class Journal: Sendable {
        let requests = Mutex<[Request]>([])
        /// Whether the next connection is the last, and is not served.
        let isStopping = Mutex(false)
        /// Signaled when the server listens no more.
        let end = DispatchSemaphore(value: 0)
    }

    var url: String { "http://127.0.0.1:\(port)" }

    /// What was asked, in its order.
    var requests: [Request] { journal.requests.withLock { $0 } }

    /// Starts a server on a free port.
    init(answer: @escaping @Sendable (Request) -> Answer) throws {
        // A client that has left must not end the process, and not every system has a flag of `send` for that.
        _ = signal(SIGPIPE, SIG_IGN)
        listener = Self.newSocket()
        let listener = listener
        var bound = sockaddr_in()
        let isOpen = unsafe Self.withAddress(port: 0) { address, length in
            var length = length
            guard unsafe bind(listener, address, length) == 0, listen(listener, 64) == 0 else { return false }
            return unsafe withUnsafeMutablePointer(to: &bound) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe getsockname(listener, pointer, &length) == 0
                }
            }
        }
        guard isOpen else { throw CocoaError(.fileNoSuchFile) }
        port = UInt16(bigEndian: bound.sin_port)
        let journal = journal
        let accepting = Thread {
            while true {
                let connection = accept(listener, nil, nil)
                if journal.isStopping.withLock({ $0 }) {
                    // Only here: a number that is closed elsewhere could already be another server's.
                    close(listener)
                    if connection >= 0 { close(connection) }
                    journal.end.signal()
                    return
                }
                // A client may leave before its connection is accepted, which fails then.
                if connection >= 0 { Thread { Self.serve(connection, journal, answer) }.start() }
            }
        }
        accepting.start()
    }

    /// Stops listening; connections are refused from then on.
    func stop() {
        let isStopped = journal.isStopping.withLock { isStopping in
            defer { isStopping = true }
            return isStopping
        }
        if isStopped { return }
        // A connection ends the wait for one on every system; closing or shutting down the listener does not.
        let last = Self.newSocket()
        _ = unsafe Self.withAddress(port: port) { unsafe connect(last, $0, $1) }
        _ = journal.end.wait(timeout: .now() + 10)
        close(last)
    }

    private static func newSocket() -> Int32 {
        #if os(Linux)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        return socket(AF_INET, stream, 0)
    }

    private static func withAddress<Value>(
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = port.bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
        }
    }

    private static func serve(_ connection: Int32, _ journal: Journal, _ answer: (Request) -> Answer) {
        defer { close(connection) }
        guard let request = read(connection) else { return }
        journal.requests.withLock { $0.append(request) }
        switch answer(request) {
        case .bytes(let text): write(text, to: connection)
        case .stall(let text, let onEnd):
            write(text, to: connection)
            var byte: UInt8 = 0
            while unsafe recv(connection, &byte, 1, 0) > 0 {}
            onEnd()
        }
    }

    private static func write(_ text: String, to connection: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe send(connection, $0.baseAddress, $0.count, 0) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    private static func read(_ connection: Int32) -> Request? {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let text = String(decoding: bytes, as: UTF8.self)
            if let end = text.range(of: "\r\n\r\n") {
                var lines = text[..<end.lowerBound].components(separatedBy: "\r\n")
                let first = lines.removeFirst().split(separator: " ")
                guard first.count == 3 else { return nil }
                var request = Request(method: String(first[0]), target: String(first[1]))
                for line in lines {
                    let parts = line.split(separator: ":", maxSplits: 1)
                    if parts.count == 2 {
                        request.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
                    }
                }
                request.body = String(text[end.upperBound...])
                if request.body.utf8.count >= Int(request.headers["content-length"] ?? "0") ?? 0 { return request }
            }
            let count = unsafe recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return nil }
            bytes += buffer.prefix(count)
        }
    }
}

extension XCTestCase {
    /// Starts a server that stops with the test.
    func serve(_ answer: @escaping @Sendable (LoopbackServer.Request) -> LoopbackServer.Answer) throws -> LoopbackServer
    {
        let server = try LoopbackServer(answer: answer)
        addTeardownBlock { server.stop() }
        return server
    }
}
