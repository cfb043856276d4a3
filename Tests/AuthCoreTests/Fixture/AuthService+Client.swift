@testable import AuthCore

extension AuthService {
    /// A client for requests that are made like this; without a context, nothing is bound to anything.
    func client(_ context: RequestContext = RequestContext()) -> AuthClient {
        AuthClient(service: self, context: context)
    }

    /// A client of the device with this key.
    func client(_ device: DeviceID) -> AuthClient { client(RequestContext(device: device)) }
}

extension AuthCredential {
    /// The mailed link that this is; one that opens nothing, where it is none.
    var mailed: AuthCredential.EmailLink {
        guard case .emailLink(let email, let link) = content else {
            return AuthCredential.EmailLink(email: "", link: "")
        }
        return AuthCredential.EmailLink(email: email, link: link.revealed)
    }
}
