internal import AuthCore
internal import Foundation

extension Auth {
    func signIn(presenting credential: AuthCredential) async throws -> AuthDataResult {
        try credential.checkFields()
        let result = try await asking(presenting: credential) { client throws(AuthError) in
            try await credential.tried { form throws(AuthError) in
                try await client.signIn(with: form)
            }
        }
        return AuthDataResult(
            user: await signedIn(result.user),
            additionalUserInfo: AdditionalUserInfo(result),
            credential: .tokens(in: credential)
        )
    }

    func signIn(presentingCustomToken token: String) async throws -> AuthDataResult {
        let result = try await asking { client throws(AuthError) in
            try await client.signIn(with: .customToken(token))
        }
        return AuthDataResult(user: await signedIn(result.user), additionalUserInfo: AdditionalUserInfo(result))
    }

    func anonymousSignIn() async throws -> AuthDataResult {
        // The original makes no request either.
        if let user = currentUser, user.isAnonymous { return AuthDataResult(user: user) }
        let result = try await asking { client throws(AuthError) in
            try await client.signInAnonymously()
        }
        return AuthDataResult(user: await signedIn(result.user), additionalUserInfo: AdditionalUserInfo(result))
    }

    func signUp(_ email: String, _ password: String) async throws -> AuthDataResult {
        if password.isEmpty { throw NSError.emptyNewPassword }
        if email.isEmpty { throw NSError(.missingEmail) }
        let result = try await asking { client throws(AuthError) in
            try await client.signUp(email: email, password: password)
        }
        return AuthDataResult(user: await signedIn(result.user), additionalUserInfo: AdditionalUserInfo(result))
    }

    func methods(of email: String) async throws -> [String] {
        try await asking { client throws(AuthError) in
            try await client.fetchSignInMethods(forEmail: email).map { $0 == .emailLink ? "emailLink" : $0.rawValue }
        }
    }

    /// Calls the engine, and converts its error to one of FirebaseAuth's.
    func asking<Outcome>(
        presenting credential: AuthCredential? = nil,
        _ ask: @escaping (AuthClient) async throws(AuthError) -> Outcome
    ) async throws -> Outcome {
        do throws(AuthError) {
            return try await shielded { () throws(AuthError) in try await ask(self.client) }
        } catch {
            throw NSError(error, presenting: credential, in: self)
        }
    }
}
