import AuthCoreFirebase

/// An object of an app that shows who is signed in, and does something when it goes.
final class Screen {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }

    func show(_ user: User?) {}
}

extension Auth {
    /// Adds a listener that alone holds a screen, which does this when it goes.
    @discardableResult
    func addScreen(_ end: @escaping () -> Void) -> any AuthStateDidChangeListenerHandle {
        let screen = Screen(end)
        return addStateDidChangeListener { _, user in screen.show(user) }
    }
}
