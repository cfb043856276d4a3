public import Foundation
internal import Synchronization

/// Settings of an `Auth`.
open class AuthSettings: NSObject, NSCopying {
    private let isDisabled = Mutex(false)

    /// Whether the app skips the checks that tell people from robots; there are none here.
    open var isAppVerificationDisabledForTesting: Bool {
        get { isDisabled.withLock { $0 } }
        set { isDisabled.withLock { $0 = newValue } }
    }

    /// Whether the app skips the checks that tell people from robots; there are none here.
    open var appVerificationDisabledForTesting: Bool {
        get { isAppVerificationDisabledForTesting }
        set { isAppVerificationDisabledForTesting = newValue }
    }

    /// A copy.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = AuthSettings()
        copy.isAppVerificationDisabledForTesting = isAppVerificationDisabledForTesting
        return copy
    }
}
