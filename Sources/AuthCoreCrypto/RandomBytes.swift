#if canImport(CCrypt)
import CCrypt
#endif

/// Bytes from the system's generator, suitable for keys, nonces and salts.
package func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
        bytes += bigEndianBytes(generator.next())
    }
    bytes.removeLast(bytes.count - max(0, count))
    return bytes
}

extension [UInt64] {
    /// Fills the array from the kernel's generator with one call, if there is such a call; returns false if it failed.
    ///
    /// `SystemRandomNumberGenerator` makes one system call per word on Linux, which took about half the time of a
    /// sign-in.
    mutating func randomizeFromSystem() -> Bool {
        #if canImport(CCrypt)
        return unsafe withUnsafeMutableBytes { bytes in
            unsafe getrandom(bytes.baseAddress, bytes.count, 0) == bytes.count
        }
        #else
        return false
        #endif
    }
}
