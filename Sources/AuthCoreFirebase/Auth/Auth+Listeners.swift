public import Foundation
internal import Synchronization

/// What `addStateDidChangeListener` returns.
public typealias AuthStateDidChangeListenerHandle = NSObjectProtocol
/// What `addIDTokenDidChangeListener` returns.
public typealias IDTokenDidChangeListenerHandle = NSObjectProtocol

extension NSNotification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The notification of a change of the current user's token.
    public static let AuthStateDidChange = Auth.authStateDidChangeNotification
}

extension Auth {
    /// Somebody who wants to know.
    struct Listener: Sendable {
        enum Subject: Sendable {
            /// Who sits in the seat.
            case state
            /// The token of whoever sits there.
            case token
        }

        let handle: ListenerHandle
        let subject: Subject
        let call: Handover<(Auth, User?) -> Void>
        var wasCalled = false
        var lastUserID: String?
    }

    /// Names a listener.
    final class ListenerHandle: NSObject, Sendable {}

    func addListener(
        to subject: Listener.Subject,
        _ listener: @escaping (Auth, User?) -> Void
    ) -> any NSObjectProtocol {
        let handle = ListenerHandle()
        let listener = Listener(handle: handle, subject: subject, call: Handover(listener))
        state.withLock { $0.listeners.append(listener) }
        onMainQueue { auth in auth.callListeners { $0.handle === handle && !$0.wasCalled } }
        return handle
    }

    func removeListener(_ handle: any NSObjectProtocol) {
        let handle = ObjectIdentifier(handle)
        state.withLock { state in state.listeners.removeAll { ObjectIdentifier($0.handle) == handle } }
    }

    /// Tells everybody that somebody else sits here, or has another token.
    func announceChange() {
        onMainQueue { auth in
            let userID = auth.currentUser?.uid
            auth.callListeners { $0.subject == .token || !$0.wasCalled || $0.lastUserID != userID }
            auth.postNotification()
        }
    }

    private func onMainQueue(_ work: @escaping @Sendable (Auth) -> Void) {
        let auth = Handover(self)
        DispatchQueue.main.async { work(auth.value) }
    }

    private func callListeners(_ wants: (Listener) -> Bool) {
        let user = currentUser
        let userID = user?.uid
        let called = state.withLock { state in
            var called: [Listener] = []
            for index in state.listeners.indices where wants(state.listeners[index]) {
                state.listeners[index].wasCalled = true
                state.listeners[index].lastUserID = userID
                called.append(state.listeners[index])
            }
            return called
        }
        // One listener may remove the next.
        for listener in called where state.withLock({ $0.listeners.contains { $0.handle === listener.handle } }) {
            listener.call.value(self, user)
        }
    }

    private func postNotification() {
        let auth = Handover(self)
        let post: @Sendable () -> Void = {
            NotificationCenter.default.post(name: Auth.authStateDidChangeNotification, object: auth.value)
        }
        // An observer on the main operation queue is waited for, and where the main queue is not served by the main
        // thread, as in an asynchronous main function on Linux, waiting for it there would never end.
        if Thread.isMainThread { post() } else { DispatchQueue.global().async(execute: post) }
    }
}
