extension Store {
    /// Why a stored record cannot be read or written.
    public enum RecordError: Error, Sendable, Hashable {
        /// A newer version of the library wrote it, in this format.
        case newerFormat(Int)
        /// It is a record of this other kind.
        case wrongKind(String)
        /// It is not a record, or its content is not valid.
        case malformed
        /// The value contains something that cannot be read back: a number that is not finite, a claim nested too
        /// deeply, or more than the size limit.
        case unrepresentable
    }
}
