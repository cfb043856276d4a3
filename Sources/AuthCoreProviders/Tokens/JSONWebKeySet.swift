internal import AuthCore

/// The keys of a provider (RFC 7517 section 5); those that cannot be used are left out, with the reason.
struct JSONWebKeySet: Sendable {
    let keys: [JSONWebKey]
    /// Why the keys with these names are not used.
    let refusals: [ExactText: String]

    /// A provider has a handful of keys; what follows is ignored.
    static let greatestCount = 100
    /// How many keys are tried for a token that does not name its key.
    private static let greatestTries = 8

    /// Reads a key set; nil if it is malformed, or empty: an empty one must not replace the keys that serve.
    init?(json: [UInt8]) {
        guard let members = ClaimValue(json: json)?["keys"]?.arrayValue, !members.isEmpty else { return nil }
        var keys: [JSONWebKey] = []
        var refusals: [ExactText: String] = [:]
        for fields in members.prefix(Self.greatestCount) {
            do throws(PublicKey.Refusal) {
                keys.append(try JSONWebKey(fields))
            } catch {
                if let id = fields["kid"]?.stringValue { refusals[ExactText(id)] = error.detail }
            }
        }
        self.keys = keys
        self.refusals = refusals
    }

    /// Returns the keys that may have signed the token; those that it names come first.
    func candidates(for token: SignedToken) -> [JSONWebKey] {
        let fitting = keys.filter { $0.fits(token) }
        let named = fitting.filter { $0.id != nil && token.keyID != nil }
        return named.isEmpty ? Array(fitting.prefix(Self.greatestTries)) : named
    }

    /// Verifies the signature and returns the key that made it.
    func verify(_ token: SignedToken) throws(VerificationFailure) -> JSONWebKey {
        let candidates = candidates(for: token)
        if candidates.isEmpty { throw VerificationFailure(.wrongKey, explanation(for: token)) }
        let signer = candidates.first {
            $0.publicKey.verifies(token.signature, of: token.signingInput, by: token.algorithm)
        }
        guard let signer else {
            throw VerificationFailure(.wrongSignature, "The ID token must be signed with a key of the provider.")
        }
        return signer
    }

    private func explanation(for token: SignedToken) -> String {
        if let id = token.keyID, let refusal = refusals[ExactText(id)] {
            return "The provider's key that the ID token names cannot be used. \(refusal)"
        }
        return "The provider must have a key for \(token.algorithm.rawValue) that fits the ID token's kid."
    }
}
