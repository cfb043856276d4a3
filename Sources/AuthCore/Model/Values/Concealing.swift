/// A value with secrets in it: printing, dumping and reflecting show its description and nothing else.
protocol Concealing: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {}

extension Concealing {
    /// The same as the description.
    public var debugDescription: String { description }

    /// An empty mirror, so that nothing is printed through it.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
