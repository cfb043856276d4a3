/// Where a request comes from; limits count by it.
public enum RequestOrigin: Sendable, Hashable {
    /// A network address; behind a proxy, the address that the trusted proxy states.
    ///
    /// An IPv6 address counts by its first 64 bits, which one subscriber has. Brackets and a port are left out. An
    /// empty text counts as ``unknown``.
    case address(String)
    /// The process itself, as in an app that contains the engine; nothing counts by origin.
    case local
    /// An origin that the caller does not know; the service warns its operators: see ``AuthService/warnings``.
    ///
    /// All such requests together have the limits of one address, multiplied by
    /// ``AuthPolicy/AttemptLimits/unknownOriginFactor``.
    case unknown

    /// The network address, if the request has one.
    var address: String? { if case .address(let text) = self { text } else { nil } }

    /// The text by which requests of this origin are counted; nil if they are not.
    var counted: String? {
        switch self {
        case .address(let text): NetworkAddress.subscriber(of: text)
        case .local: nil
        case .unknown: ""
        }
    }
}
