import AuthCore

extension Routes {
    /// Answers POST /account/nonce.
    func linkNonce(_ request: Request) async -> Response {
        await answering(request) { client in
            let user = try await client.user(forIDToken: request.bearer ?? "")
            return Response(status: 200, body: ["nonce": try await user.nonce(for: .link)])
        }
    }

    /// Answers POST /session.
    func refresh(_ token: String, _ request: Request) async -> Response {
        await answering(request) { client in
            let tokens = try await client.refresh(token)
            return Response(
                status: 200,
                body: ["idToken": tokens.idToken.token, "refreshToken": tokens.refreshToken]
            )
        }
    }

    /// Answers DELETE /session.
    func signOut(_ token: String, _ request: Request) async -> Response {
        await answering(request) { client in
            try await client.signOut(refreshToken: token)
            return Response(status: 204)
        }
    }
}

extension Response {
    /// The answer that hands out the tokens of a session, and the device for the cookie.
    init(signedIn user: User) async throws {
        let tokens = try await user.issueTokens()
        self.init(
            status: 200,
            body: ["uid": user.uid, "idToken": tokens.idToken.token, "refreshToken": tokens.refreshToken],
            deviceCookie: user.device.rawValue
        )
    }
}
