/// The result of a successful sign-in or change.
struct SignedIn: Sendable {
    var reference: AccountReference
    var sessionReference: SessionReference
    /// Whether the account was created by this operation.
    var isNewUser = false
    /// Whether the session was ended by this operation: it rested on nothing but a method that went.
    var endsSession = false
    /// When the account was last signed in to.
    var lastSignIn: Timestamp?
    /// The device with its new secret, if it became known to the account.
    var device: DeviceID?

    /// The account after the change.
    var account: Account { reference.account }

    /// The session after the change.
    var session: Session { sessionReference.session }
}

extension SignedIn {
    init(_ reference: AccountReference, _ session: Session, lastSignIn: Timestamp?, device: DeviceID? = nil) {
        self.reference = reference
        sessionReference = SessionReference(session)
        self.lastSignIn = lastSignIn
        self.device = device
    }
}

/// An immutable session, shared by reference.
final class SessionReference: Sendable {
    let session: Session

    init(_ session: Session) { self.session = session }
}

/// What a session rests on after a sign-in or a change, and what was verified along the way.
struct Authentication: Sendable {
    var basis: Session.Basis
    var factor: FactorProof?
    /// The address or number that was verified.
    var verified: Evidence.Subject?
    /// When the person was authenticated, if that was not now.
    var authenticatedAt: Timestamp?
    /// Claims for the session only.
    var claims: [String: ClaimValue] = [:]
    /// Whether it authenticates the person, rather than adding a method for later sign-ins.
    var countsAsReauthentication = true
}
