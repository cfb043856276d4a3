#if PostgreSQL
import Foundation
import Synchronization

/// A proxy on a socket of its own, between a store and its server: it counts round trips, and cuts connections.
final class LoopbackProxy: Sendable {
    /// When a connection is cut that carries a commit, or the other call that the proxy looks for.
    enum Cut: Sendable {
        /// Before the server gets it.
        case before
        /// When the server has answered it, before the answer is passed on.
        case after
    }

    private struct State {
        var roundTrips = 0
        /// Called when a client connects, before anything is passed on.
        var onConnection: @Sendable () -> Void = {}
        /// How many requests to stop a statement have come.
        var requests = 0
        /// How many requests to stop a statement are thrown away.
        var lostRequests = 0
        /// Whether requests to stop a statement are kept and never answered.
        var holdsRequests = false
        /// Applies to the next commit.
        var cut: Cut?
        /// What follows it.
        var afterwards: @Sendable () -> Void = {}
        var connections: [Int32: Int32] = [:]
        /// Whether nothing is passed on any more, and nothing is cut.
        var isSilent = false
        var isClosed = false

        mutating func takesLostRequest() -> Bool {
            defer { lostRequests = max(0, lostRequests - 1) }
            return lostRequests > 0
        }
    }

    private let folder: String
    private let target: String
    private let listener: Int32
    private let state = Mutex(State())
    /// What the server says, and what the client is told instead, in as many bytes.
    private let replacement: (real: [UInt8], told: [UInt8])?
    /// How the statement calls the function whose connection can be cut.
    private let call: [UInt8]

    /// The connection string of the proxy, made from that of the server.
    let connection: String

    init(to server: String, replacing text: (real: String, told: String)? = nil, of function: String = "commit") throws
    {
        call = Array(".\(function)($1".utf8)
        replacement = text.map { (Array($0.real.utf8), Array($0.told.utf8)) }
        let words = server.split(separator: " ").map(String.init)
        let value = { (key: String) in
            words.first { $0.hasPrefix(key + "=") }.map { String($0.dropFirst(key.count + 1)) }
        }
        guard let host = value("host"), host.hasPrefix("/") else { throw CocoaError(.featureUnsupported) }
        target = "\(host)/.s.PGSQL.\(value("port") ?? "5432")"
        let folder = NSTemporaryDirectory() + "proxy-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        connection =
            words.map { $0.hasPrefix("host=") ? "host=\(folder)" : $0.hasPrefix("port=") ? "port=5432" : $0 }
            .joined(separator: " ") + " gssencmode=disable"
        self.folder = folder
        let listener = Self.socket()
        self.listener = listener
        try unsafe Self.withAddress("\(folder)/.s.PGSQL.5432") { address, size in
            guard unsafe bind(listener, address, size) == 0, listen(listener, 64) == 0 else {
                throw CocoaError(.fileWriteUnknown)
            }
        }
        Thread.detachNewThread { [self] in accept() }
    }

    func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
        Foundation.close(listener)
        cutAll()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Refuses new connections; those that there are stay.
    func refuseConnections() { try? FileManager.default.removeItem(atPath: folder) }

    /// How often a client sent something after the server had answered what came before.
    var roundTrips: Int { state.withLock { $0.roundTrips } }

