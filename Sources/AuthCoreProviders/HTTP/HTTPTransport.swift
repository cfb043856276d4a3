public import AuthCoreFoundation

/// Sends requests to providers; ``URLSessionTransport`` is the default.
///
/// A transport follows no redirects, keeps no cookies, reads no more of an answer than ``ProviderRequest/sizeLimit``,
/// and returns at once when its task is canceled. Everything else, such as which URLs may be asked and how long, is
/// decided before it is called.
public protocol HTTPTransport: Sendable {
    /// Sends the request and returns the answer.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, whatever its status.
    /// - Throws: Any error if there is no answer. Unless an earlier answer still serves, the operation then fails with
    ///   `networkError`, or with `canceled` for a `CancellationError`.
    func send(_ request: ProviderRequest) async throws -> ProviderResponse
}

/// A request to a provider; printing it displays neither its query nor its headers nor its body.
public struct ProviderRequest: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The method.
    public enum Method: String, Sendable {
        /// Asks for something.
        case get = "GET"
        /// Sends something.
        case post = "POST"
    }

    /// The method.
    public let method: Method
    /// The URL.
    public let url: URL
    /// The headers; the names are in lower case.
    public var headers: [String: String]
    /// What is sent.
    public var body: [UInt8]
    /// The number of bytes after which an answer is given up.
    public var sizeLimit: Int
    /// The time after which the request is given up.
    public var timeLimit: Duration

    /// Creates a request.
    public init(
        _ method: Method = .get,
        _ url: URL,
        headers: [String: String] = [:],
        body: [UInt8] = [],
        sizeLimit: Int = 1 << 18,
        timeLimit: Duration = .seconds(10)
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.sizeLimit = sizeLimit
        self.timeLimit = timeLimit
    }

    /// The method, the host and the path.
    public var description: String { "\(method.rawValue) \(url.host() ?? "")\(url.path())" }

    /// The method, the host and the path.
    public var debugDescription: String { description }

    /// A mirror without the secrets.
    public var customMirror: Mirror { Mirror(self, children: ["request": description]) }
}

/// A provider's answer; printing it displays only the status.
public struct ProviderResponse: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    /// The status.
    public let status: Int
    /// The headers; the names are in lower case.
    public let headers: [String: String]
    /// The content.
    public let body: [UInt8]

    /// Creates an answer.
    public init(status: Int, headers: [String: String] = [:], body: [UInt8] = []) {
        self.status = status
        self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
        self.body = body
    }

    /// The status.
    public var description: String { "ProviderResponse(\(status))" }

    /// The status.
    public var debugDescription: String { description }

    /// A mirror that contains only the status.
    public var customMirror: Mirror { Mirror(self, children: ["status": status]) }
}
