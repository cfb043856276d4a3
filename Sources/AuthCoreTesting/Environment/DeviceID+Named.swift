import AuthCoreCrypto
public import AuthCore

extension DeviceID: ExpressibleByStringLiteral {
    /// Creates the device of this name, which is the same in every run.
    ///
    /// A product never makes a device: the service does, and hands it out.
    public init(named name: String) {
        self.init(bits: SHA256.hash(Array(name.utf8)).prefix(16).reduce(0) { $0 << 8 | UInt128($1) })
    }

    /// Creates the device of this name.
    public init(stringLiteral name: String) { self.init(named: name) }
}
