extension AuthService {
    /// Makes a nonce for one intent; its record is stored under a hash of it.
    func nonce(
        for intent: Store.Authorization.Intent,
        by handle: ActingHandle?,
        _ context: RequestContext
    ) async throws(AuthError) -> String {
        try await countVisit(by: handle, "MakeNonce", context)
        let nonce = Nonce.text(environment.randomBytes(18))
        guard let key = Nonce.key(nonce) else { throw AuthError(.internalError, reasons: [.factsContradict]) }
        _ = try await perform(MakeNonce(key: key, intent: intent, handle: handle), context)
        return nonce
    }
}
