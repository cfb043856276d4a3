// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// The id of addresses.
public let EmailAuthProviderID: String = "password"
/// The method of an address and its password.
public let EmailPasswordAuthSignInMethod: String = "password"
/// The method of an address and a mailed link.
public let EmailLinkAuthSignInMethod: String = "emailLink"
/// The id of Google.
public let GoogleAuthProviderID: String = "google.com"
/// The method of Google.
public let GoogleAuthSignInMethod: String = "google.com"
/// The id of Facebook.
public let FacebookAuthProviderID: String = "facebook.com"
/// The method of Facebook.
public let FacebookAuthSignInMethod: String = "facebook.com"
/// The id of Twitter.
public let TwitterAuthProviderID: String = "twitter.com"
/// The method of Twitter.
public let TwitterAuthSignInMethod: String = "twitter.com"
/// The id of GitHub.
public let GitHubAuthProviderID: String = "github.com"
/// The method of GitHub.
public let GitHubAuthSignInMethod: String = "github.com"
/// The id of telephone numbers.
public let PhoneAuthProviderID: String = "phone"
/// The method of telephone numbers.
public let PhoneAuthSignInMethod: String = "phone"
/// The id of Game Center.
public let GameCenterAuthProviderID: String = "gc.apple.com"
/// The method of Game Center.
public let GameCenterAuthSignInMethod: String = "gc.apple.com"
/// The kind of factors that get a code by telephone.
public let PhoneMultiFactorID: String = "phone"
/// The kind of factors that an authenticator app is.
public let TOTPMultiFactorID: String = "totp"
