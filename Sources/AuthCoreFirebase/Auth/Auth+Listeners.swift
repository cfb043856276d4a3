public import Foundation
internal import Synchronization

/// The type that `addStateDidChangeListener` returns.
public typealias AuthStateDidChangeListenerHandle = NSObjectProtocol
/// The type that `addIDTokenDidChangeListener` returns.
public typealias IDTokenDidChangeListenerHandle = NSObjectProtocol

extension NSNotification.Name {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The notification that the current user's token changed.
    public static let AuthStateDidChange = Auth.authStateDidChangeNotification
}

extension Auth {
    /// A listener.
    struct Listener: Sendable {
        enum Subject: Sendable {
            /// The current user.
            case state
            /// The current user's token.
            case token
        }

        let handle: ListenerHandle
        let subject: Subject
        let call: Handover<(Auth, User?) -> Void>
        /// Called when the `Auth` is released.
        let end: @Sendable () -> Void
        var wasCalled = false
        var lastUserID: String?
    }

    /// Identifies a listener.
    final class ListenerHandle: NSObject, Sendable {}

    func addListener(
        to subject: Listener.Subject,
        end: @escaping @Sendable () -> Void = {},
        _ listener: @escaping (Auth, User?) -> Void
    ) -> any NSObjectProtocol {
        let handle = ListenerHandle()
        let listener = Listener(handle: handle, subject: subject, call: Handover(listener), end: end)
        state.withLock { $0.listeners.append(listener) }
        onMainQueue { auth in auth.callListeners(of: auth.currentUser) { $0.handle === handle && !$0.wasCalled } }
        return handle
    }

    func removeListener(_ handle: any NSObjectProtocol) {
        let handle = ObjectIdentifier(handle)
        state.change { state in state.listeners.removeAll { ObjectIdentifier($0.handle) == handle } }
    }

    /// Notifies all listeners that the user or the token changed.
    func announceChange() {
        onMainQueue { auth in
            let user = auth.currentUser
            auth.callListeners(of: user) { $0.subject == .token || !$0.wasCalled || $0.lastUserID != user?.uid }
            auth.postNotification()
        }
    }

    /// Returns after all calls of listeners that are on their way: an app that awaited a call finds its views updated.
    func listenersWereCalled() async {
        await withCheckedContinuation { caller in DispatchQueue.main.async { caller.resume() } }
    }

    private func onMainQueue(_ work: @escaping @Sendable (Auth) -> Void) {
        let auth = Handover(self)
        DispatchQueue.main.async { work(auth.value) }
    }

    private func callListeners(of user: User?, _ wants: (Listener) -> Bool) {
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
        // A listener may remove the next one.
        for listener in called where state.withLock({ $0.listeners.contains { $0.handle === listener.handle } }) {
            listener.call.value(self, user)
        }
    }

    private func postNotification() {
        let auth = Handover(self)
        let post: @Sendable () -> Void = {
            NotificationCenter.default.post(name: Auth.authStateDidChangeNotification, object: auth.value)
        }
        // Posting waits for an observer on the main operation queue. Where the main thread does not serve the main
        // queue, as in an asynchronous main function on Linux, that wait would never end.
        if Thread.isMainThread { post() } else { DispatchQueue.global().async(execute: post) }
    }
}
