#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

extension AuthService {
    /// Signs in with an existing method and links the identity that met the conflict, in one step.
    ///
    /// If a second factor is owed, the challenge carries the link along: resolving it does both.
    @discardableResult
    public func resolve(
        _ conflict: Conflict,
        signingInWith credential: AuthCredential,
        context: RequestContext = RequestContext()
    ) async throws(AuthError) -> AuthResult {
        let existing = try await verify(credential, context: context)
        let (signedIn, additional) = try await signIn(
            proof: existing.proof,
            factor: nil,
            completing: conflict.pending,
            context
        )
        return result(of: signedIn, provider: conflict.provider, additional: additional)
    }

    package func signIn(
        proof: Proof,
        factor: FactorProof?,
        completing pending: PendingCredential,
        _ context: RequestContext
    ) async throws(AuthError) -> (SignedIn, AdditionalUserInfo?) {
        let verified = try await verifyPending(pending)
        let link = PendingLink(
            key: pending.id,
            proof: verified.proof,
            target: try await target(of: pending.id)
        )
        let signedIn: SignedIn
        switch proof {
        case .password(let proof):
            signedIn = try await complete(SignInWithPassword(proof: proof, factor: factor), link, context)
        case .mailbox(let proof):
            signedIn = try await complete(SignInWithMailbox(proof: proof, factor: factor), link, context)
        case .phone(let proof):
            signedIn = try await complete(SignInWithPhone(proof: proof, factor: factor), link, context)
        case .federated(let proof):
            signedIn = try await complete(SignInFederated(proof: proof, factor: factor), link, context)
        case .customToken(let proof):
            signedIn = try await complete(SignInWithCustomToken(proof: proof, factor: factor), link, context)
        case .anonymous:
            throw AuthError(.invalidCredential, message: "A conflict is resolved by a method of the existing account.")
        }
        return (signedIn, verified.additional)
    }

    private func complete<First: Operation>(
        _ first: First,
        _ link: PendingLink,
        _ context: RequestContext
    ) async throws(AuthError) -> SignedIn where First.Outcome == SignedIn {
        try await walk(SignInAndLink(first: first, pending: link), context).outcome
    }

    private func target(of pending: CapabilityKey) async throws(AuthError) -> AccountID? {
        guard case .pendingIdentity(let identity)? = try await capability(pending)?.content else { return nil }
        return identity.target
    }
}
