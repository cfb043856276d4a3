public import Foundation
internal import Synchronization

/// Settings of a seat.
open class AuthSettings: NSObject, NSCopying {
    private let isDisabled = Mutex(false)

    /// Whether the app does without the checks that keep robots away; nothing here makes them.
    open var isAppVerificationDisabledForTesting: Bool {
        get { isDisabled.withLock { $0 } }
        set { isDisabled.withLock { $0 = newValue } }
    }

    /// Whether the app does without the checks that keep robots away; nothing here makes them.
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
