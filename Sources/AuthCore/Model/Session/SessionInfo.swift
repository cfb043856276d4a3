public import AuthCoreFoundation

/// A session as its person sees it, for a list of sessions.
public struct SessionInfo: Sendable, Hashable, Identifiable {
    /// The ID of the session.
    public let id: SessionID
    /// Whether it is the session of the user who asked.
    public let isCurrent: Bool
    /// The provider of the method that the session rests on: as a rule the one that last authenticated the person.
    public let provider: ProviderID
    /// The second factor that was presented; nil if none was.
    public let secondFactor: FactorKind?
    /// The device's name, as the app stated it at the sign-in.
    public let deviceName: String?
    /// Where the sign-in came from: the network address, where the app stated one.
    public let origin: String?
    /// When it began.
    public let creationDate: Date
    /// When the person last authenticated.
    public let authenticationDate: Date
    /// When it was last used, to within an hour, or a tenth of the time that it may be unused if that is shorter.
    public let lastActiveDate: Date
    /// When it ends if it is not used before, as of its last use; nil if the policy set no limit.
    ///
    /// Use does not extend it beyond the policy's limit since the login, and a policy that became stricter ends it
    /// earlier.
    public let expirationDate: Date?

    init(_ session: Session, isCurrent: Bool) {
        (id, provider, secondFactor) = (session.id, session.basis.provider, session.factor?.kind)
        (self.isCurrent, deviceName, origin) = (isCurrent, session.deviceName, session.origin)
        (creationDate, authenticationDate) = (session.createdAt.date, session.authenticatedAt.date)
        (lastActiveDate, expirationDate) = (session.activeAt.date, session.expiresAt?.date)
    }
}
