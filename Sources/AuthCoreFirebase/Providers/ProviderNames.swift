// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The provider ID of email addresses.
public let EmailAuthProviderID: String = "password"
/// The method of an address with its password.
public let EmailPasswordAuthSignInMethod: String = "password"
/// The method of an address with a sign-in link.
public let EmailLinkAuthSignInMethod: String = "emailLink"
/// The ID of Google.
public let GoogleAuthProviderID: String = "google.com"
/// The method of Google.
public let GoogleAuthSignInMethod: String = "google.com"
/// The ID of Facebook.
public let FacebookAuthProviderID: String = "facebook.com"
/// The method of Facebook.
public let FacebookAuthSignInMethod: String = "facebook.com"
/// The ID of Twitter.
public let TwitterAuthProviderID: String = "twitter.com"
/// The method of Twitter.
public let TwitterAuthSignInMethod: String = "twitter.com"
/// The ID of GitHub.
public let GitHubAuthProviderID: String = "github.com"
/// The method of GitHub.
public let GitHubAuthSignInMethod: String = "github.com"
/// The ID of phone numbers.
public let PhoneAuthProviderID: String = "phone"
/// The method of phone numbers.
public let PhoneAuthSignInMethod: String = "phone"
/// The ID of Game Center.
public let GameCenterAuthProviderID: String = "gc.apple.com"
/// The method of Game Center.
public let GameCenterAuthSignInMethod: String = "gc.apple.com"
/// The kind of factors that get a code by text message.
public let PhoneMultiFactorID: String = "phone"
/// The kind of authenticator-app factors.
public let TOTPMultiFactorID: String = "totp"
