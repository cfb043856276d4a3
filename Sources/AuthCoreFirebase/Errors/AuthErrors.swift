// swift-format-ignore-file: AlwaysUseLowerCamelCase
@_exported public import Foundation

/// The keys in the `userInfo` of error objects.
open class AuthErrors: NSObject {
    /// The domain of every error of this module.
    public static let domain: String = "FIRAuthErrorDomain"
    /// The key of the code's name, such as `ERROR_INVALID_EMAIL`.
    public static let userInfoNameKey: String = "FIRAuthErrorUserInfoNameKey"
    /// The key of the email address that a conflict is about.
    public static let userInfoEmailKey: String = "FIRAuthErrorUserInfoEmailKey"
    /// The key of the credential to link or sign in with after a conflict.
    public static let userInfoUpdatedCredentialKey: String = "FIRAuthErrorUserInfoUpdatedCredentialKey"
    /// The key of the resolver that takes a second factor.
    public static let userInfoMultiFactorResolverKey: String = "FIRAuthErrorUserInfoMultiFactorResolverKey"
}

/// The domain of every error of this module.
public let AuthErrorDomain: String = AuthErrors.domain
/// The key of the code's name, such as `ERROR_INVALID_EMAIL`.
public let AuthErrorUserInfoNameKey: String = AuthErrors.userInfoNameKey
/// The key of the email address that a conflict is about.
public let AuthErrorUserInfoEmailKey: String = AuthErrors.userInfoEmailKey
/// The key of the credential to link or sign in with after a conflict.
public let AuthErrorUserInfoUpdatedCredentialKey: String = AuthErrors.userInfoUpdatedCredentialKey
/// The key of the resolver that takes a second factor.
public let AuthErrorUserInfoMultiFactorResolverKey: String = AuthErrors.userInfoMultiFactorResolverKey
