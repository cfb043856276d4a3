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
        /// The keys at the place before, which serve until this place has given some.
        let former: CachedDocument<JSONWebKeySet>?
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

    /// Verifies a token's signature and returns the key that made it with the issuer that the provider publishes,
    /// asking for new keys, and for where they are, if it is none of the known ones.
    func signer(
        of token: SignedToken,
        at now: Date,
        outage: Duration
    ) async throws -> (key: JSONWebKey, issuer: String) {
        // In an outage it says where the keys are for as long as keys may serve.
        let longest = outage + CachedDocument<JSONWebKeySet>.longestLifetime
        let metadata = try await configuration.copy(at: now, outage: longest)
        let (place, issuer) = (metadata.value.keySet, metadata.value.issuer)
        do {
            return (try await signer(of: token, amongKeysAt: place, at: now, outage: outage), issuer)
        } catch let failure as VerificationFailure where failure.kind != .wrongSignature || token.keyID == nil {
            guard let newer = try await newer(than: metadata, at: now), newer.keySet != place else { throw failure }
            return (try await signer(of: token, amongKeysAt: newer.keySet, at: now, outage: outage), newer.issuer)
        }
    }

    /// Returns what the provider publishes by now; nil if it does not say.
    private func newer(
        than known: CachedDocument<ProviderMetadata>.Copy,
        at now: Date
    ) async throws(CancellationError) -> ProviderMetadata? {
        let newer = try? await configuration.renewed(after: known, at: now)?.value
        if Task.isCancelled { throw CancellationError() }
        return newer
    }

    private func signer(
        of token: SignedToken,
        amongKeysAt place: URL,
        at now: Date,
        outage: Duration
    ) async throws -> JSONWebKey {
        let source = keySource(at: place)
        let known = try await copy(of: source, at: now, outage: outage)
        do throws(VerificationFailure) {
            return try known.value.verify(token)
        } catch {
            // A named key that does not match is a forgery, not a rotation.
            guard error.kind == .wrongKey || token.keyID == nil || known.value.lacksNames else { throw error }
            guard let newer = try await source.keys.renewed(after: known, at: now) else { throw error }
            return try newer.value.verify(token)
        }
    }

    private func copy(
        of source: KeySource,
        at now: Date,
        outage: Duration
    ) async throws -> CachedDocument<JSONWebKeySet>.Copy {
        do {
            return try await source.keys.copy(at: now, outage: outage)
        } catch let failure as VerificationFailure {
            guard !source.keys.hasCopy, let former = source.former?.usableCopy(at: now, outage: outage) else {
                throw failure
            }
            return former
        }
    }

    private func keySource(at url: URL) -> KeySource {
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
            let former = source.flatMap { $0.keys.hasCopy ? $0.keys : $0.former }
            return KeySource(url: url, keys: keys, former: former)
        }
    }
}

extension JSONWebKeySet {
    /// Whether a key has no name, so that a new one can stand in its place unnoticed.
    fileprivate var lacksNames: Bool { keys.contains { $0.id == nil } }
}
