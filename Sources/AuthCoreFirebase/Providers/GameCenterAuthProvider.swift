#if !os(watchOS)
public import Foundation

/// Represents Game Center, whose players only Apple's own framework can verify.
open class GameCenterAuthProvider: NSObject {
    /// The provider's ID.
    public static let id = "gc.apple.com"

    /// Fails with `gameKitNotLinked`.
    open class func getCredential(completion: @escaping (AuthCredential?, (any Error)?) -> Void) {
        deliver(to: completion) { () async throws -> AuthCredential in throw NSError(.gameKitNotLinked) }
    }

    /// Fails with `gameKitNotLinked`.
    open class func getCredential() async throws -> AuthCredential { throw NSError(.gameKitNotLinked) }

    @available(*, unavailable)
    override init() {}
}
#endif
