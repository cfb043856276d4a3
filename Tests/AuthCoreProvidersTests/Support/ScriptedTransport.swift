import AuthCore
import AuthCoreProviders
import Foundation
import Synchronization

/// A provider without a network: answers by path, and remembers what it was asked.
final class ScriptedTransport: HTTPTransport {
    private struct State {
        var answers: [String: @Sendable (ProviderRequest) async throws -> ProviderResponse] = [:]
        var requests: [ProviderRequest] = []
    }

    struct Down: Error {}

    private let state = Mutex(State())

    /// What was asked, in its order.
    var requests: [ProviderRequest] { state.withLock { $0.requests } }

    /// How often this path was asked for.
    func count(_ path: String) -> Int { requests.filter { $0.url.path() == path }.count }

    /// Answers requests for this path from now on.
    func answer(_ path: String, _ answer: @escaping @Sendable (ProviderRequest) async throws -> ProviderResponse) {
        state.withLock { $0.answers[path] = answer }
    }

    /// Answers requests for this path with this JSON.
    func answer(_ path: String, _ value: ClaimValue, status: Int = 200, headers: [String: String] = [:]) {
        answer(path) { _ in ProviderResponse(status: status, headers: headers, body: value.json()) }
    }

    /// Answers nothing from now on.
    func goDown() { state.withLock { $0.answers = [:] } }

    func send(_ request: ProviderRequest) async throws -> ProviderResponse {
        let answer = state.withLock { state in
            state.requests.append(request)
            return state.answers[request.url.path()]
        }
        guard let answer else { throw Down() }
        return try await answer(request)
    }
}
