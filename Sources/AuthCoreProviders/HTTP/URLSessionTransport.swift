internal import Dispatch
internal import Foundation
#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif
internal import Synchronization

/// Sends requests with URLSession: without cookies, caches and redirects.
///
/// On Linux, some answers stop the process: the page of this module names them, and what a server does about it.
public struct URLSessionTransport: HTTPTransport {
    private let sessions = TransportSessions()

    /// How many sessions were begun, for tests.
    var begunSessions: Int { sessions.state.withLock { $0.begun } }

    /// What stands in for the environment in tests.
    var environment: [String: String]?

    /// Creates a transport with connections of its own.
    public init() {}

    /// Sends the request; canceling its task closes the connection.
    public func send(_ request: ProviderRequest) async throws -> ProviderResponse {
        #if canImport(FoundationNetworking)
        if request.url.lowerScheme == "http", request.url.isLoopback,
            request.url.isProxied(by: environment ?? ProcessInfo.processInfo.environment)
        {
            throw TransportFailure.proxied
        }
        var prepared = URLRequest(url: request.url.withLowerScheme)
        #else
        var prepared = URLRequest(url: request.url)
        #endif
        prepared.httpMethod = request.method.rawValue
        // The caller's limit comes first; FoundationNetworking knows whole seconds only.
        prepared.timeoutInterval = (request.timeLimit / .seconds(1)).rounded(.up) + 5
        for (name, value) in request.headers { prepared.setValue(value, forHTTPHeaderField: name) }
        if request.method == .post { prepared.httpBody = Data(request.body) }
        let session = sessions.state.withLock { $0.session }
        #if canImport(FoundationNetworking)
        let start = ContinuousClock.now
        do {
            return try await session.send(prepared, sizeLimit: request.sizeLimit)
        } catch {
            if request.gotStuck(failingAfter: start.duration(to: .now)) { sessions.retire(session) }
            throw error
        }
        #else
        return try await session.send(prepared, sizeLimit: request.sizeLimit)
        #endif
    }
}

/// What libcurl says of a failure under FoundationNetworking, to be put behind a text; empty for other errors.
///
/// Errors of other transports can contain secrets. A text with an `@` is left out: of a proxy's URL that it cannot
/// read, libcurl repeats the password.
func reason(of error: any Error) -> String {
    #if canImport(FoundationNetworking)
    guard let text = (error as? URLError)?.localizedDescription, !text.contains("@") else { return "" }
    return ": " + text
    #else
    return ""
    #endif
}

extension ProviderRequest {
    /// Whether a request that failed after this time was given up at its limit, and not by a caller who left.
    ///
    /// It is half the limit, since the caller's time began earlier than the transport's.
    func gotStuck(failingAfter time: Duration) -> Bool { time >= timeLimit / 2 }
}

/// The session for new requests; a request keeps its own until it ends.
private final class TransportSessions: Sendable {
    let state = Mutex((session: TransportSession(), begun: 1))

    /// Begins another session unless that was done.
    ///
    /// With HTTP/2, requests share a connection, and FoundationNetworking keeps it when a request in it is canceled.
    func retire(_ session: TransportSession) {
        state.withLock { state in
            guard state.session === session else { return }
            state = (TransportSession(), state.begun + 1)
        }
    }
}

/// A session that ends with its last transport and its last request.
private final class TransportSession: Sendable {
    private let exchanges = Exchanges()
    private let session: URLSession

    init() {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieStorage = nil
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        // With the usual six, many people at once wait for a connection until the time for their answers is over.
        configuration.httpMaximumConnectionsPerHost = 64
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    func send(_ request: URLRequest, sizeLimit: Int) async throws -> ProviderResponse {
        let task = session.dataTask(with: request)
        let exchanges = exchanges
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task, Exchange(continuation: continuation, sizeLimit: sizeLimit))
                // A cancellation before this line found nothing to end.
                if Task.isCancelled { exchanges.end(task, .failure(CancellationError())) }
                task.resume()
            }
        } onCancel: {
            exchanges.end(task, .failure(CancellationError()))
            task.stop()
        }
    }
}

