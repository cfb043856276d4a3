internal import AuthCore
public import Foundation

/// A user as a provider describes them, or as the account does.
public protocol UserInfo: NSObjectProtocol {
    /// The provider's ID.
    var providerID: String { get }
    /// The user's ID at the provider.
    var uid: String { get }
    /// The display name.
    var displayName: String? { get }
    /// The URL of the picture.
    var photoURL: URL? { get }
    /// The address.
    var email: String? { get }
    /// The number.
    var phoneNumber: String? { get }
}

/// One sign-in method.
final class UserInfoImpl: NSObject, UserInfo {
    private let entry: AuthCore.UserInfo

    init(_ entry: AuthCore.UserInfo) { self.entry = entry }

    var providerID: String { entry.provider.rawValue }
    /// Firebase gives the entry of a number no ID.
    var uid: String { entry.provider == .phone ? "" : entry.uid }
    var displayName: String? { entry.displayName }
    var photoURL: URL? { entry.photoURL.flatMap { URL(string: $0) } }
    var email: String? { entry.email }
    var phoneNumber: String? { entry.phoneNumber }
}
