internal import AuthCore
internal import AuthCoreFoundation

/// A provider's configuration and keys, shared by all who verify its tokens.
final class ProviderDocuments: Sendable {
    private let rule: IssuerRule
    private let connection: ProviderConnection
    private let configuration: CachedDocument<ProviderMetadata>

    private struct KeySource: Sendable {
        let url: URL
        let keys: CachedDocument<JSONWebKeySet>
    }

    private let source = LatestValue<KeySource>()

    /// Key sets are larger than other documents.
    private static let keySetSize = 1 << 20

    init(_ rule: IssuerRule, connection: ProviderConnection) {
        self.rule = rule
        self.connection = connection
        configuration = CachedDocument {
            guard let url = ProviderMetadata.url(of: rule.discoveryBase) else {
                throw VerificationFailure(.misconfigured, "The issuer must be a URL without query and fragment.")
            }
            let (value, response) = try await connection.json(ProviderRequest(.get, url))
            let metadata = try ProviderMetadata(value, at: url)
            guard rule.accepts(published: metadata.issuer) else {
                throw VerificationFailure(
                    .unreachable,
                    "The configuration at \(url.host() ?? "") must name the issuer \(rule.discoveryBase)."
                )
            }
            return (metadata, response.lifetime)
        }
    }

    /// Returns what the provider publishes about itself.
    func metadata(at now: Date, outage: Duration) async throws -> ProviderMetadata {
        try await configuration.copy(at: now, outage: outage).value
    }

    /// Verifies a token's signature and returns the key that made it, asking for new keys, and for where they are, if
    /// it is none of the known ones.
    func signer(of token: SignedToken, at now: Date, outage: Duration) async throws -> JSONWebKey {
        let metadata = try await configuration.copy(at: now, outage: outage)
        let keys = keys(at: metadata.value.keySet)
        let known = try await keys.copy(at: now, outage: outage)
        do throws(VerificationFailure) {
            return try known.value.verify(token)
        } catch {
            // A named key that does not match is a forgery, not a rotation.
            guard error.kind == .wrongKey || token.keyID == nil || known.value.lacksNames else { throw error }
            var failure = error
            if let newer = try await keys.renewed(after: known, at: now) {
                do throws(VerificationFailure) { return try newer.value.verify(token) } catch { failure = error }
            }
            guard failure.kind == .wrongKey, let place = try await placeOfKeys(after: metadata, at: now) else {
                throw failure
            }
            return try await self.keys(at: place).copy(at: now, outage: outage).value.verify(token)
        }
    }

    /// Returns where the provider publishes its keys by now, if that is another place; nil if it does not say.
    private func placeOfKeys(
        after known: CachedDocument<ProviderMetadata>.Copy,
        at now: Date
    ) async throws(CancellationError) -> URL? {
        let moved = try? await configuration.renewed(after: known, at: now)?.value.keySet
        if Task.isCancelled { throw CancellationError() }
        return moved == known.value.keySet ? nil : moved
    }

    private func keys(at url: URL) -> CachedDocument<JSONWebKeySet> {
        let connection = connection
        return source.value { source in
            if let source, source.url == url { return source }
            let keys = CachedDocument<JSONWebKeySet> {
                let request = ProviderRequest(.get, url, sizeLimit: Self.keySetSize)
                let response = try await connection.send(request)
                guard response.status == 200 else { throw connection.unexpected(response, to: request) }
                guard let set = JSONWebKeySet(json: response.body) else {
                    throw connection.failure(request, "must answer with a key set")
                }
                return (set, response.lifetime)
            }
            return KeySource(url: url, keys: keys)
        }.keys
    }
}

extension JSONWebKeySet {
    /// Whether a key has no name, so that a new one can stand in its place unnoticed.
    fileprivate var lacksNames: Bool { keys.contains { $0.id == nil } }
}