/// One request that waits for its answer.
private struct Exchange: Sendable {
    let continuation: CheckedContinuation<ProviderResponse, any Error>
    let sizeLimit: Int
    var body: [UInt8] = []
}

/// Gives each answer to the request that waits for it.
private final class Exchanges: NSObject, URLSessionDataDelegate, Sendable {
    private let waiting = Mutex<[Int: Exchange]>([:])

    func begin(_ task: URLSessionTask, _ exchange: Exchange) {
        waiting.withLock { $0[task.taskIdentifier] = exchange }
    }

    func end(_ task: URLSessionTask, _ result: Result<ProviderResponse, any Error>) {
        waiting.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.continuation.resume(with: result)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        end(task, .success(ProviderResponse(response, body: [])))
        #if canImport(FoundationNetworking)
        // There an answer traps if the task ended meanwhile, as by a cancellation, and nothing says whether it did.
        task.stop()
        #else
        completionHandler(nil)
        #endif
    }

    #if canImport(FoundationNetworking)
    /// FoundationNetworking reports a 401 that asks for a password only here, after its whole body, and never ends the
    /// request if it gets no password.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        guard challenge.failureResponse is HTTPURLResponse else {
            return completionHandler(.performDefaultHandling, nil)
        }
        urlSession(session, task: task, didCompleteWithError: nil)
        task.stop()
    }
    #endif

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLong = waiting.withLock { waiting in
            guard let exchange = waiting[dataTask.taskIdentifier] else { return false }
            guard exchange.body.count + data.count <= exchange.sizeLimit else { return true }
            waiting[dataTask.taskIdentifier]?.body.append(contentsOf: data)
            return false
        }
        guard isTooLong else { return }
        end(dataTask, .failure(TransportFailure.tooLong))
        dataTask.stop()
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let body = waiting.withLock { $0[task.taskIdentifier]?.body } ?? []
        if let error {
            end(task, .failure(error))
        } else if let response = task.response as? HTTPURLResponse {
            end(task, .success(ProviderResponse(response, body: body)))
        } else {
            end(task, .failure(URLError(.badServerResponse)))
        }
    }
}

#if canImport(FoundationNetworking)
extension URL {
    /// The URL with its scheme in lowercase: FoundationNetworking knows no other.
    fileprivate var withLowerScheme: URL {
        guard let scheme, let lowerScheme, scheme != lowerScheme else { return self }
        return URL(string: lowerScheme + absoluteString.dropFirst(scheme.count)) ?? self
    }

    /// Whether a request over HTTP leaves this computer through a proxy that libcurl takes from the environment.
    ///
    /// libcurl reads no HTTP_PROXY, and a variable that is empty as one that is not set. It excepts more hosts than
    /// those with their whole name here, such as by a range of addresses, which not every version of it knows.
    func isProxied(by environment: [String: String]) -> Bool {
        func isSet(_ name: String) -> Bool { environment[name]?.isEmpty == false }
        guard ["http_proxy", "all_proxy", "ALL_PROXY"].contains(where: isSet) else { return false }
        let exceptions = environment[isSet("no_proxy") ? "no_proxy" : "NO_PROXY"] ?? ""
        guard exceptions != "*" else { return false }
        let hosts = exceptions.split { [",", " ", "\t"].contains($0) }.map { $0.lowercased() }
        return !hosts.contains(host()?.lowercased() ?? "")
    }
}
#endif

extension URLSessionTask {
    /// Cancels the task without a wait: in FoundationNetworking `cancel` waits for a queue that a server can keep busy.
    fileprivate func stop() {
        DispatchQueue.global().async { self.cancel() }
    }
}

extension ProviderResponse {
    fileprivate init(_ response: HTTPURLResponse, body: [UInt8]) {
        var headers: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { headers[name] = value }
        }
        self.init(status: response.statusCode, headers: headers, body: body)
    }
}
