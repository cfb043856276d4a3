public import AuthCore

/// How an import goes about it.
public struct ImportOptions: Sendable {
    /// Whether you vouch that who had an account had its verified address, so that a provider's word may join it.
    ///
    /// Without it, a verified address is kept for the account and opens it by mail, and no more.
    public var trustedForJoin = false
    /// Whether the first account that does not come in ends the import.
    public var stopsAtFirstProblem = false
    /// The first line to import, counted from 1; in Firebase's file, the first user.
    public var startAtLine = 1
    /// After how many lines progress is told; it is told at the end in any case.
    public var progressInterval = 1000
    /// How many problems, and how many passwords that cannot be verified, the report lists; the others are counted.
    public var reportLimit = 1000
    /// The issuers of Firebase's providers where they are not the provider's id: what your verifiers say.
    public var issuers: [ProviderID: String] = [
        .google: "https://accounts.google.com",
        .apple: "https://appleid.apple.com",
    ]

    /// The usual way: careful, from the beginning, and to the end.
    public init() {}
}
