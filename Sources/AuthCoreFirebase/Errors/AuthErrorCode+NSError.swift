// swift-format-ignore-file: NoLeadingUnderscores
internal import AuthCore
public import Foundation

extension AuthErrorCode: CustomNSError {
    /// The domain of every error that this module throws or delivers.
    public static var errorDomain: String { AuthErrors.domain }

    /// The number.
    public var errorCode: Int { rawValue }

    /// The code's name and message.
    public var errorUserInfo: [String: Any] {
        let known = AuthCore.AuthErrorCode(rawValue: rawValue)
        return [NSLocalizedDescriptionKey: known.explanation, AuthErrors.userInfoNameKey: known.firebaseName]
    }

    /// The code of an error in `FIRAuthErrorDomain`; nil for any other error.
    public init?(_bridgedNSError error: NSError) {
        guard error.domain == Self.errorDomain, let code = Self(rawValue: error.code) else { return nil }
        self = code
    }

    /// The code of an error; `internalError` if the error has another domain.
    public init(_nsError error: NSError) {
        self = Self(_bridgedNSError: error) ?? .internalError
    }
}

#if !canImport(ObjectiveC)
// Without an Objective-C runtime, only this lets `catch AuthErrorCode.x` and `error as? AuthErrorCode` match the error
// objects that are thrown.
extension AuthErrorCode: _ObjectiveCBridgeable {
    /// The error object of the code.
    public func _bridgeToObjectiveC() -> NSError {
        NSError(domain: Self.errorDomain, code: rawValue, userInfo: errorUserInfo)
    }

    /// Reads an error object; nil if it has no code of this domain.
    public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout AuthErrorCode?) {
        result = AuthErrorCode(_bridgedNSError: source)
    }

    /// Reads an error object, and returns whether it has a code of this domain.
    public static func _conditionallyBridgeFromObjectiveC(_ source: NSError, result: inout AuthErrorCode?) -> Bool {
        result = AuthErrorCode(_bridgedNSError: source)
        return result != nil
    }

    /// Reads an error object; `internalError` if it has no code of this domain.
    public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> AuthErrorCode {
        source.flatMap { AuthErrorCode(_bridgedNSError: $0) } ?? .internalError
    }
}
#endif
