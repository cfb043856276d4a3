internal import AuthCore
internal import AuthCoreFoundation

/// Asks a provider: only over HTTPS or at this computer, for a limited time, and never at another host than was meant.
struct ProviderConnection: Sendable {
    let transport: any HTTPTransport

    /// How many redirects within one host are followed.
    private static let greatestRedirects = 3

    /// Sends a request, and follows redirects of a GET within its host.
    func send(_ request: ProviderRequest) async throws -> ProviderResponse {
        var request = request
        for _ in 0...Self.greatestRedirects {
            try Self.requireSafe(request.url)
            let response = try await answer(to: request)
            guard [301, 302, 303, 307, 308].contains(response.status) else { return response }
            guard request.method == .get, let location = response.headers["location"],
                let url = URL(string: location, relativeTo: request.url)?.absoluteURL, url.hasOrigin(of: request.url)
            else {
                throw failure(request, "redirects to another host, which is not followed")
            }
            request = ProviderRequest(
                .get,
                url,
                headers: request.headers,
                sizeLimit: request.sizeLimit,
                timeLimit: request.timeLimit
            )
        }
        throw failure(request, "redirects too often")
    }

    /// Sends a request and reads the JSON of an answer with status 200.
    func json(_ request: ProviderRequest) async throws -> (value: ClaimValue, response: ProviderResponse) {
        let response = try await send(request)
        guard response.status == 200 else { throw unexpected(response, to: request) }
        guard let value = ClaimValue(json: response.body, sizeLimit: request.sizeLimit) else {
            throw failure(request, "must answer with one well-formed JSON text")
        }
        return (value, response)
    }

    /// The failure for an answer whose status means that the provider does not work now.
    func unexpected(_ response: ProviderResponse, to request: ProviderRequest) -> VerificationFailure {
        failure(request, "answered with the status \(response.status)", retryAfter: response.retryAfter)
    }

    /// The failure for an answer to something that was presented: the provider refuses it, or does not work now.
    func refusal(_ response: ProviderResponse, to request: ProviderRequest) -> VerificationFailure {
        guard (400..<500).contains(response.status), ![408, 429].contains(response.status) else {
            return unexpected(response, to: request)
        }
        return VerificationFailure(.rejected, "The provider refused it with the status \(response.status).")
    }

    /// The failure for an answer of the provider that cannot be used.
    func failure(
        _ request: ProviderRequest,
        _ problem: String,
        retryAfter: Duration? = nil
    ) -> VerificationFailure {
        let host = request.url.host() ?? "the provider"
        let wait = retryAfter ?? .seconds(30)
        return VerificationFailure(
            .unreachable,
            "\(host) \(problem) (\(request.method.rawValue) \(request.url.path())). "
                + "Try again in \(wait.components.seconds) seconds.",
            retryAfter: wait
        )
    }

    /// Throws unless secrets can be sent to the URL: over HTTPS, or to a provider on this computer.
    static func requireSafe(_ url: URL) throws(VerificationFailure) {
        guard let host = url.host(), !host.isEmpty, url.user == nil, url.password == nil,
            url.lowerScheme == "https" || url.lowerScheme == "http" && url.isLoopback
        else {
            throw VerificationFailure(.misconfigured, "A provider's URL must be of HTTPS, or of this computer.")
        }
    }

    private func answer(to request: ProviderRequest) async throws -> ProviderResponse {
        let transport = transport
        do {
            let response = try await withDeadline(request.timeLimit) { try await transport.send(request) }
            guard response.body.count <= request.sizeLimit else { throw TransportFailure.tooLong }
            return response
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            try Task.checkCancellation()
            switch error as? TransportFailure {
            case .tooLong: throw failure(request, "must answer with at most \(request.sizeLimit) bytes")
            case .tooSlow: throw failure(request, "must answer within \(request.timeLimit.components.seconds) seconds")
            case .proxied:
                let host = request.url.host() ?? "the host"
                throw VerificationFailure(
                    .misconfigured,
                    "A proxy of the environment would read requests to \(host): add \(host) to no_proxy or NO_PROXY."
                )
            case nil: throw failure(request, "could not be reached" + reason(of: error))
            }
        }
    }
}

/// What a transport can say about a request that it gave up, or did not send.
enum TransportFailure: Error {
    case tooLong
    case tooSlow
    /// A proxy would read a request that is meant for this computer.
    case proxied
}

/// Does the work, and cancels it when its time is over.
private func withDeadline<Value: Sendable>(
    _ limit: Duration,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
        group.addTask { try await work() }
        group.addTask {
            // A real wait: it bounds what a provider, and not this program, takes.
            try await Task.sleep(for: limit)
            throw TransportFailure.tooSlow
        }
        defer { group.cancelAll() }
        guard let first = try await group.next() else { throw CancellationError() }
        return first
    }
}

extension URL {
    /// Whether the host is this computer.
    var isLoopback: Bool { ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host()?.lowercased()) }

    /// Whether scheme, host and port are those of the other URL.
    func hasOrigin(of other: URL) -> Bool {
        lowerScheme == other.lowerScheme && host()?.lowercased() == other.host()?.lowercased()
            && usedPort == other.usedPort
    }

    var lowerScheme: String? { scheme?.lowercased() }

    private var usedPort: Int { port ?? (lowerScheme == "https" ? 443 : 80) }
}

extension ProviderResponse {
    /// How long the provider asks to wait, within bounds.
    var retryAfter: Duration? {
        guard let text = headers["retry-after"], let seconds = Int(text), seconds >= 0 else { return nil }
        return .seconds(min(max(seconds, 1), 3600))
    }

    /// How long the answer stays fresh by its headers (RFC 9111), in seconds; nil if they do not say.
    var lifetime: Double? {
        guard let header = headers["cache-control"]?.lowercased() else { return nil }
        let directives = header.split(separator: ",").map { $0.filter { !$0.isWhitespace } }
        if directives.contains("no-store") || directives.contains("no-cache") { return 0 }
        guard let text = directives.first(where: { $0.hasPrefix("max-age=") })?.dropFirst(8),
            let seconds = Double(text), seconds.isFinite
        else { return nil }
        let age = headers["age"].flatMap { Double($0) } ?? 0
        return max(0, seconds - (age.isFinite ? max(0, age) : 0))
    }
}
