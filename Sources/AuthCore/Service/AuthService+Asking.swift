extension AuthService {
    /// Asks the store; what it throws becomes ``AuthErrorCode/storeUnavailable``, or says that the task was canceled.
    func ask<Answer>(_ question: (any IdentityStore) async throws -> Answer) async throws(AuthError) -> Answer {
        do {
            return try await question(try store)
        } catch { throw AuthError(storeFailure: error) }
    }

    /// Seals a secret that has to be recovered later.
    func seal(_ plain: [UInt8], context: String) throws(AuthError) -> [UInt8] {
        do { return try sealer.seal(plain, context: context) } catch { throw AuthError(.internalError, cause: error) }
    }

    /// Recovers a secret, if the service has the key that sealed it.
    func open(_ sealed: [UInt8], context: String) throws(AuthError) -> [UInt8] {
        do {
            return try sealer.open(sealed, context: context)
        } catch { throw AuthError(.sealedSecretUnreadable, cause: error) }
    }
}
