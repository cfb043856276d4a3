#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Message.Settings {
    /// The code of the error in the settings; nil if they are valid.
    var refusal: AuthErrorCode? {
        if let language, !language.isBounded { return .textTooLong }
        guard let continueURL else { return nil }
        if continueURL.isEmpty { return .missingContinueURI }
        guard continueURL.utf8.count <= 2048, let parts = URLComponents(string: continueURL),
            let scheme = parts.scheme?.lowercased(), scheme == "https" || scheme == "http", parts.host?.isEmpty == false
        else { return .invalidContinueURI }
        return nil
    }
}
