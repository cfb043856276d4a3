import AuthCore

// OnAServer.md begins
struct Routes: Sendable {
    let service: AuthService

    /// Answers POST /sign-in.
    func signIn(with credential: AuthCredential, _ request: Request) async -> Response {
        await answering(request) { client in
            try await Response(signedIn: client.signIn(with: credential).user)
        }
    }

    /// Answers POST /sign-in/conflict, with the conflict of an earlier answer to the same device.
    func resolve(_ conflict: Conflict, with credential: AuthCredential, _ request: Request) async -> Response {
        await answering(request) { client in
            try await Response(signedIn: client.resolve(conflict, signingInWith: credential).user)
        }
    }

    /// Answers POST /sign-in/challenge, with the challenge of an earlier answer and a code of an authenticator app.
    func resolve(_ challenge: SecondFactor.Challenge, digits: String, _ request: Request) async -> Response {
        await answering(request) { client in
            try await Response(signedIn: client.resolve(challenge, with: .totp(digits)).user)
        }
    }

    /// Answers POST /account/links.
    func link(_ credential: AuthCredential, _ request: Request) async -> Response {
        await answering(request) { client in
            let user = try await client.user(forIDToken: request.bearer ?? "")
            return try await Response(signedIn: user.link(with: credential).user)
        }
    }
}
// OnAServer.md ends

// OnAServer.md begins
extension Routes {
    func answering(_ request: Request, _ act: (AuthClient) async throws -> Response) async -> Response {
        let client = service.client(
            for: request.deviceCookie.flatMap(DeviceID.init),
            origin: .address(request.address),
            deviceName: request.browser
        )
        var response: Response
        do {
            response = try await act(client)
        } catch let error as AuthError {
            response = Response(status: status(of: error), body: ["error": error.code.name, "message": error.message])
            response.body["reason"] = error.reason?.rawValue
            response.retryAfter = error.retryAt.map { max(0, Int($0.timeIntervalSinceNow.rounded(.up))) }
            response.conflict = error.conflict
            response.challenge = error.secondFactor
        } catch {
            response = Response(status: 500)
        }
        response.deviceCookie = response.deviceCookie ?? client.device.rawValue
        return response
    }

    private func status(of error: AuthError) -> Int {
        switch error.code {
        case .accountExistsWithDifferentCredential, .credentialAlreadyInUse, .emailAlreadyInUse: 409
        case .secondFactorRequired, .requiresRecentLogin: 403
        case .tooManyRequests: 429
        case .storeUnavailable, .overloaded, .outcomeUnknown, .networkError, .mergeHookFailed, .messageNotSent: 503
        case .internalError, .missingSecretKey, .sealedSecretUnreadable, .keyRuleMismatch: 500
        case let code where code.endsSession: 401
        default: 400
        }
    }
}
// OnAServer.md ends