    /// Calls this whenever a client connects, before anything is passed on.
    func onConnection(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onConnection = body } }

    /// How many requests to stop a statement have come.
    var requestsToStop: Int { state.withLock { $0.requests } }

    /// Throws away the next requests to stop a statement.
    func loseRequestsToStop(_ count: Int = 1) { state.withLock { $0.lostRequests = count } }

    /// Keeps requests to stop a statement from now on: they are never passed on, and their connections stay open.
    func holdRequestsToStop() { state.withLock { $0.holdsRequests = true } }

    /// Whether such a request was thrown away.
    var hasLostRequest: Bool { state.withLock { $0.lostRequests == 0 } }

    /// Cuts the connection of the next commit.
    func cutNextCommit(_ cut: Cut?, then afterwards: @escaping @Sendable () -> Void = {}) {
        state.withLock { state in
            state.cut = cut
            state.afterwards = afterwards
        }
    }

    /// Cuts every connection there is, as a proxy does that is restarted.
    func cutAll() {
        for (client, server) in state.withLock({ $0.connections }) {
            shutdown(client, Int32(SHUT_RDWR))
            shutdown(server, Int32(SHUT_RDWR))
        }
    }

    /// Passes on nothing from now on, as a network does that loses everything; or does so again.
    func fallSilent(_ isSilent: Bool = true) { state.withLock { $0.isSilent = isSilent } }

    private func accept() {
        while true {
            let client = Foundation.accept(listener, nil, nil)
            if client < 0 { return }
            let server = Self.socket()
            let isConnected = unsafe Self.withAddress(target) { unsafe connect(server, $0, $1) == 0 }
            if !isConnected || state.withLock({ $0.isClosed }) {
                Foundation.close(client)
                Foundation.close(server)
                continue
            }
            state.withLock {
                $0.connections[client] = server
                return $0.onConnection
            }()
            let exchange = Exchange()
            Thread.detachNewThread { [self] in passOn(from: client, to: server, exchange, isRequest: true) }
            Thread.detachNewThread { [self] in passOn(from: server, to: client, exchange, isRequest: false) }
        }
    }

    /// What the two directions of a connection tell each other.
    private final class Exchange: Sendable {
        /// Whether the server has answered what was sent last; at first there is nothing to answer.
        let isAnswered = Mutex(true)
        /// Whether the connection is cut at the next answer.
        let endsWithAnswer = Mutex(false)
        /// The name under which the statement that commits was prepared.
        let commit = Mutex<[UInt8]?>(nil)
        let open = Mutex(2)
    }

    private func passOn(from source: Int32, to sink: Int32, _ exchange: Exchange, isRequest: Bool) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe read(source, &buffer, buffer.count)
            if count <= 0 { break }
            if state.withLock({ $0.isSilent }) { continue }
            if isRequest {
                if let name = preparesCommit(buffer[..<count]) { exchange.commit.withLock { $0 = name } }
                let commit = exchange.commit.withLock { $0 }
                if Self.isRequestToStop(buffer[..<count]) {
                    let (isLost, isHeld) = state.withLock { state in
                        state.requests += 1
                        return (state.takesLostRequest(), state.holdsRequests)
                    }
                    if isLost { break }
                    if isHeld { continue }
                }
                let isNew = exchange.isAnswered.withLock { isAnswered in
                    defer { isAnswered = false }
                    return isAnswered
                }
                let cut: Cut? = state.withLock { state in
                    if isNew { state.roundTrips += 1 }
                    guard let cut = state.cut, Self.binds(commit, buffer[..<count]) else { return nil }
                    state.cut = nil
                    return cut
                }
                if cut == .before { break }
                if cut == .after { exchange.endsWithAnswer.withLock { $0 = true } }
            } else {
                exchange.isAnswered.withLock { $0 = true }
                if let (real, told) = replacement, let place = buffer[..<count].firstRange(of: real) {
                    buffer.replaceSubrange(place, with: told)
                }
                if exchange.endsWithAnswer.withLock({ $0 }) {
                    state.withLock { $0.afterwards }()
                    break
                }
            }
            var sent = 0
            while sent < count {
                let written = unsafe buffer.withUnsafeBytes {
                    unsafe $0.baseAddress.map { unsafe send(sink, $0 + sent, count - sent, Int32(MSG_NOSIGNAL)) } ?? 0
                }
                if written <= 0 { break }
                sent += written
            }
            if sent < count { break }
        }
        shutdown(source, Int32(SHUT_RDWR))
        shutdown(sink, Int32(SHUT_RDWR))
        let isLast = exchange.open.withLock { open in
            open -= 1
            return open == 0
        }
        if isLast {
            state.withLock { state in
                state.connections[source] = nil
                state.connections[sink] = nil
            }
            Foundation.close(source)
            Foundation.close(sink)
        }
    }

    /// The name that a message gives to the statement that commits: `P`, its length, the name and the text.
    private func preparesCommit(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard bytes.first == UInt8(ascii: "P"), bytes.firstRange(of: call) != nil else { return nil }
        return Array(bytes.dropFirst(5).prefix { $0 != 0 })
    }

    /// Whether a message binds arguments to the statement of this name: an empty name of a portal, and the statement's.
    private static func binds(_ name: [UInt8]?, _ bytes: ArraySlice<UInt8>) -> Bool {
        name.map { bytes.firstRange(of: [0] + $0 + [0]) != nil } ?? false
    }

    /// Whether a client asks to stop a statement of another connection.
    private static func isRequestToStop(_ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count == 16 && bytes[4..<8].elementsEqual([4, 210, 22, 46])
    }

    private static func socket() -> Int32 {
        #if canImport(Glibc)
        Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        #else
        Darwin.socket(AF_UNIX, SOCK_STREAM, 0)
        #endif
    }

    private static func withAddress<Value>(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) throws -> Value
    ) rethrows -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8).prefix(100)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        return try unsafe withUnsafePointer(to: &address) { pointer in
            try unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { try unsafe body($0, size) }
        }
    }
}

/// Closes a proxy when the subject of a store suite that uses it goes.
final class ProxyEnd: Sendable {
    let proxy: LoopbackProxy

    init(_ proxy: LoopbackProxy) { self.proxy = proxy }

    deinit { proxy.close() }
}
#endif
