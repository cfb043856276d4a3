/// Carries something between threads where the compiler cannot follow.
///
/// FirebaseAuth's classes and completion handlers are not `Sendable`, yet every call takes them to another thread and
/// back. It is safe for both, and this type is used for nothing else: every class of this module keeps what changes
/// behind a lock or is made for the one call that hands it out, and a handler is called on the main queue by the one
/// task that it was handed to.
struct Handover<Value>: @unchecked Sendable {
    let value: Value

    init(_ value: Value) { self.value = value }
}

/// A handover that keeps nothing alive.
// The reference is written once, and the runtime guards its becoming nil.
final class WeakHandover<Value: AnyObject>: @unchecked Sendable {
    private(set) weak var value: Value?

    init(_ value: Value) { self.value = value }
}
