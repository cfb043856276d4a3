/// A kind of token of Apple's push service.
public enum AuthAPNSTokenType: Int, Sendable {
    /// An unknown kind.
    case unknown
    /// A token for development.
    case sandbox
    /// A token for production.
    case prod
}
