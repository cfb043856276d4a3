/// Passes a value between threads where the compiler cannot check it.
///
/// FirebaseAuth's classes and completion handlers are not `Sendable`, but every call takes them to another thread and
/// back. This is safe for both, and the type is used for nothing else. Every class of this module either keeps its
/// mutable state behind a lock or is made for the one call that returns it. A handler is called on the main queue, by
/// the one task that it was passed to.
struct Handover<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A handover with a weak reference.
// The reference is written once, and the runtime synchronizes setting it to nil.
final class WeakHandover<Value: AnyObject>: @unchecked Sendable {
    private(set) weak var value: Value?

    init(_ value: Value) { self.value = value }
}
