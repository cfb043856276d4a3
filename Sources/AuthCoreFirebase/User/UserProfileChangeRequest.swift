internal import AuthCore
public import Foundation
internal import Synchronization

/// Changes the display name and the picture; a value that is not set stays the same.
open class UserProfileChangeRequest: NSObject {
    private let user: User
    private let wishes = Mutex(Wishes())

    private struct Wishes {
        var displayName: String?
        var photoURL: URL?
        var changesName = false
        var changesPhoto = false
    }

    init(_ user: User) { self.user = user }

    /// The new display name; nil until it is set, as in the original.
    open var displayName: String? {
        get { wishes.withLock { $0.displayName } }
        set {
            wishes.withLock { wishes in
                wishes.displayName = newValue
                wishes.changesName = true
            }
        }
    }

    /// The new URL of the picture; nil until it is set, as in the original.
    open var photoURL: URL? {
        get { wishes.withLock { $0.photoURL } }
        set {
            wishes.withLock { wishes in
                wishes.photoURL = newValue
                wishes.changesPhoto = true
            }
        }
    }

    /// Commits the changes, then calls the handler.
    open func commitChanges(completion: (((any Error)?) -> Void)? = nil) {
        deliver(to: completion) { try await self.commit() }
    }

    /// Commits the changes.
    open func commitChanges() async throws { try await commit() }

    private func commit() async throws {
        let wishes = wishes.withLock { $0 }
        let name = change(wishes.displayName, wishes.changesName)
        let photo = change(wishes.photoURL?.absoluteString, wishes.changesPhoto)
        if name == .keep && photo == .keep { return }
        try await user.acting { user throws(AuthError) in
            try await user.updateProfile(displayName: name, photoURL: photo)
        }
    }

    private func change(_ value: String?, _ isMade: Bool) -> Account.ProfileChange {
        if !isMade { return .keep }
        return value.map { .set($0) } ?? .clear
    }
}
