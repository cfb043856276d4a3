extension Store {
    /// Why a stored record could not be read or written.
    public enum RecordError: Error, Sendable, Hashable {
        /// A newer version of the library wrote it, in this format.
        case newerFormat(Int)
        /// It is a record of this other kind.
        case wrongKind(String)
        /// It is no record at all, or its content breaks a rule of its types.
        case malformed
        /// The value holds something that could not be read back: a number that is not finite, a claim nested too deeply, or
        /// more than a record may hold.
        case unrepresentable
    }
}
