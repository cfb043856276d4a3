internal import AuthCore
public import Foundation

/// A person as one provider knows them, or as the account does.
public protocol UserInfo: NSObjectProtocol {
    /// The provider's id.
    var providerID: String { get }
    /// The provider's name for the person.
    var uid: String { get }
    /// The name shown to others.
    var displayName: String? { get }
    /// The picture shown to others.
    var photoURL: URL? { get }
    /// The address.
    var email: String? { get }
    /// The number.
    var phoneNumber: String? { get }
}

/// One way in.
final class UserInfoImpl: NSObject, UserInfo {
    private let entry: AuthCore.UserInfo

    init(_ entry: AuthCore.UserInfo) { self.entry = entry }

    var providerID: String { entry.provider.rawValue }
    var uid: String { entry.uid }
    var displayName: String? { entry.displayName }
    var photoURL: URL? { entry.photoURL.flatMap { URL(string: $0) } }
    var email: String? { entry.email }
    var phoneNumber: String? { entry.phoneNumber }
}
