import AuthCoreCrypto

/// A nonce that the service makes for one intent; the app gives it to a provider, which puts it into its ID token.
enum Nonce {
    /// How each nonce begins, so that one that was used or has expired is not taken for a nonce of the app's own.
    private static let prefix = "authcore."

    /// The nonce of these random bytes.
    static func text(_ random: [UInt8]) -> String { prefix + Base64URL.encode(random) }

    /// The key under which the intent is stored; nil for a nonce that the service did not make.
    static func key(_ nonce: String) -> OneTimeRecordID? {
        guard nonce.isBounded, nonce.hasPrefix(prefix) else { return nil }
        return key(ofDigest: hexadecimal(SHA256.hash(Array(nonce.utf8))))
    }

    /// The key of a nonce with this digest, which an ID token may contain in place of the nonce; nil for other text.
    static func key(digest: String) -> OneTimeRecordID? {
        digest.utf8.count == 64 ? key(ofDigest: Array(digest.utf8)) : nil
    }

    private static func key(ofDigest digest: [UInt8]) -> OneTimeRecordID {
        OneTimeRecordID(digestOf: "nonce\u{0}" + String(decoding: digest, as: UTF8.self))
    }
}

extension AuthPolicy.LinkNonce {
    /// Whether a nonce is needed where the request comes from.
    func isRequired(in context: RequestContext) -> Bool {
        switch self {
        case .never: false
        case .onServers: !context.isInApp
        case .always: true
        }
    }
}

/// What a proof knows of its nonce.
enum ProofNonce: Sendable, Hashable {
    /// The token has none, or one of the app's own.
    case unchecked
    /// It has the nonce of the intent with this key.
    case made(OneTimeRecordID)
    /// It was checked before: for this intent at the end of a visit to the provider, or, without one, when the proof
    /// was kept while a second factor was asked for.
    case checked(Intent?)
}

extension FederatedProof {
    /// The key of its nonce, which the commit consumes.
    var nonceKey: OneTimeRecordID? { if case .made(let key) = nonce { key } else { nil } }

    /// Why the proof may not be used for this intent; nil if it may.
    ///
    /// A nonce for another intent, session, account or device is refused and not used up. What met a conflict or waits
    /// for a factor is bound to its device itself.
    func nonceRefusal(_ use: Intent, in seen: Snapshot, _ context: DecisionContext) -> Refusal? {
        if pending != nil { return nil }
        if case .checked(let intent) = nonce {
            return intent == nil || intent == use ? nil : Refusal(.missingOrInvalidNonce, .nonceIsOver)
        }
        guard let nonceKey else {
            let isOwed = use != .signIn && context.policy.linkNonce.isRequired(in: context.request.context)
            return isOwed ? Refusal(.missingOrInvalidNonce, .nonceIsMissing) : nil
        }
        let status = seen.status(of: nonceKey, context) { $0 == .nonce(use) }
        return status == .good ? nil : Refusal(.missingOrInvalidNonce, .nonceIsOver)
    }
}
