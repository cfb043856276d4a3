public import AuthCore

/// The options of an import.
public struct ImportOptions: Sendable {
    /// Whether you guarantee that each account's owner had its verified address, so that a provider's assurance of that
    /// address may link to the account.
    ///
    /// Otherwise, a verified address is reserved for the account and signs in only by mail, whatever evidence the file
    /// contains.
    public var trustedForJoin = false
    /// Whether an account of Firebase is imported without a second factor that cannot be, such as an authenticator app,
    /// whose secret no export contains.
    ///
    /// Its first factor alone opens it then. Otherwise such an account is a problem, ``ImportProblem/Kind/unsound(_:)``
    /// in `mfaInfo`.
    public var leavesOutFactors = false
    /// Whether the import stops at the first account that fails.
    public var stopsAtFirstProblem = false
    /// The first line to import, counted from 1; in Firebase's file, the first user.
    public var startAtLine = 1
    /// The number of lines after which progress is reported, by default 1000; it is always reported at the end.
    public var progressInterval = 1000
    /// The number of problems, and of unverifiable passwords, that the report lists, by default 1000; the others are
    /// only counted.
    public var reportLimit = 1000
    /// The issuers of Firebase's providers, as your verifiers return them.
    ///
    /// Firebase's GitHub is GitHub.com, whichever server your own verifier of that name asks.
    ///
    /// For a provider that is missing here, the issuer is the only one that the service's verifier of it speaks for, or
    /// else the provider's ID.
    public var issuers: [ProviderID: String] = [
        .google: "https://accounts.google.com",
        .apple: "https://appleid.apple.com",
        .gitHub: "github.com",
        .facebook: "facebook.com",
    ]
    /// Makes the hash of a password of Firebase into one that the service's own `PasswordHasher` can check.
    ///
    /// It returns nil for a password that is not to be imported. If it is nil itself, none is. The hasher that comes
    /// with the library checks no hash of Firebase. A hasher of yours can, if it knows the project's key, and can have
    /// the password hashed anew at the next sign-in. Set this, and the service's hasher, before the first import: a
    /// later import changes no account that exists.
    public var passwordHash: (@Sendable (UnverifiablePassword) -> PasswordHash?)?

    /// Creates the default options: no guarantee for addresses, from the first line to the last.
    public init() {}
}
