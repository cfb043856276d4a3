/// A kind of token of Apple's push service.
public enum AuthAPNSTokenType: Int, Sendable {
    /// A kind that is not known.
    case unknown
    /// A token for development.
    case sandbox
    /// A token for products.
    case prod
}
